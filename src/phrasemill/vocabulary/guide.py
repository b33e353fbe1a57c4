"""Guide any method by what the caller specifies: which phrases may be returned, which concepts they stand for, and
which score higher.

A method scores what it finds; this then restricts, maps and boosts, for every method alike. Phrases of the list or
vocabulary that stand in the text, but that the method did not propose, are given to the method to score with the rest
where it scores phrases one by one. A method whose ranking decides what its candidates are cannot do that; then such a
phrase borrows from the candidates it overlaps: between the lowest score of the text and the overlapped candidate's, as
far up as the two share their words, and the lowest score where it overlaps none.
"""

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from phrasemill.candidates import forms
from phrasemill.errors import ConfigError
from phrasemill.select import NO_LIMITS, Limits
from phrasemill.text.language_codes import language_code
from phrasemill.types import Analysis, Candidates, Places
from phrasemill.vocabulary.concepts import Vocabulary
from phrasemill.vocabulary.reading import read_vocabulary

Place = tuple[int, int]

BOOST = 2.0  # for a boosted phrase without a factor of its own
KNOWN = 2.0  # for a concept among new terms


class Guided(NamedTuple):
    """Candidates that may be returned, their scores, the concept id and label of each (empty for none), the rule for
    near-duplicates that the method named, and the price of a phrase."""

    candidates: Candidates
    scores: "array[float]"
    names: list[tuple[str, str]]
    redundancy: str | None
    price: float


class Term(NamedTuple):
    """A stemmed form of the text with its score and its places, in tokens."""

    form: str
    score: float
    places: Sequence[Place]


@dataclass(frozen=True, slots=True)
class Guide:
    """The phrases that an extraction may return, and the concepts that they are mapped to.

    `only` are the phrases that may be returned, and `vocabulary` has the concepts. With `new_terms`, phrases without a
    concept are also returned, unless they occur only inside wordings of concepts, and concepts are boosted by `KNOWN`.
    Concepts are reported `roll_up` levels further up, with labels in `label_language`. `boost` has a factor for each
    boosted phrase.
    """

    only: Vocabulary | None = None
    vocabulary: Vocabulary | None = None
    new_terms: bool = False
    boost: tuple[tuple[str, float], ...] = ()
    label_language: str | None = None
    roll_up: int = 0

    @property
    def lists_phrases(self) -> bool:
        """Whether the phrases that may be returned are listed."""
        return self.only is not None or self.vocabulary is not None

    def apply(
        self,
        analysis: Analysis,
        rank: Callable[[Analysis, Places], tuple[Candidates, Sequence[float], str | None, float]],
        *,
        scale: str,
        exclude: frozenset[str],
        limits: Limits = NO_LIMITS,
    ) -> Guided:
        """Rank the phrases of a text, and keep those that the guide and the limits allow. `rank` is `Ranker.ranked`."""
        language = analysis.language
        only = None if self.only is None else self.only.index(language)
        concepts = above = None
        if self.vocabulary is not None:
            concepts = self.vocabulary.index(language, label_language=self.label_language)
            above = ancestors(self.vocabulary, self.roll_up) if self.roll_up else None
        wanted = concepts if only is None else only
        places: dict[str, list[Place]] = {}
        for match in () if wanted is None else wanted.find(analysis):
            places.setdefault(match.form, []).append((match.start, match.end))
        candidates, scores, redundancy, price = rank(analysis, places)

        def allowed(form: str) -> bool:
            new = concepts is None or self.new_terms or form in concepts.concept
            return new and (only is None or form in only.concept)

        keeps = limits.within(candidates.analysis) if limits else None
        groups: dict[int | str, list[Term]] = {}  # those of one concept together, under its number
        for term in _terms(candidates, scores, places, allowed):
            if keeps is None or all(keeps(start, end) for start, end in term.places):
                number = None if concepts is None else concepts.concept.get(term.form)
                key = term.form if number is None else number if above is None else above[number]
                groups.setdefault(key, []).append(term)
        reach = _reach(term for key, terms in groups.items() if isinstance(key, int) for term in terms)
        factors = dict(_factors(self.boost, language))
        known = KNOWN if self.new_terms and any(isinstance(key, str) for key in groups) else 1.0
        first, starts, ends = array("i", [0]), array("i"), array("i")
        guided: array[float] = array("d")
        names: list[tuple[str, str]] = []
        for key, terms in groups.items():
            if any(term.form in exclude for term in terms):
                continue
            new = isinstance(key, str)
            if new and concepts is not None and all(reach.get(start, 0) >= end for start, end in terms[0].places):
                continue  # it stands only within wordings of concepts
            factor = max((factors[term.form] for term in terms if term.form in factors), default=1.0)
            factor *= 1.0 if new else known
            score = max(term.score for term in terms)
            guided.append(score if factor == 1.0 else boosted(score, factor, scale))
            names.append(("", "") if isinstance(key, str) or concepts is None else concepts.named(key))
            for start, end in _outermost([place for term in terms for place in term.places]):
                starts.append(start)
                ends.append(end)
            first.append(len(starts))
        kept = Candidates(candidates.analysis, first, starts, ends, candidates.absent)
        return Guided(kept, guided, names, redundancy, price)


def guide(
    *,
    candidates: Iterable[str] | None = None,
    vocabulary: Vocabulary | str | Path | None = None,
    new_terms: bool = False,
    boost: Iterable[str] | Mapping[str, float] = (),
    label_language: str | None = None,
    roll_up: int = 0,
) -> Guide | None:
    """Return the guide for these options of `extract`, or None if they have no effect."""
    if isinstance(roll_up, bool) or not isinstance(roll_up, int) or roll_up < 0:
        raise ConfigError(f"roll_up must be a number of levels, 0 or more, got {roll_up!r}")
    factors = _checked(boost)
    if candidates is None and vocabulary is None and not factors:
        return None
    only = None if candidates is None else Vocabulary.of(candidates, source="candidates")
    if vocabulary is not None and not isinstance(vocabulary, Vocabulary):
        vocabulary = read_vocabulary(vocabulary)
    shown = None if label_language is None else language_code(label_language)
    return Guide(only, vocabulary, new_terms, factors, shown, roll_up)


@lru_cache(maxsize=8)
def ancestors(vocabulary: Vocabulary, levels: int) -> tuple[int, ...]:
    """Return the number of the concept that each is reported as: the first broader one, so many times, as far as there
    is one that is not deprecated."""
    numbers = {concept.id: number for number, concept in enumerate(vocabulary.concepts)}
    found = list(range(len(vocabulary.concepts)))
    for number in found:
        seen = {number}
        for _ in range(levels):
            broader = (numbers.get(one) for one in vocabulary.concepts[found[number]].broader)
            usable = (one for one in broader if one is not None and not vocabulary.concepts[one].deprecated)
            above = next(usable, None)
            if above is None or above in seen:
                break
            seen.add(above)
            found[number] = above
    return tuple(found)


def _checked(boost: Iterable[str] | Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    if isinstance(boost, str):
        raise ConfigError("boost takes a list of phrases, not one string: boost=['new york']")
    given = boost if isinstance(boost, Mapping) else dict.fromkeys(boost, BOOST)
    for phrase, factor in given.items():
        if not isinstance(phrase, str):
            raise ConfigError(f"boost takes phrases, got {phrase!r}")
        if isinstance(factor, bool) or not isinstance(factor, int | float) or not 0 < factor < math.inf:
            raise ConfigError(f"the boost of {phrase!r} must be a number above 0, got {factor!r}")
    return tuple((phrase, float(factor)) for phrase, factor in given.items())


@lru_cache(maxsize=64)
def _factors(boost: tuple[tuple[str, float], ...], language: str) -> tuple[tuple[str, float], ...]:
    """Return the factors by stemmed form."""
    if not boost:
        return ()
    index = Vocabulary.of([phrase for phrase, _ in boost]).index(language)
    return tuple((form, boost[number][1]) for form, number in index.concept.items())


def boosted(score: float, factor: float, scale: str) -> float:
    """Return a score that counts `factor` times as much: multiply the odds of a probability, add the logarithm to
    log-odds, multiply any other (divide a negative one)."""
    if scale == "probability":
        return score * factor / (1 - score + score * factor)
    if scale == "log-odds":
        return score + math.log(factor)
    return score * factor if score > 0 else score / factor


def _terms(
    candidates: Candidates, scores: Sequence[float], places: Places, allowed: Callable[[str], bool]
) -> list[Term]:
    """Return every allowed form with its score: those that the method scored, then those it did not, which borrow one
    from the candidates that they overlap."""
    keys = forms(candidates)
    found = [
        Term(form, scores[c], places.get(form) or _places(candidates, c))
        for c, form in enumerate(keys)
        if allowed(form)
    ]
    missing = sorted(filter(allowed, places.keys() - set(keys)), key=lambda form: places[form][0])
    covering: dict[int, list[tuple[int, int, float]]] = {}  # by token
    for c in range(len(candidates)) if missing else ():
        for start, end in _places(candidates, c):
            for token in range(start, end):
                covering.setdefault(token, []).append((start, end, scores[c]))
    lowest = min(scores, default=0.0)
    for form in missing:
        score = lowest
        for start, end in places[form]:
            for other_start, other_end, other in (
                one for token in range(start, end) for one in covering.get(token, ())
            ):
                shared = min(end, other_end) - max(start, other_start)
                whole = max(end, other_end) - min(start, other_start)
                score = max(score, lowest + (other - lowest) * shared / whole)
        found.append(Term(form, score, places[form]))
    return found


def _places(candidates: Candidates, c: int) -> list[Place]:
    begin, stop = candidates.first[c], candidates.first[c + 1]
    return list(zip(candidates.start[begin:stop], candidates.end[begin:stop], strict=True))


def _reach(terms: Iterable[Term]) -> dict[int, int]:
    """Return how far the terms reach from each of their tokens."""
    found: dict[int, int] = {}
    for term in terms:
        for start, end in term.places:
            for token in range(start, end):
                found[token] = max(end, found.get(token, 0))
    return found


def _outermost(places: list[Place]) -> list[Place]:
    """Return places in text order, without those inside another."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda place: (place[0], -place[1])):
        if not kept or place[1] > kept[-1][1]:
            kept.append(place)
    return kept
