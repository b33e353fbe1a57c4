"""The supervised baselines of SemEval-2010 (Kim, Medelyan, Kan and Baldwin, "SemEval-2010 Task 5", 2010, section 2.2).

"We use 1, 2, 3-grams as keyphrase candidates, used Naïve Bayes (NB) and Maximum Entropy (ME) classifiers to learn two
supervised baseline systems": `naivebayes` and `maxent`. The paper names no feature besides TF×IDF. With that alone
neither classifier can learn an order of its own: the odds rise with the one feature, so both rank as TF×IDF does. A
model therefore has two more features unless it was trained with `features='tfidf'`: where the n-gram first occurs, and
how many words it has. TF×IDF is the count of the n-gram times log((N + 1) / (df + 1)) over the training documents;
Naive Bayes has a normal distribution for each feature and class; scores are the logarithm of the odds.
"""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from phrasemill.candidates import forms, ngrams
from phrasemill.methods import trained_models
from phrasemill.methods.trained_models import CandidateStatistics, statistics_of
from phrasemill.ranker import Ranker
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Analysis, Candidates

LONGEST = 3
EARLIEST = 1e-4  # of a text, added to the share before the first occurrence so that it has a logarithm
FEATURES = ("tfidf", "log-tfidf", "log-first", "words")


def columns(features: Sequence[str], statistics: CandidateStatistics, idfs: Sequence[float]) -> list[list[float]]:
    """Return one column per feature, one entry per candidate."""
    tfidf = [count * idf for count, idf in zip(statistics.counts, idfs, strict=True)]
    made: dict[str, Callable[[], list[float]]] = {
        "tfidf": lambda: tfidf,
        "log-tfidf": lambda: [math.log1p(value) for value in tfidf],
        "log-first": lambda: [math.log(EARLIEST + share) for share in statistics.first],
        "words": lambda: [float(words) for words in statistics.words],
    }
    return [made[name]() for name in features]


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Log-odds of a keyphrase: a constant, and for each feature a `linear` and a `quadratic` term.

    Naive Bayes has both terms, maximum entropy the linear one.
    """

    method: str
    frequencies: DocumentFrequencies
    features: tuple[str, ...]
    constant: float
    linear: tuple[float, ...]
    quadratic: tuple[float, ...]
    keyphrases: int = 0
    examples: int = 0

    def log_odds(self, values: Sequence[Sequence[float]]) -> list[float]:
        """Return the log-odds of each candidate, whose features are in the columns `values`."""
        totals = [self.constant] * len(values[0])
        for column, linear, quadratic in zip(values, self.linear, self.quadratic, strict=True):
            totals = [total + x * (linear + x * quadratic) for total, x in zip(totals, column, strict=True)]
        return totals

    def save(self, path: Path) -> None:
        terms = array("d", [self.constant, *self.linear, *self.quadratic])
        facts = {"keyphrases": self.keyphrases, "examples": self.examples, "features": ",".join(self.features)}
        trained_models.save(path, self.method, self.frequencies, {"terms": terms}, **facts)

    def summary(self) -> dict[str, str]:
        formula = f"{self.constant:.3g}"
        for name, linear, quadratic in zip(self.features, self.linear, self.quadratic, strict=True):
            for term, power in ((linear, ""), (quadratic, "²")):
                formula += f" {'+' if term > 0 else '-'} {abs(term):.3g} {name}{power}" if term else ""
        return trained_models.summary(self.frequencies, self.keyphrases, self.examples) | {"log-odds": formula}

    @classmethod
    def load(cls, path: Path, method: str) -> Self:
        with trained_models.reading(path, method, {"terms": "d"}) as (file, frequencies):
            terms = file["terms"].tolist()
            # Files of version 0.1.0 do not name their feature.
            features = tuple(file.metadata.get("features", "tfidf").split(","))
            size = len(features)
            if len(terms) != 1 + 2 * size or not all(map(math.isfinite, terms)) or not set(features) <= set(FEATURES):
                raise ValueError(f"its terms are {terms} of {', '.join(features)}")
            counts = file.number("keyphrases"), file.number("examples")
            return cls(
                method, frequencies, features, terms[0], tuple(terms[1 : 1 + size]), tuple(terms[1 + size :]), *counts
            )


class NgramClassifier(Ranker):
    """The base of both: n-grams of up to LONGEST words, scored by the log-odds of a model."""

    __slots__ = ()
    paper: ClassVar[str] = "Kim et al., 2010"
    scale: ClassVar[str] = "log-odds"
    reads_tags: ClassVar[bool] = False

    model: str | None

    def propose(self, analysis: Analysis) -> Candidates:
        return ngrams(analysis, longest=LONGEST)

    def score(self, candidates: Candidates) -> "array[float]":
        model = trained_models.opened(self.model, self.name, NgramModel.load, self.name)
        if not len(candidates):
            return array("d")
        idfs = model.frequencies.idfs(forms(candidates))
        return array("d", model.log_odds(columns(model.features, statistics_of(candidates), idfs)))


@dataclass(frozen=True, slots=True, repr=False)
class NaiveBayes(NgramClassifier):
    """Naive Bayes over n-grams and TF×IDF, SemEval-2010's baseline, trained on your documents.

    - `model`: the file written by `phrasemill train naivebayes`.
    """

    name: ClassVar[str] = "naivebayes"

    model: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class MaxEnt(NgramClassifier):
    """Maximum entropy over n-grams and TF×IDF, SemEval-2010's baseline, trained on your documents.

    - `model`: the file written by `phrasemill train maxent`.
    """

    name: ClassVar[str] = "maxent"

    model: str | None = None
