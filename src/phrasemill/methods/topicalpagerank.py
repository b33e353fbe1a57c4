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
from typing import ClassVar

from phrasemill.candidates import noun_phrases
from phrasemill.kernels import lda
from phrasemill.methods.wordgraph import DAMPING, WordGraph, WordGraphRanker
from phrasemill.statistics.topic_model import TopicModel, load_topics
from phrasemill.types import Analysis, Candidates

ROUNDS = 15  # enough for the mixture to settle to two digits


@dataclass(frozen=True, slots=True, repr=False)
class TopicalPageRank(WordGraphRanker):
    """Random walk that prefers words of the document's main topics.

    `window` is the longest distance, in words, at which two words are joined. `damping` is the probability that the
    walk follows an edge instead of jumping. `model` is a topic model, written by `phrasemill statistics fit --kind
    topics`, instead of the one of the package.
    """

    name: ClassVar[str] = "topicalpagerank"
    paper: ClassVar[str] = "Sterckx et al., 2015"
    needs: ClassVar[str] = "English"  # as the model that ships

    window: int = 10
    damping: float = DAMPING
    model: str | None = None

    def propose(self, analysis: Analysis) -> Candidates:
        return noun_phrases(analysis)

    def importance(self, words: WordGraph, analysis: Analysis) -> "array[float]":
        return topical_importance(analysis, words, load_topics(self.model))


def topical_importance(analysis: Analysis, words: WordGraph, model: TopicModel) -> "array[float]":
    """Return how well each node of the graph fits the document's topics; 0 for words that are not in the model."""
    stem_of = {node: stem for node, stem in zip(words.node, analysis.stem, strict=True) if node >= 0}
    counts = array("i", bytes(4 * words.nodes))
    for node in words.node:
        if node >= 0:
            counts[node] += 1
    known, probabilities, seen = [], array("d"), array("i")
    for node in range(words.nodes):
        row = model.probabilities(analysis.stems[stem_of[node]])
        if row is not None:
            known.append(node)
            probabilities.extend(row)
            seen.append(counts[node])
    result = array("d", bytes(8 * words.nodes))
    theta = lda.mixture(probabilities, seen, model.topics, ROUNDS)
    for node, fit in zip(known, lda.fits(probabilities, theta), strict=True):
        result[node] = fit
    return result
