"""Limits to the phrases themselves: how many words they have, and which words they may not begin or end with."""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

from phrasemill.errors import ConfigError
from phrasemill.types import NUMBER, STOPWORD, WORD, Analysis, Candidates

APOSTROPHES = ("'", "\N{RIGHT SINGLE QUOTATION MARK}")


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


def _is_whole(word: str) -> bool:
    """Tell words from what the tokeniser cuts off their ends: 's, n't."""
    return not word.startswith(APOSTROPHES) and word.lower() not in ("n't", "n\N{RIGHT SINGLE QUOTATION MARK}t")


def as_stopwords(words: Iterable[str]) -> frozenset[str]:
    """Return a checked set of words in lower case."""
    if isinstance(words, str):
        raise ConfigError("stopwords takes a list of words, not one string: stopwords=['study', 'paper']")
    checked = set()
    for word in words:
        if not isinstance(word, str) or not word.strip():
            raise ConfigError(f"stopwords takes words, got {word!r}")
        if len(word.split()) > 1:
            raise ConfigError(f"stopwords takes single words, got {word!r}; exclude leaves out whole phrases")
        checked.add(word.strip().lower())
    return frozenset(checked)
