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
from typing import ClassVar, NamedTuple, Self

from phrasemill.candidates import forms, including, ngrams
from phrasemill.methods import trained_models
from phrasemill.methods.trained_models import CandidateStatistics, by_score, statistics_of
from phrasemill.ranker import Ranked, Ranker
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import CAPITAL, NO_PLACES, Analysis, Candidates, Places

NAME = "kea"
LONGEST = 3
FEATURES = ("TF×IDF", "first occurrence", "keyphraseness")


class Ranges(NamedTuple):
    """The `cuts` between the ranges of a feature, and how many keyphrases (`yes`) and others (`no`) fell into each."""

    cuts: tuple[float, ...]
    yes: tuple[int, ...]
    no: tuple[int, ...]

    def gains(self, column: Sequence[float]) -> list[float]:
        """Return for each value the logarithm of P(its range | keyphrase) / P(its range | other).

        A range gets one count more than it had (Laplace).
        """
        yes, no = (sum(counts) + len(counts) for counts in (self.yes, self.no))
        gains = [math.log((a + 1) / yes) - math.log((b + 1) / no) for a, b in zip(self.yes, self.no, strict=True)]
        return [gains[bisect_right(self.cuts, value)] for value in column]


@dataclass(frozen=True, slots=True)
class KeaModel:
    """The result of training: document frequencies, how often each form was a keyphrase (empty where that is not
    used), and the ranges of each feature."""

    frequencies: DocumentFrequencies
    keyphraseness: Mapping[str, int]
    ranges: tuple[Ranges, ...]

    def probabilities(self, columns: Sequence[Sequence[float]]) -> "array[float]":
        """Return the probability of each candidate, whose features are in `columns`; both classes get one count more,
        too."""
        prior = math.log((sum(self.ranges[0].yes) + 1) / (sum(self.ranges[0].no) + 1))
        totals = [prior] * len(columns[0])
        for ranges, column in zip(self.ranges, columns, strict=False):
            totals = [total + gain for total, gain in zip(totals, ranges.gains(column), strict=True)]
        return array("d", [1 / (1 + math.exp(-total)) for total in totals])

    def save(self, path: Path) -> None:
        buffers = trained_models.counted_buffers(self.keyphraseness, "chosen", "times")
        for number, ranges in enumerate(self.ranges):
            for letter, name, column in zip("dII", Ranges._fields, ranges, strict=True):
                buffers[f"{name}{number}"] = array(letter, column)
        trained_models.save(path, NAME, self.frequencies, buffers, features=len(self.ranges))

    def summary(self) -> dict[str, str]:
        yes, no = sum(self.ranges[0].yes), sum(self.ranges[0].no)
        counts = [f"{name} {len(ranges.yes)}" for name, ranges in zip(FEATURES, self.ranges, strict=False)]
        return trained_models.summary(self.frequencies, yes, yes + no) | {"ranges": ", ".join(counts)}

    @classmethod
    def load(cls, path: Path) -> Self:
        with trained_models.reading(path, NAME, {"chosen": "B", "times": "I"}) as (file, frequencies):
            keyphraseness = trained_models.counted(file, "chosen", "times")
            found = []
            for number in range(file.number("features")):
                ranges = Ranges(*[tuple(file[f"{name}{number}"].tolist()) for name in Ranges._fields])
                if not len(ranges.yes) == len(ranges.no) == len(ranges.cuts) + 1:
                    raise ValueError("its ranges and counts do not fit together")
                found.append(ranges)
            return cls(frequencies, keyphraseness, tuple(found))


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

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        model = trained_models.opened(self.model, NAME, KeaModel.load)
        candidates = including(self.propose(analysis), extra)
        if not len(candidates):
            return Ranked(candidates, array("d"))
        keys = forms(candidates)
        columns = features(
            statistics_of(candidates),
            model.frequencies.idfs(keys),
            [model.keyphraseness.get(form, 0) for form in keys],
        )
        return by_score(candidates, model.probabilities(columns), columns[0])


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
