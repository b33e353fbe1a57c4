"""Paragraphs and headings of a word processor's document, and which of them is its title."""

import re
from typing import NamedTuple

from phrasemill.readers.pdf_title import plausible_title

NOT_ALNUM = re.compile(r"[\W_]+")
TITLE, FIRST_LEVEL, BODY = "title", "heading", ""
LONGEST_TITLE = 300  # characters


class Passage(NamedTuple):
    """A paragraph, and what it is: the title, a heading of the first level, or text."""

    text: str
    kind: str = BODY


def titled(passages: list[Passage], stated: str) -> tuple[str, str]:
    """Return title and text: the title is marked as such, or a heading that all begins with, or what metadata states.

    A title that stands in the text is not repeated there.
    """
    passages = [passage._replace(text=passage.text.strip()) for passage in passages if passage.text.strip()]
    marked = next((i for i, passage in enumerate(passages) if passage.kind == TITLE), None)
    if marked is None and passages and passages[0].kind == FIRST_LEVEL:
        marked = 0
    stated = plausible_title(stated)
    if marked is None and passages and stated and _bare(passages[0].text) == _bare(stated):
        marked = 0
    if marked is not None and (len(passages) == 1 or len(passages[marked].text) > LONGEST_TITLE):
        marked = None
    if marked is None:
        return stated, "\n\n".join(passage.text for passage in passages)
    title = " ".join(passages[marked].text.split())
    return title, "\n\n".join(passage.text for i, passage in enumerate(passages) if i != marked)


def _bare(text: str) -> str:
    return NOT_ALNUM.sub("", text).casefold()
