"""The graph of a document's nouns and adjectives, and the walk over it: what TextRank and its successors share.

Words are nodes by stem. Two are joined where they stand within `window` tokens of each other, sentence ends and
punctuation counted like any token; the weight of an edge is how often they do.
"""

from array import array
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.candidates import nouns_and_adjectives
from phrasemill.errors import ConfigError
from phrasemill.kernels import graph
from phrasemill.methods.parameters import at_least
from phrasemill.ranker import Ranker
from phrasemill.types import Analysis, Candidates

DAMPING = 0.85  # Brin and Page, 1998
TOLERANCE = 0.0001  # Mihalcea and Tarau, 2004; here over the sum of all changes
MOST_ROUNDS = 100
EVERYWHERE = array("d")  # a jump leads to any word alike


@dataclass(frozen=True, slots=True)
class WordGraph:
    """Nodes by first occurrence; `node` has the node of each token, -1 where there is none."""

    node: "array[int]"
    nodes: int
    first: "array[int]"
    neighbour: "array[int]"
    weight: "array[int]"

    def walk(self, *, damping: float, weighted: bool = True, importance: "array[float]" = EVERYWHERE) -> "array[float]":
        """Return how often a random walk visits each word; its jumps lead to words in proportion to `importance`, or
        to any word alike where that is empty or all zero."""
        weight = self.weight if weighted else array("i", [1]) * len(self.weight)
        total = sum(importance)
        jump = array("d", [one / total for one in importance]) if total > 0 else EVERYWHERE
        return graph.random_walk(self.first, self.neighbour, weight, jump, damping, TOLERANCE, MOST_ROUNDS)

    def sums(self, candidates: Candidates, ranks: "array[float]") -> "array[float]":
        """Return the sum of the ranks of its words for each candidate."""
        return graph.sums(candidates.first, candidates.start, candidates.end, self.node, ranks)


def word_graph(analysis: Analysis, *, window: int) -> WordGraph:
    """Return the graph of the nouns and adjectives of a text."""
    allowed = nouns_and_adjectives(analysis)
    node, nodes = graph.words(analysis.stem, analysis.kind, analysis.tag, allowed, len(analysis.stems))
    return WordGraph(node, nodes, *graph.cooccurrences(node, nodes, min(window, len(node) + 2)))


class WordGraphRanker(Ranker):
    """A method that ranks candidates by a walk over the word graph; subclasses are dataclasses with these fields."""

    __slots__ = ()
    needs: ClassVar[str] = "a tagger"

    window: int
    damping: float

    def __post_init__(self) -> None:
        at_least(2, window=self.window)
        check_damping(self.damping)

    def score(self, candidates: Candidates) -> "array[float]":
        """Return the sum of the ranks of its words for each candidate."""
        words = word_graph(candidates.analysis, window=self.window)
        importance = self.importance(words, candidates.analysis)
        return words.sums(candidates, words.walk(damping=self.damping, importance=importance))

    def importance(self, words: WordGraph, analysis: Analysis) -> "array[float]":
        """Return how much each word is preferred by the jumps of the walk; nothing where all words are alike."""
        return EVERYWHERE


def check_damping(damping: float) -> None:
    if not 0 <= damping < 1:
        raise ConfigError(f"damping must be at least 0 and below 1, got {damping}")
