"""Counts and positions of the candidates of a text, from which trained methods compute their features."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from phrasemill.types import NUMBER, WORD, Candidates


@dataclass(frozen=True, slots=True)
class CandidateStatistics:
    """One entry per candidate: how often it occurs, the shares of the text before its first and last occurrence, and
    its words. `size` is how many words and numbers the text has, at least 1."""

    size: int
    counts: "array[int]"
    first: "array[float]"
    last: "array[float]"
    words: "array[int]"

    def only(self, chosen: Iterable[int]) -> "CandidateStatistics":
        """Return the entries of these candidates alone."""
        kept = list(chosen)
        return CandidateStatistics(
            self.size,
            array("i", [self.counts[c] for c in kept]),
            array("d", [self.first[c] for c in kept]),
            array("d", [self.last[c] for c in kept]),
            array("i", [self.words[c] for c in kept]),
        )


def statistics_of(candidates: Candidates) -> CandidateStatistics:
    """Return the statistics of `candidates`; positions are counted in tokens, punctuation included."""
    first, start, end = candidates.first, candidates.start, candidates.end
    tokens = max(1, len(candidates.analysis))
    words = sum(1 for bits in candidates.analysis.kind if bits & (WORD | NUMBER))
    return CandidateStatistics(
        max(1, words),
        array("i", [after - before for before, after in pairwise(first)]),
        array("d", [start[o] / tokens for o in first[:-1]]),
        array("d", [start[o - 1] / tokens for o in first[1:]]),
        array("i", [end[o] - start[o] for o in first[:-1]]),
    )
