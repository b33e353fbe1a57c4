"""Trains `learned` on documents of one's own: more trees on top of the shipped ones."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phrasemill.errors import ConfigError, DataError
from phrasemill.methods.learned.background import WIDTH
from phrasemill.methods.learned.model import LearnedModel, model_for
from phrasemill.methods.learned.trees import BoostedTrees, StyledTrees
from phrasemill.methods.styles import EVERYDAY, GENERAL
from phrasemill.training.boosting import TreeColumns, TreeExamples, boost, calibrate, lightgbm
from phrasemill.training.learned_examples import examples
from phrasemill.training.trainer import Progress, in_one_language, quiet, tracked
from phrasemill.types import Document


@dataclass(frozen=True, slots=True)
class LearnedTrainer:
    """Boosted trees of one's own on top of the shipped ones.

    `style` is the shipped style to start from, in the model of the documents' language; up to `trees` are added, until
    the loss on the documents of `--dev` (or on a tenth of the documents) has not fallen for `patience` trees.
    """

    style: str = EVERYDAY
    trees: int = 300
    leaves: int = 15
    rate: float = 0.05
    patience: int = 20

    def __post_init__(self) -> None:
        if min(self.trees, self.patience) < 1 or self.leaves < 2 or not 0 < self.rate <= 1:
            raise ConfigError("trees and patience must be at least 1, leaves at least 2, rate above 0 and at most 1")

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> "TrainedTrees":
        lightgbm()  # says what is missing before anything is read
        given = list(documents)
        every = list(in_one_language(chain(given, dev)))
        shipped = model_for(every[0].language if every else "en")
        below = shipped.trees.styles.get(self.style)
        if below is None:
            raise ConfigError(f"style must be one of {', '.join(shipped.trees.styles)}; got {self.style!r}")

        def read(some: list[Document], step: str) -> TreeExamples:
            return examples(tracked(some, step, progress, total=len(some)), shipped.shapes, shipped.background)

        train, held = read(every[: len(given)], "reading documents"), read(every[len(given) :], "reading dev")
        if not len(held.labels):
            kept_out = train.documents % 10 == 9
            train, held = train.only(~kept_out), train.only(kept_out)
        for part, what in ((train, "documents"), (held, "held-out documents")):
            if not 0 < int(part.labels.sum()) < len(part.labels):
                raise DataError(f"nothing to learn from: no keyphrase of the {what} occurs in their texts")
        start = _scores(below, held)
        booster = boost(
            train,
            trees=self.trees,
            leaves=self.leaves,
            rate=self.rate,
            least=20,
            start=_scores(below, train),
            dev=held,
            dev_start=start,
            patience=self.patience,
            progress=lambda done, total: progress("growing trees", done, total),
        )
        columns = TreeColumns.of(below)
        added = columns.add(booster, booster.best_iteration or None)
        trees = columns.trees(array("i", below.numbers) + added, below.stops)
        scores = _scores(trees, held)
        line = calibrate(scores, held.labels, held.weights)
        about = {"trained on": int(train.documents.max()) + 1, "from": self.style}
        model = replace(shipped, trees=StyledTrees({GENERAL: trees}, {GENERAL: line}, WIDTH), kinds=None, about=about)
        losses = _loss(start, shipped.trees.calibration[self.style], held), _loss(scores, line, held)
        return TrainedTrees(model, train, held, len(added), losses)

    def spec(self, model: Path) -> str:
        return f"learned(model={str(model)!r})"


@dataclass(frozen=True, slots=True)
class TrainedTrees:
    """A model, and what to say of its training; `losses` are those of the shipped model and of this one."""

    model: LearnedModel
    train: TreeExamples
    held: TreeExamples
    added: int
    losses: tuple[float, float]

    def save(self, path: Path) -> None:
        self.model.save(path)

    def summary(self) -> dict[str, str]:
        return {
            "candidates": f"{len(self.train.labels):,}, of which {int(self.train.labels.sum()):,} are keyphrases",
            "held out": f"{len(self.held.labels):,} candidates of {len(set(self.held.documents.tolist())):,} documents",
            "trees added": f"{self.added:,}",
            "loss on held-out": "{:.4f} with the shipped model, {:.4f} with this one".format(*self.losses),
        }


def _loss(scores: NDArray[np.float64], line: tuple[float, float], held: TreeExamples) -> float:
    """Return the mean logarithmic loss of the probabilities of these scores."""
    odds = np.clip(line[0] * scores + line[1], -30, 30)
    return float(np.average(np.log1p(np.exp(np.where(held.labels > 0, -odds, odds))), weights=held.weights))


def _scores(trees: BoostedTrees, found: TreeExamples) -> NDArray[np.float64]:
    return np.frombuffer(trees.predict(array("f", found.rows.tobytes()), WIDTH), dtype=np.float64)
