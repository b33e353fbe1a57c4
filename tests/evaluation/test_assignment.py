"""Predictions and gold keyphrases are assigned to each other as well as can be, for every cut at once."""

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.evaluation.matching import MISS, NOTHING, Match, assign, match_vectors

pytestmark = pytest.mark.slow

GAINS = st.lists(st.dictionaries(st.integers(0, 4), st.integers(1, 4), max_size=4), max_size=5)


def naive(gains: Sequence[Mapping[int, int]]) -> tuple[int, int]:
    """The most that can be matched and, with so many, the greatest sum of gains, by trying everything."""
    best = (0, 0)
    for order in permutations([*range(5), *[None] * len(gains)], len(gains)):
        used = [(p, gold) for p, gold in enumerate(order) if gold is not None]
        if all(gold in gains[p] for p, gold in used):
            best = max(best, (len(used), sum(gains[p][gold] for p, gold in used)))
    return best


@settings(deadline=None)
@given(GAINS)
def test_every_beginning_is_matched_as_well_as_can_be(gains: list[dict[int, int]]) -> None:
    found = assign(gains)
    taken = [gold for gold in found if gold is not None]
    assert len(set(taken)) == len(taken), "nothing is found twice"
    assert all(gold is None or gold in gains[p] for p, gold in enumerate(found))
    for cut in range(len(gains) + 1):
        assert sum(gold is not None for gold in found[:cut]) == naive(gains[:cut])[0]
        before = assign(gains[:cut])
        assert [gold is None for gold in before] == [gold is None for gold in found[:cut]], "the rest does not matter"


@settings(deadline=None)
@given(GAINS)
def test_of_all_matchings_of_these_predictions_it_gains_most(gains: list[dict[int, int]]) -> None:
    found = assign(gains)
    matched = [p for p, gold in enumerate(found) if gold is not None]
    total = sum(gains[p][found[p]] for p in matched)  # type: ignore[index]
    assert (len(matched), total) == naive([gains[p] for p in matched])


def table(rows: Sequence[Sequence[float]]) -> object:
    return lambda phrases, others: np.array(rows, dtype=float).reshape(len(phrases), len(others))


def test_one_makes_room_for_another() -> None:
    near = table([[0.9, 0.85], [0.95, 0.1]])
    assert match_vectors(["a", "b"], [("x",), ("y",)], near, threshold=0.8) == [Match(1, 1.0), Match(0, 1.0)]


def test_a_second_prediction_of_the_same_meaning_earns_nothing() -> None:
    near = table([[0.9], [0.95], [0.7]])
    assert match_vectors(["a", "b", "c"], [("x",)], near, threshold=0.8) == [Match(0, 1.0), Match(0, 0.0), MISS]
    assert match_vectors(["a", "b", "c"], [("x",)], near, threshold=0.8, again=True) == [Match(0, 1.0)] * 2 + [MISS]


def test_equal_words_mean_the_same_and_repeats_earn_nothing() -> None:
    near = table([[0.0, 0.0], [0.0, 0.0]])
    assert match_vectors(["x", "x"], [("x",), ("x",)], near, threshold=0.8) == [Match(0, 1.0), Match(0, 0.0)]


def test_any_wording_of_a_cluster_is_found_once() -> None:
    near = table([[0.1, 0.9, 0.1], [0.9, 0.1, 0.1]])
    found = match_vectors(["a", "b"], [("x", "y"), ("z",)], near, threshold=0.8)
    assert [match.credit for match in found] == [1, 0]


def test_nothing_to_match() -> None:
    assert match_vectors([], [("x",)], table([]), threshold=0.8) == []
    assert [match.gold for match in match_vectors(["a"], [], table([[]]), threshold=0.8)] == [NOTHING]
