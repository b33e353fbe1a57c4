"""What the review proposes, and what becomes of it."""

import pytest

from phrasemill.errors import UnknownName
from phrasemill.tags.features import NOTHING
from phrasemill.tags.library import Entry, Library
from phrasemill.tags.review import proposals
from phrasemill.tags.wordings import KnownTags, is_misspelt, is_short_form, same_word


def add(library: Library, id_: str, tags: list[str], phrases: tuple[str, ...] = ()) -> None:
    library.wordings |= {phrase: phrase for phrase in phrases}
    library.add(id_, Entry("en", NOTHING, tuple(tags), (), phrases))


def usage(*tags: str, phrases: tuple[str, ...] = ()) -> Library:
    """A collection in which each document has one of `tags`, written `tag*3` for three documents."""
    found = Library()
    for number, tag in enumerate(tags):
        name, _, times = tag.partition("*")
        for copy in range(int(times or 1)):
            add(found, f"{number}-{copy}", [name], phrases)
    return found


def found(collection: Library, **options: object) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.kind, one.old, one.new) for one in proposals(collection, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Python", "python", "case"),
        ("machine-learning", "machine learning", "hyphen"),
        ("e-mail", "email", "hyphen"),
        ("MachineLearning", "machine_learning", "hyphen"),
        ("vegetable", "vegetables", "plural"),
        ("movie", "movies", "plural"),
        ("boxes", "box", "plural"),
        ("tomatoes", "tomato", "plural"),
        ("shoe", "shoes", "plural"),
        ("databases", "database", "plural"),
        ("short-story", "Short Stories", "plural"),
        ("colour", "colors", "spelling"),
        ("optimisation", "optimization", "spelling"),
        ("compost", "composting", "form"),
        ("baking", "bake", "form"),
        ("programming", "program", "form"),
        ("news", "new", "plural"),
        ("bus", "bu", ""),
        ("string", "str", ""),
        ("universe", "university", ""),
        ("analysis", "analysi", ""),
    ],
)
def test_how_two_tags_are_one_word(a: str, b: str, kind: str) -> None:
    assert same_word(a, b) == same_word(b, a) == kind


@pytest.mark.parametrize(
    ("rare", "common", "slip"),
    [
        ("statistcs", "statistics", True),
        ("vegtables", "vegetables", True),
        ("pyhton", "python", True),
        ("python2", "python3", False),
        ("cat", "car", False),
        ("baking", "making", False),
    ],
)
def test_slips(rare: str, common: str, slip: bool) -> None:
    assert is_misspelt(rare, common) is slip


@pytest.mark.parametrize(
    ("short", "long", "is_one"),
    [
        ("ML", "machine-learning", True),
        ("nlp", "natural language processing", True),
        ("HoC", "house of cards", True),
        ("hc", "house of cards", True),
        ("ml", "mathematics", False),
        ("mla", "machine learning", False),
    ],
)
def test_short_forms(short: str, long: str, is_one: bool) -> None:
    assert is_short_form(short, long) is is_one


def test_spellings_join_the_most_used_one() -> None:
    collection = usage("python*5", "Python*2", "PYTHON", "e-mail*2", "email")
    assert found(collection) == [
        ("case", "Python", ("python",)),
        ("case", "PYTHON", ("python",)),
        ("hyphen", "email", ("e-mail",)),
    ]


def test_a_slip_is_rare_and_no_word() -> None:
    assert found(usage("statistics*4", "statistcs"), kinds=["spelling"]) == [("spelling", "statistcs", ("statistics",))]
    assert not found(usage("banking*9", "backing"), kinds=["spelling"])


@pytest.mark.parametrize(
    ("slip", "right"), [("bakeing", "baking"), ("begining", "beginning"), ("developement", "development")]
)
def test_a_slip_may_have_the_stem_of_a_word(slip: str, right: str) -> None:
    assert found(usage(f"{right}*5", slip)) == [("spelling", slip, (right,))]


def test_an_inflection_is_no_slip() -> None:
    assert not found(usage("baked*5", "bakes"), kinds=["spelling"])


def test_short_forms_need_a_definition_or_documents_alike() -> None:
    apart = usage("machine-learning*3", "ml*2")
    assert not found(apart, kinds=["abbreviation"])
    apart.abbreviations["ML"] = "machine learning"
    assert found(apart, kinds=["abbreviation"]) == [("abbreviation", "ml", ("machine-learning",))]
    alike = usage("machine-learning*3", "ml*2", phrases=("regression",))
    add(alike, "x", ["other"], ("bread",))
    assert found(alike, kinds=["abbreviation"]) == [("abbreviation", "ml", ("machine-learning",))]


def test_tags_of_the_same_kind_of_documents_may_mean_the_same() -> None:
    collection = Library()
    words = ("flour", "dough", "oven", "crust")
    for number in range(8):
        add(collection, f"a{number}", ["baking" if number % 2 else "bakery"], words)
        add(collection, f"b{number}", ["garden"], (f"plant {number}",))
    assert found(collection, kinds=["meaning"]) == [("meaning", "baking", ("bakery",))]
    for number in range(8):  # used together, they are two things
        add(collection, f"a{number}", ["baking", "bakery"], words)
    assert not found(collection, kinds=["meaning"])


def test_two_tags_in_one_are_split() -> None:
    collection = usage("python*3", "testing*3", "python/testing*2", "search and rescue*2")
    assert found(collection, kinds=["split"]) == [("split", "python/testing", ("python", "testing"))]


def test_a_tag_that_others_join_is_not_itself_removed() -> None:
    kinds = {old: kind for kind, old, _ in found(usage("apple", "apples", "pear"))}
    assert kinds == {"apples": "plural", "pear": "once"}


def test_refused_proposals_are_not_made_again() -> None:
    collection = usage("python*5", "Python*2", "pear")
    collection.refused = {one.key for one in proposals(collection)}
    assert not proposals(collection)


def test_an_unknown_kind_names_the_choices() -> None:
    with pytest.raises(UnknownName, match="choose from abbreviation, case"):
        proposals(Library(), kinds=["typo"])


@pytest.mark.parametrize(
    ("phrase", "copy"),
    [
        ("neural network", True),
        ("Neural-Networks", True),
        ("deep neural networks", True),
        ("network", True),
        ("statistcs", True),
        ("stats", False),
        ("graph theory", False),
        ("neural crest", False),
    ],
)
def test_near_copies_of_tags(phrase: str, copy: bool) -> None:
    assert KnownTags(["neural networks", "statistics"]).have_near(phrase) is copy
