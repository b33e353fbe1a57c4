"""Languages by any usual name: `de`, `deu`, `ger`, `German`, `Deutsch`, `de-AT` and `de_DE.UTF-8` are all `de`.

A language is supported where there are stopwords or a stemmer for it. `und`, for undetermined, is a text in no language
that is known: it is analysed without either.
"""

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from phrasemill.errors import ConfigError, UnknownName
from phrasemill.models import shipped

UNDETERMINED = "und"
AUTO = "auto"  # instead of a language: find it from the text, whatever the document says
_, SUPPORTED, UNSUPPORTED = shipped("languages.txt").read_text(encoding="utf-8").split("\n\n")
CODES = frozenset(re.findall(r"^\w+", SUPPORTED, re.MULTILINE))
# A BCP 47 tag such as zh-Hans-CN, or a locale such as pt_BR.UTF-8; what matters is what it begins with.
TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{1,8})+(?:\.[\w-]+)?(?:@\w+)?", re.IGNORECASE)
LONGEST = 100
MOST_CLOSE = 4


class Language(NamedTuple):
    """The code that is used inside, and the English name."""

    code: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"


def language_code(language: str) -> str:
    """Return the code of `language`, which may be given by any of its codes or names, or as a tag such as `en-US`.

    A `ConfigError` says what to choose where it is unknown or not supported.
    """
    code = known_language(language) if isinstance(language, str) else None
    if code is None:
        raise _unknown(language)
    return code


def language_or_auto(language: str) -> str:
    """Return the code of `language`, and `auto` as it is."""
    is_auto = isinstance(language, str) and language.strip().lower() == AUTO
    return AUTO if is_auto else language_code(language)


def known_language(language: str) -> str | None:
    """Return the same, and None for a language that is unknown or not supported."""
    if language in CODES:
        return language
    found = _looked_up(language)
    return found.code if found and found.code in CODES else None


def language_name(code: str) -> str:
    """Return the English name of a language, with its code."""
    return str(_index()[code])


def choices() -> list[Language]:
    """Return the languages that are supported, by their English names."""
    return sorted({one for one in _index().values() if one.code in CODES}, key=lambda one: one.name.lower())


def _looked_up(language: str) -> Language | None:
    if len(language) > LONGEST:
        return None
    text = language.strip()
    tag = TAG.fullmatch(text)
    return _index().get(_key(tag[1] if tag and len(text.split()) == 1 else text)) or _index().get(_key(text))


def _key(name: str) -> str:
    """Return `name` without regard to case and accents."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).replace("_", " ").split())


@cache
def _index() -> dict[str, Language]:
    """Return the language of every code and name."""
    found: dict[str, Language] = {}
    for line in (*UNSUPPORTED.splitlines(), *SUPPORTED.splitlines()):
        codes, names = line.split(": ")
        one = Language(codes.split()[0], names.split(", ")[0])
        found |= {_key(each): one for each in (*codes.split(), *names.split(", "))}
    return found


def _unknown(language: object) -> ConfigError:
    """Return an error that says what else to choose, and what was probably meant."""
    if not isinstance(language, str):
        return ConfigError(f"language must be a name or a code such as 'en', got {language!r}")
    if found := _looked_up(language):
        return UnsupportedLanguage(
            language,
            f"language {language!r} is {found.name}, for which there are neither stopwords nor a stemmer; "
            f"choose from {', '.join(sorted(CODES))}, where {UNDETERMINED} does without both",
        )
    from difflib import get_close_matches

    known = {key: one for key, one in _index().items() if one.code in CODES and len(key) > 2}
    close = get_close_matches(_key(language[:LONGEST]), known, n=2 * MOST_CLOSE, cutoff=0.6)
    if not close:
        return UnknownName("language", language[:LONGEST], CODES)
    best = list(dict.fromkeys(str(known[key]) for key in close))[:MOST_CLOSE]
    return UnsupportedLanguage(language, f"unknown language {language!r}; closest are {', '.join(best)}")


class UnsupportedLanguage(UnknownName):
    """A language that is unknown, or that has neither stopwords nor a stemmer."""

    def __init__(self, language: str, message: str) -> None:
        self.kind, self.name, self.choices = "language", language, tuple(sorted(CODES))
        ConfigError.__init__(self, message)
