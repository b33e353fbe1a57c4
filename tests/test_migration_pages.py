"""The pages for those who come from other tools have every parameter of theirs."""

import inspect
from pathlib import Path
from typing import Any

import pytest

from phrasemill.compat.keybert import KeyBERT
from phrasemill.compat.rake import Rake
from phrasemill.compat.yake import EARLIER, KeywordExtractor

DOCS = Path(__file__).parents[1] / "docs" / "how-to"


@pytest.mark.parametrize(
    ("page", "functions", "further"),
    [
        ("coming-from-keybert.md", [KeyBERT.__init__, KeyBERT.extract_keywords], []),
        ("coming-from-yake.md", [KeywordExtractor.__init__], list(EARLIER)),
        ("coming-from-rake.md", [Rake.__init__], [name for name in vars(Rake) if not name.startswith("_")]),
    ],
)
def test_every_parameter_is_on_the_page(page: str, functions: list[Any], further: list[str]) -> None:
    """`tests/compat` compares these signatures with those of the real packages."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for function in functions:
        for name, one in inspect.signature(function).parameters.items():
            if name not in ("self", "method") and one.kind is not one.VAR_KEYWORD:
                assert f"\n| `{name}` |" in text, f"{page} lacks {name}"
    assert not [name for name in further if f"`{name}`" not in text]
