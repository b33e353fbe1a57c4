"""What marks a set out from another, against values worked out by hand or by SciPy's own tests."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phrasemill as pm
from document_sets import CHESS, FLOOD
from phrasemill.sets import GrowingSet
from phrasemill.sets.contrast import corrected, fisher, log_ratio
from phrasemill.types import Document


def test_the_score_is_how_many_times_as_common_at_least() -> None:
    many = [f"Salt water rises in well {i}." for i in range(40)]
    others = [f"The bakery sells loaf {i}." for i in range(37)] + many[:3]
    [water] = [one for one in pm.extract_set(many, against=others, top="all") if one.text == "Salt water"]
    contrast = water.contrast
    assert contrast is not None and contrast.significant and water.to_dict()["significant"] is True
    assert contrast.ratio == pytest.approx((40.5 / 40.5) / (3.5 / 40.5))
    assert 3 < water.score < contrast.ratio
    assert pm.extract_set(many, against=others, top=1).notes == ()
    few = pm.extract_set(FLOOD, against=CHESS)
    scores = [one.score for one in few]
    assert few and all(score > 0 for score in scores) and scores == sorted(scores, reverse=True)
    for one in few:
        assert one.contrast and one.contrast.effect > 0 and one.contrast.p <= one.contrast.q <= 1
        assert (one.contrast.other_documents, one.contrast.other_total) == (0, 2)
        assert one.to_dict()["effect"] == one.contrast.effect and not set(one.sources) & {"chess-1", "chess-2"}


def test_a_comparison_of_few_documents_says_that_nothing_is_significant() -> None:
    found = pm.extract_set(FLOOD, against=[*CHESS, CHESS[0].text])
    assert not any(one.contrast and one.contrast.significant for one in found)
    assert found.notes == (
        "none of these differences is significant: with 3 and 3 documents, each may be chance (q > 0.05)",
    )


def test_a_set_does_not_differ_from_itself() -> None:
    found = pm.extract_set(FLOOD, against=FLOOD, method="positionrank")
    assert found == []
    assert found.notes == ("no phrase is more common than in the other set, which has the same documents",)
    copies = [Document(f"copy of {d.id}", d.text, d.title) for d in FLOOD]
    notes = pm.extract_set(FLOOD[:1], against=[*copies, *FLOOD[:1]], method="positionrank").notes
    assert notes[0] == "of the other set, 1 of 4 documents is a duplicate: each text counts once"


def test_against_nothing_and_nothing_against() -> None:
    found = pm.extract_set(FLOOD, against=[], method="positionrank")
    assert all(phrase.contrast and phrase.contrast.p == 1 for phrase in found)
    assert pm.extract_set([], against=FLOOD) == []


def test_a_set_for_comparison_has_no_keyphrases_of_its_own() -> None:
    other = GrowingSet(CHESS, compared=True)
    with pytest.raises(pm.ConfigError, match="comparison"):
        other.extract()


@given(st.integers(0, 12), st.integers(0, 9), st.integers(1, 12), st.integers(1, 9))
def test_fisher_counts_tables(a: int, b: int, own: int, other: int) -> None:
    a, b = min(a, own), min(b, other)
    ways = {x: math.comb(own, x) * math.comb(other, a + b - x) for x in range(a + b + 1)}
    at_least = sum(count for x, count in ways.items() if x >= a)
    assert fisher(a, b, own, other) == pytest.approx(at_least / sum(ways.values()))


def test_the_effect_is_a_ratio_of_shares() -> None:
    effect, error = log_ratio(199, 99, 999, 999)
    assert effect == pytest.approx(math.log2(199.5 / 99.5))
    assert error > 0
    assert log_ratio(5, 5, 10, 10)[0] == 0


def test_benjamini_and_hochberg() -> None:
    assert corrected([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])
    assert corrected([]) == []
