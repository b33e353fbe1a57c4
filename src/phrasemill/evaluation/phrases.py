"""Phrases as the scorer compares them, and whether they occur in their document.

Words are split at spaces, lower-cased, masked and stemmed, each once per process. Papers draw the line between present
and absent differently, and the share of "absent" gold moves by several points with the definition.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from phrasemill.evaluation.policies import Policy
from phrasemill.text.segments import DIGIT
from phrasemill.text.stem import stemmer

# Presence is tested word by word: runs of letters and digits, so that a hyphen or a bracket makes no difference.
WORDS = re.compile(r"<digit>|[^\W_]+")
MOST_KEPT = 500_000  # words and phrases that are remembered
# Functions of a phrase, and whether it is stemmed already.
Present = Callable[[str, bool], bool]
Place = Callable[[str, bool], int]
ABSENT = -1


class Normaliser:
    """Phrases to keys under one set of choices. `normaliser` keeps one for each."""

    def __init__(self, stem: str, lowercase: bool = True, digits: str = "keep") -> None:
        self._stem, self._lowercase, self._mask = stemmer(stem), lowercase, digits == "mask"
        self.word = lru_cache(MOST_KEPT)(self._word)
        self.key = lru_cache(MOST_KEPT)(self._key)

    def _key(self, phrase: str) -> str:
        """Return the words of `phrase`, normalised, with one space between them."""
        return " ".join(map(self.word, phrase.split()))

    def _word(self, word: str) -> str:
        if self._mask and word.isdigit():
            return DIGIT
        whole = word.lower() if self._lowercase else word
        try:
            return self._stem(whole)
        except UnicodeEncodeError:  # a lone surrogate, which no stemmer takes
            return whole

    def words(self, text: str) -> list[str]:
        """Return the words of `text` for presence, normalised."""
        return list(map(self.word, WORDS.findall(text)))


normaliser = cache(Normaliser)


def keys(policy: Policy, side: str) -> Callable[[str], str]:
    """Return what turns a phrase of `side` (`gold` or `predictions`) into the key that is compared."""
    stem = policy.stemmer if policy.match not in ("exact", "semantic") else "none"
    if policy.stemmed in (side, "both"):
        stem = "none"
    return normaliser(stem, policy.lowercase, policy.digits).key


def occurs_in(text: str, policy: Policy) -> Present:
    """Return the test of `policy.presence` for a document with this text."""
    place = place_in(text, policy)
    return lambda phrase, stemmed: place(phrase, stemmed) != ABSENT


def place_in(text: str, policy: Policy) -> Place:
    """Return a function that gives where a phrase first occurs in this text, as a number to sort by, or `ABSENT`.

    By words (`stem`, `exact`) a phrase is present if its words stand in a row, with whatever punctuation between; a
    phrase without a word is absent. `substring` looks at characters, so `art` is present in `party`.
    """
    if policy.presence == "substring":
        lower = " ".join(text.lower().split())
        return lambda phrase, stemmed: lower.find(" ".join(phrase.lower().split()))
    stem = policy.stemmer if policy.presence == "stem" else "none"
    normal, plain = normaliser(stem, True, policy.digits), normaliser("none", True, policy.digits)
    row = f" {' '.join(normal.words(text))} "

    def place(phrase: str, stemmed: bool) -> int:
        words = (plain if stemmed else normal).words(phrase)
        return row.find(f" {' '.join(words)} ") if words else ABSENT

    return place
