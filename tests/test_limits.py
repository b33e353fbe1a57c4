"""How long phrases may be, and how they may begin and end."""

import pytest

import phrasemill as pm
from phrasemill.candidates import ngrams
from phrasemill.errors import ConfigError
from phrasemill.select import Limits, Selection, as_stopwords, select
from phrasemill.text.analyse import analyse

TEXT = "Newton's method is a state-of-the-art root search method. Root search methods converge."


def kept(**limits: object) -> set[str]:
    candidates = ngrams(analyse(TEXT), longest=4)
    selection = Selection(top=None, limits=Limits(**limits))  # type: ignore[arg-type]
    return {one.text for one in select(candidates, [0.0] * len(candidates), selection)}


def test_a_hyphenated_word_and_one_with_an_apostrophe_are_one_word() -> None:
    assert kept(longest=1) == {"Newton", "method", "state-of-the-art", "root", "search", "converge"}
    assert "Newton's method" in kept(longest=2, shortest=2)


def test_stopwords_stand_neither_first_nor_last_whatever_their_case() -> None:
    assert "root search method" in kept()
    assert kept(stopwords=frozenset({"root", "converge"}), longest=2) >= {"search method", "state-of-the-art"}
    assert not {one for one in kept(stopwords=frozenset({"root"})) if one.lower().startswith("root")}
    assert "state-of-the-art root search" in kept(stopwords=frozenset({"root"})), "inside, the word is allowed"


def test_a_phrase_that_is_ruled_out_leaves_its_place_to_the_next() -> None:
    text = "Graph theory of trees. Large graphs and trees of graphs have colours."
    assert len(pm.extract(text, method="firstphrases", top=3, longest=1)) == 3


def test_a_fraction_is_one_of_the_phrases_within_the_limits() -> None:
    candidates = ngrams(analyse(TEXT), longest=4)
    selection = Selection(top=0.5, limits=Limits(longest=1))
    assert len(select(candidates, [0.0] * len(candidates), selection)) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"longest": 0}, "longest must be a number of words, at least 1, got 0"),
        ({"shortest": True}, "shortest must be a number of words"),
        ({"longest": 1, "shortest": 2}, "longest must be at least shortest, got 1 and 2"),
        ({"stopwords": "study"}, "takes a list of words, not one string"),
        ({"stopwords": ["new york"]}, "takes single words, got 'new york'; exclude leaves out whole phrases"),
        ({"stopwords": [3]}, "takes words, got 3"),
        ({"diversity": 1.5}, "diversity must be from 0 to 1, got 1.5"),
        ({"diversity": "much"}, "diversity must be a number from 0 to 1, got 'much'"),
    ],
)
def test_senseless_limits(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        pm.extract(TEXT, **options)  # type: ignore[arg-type]


def test_stopwords_are_compared_in_lower_case() -> None:
    assert as_stopwords(["Study", " paper "]) == {"study", "paper"}


def test_stopwords_replace_those_of_the_language() -> None:
    text = "To be or not to be: the play asks to be or not to be. The play ends."
    plain = {one.text.lower() for one in pm.extract(text, method="tfidf", top=None)}
    assert "play" in plain
    assert "to be" not in plain
    replaced = pm.extract(text, method="tfidf", top=None, stopwords=["play", "the"], replace_stopwords=True)
    found = {one.text.lower() for one in replaced}
    assert {"to be", "not to be"} <= found
    assert not {"play", "the", "the play"} & found


def test_an_empty_list_in_place_of_the_stopwords_of_the_language() -> None:
    found = pm.extract("The who and the what.", method="tfidf(candidates='ngrams')", replace_stopwords=True)
    assert "the who" in {one.text.lower() for one in found}


def test_an_analysis_keeps_its_own_stopwords() -> None:
    analysis = analyse(TEXT)
    before = bytes(analysis.kind)
    pm.extract(analysis, method="tfidf", stopwords=["root"], replace_stopwords=True)
    assert bytes(analysis.kind) == before


def test_candidates_of_a_vocabulary_keep_to_the_limits() -> None:
    found = pm.extract(TEXT, candidates=["root search", "Newton's method", "method"], longest=1)
    assert [one.text for one in found] == ["method"]


def test_sets_take_the_limits() -> None:
    texts = [
        "Salt water moves inland. Salt water intrusion is slow. Deep wells are dear.",
        "Salt water intrusion ruins deep wells on the plain.",
    ]
    found = pm.extract_set(texts, shortest=2, longest=2, stopwords=["intrusion"])
    assert found
    for one in found:
        assert len(one.text.split()) == 2
        assert not one.text.lower().endswith("intrusion")
