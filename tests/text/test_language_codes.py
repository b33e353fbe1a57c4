"""Languages by any name that people have for them, and clear refusals of the rest."""

from pathlib import Path
from typing import Any

import pytest

import phrasemill as pm
import written
from phrasemill.errors import ConfigError, UnknownName
from phrasemill.statistics import DocumentFrequencies
from phrasemill.text.analyse import analyse, analyser
from phrasemill.text.language_codes import CODES, UNDETERMINED, choices, known_language, language_code
from phrasemill.text.stem import STEMMED, default_stemmer

CASES = written.read("languages")
GERMAN = "Die Windkraftanlage liefert Strom. Der Strom der Windkraftanlage ist billig."


@pytest.mark.parametrize(("given", "code"), CASES["names"])
def test_any_usual_name(given: str, code: str) -> None:
    assert language_code(given) == known_language(given) == code


@pytest.mark.parametrize(("given", "message"), CASES["refused"])
def test_unknown_and_unsupported_languages(given: str, message: str) -> None:
    with pytest.raises(UnknownName) as raised:
        language_code(given)
    assert str(raised.value).startswith(message)
    assert "\n" not in str(raised.value)
    assert known_language(given) is None


@pytest.mark.parametrize("given", [5, b"en", ["en"], {"en": 1}])
def test_what_is_no_name(given: Any) -> None:
    for call in (
        lambda: language_code(given),
        lambda: analyse("Wells", language=given),
        lambda: pm.extract("Wells", language=given),
        lambda: pm.extract(pm.Document("1", "Wells", language=given)),
    ):
        with pytest.raises(ConfigError, match="language must be a name or a code"):
            call()


def test_supported_is_what_there_is_something_for() -> None:
    stopwordsiso = pytest.importorskip("stopwordsiso")
    assert {*stopwordsiso.langs(), *STEMMED, UNDETERMINED} == CODES
    assert {one.code for one in choices()} == CODES


def test_one_analyser_for_all_names_of_a_language() -> None:
    assert analyser("English") is analyser("en-US") is analyser("en")
    assert default_stemmer("Deutsch") == "german"
    assert DocumentFrequencies.fit([], language="Deutsch").language == "de"
    analysis = analyse("The wells of the plains", language="und")
    assert analysis.stems == analysis.words, "und is no language: every word is kept"


@pytest.mark.parametrize("language", ["de", "German", "Deutsch", "ger", "de-AT"])
def test_the_language_of_an_extraction(language: str) -> None:
    expected = pm.extract(GERMAN, language="de")
    assert pm.extract(GERMAN, language=language) == expected
    assert pm.extract(pm.Document("1", GERMAN, language=language)) == expected
    assert list(pm.extract_batch([GERMAN], language=language)) == [expected]
    assert pm.extract_set([GERMAN], language=language) == pm.extract_set([GERMAN], language="de")


@pytest.mark.parametrize("language", ["klingon", "englisch", "is"])
def test_the_language_of_an_extraction_must_be_supported(language: str) -> None:
    for call in (
        lambda: pm.extract(GERMAN, language=language),
        lambda: pm.extract(pm.Document("1", GERMAN, language=language)),
        lambda: list(pm.extract_batch([GERMAN], language=language)),
        lambda: list(pm.extract_batch([], language=language)),
        lambda: pm.extract_set([GERMAN], language=language),
        lambda: pm.extract_set([pm.Document("1", GERMAN, language=language)]),
        lambda: DocumentFrequencies.fit([], language=language),
    ):
        with pytest.raises(UnknownName):
            call()


def test_the_docs_list_every_language() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "analysis.md").read_text(encoding="utf-8")
    listed = " ".join(page.partition("Supported are")[2].split())
    for one in choices():
        assert str(one).replace("(", "(`").replace(")", "`)") in listed or one.code == UNDETERMINED
