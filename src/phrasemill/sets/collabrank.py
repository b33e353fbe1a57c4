"""CollabRank (Wan and Xiao, "CollabRank: Towards a Collaborative Approach to Single-Document Keyphrase Extraction",
COLING 2008).

Each document is ranked with the help of the others: words are joined where they stand within `window` words of each
other in any of the documents, and a co-occurrence in another document counts as much as that document is similar to
this one. A random walk ranks words; candidates, the runs of nouns and adjectives of this document, score the sum of
their words. The lists of all documents are then merged as in `merge`, which is how Shapira et al. (2021) run it.

The paper finds collaborating documents by clustering; here, as in that run, they are the other documents of the set,
the `neighbours` nearest of them. Similarity is the cosine of TF-IDF vectors, as in the paper (that run took spaCy's),
with inverse document frequencies of a background collection. The walk counts in whole thousandths.
"""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from phrasemill.candidates import noun_adjective_runs, nouns_and_adjectives
from phrasemill.kernels.graph import Graph, Words
from phrasemill.methods.parameters import at_least
from phrasemill.methods.wordgraph import DAMPING
from phrasemill.select import Selection, select
from phrasemill.sets.forms import Word
from phrasemill.sets.merge import KEPT, merged
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import ChosenPhrase
from phrasemill.sets.read_documents import (
    NO_BOUNDS,
    Bounds,
    DocumentPhrase,
    ReadDocument,
    SharedStrings,
    document_phrases,
)
from phrasemill.statistics import load_frequencies
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis

PARTS = 1000  # of one co-occurrence, as the walk counts in whole numbers


class Partner(NamedTuple):
    """A document as others see it: its words as nodes, the pairs that meet in it, and its TF-IDF vector."""

    analysis: Analysis
    words: Words
    names: tuple[Word, ...]
    pairs: dict[tuple[Word, Word], int]
    vector: dict[Word, float]


@dataclass(frozen=True, slots=True, repr=False)
class CollabRank(SetMethod):
    """A word graph per document, to which similar documents contribute; the lists are merged.

    - `window`: the longest distance, in words, at which two words are linked.
    - `neighbours`: how many similar documents contribute to each graph.
    - `keep`: how many phrases of each document are merged.
    """

    name: ClassVar[str] = "collabrank"
    paper: ClassVar[str] = "Wan and Xiao, 2008"
    needs: ClassVar[str] = "a tagger"

    window: int = 10
    neighbours: int = 20
    keep: int = KEPT

    def __post_init__(self) -> None:
        at_least(2, window=self.window)
        at_least(0, neighbours=self.neighbours)
        at_least(1, keep=self.keep)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, bounds: Bounds) -> list[ChosenPhrase]:
        return merged(self.ranked(readings, bounds))

    def ranked(self, readings: Sequence[ReadDocument], bounds: Bounds = NO_BOUNDS) -> list[ReadDocument]:
        """Return the readings, each with the phrases that it has when the others help."""
        partners = [self._partner(reading) for reading in readings]
        ranked = []
        for reading, partner in zip(readings, partners, strict=True):
            found = tuple(self._found(partner, self._helpers(partner, partners), bounds))
            ranked.append(replace(reading, found=found))
        return ranked

    def _partner(self, reading: ReadDocument) -> Partner:
        analysis = analyse(reading.document.content, language=reading.document.language)
        words = Words(analysis.view, nouns_and_adjectives(analysis))
        graph = words.graph(self.window)
        names = [(analysis.language, "")] * words.count
        for at, stem in zip(words.node, analysis.stem, strict=True):
            if at >= 0:
                names[at] = (analysis.language, analysis.stems[stem])
        pairs = {
            (names[a], names[graph.neighbour[e]]): graph.weight[e]
            for a in range(words.count)
            for e in range(graph.first[a], graph.first[a + 1])
        }
        return Partner(analysis, words, tuple(names), pairs, _vector(analysis))

    def _helpers(self, one: Partner, partners: Sequence[Partner]) -> list[tuple[float, Partner]]:
        others = [(_cosine(one.vector, other.vector), other) for other in partners if other is not one]
        others.sort(key=lambda pair: -pair[0])
        return [(1.0, one), *others[: self.neighbours]]

    def _found(self, one: Partner, helpers: list[tuple[float, Partner]], bounds: Bounds) -> list[DocumentPhrase]:
        numbers = {name: number for number, name in enumerate(one.names)}
        for _, helper in helpers:
            for name in helper.names:
                numbers.setdefault(name, len(numbers))
        rows: list[Counter[int]] = [Counter() for _ in numbers]
        for similarity, helper in helpers:
            for (a, b), count in helper.pairs.items():
                rows[numbers[a]][numbers[b]] += round(PARTS * similarity * count)
        first = array("i", [0])
        neighbour, weight = array("i"), array("i")
        for row in rows:
            neighbour.extend(row.keys())
            weight.extend(row.values())
            first.append(len(neighbour))
        candidates = noun_adjective_runs(one.analysis)
        scores = one.words.sums(candidates.view, Graph(first, neighbour, weight).walk(DAMPING))
        best = select(candidates, scores, Selection(self.keep, exclude=bounds.exclude, limits=bounds.limits))
        return list(document_phrases(best, one.analysis, SharedStrings()))


def _vector(analysis: Analysis) -> dict[Word, float]:
    """Return TF-IDF of the words of a text, scaled to length 1."""
    counts = Counter(
        analysis.stems[stem] for stem, kind in zip(analysis.stem, analysis.kind, strict=True) if kind & 3 == 1
    )
    table = load_frequencies()
    known = table.language == analysis.language
    weights = table.idfs(counts) if known else [1.0] * len(counts)
    vector = {stem: count * weight for (stem, count), weight in zip(counts.items(), weights, strict=True)}
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {(analysis.language, stem): value / length for stem, value in vector.items()} if length else {}


def _cosine(one: dict[Word, float], other: dict[Word, float]) -> float:
    if len(other) < len(one):
        one, other = other, one
    return sum([value * other[stem] for stem, value in one.items() if stem in other])
