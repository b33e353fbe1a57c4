"""Trains KEA: two or three features, discretised, and the counts for Naive Bayes.

Numbers are cut into ranges that separate keyphrases from other candidates (Fayyad and Irani, "Multi-Interval
Discretization of Continuous-Valued Attributes for Classification Learning", IJCAI 1993).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.methods.kea import LONGEST, Kea, KeaModel, Ranges, features, phrases
from phrasemill.training.examples import CandidateExample, collect
from phrasemill.training.trainer import Progress, quiet
from phrasemill.types import Document


@dataclass(frozen=True, slots=True)
class KeaTrainer:
    """`keyphraseness` adds the feature of Frank et al. (1999): for documents of one field. `frequencies` is a table of
    document frequencies (`phrasemill statistics fit`) over a larger collection than these documents."""

    keyphraseness: bool = False
    frequencies: str | None = None

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> KeaModel:
        """Learn from documents with references; KEA has nothing to tune on `dev`."""
        collection = collect(documents, phrases, longest=LONGEST, progress=progress, frequencies=self.frequencies)

        def measured(example: CandidateExample) -> Sequence[Sequence[float]]:
            found = features(example.statistics, collection.idfs(example), collection.elsewhere(example))
            return found if self.keyphraseness else found[:2]

        chosen = collection.keyphraseness if self.keyphraseness else {}
        columns, labels = collection.table(measured, progress)
        return KeaModel(collection.frequencies, chosen, tuple(learn(values, labels) for values in columns))

    def spec(self, model: Path) -> str:
        return repr(Kea(str(model)))


def learn(values: Any, labels: Any) -> Ranges:
    """Return the ranges of a feature, cut where that separates keyphrases (True) from others."""
    found = cuts(values, labels)
    place = np.searchsorted(np.asarray(found), values, side="right")
    yes, no = (np.bincount(place[labels == kind], minlength=len(found) + 1).tolist() for kind in (True, False))
    return Ranges(tuple(found), tuple(yes), tuple(no))


def cuts(values: Any, labels: Any) -> list[float]:
    """Return the values at which to cut, ascending: a value at a cut belongs to the range above it."""
    order = np.argsort(values, kind="stable")
    return sorted(_split(values[order], labels[order]))


def _split(values: Any, labels: Any) -> list[float]:
    total = len(values)
    # A cut is only possible between different values.
    places = np.flatnonzero(values[1:] != values[:-1]) + 1
    if not len(places):
        return []
    below = np.cumsum(labels)[places - 1]
    above = labels.sum() - below
    left, right = _entropy(below, places), _entropy(above, total - places)
    mixed = (places * left + (total - places) * right) / total
    best = int(mixed.argmin())
    at = int(places[best])
    whole = float(_entropy(labels.sum(), total))
    kinds = [len(set(part.tolist())) for part in (labels, labels[:at], labels[at:])]
    delta = np.log2(3 ** kinds[0] - 2) - (kinds[0] * whole - kinds[1] * left[best] - kinds[2] * right[best])
    if whole - mixed[best] <= (np.log2(total - 1) + delta) / total:
        return []
    cut = float((values[at - 1] + values[at]) / 2)
    if not values[at - 1] < cut:  # neighbours in floating point: the mean is the lower one
        cut = float(values[at])
    return [*_split(values[:at], labels[:at]), cut, *_split(values[at:], labels[at:])]


def _entropy(yes: Any, total: Any) -> Any:
    """Return the entropy in bits of two classes, of which one has `yes` of `total`."""
    share = np.asarray(yes) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    return np.where((share <= 0) | (share >= 1), 0.0, bits)
