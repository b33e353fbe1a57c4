"""Every method says what it needs and costs, in one table that listings share."""

import csv
import datetime
import json
import tomllib
from pathlib import Path

import pytest

from phrasemill import catalogue
from phrasemill.catalogue import (
    FIGURES,
    METHODS,
    NOTHING,
    SET_METHODS,
    SHIPPED,
    TABLE,
    YOURS,
    Facts,
    best,
    extras,
    facts_of,
    fastest,
    methods,
    row,
    styles,
    trainers,
)
from phrasemill.errors import UnknownName
from phrasemill.models import separate, shipped
from phrasemill.specs import parameters_of

KEYS = {"class", "extra", "learns", "megabytes", "styles", "trainer"}
LISTED = tomllib.loads(TABLE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("section", "registry"), [("methods", METHODS), ("sets", SET_METHODS)])
def test_each_method_of_ours_is_a_row(section: str, registry: catalogue.Registry) -> None:
    ours = {name for name in registry if registry.get(name).__module__.startswith("phrasemill.")}
    assert ours == set(LISTED[section])
    for name, listed in LISTED[section].items():
        module, _, cls = listed["class"].partition(":")
        made_by = registry.get(name)
        assert (made_by.__module__, made_by.__qualname__) == (module, cls), "read without tomllib, and by it"
        assert listed.keys() <= KEYS and listed.get("extra", "pdf") in extras()
        assert listed.get("learns", NOTHING) in (NOTHING, SHIPPED, YOURS)
        assert ("style" in parameters_of(made_by)) == (name in styles())


def test_styles_are_those_that_methods_accept() -> None:
    for name, some in styles().items():
        registry = METHODS if name in METHODS else SET_METHODS
        for style in {style for every in styles().values() for style in every}:
            if style in some:
                assert registry.build(f"{name}(style={style!r})").style == style
            else:
                with pytest.raises(UnknownName):
                    registry.build(f"{name}(style={style!r})")


def test_what_is_trained_is_learned() -> None:
    assert all(row(name)["learns"] in (SHIPPED, YOURS) for name in trainers())


def test_needs_name_the_extra() -> None:
    needs = {one.name: one.needs for one in methods()}
    assert needs["encoder"] == "extra neural" and needs["generator"] == "English; extra neural"
    assert needs["summarise"] == "English" and needs["rake"] == ""


def test_a_method_that_others_register_has_no_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = catalogue.Registry("method", {"textrank": "phrasemill.methods.textrank:TextRank"})
    registry.register("mine", type("Mine", (), {"__doc__": "Does it.", "needs": "luck"}))
    monkeypatch.setattr(catalogue, "METHODS", registry)
    mine = {one.name: one for one in methods()}["mine"]
    assert mine == ("mine", "Does it.", "", "luck", False, Facts(), (), "") and mine.installed


def test_missing_weights_are_named_with_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "separate", lambda name: Path("nowhere") / name)
    found = {one.name: one for one in methods()}
    assert found["catseqd"].missing[-1] == "its weights" and not found["catseqd"].installed
    assert found["catseqd"].install.endswith(f"then {catalogue.how_to_install('catseqd_en.safetensors')}")
    assert "its weights" not in found["encoder"].missing, "only its larger size has a package of its own"


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
    path = separate(file) if file in LISTED["weights"] else shipped(file)
    assert path.stat().st_size / 1e6 == pytest.approx(facts_of(name).megabytes, rel=0.1)


def test_the_recommendation_follows_from_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"slow": Facts(1, 50.0, 30.0), "quick": Facts(9000, 20.0, 10.0), "half": Facts(20_000, 99.0)}
    monkeypatch.setattr(catalogue, "facts_of", lambda name: table.get(name, Facts()))
    assert fastest(["slow", "quick", "unknown"]) == "quick"
    assert best(["quick", "slow", "half", "unknown"]) == "slow", "one figure of two is not enough"
    assert [one.pace for one in (*table.values(), Facts())] == ["very slow", "very fast", "very fast", ""]


def test_every_score_names_the_run_that_it_comes_from() -> None:
    record = json.loads(FIGURES.read_text(encoding="utf-8"))
    scored = [row for row in record["methods"].values() if row.keys() & {"indexers", "authors"}]
    assert {row["run"] for row in scored} == set(record["runs"])
    assert set(record["methods"]) <= set(LISTED["methods"])
    for date, run in record["runs"].items():
        assert datetime.date.fromisoformat(date) and run["command"] and run["version"]
        assert run["indexers"]["signature"].startswith("F1@10|") and run["authors"]["signature"].startswith("F1@10|")


def test_speeds_are_those_that_were_measured() -> None:
    """One run measures every method: what is listed is what the results have, to the digit."""
    with (Path(__file__).parents[1] / "lab" / "results" / "speed.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    measured = {row["method"]: row["abstracts, per s"] for row in rows}
    speeds = {name: facts_of(name).speed for name in LISTED["methods"]}
    assert {name: str(speed) for name, speed in speeds.items() if speed} == {
        name: speed for name, speed in measured.items() if not speed.startswith("more than")
    }
    assert json.loads(FIGURES.read_text(encoding="utf-8"))["speed"]["commit"] == rows[0]["commit"]
