"""Which documents have a feature, and how near each document is to a text: TF-IDF and the cosine, over postings."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.tags.features import PAIR, Columns, Features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int64]

PAIR_WEIGHT = 0.6  # of a pair of words beside a word
TITLE_WEIGHT = 0.5  # more, for what is in the title
SALIENT_WEIGHT = 2.0  # more, for what is surely a keyphrase
SCALE = 24.0  # steps of a weight that is kept in eight bits
MOST_POSTINGS = 400_000  # looked at for one text, rarest features first


def weights(features: Features | Columns) -> "Floats":
    """Return how much each feature counts in its document, without regard to other documents."""
    found = 1 + np.log(features.counts, dtype=np.float32)
    found *= 1 + TITLE_WEIGHT * (features.places == 0) + SALIENT_WEIGHT * (features.salience / np.float32(255))
    found *= np.where(features.hashes & PAIR, np.float32(PAIR_WEIGHT), np.float32(1))
    return found.astype(np.float32)


def idf(df: "Integers", documents: int) -> "Floats":
    """Return how rare features are, above 0, from how many of the documents have them."""
    return np.log((documents + 1) / (df + 0.5), dtype=np.float32).clip(0.05)


def ranges(first: "Integers", sizes: "Integers") -> "Integers":
    """Return `first[0]` to `first[0] + sizes[0]`, then the same of the next, as one list of numbers."""
    ends = np.cumsum(sizes)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - sizes), sizes)


class Index(NamedTuple):
    """The documents by feature: those of feature `f` are at `first[f]` to `first[f + 1]`.

    `scale` is one over the length of each document's vector, 0 for a document without features.
    """

    features: "NDArray[np.uint32]"
    first: "Integers"
    rows: "NDArray[np.int32]"
    weights: "NDArray[np.uint8]"
    scale: "Floats"

    @classmethod
    def of(cls, columns: Columns) -> "Index":
        count = len(columns.first) - 1
        rows = np.repeat(np.arange(count, dtype=np.int32), np.diff(columns.first))
        order = np.argsort(columns.hashes, kind="stable")
        features, first = np.unique(columns.hashes[order], return_index=True)
        first, exact = np.append(first, len(order)).astype(np.int64), weights(columns)
        kept = np.minimum(np.rint(exact[order] * SCALE), 255).astype(np.uint8)
        documents = int(np.count_nonzero(np.diff(columns.first)))
        df = np.empty(len(order), np.int64)
        df[order] = np.repeat(np.diff(first), np.diff(first))
        valued = exact * idf(df, documents)
        square = np.bincount(rows, valued * valued, count)
        scale = np.where(square > 0, 1 / np.sqrt(np.maximum(square, 1e-9)), 0).astype(np.float32)
        return cls(features, first, rows[order], kept, scale)

    @property
    def documents(self) -> int:
        """How many documents have features."""
        return int(np.count_nonzero(self.scale))

    def find(self, hashes: "NDArray[np.uint32]") -> "tuple[Integers, Integers]":
        """Return where the postings of each feature begin, and how many there are: the documents that have it."""
        if not len(self.features):
            return np.zeros(len(hashes), np.int64), np.zeros(len(hashes), np.int64)
        place = np.minimum(np.searchsorted(self.features, hashes), len(self.features) - 1)
        known = self.features[place] == hashes
        return self.first[place], np.where(known, self.first[place + 1] - self.first[place], 0)

    def occurrences(self, hashes: "NDArray[np.uint32]") -> "tuple[Integers, Integers]":
        """Return rows that have features of a text, and which of `hashes` each has, side by side."""
        first, size = self.find(hashes)
        return self.rows[ranges(first, size)].astype(np.int64), np.repeat(np.arange(len(hashes)), size)

    def nearness(self, features: Features) -> "Floats":
        """Return the cosine of a text with each document."""
        hashes = features.hashes
        first, df = self.find(hashes)
        rarity = idf(df, self.documents)
        weight = weights(features) * rarity
        length = float(np.sqrt(np.dot(weight, weight)))
        weight *= rarity / SCALE
        if df.sum() > MOST_POSTINGS:
            rare = np.argsort(df, kind="stable")
            rare = rare[np.cumsum(df[rare]) <= MOST_POSTINGS]
            first, df, weight = first[rare], df[rare], weight[rare]
        at = ranges(first, df)
        sums = np.bincount(self.rows[at], self.weights[at] * np.repeat(weight, df), len(self.scale))
        return (sums * self.scale / max(length, 1e-9)).clip(0, 1).astype(np.float32)
