"""Cutting numbers into ranges that tell two classes apart (Fayyad and Irani, "Multi-Interval Discretization of
Continuous-Valued Attributes for Classification Learning", IJCAI 1993)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from phrasemill.methods.kea import DiscretisedBayes

if TYPE_CHECKING:
    import numpy as np


def learn(columns: Sequence[Sequence[float]], labels: Sequence[bool]) -> DiscretisedBayes:
    """Naive Bayes over `columns`, one a feature, each cut where it tells keyphrases (True) from others."""
    import numpy as np

    target = np.asarray(labels, dtype=bool)
    parts: list[tuple[tuple[float, ...], tuple[int, ...], tuple[int, ...]]] = []
    for column in columns:
        values = np.asarray(column, dtype=float)
        found = cuts(values, target)
        place = np.searchsorted(np.asarray(found), values, side="right")
        yes, no = (np.bincount(place[target == kind], minlength=len(found) + 1).tolist() for kind in (True, False))
        parts.append((tuple(found), tuple(yes), tuple(no)))
    return DiscretisedBayes(*(tuple(part[i] for part in parts) for i in range(3)))  # type: ignore[arg-type]


def cuts(values: "np.ndarray[Any, Any]", labels: "np.ndarray[Any, Any]") -> list[float]:
    """The places at which to cut, ascending: a value at a cut belongs to the range above it."""
    import numpy as np

    order = np.argsort(values, kind="stable")
    return sorted(_split(values[order], labels[order]))


def _split(values: "np.ndarray[Any, Any]", labels: "np.ndarray[Any, Any]") -> list[float]:
    import numpy as np

    total = len(values)
    # Only between different values can there be a cut.
    places = np.flatnonzero(values[1:] != values[:-1]) + 1
    if not len(places):
        return []
    below = np.cumsum(labels)[places - 1]
    above = labels.sum() - below
    left, right = _entropy(below, places), _entropy(above, total - places)
    mixed = (places * left + (total - places) * right) / total
    best = int(mixed.argmin())
    at = int(places[best])
    whole = float(_entropy(labels.sum(), total))
    kinds = [len(set(part.tolist())) for part in (labels, labels[:at], labels[at:])]
    delta = np.log2(3 ** kinds[0] - 2) - (kinds[0] * whole - kinds[1] * left[best] - kinds[2] * right[best])
    if whole - mixed[best] <= (np.log2(total - 1) + delta) / total:
        return []
    cut = float((values[at - 1] + values[at]) / 2)
    if not values[at - 1] < cut:  # neighbours in floating point: the mean is the lower one
        cut = float(values[at])
    return [*_split(values[:at], labels[:at]), cut, *_split(values[at:], labels[at:])]


def _entropy(yes: Any, total: Any) -> Any:
    """The entropy in bits of two classes, of which one has `yes` of `total`."""
    import numpy as np

    share = np.asarray(yes) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    return np.where((share <= 0) | (share >= 1), 0.0, bits)
