"""Trains SemEval-2010's supervised baselines: features of n-grams, and the two classifiers over them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.candidates import forms, ngrams
from phrasemill.errors import UnknownName
from phrasemill.methods.ngram_classifiers import FEATURES, LONGEST, MaxEnt, NaiveBayes, NgramModel, columns
from phrasemill.statistics import DocumentFrequencies
from phrasemill.training.examples import collect, gold_forms
from phrasemill.training.trainer import Progress, quiet
from phrasemill.types import Analysis, Candidates, Document

MOST_ROUNDS = 50
TOLERANCE = 1e-10
RIDGE = 1e-6
LEAST_VARIANCE = 0.01  # of a class, as a share of that of all candidates
# Chosen by cross-validation on the training split of SemEval-2010: logarithms, as all three are heavy-tailed.
DEFAULT = "log-tfidf,log-first,words"
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class _NgramTrainer:
    """`features` are names with commas between; `frequencies` is a table of a larger collection."""

    features: str = DEFAULT
    frequencies: str | None = None

    def __post_init__(self) -> None:
        for name in self.names:
            if name not in FEATURES:
                raise UnknownName("feature", name, FEATURES)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name.strip() for name in self.features.split(",")])


@dataclass(frozen=True, slots=True)
class NaiveBayesTrainer(_NgramTrainer):
    """Naive Bayes with a normal distribution of each feature in each class."""

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> NgramModel:
        """Learn from documents with references; there is nothing to tune on `dev`."""
        values, labels, frequencies = _examples(documents, self.names, progress, self.frequencies)
        yes, no = values[:, labels], values[:, ~labels]
        mean_yes, mean_no = yes.mean(axis=1), no.mean(axis=1)
        # A class whose values are all equal would have no variance, and one feature would decide everything.
        least = np.maximum(LEAST_VARIANCE * values.var(axis=1), 1e-12)
        var_yes, var_no = np.maximum(yes.var(axis=1), least), np.maximum(no.var(axis=1), least)
        constant = np.log(labels.sum() / (~labels).sum())
        constant += 0.5 * (np.log(var_no / var_yes) + mean_no**2 / var_no - mean_yes**2 / var_yes).sum()
        linear = tuple((mean_yes / var_yes - mean_no / var_no).tolist())
        quadratic = tuple((0.5 * (1 / var_no - 1 / var_yes)).tolist())
        counts = int(labels.sum()), len(labels)
        return NgramModel(NaiveBayes.name, frequencies, self.names, float(constant), linear, quadratic, *counts)

    def spec(self, model: Path) -> str:
        return repr(NaiveBayes(str(model)))


@dataclass(frozen=True, slots=True)
class MaxEntTrainer(_NgramTrainer):
    """Maximum entropy, which with two classes is logistic regression."""

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> NgramModel:
        """Learn from documents with references; there is nothing to tune on `dev`."""
        values, labels, frequencies = _examples(documents, self.names, progress, self.frequencies)
        constant, *linear = logistic(values, labels)
        none = (0.0,) * len(linear)
        counts = int(labels.sum()), len(labels)
        return NgramModel(MaxEnt.name, frequencies, self.names, constant, tuple(linear), none, *counts)

    def spec(self, model: Path) -> str:
        return repr(MaxEnt(str(model)))


def logistic(values: Array, labels: Array) -> list[float]:
    """Return the constant of the log-odds and the slope of each feature.

    Newton's method with a slight ridge; a step that overshoots is halved. `values` are (features, candidates).
    """
    width = np.maximum(values.std(axis=1), 1e-12)
    design = np.vstack([np.ones(values.shape[1]), values / width[:, None]])
    signs = np.where(labels, 1.0, -1.0)

    def loss(weights: Array) -> float:
        return float(np.logaddexp(0, -signs * (weights @ design)).sum() + RIDGE / 2 * weights @ weights)

    weights = np.zeros(len(design))
    weights[0] = np.log(labels.mean() / (1 - labels.mean()))
    for _ in range(MOST_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(weights @ design, -500, 500)))
        slope = design @ (labels - chance) - RIDGE * weights
        curve = (design * (chance * (1 - chance))) @ design.T + RIDGE * np.eye(len(design))
        step = np.linalg.solve(curve, slope)
        while loss(weights + step) > loss(weights) and np.abs(step).max() >= TOLERANCE:
            step /= 2
        weights += step
        if np.abs(step).max() < TOLERANCE:
            break
    return [float(weights[0]), *(weights[1:] / width).tolist()]


def _examples(
    documents: Iterable[Document], features: tuple[str, ...], progress: Progress, frequencies: str | None = None
) -> tuple[Array, Array, DocumentFrequencies]:
    """Return the features of all candidates (features, candidates), which are keyphrases, and the frequencies."""
    collection = collect(
        documents, _terms, gold_forms, longest=LONGEST, progress=progress, every=True, frequencies=frequencies
    )
    values, labels = collection.table(
        lambda example: columns(features, example.statistics, collection.idfs(example)), progress
    )
    return values, labels, collection.frequencies


def _terms(analysis: Analysis) -> tuple[Candidates, list[str]]:
    candidates = ngrams(analysis, longest=LONGEST)
    return candidates, forms(candidates)
