"""Verdicts on every published figure: by rule, both ways, with a reason, and on pages that are current."""

import json
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from phrasemill.cli import COMMANDS, IN_LABORATORY, run
from phrasemill.evaluation.policies import PRESETS
from phrasemill.tables import render
from phrasemill_lab.papers import ENTRIES, PAPERS, ComparisonRow, Reproduced, entries, entry
from phrasemill_lab.papers.protocols import protocols
from phrasemill_lab.papers.reasons import reason_for, reasons
from phrasemill_lab.papers.verdicts import VerdictRow, keep, paper_verdicts, summary, verdict_rows, verdict_table

DOCS = Path(__file__).parents[3] / "docs"
TABLE = entry("catseqd-table5").table


def judged(ours: tuple[float | None, ...], folder: Path) -> list[VerdictRow]:
    """The rows of CatSeq in Table 5, published 31.9, 30.7, 32.3, 38.3, 31.0, as if we had measured `ours`."""
    keep(Reproduced(TABLE, (ComparisonRow("CatSeq", "catseq", TABLE.rows["CatSeq"], ours),)), folder)
    return [row for row in verdict_rows(entry("catseqd-table5"), folder) if row.system == "CatSeq"]


def test_figures_are_the_same_to_the_last_printed_digit(tmp_path: Path) -> None:
    first, second, *_ = judged((31.9449, 30.7, 32.3, 38.3, 31.0), tmp_path)
    assert (first.figures, first.verdict, first.words) == ("KP20k F1@O", "same", "same")
    assert second.verdict == "same"


def test_differences_are_stated_both_ways_and_with_a_reason(tmp_path: Path) -> None:
    above, below, missing, *_ = judged((33.0, 30.0, None, None, 31.0), tmp_path)
    assert above.words == "differs by +1.1" and above.reason
    assert below.words == "differs by -0.7" and below.reason == above.reason
    assert (missing.words, missing.reason) == ("not possible", "the set is not in our data") and missing.ours is None


def test_a_reason_is_printed_once_and_referred_to_by_number(tmp_path: Path) -> None:
    rows = judged((33.0, 30.0, None, None, 31.0), tmp_path)
    table = verdict_table("catseqd", rows)
    assert [row[-1] for row in table.rows] == [
        *("differs by +1.1 (1)", "differs by -0.7 (1)", "not possible (2)", "not possible (2)", "same"),
    ]
    assert table.notes[1:] == (f"(1) {rows[0].reason}", "(2) the set is not in our data")


def test_cuts_of_one_metric_share_a_row(tmp_path: Path) -> None:
    table = entry("mkduc01-table7").table
    figures = tuple([None if one is None else one + 0.5 * (n % 2) for n, one in enumerate(table.rows["YAKE"])])
    keep(Reproduced(table, (ComparisonRow("YAKE", "yake", table.rows["YAKE"], figures),)), tmp_path)
    rows = [row for row in verdict_rows(entry("mkduc01-table7"), tmp_path) if row.system == "YAKE"]
    assert [row.figures for row in rows][:2] == ["P@1/5/10/20", "F1@1/5/10/20"]
    assert rows[0].verdict == "same" and rows[1].words == "differs by +0.50"


def test_a_row_of_ours_may_have_another_name(tmp_path: Path) -> None:
    table = entry("pubmedake-table3").table
    (figures,) = table.rows.values()
    keep(Reproduced(table, (ComparisonRow("summarise(multipartiterank)", "", figures, figures),)), tmp_path)
    assert {row.verdict for row in verdict_rows(entry("pubmedake-table3"), tmp_path)} == {"same"}


@pytest.mark.parametrize("paper", PAPERS)
def test_no_published_figure_is_left_out(paper: str) -> None:
    rows = paper_verdicts(paper)
    for one in entries(paper):
        printed = sum(figure is not None for row in one.table.rows.values() for figure in row)
        assert sum(len(row.published) for row in rows if row.table == one.name) >= printed


@pytest.mark.parametrize("paper", PAPERS)
def test_every_row_that_is_not_the_same_says_why(paper: str) -> None:
    assert [row for row in paper_verdicts(paper) if row.verdict != "same" and not row.reason] == []


def test_reasons_are_for_tables_that_exist() -> None:
    names = [one.name for one in ENTRIES]
    assert [one for one in reasons() if not any(fnmatchcase(name, one.tables) for name in names)] == []
    assert reason_for("catseqd-table2", "CatSeq", "NUS F1@O", missing=True) == "the set is not in our data"


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pages_have_what_the_command_prints(paper: str) -> None:
    page = (DOCS / "evidence" / "papers" / f"{paper}.md").read_text(encoding="utf-8")
    assert render(verdict_table(paper, paper_verdicts(paper), protocols(paper)), "markdown").strip() in page


@pytest.mark.parametrize("paper", PAPERS)
def test_protocols_name_commands_that_exist(paper: str) -> None:
    for one in protocols(paper):
        command, *words = one.command.split()
        assert command in (*COMMANDS, *IN_LABORATORY, "python")
        assert "--preset" not in words or words[words.index("--preset") + 1] in PRESETS
        assert one.reason or not one.missing


def test_a_summary_counts_both_directions() -> None:
    row = VerdictRow("Table 1", "t", "s", "P", (1.0,), (2.0,), (1,), "differs", "because")
    rows = [
        row,
        replace(row, ours=(0.5,)),
        replace(row, verdict="same"),
        replace(row, ours=None, verdict="not possible"),
    ]
    assert summary(rows) == "4 rows of figures: 1 the same; 2 differ (1 above, 1 below, 0 both); 1 not possible."


def test_the_command_prints_papers_and_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["reproduce", "catseqd-table5", "--verdicts", "--measured", str(tmp_path), "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["table"] for row in rows} == {"catseqd-table5"} and {row["verdict"] for row in rows} == {"not possible"}
    assert run(["reproduce", "--verdicts", "--format", "md"]) == 0
    shown = capsys.readouterr().out
    assert all(title in shown for title in PAPERS.values())


def test_a_paper_names_all_its_tables() -> None:
    names = [one.name for one in entries("semeval2010")]
    assert "semeval2010-table3" in names and "semeval2010-ranks" not in names, "which needs files of your own"
    assert {paper for paper in PAPERS if not any(one.name.startswith(paper) for one in entries("all"))} == set()
