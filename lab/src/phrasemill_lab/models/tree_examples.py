"""What boosted trees learn from: candidates of documents with known keyphrases, as rows of features."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from phrasemill.methods.learned.background import WIDTH, WORDS, Background
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.training.learned import candidate_rows, gold_keys
from phrasemill.types import Document

# More columns for a document's candidates, whose number is the second argument.
MoreColumns: TypeAlias = Callable[[Document, int], NDArray[np.float32]]
# Which candidates of a document are keyphrases: from their keys, their rows, and the keys of the gold.
Labels: TypeAlias = Callable[[list[str], NDArray[np.float32], set[str]], list[bool]]


@dataclass(frozen=True, slots=True)
class TreeExamples:
    """Rows of features, whether each is a keyphrase, its weight, and its document."""

    rows: NDArray[np.float32]
    labels: NDArray[np.uint8]
    weights: NDArray[np.float32]
    documents: NDArray[np.int32]

    def only(self, chosen: NDArray[np.bool_]) -> "TreeExamples":
        return TreeExamples(self.rows[chosen], self.labels[chosen], self.weights[chosen], self.documents[chosen])

    def weighing(self, factor: float) -> "TreeExamples":
        return TreeExamples(self.rows, self.labels, self.weights * factor, self.documents)

    @staticmethod
    def joined(parts: "Sequence[TreeExamples]") -> "TreeExamples":
        """Return all examples of `parts`, with their documents numbered through."""
        documents, offset = [], 0
        for part in parts:
            documents.append(part.documents + offset)
            offset += int(part.documents.max(initial=-1)) + 1
        return TreeExamples(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.labels for part in parts]),
            np.concatenate([part.weights for part in parts]),
            np.concatenate(documents),
        )


def chosen(keys: list[str], rows: NDArray[np.float32], gold: set[str]) -> list[bool]:
    """Return whether each candidate's wording is that of a keyphrase."""
    return [one in gold for one in keys]


def examples(
    documents: Iterable[Document],
    shapes: Shapes,
    background: Background,
    *,
    labels: Labels = chosen,
    share: float = 1.0,
    tagged: bool = True,
    weight: float = 1.0,
    more_columns: MoreColumns | None = None,
) -> TreeExamples:
    """Return the candidates of `documents` as examples; of those that are no keyphrases a share, with more weight."""
    parts = []
    rng = random.Random(0)
    for number, document in enumerate(documents):
        keys, row = candidate_rows(document, shapes, background, tagged=tagged)
        mark = np.array(labels(keys, row, gold_keys(document)), dtype=np.uint8)
        if more_columns is not None:
            row = np.hstack([row, more_columns(document, len(row))])
        drawn = np.array([share >= 1 or rng.random() < share for _ in range(len(mark))], dtype=bool)
        kept = (row[:, WORDS] > 0) & ((mark > 0) | drawn)
        weights = np.where(mark[kept] > 0, weight, weight / share).astype(np.float32)
        parts.append((row[kept], mark[kept], weights, np.full(int(kept.sum()), number, dtype=np.int32)))
    if not parts:
        none = np.zeros((0, WIDTH), np.float32)
        return TreeExamples(none, np.zeros(0, np.uint8), np.zeros(0, np.float32), np.zeros(0, np.int32))
    return TreeExamples(*map(np.concatenate, zip(*parts, strict=True)))
