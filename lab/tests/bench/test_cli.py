"""`phrasemill bench` as a user meets it."""

import json
from pathlib import Path

import pytest

import made_datasets
from phrasemill.cli import run


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return made_datasets.coast(folder)


def test_a_table_and_three_kinds_of_files(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    options = [
        "bench",
        "--data",
        str(data),
        "-o",
        str(out),
        "--measure",
        "quality,speed",
        "--datasets",
        "inspec,duc2001",
    ]
    assert run([*options, "--methods", "kea,textrank", "--methods", "firstphrases"]) == 0
    shown, said = capsys.readouterr()
    assert "Inspec: 3 documents" in shown and "DUC-2001: 3 documents" in shown and "F1@5" in shown
    assert "phrasemill: kea was left out: kea needs a model" in said and "4 results, 0 failed" in said
    assert "textrank" in (out / "report.md").read_text() and "<svg" in (out / "report.html").read_text()
    assert run([*options, "--methods", "rake", "--format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [one["spec"] for one in records] == ["rake", "rake"] and records[0]["documents_a_second"] > 0
    report = (out / "report.md").read_text()
    assert "`rake`" in report and "`textrank`" in report, "the report is over all that the folder holds"


def test_a_failure_is_a_line_and_an_exit_code(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["bench", "--data", str(data), "-o", str(tmp_path), "--datasets", "inspec", "--methods", "textrank"]
    assert run([*options, "--measure", "quality", "--limit", "0.0001"]) == 1
    shown, said = capsys.readouterr()
    assert "textrank failed: took longer than 0.0001 seconds" in shown and "1 results, 1 failed" in said


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["--measure", "beauty"], "unknown measure 'beauty'"),
        (["--measure", ","], "--measure is empty"),
        (["--documents", "few"], "--documents must be a whole number"),
        (["--documents", "0"], "documents must be at least 1"),
        (["--limit", "soon"], "--limit must be a number of seconds"),
        (["--format", "html"], "--format must be one of table, markdown, json"),
        (["--methods", "textrank("], "cannot read"),
        (["--datasets", "inspect"], "did you mean 'inspec'?"),
    ],
)
def test_slips(data: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], message: str) -> None:
    assert run(["bench", "--data", str(data), *wrong]) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.splitlines()) == 1


def test_a_folder_without_datasets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--data", str(tmp_path)]) == 2
    assert "there is no known dataset in it" in capsys.readouterr().err
    assert run(["bench", "--help"]) == 0 and "phrasemill bench --data data/" in capsys.readouterr().out
