"""Copies of a text as people may give it: in other case, with hard line breaks, without title, cut short.

Such a copy is of the same kind: the recognition of kinds learns from them (learned_recipe.py), and is tested on them
(lab/bench/kinds.py).
"""

import textwrap
from collections.abc import Callable
from dataclasses import replace

from phrasemill.types import Document

WIDTH = 72  # letters of a line


def _in(case: Callable[[str], str]) -> Callable[[Document], Document]:
    return lambda one: replace(one, title=case(one.title), text=case(one.text))


def _wrapped(text: str) -> str:
    lines = (textwrap.fill(line, WIDTH, break_on_hyphens=False, break_long_words=False) for line in text.split("\n"))
    return "\n".join(lines)


COPIES: dict[str, Callable[[Document], Document]] = {
    "lower case": _in(str.lower),
    "capitals": _in(str.upper),
    "hard-wrapped": _in(_wrapped),
    "no title": lambda one: replace(one, title=""),
    "first half": lambda one: replace(one, text=one.text[: len(one.text) // 2]),
}


def copies(document: Document) -> dict[str, Document]:
    """Return the copies that differ from the document, by name."""
    made = {name: copied(document) for name, copied in COPIES.items()}
    return {name: one for name, one in made.items() if one.content != document.content}
