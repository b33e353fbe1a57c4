"""Documents with known keyphrases as examples for KEA, Maui and the n-gram classifiers."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phrasemill.candidates import forms
from phrasemill.errors import DataError
from phrasemill.methods.trained_models import CandidateStatistics, statistics_of
from phrasemill.select import form_of
from phrasemill.statistics import DocumentFrequencies, load_frequencies
from phrasemill.text.analyse import analyse
from phrasemill.training.trainer import Progress, in_one_language, tracked
from phrasemill.types import Analysis, Candidates, Document

# "To reduce the size of the training set, we discard any phrase that occurs only once" (Witten et al., 1999). In short
# texts hardly anything occurs twice: below this many tokens every phrase is kept. The number is ours.
SHORT = 400
# From this many documents on, phrases of a single document are dropped: they are most of a table, of little use.
MANY = 1000


@dataclass(frozen=True, slots=True)
class CandidateExample:
    """One document: the keys and measures of the candidates to learn from, and the keys of its keyphrases."""

    keys: list[str]
    statistics: CandidateStatistics
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class ExampleCollection:
    """The examples, and what is counted over all of them; `own` frequencies are counted over the examples."""

    examples: list[CandidateExample]
    frequencies: DocumentFrequencies
    keyphraseness: Counter[str]
    own: bool

    def idfs(self, example: CandidateExample) -> list[float]:
        """Return log(N / df), with the document itself counted once, as for a new document."""
        if not self.own:
            return self.frequencies.idfs(example.keys)
        counts, least = self.frequencies.counts, self.frequencies.least
        total = math.log(self.frequencies.documents)
        return [total - math.log(max(counts.get(key, 1), least)) for key in example.keys]

    def elsewhere(self, example: CandidateExample) -> list[int]:
        """Return how often each candidate is a keyphrase of other documents."""
        return [self.keyphraseness[key] - (key in example.gold) for key in example.keys]

    def table(
        self, features: Callable[[CandidateExample], Sequence[Sequence[float]]], progress: Progress
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the features of all candidates (features, candidates), and which of them are keyphrases."""
        columns, labels = [], []
        for example in tracked(self.examples, "measuring phrases", progress, total=len(self.examples)):
            columns.append(np.asarray(features(example), dtype=float))
            labels += [key in example.gold for key in example.keys]
        if not 0 < sum(labels) < len(labels):
            what = "every candidate is a keyphrase" if any(labels) else "no keyphrase occurs in its text"
            raise DataError(f"nothing to learn from: {what}")
        return np.concatenate(columns, axis=1), np.asarray(labels, dtype=bool)


def wordings_of(document: Document) -> list[str]:
    """Return all wordings of a document's keyphrases."""
    return [one for given in document.references for one in ((given,) if isinstance(given, str) else given)]


def gold_forms(document: Document) -> frozenset[str]:
    """Return the forms of all wordings of a document's keyphrases."""
    return frozenset(form for one in wordings_of(document) if (form := form_of(one, document.language)))


def collect(
    documents: Iterable[Document],
    propose: Callable[[Analysis], Candidates],
    *,
    longest: int,
    progress: Progress,
    frequencies: str | None,
    every: bool = False,
    keys_of: Callable[[Candidates], list[str]] = forms,
    gold_of: Callable[[Document], frozenset[str]] = gold_forms,
) -> ExampleCollection:
    """Count and measure the candidates that `propose` finds in `documents` of one language.

    Phrases that occur only once in a longer text are counted, but are examples only with `every`. `frequencies` is the
    path of a table that was counted over a larger collection, to use instead.
    """
    known = None if frequencies is None else load_frequencies(frequencies)
    examples: list[CandidateExample] = []
    counts: Counter[str] = Counter()
    keyphraseness: Counter[str] = Counter()
    strings: dict[str, str] = {}
    language = ""
    for document in tracked(in_one_language(documents), "reading documents", progress):
        language = document.language
        candidates = propose(analyse(document.content, language=language, tag=False))
        keys = keys_of(candidates)
        if known is None:
            counts.update(keys)
        gold = gold_of(document)
        keyphraseness.update(gold)
        kept: Sequence[int] = range(len(candidates))
        if not every and len(candidates.analysis) >= SHORT:
            kept = [c for c in kept if candidates.count(c) > 1]
        shared = [strings.setdefault(keys[c], keys[c]) for c in kept]
        examples.append(CandidateExample(shared, statistics_of(candidates).only(kept), gold))
    if not keyphraseness:
        raise DataError("nothing to learn from: no document has keyphrases")
    if known is None:
        table = DocumentFrequencies(len(examples), counts, language, longest)
        return ExampleCollection(examples, table.prune(2) if len(examples) >= MANY else table, keyphraseness, own=True)
    if known.language != language:
        raise DataError(f"{frequencies}: counted over {known.language!r}, but the documents are {language!r}")
    if known.longest < longest:
        raise DataError(f"{frequencies}: has phrases of up to {known.longest} words; training needs {longest}")
    return ExampleCollection(examples, known, keyphraseness, own=False)
