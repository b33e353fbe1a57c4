"""The merging of Shapira et al. (2021), by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.sets.merge import (
    drop_contained,
    merge_lists,
    occurring,
    phrase_score,
    word_scores,
)

RIVERS = [
    "Salt water moves inland where pumps draw groundwater.",
    "Groundwater pumps supply the farms of the valley.",
    "The valley floods in spring; farms stand in salt water.",
]


def test_words_score_the_share_of_documents() -> None:
    assert word_scores([{"salt", "water"}, {"salt"}]) == {"salt": 1.0, "water": 0.5}


def test_summaries_are_averaged_in_and_add_no_words() -> None:
    scores = word_scores([{"salt", "water"}, {"salt"}], [{"water", "tide"}])
    assert scores == {"salt": 0.5, "water": 0.75}


def test_phrases_score_the_mean_of_their_words() -> None:
    assert phrase_score("salt water", {"salt": 1.0, "water": 0.5}) == 0.75
    assert phrase_score("salt tide", {"salt": 1.0}) == 0.5
    assert phrase_score("", {}) == 0.0


def test_the_longer_stays_and_order_does_not_matter() -> None:
    assert drop_contained(["flight train", "routin train flight", "crew"]) == ["routin train flight", "crew"]


def test_of_equals_the_earlier_stays() -> None:
    assert drop_contained(["train flight", "flight train"]) == ["train flight"]


def test_phrases_that_do_not_occur_are_dropped() -> None:
    assert occurring(["salt water", "water salt"], ["the salt water"]) == ["salt water"]


def test_the_whole_merge() -> None:
    lists = [["salt water", "pumps"], ["Groundwater pumps", "pump"], ["Salt Water", "the moon"]]
    merged = merge_lists(lists, RIVERS)
    assert [m.text for m in merged] == ["salt water", "Groundwater pumps"]
    assert merged[0].score == pytest.approx(2 / 3)


def test_no_documents_and_no_phrases() -> None:
    assert merge_lists([], []) == []
    assert merge_lists([["salt"]], []) == []


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), unique=True))
def test_nothing_kept_is_contained_and_nothing_dropped_is_not(forms: list[str]) -> None:
    kept = drop_contained(forms)
    words = {form: set(form.split()) for form in forms}
    for form in forms:
        longer = [
            other
            for other in forms
            if other != form
            and words[form] <= words[other]
            and (len(other.split()), -forms.index(other)) > (len(form.split()), -forms.index(form))
        ]
        assert (form in kept) == (not longer)
