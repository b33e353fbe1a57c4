"""`methods`: every method, with its figures."""

import json

from cli_process import Command
from phrasemill.catalogue import METHODS, SET_METHODS, methods


def test_methods(at: Command) -> None:
    code, out, _ = at("methods")
    assert code == 0
    table, _, legend = out.partition("\n\n")
    names = [one.name for one in methods()]
    assert sorted(names) == sorted(METHODS.names() + SET_METHODS.names())
    assert [line.split()[0] for line in table.splitlines()[1:]] == names
    for said in ("Default: learned, ", "Fastest: ", "Best: ", "For sets of documents: consensus."):
        assert said in legend
    listed = json.loads(at("methods", "--format", "json")[1])
    assert [entry["name"] for entry in listed] == names
    facts = ["speed", "indexers", "authors", "learns", "megabytes", "install", "pace"]
    assert list(listed[0]) == ["name", "summary", "paper", "needs", "installed", *facts]
