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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import ClassVar, Self

from phrasemill.candidates import forms, including, ngrams
from phrasemill.methods import trained
from phrasemill.methods.discretised import DiscretisedBayes
from phrasemill.methods.measures import Measures, measure
from phrasemill.pipeline import Ranker
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import CAPITAL, NO_PLACES, Analysis, Candidates, Places

NAME = "kea"
LONGEST = 3
FEATURES = ("TF×IDF", "first occurrence", "keyphraseness")


@dataclass(frozen=True, slots=True)
class KeaModel:
    """What training leaves: document frequencies, how often each form was a keyphrase (empty where that is not
    used), and the classifier."""

    frequencies: DocumentFrequencies
    keyphraseness: Mapping[str, int]
    bayes: DiscretisedBayes

    def save(self, path: Path) -> None:
        chosen = sorted(self.keyphraseness)
        buffers = self.bayes.buffers() | {
            "chosen": array("B", "\n".join(chosen).encode()),
            "times": array("I", [self.keyphraseness[form] for form in chosen]),
        }
        trained.save(path, NAME, self.frequencies, buffers, {"features": str(len(self.bayes.cuts))})

    def summary(self) -> dict[str, str]:
        ranges = [len(cuts) + 1 for cuts in self.bayes.cuts]
        yes, no = sum(self.bayes.yes[0]), sum(self.bayes.no[0])
        return trained.summary(self.frequencies, yes, yes + no) | {
            "ranges": ", ".join(f"{name} {n}" for name, n in zip(FEATURES, ranges, strict=False))
        }

    @classmethod
    def load(cls, path: Path) -> Self:
        file, frequencies = trained.load(path, NAME)
        keyphraseness = trained.counted(file, "chosen", "times")
        return cls(frequencies, keyphraseness, DiscretisedBayes.from_file(file, file.number("features")))


@dataclass(frozen=True, slots=True, repr=False)
class Kea(Ranker):
    """Naive Bayes over TF×IDF and first occurrence, trained on your documents."""

    name: ClassVar[str] = NAME
    paper: ClassVar[str] = "Witten et al., 1999"
    scale: ClassVar[str] = "probability"
    reads_tags: ClassVar[bool] = False
    redundancy: ClassVar[str] = "inclusion"

    model: str | None = None

    def propose(self, analysis: Analysis) -> Candidates:
        return phrases(analysis)

    def rank(self, analysis: Analysis, extra: Places = NO_PLACES) -> "tuple[Candidates, array[float]]":
        model = trained.opened(self.model, NAME, KeaModel.load)
        candidates = including(self.propose(analysis), extra)
        if not len(candidates):
            return candidates, array("d")
        keys = forms(candidates)
        columns = features(
            measure(candidates), model.frequencies.idfs(keys), [model.keyphraseness.get(form, 0) for form in keys]
        )
        scores = model.bayes.probabilities(columns[: len(model.bayes.cuts)])
        order = sorted(range(len(candidates)), key=columns[0].__getitem__, reverse=True)
        return candidates.keep(order), array("d", [scores[c] for c in order])


def phrases(analysis: Analysis) -> Candidates:
    """KEA's candidates."""
    everything = ngrams(analysis, longest=LONGEST)
    kind, first, start, end = analysis.kind, everything.first, everything.start, everything.end
    proper = [
        end[first[c]] - start[first[c]] == 1 and all(kind[start[o]] & CAPITAL for o in range(first[c], first[c + 1]))
        for c in range(len(everything))
    ]
    if not any(proper):
        return everything
    return everything.keep(compress(range(len(everything)), [not one for one in proper]))


def features(measures: Measures, idfs: Sequence[float], keyphraseness: Sequence[int]) -> list[Sequence[float]]:
    """A column each of TF×IDF, first occurrence and keyphraseness; `idfs` are natural logarithms."""
    scale = 1 / (math.log(2) * measures.size)
    tfidf = [scale * count * idf for count, idf in zip(measures.counts, idfs, strict=True)]
    return [tfidf, measures.first, keyphraseness]
