"""Methods that are trained on documents of one's own: what they learn, their arithmetic by hand, their model files."""

import math
from array import array
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phrasemill as pm
import tiny_models
from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods import kea, maui
from phrasemill.methods.kea import KeaModel, Ranges
from phrasemill.methods.maui import LEAF, DecisionTrees, MauiModel
from phrasemill.methods.ngram_classifiers import NgramModel
from phrasemill.methods.trained_models import statistics_of
from phrasemill.statistics import DocumentFrequencies
from phrasemill.text.analyse import analyse
from phrasemill.training.kea import KeaTrainer, cuts
from phrasemill.training.maui import MauiTrainer, _append
from phrasemill.training.ngram_classifiers import MaxEntTrainer, NaiveBayesTrainer, logistic
from phrasemill.types import Document

TRAINERS: dict[str, Any] = {
    "kea": KeaTrainer(),
    "maui": MauiTrainer(leaf=5, trees=3),
    "maxent": MaxEntTrainer(),
    "naivebayes": NaiveBayesTrainer(),
}
LOADERS = {"kea": KeaModel.load, "maui": MauiModel.load}
TEXT = "The iron gate needs paint. An iron gate rusts. Paint the iron gate in spring."
TABLE = """id,label,synonyms,broader,related
W,water,,,
S,salt water,brine,W,
T,tank,,,S
K,kite,,,
"""
# Feature 0 at most 1: 0.2; else feature 1 at most 5: 0.6, else 0.9. And a second tree that is a leaf.
TREES = {
    "roots": array("i", [0, 5]),
    "feature": array("h", [0, LEAF, 1, LEAF, LEAF, LEAF]),
    "threshold": array("d", [1.0, 0, 5.0, 0, 0, 0]),
    "left": array("i", [1, 0, 3, 0, 0, 0]),
    "right": array("i", [2, 0, 4, 0, 0, 0]),
    "share": array("d", [0, 0.2, 0, 0.6, 0.9, 0.4]),
}


def spec_of(method: str, path: Path) -> str:
    return f"{method}(model={str(path)!r})"


# All of them.


@pytest.mark.parametrize("method", TRAINERS)
def test_it_learns_that_keyphrases_come_early_and_often(method: str, trained: dict[str, str]) -> None:
    text = tiny_models.article("iron gate", "lock spring", "door hinge", "red kite; hot tea", fillers=2)
    found = pm.extract(text, method=trained[method], top=None, redundancy="none")
    scores = {phrase.text: phrase.score for phrase in found}
    assert scores["iron gate"] > scores["red kite"]
    assert method in ("maxent", "naivebayes") or all(0 < score < 1 for score in scores.values())


@pytest.mark.parametrize("method", TRAINERS)
def test_the_same_documents_give_the_same_file_and_a_file_gives_the_same_model(method: str, tmp_path: Path) -> None:
    model = TRAINERS[method].fit(tiny_models.documents())
    model.save(tmp_path / "a")
    TRAINERS[method].fit(tiny_models.documents()).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    loaded = LOADERS[method](tmp_path / "a") if method in LOADERS else NgramModel.load(tmp_path / "a", method)
    assert loaded == model


def test_a_new_file_at_the_old_place_is_read_anew(tmp_path: Path) -> None:
    KeaTrainer().fit(tiny_models.documents()).save(tmp_path / "m")
    before = pm.extract(TEXT, method=spec_of("kea", tmp_path / "m"))
    KeaTrainer().fit(tiny_models.documents()[:7]).save(tmp_path / "m")
    assert pm.extract(TEXT, method=spec_of("kea", tmp_path / "m")) != before


@pytest.mark.parametrize("method", TRAINERS)
def test_without_a_model_the_error_says_how_to_get_one(method: str) -> None:
    with pytest.raises(ConfigError, match=f"{method} needs a model: train one with phrasemill train {method} --data"):
        pm.extract("Wells.", method=method)
    with pytest.raises(ModelError, match=f"nowhere: no such file; train one with phrasemill train {method}"):
        pm.extract("Wells.", method=f"{method}(model='nowhere')")


# KEA.


def test_keas_features_by_hand() -> None:
    # 8 words, 10 tokens. `salt water` occurs twice, first at token 2.
    candidates = kea.phrases(analyse("Cold salt water moves. Salt water stays cold."))
    c = [candidate.form for candidate in candidates].index("salt water")
    count = len(candidates)
    tfidf, first, chosen = kea.features(statistics_of(candidates), [2.0] * count, [3] * count)
    assert tfidf[c] == pytest.approx(2 / 8 * 2.0 / math.log(2))
    assert (first[c], chosen[c]) == (1 / 10, 3)


def test_keas_probability_by_hand() -> None:
    # One feature, cut at 1: of 3 keyphrases 2 lie above, of 5 others 1; one more in each of two ranges and classes.
    model = KeaModel(DocumentFrequencies(1, {}), {}, (Ranges((1.0,), (1, 2), (4, 1)),))
    above = (4 / 10) * (3 / 5) / ((4 / 10) * (3 / 5) + (6 / 10) * (2 / 7))
    below = (4 / 10) * (2 / 5) / ((4 / 10) * (2 / 5) + (6 / 10) * (5 / 7))
    assert model.probabilities([[0.0, 1.0, 7.0]]).tolist() == pytest.approx([below, above, above])


def test_keas_ties_go_to_the_higher_tfidf_and_names_are_left_out(tmp_path: Path) -> None:
    even = Ranges((), (1,), (9,))
    KeaModel(DocumentFrequencies(100, {"well": 50, "farm": 2}), {}, (even, even)).save(tmp_path / "m")
    text = "wells and farms and wells of Reyes"
    found = pm.extract(text, method=spec_of("kea", tmp_path / "m"), top=None, redundancy="none")
    order = [phrase.text for phrase in found]
    assert order.index("farms") < order.index("wells")
    assert len({phrase.score for phrase in found}) == 1
    assert "wells of Reyes" in order and "Reyes" not in order


def test_parts_of_better_phrases_are_dropped(trained: dict[str, str]) -> None:
    found = [phrase.text for phrase in pm.extract(tiny_models.documents()[0], method=trained["kea"], top=None)]
    assert "salt marsh needs" not in found[: found.index("salt marsh")]
    for place, phrase in enumerate(found):
        assert not any(f" {phrase} " in f" {better} " for better in found[:place])


def test_keyphraseness_prefers_what_was_chosen_elsewhere(tmp_path: Path) -> None:
    odd = [pair for *_, mentioned in tiny_models.SUBJECTS for pair in mentioned.split("; ")][:40]
    documents = [Document(str(n), f"A {pair} and peat fire.", references=("peat fire",)) for n, pair in enumerate(odd)]
    model = KeaTrainer(keyphraseness=True).fit(documents)
    model.save(tmp_path / "m")
    assert (model.keyphraseness, len(model.ranges)) == ({"peat fire": 40}, 3)
    best = pm.extract("Sand dune and peat fire.", method=spec_of("kea", tmp_path / "m"), top=1)
    assert best[0].text == "peat fire"


def entropy(labels: list[bool]) -> float:
    shares = [labels.count(kind) / len(labels) for kind in set(labels)]
    return -sum(share * math.log2(share) for share in shares)


def naive_cuts(pairs: list[tuple[int, bool]]) -> list[float]:
    """The rule of Fayyad and Irani (1993), as the paper states it; values are whole numbers."""
    pairs = sorted(pairs, key=lambda pair: pair[0])
    labels = [label for _, label in pairs]
    total = len(pairs)
    places = [at for at in range(1, total) if pairs[at - 1][0] != pairs[at][0]]
    if not places:
        return []
    mixed = [(at * entropy(labels[:at]) + (total - at) * entropy(labels[at:])) / total for at in places]
    best = next(i for i, one in enumerate(mixed) if one < min(mixed) + 1e-12)
    at = places[best]
    parts = labels, labels[:at], labels[at:]
    whole, *halves = [len(set(part)) * entropy(part) for part in parts]
    delta = math.log2(3 ** len(set(labels)) - 2) - (whole - sum(halves))
    if entropy(labels) - mixed[best] <= (math.log2(total - 1) + delta) / total:
        return []
    return [*naive_cuts(pairs[:at]), (pairs[at - 1][0] + pairs[at][0]) / 2, *naive_cuts(pairs[at:])]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=1, max_size=80))
def test_cuts_are_those_of_fayyad_and_irani(pairs: list[tuple[int, bool]]) -> None:
    values = np.array([float(value) for value, _ in pairs])
    assert cuts(values, np.array([label for _, label in pairs])) == naive_cuts(pairs)


def test_between_neighbours_in_floating_point_the_upper_one_is_the_cut() -> None:
    above = math.nextafter(1.0, 2.0)
    assert cuts(np.array([1.0, above] * 40), np.array([False, True] * 40)) == [above]


# Maui.


def test_mauis_features_by_hand() -> None:
    # 9 words, 12 tokens; `salt water` at tokens 0 and 8.
    candidates = maui.terms(analyse("Salt water moves. Farms dry up. Then salt water stays."), 3, None)
    c = maui.keys_of(candidates, None).index("salt water")
    count = len(candidates)
    columns = maui.features(statistics_of(candidates), [2.0] * count, [5] * count, None)
    got = dict(zip(maui.FEATURES, (column[c] for column in columns), strict=False))
    wanted = {"tf": 2 / 10, "idf": 2.0, "TF×IDF": 0.4, "first": 0.0, "last": 9 / 13, "spread": 9 / 13}
    assert got == pytest.approx(wanted | {"keyphraseness": 5, "length": 2})


def test_trees_average_their_leaves() -> None:
    got = DecisionTrees(**TREES).probabilities([[1.0, 1.5, 1.5], [9.0, 5.0, 5.5]])
    assert got.tolist() == pytest.approx([(0.2 + 0.4) / 2, (0.6 + 0.4) / 2, (0.9 + 0.4) / 2])


def test_scikit_learns_trees_survive_the_change_of_form() -> None:
    from sklearn.tree import DecisionTreeClassifier

    source = np.random.default_rng(3)
    values = source.normal(size=(400, 4)).astype("float32")
    labels = (values[:, 0] * values[:, 1] + values[:, 2] > 0.3) & (source.random(400) < 0.9)
    grown = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0).fit(values, labels)
    forest = DecisionTrees(array("i"), array("h"), array("d"), array("i"), array("i"), array("d"))
    _append(forest, grown)
    size = grown.tree_.n_node_samples[grown.apply(values)]
    expected = (grown.predict_proba(values)[:, 1] * size + labels.mean()) / (size + 1)
    assert forest.probabilities(list(values.T)).tolist() == pytest.approx(expected.tolist())


@pytest.mark.parametrize(
    "broken",
    [
        {"left": array("i", [0] * 6)},
        {"right": array("i", [0] * 6)},
        {"roots": array("i", [6])},
        {"roots": array("i")},
        {"feature": array("h", [99] * 6)},
        {"share": array("d", [0.5])},
    ],
)
def test_trees_that_lead_nowhere_are_refused(broken: dict[str, "array[int]"], tmp_path: Path) -> None:
    frequencies = DocumentFrequencies(1, {"well": 1})
    MauiModel(frequencies, {}, DecisionTrees(**TREES)).save(tmp_path / "sound")
    assert pm.extract("Wells.", method=spec_of("maui", tmp_path / "sound"))
    MauiModel(frequencies, {}, DecisionTrees(**TREES | broken)).save(tmp_path / "m")
    with pytest.raises(ModelError, match="its trees do not hold together"):
        pm.extract("Wells.", method=spec_of("maui", tmp_path / "m"))


def test_concepts_of_a_vocabulary_are_its_candidates(tmp_path: Path, trained: dict[str, str]) -> None:
    table = tmp_path / "v.csv"
    table.write_text(TABLE)
    text = "Brine fills a tank. Salt water is brine, and water rises. A kite flew."
    documents = [Document(str(n), text * (n + 1), references=("salt water", "tank", "unknown")) for n in range(6)]
    trainer = MauiTrainer(leaf=2, vocabulary=str(table))
    model = trainer.fit(documents)
    assert model.controlled
    assert model.keyphraseness == {"S": 6, "T": 6}
    model.save(tmp_path / "m")
    found = pm.extract(text, method=trainer.spec(tmp_path / "m"), top=None)
    assert sorted(phrase.text for phrase in found) == ["Brine", "kite", "tank", "water"]
    assert {phrase.text for phrase in found[:2]} == {"Brine", "tank"}
    mapped = pm.extract(text, method=trainer.spec(tmp_path / "m"), vocabulary=table, top=None)
    assert {phrase.concept: phrase.score for phrase in mapped} == {
        {"Brine": "S", "water": "W"}.get(phrase.text, phrase.text[0].upper()): phrase.score for phrase in found
    }
    for spec, message in (
        (spec_of("maui", tmp_path / "m"), "this model was trained with a vocabulary"),
        (f"{trained['maui'].removesuffix(')')}, vocabulary={str(table)!r})", "this model was trained without one"),
    ):
        with pytest.raises(ConfigError, match=message):
            pm.extract(text, method=spec)


def test_node_degree_counts_linked_concepts_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(TABLE)
    index = maui.read_vocabulary(str(tmp_path / "v.csv")).index("en")
    keys = maui.keys_of(maui.terms(analyse("Salt water fills the tank."), 3, index), index)
    assert dict(zip(keys, maui.degrees(keys, index) or (), strict=True)) == {"S": 2, "W": 1, "T": 1}


# Naive Bayes and maximum entropy over n-grams.


def test_naive_bayes_is_the_ratio_of_normal_densities() -> None:
    source = np.random.default_rng(5)
    values, labels = source.normal(size=(2, 300)) * [[1.0], [3.0]], source.random(300) < 0.3
    values[:, labels] += 1.5
    constant, linear, quadratic = NaiveBayesTrainer().learn(values, labels)

    def density(x: float, part: "np.ndarray[Any, Any]") -> float:
        mean, var = np.mean(part), np.var(part)
        return math.exp(-((x - mean) ** 2) / (2 * var)) / math.sqrt(var)

    for point in ((0.0, -1.0), (2.5, -3.0)):
        expected = math.log(labels.sum() / (~labels).sum())
        for x, column in zip(point, values, strict=True):
            expected += math.log(density(x, column[labels]) / density(x, column[~labels]))
        found = constant + sum(w * x + q * x * x for w, q, x in zip(linear, quadratic, point, strict=True))
        assert found == pytest.approx(expected, rel=1e-5)


def test_maximum_entropy_agrees_with_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    source = np.random.default_rng(5)
    heavy = np.exp(source.normal(size=3000) * 2)  # heavy-tailed, as counts are: a plain Newton step overshoots
    values = np.stack([heavy, source.normal(size=3000)])
    labels = source.random(3000) < 1 / (1 + np.exp(4 - 0.05 * heavy - values[1]))
    constant, *slopes = logistic(values, labels)
    width = values.std(axis=1)
    theirs = LogisticRegression(C=1e9, max_iter=10_000, tol=1e-10).fit((values / width[:, None]).T, labels)
    assert constant == pytest.approx(theirs.intercept_[0], rel=1e-3)
    assert slopes == pytest.approx((theirs.coef_[0] / width).tolist(), rel=1e-3)


def test_classes_that_come_apart_do_not_break_it() -> None:
    constant, slope = logistic(np.array([[0.0, 1, 2, 10, 11, 12]]), np.array([False] * 3 + [True] * 3))
    assert math.isfinite(constant) and math.isfinite(slope)
    assert constant + slope * 2 < 0 < constant + slope * 10


@pytest.mark.parametrize("trainer", [NaiveBayesTrainer, MaxEntTrainer])
def test_one_feature_ranks_as_tfidf_does(trainer: type[NaiveBayesTrainer | MaxEntTrainer], tmp_path: Path) -> None:
    DocumentFrequencies.fit(tiny_models.documents()).save(tmp_path / "df")
    trainer("tfidf").fit(tiny_models.documents()).save(tmp_path / "model")
    specs = f"tfidf(frequencies={str(tmp_path / 'df')!r})", trainer().spec(tmp_path / "model")
    plain, found = ([phrase.text for phrase in pm.extract(TEXT, method=spec, top=5)] for spec in specs)
    assert found == plain
    assert found[0] == "iron gate"


@pytest.mark.parametrize("trainer", [NaiveBayesTrainer, MaxEntTrainer])
def test_more_features_learn_what_tfidf_cannot_say(
    trainer: type[NaiveBayesTrainer | MaxEntTrainer], tmp_path: Path
) -> None:
    """Every keyphrase opens its text and has two words; late words are more frequent and as rare elsewhere."""
    things = ("gate", "fence", "roof", "wall", "door", "shed")
    documents = [
        Document(
            str(number),
            f"Iron {thing} here. Some of it we saw. In late{thing} we met late{thing} and late{thing} again.",
            references=(f"iron {thing}",),
        )
        for number, thing in enumerate(things)
    ]
    DocumentFrequencies.fit(documents[1:]).save(tmp_path / "df")
    trainer().fit(documents[1:]).save(tmp_path / "model")
    specs = f"tfidf(frequencies={str(tmp_path / 'df')!r})", trainer().spec(tmp_path / "model")
    assert [pm.extract(documents[0], method=spec, top=1)[0].text for spec in specs] == ["lategate", "Iron gate"]
