"""`phrasemill reproduce` as a user meets it: the list, tables, verdicts, and what is wrong."""

import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import made_datasets
from phrasemill.cli import COMMANDS, IN_LABORATORY, run
from phrasemill_lab.papers import ENTRIES, PAPERS, Reproduced, entries
from phrasemill_lab.papers.comparison import FOLDER, ComparisonRow, told
from phrasemill_lab.papers.verdicts import VerdictRow, keep, paper_verdicts, summary, verdict_rows, verdict_table

(ABLATION,) = entries("catseqd-table5")


def test_alone_it_lists_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce"]) == 0
    shown = capsys.readouterr().out
    assert "mkduc01-table2" in shown and "ngram-metrics-table3" in shown and "minutes" in shown and "needs" in shown
    assert run(["reproduce", "--format", "json"]) == 0
    assert {"name", "title", "paper", "source", "needs", "minutes"} == set(json.loads(capsys.readouterr().out)[0])


def test_tables_in_three_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_datasets.coast(tmp_path)
    options = ["reproduce", "mkduc01-table7", "--data", str(tmp_path), "--documents", "2"]
    assert run(options) == 0
    shown = capsys.readouterr().out
    assert "difference" in shown and "Ours are of the first 2 only." in shown
    assert "The body alone, without the headline" in shown, "a note of notes.toml"
    assert run([*options, "--format", "md", "-o", str(tmp_path / "table.md")]) == 0
    assert "| Tf-Idf | published |" in (tmp_path / "table.md").read_text()
    assert run(["reproduce", "catseqd-table7"]) == 0
    shown = capsys.readouterr().out
    assert "no figures" in shown and "choices, not results" in shown, "nothing makes it, and it says why"
    assert run([*options, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["rows"][0]["method"] == "tfidf"


@pytest.mark.parametrize("name", [one.name for one in ENTRIES if one.by])
def test_a_wrong_folder_is_an_error_in_one_line(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Never a table without figures of ours."""
    predictions = ["--predictions", "run.txt"] if name == "semeval2010-ranks" else []
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert run(["reproduce", name, "--data", str(folder), *predictions]) == 2
        said = capsys.readouterr()
        assert f"{name} needs " in said.err and len(said.err.splitlines()) == 1 and not said.out


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["mkduc01-tabel2"], "did you mean 'mkduc01-table2'"),
        (["mkduc01-table2", "--format", "html"], "--format must be one of table, md, csv, latex, json"),
        (["mkduc01-table2", "--documents", "0"], "--documents must be a whole number, 1 or more"),
        (["mkduc01-table2", "--methods", "yake"], "mkduc01-table2 does not take --methods"),
        (["mkduc01-table1", "--documents", "2"], "mkduc01-table1 does not take --documents"),
        (["mkduc01-table2", "--documents", "2", "--keep", "kept"], "--keep is for figures of whole datasets"),
        (["semeval2010-ranks"], "semeval2010-ranks requires --predictions"),
        (["catseqd-table2", "--methods", "CatSeqq"], "unknown row 'CatSeqq' (did you mean 'CatSeq'?); choose from"),
        (["mkduc01", "--verdicts", "--keep", "nowhere"], "nowhere: no figures in it that --keep wrote"),
        (["catseqd-table2", "--models", "nowhere"], "nowhere: no such folder of models"),
    ],
)
def test_slips(tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], message: str) -> None:
    assert run(["reproduce", *wrong, "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.splitlines()) == 1


def test_every_table_has_its_figures_and_their_source() -> None:
    assert {one.like or one.name for one in ENTRIES} == {path.stem for path in FOLDER.glob("*.json")}
    for one in ENTRIES:
        table = one.table
        assert table.paper and table.source and table.title and one.needs and one.paper in PAPERS
        assert {len(row) for row in table.rows.values()} <= {len(table.columns)} == {len(table.decimals)}


def judged(ours: tuple[float | None, ...], folder: Path) -> list[VerdictRow]:
    """The rows of CatSeq in Table 5, published 31.9, 30.7, 32.3, 38.3, 31.0, as if we had measured `ours`."""
    row = ComparisonRow("CatSeq", ours, "catseq", ABLATION.table.rows["CatSeq"])
    keep(Reproduced(ABLATION.table, (row,)), folder)
    return [row for row in verdict_rows(ABLATION, folder) if row.system == "CatSeq"]


def test_verdicts_are_by_the_last_printed_digit_and_both_ways(tmp_path: Path) -> None:
    rows = judged((31.9449, 30.0, None, None, 32.0), tmp_path)
    assert [row.verdict for row in rows] == ["same", "differs", "not possible", "not possible", "differs"]
    table = verdict_table("catseqd", rows)
    assert [row[-1] for row in table.rows] == [
        *("same", "differs by -0.7 (1)", "not possible (2)", "not possible (2)", "differs by +1.0 (1)"),
    ]
    assert table.notes[1:] == (f"(1) {rows[1].reason}", "(2) the set is not in our data"), "each reason once"
    counts = "5 rows of figures: 1 the same; 2 differ (1 above, 1 below, 0 both); 2 not possible."
    assert summary(rows) == table.notes[0] == counts


@pytest.mark.parametrize("paper", PAPERS)
def test_every_published_figure_has_a_verdict_and_a_reason(paper: str) -> None:
    rows = [row for row in paper_verdicts(paper) if isinstance(row, VerdictRow)]
    assert [row for row in rows if row.verdict != "same" and not row.reason] == []
    for one in entries(paper):
        printed = sum(figure is not None for row in one.table.rows.values() for figure in row)
        assert sum(len(row.published) for row in rows if row.table == one.name) >= printed


def test_reasons_notes_and_protocols_are_of_tables_and_commands_that_exist() -> None:
    names = [one.name for one in ENTRIES]
    patterns = [one["tables"] for one in told("reason")] + [name for one in told("note") for name in one["tables"]]
    assert [one for one in patterns if not any(fnmatchcase(name, one) for name in names)] == []
    for one in told("protocol"):
        if one.get("missing"):
            assert one["reason"]
        else:
            assert one["command"].split()[0] in (*COMMANDS, *IN_LABORATORY)


def test_the_command_prints_verdicts_on_figures_that_it_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_datasets.coast(tmp_path)
    kept = ["--keep", str(tmp_path / "kept")]
    assert run(["reproduce", "mkduc01-section3", "--data", str(tmp_path), *kept]) == 0
    capsys.readouterr()
    assert run(["reproduce", "mkduc01-section3", "mkduc01-table2", "--verdicts", *kept, "--format", "json"]) == 0
    row, *others = json.loads(capsys.readouterr().out)
    assert row["verdict"] == "differs" and row["ours"] == [3.0] and row["published"] == [308.0]
    assert "merge unigram-P@1/5/10/20" in {one["figures"] for one in others}, "cuts of one metric share a row"
    assert run(["reproduce", "--verdicts", "--format", "csv"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("table,command,system,figures") == len(PAPERS)
    assert "evaluate --preset mkduc01-published" in shown, "protocols are rows, too"
