"""Naive Bayes over discretised numbers: how KEA, and others after it, learn."""

import math
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from phrasemill.errors import ModelError
from phrasemill.tensors import Tensors


@dataclass(frozen=True, slots=True)
class DiscretisedBayes:
    """For each feature the `cuts` between its ranges, and how many keyphrases (`yes`) and others (`no`) fell into each.

    A range gets one count more than it had (Laplace), as do the two classes.
    """

    cuts: tuple[tuple[float, ...], ...]
    yes: tuple[tuple[int, ...], ...]
    no: tuple[tuple[int, ...], ...]

    def odds(self) -> tuple[tuple[float, ...], ...]:
        """For each feature and range the logarithm of P(range | keyphrase) / P(range | other)."""
        return tuple(
            tuple(
                math.log((a + 1) / (sum(yes) + len(yes))) - math.log((b + 1) / (sum(no) + len(no)))
                for a, b in zip(yes, no, strict=True)
            )
            for yes, no in zip(self.yes, self.no, strict=True)
        )

    def prior(self) -> float:
        """The logarithm of the odds that a candidate is a keyphrase."""
        return math.log((sum(self.yes[0]) + 1) / (sum(self.no[0]) + 1))

    def probabilities(self, columns: Sequence[Sequence[float]]) -> "array[float]":
        """The probability of each candidate, whose features stand in `columns`."""
        odds, prior = self.odds(), self.prior()
        totals = [prior] * len(columns[0])
        for cuts, gains, column in zip(self.cuts, odds, columns, strict=True):
            totals = [total + gains[bisect_right(cuts, value)] for total, value in zip(totals, column, strict=True)]
        return array("d", [1 / (1 + math.exp(-total)) for total in totals])

    def buffers(self) -> dict[str, "array[float] | array[int]"]:
        """The parts, for a model file."""
        found: dict[str, array[float] | array[int]] = {}
        for feature, (cuts, yes, no) in enumerate(zip(self.cuts, self.yes, self.no, strict=True)):
            found[f"cuts{feature}"] = array("d", cuts)
            found[f"yes{feature}"] = array("I", yes)
            found[f"no{feature}"] = array("I", no)
        return found

    @classmethod
    def from_file(cls, file: Tensors, features: int) -> Self:
        """What `buffers` gave, out of a file."""
        parts = [
            tuple(tuple(file[f"{name}{feature}"].tolist()) for feature in range(features))
            for name in ("cuts", "yes", "no")
        ]
        for cuts, yes, no in zip(*parts, strict=True):
            if not len(yes) == len(no) == len(cuts) + 1:
                raise ModelError(f"{file.path}: damaged (its ranges and counts do not fit together)")
        return cls(*parts)
