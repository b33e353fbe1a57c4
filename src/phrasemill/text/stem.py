"""Stemming, as the literature does it.

`porter` is Porter's original algorithm of 1980, `none` leaves words as they are, and the others are Snowball's, by
language. Scores know two more: `evaluation/phrases.py`.
"""

from collections.abc import Callable
from functools import cache
from threading import local

import Stemmer

from phrasemill.errors import UnknownName
from phrasemill.kernels.text import LONGEST
from phrasemill.text.language_codes import choices, language_code

Stem = Callable[[str], str]
StemAll = Callable[[list[str]], list[str]]

# Languages that Snowball stems, each by an algorithm with its English name.
STEMMED = frozenset(
    "ar ca cs da de el en es eo et eu fa fi fr ga hi hu hy id it lt ne nl no pl pt ro ru sr sv ta tr yi".split()
)


@cache
def stemmer(name: str) -> Stem:
    """Return the stemming function called `name`: `porter`, `none`, or a language (`french`).

    It takes lower-case words, in any thread. Results are cached by the caller, once per word type.
    """
    if name == "none":
        return lambda word: word
    if name not in Stemmer.algorithms():
        raise UnknownName("stemmer", name, ["none", *Stemmer.algorithms()])
    own = _Own(name)
    return lambda word: own.algorithm.stemWord(word) if len(word) <= LONGEST else word


def list_stemmer(name: str) -> StemAll:
    """Return a function that stems lists as `stemmer(name)` stems a word, but faster; for one thread at a time, and for
    words of up to LONGEST characters."""
    stem = stemmer(name)
    if name not in Stemmer.algorithms():
        return lambda words: list(map(stem, words))
    stem_all: StemAll = Stemmer.Stemmer(name, 0).stemWords  # 0: it remembers nothing, since its users do
    return stem_all


class _Own(local):
    """A Snowball stemmer for each thread: one has working space of its own, which two threads must not share."""

    def __init__(self, name: str) -> None:
        self.algorithm = Stemmer.Stemmer(name, 0)


@cache
def default_stemmer(language: str) -> str:
    """Return the stemmer that fits `language`, `none` where there is none."""
    code = language_code(language)
    if code == "en":
        return "porter"  # as keyphrase work does
    name = {one.code: one.name.lower() for one in choices()}[code]
    return name if code in STEMMED and name in Stemmer.algorithms() else "none"
