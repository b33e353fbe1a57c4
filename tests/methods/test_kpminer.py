"""KP-Miner: its parameters, and its paper's last step."""

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError

TEXT = "Salt water fills the wells. Salt water fills the pumps. Salt water fills the tanks."


def test_phrases_have_no_stopwords_inside_and_at_most_five_words() -> None:
    text = "big red old hot dry sea of salt. " * 3
    found = {phrase.text for phrase in pm.extract(text, method="kpminer", top=None)}
    assert "big red old hot dry" in found
    assert not any("of" in phrase.split() or len(phrase.split()) > 5 for phrase in found)


def test_inclusion_takes_off_parts_of_longer_phrases() -> None:
    everything = [phrase.text for phrase in pm.extract(TEXT, method="kpminer", top=None)]
    assert {"Salt", "Salt water", "water fills"} <= set(everything)
    best = pm.extract(TEXT, method="kpminer", top=3, redundancy="inclusion")
    assert best[0].text == everything[0]
    for number, phrase in enumerate(best):
        assert not any(phrase.text in better.text for better in best[:number])


def test_the_least_frequency_may_hold_for_short_texts() -> None:
    text = "Salt water fills the wells. Salt water moves."
    assert pm.extract(text, method="kpminer")
    assert pm.extract(text, method="kpminer(adaptive=False)") == []
    assert pm.extract(text, method="kpminer(least=2, adaptive=False)")


def test_single_letters_are_no_phrases() -> None:
    found = [phrase.text for phrase in pm.extract("Salt x and salt y. Let x be y. " * 3, method="kpminer", top=None)]
    assert "Salt" in found
    assert not {"x", "y"} & set(found)


@pytest.mark.parametrize(
    "spec", ["kpminer(least=0)", "kpminer(cutoff=0)", "kpminer(alpha=0)", "kpminer(alpha=0.0)", "kpminer(sigma=-1)"]
)
def test_parameters_are_checked(spec: str) -> None:
    with pytest.raises(ConfigError, match="must be"):
        pm.extract(TEXT, method=spec)
