"""TextRank (Mihalcea and Tarau, "TextRank: Bringing Order into Text", EMNLP 2004).

Nouns and adjectives are the nodes of a graph; two are joined when they stand within `window` words of each other.
A random walk ranks them, the best third is kept, and kept words that stand side by side in the text form phrases.

Where the paper is silent: distances count all words of the text, sentence ends included; words are nodes by their
stem, so that `graph` and `graphs` are one; edges are unweighted, as in the paper's keyword experiments; a phrase
scores the sum of its words.
"""

import math
from array import array
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.candidates import nouns_and_adjectives
from phrasemill.errors import ConfigError
from phrasemill.kernels import graph, spans
from phrasemill.pipeline import Ranker
from phrasemill.types import Analysis, Candidates

DAMPING = 0.85  # Brin and Page, 1998, and the paper
TOLERANCE = 0.0001  # the paper's convergence threshold, here over the sum of all changes
MOST_ROUNDS = 100


@dataclass(frozen=True, slots=True, repr=False)
class TextRank(Ranker):
    """Random walk over a graph of neighbouring nouns and adjectives."""

    name: ClassVar[str] = "textrank"
    paper: ClassVar[str] = "Mihalcea and Tarau, 2004"
    needs: ClassVar[str] = "English"

    window: int = 2
    keep: float = 1 / 3
    damping: float = DAMPING

    def __post_init__(self) -> None:
        if self.window < 2:
            raise ConfigError(f"window must be at least 2, got {self.window}")
        if not 0 < self.keep <= 1:
            raise ConfigError(f"keep must lie above 0 and at most at 1, got {self.keep}")
        if not 0 <= self.damping < 1:
            raise ConfigError(f"damping must be at least 0 and below 1, got {self.damping}")

    def rank(self, analysis: Analysis) -> "tuple[Candidates, array[float]]":
        node, nodes = graph.words(
            analysis.stem, analysis.kind, analysis.tag, nouns_and_adjectives(analysis), len(analysis.stems)
        )
        first, neighbour, weight = graph.cooccurrences(node, nodes, self.window)
        unweighted = array("i", [1]) * len(weight)
        ranks = graph.random_walk(first, neighbour, unweighted, self.damping, TOLERANCE, MOST_ROUNDS)
        starts, ends = graph.runs(node, self._kept(ranks), analysis.sentences)
        candidates = Candidates(analysis, *spans.group(analysis.stem, starts, ends))
        return candidates, graph.sums(candidates.first, candidates.start, candidates.end, node, ranks)

    def _kept(self, ranks: "array[float]") -> bytearray:
        """One byte a node: 1 for the best `keep` of them, the earlier on a tie."""
        kept = bytearray(len(ranks))
        best = sorted(range(len(ranks)), key=lambda node: (-ranks[node], node))
        for node in best[: math.ceil(self.keep * len(ranks))]:
            kept[node] = 1
        return kept
