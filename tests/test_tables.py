"""Tables as CSV: what a document says is text to a spreadsheet, never a formula."""

import csv
from io import StringIO
from pathlib import Path

import pytest

from phrasemill.cli import run
from phrasemill.tables import csv_of, without_formula


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\rx", "\nx", "  =1+1", "＝1+1", "－x", "==", "=cmd|' /C calc'!A0"],
)
def test_formulas_become_text(text: str) -> None:
    assert without_formula(text) == f"'{text}"
    ((cell,),) = csv.reader(StringIO(csv_of([[text]]), newline=""))
    assert cell == f"'{text}"


@pytest.mark.parametrize("text", ["", "salt water", "a=b", "-5", "+1.5e3", "-", "=", "'x", "5-2", " x", "-inf"])
def test_everything_else_stays(text: str) -> None:
    assert without_formula(text) == text


def test_numbers_stay_numbers() -> None:
    assert csv_of([(-1.5, 2, True, None, "x,y")]) == '-1.5,2,True,,"x,y"\n'


def test_names_of_files_in_a_table_of_keyphrases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("=1+1.txt").write_text("Salt water moves inland.", encoding="utf-8")
    for options in ([], ["--set"]):
        assert run(["extract", "=1+1.txt", *options, "--format", "csv"]) == 0
        cells = [cell for row in csv.reader(StringIO(capsys.readouterr().out)) for cell in row]
        assert not [cell for cell in cells if cell.startswith("=")]
