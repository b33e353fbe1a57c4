"""Methods that write keyphrases, with a model that learned five texts by heart."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import phrasemill as pm
import tiny_recurrent
from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods.writing import RUNTIME, place
from phrasemill_lab.networks.recurrent_export import export

TEXT = "The Tidal-Creek of a salt marsh"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("model")
    learner = tiny_recurrent.taught()
    export(learner.module, learner.vocabulary, made / RUNTIME, name="catseq")
    yield made


def spec(folder: Path, options: str = "") -> str:
    return f"catseq(model={str(folder)!r}{options})"


def test_present_phrases_have_places_and_absent_ones_have_none(folder: Path) -> None:
    first, second = pm.extract(TEXT, method=spec(folder))
    assert (first.text, first.score, [TEXT[slice(*span)] for span in first.spans]) == (
        "Tidal-Creek",
        1.0,
        ["Tidal-Creek"],
    )
    assert (second.text, second.score, second.spans, second.present) == ("coastal ecology", 0.5, (), False)


def test_a_number_is_the_one_of_the_text(folder: Path) -> None:
    found = pm.extract("On the water table 7 of a bog", method=spec(folder))
    assert [keyphrase.text for keyphrase in found] == ["water table 7", "coastal ecology"]


def test_an_absent_phrase_with_a_number_is_dropped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    method = METHODS.build(spec(folder))
    phrases = [(("model", "<digit>"), 1.0), (("salt", "marsh"), 0.5)]
    monkeypatch.setattr(type(method), "written", lambda self, source: phrases)
    assert [keyphrase.text for keyphrase in method.extract(TEXT)] == ["salt marsh"]


def test_selection_applies(folder: Path) -> None:
    method = spec(folder, ", search='beam', width=8, length=12")
    assert len(pm.extract(TEXT, method=method, top=None)) > 2
    assert len(pm.extract(TEXT, method=method, top=1)) == 1
    assert "coastal ecology" not in [k.text for k in pm.extract(TEXT, method=method, exclude=["coastal ecology"])]
    assert [k.text for k in next(pm.extract_batch([TEXT], method=method, top=1))] == ["Tidal-Creek"]


def test_probabilities_as_scores(folder: Path) -> None:
    found = pm.extract(TEXT, method=spec(folder, ", order='best'"))
    assert [k.score for k in found] == sorted((k.score for k in found), reverse=True)
    assert all(0 < k.score <= 1 for k in found)


def test_it_says_why(folder: Path) -> None:
    present, absent = pm.extract(TEXT, method=spec(folder), explain=True)
    assert [one.about for one in present.evidence] == ["frequency", "position"]
    assert [one.words for one in absent.evidence] == ["the model wrote it; the text does not say it"]


def test_a_file_will_do_for_a_folder(folder: Path) -> None:
    assert pm.extract(TEXT, method=spec(folder / RUNTIME)) == pm.extract(TEXT, method=spec(folder))


def test_a_title_is_read_too(folder: Path) -> None:
    document = pm.Document("1", "of a salt marsh", title="The tidal creek")
    assert [k.text for k in pm.extract(document, method=spec(folder))] == ["tidal creek", "coastal ecology"]


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("catseq(search='deep')", "unknown search 'deep'; choose from beam, greedy, top"),
        ("catseq(order='random')", "unknown order 'random'; choose from appearance, best, total"),
        ("catseq(width=0)", "width must be at least 1, got 0"),
        ("catseq(length=0)", "length must be at least 1, got 0"),
        ("catseqd(no_repeat_ngram=-1)", "no_repeat_ngram must be at least 0, got -1"),
        ("copyrnn(no_repeat_phrase=True)", "copyrnn writes one phrase at a time"),
        ("catseq", "catseq needs a model: train one with phrasemill make catseqd_en --recipe FILE --data DIR -o MODEL"),
    ],
)
def test_settings_that_make_no_sense(method: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        pm.extract(TEXT, method=method)
    assert str(error.value).startswith(message)


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no runtime\.safetensors in this folder"):
        pm.extract(TEXT, method=spec(tmp_path))


def test_places_of_words() -> None:
    assert place(("b", "c"), ("a", "b", "b", "c")) == 2
    assert place(("c", "d"), ("a", "b", "b", "c")) is None
