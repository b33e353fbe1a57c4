"""The topics of a document's candidates, and walks over them: what TopicRank and MultipartiteRank share.

Every pair of places of candidates of different topics adds one over their distance to an edge. Up to MOST_PLACES
places these sums are a matrix. Beyond that pairs are too many: since the weight of a pair depends on the distance
alone, one step of the walk is a convolution over the positions of the text, done by FFT (`nearness.py`).

Pairs of candidates and of places multiply with the length of a text. So texts of more than LONG tokens have rules that
keep time in proportion to it: only the MOST_CANDIDATES candidates that occur most often are ranked, of those that occur
equally often the earlier ones, and only places that start at most WIDEST tokens apart are neighbours. The sums are a
matrix again.
"""

from array import array
from dataclasses import dataclass
from itertools import islice, pairwise

from phrasemill.candidates import noun_adjective_runs
from phrasemill.kernels import choice
from phrasemill.kernels import topics as kernel
from phrasemill.kernels.clusters import cluster
from phrasemill.lender import Lender
from phrasemill.methods.parameters import positive_share
from phrasemill.methods.wordgraph import MOST_ROUNDS, TOLERANCE, check_damping
from phrasemill.types import Analysis, Candidates

MOST_PLACES = 4000
LONG = 50_000
MOST_CANDIDATES = 2000
WIDEST = 1000
# Room for matrices is used again: fresh memory costs more than the sums in it. Eight megabytes at most are kept.
MOST_ROOM = 1_000_000
ROOM = Lender(lambda: array("d"), lambda room: len(room) > MOST_ROOM)


@dataclass(frozen=True, slots=True)
class Topics:
    """`topic` has the topic of each candidate; topics are numbered by their first candidate."""

    candidates: Candidates
    topic: "array[int]"

    def __len__(self) -> int:
        return max(self.topic, default=-1) + 1

    def firsts(self) -> list[int]:
        """Return the candidate of each topic that occurs first."""
        found: dict[int, int] = {}
        for candidate, topic in enumerate(self.topic):
            found.setdefault(topic, candidate)
        return list(found.values())

    def walk_over_topics(self, *, damping: float) -> "array[float]":
        """Return how often a walk visits each topic."""
        if self._large():
            from phrasemill.methods.nearness import LongText

            return LongText(self.candidates, self.topic).walk_over_topics(damping, TOLERANCE, MOST_ROUNDS)
        nearness = self._nearness()
        matrix = kernel.merged(nearness, self.topic, len(self))
        ROOM.give_back(nearness)
        return kernel.random_walk(matrix, len(self), damping, TOLERANCE, MOST_ROUNDS)

    def walk_over_candidates(self, factor: "array[float]", *, damping: float) -> "array[float]":
        """Return how often a walk visits each candidate; `factor` favours the first of each topic (Boudin, 2018)."""
        if self._large():
            from phrasemill.methods.nearness import LongText

            return LongText(self.candidates, self.topic).walk_over_candidates(factor, damping, TOLERANCE, MOST_ROUNDS)
        matrix = self._nearness()
        kernel.boost(matrix, self.topic, factor)
        ranks: array[float] = kernel.random_walk(matrix, len(self.candidates), damping, TOLERANCE, MOST_ROUNDS)
        ROOM.give_back(matrix)
        return ranks

    def _large(self) -> bool:
        return len(self.candidates.start) > MOST_PLACES and not is_long(self.candidates.analysis)

    def _nearness(self) -> "array[float]":
        """Return the matrix over candidates, in borrowed room that may be longer."""
        text = self.candidates.analysis
        widest = WIDEST if is_long(text) else len(text)
        columns = (self.candidates.first, self.candidates.start, self.candidates.end)
        room = ROOM.borrow()
        kernel.nearness(*columns, self.topic, widest, room)
        return room


def topic_candidates(analysis: Analysis) -> Candidates:
    """Return the runs of nouns and adjectives, only the most frequent ones of a long text."""
    candidates = noun_adjective_runs(analysis)
    if not is_long(analysis) or len(candidates) <= MOST_CANDIDATES:
        return candidates
    first = candidates.first
    counts = array("d", [after - before for before, after in pairwise(first)])
    return candidates.keep(sorted(islice(choice.Ranking(counts), MOST_CANDIDATES)))


def is_long(analysis: Analysis) -> bool:
    return len(analysis) > LONG


def find_topics(candidates: Candidates, *, similarity: float) -> Topics:
    """Cluster candidates whose stems overlap by at least `similarity` on average."""
    columns = (candidates.first, candidates.start, candidates.end, candidates.analysis.stem)
    return Topics(candidates, cluster(*columns, similarity))


def check_topics(similarity: float, damping: float) -> None:
    positive_share(similarity=similarity)
    check_damping(damping)
