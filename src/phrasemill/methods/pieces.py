"""Pieces of words, and texts that are longer than a network reads at once.

A word is split into the longest pieces in a vocabulary, from left to right (WordPiece; Wu et al., 2016); `##` marks a
piece that continues a word. Accents are dropped, as in the encoder that provides the pieces' first weights; the text's
own wording is found again by its position.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:  # methods are listed without NumPy
    import numpy as np

    Array: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

Window: TypeAlias = tuple[int, int]
CONTINUED = "##"
LONGEST = 40  # in characters; longer words are data
KNOWN = 500_000  # words whose pieces are remembered


class WordPieces:
    """A vocabulary of pieces; words of `whole` are one piece each and never split."""

    def __init__(self, pieces: Sequence[str], *, unknown: int, whole: Mapping[str, int] | None = None) -> None:
        self.pieces = tuple(pieces)
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}
        self.unknown = unknown
        self._whole = {word: (piece,) for word, piece in (whole or {}).items()}
        self._known: dict[str, tuple[int, ...]] = dict(self._whole)

    def __len__(self) -> int:
        return len(self.pieces)

    def of(self, word: str) -> tuple[int, ...]:
        """Return the pieces of a lower-case word; one unknown piece where it cannot be split."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) > KNOWN:
                self._known = dict(self._whole)
            found = self._known[word] = self._pieces(without_accents(word))
        return found

    def _pieces(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST:
            return (self.unknown,)
        result, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start and (piece := CONTINUED * (start > 0) + word[start:end]) not in self.ids:
                end -= 1
            if end == start:
                return (self.unknown,)
            result.append(self.ids[piece])
            start = end
        return tuple(result) or (self.unknown,)


def without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join([c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn"]).lower()


def padded(rows: Sequence[Any], *, fill: int = 0, width: int = 0) -> "Array":
    """Return rows of numbers as a matrix, filled up on the right to the length of the longest, at least to `width`."""
    import numpy as np

    result = np.full((len(rows), max([width, *map(len, rows)])), fill, np.int64)
    for number, row in enumerate(rows):
        result[number, : len(row)] = row
    return result


def cut(starts: "Array", room: int, following: Callable[[int, int], int], *, front: int = 0) -> list[Window]:
    """Return the words of each window of a text, as ranges: the first word and the one behind the last.

    Word w is at the pieces from `starts[w]` to `starts[w + 1]`. A window has `room` pieces, of which `front` are taken
    in all but the first; a word that is too long for a window is one alone. `following` returns the first word of the
    next window, given the range of one: how far windows overlap.
    """
    import numpy as np

    count, first = len(starts) - 1, 0
    found: list[Window] = []
    while first < count:
        most = starts[first] + room - (front if first else 0)
        last = max(int(np.searchsorted(starts, most, side="right")) - 1, first + 1)
        found.append((first, last))
        if last >= count:
            break
        first = max(first + 1, following(first, last))
    return found
