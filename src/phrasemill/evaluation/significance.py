"""Intervals of scores, and tests whether one system is better than another.

Both work on the sums of sufficient statistics, so that no phrase is matched again. Documents are what is resampled.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from phrasemill.errors import ConfigError
from phrasemill.evaluation.scores import Interval, Score, Scores

TESTS = ("bootstrap", "randomisation")
LEVEL = 0.95
SIGNIFICANT = 0.05
RESAMPLES = 1000
# How many documents times resamples are in memory at once.
CHUNK = 4_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between systems `a` and `b` on one metric; `p` is two-sided, and `adjusted` is `p` after Holm's
    correction.
    """

    metric: str
    a: str
    b: str
    a_value: float
    b_value: float
    p: float
    adjusted: float
    interval: Interval
    documents: int
    share: bool = True

    @property
    def value(self) -> float:
        """The difference, `b_value` − `a_value`."""
        return self.b_value - self.a_value


def interval(score: Score, *, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 1) -> Interval:
    """Return the percentile bootstrap interval (Efron, 1979) of a score over its documents."""
    _check(resamples, level)
    import numpy as np

    table = np.array(list(score.statistics.values()), dtype="float64")
    values = [_value(score, sums) for weights in _draws(len(table), resamples, seed) for sums in weights @ table]
    return _between(values, level)


def compare(
    systems: Sequence[Scores],
    *,
    test: str = "bootstrap",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 1,
) -> list[Difference]:
    """Compare every pair of systems on every metric that both have, over the documents that count for both.

    `test` is `bootstrap`, the paired bootstrap, or `randomisation`, which swaps the documents of the systems at random
    (Noreen, 1989). Holm's correction covers all pairs and metrics together.
    """
    _check(resamples, level)
    if test not in TESTS:
        raise ConfigError(f"unknown test {test!r}; choose from {', '.join(TESTS)}")
    if len(systems) < 2:
        raise ConfigError(f"a comparison needs two systems, got {len(systems)}")
    found = []
    for a, b in combinations(systems, 2):
        if a.gold != b.gold:
            raise ConfigError(f"{a.system} and {b.system} were scored against different gold")
        names = [score.name for score in b]
        for one in a:
            if one.name in names:
                found.append(_difference(a, b, one.name, test=test, resamples=resamples, level=level, seed=seed))
    return holm(found)


def holm(differences: Sequence[Difference]) -> list[Difference]:
    """Holm's step-down correction (1979): the i-th smallest of m p-values times m - i + 1, never decreasing."""
    order = sorted(range(len(differences)), key=lambda i: differences[i].p)
    adjusted = list(differences)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, differences[i].p * (len(order) - rank)))
        adjusted[i] = replace(differences[i], adjusted=highest)
    return adjusted


def _difference(a: Scores, b: Scores, name: str, *, test: str, resamples: int, level: float, seed: int) -> Difference:
    """Compare two systems on the metric `name`."""
    import numpy as np

    one, other = a.score(name), b.score(name)
    if _choices(one.signature) != _choices(other.signature):
        raise ConfigError(f"{name} was scored by different choices: {one.signature}; {other.signature}")
    shared = [id_ for id_ in one.statistics if id_ in other.statistics]
    if not shared:
        raise ConfigError(f"{a.system} and {b.system} have no document in common on {name}")
    rows, others = (np.array([score.statistics[id_] for id_ in shared], dtype="float64") for score in (one, other))
    a_value, b_value = _value(one, rows.sum(axis=0)), _value(other, others.sum(axis=0))
    seen = b_value - a_value
    resampled = [
        _value(other, right) - _value(one, left)
        for weights in _draws(len(shared), resamples, seed)
        for left, right in zip(weights @ rows, weights @ others, strict=True)
    ]
    if test == "bootstrap":
        null = [value - seen for value in resampled]
    else:
        null = list(_swapped(one, other, rows, others, resamples, seed))
    # Sums in another order differ in the last bits; the seen value itself counts as one (Davison and Hinkley).
    p = (1 + sum(abs(value) >= abs(seen) - 1e-12 for value in null)) / (1 + resamples)
    return Difference(
        metric=name,
        a=a.system,
        b=b.system,
        a_value=a_value,
        b_value=b_value,
        p=p,
        adjusted=p,
        interval=_between(resampled, level),
        documents=len(shared),
        share=one.metric.share,
    )


def _swapped(one: Score, other: Score, rows: Any, others: Any, resamples: int, seed: int) -> Iterator[float]:
    """Yield the differences after swapping the systems' documents at random."""
    import numpy as np

    random = np.random.default_rng(seed)
    gap, left, right = others - rows, rows.sum(axis=0), others.sum(axis=0)
    for size in _sizes(len(rows), resamples):
        for moved in random.integers(0, 2, size=(size, len(rows))).astype("float64") @ gap:
            yield _value(other, right - moved) - _value(one, left + moved)


def _choices(signature: str) -> list[str]:
    """Return the parts of a signature that must agree; systems may well have answered different documents."""
    return [part for part in signature.split("|") if not part.startswith("docs:")]


def _value(score: Score, sums: Any) -> float:
    return score.metric.value(tuple(sums.tolist()), score.policy)


def _draws(documents: int, resamples: int, seed: int) -> Iterator[Any]:
    """Yield how often each document is drawn, in `resamples` rows, some rows at a time."""
    import numpy as np

    random = np.random.default_rng(seed)
    for size in _sizes(documents, resamples):
        picks = random.integers(0, documents, size=(size, documents))
        picks += np.arange(size)[:, None] * documents
        yield np.bincount(picks.ravel(), minlength=size * documents).reshape(size, documents).astype("float64")


def _sizes(documents: int, resamples: int) -> Iterator[int]:
    rows = max(1, CHUNK // documents)
    for start in range(0, resamples, rows):
        yield min(rows, resamples - start)


def _between(values: Sequence[float], level: float) -> Interval:
    import numpy as np

    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


def _check(resamples: int, level: float) -> None:
    if resamples < 1:
        raise ConfigError(f"resamples must be at least 1, got {resamples}")
    if not 0 < level < 1:
        raise ConfigError(f"level must be between 0 and 1, got {level}")
