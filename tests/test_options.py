"""One list of options, and everything that follows from it."""

import inspect
from dataclasses import fields

import pytest
from typer.main import get_command

import phrasemill as pm
from phrasemill import engine
from phrasemill.cli import app
from phrasemill.errors import UnknownName
from phrasemill.extractor import prepared
from phrasemill.options import HELP, ExtractOptions

# Options of a command that stand for one of the library under another name, or not at all.
TYPED = {"candidates": "candidates_file"}
NOT_OF_RUNS = {"explain"}
NOT_OVER_HTTP = {"vocabulary", "new_terms", "label_language", "roll_up"}  # clients cannot name files of the server


@pytest.mark.parametrize("function", [pm.extract, pm.extract_batch])
def test_the_signature_has_every_option_with_its_default_in_the_same_order(function: object) -> None:
    parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
    others = ("source", "sources", "jobs", "threads")
    declared = {name: one.default for name, one in parameters.items() if name not in others}
    assert list(declared.items()) == [(one.name, one.default) for one in fields(ExtractOptions)]


@pytest.mark.parametrize(("command", "without"), [("extract", set()), ("run", NOT_OF_RUNS)])
def test_the_commands_have_every_option(command: str, without: set[str]) -> None:
    known = {one.name for one in get_command(app).get_command(None, command).params}  # type: ignore[attr-defined]
    assert {TYPED.get(name, name) for name in HELP} - without <= known


def test_http_has_every_option_that_names_no_file() -> None:
    schemas = pytest.importorskip("phrasemill.service.schemas")
    described = schemas.ExtractRequest.model_fields
    assert set(described) - {"documents"} == set(HELP) - NOT_OVER_HTTP
    for name in set(HELP) - NOT_OVER_HTTP:
        assert described[name].description == HELP[name]


def test_an_unknown_option_lists_the_known_ones(tmp_path: object) -> None:
    with pytest.raises(TypeError, match="tpo"):
        pm.extract("Graph theory.", tpo=3)  # type: ignore[call-arg]
    with pytest.raises(UnknownName, match=r"unknown option 'tpo' \(did you mean 'top'\?\); choose from .*top"):
        ExtractOptions.of({"tpo": 3})
    with pytest.raises(UnknownName, match="unknown option 'explain'"):
        engine.run("nowhere.jsonl", "out", explain=True)


def test_what_can_be_read_only_once_is_kept() -> None:
    options = ExtractOptions(exclude=iter(["graph"]), candidates=(word for word in ["tree"]), language="German")
    assert (options.exclude, options.candidates, options.language) == (("graph",), ("tree",), "de")
    find = prepared(ExtractOptions(method="firstphrases", exclude=iter(["graph theory"])))
    texts = ["Graph theory of trees.", "Graph theory of forests."]
    assert [find(text) for text in texts] == [
        pm.extract(t, method="firstphrases", exclude=["graph theory"]) for t in texts
    ]
