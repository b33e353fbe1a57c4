"""TopicRank (Bougouin, Boudin and Daille, "TopicRank: Graph-Based Topic Ranking for Keyphrase Extraction", IJCNLP
2013).

Candidates (runs of nouns and adjectives) that share a quarter of their stems or more are clustered into topics by
average linkage. Topics are the nodes of a complete graph whose edges weigh how close their candidates stand in the
text: one over the distance, summed over all pairs of places. A random walk ranks topics, and each is named by the
candidate of it that occurs first.

The paper clusters candidates at a similarity of 25 %; as in the authors' own code that is a cut at a distance of 0.74.
Of texts of more than `topics.LONG` tokens only the most frequent candidates are ranked, and places far apart are no
neighbours (`methods/topics.py`).
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.methods.topics import check_topics, find_topics, topic_candidates, widest
from phrasemill.methods.wordgraph import DAMPING
from phrasemill.ranker import Ranked, Ranker
from phrasemill.specs import AtMost
from phrasemill.types import NO_PLACES, Analysis, Places

SIMILARITY = 0.26


@dataclass(frozen=True, slots=True, repr=False)
class TopicRank(Ranker):
    """Random walk over topics, which are clusters of similar candidates.

    - `similarity`: candidates whose stems overlap by at least this much on average form one topic.
    - `damping`: the probability that the walk follows an edge instead of jumping.

    In texts of more than 50,000 tokens, only the 2,000 most frequent candidates are ranked, and only places at most
    1,000 tokens apart are neighbours.
    """

    name: ClassVar[str] = "topicrank"
    paper: ClassVar[str] = "Bougouin et al., 2013"
    needs: ClassVar[str] = "a tagger"

    similarity: Annotated[float, AtMost(1)] = SIMILARITY
    damping: Annotated[float, AtMost(1)] = DAMPING

    def __post_init__(self) -> None:
        check_topics(self.similarity, self.damping)

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        candidates = topic_candidates(analysis)
        topics = find_topics(candidates, self.similarity)
        return Ranked(candidates.keep(topics.firsts()), topics.walk_over_topics(self.damping, widest(analysis)))
