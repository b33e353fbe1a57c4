"""Names in full: prose introduces `Colin Webb` and goes on with `Webb`, and editors list people by their full names.

The score of the last word alone goes to the full name where that is the better one. This holds for other names, too
(`Apache Airflow`, `Hurricane Milton`). Where two full names end with the same word it may mean either, and stays.
"""

from array import array
from collections.abc import Iterable

from phrasemill.methods.learned.features import text_bounds
from phrasemill.methods.learned.shapes import NAME
from phrasemill.types import UPPER, Analysis, Candidates

HONORIFICS = frozenset("dame dr dr. lady lord miss mr mr. mrs mrs. ms ms. prof prof. professor sir".split())
LONGEST = 3  # words of a full name


def with_full_names(candidates: Candidates, scores: "array[float]", classes: "array[int]") -> "array[float]":
    """Return the scores with 0 for the last words of full names alone; `classes` are the `word_classes`."""
    analysis = candidates.analysis
    words, first, start, end = analysis.word, candidates.first, candidates.start, candidates.end
    short: dict[int, list[int]] = {}  # by word: it alone, and with an honorific
    full: dict[int, list[int]] = {}  # by last word
    for c in [c for c, o in enumerate(first[:-1]) if classes[end[o] - 1] == NAME]:
        begin, stop = start[first[c]], end[first[c]]
        if stop - begin > LONGEST or analysis.kind[stop - 1] & UPPER:
            continue
        last = words[stop - 1]
        if stop - begin == 1 or (stop - begin == 2 and analysis.words[words[begin]] in HONORIFICS):
            short.setdefault(last, []).append(c)
        elif analysis.words[words[begin]] not in HONORIFICS and all(classes[i] == NAME for i in range(begin, stop - 1)):
            full.setdefault(last, []).append(c)
    shared = short.keys() & full.keys()
    if not shared:
        return scores
    changed, title = scores, _headline_end(analysis)
    for word in shared:
        one = _one_name(candidates, full[word], scores)
        if one is None or not _introduced(candidates, one, short[word], title):
            continue
        if changed is scores:
            changed = array(scores.typecode, scores)
        changed[one] = max([changed[c] for c in (one, *short[word])])
        for c in short[word]:
            changed[c] = 0.0
    return changed


def _headline_end(analysis: Analysis) -> int:
    """Return the token at which a headline, on lines of its own, ends."""
    title, _ = text_bounds(analysis)
    apart = 0 < title < len(analysis) and "\n" in analysis.text[analysis.end[title - 1] : analysis.start[title]]
    return title if apart else 0


def _one_name(candidates: Candidates, full: Iterable[int], scores: "array[float]") -> int | None:
    """Return the most frequent of the candidates, the best of such, if all are one name: `Colin Webb`, and once
    `Deputy Colin Webb`."""
    stems = sorted([(candidates.stem_ids(c), c) for c in full], key=lambda one: len(one[0]))
    least = stems[0][0]
    if any(longer[-len(least) :] != least for longer, _ in stems):
        return None
    return max(full, key=lambda c: (candidates.count(c), scores[c]))


def _introduced(candidates: Candidates, full: int, short: Iterable[int], title: int) -> bool:
    """Return whether the full name stands below the title, before the short ones; in a title, any words may look like
    one name, and the short one is usual."""
    first, start, end = candidates.first, candidates.start, candidates.end
    places = [o for o in range(first[full], first[full + 1]) if start[o] >= title]
    if not places:
        return False
    inside = {end[o] for o in places}
    alone = (o for c in short for o in range(first[c], first[c + 1]) if end[o] not in inside)
    return not any(title <= start[o] < start[places[0]] for o in alone)
