"""What the tag model reads of a document: hashed words and pairs of words, how often and where each stands, and how
likely it is part of a keyphrase. And the same of a tag's name, so that a text that names a tag is recognised.

Words are stems; stopwords, punctuation and hyphens are skipped, so that `state of the art` and `state-of-the-art` are
the same. Texts are kept as hashes of 31 bits and one that says whether it is a pair: among a
million words and pairs some two hundred share theirs.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.kernels.hashing import stem_hashes
from phrasemill.sources import as_document
from phrasemill.text.analyse import analyse
from phrasemill.types import NUMBER, STOPWORD, WORD, Analysis, Document, Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_FEATURES = 600  # of one document, the first ones in the text
MOST_CHARACTERS = 60_000  # of one document; what a text is about is said by then
PLACES = 16  # steps from the beginning of a text (0) to its end
PAIR = np.uint32(1 << 31)  # the bit of a pair of words
MIX = np.uint64(0xBF58476D1CE4E5B9)  # of SplitMix64
SEPARATORS = str.maketrans("-_/–—", "     ")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Features(NamedTuple):
    """The features of one document, ascending by hash."""

    hashes: "NDArray[np.uint32]"
    counts: "NDArray[np.uint8]"
    places: "NDArray[np.uint8]"  # of the first occurrence, 0 to PLACES - 1
    salience: "NDArray[np.uint8]"  # the probability that it is, or is part of, a keyphrase, 255 for 1


NOTHING = Features(np.zeros(0, np.uint32), *(np.zeros(0, np.uint8) for _ in range(3)))


class Columns(NamedTuple):
    """The features of all documents, one after the other; those of row `d` are at `first[d]` to `first[d + 1]`."""

    first: "NDArray[np.int64]"
    hashes: "NDArray[np.uint32]"
    counts: "NDArray[np.uint8]"
    places: "NDArray[np.uint8]"
    salience: "NDArray[np.uint8]"


class Form(NamedTuple):
    """One wording of a tag: its words as hashes, and the features that a text has which names it."""

    words: tuple[int, ...]
    features: tuple[int, ...]
    single: tuple[int, ...]  # the features of its words one by one


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as it was read: features, and the words in order with their places in the text."""

    features: Features
    words: "NDArray[np.uint64]"
    start: "NDArray[np.int32]"
    end: "NDArray[np.int32]"
    text: str
    language: str

    def spans(self, form: Form) -> list[Span]:
        """Return the places where the words of `form` stand one after the other."""
        length = len(form.words)
        if not length or len(self.words) < length:
            return []
        last = len(self.words) - length + 1
        fits = np.ones(last, bool)
        for offset, word in enumerate(form.words):
            fits &= self.words[offset : offset + last] == np.uint64(word)
        return [Span(int(self.start[i]), int(self.end[i + length - 1])) for i in np.flatnonzero(fits)]

    def wording(self, hashed: int) -> str:
        """Return a feature as the text writes it first."""
        for i in np.flatnonzero(_short(self.words) == hashed)[:1]:
            return self.text[self.start[i] : self.end[i]]
        for i in np.flatnonzero(_pairs(self.words) == hashed)[:1]:
            return " ".join(self.text[self.start[i] : self.end[i + 1]].split())
        return ""


def read(document: Document) -> Reading:
    """Return what the model reads of a document."""
    document = as_document(document)
    content = document.content[:MOST_CHARACTERS]
    language = document.language
    analysis = analyse(content.translate(SEPARATORS), language=language, tag=False)
    chosen = _content(analysis)
    start = np.asarray(analysis.start, np.int32)[chosen]
    end = np.asarray(analysis.end, np.int32)[chosen]
    words = _hashed(analysis)[chosen]
    in_title = np.searchsorted(start, len(document.title)) if document.title else 0
    salience = _salience(content, language, start, end)
    return Reading(_features(words, int(in_title), salience), words, start, end, content, language)


def _features(words: "NDArray[np.uint64]", in_title: int, salience: "tuple[NDArray[np.float32], ...]") -> Features:
    count = len(words)
    hashes = np.concatenate([_short(words), _pairs(words)])
    positions = np.concatenate([np.arange(count), np.arange(max(0, count - 1))])
    # Half of the places are for the first eighth of a text; titles are at 0.
    share = positions / max(count, 8)
    places = np.where(positions < in_title, 0, 1 + (np.sqrt(share) * (PLACES - 2)).astype(np.int64))
    unique, first, inverse, counts = np.unique(hashes, return_index=True, return_inverse=True, return_counts=True)
    best = np.zeros(len(unique), np.float32)
    np.maximum.at(best, inverse, np.concatenate(salience))
    kept = np.arange(len(unique))
    if len(unique) > MOST_FEATURES:
        kept = np.sort(np.lexsort((unique, positions[first], -counts))[:MOST_FEATURES])
    return Features(
        unique[kept],
        np.minimum(counts[kept], 255).astype(np.uint8),
        places[first][kept].astype(np.uint8),
        np.rint(best[kept] * 255).astype(np.uint8),
    )


def _salience(
    content: str, language: str, start: "NDArray[np.int32]", end: "NDArray[np.int32]"
) -> "tuple[NDArray[np.float32], NDArray[np.float32]]":
    """Return for each word the probability that it is a keyphrase, and for each pair that it is in one."""
    from phrasemill.methods.learned import Learned

    alone = np.zeros(len(start), np.float32)
    pairs = np.zeros(max(0, len(start) - 1), np.float32)
    analysis = analyse(content, language=language)
    ranked = Learned().ranked(analysis)
    candidates = ranked.candidates
    if not len(candidates):
        return alone, pairs
    scores = np.repeat(np.asarray(ranked.scores, np.float32), np.diff(np.asarray(candidates.first)))
    starts = np.asarray(candidates.analysis.start)[np.asarray(candidates.start)]
    ends = np.asarray(candidates.analysis.end)[np.asarray(candidates.end) - 1]
    first, last = np.searchsorted(start, starts), np.searchsorted(end, ends, side="right")
    single = last - first == 1
    np.maximum.at(alone, first[single], scores[single])
    for length in range(2, 6):
        of_length = last - first == length
        for offset in range(length - 1):
            np.maximum.at(pairs, first[of_length] + offset, scores[of_length])
    return alone, pairs


@lru_cache(maxsize=100_000)
def forms(name: str, language: str) -> tuple[Form, ...]:
    """Return the wordings by which a text names a tag: as it is written, with its capitals split, and the last part of
    a path such as `places/Lisbon`."""
    parts = name.rstrip("/").rsplit("/", 1)
    found: dict[Form, None] = {}
    for wording in (name, CAMEL.sub(" ", name), parts[-1]):
        form = _form(wording.lstrip("#"), language)
        if form.words:
            found[form] = None
    return tuple(found)


def _form(wording: str, language: str) -> Form:
    wording = wording.translate(SEPARATORS)
    analysis = analyse(wording, language=language, tag=False)
    chosen = _content(analysis)
    if not chosen.any():  # `it`, `us`: texts that mean the tag write it in capitals
        analysis = analyse(wording.upper(), language=language, tag=False)
        chosen = _content(analysis)
    words = _hashed(analysis)[chosen]
    single = _short(words)
    features = single if len(words) == 1 else _pairs(words)
    return Form(tuple(words.tolist()), tuple(features.tolist()), tuple(single.tolist()))


def _content(analysis: Analysis) -> "NDArray[np.bool_]":
    kind = np.asarray(analysis.kind)
    return ((kind & (WORD | NUMBER)) != 0) & ((kind & STOPWORD) == 0)


def _hashed(analysis: Analysis) -> "NDArray[np.uint64]":
    return np.asarray(stem_hashes(list(analysis.stems)), np.uint64)[np.asarray(analysis.stem)]


def _short(words: "NDArray[np.uint64]") -> "NDArray[np.uint32]":
    return ((words * MIX) >> np.uint64(33)).astype(np.uint32)


def _pairs(words: "NDArray[np.uint64]") -> "NDArray[np.uint32]":
    mixed = (words[:-1] * MIX) ^ words[1:]
    return ((mixed ^ (mixed >> np.uint64(31))) * MIX >> np.uint64(33)).astype(np.uint32) | PAIR
