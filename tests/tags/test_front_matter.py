"""Tags in front matter: read in every form that people write, changed without touching anything else."""

import random

import pytest

from phrasemill.tags.front_matter import UnsupportedError, body_start, tags_of, written
from phrasemill.tags.front_matter_editing import changed, changed_tags


def note(entry: str) -> str:
    return f"---\ntitle: Notes\n{entry}date: 2024-01-02\n---\nThe text.\n"


READ = {
    "tags: foo, bar\n": ["foo", "bar"],
    "tags: foo\n": ["foo"],
    "tags: [a, \"b c\", 'it''s']\n": ["a", "b c", "it's"],
    "tags: []\n": [],
    "tags:\n": [],
    "tags: ~\n": [],
    "tags: # none yet\n": [],
    "tags:\n  - a # why\n  # a comment\n\n  - 'x: y'\n": ["a", "x: y"],
    "tags:\n- a\n- topic:sub\n": ["a", "topic:sub"],
    "tags: [a,\n  b,   # c\n  c,\n]\n": ["a", "b", "c"],
    'tags: "#one #two"\n': ["one", "two"],
    "Tags: [a]\n": ["a"],
    "tag: single\n": ["single"],
    '"tags": [a]\n': ["a"],
    "tags: [a, a, b]\n": ["a", "b"],
    "tags: [2023, naïve, 日本]\n": ["2023", "naïve", "日本"],
}


@pytest.mark.parametrize("entry", READ)
def test_tags_are_read(entry: str) -> None:
    assert tags_of(note(entry)) == READ[entry]


@pytest.mark.parametrize("entry", [entry for entry in READ if "#one" not in entry and ", bar" not in entry])
def test_lists_are_read_as_a_yaml_parser_reads_them(entry: str) -> None:
    yaml = pytest.importorskip("yaml")
    value = next((one for key, one in yaml.safe_load(note(entry)[4:-14]).items() if key.lower() in ("tags", "tag")), [])
    listed = value if isinstance(value, list) else [value] if value else []
    assert tags_of(note(entry)) == list(dict.fromkeys(map(str, listed)))


@pytest.mark.parametrize("text", ["", "No front matter.\n", "---\nnever closed\n", "---\ntitle: x\n---\n", "***\n"])
def test_files_without_tags_have_none(text: str) -> None:
    assert tags_of(text) == []


def test_toml_is_read_and_never_written() -> None:
    text = "+++\ntitle = 'x'\n[taxonomies]\ntags = ['a', 'b']\n+++\nText."
    assert tags_of(text) == ["a", "b"]
    with pytest.raises(UnsupportedError, match="TOML"):
        changed(text, rename={}, add=["c"])


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("tags: &anchor [a]\n", 3),
        ("tags: *alias\n", 3),
        ("tags: |\n  a\n", 3),
        ("tags: [a, b\n", 4),
        ('tags: "a\n', 3),
        ("tags:\n  - a: b\n", 4),
        ("tags:\n  - [a]\n", 4),
        ("tags:\n  - a\n    - b\n", 5),
        ("tags: one\n  two\n", 3),
        ("tags: [a]\ntags: [b]\n", 4),
        ("tags: {a: b}\n", 3),
    ],
)
def test_other_forms_are_left_alone_with_their_line(entry: str, line: int) -> None:
    with pytest.raises(UnsupportedError, match=f"^line {line}: "):
        changed(note(entry), rename={}, add=["new"])


RENAME = {"a": ["A"], "b": [], "foo": ["x", "z"]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags: foo, bar\n", "tags: x, z, bar, new\n"),
        ("tags: a\n", "tags: [A, new]\n"),
        ('tags: [a, "b c"]\n', 'tags: [A, "b c", new]\n'),
        ("tags: [a, b]  # mine\n", "tags: [A, new]  # mine\n"),
        ("tags: []\n", "tags: [new]\n"),
        ("tags:\n", "tags: [new]\n"),
        ("tags: ~\n", "tags: [new]\n"),
        ("tags: # none yet\n", "tags: [new] # none yet\n"),
        ("tags:\n  - b\n  - a # why\n  # a comment\n  - c\n", "tags:\n  - A # why\n  # a comment\n  - c\n  - new\n"),
        ("tags:\n- c\n- b\n", "tags:\n- c\n- new\n"),
        ("tags:\n  - \n", "tags:\n  - new\n"),
        ("tags: [a,\n  b,   # c\n  c,\n]\n", "tags: [A,\n  c, new,\n]\n"),
        ('tags: "a, c"\n', 'tags: "A, c, new"\n'),
        ("", "date: 2024-01-02\ntags: [new]\n"),
    ],
)
def test_tags_change_and_all_else_stays(before: str, after: str) -> None:
    expected = note(after) if before else note("").replace("date: 2024-01-02\n", after)
    assert changed(note(before), rename=RENAME, add=["new"]) == expected
    windows = note(before).replace("\n", "\r\n")
    assert changed(windows, rename=RENAME, add=["new"]) == expected.replace("\n", "\r\n")
    assert changed("\ufeff" + note(before), rename=RENAME, add=["new"]) == "\ufeff" + expected


def test_a_single_tag_that_is_renamed_stays_a_string() -> None:
    assert changed(note("tags: a\n"), rename=RENAME) == note("tags: A\n")


def test_a_file_without_front_matter_gets_one_only_if_there_is_something_to_add() -> None:
    assert changed("Text.\r\n", rename=RENAME) == "Text.\r\n"
    assert changed("Text.\r\n", rename={}, add=["a"]) == "---\r\ntags: [a]\r\n---\r\n\r\nText.\r\n"
    assert changed("", rename={}, add=["a"]) == "---\ntags: [a]\n---\n"


@pytest.mark.parametrize("block", ["  tags: x\n", "- a list\n", "just words\n", "tags:[a]\n", "title:x\n"])
def test_front_matter_that_is_no_mapping_is_left_alone(block: str) -> None:
    with pytest.raises(UnsupportedError):
        changed(f"---\n{block}---\n", rename={}, add=["a"])


@pytest.mark.parametrize(
    "tag", ["a: b", "C#", "yes", "2023", "1.5", "- a", "a, b", "it's", 'say "x"', "[a]", "日本 語", "null"]
)
def test_any_tag_can_be_written_and_read_again(tag: str) -> None:
    yaml = pytest.importorskip("yaml")
    assert yaml.safe_load(f"[{written(tag)}]") == [tag]
    text = changed(note("tags: [a]\n"), rename={}, add=[tag])
    assert tags_of(text) == ["a", tag]


def test_random_changes_read_back_and_leave_the_rest(effort: int) -> None:
    chance = random.Random(0)
    names = ["a", "b", "two words", "x: y", "ü", "it's", "C#"]
    for _ in range(300 * effort):
        tags = chance.sample(names, chance.randint(0, 4))
        style = chance.choice(["flow", "block", "dashes"])
        lines = "".join(f"{'  ' * (style == 'block')}- {written(tag)}\n" for tag in tags)
        entry = f"tags: [{', '.join(map(written, tags))}]\n" if style == "flow" else f"tags:\n{lines}"
        rename = {tag: chance.sample([*names, "new"], chance.randint(0, 2)) for tag in tags if chance.random() < 0.5}
        add = chance.sample([*names, "more"], chance.randint(0, 2))
        text = note(entry)
        found = changed(text, rename=rename, add=add)
        assert tags_of(found) == changed_tags(tags, rename, add)
        assert found[body_start(found) :] == text[body_start(text) :]
        assert found.startswith("---\ntitle: Notes\ntags:")
        assert found.endswith("date: 2024-01-02\n---\nThe text.\n")
