"""Tables as text, Markdown, LaTeX and CSV, in which no text of a document is a formula to a spreadsheet."""

import csv
from io import StringIO
from pathlib import Path

import pytest

from phrasemill.cli import run
from phrasemill.errors import UnknownName
from phrasemill.files.tables import Table, align, as_latex, as_markdown, as_text, csv_of, render, width, without_formula

TABLE = Table("Title", ("metric", "a_b"), (("F1@5", "50.00"), ("x|y", "1 & 2")), ("F1@5|note", "P@5|note"))


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


def test_each_format_escapes_and_aligns_in_its_way() -> None:
    assert "| x\\|y | 1 & 2 |" in as_markdown(TABLE)
    latex = as_latex(TABLE)
    assert r"x\textbar{}y & 1 \& 2 \\" in latex
    assert r"metric & a\_b \\" in latex
    assert as_text(TABLE).splitlines()[-2:] == ["F1@5|note", "P@5|note"]
    with pytest.raises(UnknownName, match="unknown format 'pdf'"):
        render(TABLE, "pdf")


def test_columns_count_wide_characters_twice() -> None:
    assert align([("ab", "x"), ("図", "y"), ("e\u0301e", "z")]) == "ab  x\n図  y\ne\u0301e  z\n"
    lines = as_text(Table("", ("x", "n"), (("図形", "1"), ("ab", "22")))).splitlines()
    assert {width(line) for line in lines} == {8}


def test_columns_of_numbers_are_aligned_on_the_right_and_have_the_same_decimals() -> None:
    rows = [("a", 0.83664, 1200, "2/6", "1.2 [0.8, 1.6]", None), ("7b", -0.01, 5, "0/60", "–", "x\x1b[2J y")]
    rows.append(("5", 0.1, 7, "1/6", "2", None))  # one name of three is a number: names stay on the left
    lines = as_text(Table("", ("name", "score", "times", "in", "interval", "words"), rows)).splitlines()
    assert lines == [
        "name    score  times    in        interval  words",
        "a      0.8366  1,200   2/6  1.2 [0.8, 1.6]",
        "7b    -0.0100      5  0/60               –  x [2J y",
        "5      0.1000      7   1/6               2",
    ]
