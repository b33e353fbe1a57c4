"""`methods`: the few that people choose among, and all of them, with their figures."""

import json

import pytest

from cli_process import Command
from phrasemill.catalogue import METHODS, SET_METHODS, methods


def test_the_methods_to_choose_among(at: Command) -> None:
    code, out, _ = at("methods")
    table, _, legend = out.partition("\n\n")
    listed = table.splitlines()[1:]
    assert code == 0 and len(listed) == 5
    assert listed[0].split()[:2] == ["learned", "Fast,"] and listed[1].split()[:2] == ["encoder", "Best:"]
    assert "--all" in legend and "For sets of documents: consensus." in legend


def test_a_choice_that_is_not_installed_has_its_command(at: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    command = "To install what encoder needs: pip install 'phrasemill[neural]'"
    assert command not in at("methods")[1]
    real = methods()
    lacking = [one._replace(missing=("onnxruntime",)) if one.name == "encoder" else one for one in real]
    lacking = [one._replace(install="pip install 'phrasemill[neural]'") if one.missing else one for one in lacking]
    monkeypatch.setattr("phrasemill.cli.methods.all_methods", lambda: lacking)
    assert command in at("methods")[1]


def test_all_methods(at: Command) -> None:
    names = [one.name for one in methods()]
    assert sorted(names) == sorted(METHODS.names() + SET_METHODS.names())
    table = at("methods", "--all")[1].partition("\n\n")[0]
    assert [line.split()[0] for line in table.splitlines()[1:]] == names
    listed = json.loads(at("methods", "--all", "--format", "json")[1])
    assert [entry["name"] for entry in listed] == names
    facts = ["speed", "indexers", "authors", "learns", "megabytes", "install", "pace"]
    assert list(listed[0]) == ["name", "summary", "paper", "needs", "installed", *facts]
