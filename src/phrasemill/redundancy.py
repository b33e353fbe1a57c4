"""The rules by which near-duplicates of better phrases are dropped, as far as they compare words.

`meaning`, which compares embeddings, is in `diversity.py`.
"""

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TypeAlias

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.kernels import repeats
from phrasemill.kernels.distance import alike
from phrasemill.specs import parse
from phrasemill.text.stem import default_stemmer, stemmer
from phrasemill.types import STOPWORD, Analysis, Candidates

REDUNDANCY = ("inclusion", "meaning", "nested", "none", "similarity", "variants")
SPLIT = str.maketrans("-/", "  ")
SIMILAR = 0.8  # fraction of the longer form that two forms have in common before they count as one

# Whether a candidate is a near-duplicate of one of an earlier call; if not, it is remembered.
Repeats: TypeAlias = Callable[[int], bool]


@lru_cache(maxsize=64)
def rule(redundancy: str) -> "Callable[[Candidates], Repeats] | None":
    """Return the rule by words that `redundancy` names, which starts anew for each text; None for no rule."""
    spec = parse(redundancy)
    if spec.name not in REDUNDANCY:
        raise UnknownName("redundancy rule", spec.name, REDUNDANCY)
    if spec.name == "meaning":
        return None
    if spec.options or len(spec.values) > (spec.name == "similarity"):
        takes = "takes one number, as in similarity(0.8)" if spec.name == "similarity" else "takes no parameters"
        raise ConfigError(f"redundancy {spec.name} {takes}; got {spec}")
    if spec.name == "none":
        return None
    if spec.name == "variants":
        return _by_words
    if spec.name == "nested":
        return _by_nesting
    if spec.name == "inclusion":
        return partial(_by_form, limit=math.inf)
    limit = [*spec.values, SIMILAR][0]
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit <= 1:
        raise ConfigError(f"similarity must be above 0 and at most 1, got {limit!r}")
    return partial(_by_form, limit=float(limit))


def _by_form(candidates: Candidates, *, limit: float) -> Repeats:
    """Compare stemmed forms: by inclusion if `limit` is above 1, else by similarity."""
    better: list[str] = []

    def is_repeat(c: int) -> bool:
        form = candidates.form(c)
        if any(f" {form} " in f" {other} " for other in better) if limit > 1 else alike(form, better, limit):
            return True
        better.append(form)
        return False

    return is_repeat


def _by_words(candidates: Candidates) -> Repeats:
    """Compare stems without function words, in any order, hyphenated words in parts."""
    return _seen(candidates).same_words


def _by_nesting(candidates: Candidates) -> Repeats:
    """Compare words as `variants` does, then places: a phrase that stands only inside better ones repeats them, and so
    does one that occurs once and has a better one inside. The phrase that the text opens with, its title often, is
    exempt from the latter."""
    return _seen(candidates).nested


def _seen(candidates: Candidates) -> repeats.Seen:
    analysis = candidates.analysis
    places = (candidates.first, candidates.start, candidates.end)
    words = (analysis.stem, analysis.kind, analysis.stems)
    return repeats.Seen(*places, *words, partial(_joined_parts, analysis))


def _joined_parts(analysis: Analysis, begin: int, stop: int) -> str:
    return " ".join(_stems_of_parts(analysis, range(begin, stop)))


def content_stems(candidates: Candidates, c: int) -> list[str]:
    """Return the stems of a phrase without function words, hyphenated words in parts, in alphabetical order."""
    o = candidates.first[c]
    return _stems_of_parts(candidates.analysis, range(candidates.start[o], candidates.end[o]))


def _stems_of_parts(analysis: Analysis, inside: range) -> list[str]:
    stems: list[str] = []
    for i in inside:
        stem = analysis.stems[analysis.stem[i]]
        if "-" in stem or "/" in stem:
            stems += word_parts(analysis.words[analysis.word[i]], analysis.language)
        elif not analysis.kind[i] & STOPWORD or len(inside) == 1:
            stems.append(stem)
    return sorted(stems)


@lru_cache(maxsize=10_000)
def word_parts(word: str, language: str) -> tuple[str, ...]:
    """Return the stems of the parts of a hyphenated word."""
    stem = stemmer(default_stemmer(language))
    return tuple([stem(part) for part in word.lower().translate(SPLIT).split()])
