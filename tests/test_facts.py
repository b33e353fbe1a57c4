"""Every method says what it costs, in one table that listings share."""

import csv
import datetime
import json
from pathlib import Path

import pytest

from phrasemill.catalogue import (
    FILE,
    METHODS,
    NOTHING,
    SET_METHODS,
    SHIPPED,
    YOURS,
    Facts,
    all_facts,
    best,
    facts_of,
    fastest,
)
from phrasemill.models import shipped

OURS = [name for registry in (METHODS, SET_METHODS) for name in registry if name in all_facts()]


def test_every_registered_method_has_facts() -> None:
    ours = [
        name
        for registry in (METHODS, SET_METHODS)
        for name in registry
        if registry.get(name).__module__.startswith("phrasemill.")
    ]
    assert not set(ours) - set(all_facts())


@pytest.mark.parametrize("name", OURS)
def test_the_facts_fit_the_method(name: str) -> None:
    facts = facts_of(name)
    registry = METHODS if name in METHODS else SET_METHODS
    needs = registry.get(name).needs
    assert facts.learns in (NOTHING, SHIPPED, YOURS)
    assert ("extra" in needs and "for a model" not in needs) == bool(facts.install)
    assert facts.speed is None or facts.speed > 0
    assert all(value is None or 0 < value < 100 for value in (facts.indexers, facts.authors))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("learned", "learned_en.safetensors"),
        ("consensus", "learned_en.safetensors"),
        ("encoder", "encoder_en.safetensors"),
        ("generator", "generator_en.safetensors"),
        ("catseqd", "catseqd_en.safetensors"),
        ("tfidf", "frequencies_en.safetensors"),
        ("topicalpagerank", "topics_en.safetensors"),
    ],
)
def test_model_sizes_are_those_of_the_files(name: str, file: str) -> None:
    assert shipped(file).stat().st_size / 1e6 == pytest.approx(facts_of(name).megabytes, rel=0.1)


def test_the_recommendation_follows_from_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"slow": Facts(1, 50.0, 30.0), "quick": Facts(9000, 20.0, 10.0), "half": Facts(20_000, 99.0)}
    monkeypatch.setattr("phrasemill.catalogue.all_facts", lambda: table)
    assert fastest(["slow", "quick", "unknown"]) == "quick"
    assert best(["quick", "slow", "half", "unknown"]) == "slow", "one figure of two is not enough"
    assert facts_of("unknown") == Facts()
    assert [facts_of(name).pace for name in ("slow", "quick", "unknown")] == ["very slow", "very fast", ""]


def test_every_score_names_the_run_that_it_comes_from() -> None:
    record = json.loads(FILE.read_text(encoding="utf-8"))
    scored = [row for row in record["methods"].values() if row.keys() & {"indexers", "authors"}]
    assert {row["run"] for row in scored} == set(record["runs"])
    assert set(record["methods"]) <= set(all_facts())
    for date, run in record["runs"].items():
        assert datetime.date.fromisoformat(date) and run["command"] and run["version"]
        assert run["indexers"]["signature"].startswith("F1@10|") and run["authors"]["signature"].startswith("F1@10|")


def test_speeds_are_those_that_were_measured() -> None:
    """One run measures every method: what is listed is what the results have, to the digit."""
    with (Path(__file__).parents[1] / "lab" / "results" / "speed.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    measured = {row["method"]: row["abstracts, per s"] for row in rows}
    assert {name: str(facts.speed) for name, facts in all_facts().items() if facts.speed} == {
        name: speed for name, speed in measured.items() if not speed.startswith("more than")
    }
    assert json.loads(FILE.read_text(encoding="utf-8"))["speed"]["commit"] == rows[0]["commit"]
