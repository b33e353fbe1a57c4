"""From scored candidates to a list: order, limits, exclusions and redundancy."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.kernels.distance import alike
from phrasemill.registry import parse
from phrasemill.text.analyse import analyse
from phrasemill.types import Candidates, Keyphrase, Span

REDUNDANCY = ("inclusion", "none", "similarity")
SIMILAR = 0.8  # share of the longer form that two forms have in common before they count as one


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of the scored candidates are returned.

    `top` is a number of phrases, a share of the candidates (a float up to 1), or None for all. `exclude` names
    phrases that are never returned; longer phrases that hold them still are. `redundancy` drops a phrase beside a
    better one: `inclusion` when its stems stand inside it, `similarity(0.8)` when the two forms are that much alike.
    """

    top: int | float | None = 10
    threshold: float | None = None
    exclude: frozenset[str] = frozenset()
    redundancy: str = "none"

    def __post_init__(self) -> None:
        if self.top is not None:
            if isinstance(self.top, bool) or not isinstance(self.top, int | float):
                raise ConfigError(f"top must be a number of phrases or a share of them, got {self.top!r}")
            if isinstance(self.top, float) and not 0 < self.top <= 1:
                raise ConfigError(f"top as a share must lie above 0 and at most at 1, got {self.top}")
            if isinstance(self.top, int) and self.top < 1:
                raise ConfigError(f"top must be at least 1, got {self.top}")
        if self.threshold is not None and not isinstance(self.threshold, int | float):
            raise ConfigError(f"threshold must be a number, got {self.threshold!r}")
        _similarity_limit(self.redundancy)

    def most(self, candidates: int) -> int:
        if self.top is None:
            return candidates
        # 0.07 * 100 is 7.000000000000001, which is 7.
        return math.ceil(round(self.top * candidates, 9)) if isinstance(self.top, float) else self.top


def select(candidates: Candidates, scores: Sequence[float], selection: Selection) -> list[Keyphrase]:
    """The best candidates, best first; ties go to the earlier, then to the shorter."""
    if selection.threshold is None:
        kept = list(range(len(candidates)))
    else:
        kept = [c for c in range(len(candidates)) if scores[c] >= selection.threshold]
    # Candidates are in order of first occurrence, the shorter first, and the sort is stable: ties stay so.
    kept.sort(key=scores.__getitem__, reverse=True)
    excluded = _forms(selection.exclude, candidates.analysis.language)
    limit = _similarity_limit(selection.redundancy)
    most = selection.most(len(candidates))
    chosen: list[Keyphrase] = []
    forms: list[str] = []
    for c in kept:
        if len(chosen) == most:
            break
        if excluded or limit is not None:
            form = candidates.form(c)
            if form in excluded or (limit is not None and _redundant(form, forms, limit)):
                continue
            forms.append(form)
        spans = candidates.spans(c)
        chosen.append(Keyphrase(wording(candidates.analysis.text, spans), float(scores[c]), spans))
    return chosen


def wording(text: str, spans: Sequence[Span]) -> str:
    """How the text writes a phrase: its most frequent wording, the earliest on a tie, on one line."""
    counts: dict[str, int] = {}
    for start, end in spans:
        counts[text[start:end]] = counts.get(text[start:end], 0) + 1
    if len(counts) > 1:
        # White space is folded only now: line breaks within phrases are rare.
        folded: dict[str, int] = {}
        for one, count in counts.items():
            folded[" ".join(one.split())] = folded.get(" ".join(one.split()), 0) + count
        counts = folded
    return " ".join(max(counts, key=counts.__getitem__).split())


@lru_cache(maxsize=64)
def _similarity_limit(redundancy: str) -> float | None:
    """None where nothing is redundant, infinity for inclusion, else how alike two forms may be."""
    spec = parse(redundancy)
    if spec.name not in REDUNDANCY:
        raise UnknownName("redundancy", spec.name, REDUNDANCY)
    if spec.name == "none":
        return None
    if spec.name == "inclusion":
        return math.inf
    limit = [*spec.values, *(value for _, value in spec.options), SIMILAR][0]
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit <= 1:
        raise ConfigError(f"similarity must lie above 0 and at most at 1, got {limit!r}")
    return float(limit)


def _redundant(form: str, better: list[str], limit: float) -> bool:
    if limit > 1:
        return any(f" {form} " in f" {other} " for other in better)
    return alike(form, better, limit)


@lru_cache(maxsize=64)
def _forms(phrases: frozenset[str], language: str) -> frozenset[str]:
    """The stemmed forms of `phrases`, as candidates have them."""
    return frozenset(form_of(phrase, language) for phrase in phrases)


def form_of(phrase: str, language: str = "en") -> str:
    """The stemmed form under which `phrase` would be a candidate."""
    analysis = analyse(phrase, language=language, tag=False)
    return " ".join([analysis.stems[stem] for stem in analysis.stem])


def as_phrases(exclude: Iterable[str]) -> frozenset[str]:
    """A checked set of phrases; one bare string is a slip that would exclude its letters."""
    if isinstance(exclude, str):
        raise ConfigError("exclude takes a list of phrases, not one string: exclude=['new york']")
    phrases = frozenset(exclude)
    for phrase in phrases:
        if not isinstance(phrase, str):
            raise ConfigError(f"exclude takes phrases, got {phrase!r}")
    return phrases
