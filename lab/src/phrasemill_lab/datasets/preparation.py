"""Documents made ready for training and comparison, as the generation literature does it (Yuan et al., 2020, app. E).

Each function takes a document and gives a new one; they compose:

    documents = map(ordered, map(masked, map(lowercased, map(segmented, documents))))

Presence is the scorer's own (`evaluation.phrases`): stems in a row, by NLTK's Porter stemmer, numbers masked.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from phrasemill.errors import ConfigError
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import ABSENT, WORDS, place_in
from phrasemill.evaluation.policies import preset
from phrasemill.text.segments import mask_digits, segment
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets.records import STEMMED

PROTOCOL = "yuan2020"
TITLE_WORDS = 5


def split_by_presence(document: Document) -> tuple[list[Reference], list[Reference]]:
    """Return the references that occur in title and text, by first occurrence, and the others in the order given."""
    place = place_in(document.content, preset(PROTOCOL).policy)
    stemmed = bool(document.metadata.get(STEMMED))
    found: list[tuple[int, Reference]] = []
    absent: list[Reference] = []
    for reference in document.references:
        wordings = clustered(reference)
        places = [where for where in [place(one, stemmed) for one in wordings] if where != ABSENT]
        if places:
            found.append((min(places), reference))
        else:
            absent.append(reference)
    found.sort(key=lambda one: one[0])
    return [reference for _, reference in found], absent


def ordered(document: Document) -> Document:
    """Return the references as a target: present ones by first occurrence, then absent ones in the order given."""
    present, absent = split_by_presence(document)
    return replace(document, references=(*present, *absent))


def lowercased(document: Document) -> Document:
    return rewritten(document, str.lower)


def masked(document: Document) -> Document:
    """Write words of digits as `<digit>`, so that `3.5` is `<digit>.<digit>`; digits among letters stay (`b2b`)."""
    return rewritten(document, mask_digits)


def segmented(document: Document) -> Document:
    """Separate words and punctuation; hyphens and other joints become spaces, as in the files of Meng et al. (2017)."""
    return rewritten(document, segment)


def rewritten(document: Document, change: Callable[[str], str]) -> Document:
    """Apply `change` to title, text and references; references that become empty or repeat are left out."""
    references: dict[Reference, None] = {}
    for reference in document.references:
        wordings = clustered(reference)
        kept = tuple(dict.fromkeys(filter(None, map(change, wordings))))
        if kept:
            references[kept if len(kept) > 1 else kept[0]] = None
    return replace(document, title=change(document.title), text=change(document.text), references=tuple(references))


class NearDuplicates:
    """Leaves out what must not be trained on: `count` documents so far that are nearly in a test set.

    Near are documents whose sets of words (title and text, lower-cased) overlap, by Jaccard's share, by `threshold`;
    or that have the same title of at least `TITLE_WORDS` words. The search is exact.
    """

    def __init__(self, test: Iterable[Document], threshold: float) -> None:
        if not 0 < threshold <= 1:
            raise ConfigError(f"threshold must be above 0 and at most 1, got {threshold}")
        self.count, self._threshold = 0, threshold
        listed = [(tuple(_words(document.title)), set(_words(document.content))) for document in test]
        self._titles = {title for title, _ in listed if len(title) >= TITLE_WORDS}
        self._sizes = np.array([len(words) for _, words in listed])
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for number, (_, words) in enumerate(listed):
            for word in words:
                self._holders[word].append(number)

    def dropped(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents that are not near any of the test set."""
        for document in documents:
            words = set(_words(document.content))
            held = [number for word in words for number in self._holders.get(word, ())]
            shared = np.bincount(held, minlength=len(self._sizes))
            near = bool(held) and (shared / (len(words) + self._sizes - shared)).max() >= self._threshold
            if near or tuple(_words(document.title)) in self._titles:
                self.count += 1
            else:
                yield document


def _words(text: str) -> list[str]:
    return WORDS.findall(text.lower())
