"""Near-duplicates of a test set, found and left out of training data.

Two documents are near-duplicates if the sets of their words (title and text, lower-cased) overlap: Jaccard's share of
`threshold` or more; or if they have the same title of at least `title_words` words. The test set is indexed by its
rare words, so that a document is compared with few others and still no pair is missed (prefix filtering; Chaudhuri et
al., 2006; Wang et al., 2012). Nothing is drawn at random.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from phrasemill.errors import ConfigError
from phrasemill.evaluation.phrases import WORDS
from phrasemill.types import Document

# How many of their rarest words two near-duplicates share; more than one, so that fewer documents are compared.
SHARED = 5


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A document that was left out, the test document it repeats, and the share of words they have in common."""

    id: str
    of: str
    overlap: float


class TestSet:
    """The documents that must not be trained on. `removed` lists what `without` left out."""

    __test__ = False  # for pytest, which goes by the name

    def __init__(self, documents: Iterable[Document], *, threshold: float = 0.7, title_words: int = 5) -> None:
        if not 0 < threshold <= 1:
            raise ConfigError(f"threshold must be above 0 and at most 1, got {threshold}")
        if title_words < 1:
            raise ConfigError(f"title_words must be at least 1, got {title_words}")
        self.threshold, self.title_words = threshold, title_words
        self.removed: list[Duplicate] = []
        self._ids: list[str] = []
        self._words: list[frozenset[str]] = []
        self._titles: dict[tuple[str, ...], int] = {}
        self._index: dict[str, list[int]] = {}
        for document in documents:
            self._titles.setdefault(_words(document.title), len(self._ids))
            self._ids.append(document.id)
            self._words.append(frozenset(_words(document.content)))
        self._frequency = Counter(word for words in self._words for word in words)
        for number, words in enumerate(self._words):
            for word in self._prefix(words):
                self._index.setdefault(word, []).append(number)

    def __len__(self) -> int:
        return len(self._ids)

    def without(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents that are no near-duplicates of the test set, as they come."""
        for document in documents:
            duplicate = self.match(document)
            if duplicate is None:
                yield document
            else:
                self.removed.append(duplicate)

    def match(self, document: Document) -> Duplicate | None:
        """Return the test document that `document` repeats most, the first of several."""
        words = frozenset(_words(document.content))
        near = set(self._near(words))
        title = _words(document.title)
        same_title = self._titles.get(title) if len(title) >= self.title_words else None
        if same_title is not None:
            near.add(same_title)
        best = max(((self._overlap(words, number), -number) for number in near), default=(0.0, 0))
        if best[0] >= self.threshold:
            return Duplicate(document.id, self._ids[-best[1]], best[0])
        if same_title is not None:
            return Duplicate(document.id, self._ids[same_title], self._overlap(words, same_title))
        return None

    def _near(self, words: frozenset[str]) -> Iterator[int]:
        """Yield those that may overlap enough."""
        hits: Counter[int] = Counter()
        for word in self._prefix(words):
            hits.update(self._index.get(word, ()))
        size = len(words)
        least = min(SHARED, self._needed(size))
        for number in [number for number, shared in hits.items() if shared >= least]:
            other = len(self._words[number])
            if min(size, other) >= self._needed(max(size, other)):  # else they are too different in size
                yield number

    def _needed(self, size: int) -> int:
        """Return how many words a set of `size` has in common with any that overlaps enough, at least."""
        return math.ceil(self.threshold * size - 1e-9)

    def _overlap(self, words: frozenset[str], number: int) -> float:
        other = self._words[number]
        shared = len(words & other)
        return shared / (len(words) + len(other) - shared) if words or other else 0.0

    def _prefix(self, words: frozenset[str]) -> list[str]:
        """Return the rarest words; sets that overlap enough share `SHARED` of these, or all their common words."""
        frequency = self._frequency.get
        ordered = sorted([(frequency(word, 0), word) for word in words])
        return [word for _, word in ordered[: len(words) - self._needed(len(words)) + SHARED]]


def _words(text: str) -> tuple[str, ...]:
    return tuple(WORDS.findall(text.lower()))
