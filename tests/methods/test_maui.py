"""Maui: its features, its trees, its vocabulary."""

from array import array
from pathlib import Path

import pytest

import phrasemill as pm
import tiny_models
from phrasemill import models
from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods import trained_models
from phrasemill.methods.candidate_statistics import statistics_of
from phrasemill.methods.maui import FEATURES, LEAF, DecisionTrees, MauiModel, degrees, features, terms
from phrasemill.text.analyse import analyse
from phrasemill.training.maui import MauiTrainer
from phrasemill.types import Document
from phrasemill.vocabulary import Concept, Label, Vocabulary

# Feature 0 at most 1: 0.2; else feature 1 at most 5: 0.6, else 0.9. And a second tree that is a leaf.
TREES = DecisionTrees(
    roots=array("i", [0, 5]),
    feature=array("h", [0, LEAF, 1, LEAF, LEAF, LEAF]),
    threshold=array("d", [1.0, 0, 5.0, 0, 0, 0]),
    left=array("i", [1, 0, 3, 0, 0, 0]),
    right=array("i", [2, 0, 4, 0, 0, 0]),
    share=array("d", [0, 0.2, 0, 0.6, 0.9, 0.4]),
)
TABLE = """id,label,synonyms,broader,related
W,water,,,
S,salt water,brine,W,
T,tank,,,S
K,kite,,,
"""


def test_features_by_hand() -> None:
    # 9 words, 12 tokens; `salt water` at tokens 0 and 8.
    candidates, keys = terms(analyse("Salt water moves. Farms dry up. Then salt water stays."), 3, None)
    c = keys.index("salt water")
    columns = features(statistics_of(candidates), [2.0] * len(keys), [5] * len(keys), None)
    got = dict(zip(FEATURES, (column[c] for column in columns), strict=False))
    wanted = {"tf": 2 / 10, "idf": 2.0, "TF×IDF": 0.4, "first": 0.0, "last": 9 / 13, "spread": 9 / 13}
    assert got == pytest.approx(wanted | {"keyphraseness": 5, "length": 2})


def test_trees_average_their_leaves() -> None:
    got = TREES.probabilities([[1.0, 1.5, 1.5], [9.0, 5.0, 5.5]])
    assert got.tolist() == pytest.approx([(0.2 + 0.4) / 2, (0.6 + 0.4) / 2, (0.9 + 0.4) / 2])


def test_scikit_learns_trees_survive_the_change_of_form() -> None:
    np = pytest.importorskip("numpy")
    from sklearn.tree import DecisionTreeClassifier

    from phrasemill.training.maui import _append

    source = np.random.default_rng(3)
    values = source.normal(size=(400, 4)).astype("float32")
    labels = (values[:, 0] * values[:, 1] + values[:, 2] > 0.3) & (source.random(400) < 0.9)
    grown = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0).fit(values, labels)
    forest = DecisionTrees(array("i"), array("h"), array("d"), array("i"), array("i"), array("d"))
    _append(forest, grown)
    size = grown.tree_.n_node_samples[grown.apply(values)]
    expected = (grown.predict_proba(values)[:, 1] * size + labels.mean()) / (size + 1)
    assert forest.probabilities(list(values.T)).tolist() == pytest.approx(expected.tolist())


def test_it_learns(trained: dict[str, str]) -> None:
    text = tiny_models.article("iron gate", "lock spring", "door hinge", "red kite; hot tea", fillers=2)
    found = pm.extract(text, method=trained["maui"], top=None)
    scores = {phrase.text: phrase.score for phrase in found}
    assert scores["iron gate"] > scores["red kite"] > 0


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    model = MauiTrainer(leaf=5, trees=3).fit(tiny_models.documents())
    model.save(tmp_path / "a")
    assert MauiModel.load(tmp_path / "a") == model
    MauiTrainer(leaf=5, trees=3).fit(tiny_models.documents()).save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes(), "the same seed gives the same trees"


def test_trees_that_lead_nowhere_are_refused(tmp_path: Path) -> None:
    model = MauiTrainer(leaf=5, trees=1).fit(tiny_models.documents())
    for broken in (
        {"left": array("i", [0] * len(model.trees.left))},
        {"roots": array("i", [10_000])},
        {"roots": array("i")},
        {"feature": array("h", [99] * len(model.trees.feature))},
        {"share": array("d", [0.5])},
    ):
        columns = {name: getattr(model.trees, name) for name in DecisionTrees.__slots__} | broken
        MauiModel(model.frequencies, {}, DecisionTrees(**columns)).save(tmp_path / "m")  # type: ignore[arg-type]
        with pytest.raises(ModelError, match="its trees do not hold together"):
            MauiModel.load(tmp_path / "m")
    models.save(tmp_path / "m", {}, {"kind": trained_models.kind("maui"), "version": "0"})
    with pytest.raises(ModelError, match="made by another version"):
        MauiModel.load(tmp_path / "m")


def test_concepts_of_a_vocabulary_are_its_candidates(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(TABLE)
    text = "Brine fills a tank. Salt water is brine, and water rises. A kite flew."
    documents = [Document(str(n), text * (n + 1), references=("salt water", "tank", "unknown")) for n in range(6)]
    trainer = MauiTrainer(leaf=2, vocabulary=str(tmp_path / "v.csv"))
    model = trainer.fit(documents)
    assert model.controlled
    assert model.keyphraseness == {"S": 6, "T": 6}
    model.save(tmp_path / "m")
    spec = trainer.spec(tmp_path / "m")
    found = pm.extract(text, method=spec, top=None)
    assert sorted(phrase.text for phrase in found) == ["Brine", "kite", "tank", "water"]
    assert {phrase.text for phrase in found[:2]} == {"Brine", "tank"}
    mapped = pm.extract(text, method=spec, vocabulary=tmp_path / "v.csv", top=None)
    assert {phrase.concept: phrase.score for phrase in mapped} == {
        {"Brine": "S", "water": "W"}.get(phrase.text, phrase.text[0].upper()): phrase.score for phrase in found
    }


def test_node_degree_counts_linked_concepts_of_the_text() -> None:
    vocabulary = Vocabulary(
        (
            Concept("W", (Label("water"),)),
            Concept("S", (Label("salt water"),), broader=("W",)),
            Concept("T", (Label("tank"),), related=("S", "nowhere")),
            Concept("K", (Label("kite"),), related=("T",)),
        )
    )
    index = vocabulary.index("en")
    _, keys = terms(analyse("Salt water fills the tank."), 3, index)
    assert dict(zip(keys, degrees(keys, index) or (), strict=True)) == {"S": 2, "W": 1, "T": 1}


def test_model_and_vocabulary_go_together(tmp_path: Path, trained: dict[str, str]) -> None:
    (tmp_path / "v.csv").write_text(TABLE)
    plain = trained["maui"].removesuffix(")")
    with pytest.raises(ConfigError, match="this model was trained without one"):
        pm.extract("Salt water.", method=f"{plain}, vocabulary={str(tmp_path / 'v.csv')!r})")
