"""How two tags can be one: by case, hyphens, number or spelling, or as a short form of the other."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from phrasemill.kernels.choice import edit_distance
from phrasemill.text.stopwords import stopwords

SEPARATORS = re.compile(r"[\s_\-–./]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")  # machineLearning, MachineLearning
SHORT = re.compile(r"[A-Za-z][A-Za-z0-9&]{1,5}")
# Endings that British and American spelling write differently, as the American one.
AMERICAN = (
    (r"(?<=\w{3})our\b", "or"),
    (r"is(e[sd]?|ing|ation|ations)\b", r"iz\1"),
    (r"yse([sd]?)\b", r"yze\1"),
    (r"(?<=[bt])re\b", "er"),
    (r"ogue\b", "og"),
    (r"lling\b", "ling"),
    (r"ae", "e"),
    (r"ence\b", "ense"),
)
MOSTLY = 0.7  # the share of tags that shows how tags are written
LEAST_STEM = 3  # letters before -ing
VOWELS = frozenset("aeiouy")
LEAST_SPELT = 5  # letters of a tag that may be misspelt
LEAST_SPELT_TWICE = 10  # … with two wrong letters


class TagStyle(NamedTuple):
    """How a collection writes its tags: in small letters or not, and what stands between words."""

    small: bool
    separator: str

    @classmethod
    def of(cls, tags: Collection[str]) -> "TagStyle":
        marks = Counter(mark for tag in tags for mark in "-_ " if mark in tag)
        small = sum(tag == tag.lower() for tag in tags) >= MOSTLY * len(tags)
        return cls(small, marks.most_common(1)[0][0] if marks else " ")

    def written(self, phrase: str) -> str:
        """Return a phrase as a tag; short forms keep their capitals."""
        words = [word if word.isupper() or not self.small else word.lower() for word in phrase.split()]
        return self.separator.join(words)


@lru_cache(maxsize=100_000)
def folded(tag: str) -> str:
    """Return a tag in small letters, with single spaces for whatever separates its words, and without accents."""
    spaced = SEPARATORS.sub(" ", CAMEL.sub(" ", tag)).strip().casefold()
    plain = unicodedata.normalize("NFKD", spaced)
    return "".join(one for one in plain if not unicodedata.combining(one)) or spaced


def joined(tag: str) -> str:
    """Return a tag without whatever separates its words: `e mail`, `e-mail` and `email` are one."""
    return folded(tag).replace(" ", "")


@lru_cache(maxsize=100_000)
def singular(tag: str) -> str:
    """Return a folded tag with its words in the singular, by the rules of English; a form to compare, not to show:
    `movie` and `movies` are `movy`, `cache` and `caches` are `cach`."""
    return " ".join(map(_singular_word, folded(tag).split()))


def _singular_word(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith("oe"):
        return word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("che") else word


@lru_cache(maxsize=100_000)
def american(tag: str) -> str:
    """Return a tag in the singular, with British endings as American ones."""
    found = singular(tag)
    for pattern, replacement in AMERICAN:
        found = re.sub(pattern, replacement, found)
    return found


@lru_cache(maxsize=100_000)
def word_form(tag: str) -> str:
    """Return a tag with its words in the singular and without -ing: `compost` and `composting`, `bake` and `baking`
    are the same. A form to compare, not to show."""
    return " ".join(map(_without_ing, singular(tag).split()))


def _without_ing(word: str) -> str:
    stem = word.removesuffix("ing")
    if stem != word and len(stem) >= LEAST_STEM and any(one in VOWELS for one in stem):
        return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "ls" else stem
    return word.removesuffix("e") if len(word) > LEAST_STEM else word


def same_word(a: str, b: str) -> str:
    """Return how two tags are one: by `case`, `hyphen`, `plural`, `spelling` or `form`; empty where they are not."""
    if a.casefold() == b.casefold():
        return "case"
    if joined(a) == joined(b):
        return "hyphen"
    if singular(a).replace(" ", "") == singular(b).replace(" ", ""):
        return "plural"
    if american(a).replace(" ", "") == american(b).replace(" ", ""):
        return "spelling"
    return "form" if word_form(a) == word_form(b) else ""


def is_misspelt(rare: str, common: str) -> bool:
    """Return whether one tag may be a slip for the other: a letter or two differ, but neither digits nor the first."""
    a, b = joined(rare), joined(common)
    shorter = min(len(a), len(b))
    if shorter < LEAST_SPELT or a[0] != b[0] or abs(len(a) - len(b)) > 2:
        return False
    if [one for one in a if one.isdigit()] != [one for one in b if one.isdigit()]:
        return False
    return edit_distance(a, b) <= (2 if shorter >= LEAST_SPELT_TWICE else 1) or _is_swapped(a, b)


def _is_swapped(a: str, b: str) -> bool:
    """Return whether two neighbouring letters changed places."""
    if len(a) != len(b):
        return False
    at = [i for i in range(len(a)) if a[i] != b[i]]
    return len(at) == 2 and at[1] == at[0] + 1 and a[at[0]] == b[at[1]] and a[at[1]] == b[at[0]]


def is_short_form(short: str, long: str) -> bool:
    """Return whether a tag has the initials of another one's words, with or without its small words."""
    return SHORT.fullmatch(short) is not None and folded(short).replace("&", "") in initials(long)


def initials(tag: str) -> set[str]:
    """Return the initials of a tag's words, with and without its small words; none of a single word."""
    words = folded(tag).split()
    if len(words) < 2:
        return set()
    small = stopwords("en")
    return {"".join(word[0] for word in words), "".join(word[0] for word in words if word not in small)}


class KnownTags:
    """The tags of a collection by their words and spellings, so that a near-copy of one is found among thousands."""

    def __init__(self, tags: Iterable[str]) -> None:
        self.tags = list(dict.fromkeys(tags))
        self.style = TagStyle.of(self.tags)
        self._forms: set[str] = set()
        self._by_word: dict[str, list[str]] = defaultdict(list)
        self._by_start: dict[tuple[str, int], list[str]] = defaultdict(list)
        for tag in self.tags:
            self._forms.update(_forms(tag))
            for word in set(american(tag).split()):
                self._by_word[word].append(tag)
            self._by_start[joined(tag)[:1], len(joined(tag))].append(tag)

    def have_near(self, phrase: str) -> bool:
        """Return whether a phrase is a tag in another wording, a part of one, or one with a word more or less."""
        if not self._forms.isdisjoint(_forms(phrase)):
            return True
        words = set(american(phrase).split())
        for others in (set(american(tag).split()) for word in words for tag in self._by_word.get(word, ())):
            if words <= others or (others < words and len(others) > 1):
                return True
        start, length = joined(phrase)[:1], len(joined(phrase))
        for size in range(length - 2, length + 3):
            if any(is_misspelt(phrase, tag) for tag in self._by_start.get((start, size), ())):
                return True
        sizes = {(short[:1], len(short)) for short in initials(phrase)}
        return any(is_short_form(tag, phrase) for size in sizes for tag in self._by_start.get(size, ()))


def _forms(tag: str) -> set[str]:
    """Return what tags share that are one word; each kind apart from the others."""
    return {
        f"joined {joined(tag)}",
        f"american {american(tag).replace(' ', '')}",
        f"form {word_form(tag)}",
    }
