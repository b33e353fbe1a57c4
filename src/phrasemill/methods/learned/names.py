"""Names in full: prose introduces `Colin Webb` and goes on with `Webb`, and editors list people by their full names.

The score of the last word alone goes to the full name where that is the better one. This holds for other names, too
(`Apache Airflow`, `Hurricane Milton`). Where two full names end with the same word it may mean either, and stays.
"""

from array import array
from collections.abc import Iterable

from phrasemill.kernels.shapes import NAME
from phrasemill.kernels.words import grouped
from phrasemill.methods.learned.shapes import word_classes
from phrasemill.types import UPPER, Analysis, Candidates

HONORIFICS = frozenset("dame dr dr. lady lord miss mr mr. mrs mrs. ms ms. prof prof. professor sir".split())
LONGEST = 3  # words of a full name
SHORT, FULL, BOTH = 1, 2, 3


def with_full_names(candidates: Candidates, scores: "array[float]") -> "array[float]":
    """Return the scores with 0 for the last words of full names alone."""
    analysis = candidates.analysis
    classes = word_classes(analysis)
    words, first, start, end = analysis.word, candidates.first, candidates.start, candidates.end
    names, last = array("i"), array("i")  # candidates, and their last words
    forms = bytearray(len(analysis.words))  # by last word
    for c, o in enumerate(first[:-1]):
        stop = end[o]
        if classes[stop - 1] != NAME or stop - start[o] > LONGEST or analysis.kind[stop - 1] & UPPER:
            continue
        if form := SHORT if stop - start[o] == 1 else _form(analysis, classes, start[o], stop):
            names.append(c)
            last.append(words[stop - 1])
            forms[words[stop - 1]] |= form
    if BOTH not in forms:
        return scores
    places, order = grouped(last, len(forms))
    changed, title = scores, _headline_end(analysis)
    word = -1
    while (word := forms.find(BOTH, word + 1)) >= 0:
        of_word = [names[i] for i in order[places[word] : places[word + 1]]]
        own = [_form(analysis, classes, start[first[c]], end[first[c]]) for c in of_word]
        short = [c for c, one in zip(of_word, own, strict=True) if one == SHORT]
        full = [c for c, one in zip(of_word, own, strict=True) if one == FULL]
        one = _one_name(candidates, full, scores)
        if one is None or not _introduced(candidates, one, short, title):
            continue
        if changed is scores:
            changed = array(scores.typecode, scores)
        changed[one] = max([changed[c] for c in (one, *short)])
        for c in short:
            changed[c] = 0.0
    return changed


def _form(analysis: Analysis, classes: "array[int]", begin: int, stop: int) -> int:
    """Return whether a run of up to LONGEST words, the last a name, is a last name alone or with an honorific (SHORT),
    or a full name."""
    words, of = analysis.words, analysis.word
    if stop - begin == 1 or (stop - begin == 2 and words[of[begin]] in HONORIFICS):
        return SHORT
    names = all(classes[i] == NAME for i in range(begin, stop - 1)) and words[of[begin]] not in HONORIFICS
    return FULL if names else 0


def _headline_end(analysis: Analysis) -> int:
    """Return the token at which a headline, on lines of its own, ends."""
    title, _ = analysis.view.bounds
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
