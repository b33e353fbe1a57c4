"""MultipartiteRank (Boudin, "Unsupervised Keyphrase Extraction with Multipartite Graphs", NAACL 2018).

TopicRank's topics, but the nodes are the candidates: each is joined to all candidates of other topics, by how close
they stand in the text. Edges into the first candidate of a topic gain what binds their source to the topic's other
candidates, times alpha * exp(1 / (1 + position of the source)), so that early candidates stand for their topic. A
random walk ranks candidates.

The formula is the paper's; the author's own code takes the position of the target in place of the source.
"""

from array import array
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.methods.parameters import at_least
from phrasemill.methods.topicrank import SIMILARITY
from phrasemill.methods.topics import check_topics, find_topics, topic_candidates, widest
from phrasemill.methods.wordgraph import DAMPING
from phrasemill.ranker import Ranker
from phrasemill.specs import AtMost
from phrasemill.types import Analysis, Candidates


@dataclass(frozen=True, slots=True, repr=False)
class MultipartiteRank(Ranker):
    """Random walk over candidates that links different topics and favours early candidates.

    - `similarity`: candidates whose stems overlap by at least this much on average form one topic.
    - `alpha`: the extra weight of the first candidate of a topic.
    - `damping`: the probability that the walk follows an edge instead of jumping.

    In texts of more than 50,000 tokens, the limits of `topicrank` apply.
    """

    name: ClassVar[str] = "multipartiterank"
    paper: ClassVar[str] = "Boudin, 2018"
    needs: ClassVar[str] = "a tagger"

    similarity: Annotated[float, AtMost(1)] = SIMILARITY
    alpha: Annotated[float, AtMost(1_000)] = 1.1
    damping: Annotated[float, AtMost(1)] = DAMPING

    def __post_init__(self) -> None:
        check_topics(self.similarity, self.damping)
        at_least(0, alpha=self.alpha)

    def propose(self, analysis: Analysis) -> Candidates:
        return topic_candidates(analysis)

    def score(self, candidates: Candidates) -> "array[float]":
        topics = find_topics(candidates, self.similarity)
        distance = widest(candidates.analysis)
        found: array[float] = topics.walk_over_candidates(self.alpha, self.damping, distance)
        return found
