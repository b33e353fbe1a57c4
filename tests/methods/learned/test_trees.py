"""Trees are walked one step after the other, and mixed by the shares of styles."""

import math
from array import array
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phrasemill.kernels.trees import DEPTH, Trees, ordered

from phrasemill.methods.learned.background import WIDTH, WORDS
from phrasemill.methods.learned.trees import BEST, LEAST, TOGETHER, BoostedTrees, StyledTrees
from phrasemill.training.trees import TreeColumns

NODES = 2**DEPTH
repeatable = settings(deadline=None, derandomize=True, max_examples=60)
NUMBERS = st.floats(width=32, allow_nan=False) | st.sampled_from([0.0, -0.0, math.inf, -math.inf])


@given(st.lists(NUMBERS, min_size=2, max_size=2))
@repeatable
def test_whole_numbers_in_the_order_of_floats(pair: list[float]) -> None:
    a, b = ordered(array("f", pair))
    assert ((a < b), (a == b)) == ((pair[0] < pair[1]), (pair[0] == pair[1]))


def trees(dice: Random, width: int, count: int, stops: tuple[tuple[int, float], ...] = ()) -> BoostedTrees:
    columns = (
        array("B", [dice.randrange(width) for _ in range(4 * (NODES - 1))]),
        array("f", [dice.choice([-1.0, 0.0, 0.25, math.inf]) for _ in range(4 * (NODES - 1))]),
        array("f", bytes(4 * 4 * (NODES - 1))),
        array("f", [dice.uniform(-1, 1) for _ in range(4 * NODES)]),
    )
    return BoostedTrees(array("i", [dice.randrange(4) for _ in range(count)]), *columns, stops)


def naive(forest: BoostedTrees, row: list[float]) -> float:
    total, stops = 0.0, dict(forest.stops)
    for done, number in enumerate(forest.numbers):
        if total < stops.get(done, -math.inf):
            break
        place = 0
        while place < NODES - 1:
            node = number * (NODES - 1) + place
            place = 2 * place + 1 + (row[forest.feature[node]] > forest.threshold[node])
        total += forest.leaf[number * NODES + place - (NODES - 1)]
    return total


@given(st.randoms(use_true_random=False), st.integers(0, 40), st.integers(0, 9), st.integers(0, 20))
@repeatable
def test_trees_are_walked_one_step_after_the_other(dice: Random, count: int, rows: int, early: int) -> None:
    forest = trees(dice, 3, count, ((early, 0.1), (early + 9, 0.3)))
    values = [[dice.choice([-2.0, -0.0, 0.0, 0.2, 0.3, 7.0]) for _ in range(3)] for _ in range(rows)]
    found = Trees(forest.numbers, forest.feature, forest.threshold, forest.leaf, forest.stops)
    expected = [naive(forest, row) for row in values]
    assert list(found.sums(array("f", [one for row in values for one in row]), 3)) == expected


class Given:
    """Rows that are there already."""

    def __init__(self, values: list[list[float]]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def some(self, begin: int, end: int) -> "array[float]":
        return array("f", [one for row in self.values[begin:end] for one in row])


@pytest.mark.parametrize("count", [0, 1, 40, TOGETHER + 3])
@pytest.mark.parametrize("same", [0, 9, 17, 200])
def test_styles_of_a_small_share_count_for_the_best(count: int, same: int) -> None:
    """They may begin with as many of the same trees; sums are calculated as often as it takes."""
    dice = Random(count)
    own = trees(dice, WIDTH, 60 + same)
    stops = {"a": ((5, -0.3), (9, -0.3)), "b": ((5, -9.0), (9, 0.5)), "c": (), "d": ((9, 0.9),)}
    styles = {
        name: replace(
            own, numbers=own.numbers[:same] + own.numbers[same + 4 * i : same + 20 + 4 * i], stops=stops[name]
        )
        for i, name in enumerate("abcd")
    }
    mixed = StyledTrees(styles, {"a": (1.5, -0.5), "b": (0.5, 0.0), "c": (2.0, 1.0), "d": (1.0, 0.2)}, WIDTH)
    shares = {"a": 0.47, "b": 0.23, "c": 0.11, "d": LEAST - 0.01}
    values = [[dice.choice([-1.0, 0.1, 0.2, 3.0]) for _ in range(WIDTH)] for _ in range(count)]
    for c, row in enumerate(values):
        row[WORDS] = float(c % 7 > 0)  # 0 in the list of references

    def chance(style: str, row: list[float]) -> float:
        slope, offset = mixed.calibration[style]
        return (
            shares[style] * (1 / (1 + math.exp(-(slope * naive(styles[style], row) + offset)))) if row[WORDS] else 0.0
        )

    expected = [chance("a", row) + chance("b", row) for row in values]
    for c in sorted(range(count), key=lambda c: -expected[c])[:BEST]:
        expected[c] += chance("c", values[c]) + chance("d", values[c])
    assert mixed.probabilities(Given(values), shares).tolist() == expected


def test_trees_of_a_booster_are_complete() -> None:
    # if x0 <= 1: (if x1 <= 5: 10 else 20) else 30;   and a tree that is one leaf, 0.5
    def leaf(value: float) -> dict[str, float]:
        return {"leaf_value": value}

    inner = {"split_feature": 1, "threshold": 5.0, "internal_value": 15.0}
    inner |= {"left_child": leaf(10), "right_child": leaf(20)}
    whole = {"split_feature": 0, "threshold": 1.0, "internal_value": 17.0, "left_child": inner, "right_child": leaf(30)}

    class Booster:
        def dump_model(self, num_iteration: int | None = None) -> object:
            return {"tree_info": [{"tree_structure": whole}, {"tree_structure": leaf(0.5)}]}

    made = TreeColumns()
    forest = made.trees(made.add(Booster()))
    assert list(forest.predict(array("f", [1, 5, 1, 6, 2, 0]), 2)) == [10.5, 20.5, 30.5]
    assert forest.contributions([1, 6]) == (17.5, [-2.0, 5.0])
    assert forest.sound(2)
    assert not forest.sound(1)
