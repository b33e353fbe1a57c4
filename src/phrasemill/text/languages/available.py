"""The languages, and what there is for each."""

from typing import NamedTuple

from phrasemill.text.language_codes import choices
from phrasemill.text.languages import tagged_languages
from phrasemill.text.languages.detect import detected_languages
from phrasemill.text.stem import STEMMED
from phrasemill.text.stopwords import languages as stopword_languages


class LanguageInfo(NamedTuple):
    """One language: its code and English name, and what there is for it."""

    code: str
    name: str
    detected: bool
    tagger: bool
    stemmer: bool
    stopwords: bool


def languages() -> list[LanguageInfo]:
    """Return the languages with stopwords or a stemmer, by name."""
    found, tagged, listed = detected_languages(), tagged_languages(), stopword_languages()
    return [
        LanguageInfo(*one, one.code in found, one.code in tagged, one.code in STEMMED, one.code in listed)
        for one in choices()
    ]
