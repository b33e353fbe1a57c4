"""The graph of a document's nouns and adjectives, and the walk over it: what TextRank and its heirs share.

Words are nodes by stem. Two are joined where they stand within `window` tokens of each other, sentence ends and
punctuation counted like any token; the weight of an edge is how often they do.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass

from phrasemill.candidates import nouns_and_adjectives
from phrasemill.errors import ConfigError
from phrasemill.kernels import graph
from phrasemill.types import Analysis, Candidates

DAMPING = 0.85  # Brin and Page, 1998
TOLERANCE = 0.0001  # Mihalcea and Tarau, 2004; here over the sum of all changes
MOST_ROUNDS = 100
EVERYWHERE = array("d")  # a jump may lead to any word


@dataclass(frozen=True, slots=True)
class WordGraph:
    """Nodes by first occurrence; `node` has the node of each token, -1 where there is none."""

    node: "array[int]"
    nodes: int
    first: "array[int]"
    neighbour: "array[int]"
    weight: "array[int]"

    def walk(self, *, damping: float, weighted: bool = True, jump: "array[float]" = EVERYWHERE) -> "array[float]":
        """How often a random walk visits each word; `jump` says where its jumps lead, evenly by default."""
        weight = self.weight if weighted else array("i", [1]) * len(self.weight)
        return graph.random_walk(self.first, self.neighbour, weight, jump, damping, TOLERANCE, MOST_ROUNDS)

    def sums(self, candidates: Candidates, ranks: "array[float]") -> "array[float]":
        """For each candidate the ranks of its words, added up."""
        return graph.sums(candidates.first, candidates.start, candidates.end, self.node, ranks)

    def jump_by(self, weight: "Callable[[int], float] | array[float]") -> "array[float]":
        """A jump proportional to `weight`; anywhere where all of it is zero."""
        weights = weight if isinstance(weight, array) else array("d", map(weight, range(self.nodes)))
        total = sum(weights)
        return array("d", [one / total for one in weights]) if total > 0 else EVERYWHERE


def word_graph(analysis: Analysis, *, window: int) -> WordGraph:
    """The graph of the nouns and adjectives of a text."""
    allowed = nouns_and_adjectives(analysis)
    node, nodes = graph.words(analysis.stem, analysis.kind, analysis.tag, allowed, len(analysis.stems))
    return WordGraph(node, nodes, *graph.cooccurrences(node, nodes, min(window, len(node) + 2)))


def check_walk(*, window: int, damping: float) -> None:
    if window < 2:
        raise ConfigError(f"window must be at least 2, got {window}")
    if not 0 <= damping < 1:
        raise ConfigError(f"damping must be at least 0 and below 1, got {damping}")
