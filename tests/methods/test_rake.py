"""RAKE: what cuts the text, and what is joined again."""

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError


def phrases(text: str, method: str = "rake") -> list[str]:
    return [phrase.text for phrase in pm.extract(text, method=method, top=None)]


def test_stopwords_punctuation_and_numbers_cut_the_text() -> None:
    found = phrases("Salt water, deep wells (old pumps) and 140 farms of the coastal plain.")
    assert found == ["Salt water", "deep wells", "old pumps", "coastal plain", "farms"]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("The axis of evil. An axis of evil.", True),
        ("Wells in the desert. Wells in the desert.", True),
        ("The axis of evil. The axis from evil.", False),  # by other stopwords
        ("The axis of evil. The evil of axis.", False),  # in another order
        ("The axis, of evil. The axis, of evil.", False),  # not by stopwords alone
        ("The axis 5 evil. The axis 5 evil.", False),
        ("Axes that are not of or by evil. Axes that are not of or by evil.", False),  # a clause
    ],
)
def test_joining(text: str, joined: bool) -> None:
    assert any(len(phrase.split()) > 1 for phrase in phrases(text)) == joined


def test_nothing_is_joined_across_the_end_of_a_sentence() -> None:
    # A heading has no full stop, but it ends a sentence all the same.
    text = "Graph theory\n\nOf trees.\n\nGraph theory\n\nOf trees."
    assert phrases(text) == ["Graph theory", "trees"]


def test_parameters_are_checked() -> None:
    with pytest.raises(ConfigError, match="longest must be at least 0, got -1"):
        pm.extract("Wells.", method="rake(longest=-1)")


def test_a_limit_beyond_any_text_is_no_limit() -> None:
    text = "Salt water of deep wells."
    assert phrases(text, "rake(longest=1000000000000000)") == phrases(text)
