"""Topics are described by keyphrases of their documents."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from phrasemill.errors import ConfigError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what its dependencies warn of when they are imported
    pytest.importorskip("bertopic", exc_type=ImportError)
    from bertopic import BERTopic

from phrasemill.integrations.bertopic import (
    KeyphraseRepresentation,
    KeyphraseVectorizer,
    TopicVectorizer,
    spaced,
    weighted,
)

KINDS = [
    "Salt water intrusion ruins wells on the coastal plain {}. Groundwater is pumped.",
    "Neural networks learn from data {}. A neural network has layers.",
]
DOCUMENTS = [KINDS[i % 2].format(i) for i in range(30)]
EMBEDDINGS = np.array([[i % 2 + 0.01 * i, 1 - i % 2, 0.5] for i in range(30)])


def topics(**parts: Any) -> dict[int, list[str]]:
    """The words of each topic of a small model, without an embedding model."""
    model = BERTopic(umap_model=PCA(2), hdbscan_model=KMeans(2, random_state=0), embedding_model=None, **parts)
    model.fit(DOCUMENTS, embeddings=EMBEDDINGS)
    return {topic: [word for word, _ in words if word] for topic, words in model.get_topics().items()}


def test_topics_are_described_by_keyphrases() -> None:
    described = topics(representation_model=KeyphraseRepresentation(words=3, documents=10, options={"top": 5}))
    assert {words[0] for words in described.values()} == {"Salt water intrusion", "Neural networks"}
    assert {len(words) for words in described.values()} == {3}


def test_topics_are_made_of_keyphrases_from_the_start() -> None:
    vectorizer = KeyphraseVectorizer(shortest=2, min_df=2).fit(DOCUMENTS)
    described = topics(vectorizer_model=TopicVectorizer(vectorizer))
    assert {words[0] for words in described.values()} == {"Salt water intrusion", "Neural networks"}
    assert {word for words in described.values() for word in words} <= set(vectorizer.get_feature_names_out())


def test_weights_are_class_based_tfidf() -> None:
    """By hand: topic 0 has `a` 3 of 4 times and `b` once, topic 1 `b` 2 of 2 times; on average 3 per topic."""
    counts = {0: {"a": {"A": 1.0, "a": 2.0}, "b": {"b": 1.0}}, 1: {"b": {"b": 2.0}}}
    found = weighted(counts, 2)
    assert [word for word, _ in found[0]] == ["a", "b"]
    assert found[0][0][1] == pytest.approx(3 / 4 * np.log(1 + 3 / 3))
    assert found[1] == [("b", pytest.approx(np.log(1 + 3 / 3)))]


def test_documents_are_evenly_spaced() -> None:
    assert spaced(list("abcdef"), 3) == ["a", "c", "e"]
    assert spaced(["a"], 3) == ["a"]


def test_a_representation_of_no_words_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        topics(representation_model=KeyphraseRepresentation(words=0))
