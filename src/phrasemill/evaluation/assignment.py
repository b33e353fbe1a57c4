"""One-to-one assignment: as many predictions as can be have a gold keyphrase of their own, whatever the cut.

Predictions come in order, best first. Each takes part if all before it that have a gold keyphrase can keep one, which
makes the matching the largest for every first k predictions at once: what counts at k never depends on what follows.
Among such matchings it is the one with the greatest sum of gains (successive best augmenting paths; Kuhn, 1955).
"""

from collections import deque
from collections.abc import Mapping, Sequence


def assign(gains: Sequence[Mapping[int, int]]) -> list[int | None]:
    """The gold keyphrase of each prediction, or None; `gains` has, for each, those it may take, with what that gains.

    Gains are whole numbers, so that sums along different paths can be compared.
    """
    owner: dict[int, int] = {}
    for prediction in range(len(gains)):
        _augment(gains, prediction, owner)
    taken = {prediction: gold for gold, prediction in owner.items()}
    return [taken.get(prediction) for prediction in range(len(gains))]


def _augment(gains: Sequence[Mapping[int, int]], prediction: int, owner: dict[int, int]) -> None:
    """Give `prediction` a gold keyphrase, if need be by moving others to another of theirs."""
    best = dict(gains[prediction])  # by gold keyphrase: what all moves gain that end there
    before: dict[int, int] = {}
    queue = deque(best)
    while queue:
        gold = queue.popleft()
        if gold not in owner:
            continue
        moved = gains[owner[gold]]
        for other, gain in moved.items():
            total = best[gold] - moved[gold] + gain
            if other != gold and (other not in best or total > best[other]):
                best[other], before[other] = total, gold
                queue.append(other)
    free = [gold for gold in best if gold not in owner]
    if not free:
        return
    end = max(free, key=lambda gold: (best[gold], -gold))
    while end in before:
        owner[end] = owner[before[end]]
        end = before[end]
    owner[end] = prediction
