"""The walk of docs/how-to/tags.md, on the notes of this folder; `python tests/tags/test_walk.py` writes its output."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parents[1] / "docs" / "how-to" / "tags.md"
SESSION = re.compile(r"^```shell-session\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROBABILITY = re.compile(r" *\d+ %")
SIZE = re.compile(r"\d+\.\d+ [kM]B")


def commands(block: str) -> list[str]:
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


def run(command: str, folder: Path) -> str:
    ours = re.sub(r"(^|\| )phrasemill ", rf'\1"{sys.executable}" -m phrasemill ', command)
    env = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS")}
    done = subprocess.run(
        ours, shell=True, cwd=folder, capture_output=True, encoding="utf-8", env=env | {"PYTHONIOENCODING": "utf-8"},
        check=False,
    )  # fmt: skip
    assert (done.stderr, done.returncode) == ("", 0), command
    return done.stdout


def walked(folder: Path) -> str:
    """The page with what the commands print now."""
    shutil.copytree(TESTS / "notes", folder / "notes")

    def printed(block: "re.Match[str]") -> str:
        steps = [f"$ {command}\n{run(command, folder)}" for command in commands(block[1])]
        return f"```shell-session\n{''.join(steps)}```"

    return SESSION.sub(printed, PAGE.read_text(encoding="utf-8"))


def steady(page: str) -> str:
    """The page without what differs in the last digit from machine to machine."""
    return SIZE.sub("N kB", PROBABILITY.sub(" N %", page))


@pytest.mark.skipif(os.name != "posix", reason="the session is that of a POSIX shell")
def test_the_walk_prints_what_the_page_shows_and_undo_restores_every_note(tmp_path: Path) -> None:
    assert steady(walked(tmp_path)) == steady(PAGE.read_text(encoding="utf-8"))
    before = {path.name: path.read_bytes() for path in (TESTS / "notes").iterdir()}
    after = {path.name: path.read_bytes() for path in (tmp_path / "notes").iterdir()}
    assert after == before


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        PAGE.write_text(walked(Path(name)), encoding="utf-8")
