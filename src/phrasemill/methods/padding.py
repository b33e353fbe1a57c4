"""Rows of numbers of different length as one matrix."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def padded(rows: Sequence[Any], *, fill: int = 0, width: int = 0) -> npt.NDArray[np.int64]:
    """Return the rows as a matrix, filled up on the right to the length of the longest, and at least to `width`."""
    result = np.full((len(rows), max([width, *map(len, rows)])), fill, np.int64)
    for number, row in enumerate(rows):
        result[number, : len(row)] = row
    return result
