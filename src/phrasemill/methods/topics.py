"""The topics of a document's candidates: what TopicRank and MultipartiteRank share.

Pairs of candidates and of places multiply with the length of a text. So texts of more than LONG tokens have rules that
keep time in proportion to it: only the MOST_CANDIDATES candidates that occur most often are ranked, of those that occur
equally often the earlier ones, and only places that start at most WIDEST tokens apart are neighbours.
"""

from array import array
from itertools import islice, pairwise

from phrasemill.candidates import noun_adjective_runs
from phrasemill.kernels import choice, topics
from phrasemill.methods.parameters import positive_share
from phrasemill.methods.wordgraph import check_damping
from phrasemill.types import Analysis, Candidates

LONG = 50_000
MOST_CANDIDATES = 2000
WIDEST = 1000


def topic_candidates(analysis: Analysis) -> Candidates:
    """Return the runs of nouns and adjectives, only the most frequent ones of a long text."""
    candidates = noun_adjective_runs(analysis)
    if len(analysis) <= LONG or len(candidates) <= MOST_CANDIDATES:
        return candidates
    counts = array("d", [after - before for before, after in pairwise(candidates.first)])
    return candidates.keep(sorted(islice(choice.Ranking(counts), MOST_CANDIDATES)))


def widest(analysis: Analysis) -> int:
    """Return within how many tokens places are neighbours."""
    return WIDEST if len(analysis) > LONG else len(analysis)


def find_topics(candidates: Candidates, similarity: float) -> topics.Topics:
    """Cluster candidates whose stems overlap by at least `similarity` on average."""
    return topics.Topics(candidates.view, topics.cluster(candidates.view, similarity))


def check_topics(similarity: float, damping: float) -> None:
    positive_share(similarity=similarity)
    check_damping(damping)
