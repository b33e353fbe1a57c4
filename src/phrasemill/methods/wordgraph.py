"""The graph of a document's nouns and adjectives, and the walk over it: what TextRank and its successors share.

Words are nodes by stem. Two are joined where they stand within `window` tokens of each other, sentence ends and
punctuation counted like any token; the weight of an edge is how often they do.
"""

from array import array
from typing import ClassVar

from phrasemill.candidates import nouns_and_adjectives
from phrasemill.errors import ConfigError
from phrasemill.kernels.graph import Words
from phrasemill.methods.parameters import at_least
from phrasemill.ranker import Ranker
from phrasemill.types import Analysis, Candidates

DAMPING = 0.85  # Brin and Page, 1998


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
        analysis = candidates.analysis
        words = Words(analysis.view, nouns_and_adjectives(analysis))
        ranks = words.graph(self.window).walk(self.damping, self.importance(words, analysis))
        found: array[float] = words.sums(candidates.view, ranks)
        return found

    def importance(self, words: Words, analysis: Analysis) -> "array[float] | None":
        """Return how much the jumps of the walk prefer each word; nothing where all are alike."""
        return None


def check_damping(damping: float) -> None:
    if not 0 <= damping < 1:
        raise ConfigError(f"damping must be at least 0 and below 1, got {damping}")
