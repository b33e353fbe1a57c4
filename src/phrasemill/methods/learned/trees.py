"""Boosted trees as columns, to score rows of features, and to say which feature moved a score by how much."""

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from phrasemill.kernels import trees as kernel

DEPTH = kernel.DEPTH
INNER, LEAVES = 2**DEPTH - 1, 2**DEPTH
# The columns that trees share, with the letters of their types.
COLUMNS = {"feature": "B", "threshold": "f", "value": "f", "leaf": "f"}

Column = Any  # an array or a memoryview


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Some of the trees in the columns (kernels/trees.py). `value` is what a node would add if its tree ended there.

    Rows whose sum lies below `least` after `early` trees are left there: nobody will ask for them.
    """

    numbers: Column
    feature: Column
    threshold: Column
    value: Column
    leaf: Column
    early: int = 0
    least: float = -math.inf

    def predict(self, rows: "array[float]", width: int) -> "array[float]":
        """The log-odds of each row."""
        early = self.early or len(self.numbers)
        return kernel.predict(_ordered(rows), width, *_packed(self), early, self.least)

    def sound(self, width: int) -> bool:
        """Whether the columns fit together; kernels trust what they are given."""
        count = len(self.leaf) // LEAVES
        return (
            len(self.leaf) == count * LEAVES
            and len(self.feature) == len(self.threshold) == len(self.value) == count * INNER
            and all(0 <= number < count for number in self.numbers)
            and (not count or max(bytes(self.feature)) < width)
        )

    def contributions(self, row: Sequence[float]) -> tuple[float, list[float]]:
        """What the log-odds start from, and what each feature of `row` adds to them.

        Along the way of a row through a tree, each step changes the value of the node; the change belongs to the
        feature that the step asks for (Saabas, 2014).
        """
        start, added = 0.0, [0.0] * len(row)
        for number in self.numbers:
            inner, leaf = number * INNER, number * LEAVES - INNER
            place = 0
            start += self.value[inner]
            while place < INNER:
                feature, before = self.feature[inner + place], self.value[inner + place]
                place = 2 * place + 1 + (row[feature] > self.threshold[inner + place])
                after = self.value[inner + place] if place < INNER else self.leaf[leaf + place]
                added[feature] += after - before
        return start, added


@lru_cache(maxsize=16)
def _packed(trees: Trees) -> "tuple[array[int], array[int], array[float]]":
    """The columns as the kernel wants them, made when trees are first asked."""
    return kernel.packed(trees.numbers, trees.feature, _ordered(trees.threshold), trees.leaf)


def _ordered(floats: Column) -> "array[int]":
    """What the kernel compares in place of floats of 32 bits."""
    return kernel.ordered(memoryview(floats).cast("B").cast("I"))
