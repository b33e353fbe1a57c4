"""Nearness of candidates in long texts, without a matrix: see `methods/topics.py`.

The weight between two occurrences is 1 / (start of the later - last token of the earlier). So the sum over all
occurrences is two convolutions of the walk's state with 1 / distance, one for the occurrences before and one for those
after, which FFTs compute in O(n log n). The weights within a topic do not count: they are computed apart and
subtracted.
"""

from array import array
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from phrasemill.kernels import topics as kernel
from phrasemill.types import Candidates

Vector: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
# A topic with more occurrences than this gets convolutions of its own; the pairs of smaller ones are counted.
LARGE_TOPIC = 3000


class LongText:
    """The operator from a value per candidate to the weighted sum over its neighbours of other topics."""

    def __init__(self, candidates: Candidates, topic: "array[int]") -> None:
        self.topic = np.asarray(topic)
        self.topics = int(self.topic.max()) + 1
        self.count = len(candidates)
        self.owner = np.repeat(np.arange(self.count), np.diff(np.asarray(candidates.first)))
        self.start, self.last = np.asarray(candidates.start), np.asarray(candidates.end) - 1
        length = int(self.last.max()) + 2
        self.size = 1 << (2 * length - 1).bit_length()
        distance = np.zeros(self.size)
        distance[1:length] = 1 / np.arange(1, length)
        self.kernel = np.fft.rfft(distance)
        self._prepare_topics(candidates)

    def _prepare_topics(self, candidates: Candidates) -> None:
        """Compute the weights within each topic: matrices for small topics, masks for large ones."""
        places = np.bincount(self.topic[self.owner], minlength=self.topics)
        order = np.argsort(self.topic, kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(self.topic, minlength=self.topics))[:-1])
        columns = (candidates.first, candidates.start, candidates.end)
        self.small: list[tuple[Vector, Vector]] = []
        self.large: list[Vector] = []
        for number, group in enumerate(groups):
            if places[number] > LARGE_TOPIC:
                self.large.append(self.topic[self.owner] == number)
            elif places[number] > 1:
                own = kernel.within(*columns, array("i", group.tolist()))
                self.small.append((group, np.asarray(own).reshape(len(group), len(group))))

    def __call__(self, values: Vector) -> Vector:
        given = self._convolve(values[self.owner])
        for mask in self.large:
            given[mask] -= self._convolve(np.where(mask, values[self.owner], 0.0))[mask]
        result = np.bincount(self.owner, weights=given, minlength=self.count)
        for members, own in self.small:
            result[members] -= own @ values[members]
        return np.maximum(result, 0.0)  # subtraction may leave a rounding error below zero

    def _convolve(self, weights: Vector) -> Vector:
        """Return for each occurrence the sum, over all others, of their weight over the distance."""
        at_last = np.bincount(self.last, weights=weights, minlength=self.size)
        at_start = np.bincount(self.start, weights=weights, minlength=self.size)
        earlier = np.fft.irfft(np.fft.rfft(at_last) * self.kernel, self.size)
        later = np.fft.irfft(np.fft.rfft(at_start) * np.conj(self.kernel), self.size)
        return earlier[self.start] + later[self.last]

    def walk_over_topics(self, damping: float, tolerance: float, most: int) -> "array[float]":
        def step(values: Vector) -> Vector:
            return np.bincount(self.topic, weights=self(values[self.topic]), minlength=self.topics)

        return _walk(self.topics, step, step(np.ones(self.topics)), damping, tolerance, most)

    def walk_over_candidates(
        self, factor: "array[float]", damping: float, tolerance: float, most: int
    ) -> "array[float]":
        """Compute `kernels.topics.boost` and `random_walk`, by applying the operator twice per step."""
        factors = np.asarray(factor)
        first = np.zeros(self.topics, dtype=int)
        first[self.topic[::-1]] = np.arange(self.count)[::-1]
        others = np.ones(self.count)
        others[first] = 0.0

        def step(values: Vector) -> Vector:
            result = self(values)
            result[first] += np.bincount(self.topic, weights=others * self(values * factors), minlength=self.topics)
            return result

        totals = self(np.ones(self.count)) + factors * self(others)
        return _walk(self.count, step, totals, damping, tolerance, most)


def _walk(
    count: int, step: Callable[[Vector], Vector], totals: Vector, damping: float, tolerance: float, most: int
) -> "array[float]":
    """Return the stationary distribution of a walk with uniform jumps; `step` sums the weights."""
    # The total of a node without neighbours is a rounding error.
    linked = totals > 1e-9
    rank = np.full(count, 1 / count)
    for _ in range(most):
        share = np.where(linked, rank / np.where(linked, totals, 1.0), 0.0)
        base = 1 - damping + damping * rank[~linked].sum()
        following = base / count + damping * step(share)
        change = np.abs(following - rank).sum()
        rank = following
        if change < tolerance:
            break
    return array("d", rank.tolist())
