"""Match predictions with gold keyphrases: which each finds, and the credit that it earns.

Predictions are taken in order. A gold keyphrase (a cluster of wordings, as a rule of one) is found by the first
prediction that matches any of its wordings; a later match earns nothing, "just with synonymous keyphrases" as with
repeats (Shapira et al., 2021, appendix A), unless repeats are allowed to earn again (`dedupe='none'`). With partial
credit a prediction earns its best similarity to any wording, whoever else earned from that (PubMedAKE, eq. 1). By
meaning a prediction may match several gold keyphrases, so the two are assigned to each other, one to one.

With `credit='gold'` each gold keyphrase earns the similarity of its best prediction, and with `credit='pairs'` every
pair that matches earns.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from phrasemill.evaluation.policies import Policy
from phrasemill.evaluation.similarity import Similarity, similarity

NOTHING = -1
STEPS = 10**6  # of a cosine, in whole numbers
Cluster = tuple[str, ...]


class Match(NamedTuple):
    """The index of the gold keyphrase that a prediction meets, or NOTHING, and what the prediction earns."""

    gold: int
    credit: float


MISS = Match(NOTHING, 0.0)
Matcher = Callable[[Sequence[str], Sequence[Cluster]], list[Match]]
# For each prediction: how alike it is to each gold keyphrase that it is like at all.
Likeness = Callable[[Sequence[str], Sequence[Cluster]], list[dict[int, float]]]


def matcher(policy: Policy) -> Matcher:
    """Return the function by which `policy` matches a list of keys with a list of clusters of keys."""
    again = policy.dedupe == "none"
    if policy.credit == "gold":
        alike = likeness(policy)
        return lambda predicted, gold: match_each_gold(alike(predicted, gold))
    if policy.credit == "pairs":
        alike = likeness(policy)
        return lambda predicted, gold: match_pairs(predicted, alike(predicted, gold), again=again)
    if policy.match in ("exact", "stem"):
        return lambda predicted, gold: match_keys(predicted, gold, again=again)
    if policy.match == "semantic":
        from phrasemill.evaluation.embeddings import embeddings

        cosines, threshold = embeddings(policy.embeddings).cosines, policy.threshold
        return lambda predicted, gold: match_vectors(predicted, gold, cosines, threshold=threshold, again=again)
    measure = similarity(policy.match, embeddings=policy.embeddings)
    return lambda predicted, gold: match_partly(predicted, gold, measure, again=again)


def match_keys(predicted: Sequence[str], gold: Sequence[Cluster], *, again: bool = False) -> list[Match]:
    """Match whole keys: 1 for each gold keyphrase found. With `again` repeats and synonyms earn as well."""
    clusters_of: dict[str, list[int]] = {}
    for i, cluster in enumerate(gold):
        for key in cluster:
            clusters_of.setdefault(key, []).append(i)
    found: set[int] = set()
    seen: set[str] = set()
    matches = []
    for key in predicted:
        match = MISS
        where = clusters_of.get(key)
        if where:
            free = next((i for i in where if i not in found), None)
            if again:
                match = Match(where[0] if free is None else free, 1.0)
            # A repeat earns nothing even where the gold repeats itself, too.
            elif free is not None and key not in seen:
                match = Match(free, 1.0)
            else:
                match = Match(where[0], 0.0)
            if match.credit:
                found.add(match.gold)
        seen.add(key)
        matches.append(match)
    return matches


def likeness(policy: Policy) -> Likeness:
    """Return the function that compares every prediction with every gold keyphrase as `policy` does."""
    if policy.match == "semantic":
        from phrasemill.evaluation.embeddings import embeddings

        cosines, threshold = embeddings(policy.embeddings).cosines, policy.threshold
        return lambda predicted, gold: [
            dict.fromkeys(near, 1.0) for near in _neighbours(predicted, gold, cosines, threshold)
        ]
    if policy.match in ("exact", "stem"):
        return lambda predicted, gold: [
            {i: 1.0 for i, cluster in enumerate(gold) if key in cluster} for key in predicted
        ]
    measure = similarity(policy.match, embeddings=policy.embeddings)

    def compare(predicted: Sequence[str], gold: Sequence[Cluster]) -> list[dict[int, float]]:
        clusters = [[wording.split() for wording in cluster] for cluster in gold]
        rows = [[max(measure(key.split(), one) for one in cluster) for cluster in clusters] for key in predicted]
        return [{i: credit for i, credit in enumerate(row) if credit} for row in rows]

    return compare


def match_each_gold(alike: Sequence[Mapping[int, float]]) -> list[Match]:
    """Give each prediction what it adds to the best that each gold keyphrase has had so far.

    So the first k predictions earn together what each gold keyphrase's best among them is like, for every k.
    """
    best: dict[int, float] = {}
    matches = []
    for row in alike:
        gains = {i: credit - best.get(i, 0.0) for i, credit in row.items() if credit > best.get(i, 0.0)}
        best.update((i, row[i]) for i in gains)
        nearest = max(row, key=lambda i: (row[i], -i), default=NOTHING)
        matches.append(Match(nearest, sum(gains.values())))
    return matches


def match_pairs(predicted: Sequence[str], alike: Sequence[Mapping[int, float]], *, again: bool = False) -> list[Match]:
    """Give each prediction all that it is like, which may be more than 1. Without `again` repeats earn nothing."""
    seen: set[str] = set()
    matches = []
    for key, row in zip(predicted, alike, strict=True):
        credit = sum(row.values()) if again or key not in seen else 0.0
        matches.append(Match(max(row, key=lambda i: (row[i], -i), default=NOTHING), credit))
        seen.add(key)
    return matches


def match_partly(
    predicted: Sequence[str], gold: Sequence[Cluster], measure: Similarity, *, again: bool = False
) -> list[Match]:
    """Match each prediction with the most similar wording; of equals the first gold keyphrase."""
    split = [(i, key.split()) for i, cluster in enumerate(gold) for key in cluster]
    seen: set[str] = set()
    matches = []
    for key in predicted:
        words = key.split()
        best = MISS
        if again or key not in seen:
            for i, wording in split:
                credit = measure(words, wording)
                if credit > best.credit:
                    best = Match(i, credit)
        seen.add(key)
        matches.append(best)
    return matches


def match_vectors(
    predicted: Sequence[str],
    gold: Sequence[Cluster],
    cosines: Callable[[Sequence[str], Sequence[str]], Any],
    *,
    threshold: float,
    again: bool = False,
) -> list[Match]:
    """Match those whose cosine with any wording is at least `threshold`, each gold keyphrase once, as many as can be.

    A prediction near to gold keyphrases that others have earns nothing. With `again` it earns as well.
    """
    near = _neighbours(predicted, gold, cosines, threshold)
    best = [max(one, key=lambda i: (one[i], -i), default=NOTHING) for one in near]
    if again:
        return [MISS if i == NOTHING else Match(i, 1.0) for i in best]
    first = {key: p for p, key in reversed(list(enumerate(predicted)))}
    own = assign([one if first[key] == p else {} for p, (key, one) in enumerate(zip(predicted, near, strict=True))])
    return [Match(i, 0.0) if mine is None else Match(mine, 1.0) for i, mine in zip(best, own, strict=True)]


def _neighbours(
    predicted: Sequence[str],
    gold: Sequence[Cluster],
    cosines: Callable[[Sequence[str], Sequence[str]], Any],
    threshold: float,
) -> list[dict[int, int]]:
    """Return for each prediction the gold keyphrases that mean the same."""
    wordings = [(i, key) for i, cluster in enumerate(gold) for key in cluster]
    table = cosines(predicted, [key for _, key in wordings]).tolist()
    return [_near(key, wordings, row, threshold) for key, row in zip(predicted, table, strict=True)]


def _near(key: str, wordings: Sequence[tuple[int, str]], row: Sequence[float], threshold: float) -> dict[int, int]:
    """Return the gold keyphrases that mean the same as `key`, with how alike they are; equal words mean the same."""
    found: dict[int, int] = {}
    for (i, wording), cosine in zip(wordings, row, strict=True):
        if wording == key or cosine >= threshold:
            found[i] = max(found.get(i, 0), STEPS if wording == key else round(STEPS * cosine))
    return found


def assign(gains: Sequence[Mapping[int, int]]) -> list[int | None]:
    """Assign gold keyphrases to predictions one to one; return that of each prediction, or None.

    `gains` has for each prediction the gold keyphrases it may take, with what that gains: whole numbers, so that sums
    along different paths can be compared. Predictions come in order, best first. Each takes part if all before it that
    have a gold keyphrase can keep one, which makes the matching the largest for every first k predictions at once: what
    counts at k never depends on what follows. Among such matchings it is the one with the greatest sum of gains
    (successive best augmenting paths; Kuhn, 1955).
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
