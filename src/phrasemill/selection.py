"""From scored candidates to a list: order, limits, exclusions and redundancy."""

import math
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import compress, islice, takewhile
from typing import TYPE_CHECKING

from phrasemill.errors import ConfigError
from phrasemill.kernels import choice
from phrasemill.limits import NO_LIMITS, Limits
from phrasemill.redundancy import content_stems, rule
from phrasemill.specs import Registry, parse
from phrasemill.text.analyse import analyse
from phrasemill.text.languages import profile
from phrasemill.types import Candidates, Evidence, Keyphrase, Span, Top
from phrasemill.wording import best_wording, wording

if TYPE_CHECKING:
    from phrasemill.diversity import Meaning

AUTO = "auto"
FIRST = 32  # candidates that are sorted at first; most callers need no more
POOL = 5  # candidates that compete by meaning, per phrase to return
UNSET = {one.name: one.default for one in fields(Keyphrase) if one.name not in ("text", "score", "spans")}
_MEANING = Registry("redundancy", {"meaning": "phrasemill.diversity:Meaning"})


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of the scored candidates are returned.

    `top` is a count, a fraction of the candidates (a float up to 1), None for all, or `auto` for as many as promise the
    best F1, where scores are probabilities: near-duplicates count once, and each phrase costs `price`. `exclude` are
    phrases to leave out; longer phrases that contain them stay. `redundancy` drops near-duplicates of better phrases:
    `variants` if both have the same words, in any order and with any hyphens, `nested` those and what stands only
    inside better ones, or once and around one, `inclusion` if its stems stand inside the better one, `similarity(0.8)`
    if the two forms are that similar. `meaning(0.8)` chooses among the best by maximal marginal relevance over
    embeddings, after the rule that `wordings` names. `diversity`, from 0 to 1, is the weight of being unlike the other
    phrases, where phrases are alike as far as they share words. What `limits` rule out counts neither for `auto` nor
    for a fraction.
    """

    top: Top = 10
    threshold: float | None = None
    exclude: frozenset[str] = frozenset()
    redundancy: str = "none"
    wordings: str = "none"
    limits: Limits = NO_LIMITS
    diversity: float = 0.0
    price: float = 1.0

    def __post_init__(self) -> None:
        if self.top is not None and self.top != AUTO:
            if isinstance(self.top, bool) or not isinstance(self.top, int | float):
                raise ConfigError(f"top must be a count, a fraction, 'auto' or None, got {self.top!r}")
            if isinstance(self.top, float) and not 0 < self.top <= 1:
                raise ConfigError(f"top as a fraction must be above 0 and at most 1, got {self.top}")
            if isinstance(self.top, int) and self.top < 1:
                raise ConfigError(f"top must be at least 1, got {self.top}")
        least = self.threshold
        if least is not None and (isinstance(least, bool) or not isinstance(least, int | float) or math.isnan(least)):
            raise ConfigError(f"threshold must be a number, got {least!r}")
        rule(self.by_wording)
        by_meaning = _meaning(self.redundancy)
        if isinstance(self.diversity, bool) or not isinstance(self.diversity, int | float):
            raise ConfigError(f"diversity must be a number from 0 to 1, got {self.diversity!r}")
        if not 0 <= self.diversity <= 1:
            raise ConfigError(f"diversity must be from 0 to 1, got {self.diversity}")
        if self.diversity and by_meaning is not None:
            raise ConfigError("diversity and redundancy='meaning' both spread the phrases; leave out one of them")

    @property
    def by_wording(self) -> str:
        """The rule that compares words alone."""
        return self.redundancy if _meaning(self.redundancy) is None else self.wordings

    def most(self, candidates: int) -> int:
        if self.top is None:
            return candidates
        if isinstance(self.top, str):
            raise ConfigError("top='auto' is for single documents; use a count")
        # 0.07 * 100 is 7.000000000000001, which is 7.
        return math.ceil(round(self.top * candidates, 9)) if isinstance(self.top, float) else self.top


def best_count(probabilities: Sequence[float], price: float = 1.0) -> int:
    """Return how many of the best to return for the highest expected F1.

    With k phrases, of which the first k probabilities promise a sum of hits, and as many keyphrases as all of them
    promise, F1 is about 2 * hits / (k + keyphrases) (Yuan et al., 2020, argue for a number that varies). With a higher
    `price` a phrase counts for more than one.
    """
    expected, hits, best, number = sum(probabilities), 0.0, 0.0, 0
    for k, probability in enumerate(sorted(probabilities, reverse=True), start=1):
        hits += probability
        if 2 * hits / (price * k + expected) <= best:
            break
        best, number = 2 * hits / (price * k + expected), k
    return number


def select(
    candidates: Candidates,
    scores: Sequence[float],
    selection: Selection,
    names: Sequence[tuple[str, str]] | None = None,
    explain: Callable[[int], tuple[Evidence, ...]] | None = None,
) -> list[Keyphrase]:
    """Return the best candidates, best first; ties go to the earlier, then to the shorter.

    `names` are the concept and the label of each candidate, where there is a vocabulary; `explain` returns reasons.
    """
    ordered: Iterable[int] = _ordered(scores)
    eligible = scores
    if selection.limits:
        allowed = selection.limits.allowed(candidates)
        ordered = (c for c in ordered if allowed[c])
        eligible = list(compress(scores, allowed))
    distinct = _distinct(candidates, ordered, selection)
    if selection.top == AUTO:
        every = list(distinct)
        most, distinct = best_count([scores[c] for c in every], selection.price), iter(every)
    else:
        most = selection.most(len(eligible))
    if (least := selection.threshold) is not None:
        distinct = takewhile(lambda c: scores[c] >= least, distinct)
    chosen = _spread(candidates, scores, distinct, selection, most)
    analysis, places = candidates.analysis, (candidates.first, candidates.start, candidates.end)
    bounds = (*places, analysis.start, analysis.end)
    keyphrases: list[Keyphrase]
    keyphrases, doubtful = choice.phrases(analysis.text, chosen, scores, *bounds, Span, Keyphrase, UNSET)
    for i in doubtful:
        keyphrases[i] = replace(keyphrases[i], text=best_wording(analysis, keyphrases[i].text, keyphrases[i].spans))
    if names is not None:
        pairs = zip(chosen, keyphrases, strict=True)
        keyphrases = [replace(one, concept=names[c][0], label=names[c][1]) for c, one in pairs]
    if explain is not None:
        keyphrases = [replace(one, evidence=explain(c)) for c, one in zip(chosen, keyphrases, strict=True)]
    return keyphrases


def _ordered(scores: Sequence[float]) -> Iterator[int]:
    """Yield the numbers of the candidates, best first; all are sorted only if more than the first few are needed."""
    # Candidates are in order of first occurrence, the shorter first; ties stay so.
    numbers = scores if isinstance(scores, array) and scores.typecode == "d" else array("d", scores)
    first = choice.best(numbers, FIRST)
    yield from first
    if len(first) < len(scores):
        yield from islice(choice.ranked(numbers), len(first), None)


def _distinct(candidates: Candidates, ordered: Iterable[int], selection: Selection) -> Iterator[int]:
    """Yield the candidates that are not excluded and, by their words, no near-duplicates of better ones."""
    language = candidates.analysis.language
    if excluded := excluded_forms(selection.exclude, language):
        ordered = (c for c in ordered if candidates.form(c) not in excluded)
    if profile(language).segment is not None:
        ordered = _of_distinct_letters(candidates, ordered)
    if (by_wording := rule(selection.by_wording)) is not None:
        repeats = by_wording(candidates)
        ordered = (c for c in ordered if not repeats(c))
    return iter(ordered)


def _of_distinct_letters(candidates: Candidates, ordered: Iterable[int]) -> Iterator[int]:
    """Yield the candidates that are written like no better one. In a script without spaces the same letters may be cut
    into other words at another place, which makes them another candidate."""
    better: set[str] = set()
    for c in ordered:
        letters = candidates.form(c).replace(" ", "")
        if letters not in better:
            better.add(letters)
            yield c


def _spread(
    candidates: Candidates, scores: Sequence[float], ordered: Iterator[int], selection: Selection, most: int
) -> list[int]:
    """Return the first `most` candidates, or as many of the best that differ by meaning or by words; best first.

    Scores of methods have nothing in common but their order, so relevance is the rank: 1 for the best, less by the same
    amount per better candidate, down to 0 at the end of the pool.
    """
    meaning = _meaning(selection.redundancy)
    if meaning is None and not selection.diversity:
        return list(islice(ordered, most))
    pool = list(islice(ordered, POOL * most))
    if len(pool) <= most:
        return pool
    better = [0] * len(pool)
    for i in range(1, len(pool)):
        better[i] = better[i - 1] if scores[pool[i]] == scores[pool[i - 1]] else i
    relevance = [1 - number / (POOL * most) for number in better]
    if meaning is not None:
        phrases = [wording(candidates.analysis.text, candidates.spans(c)) for c in pool]
        return [pool[i] for i in meaning.choose(phrases, relevance, most)]
    from phrasemill.diversity import unlike

    words = [content_stems(candidates, c) for c in pool]
    return [pool[i] for i in unlike(words, relevance, weight=selection.diversity, most=most)]


def within(keyphrases: Iterable[Keyphrase], size: int, absent: Evidence) -> list[Keyphrase]:
    """Return the keyphrases without spans beyond `size`; `absent` is the evidence for those that have none left."""
    found = []
    for one in keyphrases:
        spans = tuple([span for span in one.spans if span.end <= size])
        evidence = (absent,) if one.evidence and not spans else one.evidence
        found.append(one if spans == one.spans else replace(one, spans=spans, evidence=evidence))
    return found


def occurrence_evidence(candidates: Candidates, c: int) -> tuple[Evidence, ...]:
    """Return how often candidate `c` occurs, and where first."""
    count, first = candidates.count(c), candidates.start[candidates.first[c]]
    times = {1: "once", 2: "twice"}.get(count, f"{count:,} times")
    sentence = bisect_right(candidates.analysis.sentences, first) + 1
    return (
        Evidence("frequency", f"occurs {times} in this text", 0.0),
        Evidence("position", f"first appears in sentence {sentence:,}", 0.0),
    )


@lru_cache(maxsize=64)
def _meaning(redundancy: str) -> "Meaning | None":
    """Return the rule by meaning that `redundancy` names; None if it goes by words."""
    spec = parse(redundancy)
    built: Meaning | None = _MEANING.build(spec) if spec.name == "meaning" else None
    return built


@lru_cache(maxsize=64)
def excluded_forms(phrases: frozenset[str], language: str) -> frozenset[str]:
    """Return the stemmed forms of `phrases`, as candidates have them."""
    return frozenset(form_of(phrase, language) for phrase in phrases)


def form_of(phrase: str, language: str = "en") -> str:
    """Return the stemmed form under which `phrase` would be a candidate."""
    analysis = analyse(phrase, language=language, tag=False)
    return " ".join([analysis.stems[stem] for stem in analysis.stem])


def as_phrases(exclude: Iterable[str]) -> frozenset[str]:
    """Return a checked set of phrases; a bare string would exclude its letters."""
    if isinstance(exclude, str):
        raise ConfigError("exclude takes a list of phrases, not one string: exclude=['new york']")
    phrases = frozenset(exclude)
    for phrase in phrases:
        if not isinstance(phrase, str):
            raise ConfigError(f"exclude takes phrases, got {phrase!r}")
    return phrases
