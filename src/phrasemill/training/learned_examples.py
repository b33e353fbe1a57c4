"""Documents with known keyphrases as examples for `learned`: rows of features, and which of them are keyphrases."""

import random
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from phrasemill.evaluation.phrases import UNSPACED, normaliser
from phrasemill.methods.learned.background import WIDTH, WORDS, Background
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.select import wording
from phrasemill.text.analyse import analyse
from phrasemill.text.stem import default_stemmer
from phrasemill.training.boosting import TreeExamples
from phrasemill.training.examples import wordings_of
from phrasemill.types import Candidates, Document

SPLIT = str.maketrans("-/", "  ")
# More columns for a document's candidates, whose number is the second argument.
MoreColumns: TypeAlias = Callable[[Document, int], NDArray[np.float32]]
# Which candidates of a document are keyphrases: from their keys, their rows, and the keys of the gold.
Labels: TypeAlias = Callable[[list[str], NDArray[np.float32], set[str]], list[bool]]


def key(phrase: str, language: str = "en") -> str:
    """Return a phrase in the form in which labels compare it: stemmed, with the parts of a hyphenated word apart."""
    return normaliser(default_stemmer(language), spaced=language not in UNSPACED).key(phrase.translate(SPLIT))


def keys_of(candidates: Candidates) -> list[str]:
    text, language = candidates.analysis.text, candidates.analysis.language
    return [key(wording(text, candidates.spans(c)), language) for c in range(len(candidates))]


def gold_keys(document: Document) -> set[str]:
    """Return the keys of all wordings of a document's keyphrases."""
    return {key(one, document.language) for one in wordings_of(document)}


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
    rows, marks, weights, numbers = [], [], [], []
    rng = random.Random(0)
    for number, document in enumerate(documents):
        candidates = shapes.propose(analyse(document.content, language=document.language, tag=tagged))
        found = background.rows(candidates, shapes).some(0, len(candidates))
        row = np.frombuffer(found, dtype=np.float32).reshape(-1, WIDTH)
        mark = np.array(labels(keys_of(candidates), row, gold_keys(document)), dtype=np.uint8)
        if more_columns is not None:
            row = np.hstack([row, more_columns(document, len(row))])
        drawn = np.array([share >= 1 or rng.random() < share for _ in range(len(mark))], dtype=bool)
        kept = (row[:, WORDS] > 0) & ((mark > 0) | drawn)
        rows.append(row[kept])
        marks.append(mark[kept])
        weights.append(np.where(mark[kept] > 0, weight, weight / share).astype(np.float32))
        numbers.append(np.full(int(kept.sum()), number, dtype=np.int32))
    if not rows:
        none = np.zeros((0, WIDTH), np.float32)
        return TreeExamples(none, np.zeros(0, np.uint8), np.zeros(0, np.float32), np.zeros(0, np.int32))
    return TreeExamples(np.concatenate(rows), np.concatenate(marks), np.concatenate(weights), np.concatenate(numbers))
