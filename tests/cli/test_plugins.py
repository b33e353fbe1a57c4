"""Commands that other distributions add, such as those of the laboratory."""

import sys
from pathlib import Path

import pytest

from phrasemill import cli

COMMAND = """
from typing import Annotated

import typer

from phrasemill.cli import options

app = typer.Typer()


@options.command(app, "")
def wash(name: Annotated[str, options.Option("NAME", "What to wash.")]) -> int:
    "Wash a thing."
    print(f"washed {name}")
    return 0
"""


@pytest.fixture
def laundry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with the command `wash`."""
    made = tmp_path / "laundry-1.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: laundry\nVersion: 1\n")
    (made / "entry_points.txt").write_text("[phrasemill.commands]\nwash = laundry:app\n")
    (tmp_path / "laundry.py").write_text(COMMAND)
    monkeypatch.syspath_prepend(tmp_path)


def test_a_distribution_adds_a_command(laundry: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["wash", "cups"]) == 0
    assert capsys.readouterr().out == "washed cups\n"
    assert cli.run(["--help"]) == 0
    assert "Wash a thing." in capsys.readouterr().out


@pytest.mark.parametrize("name", cli.IN_LABORATORY)
def test_without_the_laboratory_its_commands_say_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Only what is beside the library is there: no other distribution.
    monkeypatch.setattr(sys, "path", [str(Path(cli.__file__).parents[2])])
    assert cli.run([name, "--data", "x"]) == 2
    error = capsys.readouterr().err
    how = "pip install phrasemill-lab, or ./lab in a checkout"
    assert error == f"phrasemill: phrasemill {name} is in the package phrasemill-lab: {how}\n"
