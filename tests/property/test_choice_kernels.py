"""Floats as whole numbers, and the walk through trees, beside naive code."""

import math
from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.kernels import trees

repeatable = settings(deadline=None, derandomize=True, max_examples=60)
SINGLE = st.floats(width=32, allow_nan=False)
NODES = 2**trees.DEPTH


def bits(floats: "array[float]") -> memoryview:
    return memoryview(floats).cast("B").cast("I")


@given(st.lists(SINGLE | st.sampled_from([0.0, -0.0, math.inf, -math.inf]), min_size=2, max_size=2))
@repeatable
def test_whole_numbers_in_the_order_of_floats(pair: list[float]) -> None:
    a, b = trees.ordered(bits(array("f", pair)))
    assert ((a < b), (a == b)) == ((pair[0] < pair[1]), (pair[0] == pair[1]))


@given(st.randoms(use_true_random=False), st.integers(0, 19), st.integers(0, 9), st.integers(0, 20))
@repeatable
def test_trees_are_walked_one_step_after_the_other(dice, count: int, rows: int, early: int) -> None:
    width, numbers = 3, array("i", [dice.randrange(4) for _ in range(count)])
    feature = array("B", [dice.randrange(width) for _ in range(4 * (NODES - 1))])
    threshold = array("f", [dice.choice([-1.0, 0.0, 0.25, math.inf]) for _ in range(4 * (NODES - 1))])
    leaf = array("f", [dice.uniform(-1, 1) for _ in range(4 * NODES)])
    values = array("f", [dice.choice([-2.0, -0.0, 0.0, 0.2, 0.3, 7.0]) for _ in range(rows * width)])
    expected = []
    for row in range(rows):
        total = 0.0
        for done, number in enumerate(numbers):
            if done == early and total < 0.1:
                break
            place = 0
            while place < NODES - 1:
                node = number * (NODES - 1) + place
                place = 2 * place + 1 + (values[row * width + feature[node]] > threshold[node])
            total += leaf[number * NODES + place - (NODES - 1)]
        expected.append(total)
    packed = trees.packed(numbers, feature, bits(threshold), leaf, array("i", [early]))
    found = trees.predict(bits(values), width, *packed, array("d", [0.1]))
    assert found.tolist() == expected
