"""Fayyad and Irani's cuts against their definition, spelled out."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.training.kea import cuts, learn

np = pytest.importorskip("numpy")


def entropy(labels: list[bool]) -> float:
    shares = [labels.count(kind) / len(labels) for kind in set(labels)]
    return -sum(share * math.log2(share) for share in shares)


def naive(pairs: list[tuple[int, bool]]) -> list[float]:
    """The rule, as the paper states it; values are whole numbers."""
    pairs = sorted(pairs, key=lambda pair: pair[0])
    labels = [label for _, label in pairs]
    total = len(pairs)
    best: tuple[float, int] | None = None
    for at in range(1, total):
        if pairs[at - 1][0] != pairs[at][0]:
            mixed = (at * entropy(labels[:at]) + (total - at) * entropy(labels[at:])) / total
            if best is None or mixed < best[0] - 1e-12:
                best = mixed, at
    if best is None:
        return []
    mixed, at = best
    left, right = labels[:at], labels[at:]
    kinds, kinds_left, kinds_right = (len(set(part)) for part in (labels, left, right))
    delta = math.log2(3**kinds - 2) - (
        kinds * entropy(labels) - kinds_left * entropy(left) - kinds_right * entropy(right)
    )
    if entropy(labels) - mixed <= (math.log2(total - 1) + delta) / total:
        return []
    return [*naive(pairs[:at]), (pairs[at - 1][0] + pairs[at][0]) / 2, *naive(pairs[at:])]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=1, max_size=80))
def test_the_rule(pairs: list[tuple[int, bool]]) -> None:
    values = np.array([float(value) for value, _ in pairs])
    labels = np.array([label for _, label in pairs])
    assert cuts(values, labels) == naive(pairs)


def test_a_clear_border_is_found_and_noise_is_not_cut() -> None:
    values = np.arange(100.0)
    assert cuts(values, values >= 60) == [59.5]
    assert cuts(values, values % 2 == 0) == []


def test_counts_of_the_ranges() -> None:
    bayes = learn([[*range(100)]], [value >= 60 for value in range(100)])
    assert (bayes.cuts, bayes.yes, bayes.no) == (((59.5,),), ((0, 40),), ((60, 0),))
