"""KEA: its candidates, its arithmetic by hand, its model file, the cuts of its training."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phrasemill as pm
import tiny_models
from phrasemill import models
from phrasemill.errors import ConfigError, ModelError
from phrasemill.methods import trained_models
from phrasemill.methods.candidate_statistics import statistics_of
from phrasemill.methods.kea import DiscretisedBayes, KeaModel, features, phrases
from phrasemill.statistics import DocumentFrequencies
from phrasemill.text.analyse import analyse
from phrasemill.training.kea import KeaTrainer, cuts
from phrasemill.types import Document


def test_single_words_that_always_have_a_capital_are_names() -> None:
    found = {candidate.form for candidate in phrases(analyse("Reyes met wells. Wells of Reyes dry up. Reyes Creek."))}
    assert "rey" not in found
    assert {"well", "rey creek"} <= found


def test_features_by_hand() -> None:
    # 8 words, 10 tokens. `salt water` occurs twice, first at token 2.
    candidates = phrases(analyse("Cold salt water moves. Salt water stays cold."))
    names = [candidate.form for candidate in candidates]
    c = names.index("salt water")
    tfidf, first, chosen = features(
        statistics_of(candidates), [0.0] * c + [2.0] + [0.0] * (len(names) - c - 1), [3] * len(names)
    )
    assert tfidf[c] == pytest.approx(2 / 8 * 2.0 / 0.6931471805599453)
    assert first[c] == 1 / 10
    assert chosen[c] == 3


def test_the_probability_by_hand() -> None:
    # One feature, cut at 1: of 3 keyphrases 2 lie above, of 5 others 1; one more in each of two ranges and classes.
    bayes = DiscretisedBayes(((1.0,),), ((1, 2),), ((4, 1),))
    above = (4 / 10) * (3 / 5) / ((4 / 10) * (3 / 5) + (6 / 10) * (2 / 7))
    below = (4 / 10) * (2 / 5) / ((4 / 10) * (2 / 5) + (6 / 10) * (5 / 7))
    assert bayes.probabilities([[0.0, 1.0, 7.0]]).tolist() == pytest.approx([below, above, above])


def test_it_learns_that_keyphrases_come_early_and_often(trained: dict[str, str]) -> None:
    text = tiny_models.article("iron gate", "lock spring", "door hinge", "red kite; hot tea", fillers=2)
    found = pm.extract(text, method=trained["kea"], top=None, redundancy="none")
    scores = {phrase.text: phrase.score for phrase in found}
    assert scores["iron gate"] == found[0].score > scores["red kite"]
    assert all(0 < score < 1 for score in scores.values())


def test_ties_go_to_the_higher_tfidf_not_to_the_earlier(tmp_path: Path) -> None:
    frequencies = DocumentFrequencies(100, {"well": 50, "farm": 2})
    even = DiscretisedBayes(((), ()), ((1,), (1,)), ((9,), (9,)))
    KeaModel(frequencies, {}, even).save(tmp_path / "m")
    spec = f"kea(model={str(tmp_path / 'm')!r})"
    found = pm.extract("wells and farms and wells", method=spec, top=None, redundancy="none")
    assert [phrase.text for phrase in found] == ["wells and farms", "farms and wells", "farms", "wells"]
    assert len({phrase.score for phrase in found}) == 1


def test_parts_of_better_phrases_are_dropped(trained: dict[str, str]) -> None:
    found = [phrase.text for phrase in pm.extract(tiny_models.documents()[0], method=trained["kea"], top=None)]
    assert "salt marsh needs" not in found[: found.index("salt marsh")]
    for place, phrase in enumerate(found):
        assert not any(f" {phrase} " in f" {better} " for better in found[:place])


def test_keyphraseness_prefers_what_was_chosen_elsewhere(tmp_path: Path) -> None:
    odd = [pair for *_, mentioned in tiny_models.SUBJECTS for pair in mentioned.split("; ")][:40]
    documents = [Document(str(n), f"A {pair} and peat fire.", references=("peat fire",)) for n, pair in enumerate(odd)]
    KeaTrainer(keyphraseness=True).fit(documents).save(tmp_path / "m")
    model = KeaModel.load(tmp_path / "m")
    assert model.keyphraseness == {"peat fire": 40}
    assert len(model.bayes.cuts) == 3
    best = pm.extract("Sand dune and peat fire.", method=f"kea(model={str(tmp_path / 'm')!r})", top=1)
    assert best[0].text == "peat fire"


def test_a_new_file_at_the_old_place_is_read_anew(tmp_path: Path) -> None:
    spec = f"kea(model={str(tmp_path / 'm')!r})"
    KeaTrainer().fit(tiny_models.documents()).save(tmp_path / "m")
    before = pm.extract("The iron gate needs paint.", method=spec)
    KeaTrainer().fit(tiny_models.documents()[:7]).save(tmp_path / "m")
    assert pm.extract("The iron gate needs paint.", method=spec) != before


def test_without_a_model_the_error_says_how_to_get_one() -> None:
    with pytest.raises(ConfigError, match=r"kea needs a model: train one with phrasemill train kea --data"):
        pm.extract("Wells.", method="kea")
    with pytest.raises(ModelError, match=r"nowhere: no such file; train one with phrasemill train kea"):
        pm.extract("Wells.", method="kea(model='nowhere')")


def test_damaged_old_and_foreign_files(tmp_path: Path) -> None:
    path = tmp_path / "model"
    model = KeaTrainer().fit(tiny_models.documents())
    model.save(path)
    assert KeaModel.load(path) == model
    whole = path.read_bytes()
    for length in (0, 5, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(ModelError, match="model"):
            KeaModel.load(path)
    for place in range(len(whole) - 200, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ModelError, match=r"damaged \(its checksum does not fit\)"):
            KeaModel.load(path)
    old = models.load(tmp_path / "model").metadata | {"version": str(trained_models.VERSION - 1)}
    models.save(path, {}, old)
    with pytest.raises(ModelError, match="made by another version; train it again: phrasemill train kea"):
        KeaModel.load(path)
    models.save(path, {}, {"kind": "document frequencies"})
    with pytest.raises(ModelError, match="not a kea model file"):
        KeaModel.load(path)


def entropy(labels: list[bool]) -> float:
    shares = [labels.count(kind) / len(labels) for kind in set(labels)]
    return -sum(share * math.log2(share) for share in shares)


def naive_cuts(pairs: list[tuple[int, bool]]) -> list[float]:
    """The rule of Fayyad and Irani (1993), as the paper states it; values are whole numbers."""
    pairs = sorted(pairs, key=lambda pair: pair[0])
    labels = [label for _, label in pairs]
    total = len(pairs)
    best: tuple[float, int] | None = None
    for at in range(1, total):
        if pairs[at - 1][0] != pairs[at][0]:
            mixed = (at * entropy(labels[:at]) + (total - at) * entropy(labels[at:])) / total
            if best is None or mixed < best[0] - 1e-12:
                best = mixed, at
    if best is None:
        return []
    mixed, at = best
    left, right = labels[:at], labels[at:]
    kinds, kinds_left, kinds_right = (len(set(part)) for part in (labels, left, right))
    delta = math.log2(3**kinds - 2) - (
        kinds * entropy(labels) - kinds_left * entropy(left) - kinds_right * entropy(right)
    )
    if entropy(labels) - mixed <= (math.log2(total - 1) + delta) / total:
        return []
    return [*naive_cuts(pairs[:at]), (pairs[at - 1][0] + pairs[at][0]) / 2, *naive_cuts(pairs[at:])]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=1, max_size=80))
def test_cuts_are_those_of_fayyad_and_irani(pairs: list[tuple[int, bool]]) -> None:
    values = np.array([float(value) for value, _ in pairs])
    labels = np.array([label for _, label in pairs])
    assert cuts(values, labels) == naive_cuts(pairs)
