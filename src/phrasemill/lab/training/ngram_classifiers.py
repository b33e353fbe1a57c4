"""Trains SemEval-2010's supervised baselines: n-grams with one feature, TF×IDF, and the two classifiers over it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.candidates import forms, ngrams
from phrasemill.lab.training.examples import CandidateExample, collect, gold_forms
from phrasemill.lab.training.trainer import Progress, quiet
from phrasemill.methods.ngram_classifiers import LONGEST, MaxEnt, NaiveBayes, NgramModel
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Analysis, Candidates, Document

MOST_ROUNDS = 50
TOLERANCE = 1e-10
RIDGE = 1e-6


@dataclass(frozen=True, slots=True)
class NaiveBayesTrainer:
    """Naive Bayes with a normal distribution of TF×IDF in each class; `frequencies`: a table of a larger collection."""

    frequencies: str | None = None

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> NgramModel:
        """Learn from documents with references; there is nothing to tune on `dev`."""
        values, labels, frequencies = _examples(documents, progress, self.frequencies)
        mean_yes, mean_no = values[labels].mean(), values[~labels].mean()
        # A class whose values are all equal would have no variance.
        least = max(1e-9 * float(values.var()), 1e-12)
        var_yes, var_no = values[labels].var() + least, values[~labels].var() + least
        prior = np.log(labels.sum() / (~labels).sum())
        constant = prior + 0.5 * (np.log(var_no / var_yes) + mean_no**2 / var_no - mean_yes**2 / var_yes)
        linear = mean_yes / var_yes - mean_no / var_no
        quadratic = 0.5 * (1 / var_no - 1 / var_yes)
        terms = (float(constant), float(linear), float(quadratic))
        return NgramModel(NaiveBayes.name, frequencies, *terms, int(labels.sum()), len(labels))

    def spec(self, model: Path) -> str:
        return repr(NaiveBayes(str(model)))


@dataclass(frozen=True, slots=True)
class MaxEntTrainer:
    """Maximum entropy, which with two classes is logistic regression; `frequencies`: a table of a larger collection."""

    frequencies: str | None = None

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> NgramModel:
        """Learn from documents with references; there is nothing to tune on `dev`."""
        values, labels, frequencies = _examples(documents, progress, self.frequencies)
        constant, linear = logistic(values, labels)
        return NgramModel(MaxEnt.name, frequencies, constant, linear, 0.0, int(labels.sum()), len(labels))

    def spec(self, model: Path) -> str:
        return repr(MaxEnt(str(model)))


def logistic(values: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Return constant and slope of the log-odds, by Newton's method with a slight ridge; a step that overshoots is
    halved."""
    width = max(float(values.std()), 1e-12)
    design = np.stack([np.ones(len(values)), values / width])
    signs = np.where(labels, 1.0, -1.0)

    def loss(weights: np.ndarray[Any, Any]) -> float:
        return float(np.logaddexp(0, -signs * (weights @ design)).sum() + RIDGE / 2 * weights @ weights)

    weights = np.array([np.log(labels.mean() / (1 - labels.mean())), 0.0])
    for _ in range(MOST_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(weights @ design, -500, 500)))
        slope = design @ (labels - chance) - RIDGE * weights
        curve = (design * (chance * (1 - chance))) @ design.T + RIDGE * np.eye(2)
        step = np.linalg.solve(curve, slope)
        while loss(weights + step) > loss(weights) and np.abs(step).max() >= TOLERANCE:
            step /= 2
        weights += step
        if np.abs(step).max() < TOLERANCE:
            break
    return float(weights[0]), float(weights[1] / width)


def _examples(
    documents: Iterable[Document], progress: Progress, frequencies: str | None = None
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], DocumentFrequencies]:
    collection = collect(
        documents, _terms, gold_forms, longest=LONGEST, progress=progress, every=True, frequencies=frequencies
    )

    def tfidf(example: CandidateExample) -> list[list[float]]:
        return [[n * idf for n, idf in zip(example.statistics.counts, collection.idfs(example), strict=True)]]

    [values], labels = collection.table(tfidf, progress)
    return values, labels, collection.frequencies


def _terms(analysis: Analysis) -> tuple[Candidates, list[str]]:
    candidates = ngrams(analysis, longest=LONGEST)
    return candidates, forms(candidates)
