"""Phrases as the scorer compares them: words split at spaces, lower-cased, masked, stemmed; each once per process."""

import re
from collections.abc import Callable
from functools import cache

from phrasemill.evaluation.policies import Policy
from phrasemill.text.segments import DIGIT
from phrasemill.text.stem import stemmer

# Presence is asked word by word: runs of letters and digits, so that a hyphen or a bracket makes no difference.
WORDS = re.compile(r"<digit>|[^\W_]+")
# The caches are dropped and begun anew at this size, so that memory stays flat.
MOST_KEPT = 500_000


class Normaliser:
    """Phrases to keys under one set of choices. `normaliser` keeps one for each."""

    def __init__(self, stem: str, *, lowercase: bool, digits: str) -> None:
        self._stem, self._lowercase, self._mask = stemmer(stem), lowercase, digits == "mask"
        self._words: dict[str, str] = {}
        self._keys: dict[str, str] = {}

    def key(self, phrase: str) -> str:
        """The words of `phrase`, normalised, with one space between them."""
        key = self._keys.get(phrase)
        if key is None:
            if len(self._keys) > MOST_KEPT:
                self._keys.clear()
            key = self._keys[phrase] = " ".join(map(self.word, phrase.split()))
        return key

    def word(self, word: str) -> str:
        normal = self._words.get(word)
        if normal is None:
            if len(self._words) > MOST_KEPT:
                self._words.clear()
            normal = self._words[word] = self._normalise(word)
        return normal

    def _normalise(self, word: str) -> str:
        if self._mask and word.isdigit():
            return DIGIT
        whole = word.lower() if self._lowercase else word
        try:
            return self._stem(whole)
        except UnicodeEncodeError:  # a lone surrogate, which no stemmer takes
            return whole

    def words(self, text: str) -> list[str]:
        """The words of `text` for presence, normalised."""
        known = self._words.get  # most words are, and a look-up costs less than a call
        return [known(word) or self.word(word) for word in WORDS.findall(text)]


@cache
def normaliser(stem: str, lowercase: bool = True, digits: str = "keep") -> Normaliser:
    return Normaliser(stem, lowercase=lowercase, digits=digits)


def keys(policy: Policy, side: str) -> Callable[[str], str]:
    """What turns a phrase of `side` (`gold` or `predictions`) into the key that is compared."""
    stem = policy.stemmer if policy.match not in ("exact", "semantic") else "none"
    if policy.stemmed in (side, "both"):
        stem = "none"
    return normaliser(stem, policy.lowercase, policy.digits).key
