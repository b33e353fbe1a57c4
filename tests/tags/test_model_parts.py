"""The parts of the tag model against naive oracles."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.tags.model_blend import Blend, _gradient, shipped
from phrasemill.tags.model_collection import Collection
from phrasemill.tags.model_evidence import COLUMNS
from phrasemill.tags.model_features import MOST_FEATURES, PAIR, Features, read
from phrasemill.tags.model_index import SCALE, Index, idf, weights
from phrasemill.types import Document

WORDS = ["river", "stone", "bridge", "salt", "market", "winter", "glass", "copper"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
collections = st.lists(texts, min_size=1, max_size=8)


def features_of(text: str) -> Features:
    return read(Document("", text, language="en")).features


def collected(some: list[str]) -> Collection:
    collection = Collection()
    for number, text in enumerate(some):
        collection.add(f"d{number}", "en", features_of(text), [f"t{number % 3}"])
    return collection


def cosines(some: list[str], text: str) -> list[float]:
    """The cosine of a text with each document, feature by feature."""
    documents = [features_of(one) for one in some]
    df = {}
    for one in documents:
        for hashed in one.hashes.tolist():
            df[hashed] = df.get(hashed, 0) + 1

    def vector(one: Features, steps: bool) -> dict[int, float]:
        weight = np.rint(weights(one) * SCALE).clip(0, 255) / SCALE if steps else weights(one)
        rare = idf(np.array([df.get(hashed, 0) for hashed in one.hashes.tolist()]), len(documents))
        return dict(zip(one.hashes.tolist(), (weight * rare).tolist(), strict=True))

    wanted = vector(features_of(text), False)
    found = []
    for one in documents:
        own, exact = vector(one, True), vector(one, False)
        dot = sum(value * own.get(hashed, 0.0) for hashed, value in wanted.items())
        lengths = math.hypot(*wanted.values()) * math.hypot(*exact.values())
        found.append(min(dot / lengths, 1.0))
    return found


@settings(max_examples=40, deadline=None)
@given(collections, texts)
def test_nearness_is_the_cosine(some: list[str], text: str) -> None:
    found = Index.of(collected(some).columns()).nearness(features_of(text))
    np.testing.assert_allclose(found, cosines(some, text), rtol=1e-4, atol=1e-5)


@settings(max_examples=25, deadline=None)
@given(collections, collections, texts)
def test_an_extended_index_counts_as_one_made_at_once(first: list[str], more: list[str], text: str) -> None:
    whole = Index.of(collected(first + more).columns())
    index = Index.of(collected(first).columns())
    index.extend(collected(first + more).columns())
    wanted = features_of(text)
    assert index.frequencies(wanted.hashes).tolist() == whole.frequencies(wanted.hashes).tolist()
    for hashed in wanted.hashes.tolist():
        assert sorted(index.rows(hashed)) == sorted(whole.rows(hashed))
    late = slice(len(first), None)
    np.testing.assert_allclose(index.nearness(wanted)[late], whole.nearness(wanted)[late], rtol=1e-4, atol=1e-5)


@settings(max_examples=25, deadline=None)
@given(collections, st.data())
def test_packing_drops_replaced_documents_only(some: list[str], data: st.DataObject) -> None:
    collection = collected(some)
    again = data.draw(st.lists(st.integers(0, len(some) - 1), max_size=4))
    for number in again:
        collection.add(f"d{number}", "en", features_of(some[number]), ["new"])
    tags = {id_: numbers for id_, numbers in zip(collection.ids, collection.tags_of, strict=True) if id_}
    collection.pack()
    assert len(collection) == len(some)
    assert dict(zip(collection.ids, collection.tags_of, strict=True)) == tags
    for number, text in enumerate(some):
        row = collection.row(f"d{number}")
        assert row is not None
        assert collection.columns().row(row).hashes.tolist() == features_of(text).hashes.tolist()


def test_features_of_a_text_by_hand() -> None:
    found = read(Document("", "the salt market, and the Salt markets of a salt-market", "Salt market", "en"))
    single = found.features.hashes & PAIR == 0
    # salt, market; salt market, market salt: what stands between is skipped
    assert np.count_nonzero(single) == 2 and np.count_nonzero(~single) == 2
    assert sorted(found.features.counts[single].tolist()) == [4, 4]
    assert sorted(found.features.counts[~single].tolist()) == [3, 4]
    assert found.features.places[single].tolist() == [0, 0], "the title is the first place"
    assert (np.diff(found.features.hashes.astype(np.int64)) > 0).all()
    assert len(features_of(" ".join(f"word{i}" for i in range(3000))).hashes) == MOST_FEATURES


def test_the_gradient_of_the_blend_is_that_of_its_loss() -> None:
    random = np.random.default_rng(1)
    rows, wanted = random.normal(size=(7, 4)), (random.random(7) > 0.5).astype(float)
    inputs = np.concatenate([rows, np.ones((7, 1))], axis=1)
    weights_ = random.normal(size=5 * 3 + 3 + 1)

    def loss(at: np.ndarray) -> float:
        hidden = np.tanh(inputs @ at[:15].reshape(5, 3))
        found = 1 / (1 + np.exp(-(hidden @ at[15:18] + at[18])))
        return float(-np.where(wanted > 0, np.log(found), np.log(1 - found)).mean())

    steps = np.eye(len(weights_)) * 1e-6
    expected = [(loss(weights_ + step) - loss(weights_ - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(_gradient(weights_, inputs, wanted, 5), expected, atol=1e-7)


def test_a_blend_moves_as_far_as_the_examples_bear_it_out() -> None:
    random = np.random.default_rng(2)
    rows = random.normal(size=(4000, len(COLUMNS))).astype(np.float32)
    right = rows[:, 3] > 0.5
    start = Blend.fresh(rows)
    far, near = start.fitted(rows, right), start.fitted(rows[:20], right[:20])
    assert ((far.probabilities(rows) > 0.5) == right).mean() > 0.9
    moved = [float(np.abs(one.inner - start.inner).sum()) for one in (far, near)]
    assert moved[0] > 3 * moved[1]
    assert start.fitted(rows[:0], right[:0]) is start


def test_the_shipped_blend_fits_the_evidence() -> None:
    blend = shipped()
    assert len(blend.mean) == len(blend.scale) == len(blend.inner) - 1 == len(COLUMNS)
    assert (blend.scale > 0).all()
