"""The command as people meet it: a process, its output, its exit code."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli_process import phrasemill, terminal
from phrasemill import cli
from phrasemill.cli import extract, methods


def test_version_and_help() -> None:
    done = phrasemill("--version")
    assert re.fullmatch(rb"phrasemill \d+\.\d+\.\d+\S*\n", done.stdout)
    for arguments in ([], ["--help"], ["-h"], ["extract", "--help"], ["methods", "-h"]):
        done = phrasemill(*arguments)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"Usage: phrasemill" in done.stdout
    assert "textrank(window=5)" in phrasemill("extract", "--help").stdout.decode()


@pytest.mark.parametrize(
    "line",
    [line.strip() for text in (cli.EXAMPLES, extract.EXAMPLES, methods.EXAMPLES) for line in text.splitlines()[1:]],
)
def test_the_examples_in_the_help_work(line: str, folder: Path, article: str) -> None:
    before, _, command = line.rpartition("| ")
    arguments = [argument.strip("'") for argument in command.split()]
    assert arguments[0] == "phrasemill"
    done = phrasemill(*arguments[1:], cwd=folder, stdin=article.encode() if before else b"")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout or (folder / arguments[arguments.index("--output") + 1]).read_bytes()


def test_a_closed_pipe_is_no_error(folder: Path) -> None:
    (folder / "long.txt").write_text("".join(f"Topic{i} theory. " for i in range(30_000)), encoding="utf-8")
    command = f"{sys.executable} -m phrasemill extract long.txt -n all -f text 2>errors | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=True, timeout=120)
    assert done.stdout.count(b"\n") == 1
    assert (folder / "errors").read_bytes() == b""


def test_output_that_the_terminal_cannot_show() -> None:
    done = phrasemill("extract", "-", stdin="Žižek theory".encode(), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?i?ek theory" in done.stdout
    done = phrasemill("extract", "-", "-f", "json", stdin="Žižek 𝔘 theory".encode(), PYTHONIOENCODING="ascii")
    assert "Žižek" in json.loads(done.stdout)["keyphrases"][0]["text"]


def test_rich_is_not_loaded_where_nothing_is_drawn() -> None:
    code = (
        "import sys; from phrasemill.cli import run; run(['extract', '--example', '--format', 'jsonl']);"
        "print([m for m in ('rich', 'pydantic', 'numpy', 'csv') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_method_names_are_completed() -> None:
    done = phrasemill(
        _PHRASEMILL_COMPLETE="complete_bash",
        COMP_WORDS="phrasemill extract --method text",
        COMP_CWORD="3",
    )
    assert b"textrank" in done.stdout


def test_on_a_terminal() -> None:
    shown = terminal("extract", "--example", "-n", "3")
    assert "─" in shown
    assert "artificial reef" in shown
    assert "nothing to read: name a FILE, pipe a text in" in terminal("extract")
    for room in (60, 80, 120):
        shown = re.sub(r"\x1b\[[\d;]*m", "", terminal("methods", columns=room))
        assert all(len(line) <= room for line in shown.splitlines())
        assert "trained" in shown


def test_highlight_on_a_terminal() -> None:
    shown = terminal("extract", "--example", "--highlight", "-n", "3")
    assert re.search(r"\x1b\[30;103m ?artificial reefs?", shown)
    assert "\x1b[30;" not in terminal("extract", "--example", "--highlight", "-n", "3", NO_COLOR="1")
    assert "[[artificial reefs]]" in terminal("extract", "--example", "--highlight", "-n", "3", NO_COLOR="1")
