"""SingleRank (Wan and Xiao, "Single Document Keyphrase Extraction Using Neighborhood Knowledge", AAAI 2008).

TextRank with a wider window, edges weighted by how often two words meet in it, and all runs of nouns and adjectives
as candidates, scored by the sum of their words.

The paper's candidates end with a noun; ours are maximal runs of nouns and adjectives, as in the toolkits that the
literature compares with, so a run may end with an adjective.
"""

from array import array
from dataclasses import dataclass
from typing import ClassVar

from phrasemill.candidates import noun_adjective_runs
from phrasemill.methods.wordgraph import DAMPING, check_walk, word_graph
from phrasemill.pipeline import Ranker
from phrasemill.types import Analysis, Candidates


@dataclass(frozen=True, slots=True, repr=False)
class SingleRank(Ranker):
    """TextRank with a wide window and weighted edges."""

    name: ClassVar[str] = "singlerank"
    paper: ClassVar[str] = "Wan and Xiao, 2008"
    needs: ClassVar[str] = "English"

    window: int = 10
    damping: float = DAMPING

    def __post_init__(self) -> None:
        check_walk(window=self.window, damping=self.damping)

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_adjective_runs(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        words = word_graph(candidates.analysis, window=self.window)
        return words.sums(candidates, words.walk(damping=self.damping))
