"""Tags in front matter: read in every form that people write, changed without touching anything else."""

import random
from pathlib import Path

import pytest
import yaml

from phrasemill.tags.front_matter import UnsupportedError, body_start, changed, tags_of, written
from phrasemill.tags.writing import tag_notes, undo


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
    "tags: [2023, true, naïve, 日本]\n": ["2023", "true", "naïve", "日本"],
    "tags: &x [a]\nmore: *x\n": ["a"],
    "title: a: b\n": [],  # no YAML, but no tags either
}


@pytest.mark.parametrize("entry", READ)
def test_tags_are_read(entry: str) -> None:
    assert tags_of(note(entry)) == tags_of(note(entry).replace("\n", "\r\n")) == READ[entry]


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
        ("other: &x [a]\ntags: *x\n", 4),
        ("tags: &x [a]\nother: *x\n", 1),  # the other value would change
        ("other: &x a\ntags: [*x]\n", 4),
        ("tags: |\n  a\n", 3),
        ("tags: [a, b\n", 4),
        ("tags: [a, [b]]\n", 3),
        ('tags: "a\n', 4),
        ("tags:\n  - a: b\n", 4),
        ("tags:\n  - [a]\n", 4),
        ("tags:\n  - a\n    - b\n", 4),
        ("tags: one\n  two\n", 3),
        ("tags: [a]\ntags: [b]\n", 4),
        ("tags: {a: b}\n", 3),
        ("tags: [a]\ntitle: a: b\n", 4),
        (f"tags: {'[' * 2000}{']' * 2000}\n", 2),
        (f"tags: [a]\nlong: {'x' * 200_000}\n", 2),
    ],
)
def test_other_forms_are_left_alone_with_their_line(entry: str, line: int) -> None:
    with pytest.raises(UnsupportedError, match=f"^line {line}: "):
        changed(note(entry), rename={}, add=["new"])


@pytest.mark.parametrize(
    "block", ["- a list\n", "just words\n", "tags:[a]\n", "title:x\n", "{a: b}\n", "a: b\n  c: d\n"]
)
def test_front_matter_that_cannot_hold_tags_is_left_alone(block: str) -> None:
    with pytest.raises(UnsupportedError, match="left alone"):
        changed(f"---\n{block}---\n", rename={}, add=["a"])


@pytest.mark.parametrize("text", ["---\rtags: [a]\r---\r", "---\ntags: [a]\nnever closed\n"])
def test_half_a_front_matter_gets_no_second_one(text: str) -> None:
    with pytest.raises(UnsupportedError, match="line 1: the tags are left alone"):
        changed(text, rename={}, add=["new"])


RENAME = {"a": ["A"], "b": [], "foo": ["x", "z"]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tags: foo, bar\n", "tags: x, z, bar, new\n"),
        ("tags: a\n", "tags: [A, new]\n"),
        ('tags: [a, "b c"]\n', 'tags: [A, "b c", new]\n'),
        ("tags: [a, b]  # mine\n", "tags: [A, new]  # mine\n"),
        ("tags: [b, c, b2, b]\n", "tags: [c, b2, new]\n"),
        ("tags: [b]\n", "tags: [new]\n"),
        ("tags: []\n", "tags: [new]\n"),
        ("tags: &x [a]\n", "tags: &x [A, new]\n"),
        ("tags:\n", "tags: [new]\n"),
        ("tags: ~\n", "tags: [new]\n"),
        ("tags: # none yet\n", "tags: [new] # none yet\n"),
        ("tags:\n  - b\n  - a # why\n  # a comment\n  - c\n", "tags:\n  - A # why\n  # a comment\n  - c\n  - new\n"),
        ("tags:\n  - c\n  - a # why\n", "tags:\n  - c\n  - A # why\n  - new\n"),
        ("tags:\n- c\n- b\n", "tags:\n- c\n- new\n"),
        ("tags:\n  - \n", "tags:\n  - new\n"),
        ("tags:\n  - foo\n", "tags:\n  - x\n  - z\n  - new\n"),
        ("tags: [a,\n  b,   # c\n  c,\n]\n", "tags: [A,\n  c, new,\n]\n"),
        ('tags: "a, c"\n', "tags: [A, c, new]\n"),
        ("", "date: 2024-01-02\ntags: [new]\n"),
    ],
)
def test_tags_change_and_all_else_stays(before: str, after: str) -> None:
    expected = note(after) if before else note("").replace("date: 2024-01-02\n", after)
    assert changed(note(before), rename=RENAME, add=["new"]) == expected
    windows = note(before).replace("\n", "\r\n")
    assert changed(windows, rename=RENAME, add=["new"]) == expected.replace("\n", "\r\n")
    assert changed("\ufeff" + note(before), rename=RENAME, add=["new"]) == "\ufeff" + expected


@pytest.mark.parametrize(
    ("before", "after"), [("tags: a\n", "tags: A\n"), ("tags: [b]\n", "tags: []\n"), ("tags:\n- b\n", "tags:\n")]
)
def test_tags_that_are_renamed_or_go(before: str, after: str) -> None:
    assert changed(note(before), rename=RENAME) == note(after)


def test_a_file_without_front_matter_gets_one_only_if_there_is_something_to_add() -> None:
    assert changed("Text.\r\n", rename=RENAME) == "Text.\r\n"
    assert changed("Text.\r\n", rename={}, add=["a"]) == "---\r\ntags: [a]\r\n---\r\n\r\nText.\r\n"
    assert changed("", rename={}, add=["a"]) == "---\ntags: [a]\n---\n"


@pytest.mark.parametrize(
    "tag",
    [
        *("a: b", "C#", "yes", "2023", "1.5", "1e5", "0o17", "- a", "a, b", "it's", 'say "x"', "[a]"),
        *("日本 語", "null", "y", "a\x7fb", "👍", "@a", "`a`", "*", "long " * 40 + "tag"),
    ],
)
def test_any_tag_can_be_written_and_read_again(tag: str) -> None:
    assert yaml.safe_load(f"[{written(tag)}]") == [tag]
    text = changed(note("tags: [b]\n"), rename={}, add=[tag])
    assert yaml.safe_load(text[4:-14])["tags"] == ["b", tag]


def test_random_changes_read_back_and_leave_the_rest(effort: int) -> None:
    chance = random.Random(0)
    names = ["a", "b", "two words", "x: y", "ü", "it's", "C#"]
    for _ in range(200 * effort):
        tags = chance.sample(names, chance.randint(0, 4))
        style = chance.choice(["flow", "block", "dashes"])
        lines = "".join(f"{'  ' * (style == 'block')}- {written(tag)}\n" for tag in tags)
        entry = f"tags: [{', '.join(map(written, tags))}]\n" if style == "flow" else f"tags:\n{lines}"
        rename = {tag: chance.sample([*names, "new"], chance.randint(0, 2)) for tag in tags if chance.random() < 0.5}
        add = chance.sample([*names, "more"], chance.randint(0, 2))
        text = note(entry)
        found = changed(text, rename=rename, add=add)
        wanted = [new for tag in tags for new in rename.get(tag, (tag,))] + add
        assert tags_of(found) == list(dict.fromkeys(wanted))
        assert found[body_start(found) :] == text[body_start(text) :]
        assert found.startswith("---\ntitle: Notes\ntags:")
        assert found.endswith("date: 2024-01-02\n---\nThe text.\n")


def test_notes_get_keyphrases_as_tags_and_are_restored(tmp_path: Path) -> None:
    bread, well, page = (tmp_path / name for name in ("bread.md", "well.md", "page.txt"))
    bread.write_bytes(b"\xef\xbb\xbf---\r\ntags: [Rye-Bread]  # mine\r\n---\r\nRye bread.")
    well.write_bytes(b"Wells.\n")
    page.write_bytes(b"Pages.\n")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    wanted = {bread: ["rye bread", "oven"], str(well): ["salt water"], page: ["page"], tmp_path / "no.md": ["x"]}
    failures: list[str] = []
    plan = tag_notes(wanted, report=lambda error: failures.append(str(error)))
    assert [change.path for change in plan.changes] == [bread, well]
    assert "\n-tags: [Rye-Bread]  # mine\n+tags: [Rye-Bread, oven]  # mine\n" in plan.changes[0].diff()
    assert (plan.written, plan.folder) == (0, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert failures[0].endswith("page.txt: only Markdown has a place for tags, so it is left alone")
    assert failures[1].endswith("no.md: no such file")
    assert tag_notes(wanted, report=lambda error: None, write=True).written == 2
    assert bread.read_bytes() == b"\xef\xbb\xbf---\r\ntags: [Rye-Bread, oven]  # mine\r\n---\r\nRye bread."
    assert well.read_bytes() == b"---\ntags: [salt water]\n---\n\nWells.\n"
    assert undo(tmp_path, report=pytest.fail) == (2, 0)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
