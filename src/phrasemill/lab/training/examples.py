"""Documents with known keyphrases as examples to learn from: their candidates, counted, and which are keyphrases."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from phrasemill.errors import DataError
from phrasemill.lab.training.trainer import Progress, tracked
from phrasemill.methods.candidate_statistics import CandidateStatistics, statistics_of
from phrasemill.selection import form_of
from phrasemill.statistics import DocumentFrequencies, load_frequencies
from phrasemill.text.analyse import analyse
from phrasemill.text.language_codes import language_code
from phrasemill.types import Analysis, Candidates, Document

# "To reduce the size of the training set, we discard any phrase that occurs only once" (Witten et al., 1999). In short
# texts hardly anything occurs twice: below this many tokens every phrase is kept. The number is ours.
SHORT = 400
# From so many documents on, phrases that only one of them holds are dropped: they are most of a table, and tell little.
MANY = 1000


Terms: TypeAlias = Callable[[Analysis], tuple[Candidates, list[str]]]


@dataclass(frozen=True, slots=True)
class Example:
    """One document: the candidates to learn from by key, their statistics, and the keys of its keyphrases."""

    keys: list[str]
    statistics: CandidateStatistics
    gold: frozenset[str]

    @property
    def labels(self) -> list[bool]:
        return [key in self.gold for key in self.keys]


@dataclass(frozen=True, slots=True)
class Collection:
    """The examples, and what is counted over all of them; `own` says that the frequencies are theirs."""

    examples: list[Example]
    frequencies: DocumentFrequencies
    keyphraseness: Counter[str]
    own: bool = True

    def idfs(self, example: Example) -> list[float]:
        """log(N / df): the same as if the document came new, and was then counted in."""
        if not self.own:
            return self.frequencies.idfs(example.keys)
        counts, least = self.frequencies.counts, self.frequencies.least
        total = math.log(self.frequencies.documents)
        return [total - math.log(max(counts.get(key, 1), least)) for key in example.keys]

    def elsewhere(self, example: Example) -> list[int]:
        """How often each candidate is a keyphrase of other documents."""
        chosen, gold = self.keyphraseness, example.gold
        return [chosen[key] - (key in gold) for key in example.keys]


def collect(
    documents: Iterable[Document],
    terms: Terms,
    gold_of: Callable[[Document], frozenset[str]],
    *,
    longest: int,
    progress: Progress,
    every: bool = False,
    frequencies: str | None = None,
) -> Collection:
    """Count and measure the candidates that `terms` finds, with their keys, in `documents` of one language.

    Phrases that occur only once in a longer text are counted, but examples only if `every` says so. `frequencies` is
    the path of a table counted elsewhere, over a larger collection; nothing is counted then.
    """
    known = None if frequencies is None else load_frequencies(frequencies)
    examples: list[Example] = []
    counts: Counter[str] = Counter()
    keyphraseness: Counter[str] = Counter()
    strings: dict[str, str] = {}
    languages: set[str] = set()
    for document in tracked(documents, "reading documents", progress):
        languages.add(language_code(document.language))
        candidates, keys = terms(analyse(document.content, language=document.language, tag=False))
        if known is None:
            counts.update(keys)
        gold = gold_of(document)
        keyphraseness.update(gold)
        kept = range(len(candidates)) if every else worth_learning(candidates)
        shared = [strings.setdefault(keys[c], keys[c]) for c in kept]
        examples.append(Example(shared, statistics_of(candidates).only(kept), gold))
    if not any(example.gold for example in examples):
        raise DataError("nothing to learn from: no document has keyphrases")
    if len(languages) > 1:
        raise DataError(f"the documents are of several languages ({', '.join(sorted(languages))}); train on one")
    language = languages.pop()
    if known is not None:
        _require_fit(known, language, longest, frequencies)
        return Collection(examples, known, keyphraseness, own=False)
    table = DocumentFrequencies(len(examples), counts, language, longest)
    return Collection(examples, table.prune(2) if len(examples) >= MANY else table, keyphraseness)


def _require_fit(table: DocumentFrequencies, language: str, longest: int, path: str | None) -> None:
    if table.language != language:
        raise DataError(f"{path}: counted over {table.language!r}, but the documents are {language!r}")
    if table.longest < longest:
        raise DataError(f"{path}: has phrases of up to {table.longest} words; training needs {longest}")


def worth_learning(candidates: Candidates) -> Sequence[int]:
    """The candidates to learn from: in longer texts those that occur more than once."""
    if len(candidates.analysis) < SHORT:
        return range(len(candidates))
    return [c for c in range(len(candidates)) if candidates.count(c) > 1]


def gold_forms(document: Document) -> frozenset[str]:
    """The forms of all wordings of a document's keyphrases."""
    wordings = [
        wording
        for reference in document.references
        for wording in ([reference] if isinstance(reference, str) else reference)
    ]
    return frozenset(form for wording in wordings if (form := form_of(wording, document.language)))


def require_both(found: int, total: int) -> None:
    """Learning needs examples of both kinds."""
    if not 0 < found < total:
        what = "no keyphrase occurs in its text" if not found else "every candidate is a keyphrase"
        raise DataError(f"nothing to learn from: {what}")
