"""The supervised baselines of SemEval-2010 (Kim, Medelyan, Kan and Baldwin, "SemEval-2010 Task 5", 2010, section 2.2).

"We use 1, 2, 3-grams as keyphrase candidates, used Naïve Bayes (NB) and Maximum Entropy (ME) classifiers to learn two
supervised baseline systems": `naivebayes` and `maxent`. The paper names no feature besides TF×IDF, and its two systems
have the same scores throughout. Both are explained if TF×IDF is the only feature: the odds that either classifier gives
rise with it, and both rank alike. So it is here: the count of the n-gram times log((N + 1) / (df + 1)) over the
training documents; Naive Bayes with a normal distribution for each class; scores are the logarithm of the odds.
"""

import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import ClassVar, Self

from phrasemill.candidates import forms, ngrams
from phrasemill.errors import ModelError
from phrasemill.methods import trained_models
from phrasemill.pipeline import Ranker
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Analysis, Candidates

LONGEST = 3


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Log-odds of a keyphrase as a polynomial of TF×IDF: quadratic for Naive Bayes, linear for maximum entropy."""

    method: str
    frequencies: DocumentFrequencies
    constant: float
    linear: float
    quadratic: float = 0.0
    keyphrases: int = 0
    examples: int = 0

    def log_odds(self, value: float) -> float:
        return self.constant + value * (self.linear + value * self.quadratic)

    def save(self, path: Path) -> None:
        terms = array("d", [self.constant, self.linear, self.quadratic])
        counts = {"keyphrases": str(self.keyphrases), "examples": str(self.examples)}
        trained_models.save(path, self.method, self.frequencies, {"terms": terms}, counts)

    def summary(self) -> dict[str, str]:
        sign = "+" if self.linear >= 0 else "-"
        formula = f"{self.constant:.3g} {sign} {abs(self.linear):.3g} x"
        formula += f" {'+' if self.quadratic > 0 else '-'} {abs(self.quadratic):.3g} x²" if self.quadratic else ""
        return trained_models.summary(self.frequencies, self.keyphrases, self.examples) | {
            "log-odds at TF×IDF x": formula
        }

    @classmethod
    def load(cls, path: Path, method: str) -> Self:
        file, frequencies = trained_models.load(path, method)
        terms = file["terms"].tolist()
        if len(terms) != 3 or not all(map(math.isfinite, terms)):
            raise ModelError(f"{path}: damaged (its terms are {terms})")
        counts = file.number("keyphrases"), file.number("examples")
        return cls(method, frequencies, terms[0], terms[1], terms[2], *counts)


class NgramClassifier(Ranker):
    """The base of both: n-grams of up to LONGEST words, scored by a polynomial of TF×IDF."""

    __slots__ = ()
    paper: ClassVar[str] = "Kim et al., 2010"
    scale: ClassVar[str] = "log-odds"
    reads_tags: ClassVar[bool] = False

    model: str | None

    def propose(self, analysis: Analysis) -> Candidates:
        return ngrams(analysis, longest=LONGEST)

    def score(self, candidates: Candidates) -> "array[float]":
        model = trained_models.opened(self.model, self.name, _loader(self.name))
        idfs = model.frequencies.idfs(forms(candidates))
        return array("d", [model.log_odds(candidates.count(c) * idf) for c, idf in enumerate(idfs)])


@dataclass(frozen=True, slots=True, repr=False)
class NaiveBayes(NgramClassifier):
    """SemEval-2010's baseline: n-grams, TF×IDF and Naive Bayes, trained on your documents."""

    name: ClassVar[str] = "naivebayes"

    model: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class MaxEnt(NgramClassifier):
    """SemEval-2010's baseline: n-grams, TF×IDF and maximum entropy, trained on your documents."""

    name: ClassVar[str] = "maxent"

    model: str | None = None


@cache
def _loader(method: str) -> Callable[[Path], NgramModel]:
    """Return what loads the models of a method: always the same object, as open models are kept by it."""
    return partial(NgramModel.load, method=method)
