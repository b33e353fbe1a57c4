"""The options of `extract` for phrases that one knows."""

import csv
import io
import json
from pathlib import Path

import pytest

import made_vocabularies as made
from phrasemill.cli import run

TEXT = "Groundwater supplies most farms. Boreholes and wells turn brackish where pumps draw ground water.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("article.txt").write_text(TEXT)
    Path("water.csv").write_text(made.csv())
    Path("only.txt").write_text("pumps\nwells\n\nclimate\n")
    Path("more.txt").write_text("pump=50\nbrackish\n")


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["extract", "article.txt", "-m", "tfidf", *arguments]) == 0
    return capsys.readouterr().out


def test_json_shows_the_concept(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output(capsys, "--vocabulary", "water.csv", "-f", "json"))["keyphrases"]
    best = next(one for one in found if one["concept"] == "well")
    assert (best["text"], best["label"], len(best["spans"])) == ("Boreholes", "well", 2)
    plain = json.loads(output(capsys, "-f", "json"))["keyphrases"]
    assert all("concept" not in one for one in plain)


def test_csv_and_tables_show_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(output(capsys, "--vocabulary", "water.csv", "-f", "csv"))))
    assert {row["concept"]: row["label"] for row in rows}["well"] == "well"
    table = output(capsys, "--vocabulary", "water.csv", "--new-terms", "-n", "all").splitlines()
    assert table[0].split() == ["#", "concept", "keyphrase", "score", "times"]
    assert any("brackish" in line for line in table)
    Path("named.csv").write_text("id,label\nT7,pump\n")
    first, line = output(capsys, "--vocabulary", "named.csv").splitlines()
    assert first.endswith("id") and line.split()[:3] == ["1", "pump", "pumps"] and line.endswith("T7")


def test_text_has_the_label_first(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "--vocabulary", "water.csv", "--new-terms", "-n", "all", "-f", "text").splitlines()
    assert "well\tBoreholes\twell" in lines
    assert any(line.split("\t")[0] == line.split("\t")[1] and line.endswith("\t") for line in lines), "a new term"


def test_a_screen_shows_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    assert "concept" in output(capsys, "--vocabulary", "water.csv")


def test_only_and_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "--candidates-file", "only.txt", "-f", "text").split() == ["wells", "pumps"]
    boosted = output(capsys, "--candidates-file", "only.txt", "--boost-file", "more.txt", "-f", "text")
    assert boosted.split() == ["pumps", "wells"]
    assert output(capsys, "--boost", "pumps = 50", "-n", "1", "-f", "text") == "pumps\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--vocabulary", "none.ttl"], "none.ttl: no such file"),
        (["--vocabulary", "article.csv"], "article.csv: no such file"),
        (["--new-terms"], "`new_terms` requires a `vocabulary`"),
        (["--candidates-file", "none.txt"], "none.txt: no such file"),
        (["--boost-file", "none.txt"], "none.txt: no such file"),
        (["--boost", "wells=much"], "the boost in 'wells=much' must be a number; got 'much'"),
        (["--boost", "wells=-1"], "the boost of 'wells' must be a number above 0, got -1.0"),
        (["--vocabulary", "water.csv", "--set"], "leave out --set"),
    ],
)
def test_wrong_input_gets_one_line(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "article.txt", *arguments]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1
