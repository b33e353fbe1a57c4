"""Texts that were written for these tests: tests/cases/*.toml."""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple


class Case(NamedTuple):
    """Among the first `top` keyphrases, `some` of `wanted` must be, and nothing of `unwanted`."""

    name: str
    text: str
    wanted: list[str]
    some: int
    unwanted: list[str]
    top: int = 10


def read(name: str) -> dict[str, Any]:
    """Return the cases of a file."""
    return tomllib.loads((Path(__file__).parent / "cases" / f"{name}.toml").read_text(encoding="utf-8"))


CASES = [Case(**row) for row in read("off_domain")["case"]]
# By what they read like: everyday prose, news, an abstract.
TEXTS = {kind: [str(row["text"]) for row in rows] for kind, rows in read("kinds_of_texts").items()}
EVERY = [text for texts in TEXTS.values() for text in texts]
