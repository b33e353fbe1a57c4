"""Merge and Bayatmakou as Shapira et al. (2021) run them, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phrasemill as pm
from phrasemill.sets.merge import document_frequencies, rerank
from phrasemill.sets.reading import Form, Word

SCORES = {Word("en", word): score for word, score in {"salt": 1.0, "water": 0.5}.items()}


def form(words: str, language: str = "en") -> Form:
    return tuple(Word(language, word) for word in words.split())


def kept(phrases: list[str], scores: dict[Word, float]) -> list[str]:
    return [" ".join(word.stem for word in one) for one, _ in rerank(map(form, phrases), scores)]


def test_words_score_the_share_of_documents() -> None:
    assert document_frequencies([{"salt", "water"}, {"salt"}]) == {"salt": 1.0, "water": 0.5}


def test_phrases_score_the_mean_of_their_words() -> None:
    given = [form("salt tide"), form("salt water"), form("salt water", "de")]
    assert rerank(given, SCORES) == [(given[1], 0.75), (given[0], 0.5), (given[2], 0.0)]


def test_the_longer_stays_and_of_equals_the_earlier() -> None:
    assert kept(["flight train", "routin train flight", "crew"], {}) == ["routin train flight", "crew"]
    assert kept(["train flight", "flight train"], {}) == ["train flight"]


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), unique=True))
def test_nothing_kept_is_contained_and_nothing_dropped_is_not(phrases: list[str]) -> None:
    found = kept(phrases, {})
    words = {phrase: set(phrase.split()) for phrase in phrases}
    for phrase in phrases:
        longer = [
            other
            for other in phrases
            if other != phrase
            and words[phrase] <= words[other]
            and (len(other.split()), -phrases.index(other)) > (len(phrase.split()), -phrases.index(phrase))
        ]
        assert (phrase in found) == (not longer)


# RAKE scores a word by degree over frequency: alone 1, in a run of two 2, in a run of three 3.
ONE = "Oil spill. Sea water pump."  # oil 2, spill 2: 4; sea, water, pump 3 each: 9
TWO = "An oil spill, an oil tanker."  # oil 4/2 = 2, spill 2, tanker 2: 4 and 4
THREE = "Oil spill cleanup crew works. The sea water pump."  # five words, left out; 9 again


@pytest.mark.parametrize(
    ("texts", "longest", "expected"),
    [
        ([ONE, TWO, THREE], 3, [("sea water pump", 9), ("oil spill", 4), ("oil tanker", 4)]),
        ([ONE, THREE], 5, [("oil spill cleanup crew works", 25), ("sea water pump", 9), ("oil spill", 4)]),
        # Of spellings of the same stems the best stays.
        (["An oil spill.", "The big oil spills."], 3, [("big oil spills", 9), ("oil spill", 4)]),
        (["An oil spill.", "Oil spills."], 3, [("oil spill", 4)]),
    ],
)
def test_bayatmakou(texts: list[str], longest: int, expected: list[tuple[str, float]]) -> None:
    found = pm.extract_set(texts, method=f"bayatmakou(longest={longest})", top=None)
    assert [(phrase.text.lower(), phrase.score) for phrase in found] == expected
