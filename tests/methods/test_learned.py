"""`learned`, the default: styles, probabilities, as many as deserved, reasons, model files, training of one's own."""

import math
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

import phrasemill as pm
import tiny_models
from phrasemill.candidates import ngrams
from phrasemill.methods.learned import conventions
from phrasemill.methods.learned.background import FEATURES, WIDTH
from phrasemill.methods.learned.conventions import PRICES
from phrasemill.methods.learned.evidence import GROUPS
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import EVERYDAY
from phrasemill.ranker import build
from phrasemill.select import best_count
from phrasemill.text.analyse import analyse
from phrasemill.training.learned import LearnedTrainer
from phrasemill.training.trees import calibrate
from written import CASES, Case

TEXT = (
    "Community solar gardens in cold climates\n"
    "A community solar garden lets households without a roof buy a share of a photovoltaic plant. We study snow losses "
    "in twelve community solar gardens in northern Sweden. Snow losses took nine per cent of the yearly yield. Steeper "
    "module tilt reduced snow losses, while heating the modules cost more energy than it saved. Households valued a "
    "stable electricity price (SEP) over a high yield."
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_texts_of_other_kinds_give_sensible_phrases(case: Case) -> None:
    found = {one.text.casefold() for one in pm.extract(case.text, top=case.top)}
    assert len(found & {phrase.casefold() for phrase in case.wanted}) >= case.some, found
    assert not found & {phrase.casefold() for phrase in case.unwanted}


def test_styles_differ_and_an_unknown_one_is_refused() -> None:
    lists = {
        style: tuple(one.text for one in pm.extract(TEXT, method=f"learned(style={style!r})"))
        for style in shipped_model().trees.styles
    }
    assert len(set(lists.values())) > 1
    with pytest.raises(pm.UnknownName, match="general"):
        build("learned(style='poet')")


@pytest.mark.parametrize(("shares", "tokens", "costs"), [({"author": 1.0}, 300, 1.0), ({"author": 1.0}, 5000, 2.0)])
def test_auto_gives_what_promises_the_best_f1(shares: dict[str, float], tokens: int, costs: float) -> None:
    """A phrase costs more in full papers."""
    candidates = ngrams(analyse("Salt water moves. " * (tokens // 4)))
    price = conventions.ranked(candidates, array("d", [0.5] * len(candidates)), shares).price
    assert price == costs
    probabilities = [0.9, 0.8, 0.5, 0.2, 0.1, 0.05]

    def f1(k: int) -> float:
        return 2 * sum(probabilities[:k]) / (price * k + sum(probabilities))

    assert best_count(probabilities, price) == max(range(1, 7), key=f1)
    assert best_count([]) == 0
    assert len(pm.extract(TEXT * 3, top="auto")) > len(pm.extract("Yes, thanks.", top="auto"))


def test_near_duplicates_count_once_for_auto() -> None:
    found = pm.extract(NEWS, top="auto")
    distinct = pm.extract(NEWS, top=None)
    assert len(found) == best_count([one.score for one in distinct], PRICES[EVERYDAY])
    assert len(found) < best_count([one.score for one in pm.extract(NEWS, top=None, redundancy="none")])


NEWS = (
    "The state budget gap has grown, the governor said on Tuesday. Lawmakers will vote next week in the capital on cuts"
    " to schools. The governor told reporters that a wider budget gap would close libraries. Lawmakers blamed the "
    "governor for the budget gap, and teachers marched to the capitol on Monday."
)


@pytest.mark.parametrize("method", ["learned", "learned(style='news')"])
def test_a_news_article_lists_no_phrase_within_its_own_context(method: str) -> None:
    found = pm.extract(NEWS, method=method, top=None)
    assert found == pm.extract(NEWS, method=method, top=None, redundancy="nested")
    assert found != pm.extract(NEWS, method=method, top=None, redundancy="variants")


def test_phrases_that_people_list_are_compared_by_their_words_only() -> None:
    listed = ["budget gap", "wider budget gap"]
    assert {one.text for one in pm.extract(NEWS, candidates=listed)} == set(listed)
    boosted = pm.extract(NEWS, boost=["governor"], top=None)
    assert boosted == pm.extract(NEWS, boost=["governor"], top=None, redundancy="nested")


def test_verbs_are_in_no_phrase_unless_the_text_has_no_capitals_and_tags_are_unsure() -> None:
    text = "We want to make public transport feel safe, and inflation stays high."
    found, lower = (
        {word for one in pm.extract(written, top=None, redundancy="none") for word in one.text.split()}
        for written in (text, text.lower())
    )
    assert not found & {"feel", "stays", "make"} and "stays" in lower


def test_measures_labels_and_bylines_are_no_phrases() -> None:
    text = (
        "Chicken Soup\nBy Jane Doe\n\nHeat 500 ml chicken stock with two cups brown rice. Table 2 shows the nutrients."
    )
    found = {one.text for one in pm.extract(text, top=None)}
    assert {"chicken stock", "brown rice", "nutrients"} <= found
    assert not any({"ml", "cups", "Table", "Jane"} & set(one.split()) for one in found)
    assert "Jane" in {one.text for one in pm.extract(text + " Jane cooks.", top=None)}


def test_evidence_says_why_in_words_and_numbers() -> None:
    [best] = pm.extract(TEXT, top=1, explain=True)
    assert {one.about for one in best.evidence} == {*GROUPS, "kind"}
    assert abs(best.evidence[0].weight) == max(abs(one.weight) for one in best.evidence)
    assert any("title" in one.words for one in best.evidence)
    assert all("candidate" not in one.words for one in best.evidence)
    assert pm.extract(TEXT, top=1)[0].evidence == ()
    # Every feature belongs to one group.
    assert sorted(name for _, names in GROUPS.values() for name in names) == sorted(FEATURES)


def test_reasons_add_up_to_the_score() -> None:
    model = shipped_model()
    candidates = model.shapes.propose(analyse(TEXT))
    rows = model.rows(candidates).some(0, len(candidates))
    trees = replace(model.trees.styles[EVERYDAY], stops=())
    for c, total in enumerate(trees.predict(rows, WIDTH)):
        start, added = trees.contributions(rows[c * WIDTH : (c + 1) * WIDTH])
        assert start + sum(added) == pytest.approx(total, abs=1e-3)


def test_calibration_finds_the_line() -> None:
    np = pytest.importorskip("numpy")
    dice = np.random.default_rng(0)
    scores = dice.normal(size=20_000)
    labels = (dice.random(20_000) < 1 / (1 + np.exp(-(0.7 * scores - 1)))).astype(np.uint8)
    assert calibrate(scores, labels, np.ones(20_000, np.float32)) == pytest.approx((0.7, -1.0), abs=0.06)


def test_a_model_of_ones_own_learns_what_was_chosen(tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    trainer = LearnedTrainer(trees=40)
    made = [trainer.fit(tiny_models.documents()[:9], dev=tiny_models.documents()[9:]) for _ in range(2)]
    for number, one in enumerate(made):
        one.save(tmp_path / f"{number}")
        assert one.added > 0 and one.losses[1] < one.losses[0]
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
    text = tiny_models.article("iron gate", "lock spring", "door hinge", "red kite; hot tea", fillers=2)
    found = [one.text.lower() for one in pm.extract(text, method=trainer.spec(tmp_path / "0"), top=3)]
    assert set(found) == {"iron gate", "lock spring", "door hinge"}


def test_phrases_of_any_length_can_be_asked_for() -> None:
    long = "a photovoltaic plant. we study snow losses in twelve community"
    found = pm.extract(TEXT, candidates=["snow losses", "community solar gardens in northern Sweden", long])
    assert "snow losses" in [one.text.lower() for one in found]
    assert all(math.isfinite(one.score) for one in found)
