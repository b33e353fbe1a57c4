"""Which trees score a text: by its kind, however it is written; in other languages by its length and language, too."""

import math
from array import array
from dataclasses import replace

import pytest

import phrasemill as pm
from phrasemill.kernels import hashing, shapes
from phrasemill.methods.learned.kinds import LONG, MOST, PROSE, tags_share
from phrasemill.methods.learned.model import multilingual_model, shipped_model
from phrasemill.methods.learned.shapes import word_classes
from phrasemill.methods.styles import AUTHOR, EVERYDAY, GENERAL, TAGS
from phrasemill.text.analyse import analyse
from phrasemill_lab.models.kinds import COPIES, copies
from written import CASES, EVERY, TEXTS

RUSSIAN = (
    "Министр финансов Иванов заявил в Москве, что правительство увеличит бюджет на дороги. "
    "По словам Иванова, новые дороги построят в Сибири и на Урале. "
    "Депутаты спросили министра, откуда возьмут деньги, и он пообещал ответить в пятницу. "
)
GERMAN = (
    "Die Stadtwerke bauen am alten Hafen ein neues Fernwärmenetz. Große Wärmepumpen nehmen dem kalten Flusswasser die "
    "Wärme, und lange unterirdische Leitungen bringen sie in die nahen Wohnviertel. Die Bürgermeisterin Karin Vogt "
    "nannte das Fernwärmenetz einen wichtigen Schritt, der teure Gaskessel überflüssig macht. Die Opposition hält den "
    "engen Zeitplan für gewagt und fordert einen unabhängigen Gutachter. "
)
FINNISH = "Kunta istuttaa metsää joka vuosi. Metsä suojaa kaupunkia tulvilta, ja lapset leikkivät metsässä."


def shares(text: str, language: str) -> dict[str, float]:
    return multilingual_model().mixture(analyse(text, language=language), GENERAL)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("слово " * PROSE, "ru", 0.0),
        ("слово " * ((PROSE + LONG) // 2), "ru", 0.5),
        ("слово " * 10 * LONG, "ru", MOST),
        (FINNISH, "fi", 1.0),  # a language of compounds
        ("森林。" * LONG, "zh", 0.0),  # words found by segmentation
    ],
)
def test_the_share_of_tags_grows_with_length(text: str, language: str, expected: float) -> None:
    assert tags_share(analyse(text, language=language)) == expected


def test_short_news_has_no_tags_and_long_news_mostly() -> None:
    assert shares(RUSSIAN, "ru").keys() == {AUTHOR, EVERYDAY}
    assert max(shares(RUSSIAN * 25, "ru").items(), key=lambda one: one[1])[0] == TAGS
    tags, usual = (pm.extract(RUSSIAN, method=method, language="ru") for method in ("learned(style='tags')", "learned"))
    assert sum(" " in one.text for one in tags) < sum(" " in one.text for one in usual)


@pytest.mark.parametrize("times", [1, 14])
def test_tags_of_a_german_text_are_nouns_however_long_it_is(times: int) -> None:
    """Sums that were cut off early ranked adjectives, the least likely words, above the others in long texts."""
    found = [one.text for one in pm.extract(GERMAN * times, method="learned(style='tags')", language="de", top=12)]
    assert found[0] == "Fernwärmenetz"
    assert all(word[0].isupper() for one in found for word in one.split()), found


def test_the_score_of_a_tag_is_that_of_all_its_trees() -> None:
    model = multilingual_model()
    candidates = model.shapes.propose(analyse(GERMAN * 14, language="de"))
    rows = model.rows(candidates).some(0, len(candidates))
    trees = model.trees.styles[TAGS]
    assert trees.predict(rows, model.trees.width) == replace(trees, stops=()).predict(rows, model.trees.width)


def test_a_word_counts_by_the_logarithm_of_its_frequency() -> None:
    """Two kinds; of three words the second has no weights."""
    view = analyse("map of map tree map of", language="en").view  # frequencies 3, 2 and 1
    fingerprints, weights = array("I", bytes(4 * 8)), array("h", bytes(2 * 16))
    places = hashing.fill(hashing.stem_hashes(["map", "tree"]), fingerprints)
    for place, weight in zip(places, ((300, 40), (5, -7)), strict=True):
        weights[2 * place : 2 * place + 2] = array("h", weight)
    form, form_weights = array("d", [2.0]), array("d", [0.5, 1.0, -0.25, 3.0])
    found = shapes.odds(view, fingerprints, weights, 4.0, form, form_weights)
    norm = 4 * math.sqrt(3)
    expected = [(2 * 300 + 1 * 5) / norm + 2 * 0.5 + 1, (2 * 40 + 1 * -7) / norm + 2 * -0.25 + 3]
    assert list(found) == pytest.approx(expected, rel=1e-14)


def test_the_form_of_a_text() -> None:
    analysis = analyse("The red map. Of 3 trees!", language="en")
    found = shapes.form(analysis.view, word_classes(analysis))
    assert list(found[:2]) == [math.log1p(8), math.log1p(4)]
    # shares of tokens: two stopwords, a number, two marks; a noun, a plural noun, an adjective
    assert [found[2 + one] for one in (16, 17, 18, 1, 2, 4)] == [2 / 8, 1 / 8, 2 / 8, 1 / 8, 1 / 8, 1 / 8]


@pytest.mark.parametrize("around", ["{}\n", "{}\n\n\n", "  {}  "])
def test_space_around_a_text_changes_nothing(around: str) -> None:
    for case in CASES:
        bare = case.text.strip()
        usual, found = (pm.extract(text, top=12) for text in (bare, around.format(bare)))
        assert [(one.text, one.score) for one in found] == [(one.text, one.score) for one in usual], case.name


def of(text: str) -> pm.Document:
    title, _, body = text.partition("\n")
    return pm.Document("", body, title, "en")


def kind(document: pm.Document) -> str:
    """Return what a text reads like, as the reasons for its best phrase say, without whose abstract it is."""
    (words,) = (one.words for one in pm.extract(document, explain=True)[0].evidence if one.about == "kind")
    best = words.removeprefix("the text reads like ").split(" (")[0]
    return "an abstract" if "abstract" in best else best


def test_a_copy_of_a_text_is_of_the_same_kind_and_has_much_the_same_list() -> None:
    """In other case, with hard line breaks, without title, cut in half."""
    same = {
        (text[:20], name): kind(copy) == kind(of(text)) for text in EVERY for name, copy in copies(of(text)).items()
    }
    assert len(same) == len(EVERY) * len(COPIES)
    assert sum(same.values()) / len(same) >= 0.95, [one for one, alike in same.items() if not alike]
    texts = [of(text) for text in EVERY]
    best = [{one.text.casefold() for one in pm.extract(text)} for text in texts]
    for name in ("lower case", "capitals", "hard-wrapped"):
        found = [{one.text.casefold() for one in pm.extract(COPIES[name](text))} for text in texts]
        kept = sum(len(one & other) for one, other in zip(best, found, strict=True)) / sum(map(len, best))
        assert kept >= 0.8, (name, kept)


def test_all_styles_are_mixed_and_the_evidence_names_the_likely_ones() -> None:
    """The kind may be mistaken, so no style decides alone."""
    mixture = shipped_model().mixture(analyse(TEXTS["an abstract"][0], language="en"), GENERAL)
    assert set(mixture) == set(shipped_model().trees.styles)
    assert sum(mixture.values()) == pytest.approx(1) and min(mixture.values()) > 0.005
    best = pm.extract(of(TEXTS["news"][0]), explain=True)[0]
    (words,) = (one.words for one in best.evidence if one.about == "kind")
    assert words.startswith("the text reads like news (") and "(1%)" not in words
    best = pm.extract(FINNISH, language="fi", explain=True)[0]
    assert "the text reads like one that people tag (100%)" in [one.words for one in best.evidence]
