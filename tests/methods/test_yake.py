"""YAKE: company, stopwords inside, and parameters at their ends."""

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError
from phrasemill.methods.yake import Yake

COURT = "The Art and the Trade and the Art and the House and the Art. The Land of the Art is in the House of the Art."


def scores(text: str, method: str) -> dict[str, float]:
    return {phrase.text: phrase.score for phrase in pm.extract(text, method=method, top=None, redundancy="none")}


def test_varied_company_speaks_against_a_word() -> None:
    # Same counts, sentences and casing; "board" stands between other words each time, "chess" between the same.
    found = scores("Red chess big. Cold board hot. Warm board flat. Red chess big.", "yake(longest=1)")
    assert found["chess"] > found["board"]


def test_a_stopword_that_belongs_to_its_neighbours_costs_less() -> None:
    # "of" follows every coast and precedes every gold in the first text; in the second both have other company too.
    firm = scores("Coast of gold. Bare hills. Bare rocks.", "yake")["Coast of gold"]
    loose = scores("Coast of gold. Bare coast. Bare gold.", "yake")["Coast of gold"]
    assert firm > loose


def test_the_window_widens_the_company() -> None:
    text = "Old deep wells feed red farms. New deep wells feed farms. Rain."
    assert scores(text, "yake") != scores(text, "yake(window=2)")
    assert scores(text, "yake(window=50)") == scores(text, "yake(window=51)"), "no sentence is longer"


@pytest.mark.parametrize("longest", [3, 4, 6])
def test_scores_lie_between_0_and_1(longest: int) -> None:
    # S(kw) of the paper is positive, so 1 / (1 + S) is below 1. With two stopwords or more inside, 1 + sum of S falls
    # below zero unless that is seen to.
    for text, score in scores(COURT, f"yake(longest={longest})").items():
        assert 0 < score < 1, text


def test_an_acronym_that_reads_like_a_stopword_is_scored_like_any_other() -> None:
    # US is a word, us is not; both are the word "us". Which of them comes last must not matter.
    last, first = (scores(text, "yake(longest=1)")["US"] for text in ("They told us. US.", "US. They told us."))
    assert max(last, first) < 1


def test_near_duplicates_are_dropped_by_default() -> None:
    text = "Transistor. Transitor. Wells."
    assert Yake(dedupe=0.6).redundancy == "similarity(0.6)"
    assert [phrase.text for phrase in pm.extract(text, method="yake")] == ["Transistor", "Wells"]
    assert len(pm.extract(text, method="yake(dedupe=0.95)")) == 3


@pytest.mark.parametrize("spec", ["yake(longest=0)", "yake(window=0)", "yake(dedupe=0)", "yake(dedupe=1.1)"])
def test_parameters_are_checked(spec: str) -> None:
    with pytest.raises(ConfigError, match="must"):
        pm.extract("Wells.", method=spec)


@pytest.mark.parametrize("name", ["longest", "window"])
def test_a_limit_beyond_any_text_is_no_limit(name: str) -> None:
    text = "Salt water fills deep wells."
    assert scores(text, f"yake({name}=1000000000000000)") == scores(text, f"yake({name}=20)")
