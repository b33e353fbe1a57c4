"""`phrasemill measure` as a user meets it, on made-up data."""

import csv
import gzip
import json
import lzma
import sys
from pathlib import Path

import pytest

import made_datasets
import phrasemill
from phrasemill.catalogue import METHODS
from phrasemill.cli import run
from phrasemill_lab import measure
from phrasemill_lab.measure import tags

SRC = Path(phrasemill.__file__).parents[1]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return made_datasets.coast(folder)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measured(tmp_path: Path, name: str, *words: object) -> list[dict[str, str]]:
    assert run(["measure", *map(str, words), "-o", str(tmp_path / "out")]) == 0
    return rows_of(tmp_path / "out" / f"{name}.csv")


def test_quality_has_scores_costs_and_targets(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    aims = tmp_path / "targets.toml"
    aims.write_text('[quality.inspec]\n"F1@5" = {learned = 100.1}\n[quality.everyday-blog]\n"F1@5" = {learned = 1}\n')
    monkeypatch.setattr(measure, "TARGETS", aims)
    datasets = "inspec,everyday-blog,semeval2010,mkduc01,mkduc01-headlines"
    specs = ("--methods", "textrank,learned", "--methods", "consensus")
    rows = measured(tmp_path, "quality", "quality", "--data", data, "--datasets", datasets, *specs)
    shown = capsys.readouterr().out
    assert "Inspec: 3 documents" in shown and "MK-DUC-01, sets of documents: 1 sets of 3 documents" in shown
    assert "annotated by a language model" in shown and "F1@5 F1@10|match:stem(porter)" in shown
    one = {(row["dataset"], row["method"], row["metric"]): row for row in rows}
    assert float(one["inspec", "learned", "F1@5"]["documents_per_s"]) > 0
    assert one["inspec", "learned", "F1@5"]["verdict"].startswith("missed by ")
    assert one["everyday-blog", "learned", "F1@5"]["verdict"] == "met"
    assert ("everyday-blog", "learned", "essential R@10") in one
    assert one["mkduc01", "consensus", "F1@20"]["signature"].startswith("F1@20|")
    assert rows[0]["command"].startswith("phrasemill") and rows[0]["date"] and rows[0]["machine"]


def test_quality_of_a_file_of_ones_own_by_every_method(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(METHODS, "names", lambda: ["firstphrases", "kea", "learned"])
    mine = made_datasets.write(tmp_path / "my-papers.jsonl", made_datasets.records()[:2])
    methods = ("--methods", "all", "--format", "json")
    assert run(["measure", "quality", "--datasets", str(mine), "--documents", "1", *methods]) == 0
    out, said = capsys.readouterr()
    found = {row["method"] for row in json.loads(out)}
    assert found == {"learned", "firstphrases"} and "phrasemill: kea was left out: kea needs a model" in said


def test_a_method_that_fails_is_a_row_and_the_others_go_on(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["measure", "quality", "--data", str(data), "--datasets", "inspec"]
    assert run([*options, "--methods", "kea,textrank"]) == 1
    shown = capsys.readouterr().out
    assert "failed: kea needs a model" in shown and "textrank" in shown
    assert run([*options, "--methods", "textrank", "--limit", "0.001"]) == 1
    assert "failed: took longer than 0.001 seconds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["quality", "--data", "EMPTY"], "no known dataset in it"),
        (["quality", "--data", "EMPTY/nothing"], "no such folder"),
        (["quality", "--data", "EMPTY", "--datasets", "inspect"], "did you mean 'inspec'?"),
        (["quality", "--data", "DATA", "--methods", "textrank("], "cannot read"),
        (["quality", "--data", "DATA", "--methods", "nobody"], "unknown method 'nobody'"),
        (
            ["quality", "--data", "DATA", "--methods", "consensus", "--datasets", "inspec"],
            "no dataset for these methods",
        ),
        (["copies", "--data", "EMPTY"], "none of the texts is there"),
        (["languages", "--data", "EMPTY"], "no file"),
        (["speed", "lunch"], "unknown 'lunch'"),
        (["speed", "rate", "--data", "EMPTY"], "no file"),
        (["speed", "rate", "--build", "before=EMPTY"], "no package phrasemill in this folder"),
        (["scale", "engine", "--data", "EMPTY"], "no file keywords/"),
        (["scale", "lunch"], "unknown 'lunch'"),
        (["scale", "engine", "--sizes", "many"], "--sizes must be whole numbers"),
        (["tags", "--data", "EMPTY"], "no file"),
        (["tools", "nobody"], "unknown tool 'nobody'"),
        (["facts"], "name --speeds FILE"),
        (["accuracy", "tagger", "--data", "EMPTY"], "no *.jsonl.gz files"),
        (["accuracy", "topics_en"], "no measure for topics_en"),
    ],
)
def test_slips_are_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"EMPTY": str(tmp_path / "empty"), "DATA": str(data)}
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    assert run(["measure", *words]) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.splitlines()) == 1


def test_copies_are_compared_with_their_texts(data: Path, tmp_path: Path) -> None:
    rows = measured(tmp_path, "copies", "copies", "--data", data)
    assert {row["texts"] for row in rows} == {"everyday, news", "everyday, other"}
    lower = next(row for row in rows if row["copy"] == "lower case")
    assert 0 <= float(lower["shared_of_10"]) <= 10 and 0 <= float(lower["kind_same"]) <= 100


def test_speed_of_two_builds_in_turns(tmp_path: Path) -> None:
    few = ("--documents", 5, "--rounds", 1, "--methods", "textrank")
    builds = ("--build", f"before={SRC}", "--build", f"after={SRC}")
    rows = measured(tmp_path, "speed-rate", "speed", "rate", "start", *builds, *few)
    assert [row["build"] for row in rows] == ["before", "after"] * 5 and float(rows[1]["ratio"]) > 0
    start = {(row["what"], row["build"]): row for row in rows_of(tmp_path / "out" / "speed-start.csv")}
    assert float(start["textrank", "after"]["ms"]) < float(start["textrank", "after"]["ms_by_the_clock"]) + 1000
    assert start["textrank", "after"]["verdict"] and not start["textrank", "before"]["verdict"]


def test_speed_by_length_and_by_threads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--documents", 4, "--rounds", 1, "--methods", "firstphrases", "--largest", 0.02)
    rows = measured(tmp_path, "speed-growth", "speed", "growth", "threads", *few)
    assert rows[0]["times_as_long_per_megabyte"] == "1.0" and {
        "papers",
        "open brackets",
        "words that are all different",
    } <= {r["text"] for r in rows}
    assert float(rows_of(tmp_path / "out" / "speed-threads.csv")[0]["with_2_threads"]) > 0
    assert run(["measure", "speed", "rate", "--methods", "kea,textrank", *map(str, few[:4])]) == 1
    shown = capsys.readouterr().out
    assert "kea needs a model" in shown and "textrank" in shown


def test_scale_accounts_for_every_document(tmp_path: Path) -> None:
    (tmp_path / "keywords").mkdir()
    lines = "".join(json.dumps({"title": row["title"], "text": row["text"]}) + "\n" for row in made_datasets.records())
    (tmp_path / "keywords" / "train-00.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    small = ("--data", tmp_path, "--sizes", 20, "--jobs", 1, "--rounds", 1)
    rows = measured(tmp_path, "engine", "scale", "engine", *small)
    assert [row["what"] for row in rows] == ["a loop of extract", "run, 1 processes"]
    assert {row["ids_missing_or_double"] for row in rows} == {"0"}
    (row,) = measured(tmp_path, "statistics", "scale", "statistics", *small)
    assert row["documents"] == "20" and int(row["phrases"]) > 5


def test_the_service_answers_right_until_it_is_stopped(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    (row,) = measured(tmp_path, "service", "scale", "service", "--clients", 2, "--seconds", 0.5, "--jobs", 1)
    assert int(row["answers"]) > 0 and row["answers"] == row["logged"]
    assert (row["wrong"], row["cut_short"], row["exit_code"]) == ("0", "0", "0")


def test_tags_of_our_model_and_of_one_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(tags.CORPORA, ("StackExchange", "dev"))
    rows = [row | {"contr": row["keyphrases"]} for row in made_datasets.records()] * 3
    for name in ("inspec_train", "inspec_dev"):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    words = ["measure", "tags", "--data", str(tmp_path), "--annif", sys.executable, "-o", str(tmp_path)]
    assert run(words) == 1
    found = {(row["corpus"], row["system"]): row for row in rows_of(tmp_path / "tags.csv")}
    assert float(found["Inspec, controlled", "phrasemill"]["F1@5"]) > 0
    assert "annif" in found["Inspec, controlled", "Annif tfidf"]["failed"] or "nltk" in capsys.readouterr().out


def test_facts_are_written_from_rows(tmp_path: Path) -> None:
    from phrasemill.catalogue import FIGURES
    from phrasemill_lab.measure.facts import write

    made = "command,date,commit,machine"
    speeds, scores, facts = (tmp_path / name for name in ("speed.csv", "quality.csv", "facts.json"))
    speeds.write_text(f'method,"abstracts, per s",{made}\nlearned,5400.0,c,d,e,f\nkea,more than 10 s,c,d,e,f\n')
    signed = "F1@10|match:stem"
    lines = [f"{name},learned,F1@10,33.333,{signed},c,2026-12-01,e,f" for name in ("inspec_dev", "keywords_dev")]
    scores.write_text("\n".join([f"dataset,method,metric,score,signature,{made}", *lines]) + "\n")
    facts.write_text(FIGURES.read_text(encoding="utf-8"), encoding="utf-8")
    assert write(speeds, scores, facts) == 0
    found = json.loads(facts.read_text(encoding="utf-8"))
    assert {name for name, row in found["methods"].items() if "speed" in row} == {"learned"}
    row = {"speed": 5400, "indexers": 33.3, "authors": 33.3, "run": "2026-12-01"}
    assert found["methods"]["learned"] == row
    assert found["runs"]["2026-12-01"]["indexers"] == {"data": "inspec_dev", "signature": signed}
    assert found["methods"]["yake"]["run"] in found["runs"]


def test_a_simulated_run_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    from phrasemill_lab.measure import simulation

    monkeypatch.setattr(simulation, "LOST_WORKERS", 0.05)
    monkeypatch.setattr(simulation, "LOST_WRITES", 0.02)
    found = simulation.measure([300])
    (row,) = found.rows
    assert not found.failed
    assert row["workers_lost"] and row["writes_lost"]
    assert (row["not_named"], row["missing_or_double"], row["mended"]) == (0, 0, simulation.SPOILT)
