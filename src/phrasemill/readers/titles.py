"""The title of a document: which of its paragraphs it is, and whether what metadata states is one."""

import re
from typing import NamedTuple

TITLE, FIRST_LEVEL, BODY = "title", "heading", ""
LONGEST = 300  # characters
# What programs put where a title should be: names of files, of programs, of templates.
NO_TITLE = re.compile(
    r"(?i)\.(?:docx?|pdf|tex|dvi|ps|rtf|odt|indd|qxd|pptx?|xlsx?|pages|fm|p65|wpd)\b|^(?:untitled|title|document|slide"
    r"|microsoft|powerpoint|word|template|manuscript|paper|article|test|unknown|layout|full ?text|doi|pii)\b.{0,12}$"
    r"|^microsoft word|^\W*$|^[\w/\\:.-]*\d[\w/\\:.-]*$|^\S+$"
)
NOT_ALNUM = re.compile(r"[\W_]+")


class Passage(NamedTuple):
    """A paragraph, and what it is: the title, a heading of the first level, or text."""

    text: str
    kind: str = BODY


def plausible_title(stated: str | None) -> str:
    """Return the title that metadata states, or nothing where a program put it there."""
    title = " ".join((stated or "").replace("\0", " ").split())
    return "" if len(title) > LONGEST or NO_TITLE.search(title) else title


def bare(text: str) -> str:
    """Return a text without anything but letters and digits, to compare it."""
    return NOT_ALNUM.sub("", text).casefold()


def titled(passages: list[Passage], stated: str) -> tuple[str, str]:
    """Return title and text: the title is marked as such, or a heading that all begins with, or what metadata states.

    A title that stands in the text is not repeated there.
    """
    passages = [passage._replace(text=passage.text.strip()) for passage in passages if passage.text.strip()]
    marked = next((i for i, passage in enumerate(passages) if passage.kind == TITLE), None)
    stated = plausible_title(stated)
    first = passages[0] if passages else Passage("")
    if marked is None and (first.kind == FIRST_LEVEL or (stated and bare(first.text) == bare(stated))):
        marked = 0
    if marked is None or len(passages) == 1 or len(passages[marked].text) > LONGEST:
        return stated, "\n\n".join(passage.text for passage in passages)
    title = " ".join(passages.pop(marked).text.split())
    return title, "\n\n".join(passage.text for passage in passages)
