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

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

from phrasemill.candidates import noun_adjective_runs, nouns_and_adjectives
from phrasemill.kernels.graph import Graph, Words
from phrasemill.methods.parameters import at_least
from phrasemill.methods.wordgraph import DAMPING
from phrasemill.select import Selection, select
from phrasemill.sets.merge import KEPT, merged
from phrasemill.sets.reading import EVERY, Form, ReadDocument, Word, document_phrases
from phrasemill.sets.results import ChosenPhrase, SetMethod
from phrasemill.specs import AtMost
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis

PARTS = 1000  # of one co-occurrence, as the walk counts in whole numbers


class Partner(NamedTuple):
    """A document as others see it: its words as nodes, the pairs that meet in it, and its TF-IDF vector."""

    analysis: Analysis
    tokens: Form
    words: Words
    names: Form
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

    window: Annotated[int, AtMost(1_000)] = 10
    neighbours: Annotated[int, AtMost(1_000)] = 20
    keep: Annotated[int, AtMost(1_000)] = KEPT

    def __post_init__(self) -> None:
        at_least(2, window=self.window)
        at_least(0, neighbours=self.neighbours)
        at_least(1, keep=self.keep)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        return merged(self.ranked(readings, counting))

    def ranked(self, readings: Sequence[ReadDocument], counting: Selection = EVERY) -> list[ReadDocument]:
        """Return the readings, each with the phrases that it has when the others help."""
        partners = [self._partner(reading) for reading in readings]
        selection = replace(counting, top=self.keep)
        ranked = []
        for reading, one in zip(readings, partners, strict=True):
            others = [(_cosine(one.vector, other.vector), other) for other in partners if other is not one]
            others.sort(key=lambda pair: -pair[0])
            graph = _joint_graph(one, [(1.0, one), *others[: self.neighbours]])
            candidates = noun_adjective_runs(one.analysis)
            best = select(candidates, one.words.sums(candidates.view, graph.walk(DAMPING)), selection)
            ranked.append(replace(reading, found=tuple(document_phrases(best, one.analysis, one.tokens, {}))))
        return ranked

    def _partner(self, reading: ReadDocument) -> Partner:
        analysis = analyse(reading.text, language=reading.language)
        stems = [Word(analysis.language, stem) for stem in analysis.stems]
        tokens = tuple([stems[stem] for stem in analysis.stem])
        words = Words(analysis.view, nouns_and_adjectives(analysis))
        graph = words.graph(self.window)
        nodes = {node: word for node, word in zip(words.node, tokens, strict=True) if node >= 0}
        names = tuple([nodes[node] for node in range(words.count)])
        pairs = {
            (names[a], names[graph.neighbour[e]]): graph.weight[e]
            for a in range(words.count)
            for e in range(graph.first[a], graph.first[a + 1])
        }
        return Partner(analysis, tokens, words, names, pairs, reading.vector)


def _joint_graph(one: Partner, helpers: Sequence[tuple[float, Partner]]) -> Graph:
    """Return the graph of all words of the helpers, of which those of `one` come first."""
    numbers = {name: number for number, name in enumerate(one.names)}
    for _, helper in helpers:
        for name in helper.names:
            numbers.setdefault(name, len(numbers))
    rows: list[Counter[int]] = [Counter() for _ in numbers]
    for similarity, helper in helpers:
        for (a, b), count in helper.pairs.items():
            rows[numbers[a]][numbers[b]] += round(PARTS * similarity * count)
    first, neighbour, weight = array("i", [0]), array("i"), array("i")
    for row in rows:
        neighbour.extend(row.keys())
        weight.extend(row.values())
        first.append(len(neighbour))
    return Graph(first, neighbour, weight)


def _cosine(one: dict[Word, float], other: dict[Word, float]) -> float:
    if len(other) < len(one):
        one, other = other, one
    return sum([value * other[word] for word, value in one.items() if word in other])
