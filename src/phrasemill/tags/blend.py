"""From rows of evidence to probabilities: logistic regression on the columns and their squares, which is fitted to the
user's own documents from where ours begins.

The weights that ship (data/tag_blend.json; `phrasemill make tag_blend` makes them) were fitted to collections of many
sizes, and to texts that are about none of their tags. A collection of some hundred documents pulls the weights towards
itself as far as its documents bear it out: a penalty on the distance from the first weights has the same size for two
hundred documents as for a hundred thousand.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.models import shipped as shipped_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PULL = 50.0  # towards the first weights; as a normal prior, its precision
STEPS = 25  # of Newton's method, at most
CLOSE = 1e-4  # the largest change of a weight that ends it
AT_ONCE = 50_000  # rows, so that memory stays small
FARTHEST = 5.0  # standard deviations that a number may be from the mean


class Blend(NamedTuple):
    """The weights of evidence that is centred and scaled, of its squares, and of 1."""

    mean: "Floats"
    scale: "Floats"
    weights: "Floats"

    def probabilities(self, rows: "NDArray[np.float32]") -> "Floats":
        return _logistic(self._inputs(rows) @ self.weights)

    def _inputs(self, rows: "NDArray[np.float32]") -> "Floats":
        centred = ((rows - self.mean) / self.scale).clip(-FARTHEST, FARTHEST)
        return np.concatenate([centred, centred * centred, np.ones((len(rows), 1))], axis=1)

    def fitted(self, rows: "NDArray[np.float32]", right: "NDArray[np.bool_]", *, pull: float = PULL) -> "Blend":
        """Return the regression fitted to rows and whether each tag was right, pulled towards this one."""
        if not right.any():
            return self
        found = self
        for _ in range(STEPS):
            slope, bend = pull * (found.weights - self.weights), pull * np.eye(len(self.weights))
            for begin in range(0, len(rows), AT_ONCE):
                inputs = self._inputs(rows[begin : begin + AT_ONCE])
                likely = _logistic(inputs @ found.weights)
                slope += inputs.T @ (likely - right[begin : begin + AT_ONCE])
                bend += (inputs * (likely * (1 - likely))[:, None]).T @ inputs
            step = np.linalg.solve(bend, slope)
            largest = float(np.abs(step).max())
            found = found._replace(weights=found.weights - step / max(largest, 1.0))  # not beyond where it is a guide
            if largest < CLOSE:
                break
        return found

    def record(self) -> dict[str, object]:
        return {name: value.tolist() for name, value in self._asdict().items()}

    @classmethod
    def of(cls, record: Mapping[str, object]) -> "Blend":
        return cls(*(np.asarray(record[name], np.float64) for name in cls._fields))


@cache
def shipped() -> Blend:
    """Return the weights that every collection begins with."""
    return Blend.of(json.loads(shipped_file("tag_blend.json").read_text(encoding="utf-8")))


def _logistic(values: "Floats") -> "Floats":
    found: Floats = (1 + np.tanh(values / 2)) / 2  # which never overflows
    return found
