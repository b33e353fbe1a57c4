"""Candidates, vocabulary, new terms and boost, in front of every method."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import made_vocabularies as made
import phrasemill as pm
from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError, InputError
from phrasemill.select import form_of
from phrasemill.text.analyse import analyse
from phrasemill.types import Span
from phrasemill.vocabulary import Vocabulary, read_vocabulary
from phrasemill.vocabulary.guide import boosted

TEXT = """Groundwater and the Coastal Plain

Groundwater supplies most farms on the coastal plain. When pumps draw more ground water than rainfall returns, brine
moves inland, and the boreholes of the coastal plain turn brackish. Salt water intrusion is slow, but wells do not
recover. Managed aquifer recharge returns river water to the ground, and a water-bearing layer fills again."""
METHOD_NAMES = sorted(set(METHODS.names()) - {"embedrank", "mderank"})


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    path = tmp_path_factory.mktemp("vocabulary") / "water.ttl"
    path.write_text(made.turtle())
    return read_vocabulary(path)


def short(keyphrase: pm.Keyphrase) -> str:
    return keyphrase.concept.removeprefix(made.BASE)


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_concepts_for_every_method(name: str, vocabulary: Vocabulary, trained: dict[str, str]) -> None:
    found = pm.extract(TEXT, method=trained.get(name, name), vocabulary=vocabulary, top=None, redundancy="none")
    concepts = {short(one): one for one in found}
    assert len(concepts) == len(found)
    assert set(concepts) == {
        *("groundwater", "farm", "coast", "pump", "rain", "saltwater", "intrusion", "water"),
        *("recharge", "aquifer", "river", "well"),
    }
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True) and all(map(math.isfinite, scores))
    groundwater = concepts["groundwater"]
    assert [TEXT[a:b] for a, b in groundwater.spans] == ["Groundwater", "Groundwater", "ground water"]
    assert (groundwater.text, groundwater.label) == ("Groundwater", "groundwater")
    assert [TEXT[a:b] for a, b in concepts["well"].spans] == ["boreholes", "wells"]
    assert [TEXT[a:b] for a, b in concepts["recharge"].spans] == ["Managed aquifer recharge"], "the longest wording"
    assert [TEXT[a:b] for a, b in concepts["aquifer"].spans] == ["aquifer", "water-bearing layer"]


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_only_these_candidates(name: str, trained: dict[str, str]) -> None:
    spec = trained.get(name, name)
    wanted = ["coastal plains", "BRINE", "supplies most farms", "climate", "returns river"]
    found = pm.extract(TEXT, method=spec, candidates=wanted, redundancy="none")
    assert {phrase.text for phrase in found} == {"coastal plain", "brine", "supplies most farms", "returns river"}
    assert {phrase.concept for phrase in found} == {""}
    assert len(next(phrase for phrase in found if phrase.text == "coastal plain").spans) == 3
    assert pm.extract(TEXT, method=spec, candidates=[]) == []
    best = pm.extract(TEXT, method=spec, candidates=wanted, redundancy="none", top=1)
    assert best == found[:1]


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_new_terms_come_beside_concepts(name: str, vocabulary: Vocabulary, trained: dict[str, str]) -> None:
    spec = trained.get(name, name)
    both = pm.extract(TEXT, method=spec, vocabulary=vocabulary, new_terms=True, top=None, redundancy="none")
    known = {form_of(label.text) for concept in vocabulary.concepts for label in concept.labels}
    fresh = [one for one in both if not one.concept]
    assert fresh and all(form_of(one.text) not in known for one in fresh)
    assert {one.concept for one in both if one.concept} == {
        one.concept for one in pm.extract(TEXT, method=spec, vocabulary=vocabulary, top=None, redundancy="none")
    }


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_boost_moves_a_phrase_up_and_nothing_else(name: str, trained: dict[str, str]) -> None:
    spec = trained.get(name, name)
    plain = pm.extract(TEXT, method=spec, top=None, redundancy="none")
    last = plain[-1].text
    more = pm.extract(TEXT, method=spec, top=None, redundancy="none", boost=[last.upper() if last.islower() else last])
    before = {one.text: one.score for one in plain}
    after = {one.text: one.score for one in more}
    assert set(before) == set(after)
    assert {text for text in before if before[text] != after[text]} <= {last}
    assert after[last] > before[last] or before[last] == 0


def test_without_a_guide_nothing_changes() -> None:
    assert pm.extract(TEXT, boost=(), candidates=None, vocabulary=None) == pm.extract(TEXT)
    assert all((one.concept, one.label) == ("", "") for one in pm.extract(TEXT))


def test_what_the_method_scores_keeps_its_score() -> None:
    plain = {one.text: one.score for one in pm.extract(TEXT, method="tfidf", top=None)}
    for one in pm.extract(TEXT, method="tfidf", candidates=["coastal plain", "brine", "salt water"], top=None):
        assert one.score == plain[one.text]


def test_what_a_ranking_method_did_not_consider_borrows_from_what_it_overlaps() -> None:
    text = "The big dog barks. A big dog sleeps. Some cats run slowly."
    scores = {one.text: one.score for one in pm.extract(text, method="textrank", top=None)}
    lowest = min(scores.values())
    found = {
        one.text: one.score for one in pm.extract(text, method="textrank", candidates=["big", "slowly", "big dog"])
    }
    assert found["big dog"] == scores["big dog"]
    assert found["big"] == pytest.approx(lowest + (scores["big dog"] - lowest) / 2)
    assert found["slowly"] == lowest


def test_candidates_and_vocabulary_together(vocabulary: Vocabulary) -> None:
    found = pm.extract(TEXT, method="tfidf", vocabulary=vocabulary, candidates=["brine", "wells", "plain"], top=None)
    assert {short(one): one.text for one in found} == {"saltwater": "brine", "well": "wells"}


def test_exclusion_boost_threshold_and_redundancy_work_on_concepts(vocabulary: Vocabulary) -> None:
    found = pm.extract(TEXT, method="tfidf", vocabulary=vocabulary, top=None, exclude=["ground water"])
    assert "groundwater" not in map(short, found)
    first = pm.extract(TEXT, method="tfidf", vocabulary=vocabulary, top=1, boost={"borehole": 100})
    assert short(first[0]) == "well"
    assert all(one.score >= 2 for one in pm.extract(TEXT, method="tfidf", vocabulary=vocabulary, threshold=2))
    kept = pm.extract(TEXT, method="tfidf", vocabulary=vocabulary, top=None, redundancy="inclusion")
    assert "recharge" in map(short, kept)


def test_batches_and_paths(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(made.csv())
    texts = [TEXT, "", "A river."]
    single = [pm.extract(text, method="tfidf", vocabulary=str(tmp_path / "v.csv")) for text in texts]
    assert list(pm.extract_batch(texts, method="tfidf", vocabulary=tmp_path / "v.csv")) == single
    assert [one.concept for one in single[2]] == ["river"]


def test_languages(vocabulary: Vocabulary) -> None:
    found = pm.extract("Das Grundwasser speist den Fluss.", method="tfidf", language="de", vocabulary=vocabulary)
    assert {short(one): one.label for one in found} == {"groundwater": "Grundwasser", "river": "Fluss"}
    with pytest.raises(InputError, match=r"no labels in 'fr'; there are some in de, en, en-gb"):
        pm.extract("Le puits.", method="tfidf", language="fr", vocabulary=vocabulary)


def test_a_form_of_two_concepts_goes_to_the_one_that_prefers_it(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("id,label,synonyms\nA,vessel,tank\nB,tank,\nC,boat,vessels\n")
    found = pm.extract("A tank and a vessel.", method="tfidf", vocabulary=tmp_path / "v.csv")
    assert {one.text: one.concept for one in found} == {"tank": "B", "vessel": "A"}


def test_hyphens_in_the_vocabulary_may_be_spaces_in_the_text() -> None:
    text = "A drip-feed system and a drip feed."
    found = pm.extract(text, method="tfidf", candidates=["drip-feed"], top=None)
    assert {one.text for one in found} == {"drip-feed", "drip feed"}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"candidates": "salt water"}, "candidates takes a list of phrases, not one string"),
        ({"candidates": [3]}, "candidates takes phrases, got 3"),
        ({"new_terms": True}, "`new_terms` requires a `vocabulary`"),
        ({"boost": "salt"}, "boost takes a list of phrases, not one string"),
        ({"boost": {"salt": 0}}, "the boost of 'salt' must be a number above 0, got 0"),
        ({"boost": {"salt": math.inf}}, "must be a number above 0"),
        ({"boost": [3]}, "boost takes phrases, got 3"),
        ({"vocabulary": 3}, "vocabulary must be a path or a Vocabulary, got 3"),
    ],
)
def test_senseless_options(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        pm.extract(TEXT, **options)  # type: ignore[arg-type]
    assert complaint in str(caught.value)


def test_an_object_that_is_no_ranker_says_so() -> None:
    class Own:
        def extract(self, source: object, /, **options: object) -> list[pm.Keyphrase]:
            return [pm.Keyphrase("x", 1.0, (Span(0, 1),))]

    assert pm.extract(TEXT, method=Own())[0].text == "x"
    with pytest.raises(ConfigError, match="need a method made of Ranker"):
        pm.extract(TEXT, method=Own(), boost=["x"])


def test_a_boost_acts_on_what_scores_are() -> None:
    assert boosted(0.5, 3, "probability") == pytest.approx(0.75)
    assert boosted(1.0, 3, "probability") == 1.0
    assert boosted(-1.0, math.e, "log-odds") == pytest.approx(0.0)
    assert boosted(2.0, 3, "any") == 6.0
    assert boosted(-3.0, 3, "any") == -1.0


WORDS = st.lists(st.sampled_from("a b c d e x1 y.".split()), min_size=1, max_size=25).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(text=WORDS, phrases=st.lists(WORDS.filter(lambda one: "." not in one and len(one) < 12), max_size=6))
def test_find_agrees_with_looking_everywhere(text: str, phrases: list[str]) -> None:
    analysis = analyse(text, language="xx", tag=False)
    wanted = {form_of(phrase, "xx") for phrase in phrases}
    expected, begin = [], 0
    for stop in analysis.sentences:
        for start in range(begin, stop):
            for end in range(start + 1, stop + 1):
                if " ".join(analysis.stems[s] for s in analysis.stem[start:end]) in wanted:
                    expected.append((start, end))
        begin = stop
    assert [(m.start, m.end) for m in Vocabulary.of(phrases).index("xx").find(analysis)] == expected
