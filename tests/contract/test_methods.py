"""What every registered method promises, whatever it computes."""

import math
import re
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phrasemill as pm
from phrasemill.catalogue import METHODS, methods
from phrasemill.errors import ConfigError
from phrasemill.select import form_of
from phrasemill.text.stopwords import languages
from phrasemill.types import Document

pytestmark = pytest.mark.filterwarnings("ignore::phrasemill.PhrasemillWarning")  # texts in no or in other languages


def name_of(case: str) -> str:
    return case.partition("(")[0]


def with_model(case: str, specs: dict[str, str]) -> str:
    """Return the spec of a case, with the small model that was made for its method."""
    name, _, options = case.partition("(")
    if not options:
        return specs[name]
    return specs[name].replace("(", f"({options[:-1]}, ", 1) if "(" in specs[name] else case


@pytest.fixture
def spec(request: pytest.FixtureRequest, specs: dict[str, str]) -> str:
    return with_model(request.param, specs)


# Specs without their models; the fixture `spec` adds these.
CASES = [
    *METHODS.names(),
    "embedrank(diversity=0.5)",
    "tfidf(candidates='noun_phrases')",
    "textrank(window=10, keep=1.0)",
    "rake(longest=3)",
]
NEEDS = {one.name: one.needs for one in methods()}
# Methods that also write what the text does not say.
WRITING = ("catseq", "catseqd", "copyrnn", "generator", "llm")
WITHOUT_TAGGER = [case for case in CASES if not NEEDS[name_of(case)] and "noun_phrases" not in case]
# Methods that need something, but no tags.
WITHOUT_TAGS = ("bertkpe", "encoder", *WRITING, *WITHOUT_TAGGER)

ARTICLE = """Groundwater and the Coastal Plain

Groundwater supplies most farms on the coastal plain. When pumps draw more groundwater than the rain returns, salt
water moves inland, and the wells of the coastal plain turn brackish. Dr. A. Reyes of the U.S. Geological Survey
measured salt in 140 wells. "Salt water intrusion is slow," she said, "but wells do not recover."

Managed aquifer recharge returns river water to the ground in winter. Recharge basins near three rivers slowed salt
water intrusion within five years, and the cost per cubic metre was lower than that of desalination.
"""
DEGENERATE = {
    "empty": "",
    "whitespace": " \n\t \r\n",
    "stopwords only": "the of and to in is it that was for on are with as at be by this have from or had",
    "punctuation only": "... !!! ??? --- *** (((",
    "one word": "groundwater",
    "one letter": "x",
    "one sentence": "Groundwater supplies most farms.",
    "a word 10,000 times": "groundwater " * 10_000,
    "no punctuation": ARTICLE.replace(".", "").replace(",", "").replace("\n", " ") * 3,
    "all capitals": ARTICLE.upper(),
    "lower case": ARTICLE.lower(),
    "a long token": "A" * 100_000,
    "long tokens": " ".join("ab" * 200 + str(i) for i in range(200)),
    "nul": "Ground\x00water sup\x00plies most farms.",
    "right to left": "המים המתוקים של מישור החוף הופכים למלוחים. المياه الجوفية على السهل الساحلي.",
    "emoji": "Farms 🚜 and wells 💧💧 on the plain 👩‍🔬🏽 are drying 🔥.",
    "html": "<p>Groundwater <b>wells</b> &amp; farms</p><script>alert('x')</script>",
    "numbers": "12 3.4 5,600 7% 8-9 10:30",
    "chinese": "机器学习是人工智能的一个分支。机器学习研究算法。",
    "combining marks": "Z̸̧̛a̷͜l̴g̶o̵ text and cafe\u0301s in the cafe\u0301",
    "surrogates": "salt \ud83dwater, wells \ud83d and farms \udc00 on the plain, salt \ud83dwater",
}


def is_recased(phrase: str, slices: list[str]) -> bool:
    """Return whether a phrase that stands in lines of capitals only is written in small letters."""
    return all(map(str.isupper, slices)) and phrase.casefold() in {one.casefold() for one in slices}


def check(text: str, keyphrases: list[pm.Keyphrase]) -> None:
    scores = [keyphrase.score for keyphrase in keyphrases]
    assert all(math.isfinite(score) for score in scores)
    assert scores == sorted(scores, reverse=True)
    assert len({keyphrase.text for keyphrase in keyphrases}) == len(keyphrases)
    for keyphrase in keyphrases:
        keyphrase.text.encode()  # which lone surrogates would prevent
        text = text.encode("utf-8", "replace").decode()
        assert keyphrase.present == bool(keyphrase.spans)
        slices = [" ".join(text[start:end].split()) for start, end in keyphrase.spans]
        assert len({form_of(one) for one in slices}) <= 1, "all places are wordings of one phrase"
        slices += [re.sub("[-\u2010\u00ad\u00ac] ", "-", one) for one in slices]  # broken at a line's end
        assert keyphrase.text in slices or not slices or is_recased(keyphrase.text, slices), (
            "the text is one of the places it points to, in its original case unless all are in capitals"
        )
        assert list(keyphrase.spans) == sorted(keyphrase.spans)


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_an_article(spec: str) -> None:
    keyphrases = pm.extract(ARTICLE, method=spec, top=None)
    check(ARTICLE, keyphrases)
    assert len(keyphrases) >= 5 or name_of(spec) in WRITING
    assert keyphrases == pm.extract(ARTICLE, method=spec, top=None), "deterministic"
    best = pm.extract(ARTICLE, method=spec, top=3)
    assert best == keyphrases[:3]


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_degenerate_input(spec: str, name: str) -> None:
    text = DEGENERATE[name]
    keyphrases = pm.extract(text, method=spec, language="en")
    check(text, keyphrases)
    if name in {"empty", "whitespace", "stopwords only", "punctuation only", "numbers", "a long token"}:
        assert keyphrases == []


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=25, deadline=None)
@given(text=st.text())
def test_any_text(case: str, specs: dict[str, str], text: str) -> None:
    check(text, pm.extract(text, method=with_model(case, specs), language="en"))


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_a_title_counts_and_spans_point_into_the_content(spec: str) -> None:
    document = Document("1", "It supplies most farms. The desert has none.", title="Groundwater wells")
    keyphrases = pm.extract(document, method=spec)
    check(document.content, keyphrases)
    assert name_of(spec) in WRITING or "Groundwater wells" in [
        keyphrase.text for keyphrase in pm.extract(document, method=spec, top=None)
    ]
    assert document == Document("1", "It supplies most farms. The desert has none.", title="Groundwater wells")


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_the_spec_is_its_repr(spec: str) -> None:
    method = METHODS.build(spec)
    assert METHODS.build(repr(method)) == method
    assert repr(METHODS.build(repr(method))) == repr(method)
    assert repr(METHODS.build(method.name)) == method.name
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        method.window = 3


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_the_object_extracts_too(spec: str) -> None:
    method = METHODS.build(spec)
    assert method.extract(ARTICLE, top=4) == pm.extract(ARTICLE, method=method, top=4)


@pytest.mark.parametrize("name", METHODS.names())
def test_it_describes_itself(name: str) -> None:
    entry = {entry.name: entry for entry in METHODS.describe()}[name]
    assert 10 < len(entry.summary) < 100
    assert METHODS.build(name).name == name


@pytest.mark.parametrize("spec", WITHOUT_TAGGER, indirect=True)
def test_every_language(spec: str) -> None:
    for language in languages():
        for text in (ARTICLE, DEGENERATE["right to left"], DEGENERATE["chinese"]):
            check(text, pm.extract(text, method=spec, language=language))


@pytest.mark.parametrize("spec", [case for case in CASES if case not in WITHOUT_TAGS], indirect=True)
def test_a_method_that_needs_tags_says_so(spec: str) -> None:
    with pytest.raises(ConfigError, match="needs part-of-speech tags, and there is no tagger for 'eu'"):
        pm.extract("Grafoen teoria.", method=spec, language="eu")


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_the_number_of_words_is_limited(spec: str) -> None:
    for limits in ({"longest": 1}, {"longest": 2}, {"shortest": 2}, {"shortest": 2, "longest": 2}):
        found = pm.extract(ARTICLE, method=spec, top=3, **limits)  # type: ignore[arg-type]
        for one in found:
            assert limits.get("shortest", 1) <= len(one.text.split()) <= limits.get("longest", 99)
        allowed = [
            one
            for one in pm.extract(ARTICLE, method=spec, top=None, redundancy="none")
            if limits.get("shortest", 1) <= len(one.text.split()) <= limits.get("longest", 99)
        ]
        assert bool(found) == bool(allowed), "what is ruled out leaves its place to others"


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_stopwords_neither_begin_nor_end_a_phrase(spec: str) -> None:
    for one in pm.extract(ARTICLE, method=spec, top=None, stopwords=["Salt", "wells", "plain"]):
        words = one.text.lower().split()
        assert not {words[0], words[-1]} & {"salt", "wells", "plain"}


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_stopwords_can_replace_those_of_the_language(spec: str) -> None:
    found = pm.extract(ARTICLE, method=spec, top=None, stopwords=["Salt", "wells"], replace_stopwords=True)
    check(ARTICLE, found)
    for one in found:
        words = one.text.lower().split()
        assert not {words[0], words[-1]} & {"salt", "wells"}


@pytest.mark.parametrize("spec", CASES, indirect=True)
def test_diversity_goes_from_none_to_no_shared_words(spec: str) -> None:
    plain = pm.extract(ARTICLE, method=spec, top=3)
    assert pm.extract(ARTICLE, method=spec, top=3, diversity=0.0) == plain
    diverse = pm.extract(ARTICLE, method=spec, top=3, diversity=1.0)
    check(ARTICLE, diverse)
    assert len(diverse) == len(plain)
    assert diverse[:1] == plain[:1], "the best comes first"

    def shared(found: list[pm.Keyphrase]) -> int:
        words = [word for one in found for word in set(form_of(one.text).split())]
        return len(words) - len(set(words))

    assert shared(diverse) <= shared(plain)
