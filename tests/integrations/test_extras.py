"""A package that is not installed is named with the command that installs it."""

import sys
from importlib import import_module

import pytest

from phrasemill.errors import MissingExtra


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("duckdb", "duckdb", "duckdb"),
        ("haystack", "haystack", "haystack"),
        ("langchain", "langchain_core", "langchain"),
        ("llama_index", "llama_index", "llama-index"),
        ("mcp", "mcp", "mcp"),
        ("pandas", "pandas", "pandas"),
        ("polars", "polars", "polars"),
        ("sklearn", "sklearn", "sklearn"),
        ("spacy", "spacy", "spacy"),
    ],
)
def test_the_error_names_the_extra(module: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = f"phrasemill.integrations.{module}"
    for name in [one for one in sys.modules if one == ours or one.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    for absent in (package, "scipy", "sklearn", "pyarrow"):  # as after a plain installation
        monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'phrasemill\[{extra}\]'"):
        import_module(ours)
