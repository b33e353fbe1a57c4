"""Boosted trees as columns: they score rows of features and give the contribution of each feature to a score.

All styles share one set of columns; each style has the numbers of its trees in them, and the line that turns the sum of
their leaves into log-odds.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from phrasemill.kernels.choice import Ranking
from phrasemill.kernels.trees import DEPTH, Trees, Walkers
from phrasemill.methods.learned.background import WORDS

INNER, LEAVES = 2**DEPTH - 1, 2**DEPTH
# The columns that trees share, with the letters of their types.
COLUMNS = {"feature": "B", "threshold": "f", "value": "f", "leaf": "f"}
PREFIX = "trees."
LEAST = 0.2  # the share of a style from which all candidates are scored in it; the others take time and decide little
BEST = 16  # candidates that are scored in styles of less
TOGETHER = 1024  # rows that are made and scored at a time: these stay in a processor's cache

Column = Any  # an array or a memoryview


class Rows(Protocol):
    """The numbers that describe candidates, a row each, made when they are asked for."""

    def __len__(self) -> int: ...

    def some(self, begin: int, end: int) -> "array[float]":
        """Return the rows `begin` to `end` (exclusive), one after the other."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """Some of the trees in the columns (kernels/trees.py). `value` is what a node would add if its tree ended there.

    Rows whose sum is below a bound after some of the trees stop there: they are not among the best of a text. `stops`
    has the number of trees and the bound of each such point.
    """

    numbers: Column
    feature: Column
    threshold: Column
    value: Column
    leaf: Column
    stops: tuple[tuple[int, float], ...] = ()
    _packed: Trees = field(default=None, init=False, repr=False)

    @property
    def packed(self) -> Trees:
        """The trees as the kernel takes them, made on first use."""
        if self._packed is None:
            trees = Trees(self.numbers, self.feature, self.threshold, self.leaf, self.stops)
            object.__setattr__(self, "_packed", trees)
        return self._packed

    def predict(self, rows: "array[float]", width: int) -> "array[float]":
        """Return the sum of leaves of each row."""
        return self.packed.sums(rows, width)

    def sound(self, width: int) -> bool:
        """Return whether the columns fit together; kernels do not check."""
        count = len(self.leaf) // LEAVES
        return (
            memoryview(self.numbers).format == "i"
            and len(self.leaf) == count * LEAVES
            and len(self.feature) == len(self.threshold) == len(self.value) == count * INNER
            and all(0 <= number < count for number in self.numbers)
            and not bytes(self.feature).translate(None, bytes(range(width)))  # none but those below the width
        )

    def contributions(self, row: Sequence[float]) -> tuple[float, list[float]]:
        """Return the sum without any feature, and what each feature of `row` adds to it.

        On the way of a row through a tree, each step changes the value of the node; the change is credited to the
        feature that the step compares (Saabas, 2014).
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


@dataclass(frozen=True, slots=True, eq=False)
class StyledTrees:
    """The trees of each style, over rows of `width` numbers, and the line that makes log-odds of their sums."""

    styles: Mapping[str, BoostedTrees]
    calibration: Mapping[str, tuple[float, float]]
    width: int

    def probabilities(self, rows: Rows, mixture: Mapping[str, float]) -> "array[float]":
        """Return how likely each candidate is to be chosen as a keyphrase, over styles with these shares; in styles of
        a small share, only the best of the others are scored."""
        chances = array("d", bytes(8 * len(rows)))
        least = min(LEAST, max(mixture.values()))
        trees = {style: self.styles[style]._packed or self.styles[style].packed for style in mixture}
        parts = [(trees[style], *self.calibration[style], share) for style, share in mixture.items()]
        decisive = [part for part in parts if part[-1] >= least]
        for begin in range(0, len(rows), TOGETHER):
            some = Walkers(rows.some(begin, min(begin + TOGETHER, len(rows))), self.width)
            some.add_chances(decisive, WORDS, begin, chances)
        if len(decisive) < len(parts) and len(rows):
            best, more = list(islice(Ranking(chances), BEST)), array("d", bytes(8 * BEST))
            if len(rows) > TOGETHER:
                few = Walkers(array("f", b"".join([rows.some(c, c + 1).tobytes() for c in best])), self.width)
            else:
                few = some.only(best)
            few.add_chances([part for part in parts if part[-1] < least], WORDS, 0, more)
            for c, chance in zip(best, more, strict=False):
                chances[c] += chance
        return chances

    def columns(self, style_prefix: str) -> dict[str, "array[Any]"]:
        """Return the columns of a file: those that all trees share, and the tree numbers of each style."""
        some = next(iter(self.styles.values()))
        shared = {PREFIX + name: copied(letter, getattr(some, name)) for name, letter in COLUMNS.items()}
        return shared | {style_prefix + style: copied("i", trees.numbers) for style, trees in self.styles.items()}

    def settings(self) -> dict[str, Any]:
        """Return what a file has besides the columns, for JSON."""
        stops = {style: trees.stops for style, trees in self.styles.items()}
        return {"width": self.width, "stops": stops, "calibration": dict(self.calibration)}

    @classmethod
    def read(cls, columns: Mapping[str, Any], style_prefix: str, settings: Mapping[str, Any]) -> "StyledTrees":
        """Return what `columns` and `settings` were made of; a ValueError or KeyError where they do not fit together.

        Columns may be NumPy arrays. Trees get memoryviews of them, whose items are Python numbers: NumPy's numbers
        would end up in evidence, and JSON cannot encode them.
        """
        calibration = {style: (float(a), float(b)) for style, (a, b) in settings["calibration"].items()}
        shared = {name: memoryview(columns[PREFIX + name]) for name in COLUMNS}
        width = int(settings["width"])
        stops = {
            style: tuple([(int(n), float(least)) for n, least in settings["stops"][style]]) for style in calibration
        }
        styles = {
            style: BoostedTrees(memoryview(columns[style_prefix + style]), **shared, stops=stops[style])
            for style in calibration
        }
        if not styles or not all(trees.sound(width) for trees in styles.values()):
            raise ValueError("its trees do not fit together")
        return cls(styles, calibration, width)


def copied(letter: str, column: Column) -> "array[Any]":
    """Return the numbers of `column`, which are of the type `letter`, as an array."""
    return array(letter, bytes(memoryview(column).cast("B")))
