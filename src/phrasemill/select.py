"""From scored candidates to a list: which of them are returned, and how they are written.

`select` takes the best candidates in turn. It leaves out what `Limits` and the caller exclude, and near-duplicates of
better phrases by a rule of redundancy; `meaning` and `diversity` then spread the phrases by maximal marginal relevance.
"""

import math
import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, partial
from heapq import heapify, heappop, heappush
from itertools import accumulate, filterfalse, islice, takewhile
from typing import TypeAlias

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.kernels import choice
from phrasemill.kernels.words import first_places
from phrasemill.specs import Registry, parse
from phrasemill.text.analyse import analyse
from phrasemill.text.languages import profile
from phrasemill.text.stem import default_stemmer, stemmer
from phrasemill.types import NUMBER, STOPWORD, WORD, Analysis, Candidates, Evidence, Keyphrase, Span, Top

ALL, AUTO = "all", "auto"  # of `top`; "all" is the same as None
POOL = 5  # candidates that compete by meaning or for diversity, per phrase to return
UNSET = {one.name: one.default for one in fields(Keyphrase) if one.name not in ("text", "score", "spans")}
REDUNDANCY = ("inclusion", "meaning", "nested", "none", "similarity", "variants")
SIMILAR = 0.8  # fraction of the longer form that two forms have in common before they count as one
BALANCE = 0.8  # docs/evidence/meaning.md
DIGITS = 5  # of a cosine that do not depend on what else was encoded with a phrase
APOSTROPHES = ("'", "\N{RIGHT SINGLE QUOTATION MARK}")
PARTS = str.maketrans("-/", "  ")
# How a phrase is written.
NEARBY = 80  # characters before and after a phrase that tell whether its line is in capitals
NO_ACRONYM = 7  # letters
OPENING = 2000  # characters that tell whether a text is written in capitals
MOST_PLACES = 50  # of a word that are looked at
BROKEN = r"(\S+)[-\u2010\u00ad\u00ac] (\S+)"

# Whether a candidate repeats one of an earlier call; if not, it is remembered.
Repeats: TypeAlias = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Limits:
    """Phrases have at least `shortest` and at most `longest` words, and none of `stopwords` at either end.

    A hyphenated word is one word, and so is one with its apostrophe (`Newton's`). Stopwords are in lower case; with
    `replaces` they take the place of the language's own.
    """

    longest: int | None = None
    shortest: int = 1
    stopwords: frozenset[str] = frozenset()
    replaces: bool = False

    def __post_init__(self) -> None:
        for name, value in (("longest", self.longest), ("shortest", self.shortest)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ConfigError(f"{name} must be a number of words, at least 1, got {value!r}")
        if self.longest is not None and self.longest < self.shortest:
            raise ConfigError(f"longest must be at least shortest, got {self.longest} and {self.shortest}")

    def __bool__(self) -> bool:
        return self.longest is not None or self.shortest > 1 or bool(self.stopwords) or self.replaces

    def reading(self, analysis: Analysis) -> Analysis:
        """Return the analysis with these stopwords in place of the language's own."""
        barred = {w for w, word in enumerate(analysis.words) if word.lower() in self.stopwords}
        kinds = [
            kind | STOPWORD if w in barred else kind & ~STOPWORD
            for w, kind in zip(analysis.word, analysis.kind, strict=True)
        ]
        return replace(analysis, kind=array(analysis.kind.typecode, kinds))

    def within(self, analysis: Analysis) -> Callable[[int, int], bool]:
        """Return a function that tells whether the tokens from one place up to another keep to the limits."""
        whole = [_is_whole(word) for word in analysis.words]
        counted = [
            kind & (WORD | NUMBER) != 0 and whole[w] for w, kind in zip(analysis.word, analysis.kind, strict=True)
        ]
        before = [0, *accumulate(counted)]
        barred = {w for w, word in enumerate(analysis.words) if word.lower() in self.stopwords}
        words, shortest, longest = analysis.word, self.shortest, self.longest

        def keeps(start: int, end: int) -> bool:
            count = before[end] - before[start]
            if count < shortest or (longest is not None and count > longest):
                return False
            return words[start] not in barred and words[end - 1] not in barred

        return keeps

    def allowed(self, candidates: Candidates) -> list[bool]:
        """Return for each candidate whether all its occurrences keep to the limits."""
        keeps = self.within(candidates.analysis)
        each = list(map(keeps, candidates.start, candidates.end))
        first = candidates.first
        return [all(each[first[c] : first[c + 1]]) for c in range(len(candidates))]


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of the scored candidates are returned; checked when it is made.

    `top` is a count, a fraction of the candidates (a float up to 1), None for all, or `auto` for as many as promise the
    best F1, where scores are probabilities and near-duplicates count once. `exclude` are phrases to leave out; longer
    phrases that contain them stay. `redundancy` drops near-duplicates of better phrases: `variants` if both have the
    same words, in any order and with any hyphens, `nested` those and what stands only inside better ones, or once and
    around one, `inclusion` if its stems stand inside the better one, `similarity(0.8)` if the two forms are that
    similar. `meaning(0.8)` chooses among the best by maximal marginal relevance over embeddings, after the method's own
    rule, which also takes the place of None. `diversity`, from 0 to 1, is the weight of being unlike the other phrases,
    where phrases are alike as far as they share words. What `limits` rule out counts neither for `auto` nor for a
    fraction.
    """

    top: Top = 10
    threshold: float | None = None
    exclude: frozenset[str] = frozenset()
    redundancy: str | None = None
    limits: Limits = NO_LIMITS
    diversity: float = 0.0
    meaning: "Meaning | None" = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.top == ALL:
            object.__setattr__(self, "top", None)
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
        if isinstance(self.diversity, bool) or not isinstance(self.diversity, int | float):
            raise ConfigError(f"diversity must be a number from 0 to 1, got {self.diversity!r}")
        if not 0 <= self.diversity <= 1:
            raise ConfigError(f"diversity must be from 0 to 1, got {self.diversity}")
        if not self.limits:
            object.__setattr__(self, "limits", NO_LIMITS)  # one object, which is quicker to tell
        meaning = None
        if self.redundancy is not None:
            rule(self.redundancy)
            spec = parse(self.redundancy)
            meaning = _MEANING.build(spec) if spec.name == "meaning" else None
        object.__setattr__(self, "meaning", meaning)
        if self.diversity and meaning is not None:
            raise ConfigError("diversity and redundancy='meaning' both spread the phrases; leave out one of them")
        if self.top is None and (self.diversity or meaning is not None):
            what = "diversity" if self.diversity else "redundancy='meaning'"
            raise ConfigError(f"{what} chooses among phrases, and top='all' returns every one; give a count")

    def most(self, candidates: int) -> int:
        if self.top is None:
            return candidates
        if isinstance(self.top, str):
            raise ConfigError("top='auto' is for single documents; use a count")
        # 0.07 * 100 is 7.000000000000001, which is 7.
        return math.ceil(round(self.top * candidates, 9)) if isinstance(self.top, float) else self.top


def _is_whole(word: str) -> bool:
    """Tell words from what the tokeniser cuts off their ends: 's, n't."""
    return not word.startswith(APOSTROPHES) and word.lower() not in ("n't", "n\N{RIGHT SINGLE QUOTATION MARK}t")


def as_phrases(exclude: Iterable[str]) -> frozenset[str]:
    """Return a checked set of phrases; a bare string would exclude its letters."""
    if isinstance(exclude, str):
        raise ConfigError("exclude takes a list of phrases, not one string: exclude=['new york']")
    phrases = frozenset(exclude)
    for phrase in phrases:
        if not isinstance(phrase, str):
            raise ConfigError(f"exclude takes phrases, got {phrase!r}")
    return phrases


@lru_cache(maxsize=64)
def excluded_forms(phrases: frozenset[str], language: str) -> frozenset[str]:
    """Return the stemmed forms of `phrases`, as candidates have them."""
    return frozenset(form_of(phrase, language) for phrase in phrases)


def form_of(phrase: str, language: str = "en") -> str:
    """Return the stemmed form under which `phrase` would be a candidate."""
    analysis = analyse(phrase, language=language, tag=False)
    return " ".join([analysis.stems[stem] for stem in analysis.stem])


def select(
    candidates: Candidates,
    scores: Sequence[float],
    selection: Selection,
    *,
    redundancy: str = "none",
    price: float = 1.0,
    names: Sequence[tuple[str, str]] | None = None,
    explain: Callable[[int], tuple[Evidence, ...]] | None = None,
) -> list[Keyphrase]:
    """Return the best candidates, best first; ties go to the earlier, then to the shorter.

    `redundancy` is the method's rule, for a selection without one, and `price` what a phrase costs for `top="auto"`.
    `names` are the concept and the label of each candidate, where there is a vocabulary; `explain` returns reasons.
    """
    analysis = candidates.analysis
    # Candidates are in order of first occurrence, the shorter first; ties stay so.
    numbers = scores if isinstance(scores, array) and scores.typecode == "d" else array("d", scores)
    ordered: Iterator[int] = choice.Ranking(numbers)
    eligible = len(scores)
    if selection.limits is not NO_LIMITS:
        allowed = selection.limits.allowed(candidates)
        ordered, eligible = filter(allowed.__getitem__, ordered), sum(allowed)
    if excluded := excluded_forms(selection.exclude, analysis.language):
        ordered = (c for c in ordered if candidates.form(c) not in excluded)
    if profile(analysis.language).segment is not None:
        ordered = _of_distinct_letters(candidates, ordered)
    by_words = rule(redundancy if selection.redundancy is None or selection.meaning else selection.redundancy)
    if by_words is not None:
        ordered = filterfalse(by_words(candidates), ordered)
    if selection.top == AUTO:
        every = list(ordered)
        most, ordered = best_count([scores[c] for c in every], price), iter(every)
    else:
        most = selection.top if type(selection.top) is int else selection.most(eligible)
    if (least := selection.threshold) is not None:
        ordered = takewhile(lambda c: scores[c] >= least, ordered)
    if selection.meaning or selection.diversity:
        chosen = _spread(candidates, scores, ordered, selection, most)
    else:
        chosen = list(islice(ordered, most))
    keyphrases: list[Keyphrase]
    keyphrases, doubtful = choice.phrases(candidates.view, chosen, scores, candidates.absent, Span, Keyphrase, UNSET)
    for i in doubtful:
        written = best_wording(analysis, keyphrases[i].text, candidates.spans(chosen[i]))
        keyphrases[i] = replace(keyphrases[i], text=written)
    if names is not None:
        pairs = zip(chosen, keyphrases, strict=True)
        keyphrases = [replace(one, concept=names[c][0], label=names[c][1]) for c, one in pairs]
    if explain is not None:
        keyphrases = [replace(one, evidence=explain(c)) for c, one in zip(chosen, keyphrases, strict=True)]
    return keyphrases


def _of_distinct_letters(candidates: Candidates, ordered: Iterable[int]) -> Iterator[int]:
    """Yield the candidates that are written like no better one. In a script without spaces the same letters may be cut
    into other words at another place, which makes them another candidate."""
    better: set[str] = set()
    for c in ordered:
        letters = candidates.form(c).replace(" ", "")
        if letters not in better:
            better.add(letters)
            yield c


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


def _spread(
    candidates: Candidates, scores: Sequence[float], ordered: Iterator[int], selection: Selection, most: int
) -> list[int]:
    """Return `most` of the best candidates that differ by meaning or by words, best first.

    Scores of methods have nothing in common but their order, so relevance is the rank: 1 for the best, less by the same
    amount per better candidate, down to 0 at the end of the pool.
    """
    pool = list(islice(ordered, POOL * most))
    if len(pool) <= most:
        return pool
    better = [0] * len(pool)
    for i in range(1, len(pool)):
        better[i] = better[i - 1] if scores[pool[i]] == scores[pool[i - 1]] else i
    relevance = [1 - number / (POOL * most) for number in better]
    if selection.meaning is not None:
        phrases = [wording(candidates.analysis.text, candidates.spans(c)) for c in pool]
        return [pool[i] for i in selection.meaning.choose(phrases, relevance, most)]
    words = map(choice.Variants(word_parts, candidates).content, pool)
    return [pool[i] for i in unlike(list(words), relevance, weight=selection.diversity, most=most)]


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
        return partial(choice.Variants, word_parts)
    if spec.name == "nested":
        return partial(choice.Nested, word_parts)
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
        if any(f" {form} " in f" {other} " for other in better) if limit > 1 else choice.alike(form, better, limit):
            return True
        better.append(form)
        return False

    return is_repeat


@lru_cache(maxsize=10_000)
def word_parts(word: str, language: str) -> tuple[str, ...]:
    """Return the stems of the parts of a hyphenated word."""
    stem = stemmer(default_stemmer(language))
    return tuple([stem(part) for part in word.lower().translate(PARTS).split()])


def marginal(
    relevance: Sequence[float],
    likeness: Callable[[int, list[int]], Sequence[float]],
    *,
    balance: float,
    most: int | None = None,
) -> list[tuple[int, float]]:
    """Return indices of `relevance` in the order of maximal marginal relevance (Carbonell and Goldstein, 1998): each
    time the one with the greatest `balance * relevance - (1 - balance) * likeness to the nearest of those taken`, with
    this value, which never rises.

    `likeness` returns how similar the item at an index is to several others; below 0 counts as 0. Ties go to the first.
    """
    nearest, compared = [0.0] * len(relevance), [0] * len(relevance)
    taken: list[int] = []
    values: list[float] = []
    # An item is worth less after each that is taken, never more: an old value is an upper bound.
    waiting = [(-balance * one, i) for i, one in enumerate(relevance)]
    heapify(waiting)
    while waiting and (most is None or len(taken) < most):
        value, i = heappop(waiting)
        if balance < 1 and compared[i] < len(taken):
            nearest[i] = max(nearest[i], *likeness(i, taken[compared[i] :]))
            compared[i] = len(taken)
            worth = balance * relevance[i] - (1 - balance) * nearest[i]
            if worth < -value:
                heappush(waiting, (-worth, i))
                continue
        taken.append(i)
        values.append(-value)
    return list(zip(taken, values, strict=True))


def unlike(phrases: Sequence[Iterable[str]], relevance: Sequence[float], *, weight: float, most: int) -> list[int]:
    """Return the indices of `most` of the phrases, in ascending order, by `marginal` with a balance of 1 - `weight`.

    Likeness is the share of words that two phrases, given as their words, have in common (Dice). With a weight of 1, a
    phrase that shares no word with those taken comes before all that do.
    """
    words = [frozenset(one) for one in phrases]
    holders: dict[str, set[int]] = {}
    for i, one in enumerate(words):
        for word in one:
            holders.setdefault(word, set()).add(i)

    def likeness(i: int, others: list[int]) -> list[float]:
        near = set().union(*(holders[word] for word in words[i])).intersection(others)
        return [0.0, *(2 * len(words[i] & words[j]) / (len(words[i]) + len(words[j])) for j in near)]

    return sorted(i for i, _ in marginal(relevance, likeness, balance=1 - weight, most=most))


@dataclass(frozen=True, slots=True)
class Meaning:
    """Drop phrases that mean much the same as better ones.

    `balance` is the weight of relevance against likeness: with 1 only relevance counts, with 0 only being unlike the
    others. `model` is the folder of an encoder; MiniLM by default.
    """

    balance: float = BALANCE
    model: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.balance <= 1:
            raise ConfigError(f"meaning: balance must be between 0 and 1, got {self.balance}")

    def choose(self, phrases: Sequence[str], relevance: Sequence[float], most: int) -> list[int]:
        """Return the indices of `most` of the phrases, in ascending order."""
        if len(phrases) <= most or self.balance == 1:
            return list(range(len(phrases)))[:most]
        from phrasemill.embeddings import load_encoder

        vectors = load_encoder(self.model).encode(phrases)

        def likeness(i: int, others: list[int]) -> list[float]:
            return [round(cosine, DIGITS) for cosine in (vectors[others] @ vectors[i]).tolist()]

        return sorted(i for i, _ in marginal(relevance, likeness, balance=self.balance, most=most))


def wording(text: str, spans: Sequence[Span]) -> str:
    """Return the most frequent wording of a phrase in the text, the earliest on a tie, on one line."""
    return choice.wording([text[start:end] for start, end in spans])


def best_wording(analysis: Analysis, phrase: str, spans: Sequence[Span]) -> str:
    """Return `phrase`, the most frequent wording of what stands at `spans`, or a better one."""
    phrase = re.sub(BROKEN, lambda halves: _whole(analysis, *halves.groups()), phrase)
    if not phrase.isupper() or not _has_small_letters(analysis.text):
        return phrase
    calm = [span for span in spans if not _in_capitals(analysis.text, span)]
    if calm:
        return wording(analysis.text, calm) if len(calm) < len(spans) else phrase
    return _in_small_letters(analysis, spans[0]) or phrase


def _whole(analysis: Analysis, left: str, right: str) -> str:
    """Return the word that was broken in two, with a hyphen unless the analysis took it for the line's."""
    return left + right if (left + right).lower() in analysis.words else f"{left}-{right}"


def _has_small_letters(text: str) -> bool:
    """Return whether most letters are small."""
    opening = text[:OPENING]
    return sum(map(str.islower, opening)) > sum(map(str.isupper, opening))


def _in_capitals(text: str, span: Span) -> bool:
    """Return whether the line around a span has no small letters."""
    begin = max(text.rfind("\n", 0, span.start) + 1, span.start - NEARBY)
    end = text.find("\n", span.end, span.end + NEARBY)
    return text[begin : end if end >= 0 else span.end + NEARBY].isupper()


def _in_small_letters(analysis: Analysis, span: Span) -> str:
    """Return the phrase at `span` in small letters, names with a capital; nothing where a word may be an acronym."""
    text, start, end = analysis.text, analysis.start, analysis.end
    written: list[str] = []
    at = span.start
    for i in range(bisect_left(start, span.start), bisect_left(start, span.end)):
        surface = text[start[i] : end[i]]
        if analysis.kind[i] & STOPWORD:
            surface = surface.lower()
        elif surface.isupper():
            places = (Span(start[j], end[j]) for j in first_places(analysis.word, analysis.word[i], MOST_PLACES))
            forms = Counter(text[one.start : one.end] for one in places if not _in_capitals(text, one))
            if forms:
                surface = max(forms, key=lambda form: (forms[form], form.islower()))
            if surface.isupper() and len(surface) >= NO_ACRONYM:
                surface = surface.capitalize()
            elif not forms:
                return ""
        written += text[at : start[i]], surface
        at = end[i]
    return " ".join("".join(written).split())


_MEANING = Registry("redundancy", {"meaning": "phrasemill.select:Meaning"})
