"""Stopwords: words that no keyphrase begins or ends with.

The English list is our own (`data/stopwords_en.txt`): the public ones count `computer`, `AI` and `state` among
them. The lists of 57 other languages come from the package `stopwordsiso`.
"""

from functools import cache

from phrasemill.models import shipped
from phrasemill.text.language_codes import language_code

ENGLISH = shipped("stopwords_en.txt")


def stopwords(language: str) -> frozenset[str]:
    """Return the stopwords of `language` in lower case; empty for the few supported languages that have a stemmer
    only."""
    return _stopwords(language_code(language))


@cache
def _stopwords(code: str) -> frozenset[str]:
    if code == "en":
        lines = ENGLISH.read_text(encoding="utf-8").splitlines()
        return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
    import stopwordsiso

    if not stopwordsiso.has_lang(code):
        return frozenset()
    return frozenset(word.lower() for word in stopwordsiso.stopwords(code))


def languages() -> tuple[str, ...]:
    """Return the languages that have a stopword list."""
    import stopwordsiso

    return tuple(sorted({"en", *stopwordsiso.langs()}))
