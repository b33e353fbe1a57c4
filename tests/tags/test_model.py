"""The tag model: what it suggests, that every decision takes effect at once, and its parts against naive oracles."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phrasemill as pm
from phrasemill.tags.blend import Blend, shipped
from phrasemill.tags.evidence import Witness
from phrasemill.tags.features import MOST_FEATURES, PAIR, Features, read
from phrasemill.tags.index import SCALE, Index, idf, weights
from phrasemill.tags.library import Entry, Library
from phrasemill.tags.model import examples
from phrasemill.types import Document

NOTES = """
Bread with wild yeast|Feed the sourdough starter, knead the dough and bake it in a hot oven.|baking, sourdough
Rye loaf|A dense loaf of rye flour; bake it slowly. The dough rests overnight.|baking, bread
Pizza night|Stretch the dough, add tomato sauce and bake in the oven at full heat.|baking, italian
Oat rolls|Knead flour, oats and yeast; let the dough rise, then bake the rolls in the oven.|baking, bread
Pruning roses|Cut back roses in early spring, above an outward facing bud.|gardening, roses
Compost heap|Kitchen scraps and leaves become compost for the garden beds.|gardening, compost
Tomato seedlings|Sow tomato seeds indoors and plant out the seedlings after the frost.|gardening
Mulch|Cover the soil of the beds with leaves and bark, and the seedlings stay moist.|gardening
Generators|A generator yields values lazily; iterators save memory in a program.|python, programming
Unit tests|Write tests for the functions first, then the code that passes them.|testing, programming
Type hints|Annotate functions, and a checker finds mistakes in the code before it runs.|python, programming
Refactoring|Rename functions and split long code while the tests stay green.|testing, programming
""".strip().splitlines()
COLUMNS = len(shipped().mean)
BREAD = Document("new", "Mix flour and water, let the dough rise and bake the loaf in the oven.", "Weekend", "en")


def notes() -> list[tuple[Document, list[str]]]:
    rows = [line.split("|") for line in NOTES]
    return [(Document(f"n{i}", text, title, "en"), tags.split(", ")) for i, (title, text, tags) in enumerate(rows)]


@pytest.fixture
def tags() -> pm.Tags:
    return pm.Tags.learn(notes())


def english(text: str) -> Document:
    return Document("", text, language="en")


def suggested(tags: pm.Tags, document: Document = BREAD) -> dict[str, float]:
    return {one.tag: one.probability for one in tags.suggest(document, threshold=0, limit=20).tags}


def test_tags_of_similar_documents_come_first(tags: pm.Tags) -> None:
    best = tags.suggest(english("Roses and seedlings need moist soil, compost and mulch.")).tags
    assert {one.tag for one in best[:3]} == {"gardening", "compost", "roses"}
    found = suggested(tags)
    assert set(list(found)[:2]) == {"baking", "bread"}
    assert found["baking"] > 10 * found.get("programming", 0.0)
    assert all(0 <= one <= 1 for one in found.values())


def test_reasons_and_evidence(tags: pm.Tags) -> None:
    text = "My compost gets warm in the garden beds."
    found = {one.tag: one for one in tags.suggest(english(text), threshold=0).tags}
    named = found["compost"]
    assert (named.reason, named.evidence, named.support) == ("named", ("compost",), 1)
    assert named.why == "named in the text: compost"
    assert [text[start:end] for start, end in named.spans] == ["compost"]
    assert found["gardening"].reason == "named", "the stem of garden is that of gardening"
    unnamed = {one.tag: one for one in tags.suggest(BREAD, threshold=0).tags}["bread"]
    assert (unnamed.reason, unnamed.spans, unnamed.support) == ("similar", (), 2)
    assert set(unnamed.evidence) <= {"flour", "dough", "rise", "rise bake", "loaf", "bake", "flour water", "bake loaf"}
    assert unnamed.evidence and set(unnamed.documents) == {"n1", "n3"}


def test_names_are_found_however_they_are_written() -> None:
    text = "The state of the art in climate change research, written in C++ for Lisbon's IT department. It is new."
    named = ["state-of-the-art", "ClimateChange", "places/Lisbon", "c++", "IT"]
    found = pm.Tags.learn([("Nothing.", named)]).suggest(english(text), threshold=0).tags
    assert {one.tag: [text[a:b] for a, b in one.spans] for one in found} == {
        "state-of-the-art": ["state of the art"],
        "ClimateChange": ["climate change"],
        "c++": ["C++"],
        "places/Lisbon": ["Lisbon"],
        "IT": ["IT"],
    }


def test_learning_in_parts_equals_learning_at_once(tags: pm.Tags) -> None:
    parts = pm.Tags.learn(notes()[:5])
    parts.suggest(BREAD)
    parts.add(iter(notes()[5:]))
    assert parts.suggest(BREAD) == tags.suggest(BREAD)


def test_a_document_learned_again_replaces_the_old_one(tags: pm.Tags) -> None:
    changed = [(document, mine) for document, mine in notes() if document.id != "n2"]
    fresh = pm.Tags.learn([*changed, (notes()[2][0], ["cooking"])])
    tags.add([(notes()[2][0], ["cooking"])])
    assert tags.counts == {**fresh.counts, "italian": 0}
    assert suggested(tags) == pytest.approx(suggested(fresh), rel=0.001)


def test_accepted_and_added_tags_rise_at_once(tags: pm.Tags) -> None:
    before = suggested(tags)
    tags.feedback(BREAD, accept=["bread"], add=["weekend"])
    after = suggested(tags)
    assert after["bread"] > before["bread"] and after["bread"] > 0.9
    assert after["weekend"] > 0.9 and tags.counts["weekend"] == 1
    assert "weekend" in suggested(tags, english("Let the dough rise, then bake the loaf in the oven."))


def test_refused_tags_are_gone_for_the_document_and_fall_for_similar_ones(tags: pm.Tags) -> None:
    alike = english(BREAD.text + " Serve it warm.")
    before = suggested(tags, alike)
    tags.feedback(BREAD, refuse=["bread"])
    assert "bread" not in suggested(tags)
    assert suggested(tags, alike).get("bread", 0.0) < before["bread"] / 4


def test_feedback_on_a_known_document_keeps_its_other_tags(tags: pm.Tags) -> None:
    tags.feedback(notes()[0][0], refuse=["sourdough"], add=["yeast"])
    assert (tags.counts["baking"], tags.counts["sourdough"], tags.counts["yeast"]) == (4, 0, 1)
    tags.feedback(notes()[0][0], accept=["sourdough"])
    assert tags.counts["sourdough"] == 1 and "sourdough" in suggested(tags, notes()[0][0])


def test_empty_collections_and_empty_texts(tags: pm.Tags) -> None:
    assert pm.Tags().suggest(BREAD).tags == ()
    empty = pm.Tags.learn([(Document("a", "", language="en"), ["tag"]), (Document("b", "Words.", language="en"), [])])
    assert empty.counts == {"tag": 1}
    assert empty.suggest(BREAD).tags == ()
    assert tags.suggest(english("")).tags == tags.suggest(english("?!")).tags == ()


def test_other_languages() -> None:
    texts = {
        "Der Teig ruht über Nacht und wird dann im Ofen gebacken.": ["Backen"],
        "Brot aus Roggenmehl braucht einen sauren Teig.": ["Backen", "Brot"],
        "Die Rosen werden im Frühjahr im Garten geschnitten.": ["Garten"],
    }
    tags = pm.Tags.learn([(Document("", text, language="de"), mine) for text, mine in texts.items()])
    found = tags.suggest(Document("", "Mein Brot: Teig kneten, im Ofen backen.", language="de"), threshold=0).tags
    assert {one.tag for one in found[:2]} == {"Backen", "Brot"}
    assert {one.tag: one.reason for one in found}["Brot"] == "named"


WORDS = ["river", "stone", "bridge", "salt", "market", "winter", "glass", "copper"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
collections = st.lists(texts, min_size=1, max_size=8)


def features_of(text: str) -> Features:
    return read(Document("", text, language="en")).features


def collected(some: list[str]) -> Library:
    library = Library()
    for number, text in enumerate(some):
        library.add(f"d{number}", Entry("en", features_of(text), (f"t{number % 3}",)))
    return library


def cosines(some: list[str], text: str) -> list[float]:
    """The cosine of a text with each document, feature by feature."""
    documents = [features_of(one) for one in some]
    df: dict[int, int] = {}
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
        found.append(min(dot / (math.hypot(*wanted.values()) * math.hypot(*exact.values())), 1.0))
    return found


@settings(max_examples=40, deadline=None)
@given(collections, texts)
def test_nearness_is_the_cosine(some: list[str], text: str) -> None:
    found = Index.of(collected(some).columns()).nearness(features_of(text))
    np.testing.assert_allclose(found, cosines(some, text), rtol=1e-4, atol=1e-5)


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


def test_examples_leave_the_document_out() -> None:
    """A tag of one document only is no candidate for it: without the document it would not exist."""
    library = Library()
    for document, tags in notes():
        library.add(document.id, Entry("en", read(document).features, tuple(tags)))
    witness = Witness(library, Index.of(library.columns()))
    evidence = witness.evidence(library.documents["n0"].features, "en", leave_out=0)
    names = {witness.names[tag] for tag in evidence.tags.tolist()}
    assert "baking" in names and "sourdough" not in names
    assert evidence.nearness[0] == 0
    rows, right = examples(witness)
    assert rows.shape == (len(right), COLUMNS) and np.isfinite(rows).all() and 0 < right.sum() < len(right)
    near, named, words_shared = rows[:, 7], rows[:, 15], rows[:, 23]
    np.testing.assert_allclose(rows[:, [21, 25]], np.stack([named * near, words_shared * near], 1), rtol=1e-5)


def test_a_blend_is_the_best_for_its_examples_and_moves_as_far_as_they_bear_it_out() -> None:
    random = np.random.default_rng(2)
    rows = random.normal(size=(4000, COLUMNS)).astype(np.float32)
    right = rows[:, 3] > 0.5
    start = Blend(np.zeros(COLUMNS), np.ones(COLUMNS), np.zeros(2 * COLUMNS + 1))
    far, near = start.fitted(rows, right), start.fitted(rows[:40], right[:40])

    def loss(blend: Blend) -> float:
        found = blend.probabilities(rows)
        likelihood = np.log(np.where(right, found, 1 - found)).sum()
        return float(50 / 2 * np.square(blend.weights - start.weights).sum() - likelihood)

    for step in np.eye(len(far.weights))[[0, 3, 29, -1]] * 0.05:
        assert loss(far) < min(loss(far._replace(weights=far.weights + by)) for by in (step, -step))
    assert ((far.probabilities(rows) > 0.5) == right).mean() > 0.9
    moved = [float(np.abs(one.weights - start.weights).sum()) for one in (far, near)]
    assert moved[0] > 2 * moved[1]
    assert start.fitted(rows[:0], right[:0]) is start


def test_the_shipped_blend_fits_the_evidence() -> None:
    blend = shipped()
    assert len(blend.mean) == len(blend.scale) == (len(blend.weights) - 1) / 2 == COLUMNS
    assert (blend.scale > 0).all()
