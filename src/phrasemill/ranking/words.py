"""What other texts tell of words: looked up in the tables once a word, and kept for the process."""

from array import array
from functools import lru_cache
from threading import Lock

from phrasemill.kernels import columns, features, hashing
from phrasemill.ranking.background import DECODED, WORD_COLUMNS, Background

# Beyond so many words all are forgotten and looked up anew, so that a stream of odd words cannot fill memory.
MOST_WORDS = 50_000


class Words:
    """The words met so far, by number: their hashes, what the tables say (`features.facts`) and their vectors."""

    def __init__(self, background: Background) -> None:
        self.known: dict[str, int] = {}
        self.hashes = array("Q")
        self.facts = array("d")
        self.vectors = array("f")
        self._background = background
        self._lock = Lock()

    def numbers(self, stems: list[str]) -> "array[int]":
        """The number of each of the words."""
        found, missing = columns.numbers(stems, self.known)
        if missing:
            self._add(missing)
            found, _ = columns.numbers(stems, self.known)
        return found

    def _add(self, stems: list[str]) -> None:
        with self._lock:
            fresh = [stem for stem in dict.fromkeys(stems) if stem not in self.known]
            hashes = hashing.stem_hashes(fresh)
            table, documents = self._background.words, self._background.documents
            places = hashing.find(hashes, table.fingerprints)
            counts = [table.columns[name] for name in WORD_COLUMNS]
            self.facts.extend(features.facts(places, *counts, DECODED, documents))
            self.vectors.extend(self._background.vectors.look_up(hashes))
            self.hashes.extend(hashes)
            for stem in fresh:
                self.known[stem] = len(self.known)


class _Keeper:
    """The words of one background."""

    def __init__(self, background: Background) -> None:
        self.background = background
        self.words = Words(background)


@lru_cache(maxsize=4)
def _keeper(background: Background) -> _Keeper:
    return _Keeper(background)


def words_of(background: Background) -> Words:
    """What the process has looked up in `background` so far."""
    keeper = _keeper(background)
    if len(keeper.words.known) > MOST_WORDS:
        keeper.words = Words(background)
    return keeper.words
