"""KEA (Witten, Paynter, Frank, Gutwin and Nevill-Manning, "KEA: Practical Automatic Keyphrase Extraction", 1999).

Candidates are runs of up to three words that neither begin nor end with a stopword; single words that only ever stand
with an initial capital are proper names and left out. Two features: TF×IDF (the share of the text's words that the
phrase makes up, times the binary logarithm of documents over document frequency in the training collection, the
document itself counted in) and the share of the text before the first occurrence. A model trained with keyphraseness
(Frank et al., "Domain-Specific Keyphrase Extraction", 1999) has a third: how often the phrase was a keyphrase in the
training collection. Features are cut into ranges by Fayyad and Irani's rule, and Naive Bayes gives a probability.
Ties go to the higher TF×IDF; a phrase inside a better one is dropped.

The paper stems with Lovins' algorithm, iterated; this with the language's own stemmer (Porter's for English). The paper
splits hyphenated words in two; here they are one word, as everywhere in this package.
"""

import math
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import ClassVar, Self

from phrasemill.candidates import forms, including, ngrams
from phrasemill.methods import trained_models
from phrasemill.methods.candidate_statistics import CandidateStatistics, statistics_of
from phrasemill.models import Tensors
from phrasemill.ranker import Ranker
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import CAPITAL, NO_PLACES, Analysis, Candidates, Places

NAME = "kea"
LONGEST = 3
FEATURES = ("TF×IDF", "first occurrence", "keyphraseness")


@dataclass(frozen=True, slots=True)
class DiscretisedBayes:
    """For each feature the `cuts` between its ranges, and how many keyphrases (`yes`) and others (`no`) fell into each.

    A range gets one count more than it had (Laplace), as do the two classes.
    """

    cuts: tuple[tuple[float, ...], ...]
    yes: tuple[tuple[int, ...], ...]
    no: tuple[tuple[int, ...], ...]

    def odds(self) -> tuple[tuple[float, ...], ...]:
        """Return for each feature and range the logarithm of P(range | keyphrase) / P(range | other)."""
        return tuple(
            tuple(
                math.log((a + 1) / (sum(yes) + len(yes))) - math.log((b + 1) / (sum(no) + len(no)))
                for a, b in zip(yes, no, strict=True)
            )
            for yes, no in zip(self.yes, self.no, strict=True)
        )

    def prior(self) -> float:
        """Return the logarithm of the odds that a candidate is a keyphrase."""
        return math.log((sum(self.yes[0]) + 1) / (sum(self.no[0]) + 1))

    def probabilities(self, columns: Sequence[Sequence[float]]) -> "array[float]":
        """Return the probability of each candidate, whose features are in `columns`."""
        odds, prior = self.odds(), self.prior()
        totals = [prior] * len(columns[0])
        for cuts, gains, column in zip(self.cuts, odds, columns, strict=True):
            totals = [total + gains[bisect_right(cuts, value)] for total, value in zip(totals, column, strict=True)]
        return array("d", [1 / (1 + math.exp(-total)) for total in totals])

    def buffers(self) -> dict[str, "array[float] | array[int]"]:
        """Return the parts, for a model file."""
        found: dict[str, array[float] | array[int]] = {}
        for feature, (cuts, yes, no) in enumerate(zip(self.cuts, self.yes, self.no, strict=True)):
            found[f"cuts{feature}"] = array("d", cuts)
            found[f"yes{feature}"] = array("I", yes)
            found[f"no{feature}"] = array("I", no)
        return found

    @classmethod
    def from_file(cls, file: Tensors, features: int) -> Self:
        """Return what the `buffers` in a file were made of."""
        parts = [
            tuple(tuple(file[f"{name}{feature}"].tolist()) for feature in range(features))
            for name in ("cuts", "yes", "no")
        ]
        for cuts, yes, no in zip(*parts, strict=True):
            if not len(yes) == len(no) == len(cuts) + 1:
                raise ValueError("its ranges and counts do not fit together")
        return cls(*parts)


@dataclass(frozen=True, slots=True)
class KeaModel:
    """The result of training: document frequencies, how often each form was a keyphrase (empty where that is not
    used), and the classifier."""

    frequencies: DocumentFrequencies
    keyphraseness: Mapping[str, int]
    bayes: DiscretisedBayes

    def save(self, path: Path) -> None:
        buffers = self.bayes.buffers() | trained_models.counted_buffers(self.keyphraseness, "chosen", "times")
        trained_models.save(path, NAME, self.frequencies, buffers, {"features": str(len(self.bayes.cuts))})

    def summary(self) -> dict[str, str]:
        ranges = [len(cuts) + 1 for cuts in self.bayes.cuts]
        yes, no = sum(self.bayes.yes[0]), sum(self.bayes.no[0])
        return trained_models.summary(self.frequencies, yes, yes + no) | {
            "ranges": ", ".join(f"{name} {n}" for name, n in zip(FEATURES, ranges, strict=False))
        }

    @classmethod
    def load(cls, path: Path) -> Self:
        with trained_models.reading(path, NAME, {"chosen": "B", "times": "I"}) as (file, frequencies):
            keyphraseness = trained_models.counted(file, "chosen", "times")
            return cls(frequencies, keyphraseness, DiscretisedBayes.from_file(file, file.number("features")))


@dataclass(frozen=True, slots=True, repr=False)
class Kea(Ranker):
    """Naive Bayes over TF×IDF and first occurrence, trained on your documents.

    - `model`: the file written by `phrasemill train kea`.
    """

    name: ClassVar[str] = NAME
    paper: ClassVar[str] = "Witten et al., 1999"
    scale: ClassVar[str] = "probability"
    reads_tags: ClassVar[bool] = False
    redundancy: ClassVar[str] = "inclusion"

    model: str | None = None

    def propose(self, analysis: Analysis) -> Candidates:
        return phrases(analysis)

    def rank(self, analysis: Analysis, extra: Places = NO_PLACES) -> "tuple[Candidates, array[float]]":
        model = trained_models.opened(self.model, NAME, KeaModel.load)
        candidates = including(self.propose(analysis), extra)
        if not len(candidates):
            return candidates, array("d")
        keys = forms(candidates)
        columns = features(
            statistics_of(candidates),
            model.frequencies.idfs(keys),
            [model.keyphraseness.get(form, 0) for form in keys],
        )
        scores = model.bayes.probabilities(columns[: len(model.bayes.cuts)])
        order = sorted(range(len(candidates)), key=columns[0].__getitem__, reverse=True)
        return candidates.keep(order), array("d", [scores[c] for c in order])


def phrases(analysis: Analysis) -> Candidates:
    """Return KEA's candidates."""
    everything = ngrams(analysis, longest=LONGEST)
    kind, first, start, end = analysis.kind, everything.first, everything.start, everything.end
    proper = [
        end[first[c]] - start[first[c]] == 1 and all(kind[start[o]] & CAPITAL for o in range(first[c], first[c + 1]))
        for c in range(len(everything))
    ]
    if not any(proper):
        return everything
    return everything.keep(compress(range(len(everything)), [not one for one in proper]))


def features(
    statistics: CandidateStatistics, idfs: Sequence[float], keyphraseness: Sequence[int]
) -> list[Sequence[float]]:
    """Return a column each of TF×IDF, first occurrence and keyphraseness; `idfs` are natural logarithms."""
    scale = 1 / (math.log(2) * statistics.size)
    tfidf = [scale * count * idf for count, idf in zip(statistics.counts, idfs, strict=True)]
    return [tfidf, statistics.first, keyphraseness]
