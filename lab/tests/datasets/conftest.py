"""The command, and small files of our own in the shapes of the public ones."""

from collections.abc import Callable
from pathlib import Path

import pytest

from phrasemill.cli import run

Write = Callable[[str, str], Path]
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a text to a file below the test's own folder."""

    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `phrasemill dataset` in the test's own folder; exit code, output, errors."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["dataset", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
