"""Match predictions with gold keyphrases: which each finds, and the credit that it earns.

First every prediction gets a row: how alike it is to each gold keyphrase (a cluster of wordings, as a rule of one) that
it is like at all. Then the predictions earn, in order. A gold keyphrase is found by the first prediction that matches
any of its wordings; a later match earns nothing, "just with synonymous keyphrases" as with repeats (Shapira et al.,
2021, appendix A), unless later matches may earn again (`dedupe`). With partial credit a prediction earns its best
similarity to any wording, whoever else earned from that (PubMedAKE, eq. 1). By meaning a prediction may match several
gold keyphrases, so the two are assigned to each other, one to one.

With `credit='gold'` each gold keyphrase earns the similarity of its best prediction, and with `credit='pairs'` every
pair that matches earns.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from phrasemill.evaluation.policies import Policy
from phrasemill.evaluation.similarity import phrase_embeddings, similarity

NOTHING = -1
STEPS = 10**6  # of a cosine, in whole numbers
Cluster = tuple[str, ...]
Row = Mapping[int, float]


class Match(NamedTuple):
    """The index of the gold keyphrase that a prediction meets, or NOTHING, and what the prediction earns."""

    gold: int
    credit: float


Matcher = Callable[[Sequence[str], Sequence[Cluster]], list[Match]]
Rows = Callable[[Sequence[str], Sequence[Cluster]], Sequence[Row]]


def matcher(policy: Policy) -> Matcher:
    """Return the function by which `policy` matches a list of keys with a list of clusters of keys."""
    again = policy.dedupe in ("none", "spelling")
    if policy.match == "semantic":
        rows = same_meaning(policy, whole=policy.credit != "prediction")
    else:
        rows = same_keys if policy.match in ("exact", "stem") else alike(policy)
    earned = EARNED.get(policy.credit) or BY_MEASURE.get(policy.match, best_of_row)

    def match(predicted: Sequence[str], gold: Sequence[Cluster]) -> list[Match]:
        first = {key: p for p, key in reversed(list(enumerate(predicted)))}
        counts = [again or first[key] == p for p, key in enumerate(predicted)]
        return earned(rows(predicted, gold), counts, again)

    return match


def same_keys(predicted: Sequence[str], gold: Sequence[Cluster]) -> list[Row]:
    """Return 1 for each gold keyphrase with the same key."""
    clusters_of: dict[str, dict[int, float]] = {}
    for i, cluster in enumerate(gold):
        for key in cluster:
            clusters_of.setdefault(key, {})[i] = 1.0
    return [clusters_of.get(key, {}) for key in predicted]


def alike(policy: Policy) -> Rows:
    """Return what gives the similarity to each gold keyphrase, to the most similar of its wordings."""
    measure = similarity(policy.match, embeddings=policy.embeddings)

    def rows(predicted: Sequence[str], gold: Sequence[Cluster]) -> list[Row]:
        clusters = [[wording.split() for wording in cluster] for cluster in gold]
        found = [[max(measure(key.split(), one) for one in cluster) for cluster in clusters] for key in predicted]
        return [{i: credit for i, credit in enumerate(row) if credit} for row in found]

    return rows


def same_meaning(policy: Policy, *, whole: bool) -> Rows:
    """Return what gives the cosine to each gold keyphrase with a wording that means the same; equal words do.

    The cosine is in whole numbers, so that sums can be compared; or it is 1 where it is `whole` or nothing.
    """
    cosines, threshold = phrase_embeddings(policy.embeddings).cosines, policy.threshold

    def rows(predicted: Sequence[str], gold: Sequence[Cluster]) -> list[Row]:
        wordings = [(i, key) for i, cluster in enumerate(gold) for key in cluster]
        found: list[dict[int, float]] = [{} for _ in predicted]
        table = cosines(predicted, [key for _, key in wordings]).tolist()
        for row, key, line in zip(found, predicted, table, strict=True):
            for (i, wording), cosine in zip(wordings, line, strict=True):
                if wording == key or cosine >= threshold:
                    steps = STEPS if wording == key else round(STEPS * cosine)
                    row[i] = 1.0 if whole else max(row.get(i, 0), steps)
        return list(found)

    return rows


def nearest(row: Row) -> int:
    """Return the gold keyphrase that a prediction is most like, of equals the first."""
    return max(row, key=lambda i: (row[i], -i), default=NOTHING)


# The following give each prediction the gold keyphrase that it meets, and what it earns: 1, or how alike they are.
# `counts` says which predictions are no repeats, or may be; with `again` synonyms, too, earn where others have earned.


def each_found_once(rows: Sequence[Row], counts: Sequence[bool], again: bool) -> list[Match]:
    """Give 1 for each gold keyphrase found. A repeat earns nothing even where the gold repeats itself, too."""
    found: set[int] = set()
    matches = []
    for row, may in zip(rows, counts, strict=True):
        if not row:  # most of them
            matches.append(Match(NOTHING, 0.0))
            continue
        free = next((i for i in row if i not in found), None)
        earns = may and (again or free is not None)
        match = Match(nearest(row) if free is None or not earns else free, float(earns))
        if earns:
            found.add(match.gold)
        matches.append(match)
    return matches


def best_of_row(rows: Sequence[Row], counts: Sequence[bool], again: bool) -> list[Match]:
    """Give each prediction what it is like the most similar gold keyphrase; repeats meet nothing."""
    best = [nearest(row) if may else NOTHING for row, may in zip(rows, counts, strict=True)]
    return [Match(gold, row.get(gold, 0.0)) for row, gold in zip(rows, best, strict=True)]


def each_assigned_once(rows: Sequence[Row], counts: Sequence[bool], again: bool) -> list[Match]:
    """Give 1 for each prediction that is assigned to a gold keyphrase of the same meaning, as many as can be."""
    if again:
        return [Match(nearest(row), float(bool(row))) for row in rows]
    own = assign([row if may else {} for row, may in zip(rows, counts, strict=True)])
    return [Match(nearest(row), 0.0) if mine is None else Match(mine, 1.0) for row, mine in zip(rows, own, strict=True)]


def best_of_gold(rows: Sequence[Row], counts: Sequence[bool], again: bool) -> list[Match]:
    """Give each prediction what it adds to the best that each gold keyphrase has had so far.

    So the first k predictions earn together what each gold keyphrase's best among them is like, for every k.
    """
    best: dict[int, float] = {}
    matches = []
    for row in rows:
        gains = {i: credit - best.get(i, 0.0) for i, credit in row.items() if credit > best.get(i, 0.0)}
        best.update((i, row[i]) for i in gains)
        matches.append(Match(nearest(row), sum(gains.values())))
    return matches


def every_pair(rows: Sequence[Row], counts: Sequence[bool], again: bool) -> list[Match]:
    """Give each prediction all that it is like, which may be more than 1."""
    return [Match(nearest(row), sum(row.values()) if may else 0.0) for row, may in zip(rows, counts, strict=True)]


EARNED = {"gold": best_of_gold, "pairs": every_pair}
BY_MEASURE = {"exact": each_found_once, "stem": each_found_once, "semantic": each_assigned_once}


def assign(gains: Sequence[Row]) -> list[int | None]:
    """Assign gold keyphrases to predictions one to one; return that of each prediction, or None.

    `gains` has for each prediction the gold keyphrases it may take, with what that gains: whole numbers, so that sums
    along different paths can be compared. Predictions come in order, best first. Each takes part if all before it that
    have a gold keyphrase can keep one, which makes the matching the largest for every first k predictions at once: what
    counts at k never depends on what follows. Among such matchings it is the one with the greatest sum of gains
    (successive best augmenting paths; Kuhn, 1955).
    """
    owner: dict[int, int] = {}
    for prediction, own in enumerate(gains):
        best = dict(own)  # by gold keyphrase: what all moves gain that end there
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
        end = max((gold for gold in best if gold not in owner), key=lambda gold: (best[gold], -gold), default=None)
        if end is None:
            continue
        while end in before:
            owner[end] = owner[before[end]]
            end = before[end]
        owner[end] = prediction
    taken = {prediction: gold for gold, prediction in owner.items()}
    return [taken.get(prediction) for prediction in range(len(gains))]
