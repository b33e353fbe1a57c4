"""Trains SemEval-2010's supervised baselines: features of n-grams, and the two classifiers over them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np

from phrasemill.candidates import ngrams
from phrasemill.errors import UnknownName
from phrasemill.methods.ngram_classifiers import FEATURES, LONGEST, MaxEnt, NaiveBayes, NgramModel, columns
from phrasemill.training.examples import collect
from phrasemill.training.trainer import Progress, quiet
from phrasemill.types import Document

MOST_ROUNDS = 50
TOLERANCE = 1e-10
RIDGE = 1e-6
LEAST_VARIANCE = 0.01  # of a class, as a share of that of all candidates
# Chosen by cross-validation on the training split of SemEval-2010: logarithms, as all three are heavy-tailed.
DEFAULT = "log-tfidf,log-first,words"
Array: TypeAlias = np.ndarray[Any, Any]
# A constant, and a linear and a quadratic weight of each feature.
Parameters: TypeAlias = tuple[float, tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class _NgramTrainer(ABC):
    """`features` are names with commas between; `frequencies` is a table of a larger collection."""

    features: str = DEFAULT
    frequencies: str | None = None
    method: ClassVar[type[NaiveBayes] | type[MaxEnt]]

    def __post_init__(self) -> None:
        for name in self.names:
            if name not in FEATURES:
                raise UnknownName("feature", name, FEATURES)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name.strip() for name in self.features.split(",")])

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> NgramModel:
        """Learn from documents with references; there is nothing to tune on `dev`."""
        how: dict[str, Any] = {"longest": LONGEST, "frequencies": self.frequencies, "progress": progress}
        found = collect(documents, partial(ngrams, longest=LONGEST), every=True, **how)
        values, labels = found.table(lambda one: columns(self.names, one.statistics, found.idfs(one)), progress)
        learned = self.learn(values, labels)
        return NgramModel(self.method.name, found.frequencies, self.names, *learned, int(labels.sum()), len(labels))

    def spec(self, model: Path) -> str:
        return repr(self.method(str(model)))

    @abstractmethod
    def learn(self, values: Array, labels: Array) -> Parameters:
        """Return the parameters of the log-odds of a keyphrase; `values` are (features, candidates)."""


class NaiveBayesTrainer(_NgramTrainer):
    """Naive Bayes with a normal distribution of each feature in each class."""

    method = NaiveBayes

    def learn(self, values: Array, labels: Array) -> Parameters:
        yes, no = values[:, labels], values[:, ~labels]
        mean_yes, mean_no = yes.mean(axis=1), no.mean(axis=1)
        # A class whose values are all equal would have no variance, and one feature would decide everything.
        least = np.maximum(LEAST_VARIANCE * values.var(axis=1), 1e-12)
        var_yes, var_no = np.maximum(yes.var(axis=1), least), np.maximum(no.var(axis=1), least)
        constant = np.log(labels.sum() / (~labels).sum())
        constant += 0.5 * (np.log(var_no / var_yes) + mean_no**2 / var_no - mean_yes**2 / var_yes).sum()
        linear = tuple((mean_yes / var_yes - mean_no / var_no).tolist())
        return float(constant), linear, tuple((0.5 * (1 / var_no - 1 / var_yes)).tolist())


class MaxEntTrainer(_NgramTrainer):
    """Maximum entropy, which with two classes is logistic regression."""

    method = MaxEnt

    def learn(self, values: Array, labels: Array) -> Parameters:
        constant, *linear = logistic(values, labels)
        return constant, tuple(linear), (0.0,) * len(linear)


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
