"""Summarise, then extract: by the text's own sentences; and phrases from elsewhere, found in a text."""

import pytest

import phrasemill as pm
from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError
from phrasemill.methods.phrase_matching import ground, phrase
from phrasemill.methods.summarise import best_sentences, sentence_scores
from phrasemill.text.analyse import analyse

ARTICLE = """Groundwater on the Plain

Groundwater supplies most farms on the coastal plain. Somebody painted a fence that day. When pumps draw more
groundwater than the rain returns, salt water moves inland and wells turn brackish. The weather was fine. Groundwater
moves slowly, so that wells near the coast do not recover from salt water. A dog barked twice, and then it slept. Farms
that lose their wells to salt water buy river water, and the cost of water rises on the whole plain."""
INSIDE = "multipartiterank"


def words(analysis: pm.Analysis) -> list[str]:
    return [token.text for token in analysis.tokens]


# The text's own sentences.


def test_the_best_sentences_stay_in_order_and_keep_their_tokens() -> None:
    whole = analyse(ARTICLE)
    short = best_sentences(whole, most=30)
    assert "Groundwater on the Plain" in short.text and "Groundwater supplies most farms" in short.text
    assert not any(aside in short.text for aside in ("painted a fence", "weather was fine", "dog barked"))
    assert sum(any(map(str.isalnum, one)) for one in words(short)) <= 30
    every = words(whole)
    bounds = zip([0, *short.sentences], short.sentences, strict=False)
    places = [every.index(words(short)[first]) for first, _ in bounds]
    assert places == sorted(places)
    assert [token.tag for token in short.tokens][:4] == [token.tag for token in whole.tokens][:4]
    assert [short.words[i] for i in short.word] == [token.word for token in short.tokens]
    assert sorted(set(short.stem)) == list(range(len(short.stems)))
    assert short.tagset == whole.tagset


def test_the_scores_of_mead_by_hand() -> None:
    # French has no document frequencies here. Zorb occurs 3 times, Vlim twice, the others once: the mean is 7/4, the
    # centroid Zorb and Vlim. Central: 5, 3, 5; position: 5, 10/3, 5/3; shared with the first sentence: 2, 1, 2.
    text = "Zorb vlim. Zorb drenk. Zorb vlim plost."
    analysis = analyse(text, language="fr", tag=False)
    assert len(analysis.sentences) == 3
    assert sentence_scores(analysis) == pytest.approx([12, 3 + 10 / 3 + 1, 5 + 5 / 3 + 2])
    assert best_sentences(analysis, most=5).text == "Zorb vlim. Zorb vlim plost."
    assert best_sentences(analysis, most=4).text == "Zorb vlim. Zorb drenk. ", "the third would be too long"
    assert best_sentences(analysis, most=1).text == "Zorb vlim. ", "one at the least"
    even = analyse("Zorb drenk. Vlim plost.", language="fr", tag=False)
    assert sentence_scores(even) == pytest.approx([2 + 2 + 2, 2 + 1]), "words of the mean value are central"


def test_a_text_within_the_limit_is_its_own_summary() -> None:
    found = pm.extract(ARTICLE, method="summarise(share=1.0)")
    inside = pm.extract(ARTICLE, method=INSIDE)
    assert [(one.text.lower(), one.score) for one in found] == [(one.text.lower(), one.score) for one in inside]
    assert best_sentences(analyse(""), most=10).text == ""


def test_a_sentence_beyond_the_limit_is_taken_whole() -> None:
    endless = "salt water and river water and " * 60
    assert pm.extract(endless, method="summarise") == pm.extract(endless, method=INSIDE)


def test_every_place_in_the_text_is_found_not_only_those_in_the_summary() -> None:
    short = METHODS.build("summarise(shortest=15, longest=15)")
    assert short.summary(analyse(ARTICLE)).text.lower().count("groundwater") < ARTICLE.lower().count("groundwater")
    found = {one.text: one for one in pm.extract(ARTICLE, method=short, top=None)}
    assert len(found["Groundwater"].spans) == ARTICLE.lower().count("groundwater") == 4
    assert all(one.present for one in found.values())


def test_any_method_may_be_inside() -> None:
    for inside in ("learned", "kpminer", "summarise(yake)"):
        found = pm.extract(ARTICLE, method=f"summarise({inside})", top=3)
        assert len(found) == 3 and all(one.present for one in found)
    assert repr(METHODS.build("summarise('textrank(window=5)')")) == "summarise(method=textrank(window=5))"
    assert pm.extract("Les graphes sont finis.", method="summarise(tfidf)", language="fr")


@pytest.mark.parametrize("text", ["", " \n", "... !!!", "wells \ud83d and farms", "x" * 5000, "groundwater " * 500])
def test_odd_texts(text: str) -> None:
    for one in pm.extract(text, method="summarise(tfidf)"):
        assert all(" ".join(text[start:end].split()) for start, end in one.spans)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("summarise(3)", "method must be a spec"),
        ("summarise(textrang)", "did you mean 'textrank'"),
        ("summarise(shortest=9, longest=8)", "shortest must be from 1 to longest, got 9 and 8"),
        ("summarise(shortest=0)", "shortest must be from 1"),
        ("summarise(share=0.0)", "share must lie above 0"),
        ("summarise(model='x')", "model"),
    ],
)
def test_wrong_parameters(wrong: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        METHODS.build(wrong)


# Phrases in a text.


def test_hyphens_and_inflection_do_not_hide_a_phrase() -> None:
    analysis = analyse("A real-time system. Real-time systems are not in real time. A client/server design.")
    given = ["real time systems", "client server designs", "time system", "latency", "Real-Time System", "?!"]
    candidates, scores = ground([phrase(text, 1.0, "en") for text in given], analysis)
    forms = [candidates.form(c) for c in range(len(candidates))]
    assert forms == ["real-tim system", "client/serv design", "time system", "latenc"]
    assert len(scores) == 4, "the fifth is the first again, the last has no word"
    assert [analysis.text[a:b] for a, b in candidates.spans(0)] == ["real-time system", "Real-time systems"]
    assert [candidates.start[o] < candidates.absent for o in candidates.first[:-1]] == [True, True, False, False]


def test_a_phrase_does_not_cross_sentences() -> None:
    analysis = analyse("They measured salt. Water was fresh.")
    candidates, _ = ground([phrase("salt water", 1.0, "en"), phrase("salt", 0.5, "en")], analysis)
    assert candidates.analysis.text == "They measured salt. Water was fresh.\nsalt water"
    assert [candidates.spans(c)[0].end <= len(analysis.text) for c in range(2)] == [False, True]
