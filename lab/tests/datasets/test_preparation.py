"""Appendix E of Yuan et al. (2020)."""

import pytest

from phrasemill.evaluation.policies import Policy
from phrasemill.types import Document
from phrasemill_lab.datasets.preparation import (
    lowercased,
    mask_digits,
    masked,
    ordered,
    segment,
    segmented,
    split_by_presence,
    without_empty_gold,
)


def document(*references: str | tuple[str, ...], **metadata: object) -> Document:
    text = "Neural networks learn. Deep learning of 3 graphs; graph-based rankings."
    return Document("d", text, "Ranking graphs", references=references, metadata=metadata)


def test_presence_is_by_stems_in_a_row() -> None:
    gold = split_by_presence(document("graph ranking", "network learning", "ranking", "neural network", "3 graph"))
    assert gold.present == ("ranking", "neural network", "network learning", "3 graph")
    assert gold.absent == ("graph ranking",)


def test_of_a_cluster_any_wording_counts_and_the_first_place() -> None:
    gold = split_by_presence(document("deep learning", ("nets", "neural networks"), ("a", "b")))
    assert gold.present == (("nets", "neural networks"), "deep learning")
    assert gold.absent == (("a", "b"),)


def test_another_policy() -> None:
    policy = Policy(presence="substring")
    assert split_by_presence(document("rank", "grap", "neural network"), policy=policy).present == (
        "rank",
        "grap",
        "neural network",
    )
    assert split_by_presence(document("neural nets"), policy=policy).absent == ("neural nets",)


def test_stemmed_gold_is_not_stemmed_again() -> None:
    made = document("deep learn", "rank graph", "ranking", stemmed=True)
    assert split_by_presence(made).present == ("rank graph", "deep learn")


def test_targets_are_ordered() -> None:
    made = ordered(document("zebra", "deep learning", "ant", "neural network", "ranking graph"))
    assert made.references == ("ranking graph", "neural network", "deep learning", "zebra", "ant")


def test_equal_places_keep_their_order() -> None:
    assert ordered(document("graphs", "graph")).references == ("graphs", "graph")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in 1998, 3.5 of b2b", "in <digit>, <digit>.<digit> of b2b"),
        ("<digit> and 7", "<digit> and <digit>"),
        ("x_1 5th ٣", "x_1 5th <digit>"),
        ("", ""),
    ],
)
def test_digits(text: str, expected: str) -> None:
    assert mask_digits(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("State-of-the-art (2.5%) methods, i.e. NLP/IR.", "State of the art ( 2 . 5 % ) methods , i . e . NLP IR ."),
        ("<digit> degenerate", "<digit> degenerate"),
        ("the user's\n text", "the user ' s text"),
    ],
)
def test_segments(text: str, expected: str) -> None:
    assert segment(text) == expected
    assert segment(expected) == expected


def test_all_of_a_document_is_rewritten_and_repeats_fall_away() -> None:
    made = masked(lowercased(segmented(document("Deep-Learning", "deep learning", ("3-D", "3 d"), "--"))))
    assert made.title == "ranking graphs"
    assert made.text == "neural networks learn . deep learning of <digit> graphs graph based rankings ."
    assert made.references == ("deep learning", "<digit> d")


def test_empty_gold_is_removed_lazily() -> None:
    def stream():  # type: ignore[no-untyped-def]
        yield document()
        yield document("a")
        raise AssertionError("read too far")

    assert next(without_empty_gold(stream())).references == ("a",)
