"""Properties of word types, computed once per type and kept for later texts.

A word type is a token's exact surface. Documents repeat few of them, so all that depends on the type alone (its
normal form, stem, kind, role at a sentence end, and the tagger's sums) is computed on first sight and looked up after.
A lexicon belongs to one analysis at a time (`lender.py`).
"""

import re
import sys
import unicodedata
from array import array

from phrasemill.kernels import columns, sentences, word_types
from phrasemill.kernels.tagger import Tagger
from phrasemill.kernels.text import LONGEST
from phrasemill.kernels.tokens import Class
from phrasemill.text.stem import StemAll
from phrasemill.text.tokenise import classify
from phrasemill.types import CAPITAL, NUMBER, STOPWORD, UPPER, WORD

ROLE = sentences.ROLES
TERMINATORS = frozenset(".!?…。！？।؟")
CLOSERS = frozenset("\"'”’»›)]}」』】）")
OPENERS = frozenset("([（【")
# Terms in capitals, function words otherwise.
CAPITAL_TERMS = frozenset({"IT", "US", "WHO"})
# A lexicon beyond either size is not used again, so that a stream of odd tokens cannot fill memory.
MOST_TYPES = 100_000
MOST_CHARACTERS = 4_000_000
RECENT_SETS = 8192  # of two words: half a megabyte
SAME = str.maketrans({"’": "'", "ʼ": "'", "＇": "'", "‐": "-", "‑": "-", "–": "-", "ſ": "s"})
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]")
HAS_WORD = re.compile(r"\w")
# Mail and web addresses, handles, hashtags and paths: they are tokens, and no words.
ADDRESS = re.compile(r"\w@\w+\.\w|^[@#]\w|://|^www\.|/[\w.-]+\.[a-z]{1,4}$")


def normalise(surface: str) -> str:
    """Return the surface without compatibility forms, zero-width characters and curly apostrophes.

    `ﬁeld` is `field`, `naı̈ve` and `naïve` are one word, and case is left alone.
    """
    if surface.isascii():
        return surface
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", surface)).translate(SAME)


class Lexicon:
    """The word types met so far under one language, stemmer and stopword list; only ever grows."""

    def __init__(self, stem: StemAll, stopwords: frozenset[str], bound: frozenset[str], tagger: Tagger | None) -> None:
        self.known: dict[str, int] = {}
        self.recent = columns.recent_words(RECENT_SETS)  # working space for the kernel that looks words up
        self.tagger = tagger
        self.texts: list[str] = []  # words and stems
        # One entry per type; words and stems are numbers of texts.
        self.word = array("i")
        self.stem = array("i")
        self.kind = array("B")
        self.role = array("B")
        # One entry per text, -1 each: working space for the kernel that numbers them within a document.
        self.scratch = array("i")
        self.characters = 0
        self._stem = stem
        self._stopwords = stopwords
        self._bound = bound
        self._numbers: dict[str, int] = {}

    def types(
        self, text: str, start: "array[int]", end: "array[int]", first: int = 0, least: int = sys.maxsize
    ) -> "array[int]":
        """Return the type of each token of `text` from `first` on, whose bounds are these columns.

        Ends early, but not before `least` tokens, where the lexicon is full.
        """
        fresh: list[str] = []
        room = (first, least, MOST_TYPES, MOST_CHARACTERS - self.characters)
        types = columns.look_up(text, start, end, self.known, fresh, self.recent, *room)
        if fresh:
            self._add(fresh)
        return types

    @property
    def full(self) -> bool:
        return len(self.known) > MOST_TYPES or self.characters > MOST_CHARACTERS

    def _add(self, surfaces: list[str]) -> None:
        """Describe types that have their numbers already; all of a text at once, which is faster."""
        seen, words, to_stem, characters = word_types.described(
            surfaces, self._stopwords, CAPITAL_TERMS, normalise, self._described, self.kind, self.role
        )
        word_types.numbered(
            words, self._stem(to_stem), self.kind, self._numbers, self.texts, self.word, self.stem, self.scratch
        )
        if self.tagger is not None:
            self.tagger.add_all(seen)
        self.characters += characters

    def _described(self, seen: str, word: str) -> tuple[int, int]:
        kind = self._kind_of(seen, word)
        return kind, self._role_of(seen, word, kind)

    def _kind_of(self, seen: str, word: str) -> int:
        if len(seen) > LONGEST or not HAS_WORD.search(seen) or _is_address(seen):
            return STOPWORD if word in self._stopwords else 0
        kind = 0
        letters = [c for c in seen if c.isalpha()]
        if letters:
            kind |= WORD
            if seen[0].isupper():
                kind |= CAPITAL
            if len(letters) > 1 and not any(c.islower() for c in letters) and seen != word:
                kind |= UPPER
        else:
            kind |= NUMBER
        if word in self._stopwords and seen not in CAPITAL_TERMS:
            kind |= STOPWORD
        return kind

    def _role_of(self, seen: str, word: str, kind: int) -> int:
        role = 0
        if not seen:
            return role
        if seen[0] in TERMINATORS and not kind & (WORD | NUMBER):
            role |= ROLE["terminator"]
        elif seen in CLOSERS:
            role |= ROLE["closer"]
        elif seen in OPENERS:
            role |= ROLE["opener"]
        if kind & NUMBER:
            role |= ROLE["number"]
        if len(word) > 1 and word.endswith(".") and kind & (WORD | NUMBER):
            role |= ROLE["stopped"]
            if word[:-1] in self._bound:
                role |= ROLE["bound"]
        if kind & STOPWORD and kind & CAPITAL and "." not in word:
            role |= ROLE["starter"]
        if classify(seen[0]) == Class.LOWER:
            role |= ROLE["lowercase"]
        return role


def _is_address(seen: str) -> bool:
    may_be = "@" in seen or "/" in seen or seen.startswith(("#", "www."))
    return may_be and ADDRESS.search(seen) is not None
