"""The encoder as it ships: it reads long texts to the end, gives probabilities and reasons, and knows its limits."""

from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")

import phrasemill as pm
from phrasemill.errors import ConfigError, ModelError, PhrasemillWarning, UnknownName
from phrasemill.methods import encoder

ABSTRACT = """Saltwater intrusion in coastal aquifers
Pumping lowers the water table of coastal aquifers, and seawater moves inland. We measure saltwater intrusion in nine
wells with electrical resistivity tomography, and show that artificial recharge stops it within two years. The
measurements were taken by students on weekends, who had coffee and sandwiches in the van."""


def found(text: str, **options: object) -> dict[str, pm.Keyphrase]:
    return {one.text.lower(): one for one in pm.extract(text, method=encoder.Encoder(**options))}


@pytest.mark.parametrize("size", encoder.installed_sizes())
def test_it_puts_what_a_text_is_about_before_what_it_mentions(size: str) -> None:
    phrases = found(ABSTRACT, style="author", size=size)
    assert next(iter(phrases)) == "saltwater intrusion"
    assert {"coastal aquifers", "artificial recharge", "electrical resistivity tomography"} <= set(phrases)
    assert not {"coffee", "sandwiches", "weekends", "students"} & set(list(phrases)[:6])
    scores = [one.score for one in phrases.values()]
    assert scores == sorted(scores, reverse=True) and scores[-1] > 0 and scores[0] < 1


def test_in_other_languages_the_style_ranks_and_explains_as_in_learned() -> None:
    german = "Salzwasser dringt in die Brunnen ein, weil die Pumpen der Stadt zu viel Grundwasser fördern."
    for style in ("author", "everyday", "general"):
        with pytest.warns(pm.PhrasemillWarning, match="ranked by learned"):
            found = pm.extract(german, method="encoder", style=style, explain=True)
        assert found == pm.extract(german, style=style, explain=True)


def test_a_long_text_is_read_to_its_end() -> None:
    filler = "The weather was fine on that day, and nothing else happened there. "
    text = "Notes of a year\n" + 120 * filler + "\n".join(ABSTRACT.splitlines()[1:]) + "\n" + 120 * filler
    phrase = found(text, style="author")["saltwater intrusion"]
    assert text[slice(*phrase.spans[0])] == "saltwater intrusion" and phrase.spans[0].start > 8000


def test_the_style_matters_and_the_network_gives_its_reason() -> None:
    assert found(ABSTRACT, style="indexer") != found(ABSTRACT, style="author")
    first = pm.extract(ABSTRACT, method="encoder", explain=True)[0]
    assert {"reading", "frequency", "position"} <= {reason.about for reason in first.evidence}
    assert [reason for reason in first.evidence if "reads the whole text ranks it number" in reason.words]


def test_other_languages_get_what_learned_gives_them() -> None:
    text = "La théorie des graphes étudie les graphes. Un graphe planaire se dessine sans croisement."
    learned = pm.extract(text, explain=True)
    with pytest.warns(PhrasemillWarning, match=r"for English only; texts in French \(fr\) are ranked by learned"):
        assert pm.extract(text, method="encoder", explain=True) == learned


def test_the_large_one_is_installed_separately(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(encoder.SIZES, "large", tmp_path / "encoder_large_en.safetensors")
    assert encoder.installed_sizes() == ("small",)
    command = "pip install phrasemill-encoder-large"
    with pytest.raises(ModelError, match=rf"encoder\(size='large'\) needs its weights: {command}"):
        pm.extract(ABSTRACT, method="encoder(size='large')")
    (tmp_path / "encoder_large_en.safetensors").write_bytes(encoder.SHIPPED.read_bytes())
    assert encoder.installed_sizes() == ("small", "large")
    assert pm.extract(ABSTRACT, method="encoder(size='large')") == pm.extract(ABSTRACT, method="encoder")


def test_wrong_models_sizes_and_styles_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="style"):
        encoder.Encoder(style="critic")
    with pytest.raises(UnknownName, match="size"):
        encoder.Encoder(size="huge")
    with pytest.raises(ConfigError, match="a size or a model, not both"):
        encoder.Encoder(size="large", model=str(tmp_path))
    (tmp_path / "model").write_bytes(encoder.SHIPPED.read_bytes()[:5000])
    with pytest.raises(ModelError):
        pm.extract(ABSTRACT, method=encoder.Encoder(model=str(tmp_path / "model")))
    with pytest.raises(ModelError, match="no such file"):
        pm.extract(ABSTRACT, method=encoder.Encoder(model=str(tmp_path / "none")))


def test_the_shipped_model_is_small() -> None:
    assert encoder.SHIPPED.stat().st_size <= 25_000_000


def test_near_duplicates_go_by_the_kind_of_text() -> None:
    news = (
        "The budget gap has grown, the governor said on Tuesday. A wider budget gap would close libraries, he told "
        "reporters. Lawmakers blamed the governor for the budget gap, and teachers marched to the capitol on Monday."
    )
    for text, rule, other in ((news, "nested", "variants"), (ABSTRACT, "variants", "nested")):
        found = pm.extract(text, method="encoder", top=None)
        assert found == pm.extract(text, method="encoder", top=None, redundancy=rule)
        assert found != pm.extract(text, method="encoder", top=None, redundancy=other)
