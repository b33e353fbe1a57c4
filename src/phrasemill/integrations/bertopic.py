"""Keyphrases as the words of BERTopic's topics (needs `pip install bertopic`).

    from phrasemill.integrations.bertopic import KeyphraseRepresentation, KeyphraseVectorizer, TopicVectorizer

    BERTopic(representation_model=KeyphraseRepresentation())
    BERTopic(vectorizer_model=TopicVectorizer(KeyphraseVectorizer(min_df=2).fit(documents)))

`KeyphraseRepresentation` replaces the words of a topic with keyphrases of its documents. `TopicVectorizer` makes
BERTopic count keyphrases instead of words from the start, so that everything that follows (topics over time,
hierarchies) uses them.

Both weight phrases as BERTopic does, by class-based TF-IDF (Grootendorst, 2022): a phrase gains weight with each
document of the topic that has it, and loses weight if other topics have it too. In `KeyphraseRepresentation` a phrase
also counts more if a document ranks it higher, with the discount of DCG (Järvelin and Kekäläinen, 2002).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from phrasemill.errors import ConfigError
from phrasemill.extractor import Extractor
from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked
from phrasemill.select import form_of
from phrasemill.sources import as_document

with requires("bertopic"):
    from bertopic.representation import BaseRepresentation
    from scipy.sparse import csr_matrix
    from sklearn.base import BaseEstimator

    from phrasemill.integrations.sklearn import KeyphraseVectorizer

__all__ = ["KeyphraseRepresentation", "KeyphraseVectorizer", "TopicVectorizer"]

Topics = Mapping[int, list[tuple[str, float]]]
Wordings = Mapping[str, float]


class KeyphraseRepresentation(BaseRepresentation):  # type: ignore[misc]
    """Describe each topic by keyphrases of its documents.

    At most `documents` of each topic are read, evenly spaced, and `words` keyphrases are kept per topic. `options` are
    those of `phrasemill.extract`.
    """

    def __init__(self, words: int = 10, documents: int = 200, options: Mapping[str, Any] | None = None) -> None:
        self.words = words
        self.documents = documents
        self.options = options

    def extract_topics(self, topic_model: object, documents: Any, c_tf_idf: object, topics: Topics) -> Topics:
        """Return the keyphrases of each topic with their weights; a topic without any keeps its words."""
        if self.words < 1 or self.documents < 1:
            raise ConfigError(f"words and documents must be at least 1, got {self.words} and {self.documents}")
        wanted = documents[documents["Topic"].isin(topics)]
        texts = {topic: spaced(list(rows), self.documents) for topic, rows in wanted.groupby("Topic")["Document"]}
        described = weighted(self._counts(texts), self.words)
        return {topic: described.get(topic) or list(words)[: self.words] for topic, words in topics.items()}

    def _counts(self, texts: Mapping[int, Sequence[str]]) -> dict[int, dict[str, dict[str, float]]]:
        """Return for each topic, by form, the wordings of its keyphrases and how much the documents count for each."""
        extractor = Extractor(**checked(self.options or {}))
        counts: dict[int, dict[str, dict[str, float]]] = {}
        for topic, own in texts.items():
            counts[topic] = defaultdict(lambda: defaultdict(float))
            for text in own:
                document = as_document(text, extractor.language)
                for rank, one in enumerate(extractor.find(document), start=1):
                    counts[topic][form_of(one.text, document.language)][one.text] += 1 / math.log2(1 + rank)
        return counts


class TopicVectorizer(BaseEstimator):  # type: ignore[misc]
    """Use a fitted `KeyphraseVectorizer` as BERTopic's vectoriser: it counts the keyphrases that it has learned, and
    learns no more.

    BERTopic fits its vectoriser to the joined documents of a topic, without punctuation, in which keyphrases are hard
    to find. Here the keyphrases come from the original documents, and only their counts from BERTopic's input.
    """

    def __init__(self, vectorizer: KeyphraseVectorizer) -> None:
        self.vectorizer = vectorizer

    def fit(self, raw_documents: Iterable[str], y: object = None) -> "TopicVectorizer":
        """Return the vectoriser unchanged."""
        return self

    def fit_transform(self, raw_documents: Iterable[str], y: object = None) -> csr_matrix:
        """Return counts of the learned keyphrases, one row per text."""
        return self.transform(raw_documents)

    def transform(self, raw_documents: Iterable[str]) -> csr_matrix:
        """Return counts of the learned keyphrases, one row per text."""
        return self.vectorizer.transform(raw_documents)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the wording of each column."""
        return self.vectorizer.get_feature_names_out()


def spaced(items: Sequence[str], most: int) -> list[str]:
    """Return at most `most` of the items, evenly spaced."""
    if len(items) <= most:
        return list(items)
    return [items[i * len(items) // most] for i in range(most)]


def weighted(counts: Mapping[int, Mapping[str, Wordings]], most: int) -> dict[int, list[tuple[str, float]]]:
    """Return the heaviest phrases of each topic, in their most common wording, by class-based TF-IDF."""
    totals = {topic: {form: sum(seen.values()) for form, seen in forms.items()} for topic, forms in counts.items()}
    everywhere: dict[str, float] = defaultdict(float)
    for own in totals.values():
        for form, total in own.items():
            everywhere[form] += total
    average = sum(everywhere.values()) / max(len(counts), 1)
    described = {}
    for topic, own in totals.items():
        every = sum(own.values())
        weights = {form: total / every * math.log(1 + average / everywhere[form]) for form, total in own.items()}
        best = sorted(weights, key=lambda form: (-weights[form], form))[:most]
        described[topic] = [(_usual(counts[topic][form]), weights[form]) for form in best]
    return described


def _usual(wordings: Wordings) -> str:
    return min(wordings, key=lambda wording: (-wordings[wording], wording))
