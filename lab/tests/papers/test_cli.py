"""`phrasemill reproduce` as a user meets it."""

import json
from pathlib import Path

import pytest

import made_datasets
from phrasemill.cli import run


def test_alone_it_lists_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce"]) == 0
    shown = capsys.readouterr().out
    assert "mkduc01-table2" in shown and "ngram-metrics-table3" in shown and "minutes" in shown and "needs" in shown
    assert run(["reproduce", "--format", "json"]) == 0
    assert {"name", "title", "paper", "source", "needs", "minutes"} == set(json.loads(capsys.readouterr().out)[0])


def test_tables_in_three_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made_datasets.coast(tmp_path)
    options = ["reproduce", "mkduc01-table7", "--data", str(tmp_path)]
    assert run(options) == 0
    assert "difference" in capsys.readouterr().out
    assert run([*options, "--format", "md", "-o", str(tmp_path / "table.md")]) == 0
    assert "| Tf-Idf | published |" in (tmp_path / "table.md").read_text()
    assert run([*options, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["rows"][0]["method"] == "tfidf"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["mkduc01-table9"], "unknown table 'mkduc01-table9'"),
        (["mkduc01-table2", "--format", "html"], "--format must be one of table, md, csv, latex, json"),
        (["mkduc01-table2", "--documents", "0"], "--documents must be a whole number, 1 or more"),
        (["mkduc01-table2"], "mkduc01-table2 needs mkduc01 and duc2001"),
        (["mkduc01-table2", "--documents", "2", "--keep", "kept"], "--keep is for figures of whole datasets"),
        (
            ["catseqd-table2", "--methods", "CatSeqq"],
            "unknown row 'CatSeqq' (did you mean 'CatSeq'?); choose from",
        ),
    ],
)
def test_slips(tmp_path: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], message: str) -> None:
    assert run(["reproduce", *wrong, "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.splitlines()) == 1
