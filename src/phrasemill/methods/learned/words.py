"""What other texts tell of words: looked up in the tables once per word, and kept for later texts."""

from array import array
from functools import lru_cache, partial

from phrasemill.kernels import columns, features, hashing
from phrasemill.lender import Lender
from phrasemill.methods.learned.background import DECODED, WORD_COLUMNS, Background

# Beyond so many words all are forgotten and looked up anew, so that a stream of odd words cannot fill memory.
MOST_WORDS = 50_000


class Words:
    """The words met so far, by number: their hashes, their row of `features.word_statistics` and their vectors.

    Belongs to one extraction at a time (`lender.py`).
    """

    def __init__(self, background: Background) -> None:
        self.known: dict[str, int] = {}
        self.hashes = array("Q")
        self.statistics = array("d")
        self.vectors = array("f")
        self._background = background

    def numbers(self, stems: list[str]) -> "array[int]":
        """Return the number of each of the words."""
        found, missing = columns.numbers(stems, self.known)
        if missing:
            self._add(missing)
            found, _ = columns.numbers(stems, self.known)
        return found

    def _add(self, stems: list[str]) -> None:
        fresh = list(dict.fromkeys(stems))
        hashes = hashing.stem_hashes(fresh)
        table, documents = self._background.words, self._background.documents
        places = hashing.find(hashes, table.fingerprints)
        counts = [table.columns[name] for name in WORD_COLUMNS]
        self.statistics.extend(features.word_statistics(places, *counts, DECODED, documents))
        self.vectors.extend(self._background.vectors.look_up(hashes))
        self.hashes.extend(hashes)
        for stem in fresh:
            self.known[stem] = len(self.known)


@lru_cache(maxsize=4)
def words_of(background: Background) -> "Lender[Words]":
    """Return what lends the words that were looked up in `background` so far."""
    return Lender(partial(Words, background), _is_full)


def _is_full(words: Words) -> bool:
    return len(words.known) > MOST_WORDS
