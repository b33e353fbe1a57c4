"""Keyphrases as a list that notebooks show as a table, and a text with its keyphrases marked."""

from collections.abc import Sequence
from itertools import count
from typing import SupportsIndex, overload

from phrasemill.errors import ConfigError
from phrasemill.types import Document, Keyphrase, Span

ABSENT = "absent"  # instead of a count
# Backgrounds of marks, one per phrase in turn; text on them is black.
COLOURS = ("#ffe58a", "#a5e6f5", "#b8efb0", "#f6c3f0", "#ffcf9e", "#c9d4ff")
CELL = "text-align:left;padding:.1em .8em .1em 0"


class Keyphrases(list[Keyphrase]):
    """The keyphrases of one text, best first: a list that a notebook shows as a table."""

    @property
    def texts(self) -> list[str]:
        """The phrases alone."""
        return [keyphrase.text for keyphrase in self]

    def __repr__(self) -> str:
        """Show one phrase per line."""
        return "[" + ",\n ".join(map(repr, self)) + "]"

    def to_dicts(self) -> list[dict[str, object]]:
        """Return the keyphrases as JSON has them."""
        return [keyphrase.to_dict() for keyphrase in self]

    @overload
    def __getitem__(self, index: SupportsIndex) -> Keyphrase: ...

    @overload
    def __getitem__(self, index: slice) -> "Keyphrases": ...

    def __getitem__(self, index: SupportsIndex | slice) -> "Keyphrase | Keyphrases":
        return Keyphrases(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def _repr_html_(self) -> str:
        from phrasemill.files.tables import aligned  # not for those who only extract

        if not self:
            return "<p>no keyphrases</p>"
        header = "".join(f'<th style="{CELL}">{name}</th>' for name in ("#", "keyphrase", "score", "times"))
        scores = aligned(keyphrase.score for keyphrase in self)
        rows = "".join(map(_row, count(1), self, scores))
        return f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>"


class Highlighted(str):
    """HTML, which a notebook shows as such."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def highlight(text: str | Document, keyphrases: Sequence[Keyphrase]) -> Highlighted:
    """Return the text as HTML with its keyphrases marked, each in its own colour.

    Of two overlapping phrases, the longer one is marked. Phrases that do not occur in the text are listed below it.
    """
    content = text.content if isinstance(text, Document) else text
    parts: list[str] = []
    done = 0
    for (start, end), rank in marked_spans(keyphrases):
        if end > len(content):
            raise ConfigError("these keyphrases belong to another text: a place of one is beyond the end of this one")
        title = _escaped(f"{rank + 1}. {keyphrases[rank].text}")
        style = f"background:{COLOURS[rank % len(COLOURS)]};color:#000;border-radius:.2em"
        parts += _escaped(content[done:start]), f'<mark style="{style}" title="{title}">', _escaped(content[start:end])
        parts.append("</mark>")
        done = end
    parts.append(_escaped(content[done:]))
    absent = [_escaped(one.text) for one in keyphrases if not one.spans]
    below = f"<p>Not in the text: {', '.join(absent)}</p>" if absent else ""
    return Highlighted(f'<div style="white-space:pre-wrap">{"".join(parts)}</div>{below}')


def marked_spans(keyphrases: Sequence[Keyphrase]) -> list[tuple[Span, int]]:
    """Return every span to mark, with the index of its phrase; of two that overlap the longer, then the better."""
    every = [(span, rank) for rank, k in enumerate(keyphrases) for span in k.spans]
    every.sort(key=lambda place: (place[0].start, place[0].start - place[0].end, place[1]))
    chosen: list[tuple[Span, int]] = []
    for span, rank in every:
        if chosen and span.start < chosen[-1][0].end:
            if span.end - span.start <= chosen[-1][0].end - chosen[-1][0].start:
                continue
            chosen.pop()
        chosen.append((span, rank))
    return chosen


def _escaped(text: str) -> str:
    """Return the text as HTML has it."""
    from html import escape  # not for those who only extract

    return escape(text)


def _row(rank: int, keyphrase: Keyphrase, score: str) -> str:
    cells = (str(rank), keyphrase.text, score, str(len(keyphrase.spans) or ABSENT))
    return "<tr>" + "".join(f'<td style="{CELL}">{_escaped(cell)}</td>' for cell in cells) + "</tr>"
