"""The generator as a method: what people see of it."""

import pytest

pytest.importorskip("onnxruntime")

import phrasemill as pm
from phrasemill.errors import ConfigError, ModelError, UnknownName

TITLE = "Deep learning for groundwater level forecasting in coastal aquifers"
TEXT = (
    "Salt water intrusion threatens wells near the sea. We train long short-term memory networks on twenty years of "
    "daily readings from 140 wells, and compare them with ARIMA models and a physically based simulation. Feature "
    "attribution shows that pumping rates matter more than rainfall."
)
DOCUMENT = pm.Document("1", TEXT, TITLE)


def test_present_phrases_have_their_places_and_the_texts_own_case() -> None:
    found = pm.extract(DOCUMENT, method="generator")
    present = [one for one in found if one.present]
    assert {"Deep learning", "ARIMA"} & {one.text for one in present}
    for one in present:
        for start, end in one.spans:
            assert DOCUMENT.content[start:end].lower() == one.text.lower()


def test_some_phrases_are_absent_and_marked() -> None:
    found = pm.extract(DOCUMENT, method="generator(search='beam', width=10)", top=None)
    absent = [one.text for one in found if not one.present]
    assert "machine learning" in absent
    assert not any(phrase.lower() in DOCUMENT.content.lower() for phrase in absent)


def test_it_decides_how_many() -> None:
    short = pm.extract("Tidal creeks.", method="generator", top="auto")
    long = pm.extract(DOCUMENT, method="generator(style='indexer')", top="auto")
    assert 0 < len(short) < len(long)
    with pytest.raises(ConfigError, match="auto"):
        pm.extract(DOCUMENT, method="generator(search='beam', width=2)", top="auto")


def test_a_style_changes_what_is_written() -> None:
    lists = [
        [one.text for one in pm.extract(DOCUMENT, method=f"generator(style={style!r})")] for style in ("author", "tags")
    ]
    assert lists[0] != lists[1]


def test_numbers_are_read_as_they_are() -> None:
    found = pm.extract("Spread of covid-19 in care homes. We study covid-19 in 2020.", method="generator")
    assert not any("<digit>" in one.text for one in found)


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("generator(style='nobody')", UnknownName, "author"),
        ("generator(search='none')", UnknownName, "greedy"),
        ("generator(width=0)", ConfigError, "width"),
        ("generator(no_repeat_ngram=-1)", ConfigError, "no_repeat_ngram"),
        ("generator(model='nowhere')", ModelError, "no such file"),
    ],
)
def test_wrong_parameters_get_one_line(spec: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        pm.extract(TEXT, method=spec)


@pytest.mark.parametrize("method", ["generator", "catseqd", "summarise(generator)"])
def test_a_text_in_another_language_is_refused_in_one_line(method: str) -> None:
    text = "La ville améliore son réseau de bus pour que les gens arrivent plus vite au travail."
    with pytest.raises(ConfigError, match=r"for English \(en\) only, and this text is in French \(fr\): use learned"):
        pm.extract(text, method=method)
