"""What the span scorer says of a candidate, over all places where it stands, as columns for the trees."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
NEVER = -12.0  # the score of what was not read, such as a list of references
COLUMNS = ("encoder_best", "encoder_mean", "encoder_first", "encoder_gap", "encoder_rank")


class Pooled(NamedTuple):
    """The best, the mean and the first of each candidate's scores."""

    best: Floats
    mean: Floats
    first: Floats


def pool(candidate: npt.NDArray[Any], scores: npt.NDArray[Any], count: int) -> Pooled:
    """Of `count` candidates; `candidate` says whose each score is, in the order of the text."""
    best = np.full(count, NEVER, np.float32)
    np.maximum.at(best, candidate, scores)
    times = np.bincount(candidate, minlength=count)
    sums = np.bincount(candidate, weights=scores, minlength=count)
    mean = np.where(times > 0, sums / np.maximum(times, 1), NEVER).astype(np.float32)
    first = np.full(count, NEVER, np.float32)
    first[candidate[::-1]] = scores[::-1]
    return Pooled(best, mean, first)


def columns(found: Pooled) -> Floats:
    """A row for each candidate: its scores, how far below the document's best it is, and at which place."""
    best = found.best
    gap = best - best.max(initial=NEVER)
    place = np.empty(len(best), np.float32)
    place[np.argsort(-best, kind="stable")] = np.arange(len(best))
    return np.column_stack([best, found.mean, found.first, gap, np.log1p(place)]).astype(np.float32)
