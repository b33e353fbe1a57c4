"""Statistics of other texts: in how many documents a phrase occurs, and how often people chose it as a keyphrase; and
the features of candidates that they give, one row of numbers each.

Two hash tables (kernels/hashing.py), one of phrases and one of words, each with small numbers on a logarithmic
scale: a count n is stored as 8 log2(n + 1), so that counts up to 2 ** 31 fit a byte within 5 %.
"""

import math
from array import array
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from phrasemill.kernels import hashing
from phrasemill.kernels import learned as kernel
from phrasemill.kernels.learned import Known, Rows
from phrasemill.methods.learned.shapes import Shapes, word_classes
from phrasemill.text.word_frequencies import SCALE as FREQUENCY_SCALE
from phrasemill.text.word_frequencies import WordFrequencies, word_frequencies
from phrasemill.types import Candidates

SCALE = 8
DECODED = array("f", [2 ** (code / SCALE) - 1 for code in range(256)])
PHRASE_COLUMNS = ("df", "chosen")
WORD_COLUMNS = ("df", "chosen", "head", "first")
WIDTH, WORDS = kernel.WIDTH, kernel.WORDS
_names = {number: name.lower() for name, number in vars(kernel).items() if type(number) is int}
FEATURES = tuple([_names[number] for number in range(WIDTH)])
# Beyond this number all words are dropped and looked up anew.
MOST_WORDS = 50_000
MOST_IDLE = 32

Column = Any  # an array or a memoryview: mapped from disk, or made in memory


def encode(count: float) -> int:
    return min(255, round(SCALE * math.log2(count + 1)))


@dataclass(frozen=True, slots=True, eq=False)
class CountTable:
    """One table: fingerprints, and for each column a byte at every place."""

    fingerprints: Column
    columns: Mapping[str, Column]

    @classmethod
    def of(cls, keys: "array[int]", columns: Mapping[str, Sequence[float]]) -> "CountTable":
        """Return a table with these counts."""
        fingerprints, places = _filled(keys)
        stored = {}
        for name, counts in columns.items():
            column = array("B", bytes(len(fingerprints)))
            for place, count in zip(places, counts, strict=True):
                column[place] = encode(count)
            stored[name] = column
        return cls(fingerprints, stored)


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """A short vector of unit length for each of the more frequent words; similar for words of similar documents."""

    fingerprints: Column
    numbers: Column
    dimensions: int

    @classmethod
    def of(cls, keys: "array[int]", vectors: Sequence[Sequence[float]], dimensions: int) -> "Vectors":
        fingerprints, places = _filled(keys)
        numbers = array("b", bytes(len(fingerprints) * dimensions))
        for place, vector in zip(places, vectors, strict=True):
            for j in range(dimensions):
                numbers[place * dimensions + j] = max(-127, min(127, round(127 * vector[j])))
        return cls(fingerprints, numbers, dimensions)


@dataclass(frozen=True, slots=True, eq=False)
class Background:
    """The tables of phrases and words over `documents` documents, and vectors of words."""

    documents: int
    phrases: CountTable
    words: CountTable
    vectors: Vectors

    @property
    def sound(self) -> bool:
        """Whether the columns fit together, and every table has a free place, where a search may end."""
        parts = [table.fingerprints for table in (self.phrases, self.words, self.vectors)]
        if any(len(part) and not hashing.has_room(part) for part in parts):
            return False
        tables = (self.phrases, self.words)
        fit = all(len(column) == len(table.fingerprints) for table in tables for column in table.columns.values())
        return fit and len(self.vectors.numbers) == len(self.vectors.fingerprints) * self.vectors.dimensions

    def rows(self, candidates: Candidates, shapes: Shapes) -> Rows:
        """Return the features of candidates; `some(begin, end)` makes the rows of some of them, one after the other."""
        analysis = candidates.analysis
        idle, make = known_words(self, word_frequencies(analysis.language))
        try:
            known = idle.pop()
        except IndexError:
            known = make()
        rows = Rows(candidates.view, word_classes(analysis), shapes, known)
        if len(known) <= MOST_WORDS:
            idle.append(known)  # not after an error, when it may be inconsistent
        return rows

    @classmethod
    def empty(cls) -> "Background":
        nothing = array("I")
        return cls(
            0,
            CountTable(nothing, dict.fromkeys(PHRASE_COLUMNS, b"")),
            CountTable(nothing, dict.fromkeys(WORD_COLUMNS, b"")),
            Vectors(nothing, array("b"), 0),
        )


def _filled(keys: "array[int]") -> "tuple[array[int], array[int]]":
    """Return the fingerprints of a table with these keys, a fifth of whose places stay free, and the place of each."""
    fingerprints = array("I", bytes(4 * (len(keys) * 5 // 4 + 1 if len(keys) else 0)))
    return fingerprints, hashing.fill(keys, fingerprints)


def phrase_keys(candidates: Candidates, stem_hashes: "array[int]") -> "array[int]":
    """Return the key of each candidate in a table of phrases."""
    return hashing.phrase_hashes(
        candidates.first, candidates.start, candidates.end, candidates.analysis.stem, stem_hashes
    )


@lru_cache(maxsize=32)
def known_words(background: Background, frequencies: WordFrequencies) -> tuple[deque[Known], Callable[[], Known]]:
    """Return the words that were looked up in these tables so far, as idle instances to take and to put back, each of
    which belongs to one extraction at a time (as lexicons do, text/analyse.py); and what makes another one."""
    return deque(maxlen=MOST_IDLE), partial(Known, background, frequencies, DECODED, FREQUENCY_SCALE)
