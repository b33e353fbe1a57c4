"""Near-duplicates of a test set, found and left out of training data.

Two documents are near-duplicates if the sets of their words (title and text, lower-cased) overlap: Jaccard's share of
`threshold` or more; or if they have the same title of at least `TITLE_WORDS` words. The search is exact.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from phrasemill.errors import ConfigError
from phrasemill.evaluation.phrases import WORDS
from phrasemill.types import Document

TITLE_WORDS = 5


class Duplicate(NamedTuple):
    """A document that was left out, the test document it repeats, and the share of words they have in common."""

    id: str
    of: str
    overlap: float


class TestSet:
    """The documents that must not be trained on. `removed` lists what `without` left out."""

    __test__ = False  # for pytest, which goes by the name

    def __init__(self, documents: Iterable[Document], *, threshold: float = 0.7) -> None:
        if not 0 < threshold <= 1:
            raise ConfigError(f"threshold must be above 0 and at most 1, got {threshold}")
        self.threshold = threshold
        self.removed: list[Duplicate] = []
        self._ids: list[str] = []
        self._titles: dict[tuple[str, ...], int] = {}
        sizes: list[int] = []
        holders: dict[str, list[int]] = {}
        for number, document in enumerate(documents):
            self._ids.append(document.id)
            self._titles.setdefault(_words(document.title), number)
            words = set(_words(document.content))
            sizes.append(len(words))
            for word in words:
                holders.setdefault(word, []).append(number)
        self._sizes = np.array(sizes)
        self._holders = {word: np.array(numbers, np.int32) for word, numbers in holders.items()}

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
        words = set(_words(document.content))
        held = [self._holders[word] for word in words if word in self._holders]
        if not held:
            return None
        shared = np.bincount(np.concatenate(held), minlength=len(self._ids))
        overlaps = shared / (len(words) + self._sizes - shared)
        best = int(overlaps.argmax())
        if overlaps[best] < self.threshold:
            title = _words(document.title)
            same = self._titles.get(title) if len(title) >= TITLE_WORDS else None
            if same is None:
                return None
            best = same
        return Duplicate(document.id, self._ids[best], float(overlaps[best]))


def _words(text: str) -> tuple[str, ...]:
    return tuple(WORDS.findall(text.lower()))
