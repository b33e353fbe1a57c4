"""What marks one set out from another: phrases that hold in more of its documents than chance would have it.

Each phrase of the first set is counted in the documents of both. The effect is the base-2 logarithm of the ratio of its
two shares of documents, with half a document added to each count (Haldane and Anscombe), so 1 means twice as common.
The p-value is Fisher's exact test, one-sided: how likely at least this many of the documents with the phrase fall into
the first set, if sets did not matter. It is corrected for all phrases compared by Benjamini and Hochberg (1995), which
bounds the share of false discoveries among those called significant. The score is the lower end of the 95 % interval of
the ratio, "at least so many times as common": phrases are ranked by what is sure, not by what is merely possible.

Which phrases are compared depends on the first set alone, so p-values of phrases that only just entered the
comparison are a little small.
"""

import math
from collections.abc import Iterable, Sequence

from phrasemill.sets.reading import ReadDocument, find
from phrasemill.sets.results import ChosenPhrase, Contrast, places_of

HALF = 0.5
CERTAIN = 1.96  # standard errors to the lower end of a 95 % interval


def compare(
    phrases: Sequence[ChosenPhrase], own: Sequence[ReadDocument], other: Sequence[ReadDocument]
) -> list[ChosenPhrase]:
    """Return those of `phrases` that are more common in `own` than in `other`, the surest difference first."""
    forms = dict.fromkeys(form for phrase in phrases for form in phrase.forms)
    sides = [(readings, find(forms, readings)) for readings in (own, other)]
    counts = [
        [len({place.reading for place in places_of(phrase, places, readings)}) for readings, places in sides]
        for phrase in phrases
    ]
    ps = [fisher(a, b, len(own), len(other)) for a, b in counts]
    compared = []
    for phrase, (a, b), p, q in zip(phrases, counts, ps, corrected(ps), strict=True):
        effect, error = log_ratio(a, b, len(own), len(other))
        if a and effect > 0:
            contrast = Contrast(effect, p, q, b, len(other))
            compared.append(phrase._replace(score=2 ** (effect - CERTAIN * error), contrast=contrast))
    return sorted(compared, key=lambda one: -one.score)


def log_ratio(a: int, b: int, own: int, other: int) -> tuple[float, float]:
    """Return the base-2 logarithm of (a / own) / (b / other), with half a document added, and its standard error."""
    effect = math.log2((a + HALF) / (own + HALF)) - math.log2((b + HALF) / (other + HALF))
    variance = 1 / (a + HALF) - 1 / (own + HALF) + 1 / (b + HALF) - 1 / (other + HALF)
    return effect, math.sqrt(max(variance, 0.0)) / math.log(2)


def fisher(a: int, b: int, own: int, other: int) -> float:
    """Return the probability of `a` or more among `own` documents, when `a + b` of `own + other` hold the phrase."""
    held = a + b
    total = _log_choose(own + other, held)
    tail = [
        math.exp(_log_choose(own, x) + _log_choose(other, held - x) - total)
        for x in range(a, min(held, own) + 1)
        if held - x <= other
    ]
    return min(1.0, math.fsum(tail))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def corrected(ps: Iterable[float]) -> list[float]:
    """Return the p-values after Benjamini and Hochberg, in the order given."""
    values = list(ps)
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    result, least = [1.0] * len(values), 1.0
    for above, i in enumerate(order):
        least = min(least, values[i] * len(values) / (len(values) - above))
        result[i] = least
    return result
