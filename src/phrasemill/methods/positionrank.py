"""PositionRank (Florescu and Caragea, "PositionRank: An Unsupervised Approach to Keyphrase Extraction", ACL 2017).

SingleRank whose jumps prefer words that occur early and often: a word is jumped to in proportion to the sum of
1 / position over its occurrences, positions counted in tokens from 1. Candidates are noun phrases of up to three words
(adjectives, then nouns), scored by the sum of their words.
"""

from array import array
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.candidates import noun_phrases
from phrasemill.kernels.graph import Words
from phrasemill.methods.parameters import at_least
from phrasemill.methods.wordgraph import DAMPING, WordGraphRanker
from phrasemill.specs import AtMost
from phrasemill.types import Analysis, Candidates


@dataclass(frozen=True, slots=True, repr=False)
class PositionRank(WordGraphRanker):
    """Random walk that prefers words near the beginning.

    - `window`: the longest distance, in words, at which two words are linked.
    - `longest`: the most words in a phrase.
    - `damping`: the probability that the walk follows an edge instead of jumping.
    """

    name: ClassVar[str] = "positionrank"
    paper: ClassVar[str] = "Florescu and Caragea, 2017"

    window: Annotated[int, AtMost(1_000)] = 10
    longest: Annotated[int, AtMost(50)] = 3
    damping: Annotated[float, AtMost(1)] = DAMPING

    def __post_init__(self) -> None:
        WordGraphRanker.__post_init__(self)
        at_least(1, longest=self.longest)

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_phrases(analysis, longest=self.longest)

    def importance(self, words: Words, analysis: Analysis) -> "array[float]":
        found: array[float] = words.earliness()
        return found
