"""Stopwords: words that no keyphrase begins or ends with.

The English list is our own (`data/stopwords_en.txt`): the public ones count `computer`, `AI` and `state` among
them. The other 50-odd languages come from the package `stopwordsiso`, by ISO 639-1 code.
"""

from functools import cache
from pathlib import Path

from phrasemill.errors import ConfigError

ENGLISH = Path(__file__).parent.parent / "data" / "stopwords_en.txt"


@cache
def stopwords(language: str) -> frozenset[str]:
    """The stopwords of `language` in lower case; empty for a language nobody has a list for."""
    if language == "en":
        lines = ENGLISH.read_text(encoding="utf-8").splitlines()
        return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
    if not (2 <= len(language) <= 8 and language.isalpha() and language.isascii()):
        raise ConfigError(f"language must be an ISO 639-1 code such as 'en' or 'fr', got {language!r}")
    import stopwordsiso

    if not stopwordsiso.has_lang(language):
        return frozenset()
    return frozenset(word.lower() for word in stopwordsiso.stopwords(language))


def languages() -> tuple[str, ...]:
    """The languages that have a stopword list."""
    import stopwordsiso

    return tuple(sorted({"en", *stopwordsiso.langs()}))
