"""Which documents have a feature, and how near each document is to a text: TF-IDF and the cosine, over postings."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.tags.model_collection import Columns
from phrasemill.tags.model_features import PAIR, Features

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
    found = (1 + np.log(np.maximum(features.counts, 1), dtype=np.float32)) * (features.counts > 0)
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


class Postings(NamedTuple):
    """The documents of one part of the collection by feature: those of feature `f` are at `first[f]` to
    `first[f + 1]`."""

    features: "NDArray[np.uint32]"
    first: "Integers"
    rows: "NDArray[np.int32]"
    weights: "NDArray[np.uint8]"

    @classmethod
    def of(cls, columns: Columns, begin: int) -> "Postings":
        """Return the postings of the rows from `begin` on."""
        part = columns.since(begin)
        rows = np.repeat(np.arange(begin, len(columns.first) - 1, dtype=np.int32), np.diff(columns.first[begin:]))
        order = np.argsort(part.hashes, kind="stable")
        order = order[part.counts[order] > 0]
        features, first = np.unique(part.hashes[order], return_index=True)
        kept = np.minimum(np.rint(weights(part)[order] * SCALE), 255).astype(np.uint8)
        return cls(features, np.append(first, len(order)).astype(np.int64), rows[order], kept)

    def find(self, hashes: "NDArray[np.uint32]") -> "tuple[Integers, Integers]":
        """Return where the postings of each feature begin, and how many there are."""
        if not len(self.features):
            return np.zeros(len(hashes), np.int64), np.zeros(len(hashes), np.int64)
        place = np.minimum(np.searchsorted(self.features, hashes), len(self.features) - 1)
        known = self.features[place] == hashes
        return self.first[place], np.where(known, self.first[place + 1] - self.first[place], 0)


@dataclass(slots=True)
class Index:
    """All documents: those that were there when it was made, and those that came since, in a part of their own."""

    parts: list[Postings]
    scale: "Floats"  # one over the length of each document's vector, 0 for an empty row
    documents: int

    @classmethod
    def of(cls, columns: Columns) -> "Index":
        documents = int(np.count_nonzero(np.diff(columns.first)))
        index = cls([Postings.of(columns, 0)], np.zeros(0, np.float32), documents)
        index._measure(columns)
        return index

    def extend(self, columns: Columns) -> None:
        """Add the rows that came since the first part was made."""
        begin = int(self.parts[0].rows.max(initial=-1)) + 1
        self.parts = [self.parts[0], Postings.of(columns, begin)]
        self.documents = int(np.count_nonzero(np.diff(columns.first)))
        self._measure(columns, len(self.scale))

    def drop(self, row: int) -> None:
        """Leave a row out from now on."""
        self.scale = self.scale.copy()
        self.scale[row] = 0

    def _measure(self, columns: Columns, begin: int = 0) -> None:
        """Set the lengths of the vectors from row `begin` on."""
        part = columns.since(begin)
        rows = np.repeat(np.arange(len(columns.first) - 1 - begin), np.diff(columns.first[begin:]))
        valued = weights(part) * idf(self.frequencies(part.hashes), self.documents)
        square = np.bincount(rows, valued * valued, len(columns.first) - 1 - begin)
        scale = np.where(square > 0, 1 / np.sqrt(np.maximum(square, 1e-9)), 0).astype(np.float32)
        self.scale = np.concatenate([self.scale[:begin], scale])

    def frequencies(self, hashes: "NDArray[np.uint32]") -> "Integers":
        """Return how many documents have each feature."""
        found = np.zeros(len(hashes), np.int64)
        for part in self.parts:
            found += part.find(hashes)[1]
        return found

    def rows(self, hashed: int) -> "NDArray[np.int32]":
        """Return the rows of the documents with a feature."""
        found = []
        for part in self.parts:
            first, size = (int(one[0]) for one in part.find(np.asarray([hashed], np.uint32)))
            found.append(part.rows[first : first + size])
        return np.concatenate(found)

    def occurrences(self, hashes: "NDArray[np.uint32]") -> "tuple[Integers, Integers]":
        """Return rows that have features of a text, and which of `hashes` each has, side by side."""
        rows, which = [], []
        for part in self.parts:
            first, size = part.find(hashes)
            rows.append(part.rows[ranges(first, size)].astype(np.int64))
            which.append(np.repeat(np.arange(len(hashes)), size))
        return np.concatenate(rows), np.concatenate(which)

    def nearness(self, features: Features) -> "Floats":
        """Return the cosine of a text with each document."""
        df = self.frequencies(features.hashes)
        rarity = idf(df, self.documents)
        weight = weights(features) * rarity
        length = float(np.sqrt(np.dot(weight, weight)))
        weight *= rarity / SCALE
        hashes = features.hashes
        if df.sum() > MOST_POSTINGS:
            rare = np.argsort(df, kind="stable")
            rare = rare[np.cumsum(df[rare]) <= MOST_POSTINGS]
            hashes, weight = hashes[rare], weight[rare]
        sums = np.zeros(len(self.scale))
        for part in self.parts:
            first, size = part.find(hashes)
            at = ranges(first, size)
            sums += np.bincount(part.rows[at], part.weights[at] * np.repeat(weight, size), len(self.scale))
        return (sums * self.scale / max(length, 1e-9)).clip(0, 1).astype(np.float32)

    def to_tensors(self) -> dict[str, "NDArray[np.generic]"]:
        found: dict[str, NDArray[np.generic]] = {"index.scale": self.scale}
        for number, part in enumerate(self.parts):
            found |= {f"index.{number}.{name}": column for name, column in part._asdict().items()}
        return found

    @classmethod
    def from_tensors(cls, columns: Mapping[str, "NDArray[np.generic]"], documents: int) -> "Index":
        parts: list[Postings] = []
        while f"index.{len(parts)}.rows" in columns:
            parts.append(Postings(*(columns[f"index.{len(parts)}.{name}"] for name in Postings._fields)))  # type: ignore[arg-type]
        return cls(parts, columns["index.scale"], documents)  # type: ignore[arg-type]
