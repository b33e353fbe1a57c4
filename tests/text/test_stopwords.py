import pytest

from phrasemill.errors import ConfigError
from phrasemill.text.stopwords import languages, stopwords


def test_english_has_function_words_and_no_topics() -> None:
    english = stopwords("en")
    assert {"the", "of", "and", "however", "'s", "n't"} <= english
    assert not {"computer", "ai", "state", "system", "area", "case", "it's"} & english


def test_at_least_thirty_languages() -> None:
    assert len(languages()) >= 30
    for language in languages():
        assert len(stopwords(language)) > 20, language
        assert all(word == word.lower() for word in stopwords(language))


@pytest.mark.parametrize("language", ["ne", "sr", "ta", "yi", "und"])
def test_a_supported_language_without_a_list_has_none(language: str) -> None:
    assert stopwords(language) == frozenset()


def test_a_language_by_its_name() -> None:
    assert stopwords("Deutsch") == stopwords("de-AT") == stopwords("de")


@pytest.mark.parametrize("language", ["", "english please", "../etc", "e1", "tlh", "klingon"])
def test_what_is_no_language_has_no_empty_list(language: str) -> None:
    with pytest.raises(ConfigError, match="unknown language"):
        stopwords(language)
