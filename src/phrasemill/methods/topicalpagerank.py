"""Topical PageRank in one walk (Sterckx, Demeester, Deleu and Develder, "Topical Word Importance for Fast Keyphrase
Extraction", WWW 2015), after Liu et al., "Automatic Keyphrase Extraction via Topic Decomposition", EMNLP 2010.

SingleRank whose jumps prefer words that fit the document's topics: a word is jumped to in proportion to the cosine
between P(word | topics) and P(topics | document), under a topic model. Candidates are noun phrases (adjectives, then
nouns), scored by the sum of their words.

The topic model is our own, small (50 topics, 8,000 stems), fitted to scientific abstracts and some news; words that
are not in it are not jumped to. The papers train on Wikipedia or the target collection.
"""

from array import array
from dataclasses import dataclass
from typing import Annotated, ClassVar

from phrasemill.candidates import noun_phrases
from phrasemill.kernels.graph import Words
from phrasemill.methods.wordgraph import DAMPING, WordGraphRanker
from phrasemill.specs import AtMost
from phrasemill.statistics.topic_model import PROBABILITY, load_topics
from phrasemill.types import Analysis, Candidates

ROUNDS = 15  # enough for the mixture to settle to two digits


@dataclass(frozen=True, slots=True, repr=False)
class TopicalPageRank(WordGraphRanker):
    """Random walk that prefers words of the document's main topics.

    - `window`: the longest distance, in words, at which two words are linked.
    - `damping`: the probability that the walk follows an edge instead of jumping.
    - `model`: a topic model written by `phrasemill statistics fit --kind topics`, instead of the one in the
      package.
    """

    name: ClassVar[str] = "topicalpagerank"
    paper: ClassVar[str] = "Sterckx et al., 2015"
    needs: ClassVar[str] = "English"  # as the model that ships

    window: Annotated[int, AtMost(1_000)] = 10
    damping: Annotated[float, AtMost(1)] = DAMPING
    model: str | None = None

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_phrases(analysis)

    def importance(self, words: Words, analysis: Analysis) -> "array[float]":
        model = load_topics(self.model)
        found: array[float] = words.fits(model.index, model.levels, PROBABILITY, model.topics, ROUNDS)
        return found
