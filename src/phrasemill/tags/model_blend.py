"""From rows of evidence to probabilities: a small network, fitted to the user's own documents from where ours begins.

The network that ships (data/tag_blend.json; `phrasemill make tag_blend` makes it) was fitted to
collections of many sizes, and to texts that are about none of their tags. A collection of some hundred documents pulls
the weights towards itself as far as its documents bear it out: a penalty on the distance from the first weights has the
same size for two hundred documents as for a hundred thousand.
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

HIDDEN = 16
PULL = 200.0  # towards the first weights; as a normal prior, its precision
RATE = 0.003  # Adam's step (Kingma and Ba, 2015), falling to 0
BATCH = 512
EPOCHS = 12
STEPS = 600  # at least
FARTHEST = 5.0  # standard deviations that a number may be from the mean


class Blend(NamedTuple):
    """One hidden layer of `tanh`, over evidence that is centred and scaled."""

    mean: "Floats"
    scale: "Floats"
    inner: "Floats"  # (columns + 1) × hidden, the last row is the bias
    outer: "Floats"  # hidden + 1

    def probabilities(self, rows: "NDArray[np.float32]") -> "Floats":
        return _probabilities(self.scaled(rows), self.inner, self.outer)[1]

    def scaled(self, rows: "NDArray[np.float32]") -> "Floats":
        centred = ((rows - self.mean) / self.scale).clip(-FARTHEST, FARTHEST)
        return np.concatenate([centred, np.ones((len(rows), 1))], axis=1)

    def fitted(self, rows: "NDArray[np.float32]", right: "NDArray[np.bool_]", *, pull: float = PULL) -> "Blend":
        """Return the network fitted to rows and whether each tag was right, starting from this one."""
        if not len(rows) or not right.any():
            return self
        inputs, wanted = self.scaled(rows), right.astype(np.float64)
        weights = np.concatenate([self.inner.ravel(), self.outer])
        start, first, second = weights.copy(), np.zeros_like(weights), np.zeros_like(weights)
        random = np.random.default_rng(0)
        batches = -(-len(rows) // BATCH)
        epochs = max(EPOCHS, -(-STEPS // batches))
        steps, step = epochs * batches, 0
        for _ in range(epochs):
            order = random.permutation(len(rows))
            for begin in range(0, len(rows), BATCH):
                chosen = order[begin : begin + BATCH]
                gradient = _gradient(weights, inputs[chosen], wanted[chosen], len(self.inner))
                gradient += pull / len(rows) * (weights - start)
                step += 1
                first = 0.9 * first + 0.1 * gradient
                second = 0.999 * second + 0.001 * gradient * gradient
                moved = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
                weights = weights - RATE * (1 - step / (steps + 1)) * moved
        inner, outer = _parts(weights, len(self.inner))
        return Blend(self.mean, self.scale, inner, outer)

    def rounded(self) -> "Blend":
        return Blend(*(np.round(value, 5) for value in self))

    def record(self) -> dict[str, object]:
        return {name: value.tolist() for name, value in self._asdict().items()}

    @classmethod
    def of(cls, record: Mapping[str, object]) -> "Blend":
        return cls(*(np.asarray(record[name], np.float64) for name in cls._fields))

    @classmethod
    def fresh(cls, rows: "NDArray[np.float32]", seed: int = 0) -> "Blend":
        """Return a network that has learned nothing, for evidence that looks like `rows`."""
        random = np.random.default_rng(seed)
        inner = random.normal(0, 1 / np.sqrt(rows.shape[1]), (rows.shape[1] + 1, HIDDEN))
        outer = np.append(random.normal(0, 0.1, HIDDEN), -3.0)
        spread = rows.std(0, np.float64)
        return cls(rows.mean(0, np.float64), np.where(spread > 0.001, spread, 1.0), inner, outer)


@cache
def shipped() -> Blend:
    """Return the network that every collection begins with."""
    return Blend.of(json.loads(shipped_file("tag_blend.json").read_text(encoding="utf-8")))


def _parts(weights: "Floats", rows: int) -> "tuple[Floats, Floats]":
    hidden = (len(weights) - 1) // (rows + 1)
    return weights[: rows * hidden].reshape(rows, hidden), weights[rows * hidden :]


def _probabilities(inputs: "Floats", inner: "Floats", outer: "Floats") -> "tuple[Floats, Floats]":
    hidden = np.tanh(inputs @ inner)
    return hidden, 1 / (1 + np.exp(-(hidden @ outer[:-1] + outer[-1])))


def _gradient(weights: "Floats", inputs: "Floats", wanted: "Floats", rows: int) -> "Floats":
    """Return the gradient of the mean cross-entropy."""
    inner, outer = _parts(weights, rows)
    hidden, found = _probabilities(inputs, inner, outer)
    error = (found - wanted) / len(wanted)
    behind = error[:, None] * outer[:-1] * (1 - hidden * hidden)
    return np.concatenate([(inputs.T @ behind).ravel(), hidden.T @ error, [error.sum()]])
