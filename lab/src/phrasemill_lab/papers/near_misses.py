"""Near-misses: pairs of a keyphrase and a candidate that share words but are not the same.

Kim, Baldwin and Kan (2010), section 4: candidates are the matches of tag patterns (their Table 2), simplex words that
occur at least twice and noun phrases of any frequency; people grade those that are part of a keyphrase, or of which a
keyphrase is part.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phrasemill.candidates import RULE_1, RULE_2, noun_phrases
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.selection import form_of
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Candidates

RULES = {"1": (RULE_1,), "2": (RULE_2,), "1+2": (RULE_1, RULE_2)}
Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class CandidateSelection:
    """Which candidates of a text to take: the rules of Table 2, and how often a candidate has to occur.

    Variants of number and possessive are one candidate, as forms are stems.
    """

    rules: str = "1+2"
    simplex: int = 2
    phrases: int = 1

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise UnknownName("rules", self.rules, RULES)
        if min(self.simplex, self.phrases) < 1:
            raise ConfigError("a candidate occurs at least once: simplex and phrases must be at least 1")

    def select(self, analysis: Analysis) -> Candidates:
        """Return the candidates of a text that has tags."""
        found = noun_phrases(analysis, patterns=RULES[self.rules])
        lengths = [len(found.stem_ids(c)) for c in range(len(found))]
        return found.keep(
            c for c, words in enumerate(lengths) if found.count(c) >= (self.simplex if words == 1 else self.phrases)
        )


def contains(longer: Words, shorter: Words) -> bool:
    """Return whether the words of `shorter` stand in a row in `longer`."""
    size = len(shorter)
    return any(list(longer[i : i + size]) == list(shorter) for i in range(len(longer) - size + 1))


def is_near_miss(candidate: Words, references: Sequence[Words]) -> bool:
    """Return whether a candidate shares a word with a keyphrase, and is not one."""
    if any(list(candidate) == list(one) for one in references):
        return False
    return any(not set(candidate).isdisjoint(one) for one in references)


def is_part(candidate: Words, references: Sequence[Words]) -> bool:
    """Return whether a near-miss is part of a keyphrase, or a keyphrase part of it."""
    if not is_near_miss(candidate, references):
        return False
    return any(one and (contains(one, candidate) or contains(candidate, one)) for one in references)


def near_misses(text: str, keyphrases: Sequence[str], selection: CandidateSelection) -> Iterator[tuple[str, str]]:
    """Yield each keyphrase with each candidate of its (English) text that is part of it, or of which it is part.

    Candidates that are a keyphrase themselves are left out; both are as they are written first.
    """
    candidates = selection.select(analyse(text, language="en"))
    forms = {phrase: form_of(phrase, "en").split() for phrase in keyphrases}
    known = [words for words in forms.values() if words]
    for candidate in candidates:
        words = candidate.form.split()
        if not is_near_miss(words, known):
            continue
        span = candidate.spans[0]
        for phrase, form in forms.items():
            if form and is_part(words, [form]):
                yield phrase, text[span.start : span.end]
