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


def test_a_language_without_a_list_has_none() -> None:
    assert stopwords("tlh") == frozenset()


@pytest.mark.parametrize("language", ["", "english please", "../etc", "e1"])
def test_not_a_language_code(language: str) -> None:
    with pytest.raises(ConfigError, match="ISO 639-1"):
        stopwords(language)
