"""TextRank (Mihalcea and Tarau, "TextRank: Bringing Order into Text", EMNLP 2004).

Nouns and adjectives are the nodes of a graph; two are joined when they stand within `window` words of each other.
A random walk ranks them, the best third is kept, and kept words that stand side by side in the text form phrases.

Where the paper is silent: distances count all tokens of the text, sentence ends included; words are nodes by their
stem, so that `graph` and `graphs` are one; edges are unweighted, as in the paper's keyword experiments; a phrase
scores the sum of its words. `keep=1` ranks all runs of nouns and adjectives, as toolkits do.
"""

import math
from array import array
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.candidates import nouns_and_adjectives
from phrasemill.kernels import spans
from phrasemill.kernels.graph import Words
from phrasemill.methods.parameters import positive_share
from phrasemill.methods.wordgraph import DAMPING, WordGraphRanker
from phrasemill.ranker import Ranked
from phrasemill.specs import AtMost
from phrasemill.types import NO_PLACES, Analysis, Candidates, Places


@dataclass(frozen=True, slots=True, repr=False)
class TextRank(WordGraphRanker):
    """Random walk over a graph of neighbouring nouns and adjectives.

    - `window`: the longest distance, in words, at which two words are linked; 2 means adjacent.
    - `keep`: the share of words to keep; adjacent kept words form a phrase.
    - `damping`: the probability that the walk follows an edge instead of jumping.
    """

    name: ClassVar[str] = "textrank"
    paper: ClassVar[str] = "Mihalcea and Tarau, 2004"

    window: Annotated[int, AtMost(1_000)] = 2
    keep: Annotated[float, AtMost(1_000)] = 1 / 3
    damping: Annotated[float, AtMost(1)] = DAMPING

    def __post_init__(self) -> None:
        WordGraphRanker.__post_init__(self)
        positive_share(keep=self.keep)

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        words = Words(analysis.view, nouns_and_adjectives(analysis))
        ranks = words.graph(self.window, weighted=False).walk(self.damping)
        candidates = Candidates(analysis, *spans.group(analysis.stem, *words.runs(self._kept(ranks))))
        return Ranked(candidates, words.sums(candidates.view, ranks))

    def _kept(self, ranks: "array[float]") -> bytes:
        """Return one byte per node: 1 for the best `keep` of them, the earlier on a tie."""
        kept = bytearray(len(ranks))
        best = sorted(range(len(ranks)), key=ranks.__getitem__, reverse=True)  # which leaves ties in order
        for node in best[: math.ceil(self.keep * len(ranks))]:
            kept[node] = 1
        return bytes(kept)
