"""Repair of text that came out of a PDF.

Words broken across lines are joined again, soft hyphens are taken out, and page headers and footers that repeat are
dropped; nothing else changes. Repair only ever takes characters away, so every place in the result has a place in
the original, and `Repaired.original` finds it.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from phrasemill.kernels import mending
from phrasemill.text.boilerplate import boilerplate
from phrasemill.text.hyphens import broken_words
from phrasemill.types import Span

NARROWEST = 30  # characters; lines that are shorter are not those of wrapped prose


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repaired text. Piece `i` of it starts at `starts[i]`, and at `sources[i]` in the original."""

    text: str
    starts: tuple[int, ...] = (0,)
    sources: tuple[int, ...] = (0,)

    def original(self, span: Span) -> Span:
        """Return where a span of the repaired text lies in the original: from its first character to its last."""
        if span.start >= span.end:
            at = self._source(span.start)
            return Span(at, at)
        return Span(self._source(span.start), self._source(span.end - 1) + 1)

    def columns(self, starts: "array[int]", ends: "array[int]") -> "tuple[array[int], array[int]]":
        """Return where the tokens of the repaired text, whose bounds are these columns, lie in the original."""
        pieces = array("i", self.starts), array("i", self.sources), len(self.text)
        return mending.moved(starts, *pieces, False), mending.moved(ends, *pieces, True)

    def _source(self, at: int) -> int:
        piece = bisect_right(self.starts, at) - 1
        return self.sources[piece] + at - self.starts[piece]


def joined(text: str) -> Repaired:
    """Return `text` with the words joined that its lines break, where they are as long as lines of prose.

    The line then ends after the word: lines stay about as long as they were, so that wrapped text is recognised.
    """
    cuts = [cut for cut in broken_words(text, narrowest=NARROWEST) if "\n" in text[cut.start : cut.end]]
    if not cuts:
        return Repaired(text)
    whole = _without(text, cuts)
    first, *others = [whole.text[start:end] for start, end in pairwise([*whole.starts, len(whole.text)])]
    return replace(whole, text="".join([first, *(piece.replace(" ", "\n", 1) for piece in others)]))


def repair(text: str) -> Repaired:
    """Return `text` without the damage that page layout does."""
    cuts = boilerplate(text)
    pages = _without(text, cuts)
    return _without(text, sorted([*cuts, *map(pages.original, broken_words(pages.text, seams=pages.starts))]))


def mended(text: str, cuts: Sequence[Span] = ()) -> Repaired:
    """Return `text` with the words joined that its lines break, and without `cuts`; nothing else changes."""
    return _without(text, sorted([*broken_words(text), *cuts]))


def _without(text: str, cuts: list[Span]) -> Repaired:
    """Return `text` less the `cuts`, which are in order."""
    if not cuts:
        return Repaired(text)
    kept: list[str] = []
    starts, sources = [], []
    length = done = 0
    for start, end in [*cuts, Span(len(text), len(text))]:
        if start > done:
            kept.append(text[done:start])
            starts.append(length)
            sources.append(done)
            length += start - done
        done = max(done, end)
    return Repaired("".join(kept), tuple(starts) or (0,), tuple(sources) or (0,))
