"""A document as the span scorer reads it: overlapping windows of pieces, so that nothing is cut off.

Pieces are BERT's: words are separated at punctuation and then split into the longest pieces of the vocabulary. Every
window but the first begins with the title, so that the topic is known wherever a phrase occurs.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill.errors import ModelError
from phrasemill.methods.pieces import WordPieces, cut
from phrasemill.methods.styles import ENCODER_PIECES
from phrasemill.types import Analysis, Candidates

IntArray: TypeAlias = npt.NDArray[np.int64]

PAD = 0
UNKNOWN, END = "[UNK]", "[SEP]"  # in BERT's vocabulary, whose unused pieces stand for the styles
UNUSED = "[unused0]"
WINDOW = 382  # pieces of a window, the style and the end not counted
OVERLAP = 64
TITLE = 32  # pieces of the title that every window begins with
LONGEST_WORD = 24  # pieces of a word that are read
PARTS = re.compile(r"[^\W_]+|[\W_]")


class BertPieces(WordPieces):
    """BERT's vocabulary, for words of a tokeniser that leaves hyphens and full stops within words."""

    def __init__(self, pieces: Sequence[str]) -> None:
        try:
            unknown, end, first = (pieces.index(name) for name in (UNKNOWN, END, UNUSED))
        except ValueError as error:
            raise ModelError(f"the vocabulary is not BERT's: {error}") from None
        super().__init__(pieces, unknown=unknown)
        self.first_style, self.end = first, end

    def _pieces(self, word: str) -> tuple[int, ...]:
        parts = PARTS.findall(word)
        if len(parts) < 2:
            return super()._pieces(word)
        return tuple([piece for part in parts for piece in self.of(part)])[:LONGEST_WORD]


@dataclass(frozen=True, slots=True)
class Window:
    """The tokens `first` to `last` (exclusive): token t begins at piece `starts[t - first]`."""

    pieces: IntArray
    first: int
    last: int
    starts: IntArray  # one more than tokens


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The occurrences of candidates in a window: first and last piece, number of words, and number of the candidate."""

    first: IntArray
    last: IntArray
    words: IntArray
    candidate: IntArray


def windows(analysis: Analysis, pieces: BertPieces, *, title: int, body: int) -> list[Window]:
    """Return the windows of the tokens before `body`; the first `title` of them are the title."""
    split = [pieces.of(word) for word in analysis.words]
    tokens = [split[word] for word in analysis.word[:body]]
    starts = np.cumsum([0, *map(len, tokens)])
    stream = np.array([piece for token in tokens for piece in token], np.int64)
    head = stream[: min(TITLE, int(starts[title]))]
    front = np.append(head, pieces.end) if len(head) else head

    def following(first: int, last: int) -> int:
        return int(np.searchsorted(starts, starts[last] - OVERLAP))

    found = []
    for first, last in cut(starts, WINDOW, following, front=len(front)):
        before = front if first else front[:0]
        inside = stream[starts[first] : starts[last]]
        place = starts[first : last + 1] - starts[first] + len(before)
        found.append(Window(np.concatenate([before, inside]), first, last, place))
    return found


def source(window: Window, style: str, pieces: BertPieces) -> IntArray:
    """Return a window as the network reads it: the style, the pieces, the end."""
    return np.array([pieces.first_style + ENCODER_PIECES.index(style), *window.pieces, pieces.end], np.int64)


def occurrences(candidates: Candidates, window: Window) -> Occurrences:
    """Return the occurrences of candidates that lie within a window, in the order of the candidates."""
    start, end = (np.asarray(column, dtype=np.int64) for column in (candidates.start, candidates.end))
    first: IntArray = np.asarray(candidates.first, dtype=np.int64)
    which = np.repeat(np.arange(len(candidates)), first[1:] - first[:-1])
    inside = (start >= window.first) & (end <= window.last)
    start, end = start[inside] - window.first, end[inside] - window.first
    return Occurrences(window.starts[start], window.starts[end] - 1, end - start, which[inside])
