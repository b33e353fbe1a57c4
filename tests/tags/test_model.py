"""The tag model: what it suggests, and that every decision takes effect at once."""

import json
from pathlib import Path

import numpy as np
import pytest

from phrasemill import models
from phrasemill.errors import InputError, ModelError
from phrasemill.tags.model import TagModel
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
BREAD = Document("new", "Mix flour and water, let the dough rise and bake the loaf in the oven.", "Weekend", "en")


def notes() -> list[tuple[Document, list[str]]]:
    rows = [line.split("|") for line in NOTES]
    return [(Document(f"n{i}", text, title, "en"), tags.split(", ")) for i, (title, text, tags) in enumerate(rows)]


@pytest.fixture
def model() -> TagModel:
    made = TagModel()
    made.learn(notes())
    return made


def saved(model: TagModel, folder: Path) -> TagModel:
    """The model out of a file."""
    columns, metadata = model.to_tensors()
    path = folder / f"{len(list(folder.iterdir()))}.tags"  # the file of a model that is in use must not change
    models.save(path, columns, {"kind": "tags", "model": json.dumps(metadata)})
    file = models.load(path, kind="tags")
    return TagModel.from_tensors(file.buffers, json.loads(file.metadata["model"]))


def suggested(model: TagModel, document: Document = BREAD) -> dict[str, float]:
    return {one.tag: one.probability for one in model.suggest(document)}


def test_tags_of_similar_documents_come_first(model: TagModel) -> None:
    best = model.suggest(Document("", "Roses and seedlings need moist soil, compost and mulch.", language="en"))
    assert {one.tag for one in best[:3]} == {"gardening", "compost", "roses"}
    found = suggested(model)
    assert set(list(found)[:2]) == {"baking", "bread"}
    assert found["baking"] > 10 * found.get("programming", 0.0)
    assert all(0 <= one <= 1 for one in found.values())
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_reasons_and_evidence(model: TagModel) -> None:
    text = "My compost gets warm in the garden beds."
    found = {one.tag: one for one in model.suggest(Document("", text, language="en"))}
    named = found["compost"]
    assert (named.reason, named.evidence) == ("named", ("compost",))
    assert [text[start:end] for start, end in named.spans] == ["compost"]
    similar = found["gardening"]
    assert similar.reason == "named", "the stem of garden is that of gardening"
    unnamed = {one.tag: one for one in model.suggest(BREAD)}["bread"]
    assert (unnamed.reason, unnamed.spans) == ("similar", ())
    assert set(unnamed.evidence) <= {"flour", "dough", "rise", "rise bake", "loaf", "bake", "flour water", "bake loaf"}
    assert unnamed.evidence and set(unnamed.documents) == {"n1", "n3"}


def test_names_are_found_however_they_are_written() -> None:
    model = TagModel()
    model.add_tags(["state-of-the-art", "ClimateChange", "places/Lisbon", "c++", "IT"])
    text = "The state of the art in climate change research, written in C++ for Lisbon's IT department. It is new."
    found = {one.tag: [text[a:b] for a, b in one.spans] for one in model.suggest(Document("", text, language="en"))}
    assert found == {
        "state-of-the-art": ["state of the art"],
        "ClimateChange": ["climate change"],
        "c++": ["C++"],
        "places/Lisbon": ["Lisbon"],
        "IT": ["IT"],
    }


def test_a_model_out_of_a_file_suggests_the_same(model: TagModel, tmp_path: Path) -> None:
    loaded = saved(model, tmp_path)
    assert loaded.suggest(BREAD) == model.suggest(BREAD)
    assert loaded.tags == model.tags


def test_feedback_after_loading_is_kept_by_the_next_file(model: TagModel, tmp_path: Path) -> None:
    loaded = saved(model, tmp_path)
    for one in (loaded, model):
        one.feedback(BREAD, accepted=["bread"], refused=["italian"], added=["weekend"])
    assert loaded.suggest(BREAD) == model.suggest(BREAD)
    again = saved(loaded, tmp_path)
    assert again.suggest(BREAD) == loaded.suggest(BREAD)


def test_learning_in_parts_equals_learning_at_once(model: TagModel) -> None:
    parts = TagModel()
    parts.learn(notes()[:5])
    parts.suggest(BREAD)
    parts.learn(iter(notes()[5:]))
    assert parts.suggest(BREAD) == model.suggest(BREAD)
    ours, theirs = parts.to_tensors(), model.to_tensors()
    assert ours[1] == theirs[1]
    assert {name: one.tobytes() for name, one in ours[0].items()} == {n: one.tobytes() for n, one in theirs[0].items()}


def test_a_document_learned_again_replaces_the_old_one(model: TagModel) -> None:
    changed = [(document, tags) for document, tags in notes() if document.id != "n2"]
    fresh = TagModel()
    fresh.learn([*changed, (notes()[2][0], ["cooking"])])
    model.learn([(notes()[2][0], ["cooking"])])
    assert model.tags == {**fresh.tags, "italian": 0}
    assert suggested(model) == pytest.approx(suggested(fresh), rel=0.001)


def test_accepted_and_added_tags_rise_at_once(model: TagModel) -> None:
    before = suggested(model)
    model.feedback(BREAD, accepted=["bread"], added=["weekend"])
    after = suggested(model)
    assert after["bread"] > before["bread"] and after["bread"] > 0.9
    assert after["weekend"] > 0.9 and model.tags["weekend"] == 1
    alike = Document("", "Let the dough rise, then bake the loaf in the oven.", language="en")
    assert "weekend" in suggested(model, alike)


def test_refused_tags_are_gone_for_the_document_and_fall_for_similar_ones(model: TagModel) -> None:
    alike = Document("", BREAD.text + " Serve it warm.", language="en")
    before = suggested(model, alike)
    model.feedback(BREAD, refused=["bread"])
    assert "bread" not in suggested(model)
    assert suggested(model, alike).get("bread", 0.0) < before["bread"] / 2


def test_feedback_on_a_known_document_keeps_its_other_tags(model: TagModel) -> None:
    model.feedback(notes()[0][0], refused=["sourdough"], added=["yeast"])
    assert (model.tags["baking"], model.tags["sourdough"], model.tags["yeast"]) == (4, 0, 1)
    model.feedback(notes()[0][0], accepted=["sourdough"])
    assert model.tags["sourdough"] == 1 and "sourdough" in suggested(model, notes()[0][0])


def test_rename_merges_counts_and_leaves_a_synonym(model: TagModel) -> None:
    model.rename("sourdough", "bread")
    assert model.tags["bread"] == 3 and "sourdough" not in model.tags
    (found,) = [one for one in model.suggest(Document("", "I love sourdough.", language="en")) if one.tag == "bread"]
    assert (found.reason, found.evidence) == ("synonym", ("sourdough",))
    model.rename("bread", "loaves")
    assert model.tags["loaves"] == 3
    assert {"loaves"} <= set(suggested(model, Document("", "Bread or sourdough?", language="en")))


def test_a_rename_to_a_tag_of_the_same_documents_counts_them_once(model: TagModel) -> None:
    model.rename("testing", "programming")
    assert model.tags["programming"] == 4


def test_removed_tags_are_not_suggested(model: TagModel, tmp_path: Path) -> None:
    model.remove("baking")
    assert "baking" not in suggested(model) and "baking" not in model.tags
    assert "baking" not in suggested(saved(model, tmp_path))
    model.learn([(BREAD, ["bread"])])
    assert "baking" not in suggested(model)


def test_wrong_tags_are_one_clear_line(model: TagModel) -> None:
    with pytest.raises(InputError, match="no such tag: 'brading'"):
        model.rename("brading", "bread")
    with pytest.raises(InputError, match="no such tag"):
        model.remove("brading")
    with pytest.raises(InputError, match="needs a name"):
        model.rename("bread", "  ")
    with pytest.raises(InputError, match="must be a list"):
        model.feedback(BREAD, accepted="bread")
    with pytest.raises(InputError, match="at least 1"):
        model.suggest(BREAD, limit=0)


def test_an_empty_model_and_empty_texts(model: TagModel, tmp_path: Path) -> None:
    empty = TagModel()
    assert empty.suggest(BREAD) == [] == saved(empty, tmp_path).suggest(BREAD)
    empty.learn([(Document("a", "", language="en"), ["tag"]), (Document("b", "Words.", language="en"), [])])
    assert empty.tags == {"tag": 1}
    assert empty.suggest(BREAD) == []
    assert model.suggest(Document("", "", language="en")) == []
    assert model.suggest(Document("", "?!", language="en")) == []


def test_a_damaged_or_foreign_model_is_refused(model: TagModel) -> None:
    columns, metadata = model.to_tensors()
    with pytest.raises(ModelError, match="version 99"):
        TagModel.from_tensors(columns, metadata | {"version": 99})
    del columns["index.scale"]
    with pytest.raises(ModelError, match="damaged"):
        TagModel.from_tensors(columns, metadata)


def test_other_languages() -> None:
    model = TagModel()
    model.learn(
        [
            (Document("1", "Der Teig ruht über Nacht und wird dann im Ofen gebacken.", language="de"), ["Backen"]),
            (Document("2", "Brot aus Roggenmehl braucht einen sauren Teig.", language="de"), ["Backen", "Brot"]),
            (Document("3", "Die Rosen werden im Frühjahr im Garten geschnitten.", language="de"), ["Garten"]),
        ]
    )
    found = model.suggest(Document("", "Mein Brot: Teig kneten, im Ofen backen.", language="de"))
    assert {one.tag for one in found[:2]} == {"Backen", "Brot"}
    assert {one.tag: one.reason for one in found}["Brot"] == "named"


def test_training_examples_leave_the_document_out(model: TagModel) -> None:
    """A tag of one document only is no candidate for it: without the document it would not exist."""
    model.suggest(BREAD)
    witness, collection = model._witness, model._collection
    assert witness is not None
    row = collection.row("n0")
    assert row is not None
    evidence = witness.evidence(collection.columns().row(row), "en", leave_out=row)
    names = {collection.names[tag] for tag in evidence.tags.tolist()}
    assert "baking" in names and "sourdough" not in names
    assert evidence.nearness[row] == 0
    assert np.isfinite(evidence.rows).all()
