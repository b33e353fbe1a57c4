"""Ids that several documents of a corpus have: counted, not refused, because each document keeps its own row."""

from collections.abc import Sequence
from typing import Any

MOST_NAMED = 5  # ids


class SeenIds:
    """Counts the documents whose id an earlier one has, and keeps the first few of these ids.

    Of each document it keeps the 64-bit hash of its id, in sorted arrays of which each is at most half as long as the
    one before. So a million ids take 8 MB, and as much again while arrays are merged. Among ten million different ids
    a false duplicate has a chance of less than one in 100,000.
    """

    def __init__(self) -> None:
        self.duplicates = 0
        self.first: list[str] = []
        self._sorted: list[Any] = []

    def add(self, ids: Sequence[str]) -> None:
        """Count the next documents, by their ids."""
        if not ids:
            return
        import numpy as np

        keys = np.fromiter(map(hash, ids), "int64", len(ids))
        new, places = np.unique(keys, return_index=True)
        known = np.zeros(len(new), "bool")
        for array in self._sorted:
            known |= array[np.minimum(np.searchsorted(array, new), len(array) - 1)] == new
        is_duplicate = np.ones(len(ids), "bool")
        is_duplicate[places[~known]] = False
        duplicates = np.flatnonzero(is_duplicate).tolist()
        self.duplicates += len(duplicates)
        for number in duplicates:
            if len(self.first) < MOST_NAMED and ids[number] not in self.first:
                self.first.append(ids[number])
        if not known.all():
            self._sorted.append(new[~known])
        while len(self._sorted) > 1 and 2 * len(self._sorted[-1]) > len(self._sorted[-2]):
            merged = np.concatenate((self._sorted.pop(), self._sorted.pop()))
            merged.sort(kind="stable")
            self._sorted.append(merged)
