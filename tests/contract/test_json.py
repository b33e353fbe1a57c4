"""Whatever a method returns goes through JSON unchanged, for every method and every option."""

import json
from typing import Any

import pytest

import made_vocabularies
import phrasemill as pm
import tiny_bert
from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.errors import ConfigError

TEXT = """Groundwater and the coastal plain

Groundwater supplies most farms on the coastal plain. When pumps draw more groundwater than the rain returns, salt water
moves inland, and the wells of the coastal plain turn brackish. Salt water intrusion is slow, but wells do not recover.
Managed aquifer recharge returns river water to the ground; recharge basins slowed salt water intrusion.
"""
OPTIONS: list[dict[str, Any]] = [
    {},
    {"top": None},
    {"top": 0.2},
    {"top": "auto"},
    {"threshold": -1e9},
    {"exclude": ["groundwater"]},
    {"redundancy": "none"},
    {"redundancy": "variants"},
    {"redundancy": "inclusion"},
    {"redundancy": "similarity(0.5)"},
    {"redundancy": "meaning(0.5, model={model!r})"},
    {"candidates": ["salt water", "wells"]},
    {"boost": ["salt water"]},
    {"boost": {"salt water": 3}},
    {"vocabulary": "{vocabulary}"},
    {"vocabulary": "{vocabulary}", "new_terms": True},
]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("vocabulary")
    (folder / "terms.csv").write_text(made_vocabularies.csv(), encoding="utf-8")
    return {"vocabulary": str(folder / "terms.csv"), "model": str(tiny_bert.make(tmp_path_factory.mktemp("bert")))}


def check(record: object) -> None:
    assert _types(record) == _types(json.loads(json.dumps(record)))
    assert json.loads(json.dumps(record)) == record


def _types(value: object) -> object:
    """The exact types in a record: NumPy's floats are floats, too, but not to JSON."""
    if type(value) is dict:
        return {key: _types(inner) for key, inner in value.items()}
    return [_types(inner) for inner in value] if type(value) is list else type(value)


@pytest.mark.parametrize("explain", [False, True])
@pytest.mark.parametrize("name", METHODS.names())
def test_records_of_keyphrases(name: str, explain: bool, specs: dict[str, str], places: dict[str, str]) -> None:
    for given in OPTIONS:
        options = {key: value.format(**places) if isinstance(value, str) else value for key, value in given.items()}
        try:
            found = pm.extract(TEXT, method=specs[name], explain=explain, **options)
        except ConfigError:
            assert options == {"top": "auto"}, "only some methods have probabilities"
            continue
        for keyphrase in found:
            check(keyphrase.to_dict())


@pytest.mark.parametrize("name", SET_METHODS.names())
def test_records_of_sets(name: str) -> None:
    documents = [pm.Document("1", TEXT), pm.Document("2", TEXT[: len(TEXT) // 2])]
    for options in ({}, {"against": ["Bakers knead dough."]}, {"top": None}, {"threshold": 0.0}):
        for keyphrase in pm.extract_set(documents, method=name, **options):
            check(keyphrase.to_dict())
