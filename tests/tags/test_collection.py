"""The steward: learn, suggest, feedback, review, and the file that keeps it all."""

import os
import threading
from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError, InputError, ModelError
from phrasemill.tags.collection import changing
from phrasemill.types import Document

NOTES = Path(__file__).parent / "notes"
FOCACCIA = "A wet dough with olive oil, baked on the baking stone until the crust of the bread is golden."


@pytest.fixture
def tags(learned: Path) -> pm.Tags:
    return pm.Tags.open(learned)


def test_a_new_tag_needs_support_and_is_no_near_copy(tags: pm.Tags) -> None:
    assert [one.tag for one in tags.suggest(FOCACCIA, support=3).new] == ["baking-stone"]
    assert not tags.suggest(FOCACCIA, support=10).new
    assert not tags.suggest(FOCACCIA, new=0).new
    assert tags.suggest(FOCACCIA).new[0].support >= 3


def test_documents_at_hand_support_new_tags_together(tags: pm.Tags) -> None:
    texts = [
        Document(f"k{number}", f"Kayak tours, part {number}. Our kayak tours led to the sea.") for number in range(3)
    ]
    assert not tags.suggest(texts[0]).new
    together = tags.suggest_all(texts)
    assert [[one.tag for one in found.new] for found in together] == [["kayak-tours"]] * 3
    assert together[0].new[0].support == 3


def test_a_document_that_comes_again_supports_a_new_tag_once(tags: pm.Tags) -> None:
    for _ in range(4):
        tags.add([(Document("k", "Kayak tours: our kayak tours led to the sea."), [])])
    assert not tags.suggest(Document("other", "Kayak tours. Our kayak tours led to the lake.")).new


def test_two_spellings_of_a_tag_are_not_suggested_together(tags: pm.Tags) -> None:
    names = {one.tag.lower() for one in tags.suggest("Turn the compost; composting takes time.", threshold=0).tags}
    assert len(names & {"compost", "composting"}) == 1


def test_the_record_is_json(tags: pm.Tags) -> None:
    record = tags.suggest(Document("x", FOCACCIA), has=["baking"]).record()
    assert record["id"] == "x"
    assert [one["tag"] for one in record["tags"] if one["present"]] == ["baking"]  # type: ignore[index, union-attr]


def test_a_new_tag_that_was_refused_is_not_suggested_again(tags: pm.Tags) -> None:
    tags.feedback(FOCACCIA, refuse=["Baking Stone"])
    assert not tags.suggest(FOCACCIA).new


def test_what_is_saved_is_what_is_opened(tags: pm.Tags, tmp_path: Path) -> None:
    tags.accept(tags.review(kinds=["case"]))
    tags.refuse(tags.review(kinds=["plural"]))
    tags.feedback(FOCACCIA, accept=["bread"], refuse=["pizza"])
    tags.save(tmp_path / "copy.tags")
    copy = pm.Tags.open(tmp_path / "copy.tags")
    assert copy.counts == tags.counts
    assert copy.review() == tags.review()
    assert copy.library.renames == tags.library.renames
    assert copy.suggest(FOCACCIA) == tags.suggest(FOCACCIA)


def test_merged_tags_are_one_from_then_on(tags: pm.Tags) -> None:
    proposals = {one.old: one for one in tags.review()}
    tags.accept([proposals["ML"], proposals["vegtables"], proposals["python/testing"], proposals["health"]])
    counts = tags.counts
    assert not {"ML", "vegtables", "python/testing", "health"} & counts.keys()
    assert tags.library.applied(["ML", "python/testing", "health", "rye"]) == (
        *("machine-learning", "python", "testing", "rye"),
    )
    synonym = next(one for one in tags.suggest("An ML paper.", threshold=0).tags if one.tag == "machine-learning")
    assert synonym.reason == "synonym"
    tags.add([("Linear models for everyone.", ["ML"])])  # documents that come later follow the merge
    assert "ML" not in tags.counts


def test_renames_follow_each_other(tags: pm.Tags) -> None:
    tags.library.rename("a", ("b",))
    tags.library.rename("b", ("c",))
    assert tags.library.applied(["a", "b", "c"]) == ("c",)
    tags.library.rename("c", ("a",))
    assert tags.library.applied(["a", "b", "c"]) == ("a",)


def test_changes_at_the_same_time_are_all_kept(tags: pm.Tags, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "my.tags"
    tags.save(path)

    def add(number: int) -> None:
        with changing(path) as one:
            one.feedback(f"Text number {number} about rivers.", add=[f"river {number}"])

    threads = [threading.Thread(target=add, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {f"river {number}" for number in range(6)} <= pm.Tags.open(path).counts.keys()
    assert [one.name for one in tmp_path.iterdir()] == ["my.tags"]


def test_a_change_that_fails_leaves_the_file(learned: Path) -> None:
    before = learned.read_bytes()
    with pytest.raises(ConfigError, match="both accepted and refused"), changing(learned) as tags:
        tags.feedback("Text.", accept=["a"], refuse=["a"])
    assert learned.read_bytes() == before


@pytest.mark.parametrize("damage", [b"", b"not a file of tags", b"\x08\0\0\0\0\0\0\0{}      "])
def test_what_is_no_file_of_tags_is_one_error(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "my.tags"
    path.write_bytes(damage)
    with pytest.raises(ModelError, match="not a tags file"):
        pm.Tags.open(path)


def test_a_file_of_another_version_is_to_be_learned_again(learned: Path, tmp_path: Path) -> None:
    path = tmp_path / "my.tags"
    path.write_bytes(learned.read_bytes().replace(b'"version":"2"', b'"version":"1"', 1))
    with pytest.raises(ModelError, match=r"my.tags: made by another version of Phrasemill; learn the tags again$"):
        pm.Tags.open(path)


@pytest.mark.skipif(os.name != "posix", reason="links and modes")
def test_a_file_keeps_its_permissions_and_a_link_stays_one(tags: pm.Tags, tmp_path: Path) -> None:
    path, link = tmp_path / "my.tags", tmp_path / "link.tags"
    tags.save(path)
    path.chmod(0o640)
    link.symlink_to(path)
    tags.save(link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640


def test_a_file_that_breaks_off_is_one_error(learned: Path, tmp_path: Path) -> None:
    path = tmp_path / "my.tags"
    for share in (0.2, 0.6, 0.99):
        path.write_bytes(learned.read_bytes()[: int(share * learned.stat().st_size)])
        with pytest.raises(ModelError):
            pm.Tags.open(path)


def test_missing_files_are_one_error() -> None:
    with pytest.raises(InputError, match="no such file"):
        pm.Tags.learn("missing.md")


@pytest.mark.parametrize(
    ("sources", "complaint"),
    [
        ([("a text", "tag")], "tags are a list of strings, got str 'tag'"),
        ([("a text", 5)], "tags are a list of strings, got int 5"),
        ([("a text", ["tag", None])], "tags are a list of strings, got NoneType None"),
        (5, "expected files, folders or pairs of a text and its tags, got int"),
        ([5], "expected a pair of a text and its tags, got int 5"),
        ([("a text",)], r"expected a pair of a text and its tags, got tuple \('a text',\)"),
    ],
)
def test_what_is_no_pair_of_a_text_and_its_tags_is_named(sources: object, complaint: str) -> None:
    with pytest.raises(InputError, match=f"^{complaint}$"):
        pm.Tags.learn(sources)  # type: ignore[arg-type]


def test_a_pair_that_is_none_leaves_what_was_learned(tags: pm.Tags) -> None:
    before = tags.counts
    with pytest.raises(InputError):
        tags.add([("Rye bread.", ["rye"]), ("Wheat.", "wheat")])  # type: ignore[list-item]
    assert tags.counts == before


def test_letters_are_never_taken_for_tags(tags: pm.Tags) -> None:
    for wrong in ({"accept": "bread"}, {"refuse": "bread"}, {"add": "bread"}):
        with pytest.raises(InputError, match="tags are a list of strings, got str 'bread'"):
            tags.feedback("Rye bread.", **wrong)
    with pytest.raises(InputError, match="tags are a list of strings, got str 'bread'"):
        tags.suggest("Rye bread.", has="bread")
    with pytest.raises(ConfigError, match="kinds takes a list, got the string 'case'"):
        tags.review(kinds="case")


TINY = {
    "baking": [
        "Knead the rye dough and let it rest overnight in the tin.",
        "Bake the loaf in a hot oven until the crust is brown.",
        "A sourdough starter needs flour and water every day.",
        "Shape the rolls, brush them with milk and bake for twenty minutes.",
        "Proof the dough in a basket and score it before baking.",
        "Bread with seeds needs more water in the dough.",
    ],
    "gardening": [
        "Water the tomato beds in the morning, before the sun is high.",
        "Compost feeds the soil and keeps the water in it.",
        "Sow the beans in May and give them water every second day.",
        "Mulch keeps weeds down and the soil moist.",
        "Prune the roses in March and feed the roots.",
        "Slugs come after rain; put a board beside the lettuce beds.",
    ],
    "programming": [
        "Write a test before you change the function.",
        "A fixture gives each test a fresh database.",
        "Type hints find mistakes before the code runs.",
        "Package the library with a pyproject file and upload the wheel.",
        "Mock the clock, not the whole service.",
        "Name variables for what they hold.",
    ],
}


@pytest.fixture(scope="module")
def tiny() -> pm.Tags:
    """Eighteen notes of a sentence each."""
    return pm.Tags.learn([(text, [tag]) for tag, texts in TINY.items() for text in texts])


@pytest.mark.parametrize(
    "text",
    [
        "Coastal wells turn salty when pumps draw too much groundwater. Engineers raise the water table with recharge "
        "basins and measure the salinity of the aquifer.",
        "The striker scored twice in the second half, and the keeper saved a late penalty.",
        "The central bank raised interest rates for the third time this year, and savers moved money into bonds.",
    ],
)
def test_a_word_in_common_with_a_few_notes_makes_no_tag(tiny: pm.Tags, text: str) -> None:
    assert not tiny.suggest(text, threshold=0.5).tags


def test_a_short_form_of_two_letters_stands_for_four_words_at_most() -> None:
    """Schwartz and Hearst: the long form has at most min(|A| + 5, 2 |A|) words."""
    for long, reviewed in (("agricultural water use map", True), ("aquifer salt water intrusion map", False)):
        notes = [(f"The {long} (AM) shows wells.", ["AM"]), ("Wells.", [long]), ("Deep wells.", [long])]
        assert [one.new for one in pm.Tags.learn(notes).review(kinds=["abbreviation"])] == [(long,)] * reviewed


def test_one_word_in_common_with_every_note_of_a_tag_makes_none() -> None:
    notes = {
        "baking": "Baking bread in the oven, loaf {}. I was baking all day.",
        "gardening": "The garden needs water and compost, bed {}. Watering the beans in the garden.",
        "travel": "We took the train to Lisbon, day {}, and saw the tram.",
        "statistics": "Regression of the sample {} with a confidence interval.",
    }
    tags = pm.Tags.learn([(text.format(i), [tag]) for tag, text in notes.items() for i in range(4)])
    groundwater = "Groundwater in coastal aquifers becomes salty when wells pump too much water. The water table falls."
    assert not tags.suggest(groundwater, threshold=0.5).tags
    assert [one.tag for one in tags.suggest("Water the garden beds and add compost.", threshold=0.5).tags] == [
        "gardening"
    ]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Plant the lettuce in rich soil and water the beds every morning; compost keeps slugs away.", "gardening"),
        ("How to shape a rye loaf: knead the dough, proof it and bake it in a hot oven.", "baking"),
        ("The test mocks the database, so that each function runs alone.", "programming"),
    ],
)
def test_what_a_few_notes_are_about_is_found(tiny: pm.Tags, text: str, tag: str) -> None:
    assert [one.tag for one in tiny.suggest(text, threshold=0.5).tags] == [tag]
