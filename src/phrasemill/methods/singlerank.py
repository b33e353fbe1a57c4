"""SingleRank (Wan and Xiao, "Single Document Keyphrase Extraction Using Neighborhood Knowledge", AAAI 2008).

TextRank with a wider window, edges weighted by how often two words meet in it, and all runs of nouns and adjectives
as candidates, scored by the sum of their words.

The paper's candidates end with a noun; ours are maximal runs of nouns and adjectives, as in the toolkits that the
literature compares with, so a run may end with an adjective.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.candidates import noun_adjective_runs
from phrasemill.methods.wordgraph import DAMPING, WordGraphRanker
from phrasemill.specs import AtMost
from phrasemill.types import Analysis, Candidates


@dataclass(frozen=True, slots=True, repr=False)
class SingleRank(WordGraphRanker):
    """TextRank with a wide window and weighted edges.

    - `window`: the longest distance, in words, at which two words are linked.
    - `damping`: the probability that the walk follows an edge instead of jumping.
    """

    name: ClassVar[str] = "singlerank"
    paper: ClassVar[str] = "Wan and Xiao, 2008"

    window: Annotated[int, AtMost(1_000)] = 10
    damping: Annotated[float, AtMost(1)] = DAMPING

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_adjective_runs(analysis)
