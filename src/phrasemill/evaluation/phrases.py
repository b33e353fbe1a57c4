"""Phrases as the scorer compares them, and whether they occur in their document.

Words are split at spaces, lower-cased, masked and stemmed, each once per process. A document in another language than
English is stemmed by the stemmer of that language, where the policy has an English one. Phrases of languages that are
written without spaces are compared as a whole, in the same width (NFKC) and without spaces. Papers draw the line
between present and absent differently, and the share of "absent" gold moves by several points with the definition.

Two stemmers are for scores only: `nltk` is NLTK's extension of Porter's, with which many published scores were
computed, and `porter-parts` stems the parts of `real-time` one by one, as SemEval-2010's answer keys have them. The two
Porters differ on about 1 % of words (`skies` is `ski` or `sky`, `is` is `i` or `is`): the signature of a score names
the one used.

Genitives may count in both orders: `A of B` is also `B A`, and `A's B` is also `A B` (Kim et al., 2010, section 2.1).
An article before `B` may go: `cost of the edge` is also `the edge cost` and `edge cost`. The organisers of SemEval-2010
left out alternations that mean something else (`matter of fact`) by committee, which no rule does; their keys list the
rest, so this is for other gold.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

from phrasemill.errors import UnknownName
from phrasemill.evaluation import nltk_porter
from phrasemill.evaluation.policies import Policy
from phrasemill.kernels.text import LONGEST
from phrasemill.text import stem as snowball
from phrasemill.text.segments import DIGIT
from phrasemill.text.stem import Stem, default_stemmer

# Presence is tested word by word: runs of letters and digits, so that a hyphen or a bracket makes no difference.
WORDS = re.compile(r"<digit>|[^\W_]+")
MOST_KEPT = 500_000  # words and phrases that are remembered
# Functions of a phrase, and whether it is stemmed already.
Present = Callable[[str, bool], bool]
Place = Callable[[str, bool], int]
ABSENT = -1
ENGLISH = "en"
NLTK, PARTS = "nltk", "porter-parts"
ENGLISH_STEMMERS = ("porter", NLTK, PARTS)
LETTERS = re.compile(r"[^\W\d_]+")
UNSPACED = ("ja", "th", "zh")
OF = re.compile(r"(?P<a>\S+(?: \S+)*?) of (?P<b>\S.*)")
GENITIVE = re.compile(r"(?P<a>\S+?)(?:'s|’s|s'|s’)(?= )")
ARTICLE = re.compile(r"\A(?:the|an?) (?=\S)")


class Normaliser:
    """Phrases to keys under one set of choices. `normaliser` keeps one for each."""

    def __init__(
        self, stem: str, lowercase: bool = True, digits: str = "keep", spaced: bool = True, hyphens: str = "keep"
    ) -> None:
        self._stem, self._lowercase, self._mask, self._spaced = stemmer(stem), lowercase, digits == "mask", spaced
        self._split = hyphens == "space"
        self.word = lru_cache(MOST_KEPT)(self._word)
        self.key = lru_cache(MOST_KEPT)(self._key)

    def _key(self, phrase: str) -> str:
        """Return the words of `phrase`, normalised, with one space between them, or none where there are none."""
        if not self._spaced:
            return self.word(without_spaces(phrase))
        return " ".join(map(self.word, (phrase.replace("-", " ") if self._split else phrase).split()))

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


def without_spaces(text: str) -> str:
    """Return the text of a language that is written without spaces as it is compared."""
    return "".join(unicodedata.normalize("NFKC", text).split())


@cache
def stemmer(name: str) -> Stem:
    """Return the stemming function called `name`, for scores."""
    if name == NLTK:
        return lambda word: nltk_porter.stem(word) if len(word) <= LONGEST else word
    if name == PARTS:
        whole = snowball.stemmer("porter")
        return lambda word: LETTERS.sub(lambda part: whole(part[0]), word)
    try:
        return snowball.stemmer(name)
    except UnknownName as error:
        raise UnknownName("stemmer", name, [NLTK, PARTS, *error.choices]) from None


def stemmer_of(policy: Policy, language: str) -> str:
    """Return the name of the stemmer for documents in `language`."""
    followed = policy.stemmer in ENGLISH_STEMMERS and language != ENGLISH
    return default_stemmer(language) if followed else policy.stemmer


def key_of(policy: Policy, stem: str, language: str) -> Callable[[str], str]:
    """Return what turns a phrase into a key by the stemmer called `stem` and the other choices of the policy."""
    return normaliser(stem, policy.lowercase, policy.digits, language not in UNSPACED, policy.hyphens).key


def occurs_in(text: str, policy: Policy, language: str = ENGLISH) -> Present:
    """Return the test of `policy.presence` for a document with this text."""
    place = place_in(text, policy, language)
    return lambda phrase, stemmed: place(phrase, stemmed) != ABSENT


def place_in(text: str, policy: Policy, language: str = ENGLISH) -> Place:
    """Return a function that gives where a phrase first occurs in this text, as a number to sort by, or `ABSENT`.

    By words (`stem`, `exact`) a phrase is present if its words stand in a row, with whatever punctuation between; a
    phrase without a word is absent. `substring` looks at characters, so `art` is present in `party`.
    """
    if policy.presence == "substring":
        lower = " ".join(text.lower().split())
        return lambda phrase, stemmed: lower.find(" ".join(phrase.lower().split()))
    if language in UNSPACED:
        whole = without_spaces(text.lower())
        return lambda phrase, stemmed: whole.find(part) if (part := without_spaces(phrase.lower())) else ABSENT
    stem = stemmer_of(policy, language) if policy.presence == "stem" else "none"
    normal, plain = normaliser(stem, True, policy.digits), normaliser("none", True, policy.digits)
    row = f" {' '.join(normal.words(text))} "

    def place(phrase: str, stemmed: bool) -> int:
        words = (plain if stemmed else normal).words(phrase)
        return row.find(f" {' '.join(words)} ") if words else ABSENT

    return place


def alternations(phrase: str) -> tuple[str, ...]:
    """Return `phrase` and its other genitive forms."""
    found = [phrase]
    if parts := OF.fullmatch(phrase):
        found += [f"{b} {parts['a']}" for b in (parts["b"], ARTICLE.sub("", parts["b"], count=1))]
    plain = GENITIVE.sub(lambda m: m["a"] + ("s" if m[0][-1] in "'’" else ""), phrase)
    return tuple(dict.fromkeys([*found, plain]))


def with_genitives(wordings: tuple[str, ...]) -> tuple[str, ...]:
    """Return the wordings of a gold keyphrase with their other genitive forms, those listed first."""
    return tuple(dict.fromkeys([*wordings, *(other for one in wordings for other in alternations(one))]))
