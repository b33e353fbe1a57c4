"""From LightGBM's boosted trees to the columns that the kernels read."""

import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phrasemill.errors import MissingExtra
from phrasemill.kernels.trees import DEPTH
from phrasemill.methods.learned.trees import COLUMNS, INNER, LEAVES, BoostedTrees

# How the trees of all models grow; what else `lightgbm.train` needs differs from one to the next.
SETTINGS = {
    "objective": "binary",
    "max_depth": DEPTH,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 2,
    "verbose": -1,
}


def lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError:
        raise MissingExtra("lightgbm", "train", purpose="training learned") from None
    return lightgbm


@dataclass(slots=True)
class TreeColumns:
    """The trees of several boosters, as the columns that the kernels read."""

    feature: "array[int]" = field(default_factory=lambda: array("B"))
    threshold: "array[float]" = field(default_factory=lambda: array("f"))
    value: "array[float]" = field(default_factory=lambda: array("f"))
    leaf: "array[float]" = field(default_factory=lambda: array("f"))

    @classmethod
    def of(cls, trees: BoostedTrees) -> "TreeColumns":
        """Return a copy of `trees`, to add to."""
        return cls(**{name: array(letter, list(getattr(trees, name))) for name, letter in COLUMNS.items()})

    def add(self, booster: Any, best: int | None = None) -> "array[int]":
        """Add a booster's trees; return their numbers."""
        numbers = array("i")
        for tree in booster.dump_model(num_iteration=best)["tree_info"]:
            number = len(self.leaf) // LEAVES
            numbers.append(number)
            self.feature.frombytes(bytes(INNER))
            self.threshold.extend([math.inf] * INNER)
            self.value.extend([0.0] * INNER)
            self.leaf.extend([0.0] * LEAVES)
            self._fill(tree["tree_structure"], number, 0)
        return numbers

    def _fill(self, node: Mapping[str, Any], number: int, place: int) -> None:
        """Put `node` into a complete tree; a leaf above the last level fills all places below it."""
        if place >= INNER:
            self.leaf[number * LEAVES + place - INNER] = node["leaf_value"]
            return
        split = "leaf_value" not in node
        at = number * INNER + place
        self.value[at] = node["internal_value"] if split else node["leaf_value"]
        if split:
            self.feature[at], self.threshold[at] = node["split_feature"], _down(node["threshold"])
        self._fill(node["left_child"] if split else node, number, 2 * place + 1)
        self._fill(node["right_child"] if split else node, number, 2 * place + 2)

    def trees(self, numbers: "array[int]", stops: tuple[tuple[int, float], ...] = ()) -> BoostedTrees:
        return BoostedTrees(numbers, self.feature, self.threshold, self.value, self.leaf, stops)


def _down(threshold: float) -> float:
    """Return the largest 32-bit number that is not above `threshold`: features have 32 bits, so no decision changes."""
    near = np.float32(threshold)
    return float(near if near <= threshold else np.nextafter(near, np.float32(-np.inf)))


def calibrate(
    scores: NDArray[np.float64], labels: NDArray[np.uint8], weights: NDArray[np.float32] | float = 1.0
) -> tuple[float, float]:
    """Return the slope and offset of a logistic curve through `scores` (Platt, 1999), by Newton's method."""
    design = np.column_stack([scores, np.ones(len(scores))])
    line = np.array([1.0, 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(design @ line, -30, 30)))
        gradient = design.T @ (weights * (labels - p))
        curvature = (design * (weights * p * (1 - p))[:, None]).T @ design + 1e-6 * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        line += step
        if np.abs(step).max() < 1e-9:
            break
    return float(line[0]), float(line[1])
