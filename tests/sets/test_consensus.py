"""Consolidation of wordings, the abbreviations and names behind it, and the choice among concepts."""

import re
from pathlib import Path

import numpy as np
import pytest

import phrasemill as pm
from document_sets import FLOOD
from phrasemill.sets.abbreviations import defined, definitions, long_form
from phrasemill.sets.consensus import _spread
from phrasemill.sets.reading import Form, Word
from phrasemill.sets.results import ChosenPhrase
from phrasemill.types import Document, Keyphrase, Span


class Listed:
    """An extractor that finds the phrases it is told of, by probability."""

    scale = "probability"
    reads_tags = False

    def __init__(self, **phrases: float) -> None:
        self.phrases = {name.replace("_", " "): score for name, score in phrases.items()}

    def extract(self, source: object, /, **options: object) -> list[Keyphrase]:
        text = source.text  # type: ignore[attr-defined]
        found = []
        for phrase, score in self.phrases.items():
            places = [Span(*match.span()) for match in re.finditer(rf"\b{phrase}\b", text, re.IGNORECASE)]
            if places:
                found.append(Keyphrase(text[slice(*places[0])], score, tuple(places)))
        return sorted(found, key=lambda k: -k.score)


def consensus(texts: list[str], **phrases: float) -> list[pm.sets.SetKeyphrase]:  # type: ignore[name-defined]
    return pm.extract_set(texts, method=Listed(**phrases), top=10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("texts", "phrases", "variants", "documents", "times"),
    [
        (  # short and long forms
            ["The National Water Agency (NWA) closed it.", "The NWA reopened it. The NWA was late.", "The NWA spoke."],
            {"National_Water_Agency": 0.5, "NWA": 0.6},
            [{"NWA", "National Water Agency"}],
            3,
            5,
        ),
        (  # a last name stands for the full name only in its company
            [
                "Maria Alvarez spoke, then Alvarez left.",
                "Alvarez won.",
                "Florida won.",
                "South Florida lost.",
                "Florida!",
            ],
            {"Maria_Alvarez": 0.5, "Alvarez": 0.4, "Florida": 0.3, "South_Florida": 0.1},
            [{"Florida"}, {"Maria Alvarez", "Alvarez"}],
            3,
            3,
        ),
        (  # a name is not the common word
            ["Larry Page spoke. Page left.", "Larry Page wrote it. It fills a page."],
            {"Larry_Page": 0.5, "Page": 0.4},
            [{"Larry Page", "Page"}],
            2,
            3,
        ),
        (  # order, function words and hyphens do not matter
            ["The dam failure was sudden.", "The failure of the dam was slow.", "It was a dam-failure."],
            {"dam_failure": 0.5, "failure_of_the_dam": 0.4},
            [{"dam failure", "failure of the dam"}],
            2,
            2,
        ),
        (  # what most documents support comes first
            ["Salt water rises. An odd remark.", "Salt water spreads.", "Salt water moves."],
            {"Salt_water": 0.5, "odd_remark": 0.6},
            [{"Salt water"}, {"odd remark"}],
            3,
            3,
        ),
    ],
)
def test_wordings_of_one_thing_are_one(
    texts: list[str], phrases: dict[str, float], variants: list[set[str]], documents: int, times: int
) -> None:
    found = consensus(texts, **phrases)
    assert [set(phrase.variants) for phrase in found] == variants
    assert (found[0].documents, found[0].times) == (documents, times)


def test_names_of_one_bearer_are_one_and_the_full_name_is_preferred() -> None:
    found = pm.extract_set(FLOOD, method="consensus(positionrank)", top=30)
    bearers = [phrase for phrase in found if "Alvarez" in phrase.text]
    assert [phrase.text for phrase in bearers] == ["Maria Alvarez"]
    assert {"President Alvarez", "President Maria Alvarez", "Alvarez"} & set(bearers[0].variants)
    assert bearers[0].documents == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("evening", "apartment"),
        ("evening_school", "apartment_school"),
        ("evening_school", "school"),
        ("apartment_prices", "prices"),
        ("mines_company", "company"),
    ],
)
def test_words_whose_stems_are_function_words_are_words(one: str, other: str) -> None:
    # Porter's stem of `evening` is `even`, that of `apartment` is `apart`, and that of `mines` is `mine`.
    texts = [
        "The evening school opens. An evening in an apartment is short. School starts.",
        "Apartment prices rise. The apartment school is old, and prices fall for the mines company.",
        "The company is large.",
    ]
    for phrase in consensus(texts, **{one: 0.5, other: 0.4}):
        assert len({variant.lower() for variant in phrase.variants}) == 1, phrase.variants


def test_the_example_of_the_page_merges_no_unrelated_words() -> None:
    examples = (Path(pm.__file__).parent / "service/web/parts/examples.js").read_text(encoding="utf-8")
    sets = [
        [Document(title, text, title) for title, text in re.findall(r'"([^"]+)": "([^"]+)"', block)]
        for block in re.findall(r"const (?:HEAT|FLOODS) = \{(.*?)\n\};", examples, re.DOTALL)
    ]
    assert [len(one) for one in sets] == [6, 6]
    for own, other in (sets, sets[::-1]):
        for phrase in pm.extract_set(own, against=other, top="all"):
            words = [set(variant.lower().replace("-", " ").split()) for variant in phrase.variants]
            assert all(any(one[:4] == first[:4] for one in w for first in words[0]) for w in words), phrase.variants


def test_the_wording_that_most_documents_use_is_preferred() -> None:
    texts = ["The spillway gates jam.", "The spillway gates held.", "A spillway gate broke; the spillway gates rust."]
    found = consensus(texts, spillway_gates=0.4, spillway_gate=0.9)
    assert found[0].text == "spillway gates"
    assert found[0].documents == 3 and found[0].times == 4


def concepts(*forms: tuple[str, float]) -> list[ChosenPhrase]:
    return [ChosenPhrase(form, score, (english(form),)) for form, score in forms]


def english(stems: str) -> Form:
    return tuple(Word("en", stem) for stem in stems.split())


def test_of_phrases_that_hold_each_other_one_is_taken() -> None:
    given = concepts(("oil spill", 1.0), ("alaska oil spill", 0.7), ("oil", 0.6), ("reef", 0.1))
    shorter = [one.text for one in _spread(given, None, diversity=0.0, longer=0.8)]
    longer = [one.text for one in _spread(given, None, diversity=0.0, longer=0.5)]
    assert shorter == ["oil spill", "reef"]
    assert longer == ["alaska oil spill", "reef"]


def test_phrases_that_are_joined_keep_their_names() -> None:
    one, other = (
        ChosenPhrase(text, 1.0, (english(text),), frozenset([english(text)])) for text in ("page", "larry page")
    )
    assert one.joined(other) == ("page", 1.0, one.forms + other.forms, one.names | other.names, None)


def test_diversity_puts_new_words_first() -> None:
    given = concepts(("oil spill", 1.0), ("oil price", 0.5), ("salt water", 0.4))
    assert [one.text for one in _spread(given, 3, diversity=0.0, longer=1.0)][1] == "oil price"
    assert [one.text for one in _spread(given, 3, diversity=0.9, longer=1.0)][1] == "salt water"


def test_scores_descend_with_diversity() -> None:
    given = concepts(*((f"w{i % 5} x{i % 7} y{i}", 1 / (i + 1)) for i in range(60)))
    scores = [one.score for one in _spread(given, None, diversity=0.7, longer=0.9)]
    assert scores == sorted(scores, reverse=True) and len(scores) == 60


@pytest.mark.parametrize(
    ("short", "before", "long"),
    [
        ("NWA", "said the National Water Agency", "National Water Agency"),
        ("HMM", "a hidden Markov model", "hidden Markov model"),
        ("EEG", "by electroencephalogram", "electroencephalogram"),
        ("XYZ", "the National Water Agency", ""),
        ("AB", "AB", ""),
    ],
)
def test_long_forms(short: str, before: str, long: str) -> None:
    assert long_form(short, before) == long


def test_definitions_are_counted_over_texts() -> None:
    texts = ["A neural network (NN) is one.", "The nearest neighbour (NN) rule.", "Our neural network (NN) won."]
    assert definitions(texts) == {"NN": "neural network"}
    assert list(defined("Prices rose (see below) in May (2011).")) == []


def test_sets_may_be_clustered_by_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Encoder:
        def encode(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
            seen.extend(texts)
            about_rivers = [float("river" in text.lower() or "stream" in text.lower()) for text in texts]
            return np.array([[one, 0.0] if one else [0.0, i + 1.0] for i, one in enumerate(about_rivers)])

    monkeypatch.setattr("phrasemill.embeddings.load_encoder", lambda model: Encoder())
    texts = ["Steep mountain rivers carry gravel.", "Gravel moves in alpine streams.", "Gravel fills alpine streams."]
    plain = pm.extract_set(texts, method="consensus(method=firstphrases)")
    assert not seen, "nobody asked for embeddings"
    found = pm.extract_set(texts, method="consensus(method=firstphrases, clusters='meaning', alike=0.9)")
    assert len(found) < len(plain)
    (streams,) = [one for one in found if "streams" in one.text]
    assert streams.documents == 3
    assert any("river" in variant for variant in streams.variants)


HEADLINES = [
    Document("1", "An oil spill closed a port. The oil spill grew, and oil spills are costly.", "TANKER SPILLS OIL"),
    Document("2", "Crews fought the oil spill. The oil spill reached a beach.", "OIL SPILL REACHES BEACH"),
    Document("3", "The oil spill killed seabirds. NASA filmed the spill, and NASA shared its maps.", "NASA FILMS"),
]


def test_headlines_in_capitals_do_not_decide_how_a_phrase_is_shown() -> None:
    found = pm.extract_set(HEADLINES, method=Listed(oil_spill=0.4, spills_oil=0.9, nasa=0.2), top=10)  # type: ignore[arg-type]
    assert [phrase.text for phrase in found] == ["oil spill", "NASA"]
    assert found[0].variants == ("oil spill", "oil spills", "SPILLS OIL", "OIL SPILL")


def test_what_is_written_in_capitals_only_is_shown_so() -> None:
    texts = [Document("1", "", "HARBOUR CLOSED"), Document("2", "", "HARBOUR CLOSED AGAIN")]
    [found] = pm.extract_set(texts, method=Listed(harbour_closed=0.5))  # type: ignore[arg-type]
    assert found.text == "HARBOUR CLOSED"
