"""The papers' columns, on documents small enough to count by hand."""

import pytest

from phrasemill.types import Document
from phrasemill_lab.datasets.statistics import Counting, describe


def test_by_hand() -> None:
    documents = [
        Document("1", "graph theory is fun", "Graphs", references=("graph theory", "logic", "Logic")),
        Document("2", "nothing", references=(("tree", "acyclic graph", "graph tree"),), metadata={"topic": "x"}),
        Document("3", "no gold here", metadata={"topic": "x"}),
    ]
    made = describe(documents)
    assert (made.documents, made.keyphrases, made.wordings, made.unique, made.repeated) == (3, 4, 6, 3, 1)
    assert made.mean == pytest.approx(4 / 3)
    assert made.variance == pytest.approx(14 / 9)
    assert (made.present, made.absent, made.present_documents, made.absent_documents) == (1, 3, 1, 2)
    assert made.present_share == 0.25
    assert made.absent_mean == 1.0
    assert made.without_gold == 1
    assert made.text_words.mean == pytest.approx((5 + 1 + 3) / 3)
    assert made.phrase_words.mean == 1.25
    assert made.clusters == 1
    assert (made.cluster_size.mean, made.cluster_stems.mean) == (3.0, 3 / 5)
    assert made.categories == {"x": 2}


def test_nothing_gives_zeros() -> None:
    made = describe([])
    assert (made.documents, made.mean, made.variance, made.present_share, made.absent_mean) == (0, 0.0, 0.0, 0.0, 0.0)


def test_a_topic_without_text_is_neither_present_nor_absent() -> None:
    made = describe([Document("t", "", references=("a", "b"))])
    assert (made.keyphrases, made.present, made.absent) == (2, 0, 0)


def test_counting_on_the_way() -> None:
    counting = Counting()
    documents = [Document("1", "a b", references=("a",))]
    assert list(counting.over(documents)) == documents
    assert counting.statistics == describe(documents)
