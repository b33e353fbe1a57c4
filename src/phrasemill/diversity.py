"""Maximal marginal relevance: phrases that matter, each unlike those taken before it.

Carbonell and Goldstein (1998) take one after the other, each time the one with the greatest

    balance * relevance - (1 - balance) * likeness to the nearest of those taken

`marginal` is that rule over any relevance and likeness. `unlike` is the option `diversity`: likeness is the share of
words that two phrases have in common. `Meaning` is the rule of redundancy that goes by the cosine of the phrases'
embeddings (extra `embed`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from phrasemill.errors import ConfigError

# Where the default comes from: docs/evidence/meaning.md.
BALANCE = 0.8
# Digits of a cosine that do not depend on what else was encoded with a phrase.
DIGITS = 5


def marginal(
    relevance: Sequence[float],
    likeness: Callable[[int], Sequence[float]],
    *,
    balance: float,
    most: int | None = None,
) -> list[tuple[int, float]]:
    """Return indices of `relevance` in the order they are taken, each with its value then, which never rises.

    `likeness` returns how similar all items are to the one at an index; below 0 counts as 0. Ties go to the first.
    """
    left = list(range(len(relevance)))
    nearest = [0.0] * len(relevance)
    taken: list[tuple[int, float]] = []
    while left and (most is None or len(taken) < most):
        worth = [balance * relevance[i] - (1 - balance) * nearest[i] for i in left]
        at = max(range(len(left)), key=worth.__getitem__)
        best = left.pop(at)
        taken.append((best, worth[at]))
        if left and balance < 1:
            nearest = list(map(max, nearest, likeness(best)))
    return taken


def unlike(phrases: Sequence[Iterable[str]], relevance: Sequence[float], *, weight: float, most: int) -> list[int]:
    """Return the indices of `most` of the phrases, in ascending order, by what `marginal` computes with a balance of
    1 - `weight`. Likeness is the share of words that two phrases, given as their words, have in common (Dice).

    With a weight of 1, a phrase that shares no word with those taken comes before all that do.
    """
    words = [frozenset(one) for one in phrases]
    holders: dict[str, list[int]] = {}
    for i, one in enumerate(words):
        for word in one:
            holders.setdefault(word, []).append(i)
    nearest = [0.0] * len(words)

    def worth(i: int) -> float:
        return (1 - weight) * relevance[i] - weight * nearest[i]

    # A phrase is worth less after each that is taken, never more: an old value is an upper bound.
    waiting = [(-worth(i), i) for i in range(len(words))]
    heapify(waiting)
    taken: list[int] = []
    while waiting and len(taken) < most:
        value, i = heappop(waiting)
        if worth(i) < -value:
            heappush(waiting, (-worth(i), i))
            continue
        taken.append(i)
        for other in {other for word in words[i] for other in holders[word]}:
            shared = 2 * len(words[i] & words[other]) / (len(words[i]) + len(words[other]))
            nearest[other] = max(nearest[other], shared)
    return sorted(taken)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Drop phrases that mean much the same as better ones.

    `balance` is the weight of relevance against likeness: with 1 only relevance counts, with 0 only being unlike the
    others. `model` is the folder of an encoder; MiniLM by default.
    """

    balance: float = BALANCE
    model: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.balance <= 1:
            raise ConfigError(f"meaning: balance must be between 0 and 1, got {self.balance}")

    def choose(self, phrases: Sequence[str], relevance: Sequence[float], most: int) -> list[int]:
        """Return the indices of `most` of the phrases, in ascending order."""
        if len(phrases) <= most or self.balance == 1:
            return list(range(len(phrases)))[:most]
        from phrasemill.embeddings import load_encoder

        vectors = load_encoder(self.model).encode(phrases)

        def likeness(i: int) -> list[float]:
            return [round(cosine, DIGITS) for cosine in (vectors @ vectors[i]).tolist()]

        return sorted(i for i, _ in marginal(relevance, likeness, balance=self.balance, most=most))
