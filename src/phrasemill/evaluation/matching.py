"""Which gold keyphrase each prediction finds, and what it earns.

Predictions are taken in order. A gold keyphrase (a cluster of wordings, as a rule of one) is found by the first
prediction that matches any of its wordings; a later match earns nothing, "just with synonymous keyphrases" as with
repeats (Shapira et al., 2021, appendix A), unless repeats are allowed to earn again (`dedupe='none'`). With partial
credit a prediction earns its best similarity to any wording, whoever else earned from that (PubMedAKE, eq. 1).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from phrasemill.evaluation.policies import Policy
from phrasemill.evaluation.similarity import Similarity, similarity

NOTHING = -1
Cluster = tuple[str, ...]


class Match(NamedTuple):
    """The index of the gold keyphrase that a prediction meets, or NOTHING, and what the prediction earns."""

    gold: int
    credit: float


MISS = Match(NOTHING, 0.0)
Matcher = Callable[[Sequence[str], Sequence[Cluster]], list[Match]]


def matcher(policy: Policy) -> Matcher:
    """How `policy` matches lists of keys with lists of clusters of keys."""
    again = policy.dedupe == "none"
    if policy.match in ("exact", "stem"):
        return lambda predicted, gold: match_keys(predicted, gold, again=again)
    if policy.match == "semantic":
        from phrasemill.evaluation.embeddings import embeddings

        cosines, threshold = embeddings(policy.embeddings).cosines, policy.threshold
        return lambda predicted, gold: match_vectors(predicted, gold, cosines, threshold=threshold)
    measure = similarity(policy.match)
    return lambda predicted, gold: match_partly(predicted, gold, measure, again=again)


def match_keys(predicted: Sequence[str], gold: Sequence[Cluster], *, again: bool = False) -> list[Match]:
    """Whole keys: 1 for each gold keyphrase found. With `again` repeats and synonyms earn as well."""
    places: dict[str, list[int]] = {}
    for i, cluster in enumerate(gold):
        for key in cluster:
            places.setdefault(key, []).append(i)
    found: set[int] = set()
    seen: set[str] = set()
    matches = []
    for key in predicted:
        match = MISS
        where = places.get(key)
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


def match_partly(
    predicted: Sequence[str], gold: Sequence[Cluster], measure: Similarity, *, again: bool = False
) -> list[Match]:
    """The best similarity to any wording; of equals the first gold keyphrase."""
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
    cosines: Callable[[Sequence[str], Sequence[str]], Sequence[Sequence[float]]],
    *,
    threshold: float,
) -> list[Match]:
    """Equal keys first; then, in order, the nearest gold keyphrase left whose cosine is at least `threshold`."""
    matches = match_keys(predicted, gold)
    wordings = [(i, key) for i, cluster in enumerate(gold) for key in cluster]
    found = {match.gold for match in matches if match.credit}
    open_ = [p for p, match in enumerate(matches) if match.gold == NOTHING]
    table = cosines([predicted[p] for p in open_], [key for _, key in wordings])
    seen: set[str] = set()
    for p, row in zip(open_, table, strict=True):
        near = [(float(c), i) for (i, _), c in zip(wordings, row, strict=True) if c >= threshold and i not in found]
        if near and predicted[p] not in seen:
            best = max(near, key=lambda pair: (pair[0], -pair[1]))[1]
            matches[p] = Match(best, 1.0)
            found.add(best)
        seen.add(predicted[p])
    return matches
