"""Commands on a copy of the notes, in a folder of their own."""

import shutil
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import phrasemill as pm
from cli_process import Command
from phrasemill.cli import run

NOTES = Path(__file__).parent / "notes"


@pytest.fixture(scope="session")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of the tags of the notes."""
    path = tmp_path_factory.mktemp("learned") / "my.tags"
    pm.Tags.learn(NOTES).save(path)
    return path


@pytest.fixture
def at(tmp_path: Path, learned: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    shutil.copytree(NOTES, tmp_path / "notes")
    shutil.copy(learned, tmp_path / "my.tags")
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin.encode())))
        code = run(["tags", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return command
