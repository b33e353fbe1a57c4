"""The generator as a method: what people see of it."""

import pytest

pytest.importorskip("onnxruntime")

import numpy as np

import phrasemill as pm
from phrasemill.errors import ConfigError, ModelError, UnknownName
from phrasemill.methods.generator import SHIPPED
from phrasemill.methods.generator.onnx_models import GeneratorModel
from phrasemill.methods.generator.pieces import EOS, SEP, SEQUENCE
from phrasemill.methods.writing import load_model
from phrasemill.text.segments import segmented

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


def test_the_likeliest_piece_comes_next() -> None:
    text = (
        "Sourdough bread and phytic acid\nWhole grain flour contains phytic acid, which binds minerals. During a long "
        "fermentation with sourdough lactic acid bacteria lower the pH, and phytase of the flour breaks phytic acid "
        "down. We baked bread with four starters and measured iron, zinc and magnesium after digestion in vitro. "
        "Fermentation time had more influence than the strain of lactic acid bacteria."
    )
    model = load_model(GeneratorModel.load, None, "generator", SHIPPED)
    state, written = model.start([segmented(text)[0]]), [SEQUENCE]
    while written[-1] != EOS:
        state, _, likeliest = model.step(state, np.array(written[-1:]), 1)
        written.append(int(likeliest[0, 0]))
    phrases: list[list[int]] = [[]]
    for piece in written[1:-1]:
        phrases = [*phrases, []] if piece == SEP else [*phrases[:-1], [*phrases[-1], piece]]
    expected = {" ".join(model.vocabulary.words(one)) for one in phrases}
    assert {one.text.lower() for one in pm.extract(text, method="generator(patience=0)", top="all")} == expected


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
