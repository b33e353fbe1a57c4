"""Trains `learned` on documents of one's own: more trees on top of the shipped ones."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phrasemill.errors import ConfigError, DataError
from phrasemill.evaluation.phrases import UNSPACED, normaliser
from phrasemill.methods.learned.background import WIDTH, WORDS, Background
from phrasemill.methods.learned.model import LearnedModel, model_for
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import BoostedTrees, StyledTrees
from phrasemill.methods.styles import EVERYDAY, GENERAL
from phrasemill.select import wording
from phrasemill.text.analyse import analyse
from phrasemill.text.stem import default_stemmer
from phrasemill.training.examples import wordings_of
from phrasemill.training.trainer import Progress, in_one_language, quiet, tracked
from phrasemill.training.trees import SETTINGS, TreeColumns, calibrate, lightgbm
from phrasemill.types import Candidates, Document

SPLIT = str.maketrans("-/", "  ")


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
        library = lightgbm()  # says what is missing before anything is read
        given = list(documents)
        every = list(in_one_language(chain(given, dev)))
        shipped = model_for(every[0].language if every else "en")
        below = shipped.trees.styles.get(self.style)
        if below is None:
            raise ConfigError(f"style must be one of {', '.join(shipped.trees.styles)}; got {self.style!r}")
        train = _read(tracked(every[: len(given)], "reading documents", progress, total=len(given)), shipped)
        held = _read(tracked(every[len(given) :], "reading dev", progress, total=len(every) - len(given)), shipped)
        if not len(held.labels):
            kept_out = train.documents % 10 == 9
            train, held = train.only(~kept_out), train.only(kept_out)
        for part, what in ((train, "documents"), (held, "held-out documents")):
            if not 0 < int(part.labels.sum()) < len(part.labels):
                raise DataError(f"nothing to learn from: no keyphrase of the {what} occurs in their texts")
        start = held.scores(below)
        data = library.Dataset(train.rows, train.labels, init_score=train.scores(below))
        booster = library.train(
            SETTINGS | {"seed": 1, "learning_rate": self.rate, "num_leaves": self.leaves, "min_data_in_leaf": 20},
            data,
            self.trees,
            valid_sets=[library.Dataset(held.rows, held.labels, init_score=start, reference=data)],
            callbacks=[
                lambda state: progress("growing trees", state.iteration + 1, self.trees),
                library.early_stopping(self.patience, verbose=False),
            ],
        )
        columns = TreeColumns.of(below)
        added = columns.add(booster, booster.best_iteration or None)
        trees = columns.trees(array("i", below.numbers) + added, below.stops)
        scores = held.scores(trees)
        line = calibrate(scores, held.labels)
        about = {"trained on": int(train.documents.max()) + 1, "from": self.style}
        model = replace(shipped, trees=StyledTrees({GENERAL: trees}, {GENERAL: line}, WIDTH), kinds=None, about=about)
        losses = held.loss(start, shipped.trees.calibration[self.style]), held.loss(scores, line)
        return TrainedTrees(model, train, held, len(added), losses)

    def spec(self, model: Path) -> str:
        return f"learned(model={str(model)!r})"


class Examples(NamedTuple):
    """Rows of features, whether each is a keyphrase, and its document."""

    rows: NDArray[np.float32]
    labels: NDArray[np.uint8]
    documents: NDArray[np.int32]

    def only(self, chosen: NDArray[np.bool_]) -> "Examples":
        return Examples(self.rows[chosen], self.labels[chosen], self.documents[chosen])

    def scores(self, trees: BoostedTrees) -> NDArray[np.float64]:
        return np.frombuffer(trees.predict(array("f", self.rows.tobytes()), WIDTH), dtype=np.float64)

    def loss(self, scores: NDArray[np.float64], line: tuple[float, float]) -> float:
        """Return the mean logarithmic loss of the probabilities of these scores."""
        odds = np.clip(line[0] * scores + line[1], -30, 30)
        return float(np.log1p(np.exp(np.where(self.labels > 0, -odds, odds))).mean())


@dataclass(frozen=True, slots=True)
class TrainedTrees:
    """A model, and what to say of its training; `losses` are those of the shipped model and of this one."""

    model: LearnedModel
    train: Examples
    held: Examples
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


def _read(documents: Iterable[Document], model: LearnedModel) -> Examples:
    """Return the candidates of `documents` as examples."""
    parts = []
    for number, document in enumerate(documents):
        keys, rows = candidate_rows(document, model.shapes, model.background)
        kept, gold = rows[:, WORDS] > 0, gold_keys(document)
        labels = np.array([key in gold for key in keys], np.uint8)
        parts.append((rows[kept], labels[kept], np.full(int(kept.sum()), number, np.int32)))
    none = np.zeros((0, WIDTH), np.float32), np.zeros(0, np.uint8), np.zeros(0, np.int32)
    return Examples(*map(np.concatenate, zip(none, *parts, strict=True)))


def candidate_rows(
    document: Document, shapes: Shapes, background: Background, *, tagged: bool = True
) -> tuple[list[str], NDArray[np.float32]]:
    """Return what labels compare the candidates of a document by, and their features, a row each."""
    candidates = shapes.propose(analyse(document.content, language=document.language, tag=tagged))
    found = background.rows(candidates, shapes).some(0, len(candidates))
    return keys_of(candidates), np.frombuffer(found, dtype=np.float32).reshape(-1, WIDTH)


def key(phrase: str, language: str = "en") -> str:
    """Return a phrase in the form in which labels compare it: stemmed, with the parts of a hyphenated word apart."""
    return normaliser(default_stemmer(language), spaced=language not in UNSPACED).key(phrase.translate(SPLIT))


def keys_of(candidates: Candidates) -> list[str]:
    text, language = candidates.analysis.text, candidates.analysis.language
    return [key(wording(text, candidates.spans(c)), language) for c in range(len(candidates))]


def gold_keys(document: Document) -> set[str]:
    """Return the keys of all wordings of a document's keyphrases."""
    return {key(one, document.language) for one in wordings_of(document)}
