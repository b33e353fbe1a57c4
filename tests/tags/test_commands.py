"""The command: what it prints, in every format, and one line for whatever is wrong."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

import phrasemill as pm
from cli_process import Command


@pytest.fixture(autouse=True)
def _texts(at: Command) -> None:
    Path("empty").mkdir()
    Path("untagged.md").write_text("Just a text.\n", encoding="utf-8")
    Path("broken.md").write_text("---\ntags: [a, b\n---\nBread from the oven.\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["learn"], "tags learn needs a SOURCE"),
        (["learn", "notes"], "tags learn needs --output TAGS"),
        (["learn", "missing", "-o", "x.tags"], "missing: no such file"),
        (["learn", "empty", "-o", "x.tags"], "empty: no tags in 0 documents"),
        (["learn", "untagged.md", "-o", "x.tags"], "untagged.md: no tags in 1 document"),
        (["learn", "notes", "-o", "nowhere/x.tags"], "nowhere/x.tags: there is no such folder"),
        (["suggest", "untagged.md"], "--with TAGS is required"),
        (["suggest", "untagged.md", "--with", "missing"], "missing: no such file"),
        (["suggest", "untagged.md", "--with", "untagged.md"], "untagged.md: not a tags file"),
        (["suggest", "missing.md", "--with", "my.tags"], "missing.md: no such file"),
        (["suggest", "empty", "--with", "my.tags"], "empty: no documents"),
        (["suggest", "-", "--with", "my.tags"], "standard input: nothing in it"),
        (["suggest", "notes", "--with", "my.tags", "--limit", "0"], "--limit must be a whole number, 1 or more"),
        (["suggest", "notes", "--with", "my.tags", "-f", "xml"], "--format must be one of table, json, jsonl, csv"),
        (["feedback", "untagged.md", "--with", "my.tags"], "feedback needs a tag to accept, to refuse or to add"),
        (["feedback", "notes", "--with", "my.tags", "--add", "x"], "notes: several documents in it; name one"),
        (["review", "missing"], "missing: no such file"),
        (["review", "my.tags", "--kind", "typo"], "unknown kind of proposal 'typo'"),
        (["review", "my.tags", "--accept", "1"], "--accept 1: not among the proposals"),
        (
            ["review", "my.tags", "--refuse", "vegtable"],
            "--refuse vegtable: not among the proposals (did you mean 'veg",
        ),
        (["review", "my.tags", "--accept", "ML", "--refuse", "soil, ML"], "'ML' is both accepted and refused"),
        (["review", "my.tags", "--accept", "ML", "--decisions", "x.csv"], "--accept and --refuse, and --decisions"),
        (["review", "my.tags", "--write"], "--write needs decisions"),
        (["review", "my.tags", "--decisions", "untagged.md"], "untagged.md: needs the columns decision, old and new"),
        (["apply", "missing", "--with", "my.tags"], "missing: no such file or folder"),
        (["apply", "empty", "--with", "my.tags"], "empty: no files with a place for tags"),
        (["apply", "notes", "--with", "my.tags", "--to", "csv"], "--to csv and --output FILE.csv go together"),
        (["apply", "notes", "--with", "my.tags", "--to", "xmp"], "--to must be one of front-matter, sidecar, csv; got"),
        (["undo", "notes"], "notes: nothing to undo"),
        (["undo", "missing"], "missing: no such file or folder"),
    ],
)
def test_what_is_wrong_is_one_line(at: Command, arguments: list[str], complaint: str) -> None:
    code, out, err = at(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"phrasemill: {complaint}")
    assert err.count("\n") == 1


def test_learn_reports_what_it_read_and_what_it_could_not(at: Command) -> None:
    code, out, err = at("learn", "notes", "broken.md", "-o", "new.tags")
    assert code == 1
    assert err.startswith("phrasemill: broken.md, line 2: the tags are left alone: not YAML: expected ',' or ']'")
    assert "documents          32, 29 with tags\n" in out
    assert "could not be read  1\n" in out
    assert pm.Tags.open("new.tags").counts["baking"] == 6


def test_a_note_with_odd_front_matter_gets_suggestions_all_the_same(at: Command) -> None:
    code, out, err = at("suggest", "broken.md", "--with", "my.tags")
    assert (code, err.count("\n")) == (1, 1)
    assert out.startswith(("bread", "baking"))


def test_suggestions_in_every_format(at: Command) -> None:
    command = ("suggest", "notes/inbox-focaccia.md", "notes/inbox-mulch.md", "--with", "my.tags")
    table = at(*command)[1]
    assert "baking-stone   new" in table
    assert "a keyphrase of 4 documents\n" in table
    assert "has it" in table
    listed = json.loads(at(*command, "--format", "json")[1])
    lines = [json.loads(line) for line in at(*command, "--format", "jsonl")[1].splitlines()]
    assert listed == lines
    assert [one["id"] for one in listed] == ["notes/inbox-focaccia.md", "notes/inbox-mulch.md"]
    rows = list(csv.DictReader(StringIO(at(*command, "--format", "csv")[1])))
    assert [row["tag"] for row in rows] == [tag["tag"] for one in listed for tag in (*one["tags"], *one["new"])]
    assert [row["tag"] for row in rows if row["present"]] == ["todo"]


def test_one_document_is_one_object(at: Command) -> None:
    out = at("suggest", "notes/inbox-focaccia.md", "--with", "my.tags", "--format", "json")[1]
    assert json.loads(out)["tags"][0]["tag"] == "baking"


def test_a_text_can_be_piped_in(at: Command) -> None:
    code, out, _ = at("suggest", "-", "--with", "my.tags", stdin="---\ntags: [bread]\n---\nBread from a hot oven.\n")
    assert code == 0
    assert "has it" in out


def test_records_can_be_piped_in(at: Command) -> None:
    records = '{"id": "a", "text": "Bread from the oven.", "tags": ["bread"]}\n{"id": "b", "text": "Compost."}\n'
    code, out, _ = at("suggest", "-", "--with", "my.tags", "--format", "jsonl", stdin=records)
    first, second = map(json.loads, out.splitlines())
    assert (code, first["id"], second["id"]) == (0, "a", "b")
    assert [tag["tag"] for tag in first["tags"] if tag["present"]] == ["bread"]


def test_a_threshold_is_a_probability(at: Command) -> None:
    code, _, message = at("suggest", "untagged.md", "--with", "my.tags", "--threshold", "50")
    assert code == 2 and "threshold is a probability, from 0 to 1, got 50" in message


def test_a_text_without_anything_to_suggest(at: Command) -> None:
    assert at("suggest", "untagged.md", "--with", "my.tags", "--threshold", "0.99")[1] == "no tags to suggest\n"


def test_feedback_is_in_the_file_at_once(at: Command) -> None:
    code, out, _ = at("feedback", "untagged.md", "--with", "my.tags", "--add", "one, two words", "--refuse", "bread")
    assert (code, out) == (0, "my.tags: updated\n")
    assert {"one", "two words"} <= pm.Tags.open("my.tags").counts.keys()


def test_feedback_on_an_empty_note_leaves_suggestions_working(at: Command) -> None:
    Path("empty.md").write_text("---\ntags: [bread]\n---\n", encoding="utf-8")
    assert at("feedback", "empty.md", "--with", "my.tags", "--add", "later")[0] == 0
    assert at("suggest", "empty.md", "--with", "my.tags")[0] == 0


def test_a_review_writes_only_when_asked_to(at: Command) -> None:
    before = Path("my.tags").read_bytes()
    assert at("review", "my.tags", "--accept", "ML, tests")[1].endswith("nothing is written yet: add --write\n")
    assert Path("my.tags").read_bytes() == before
    assert at("review", "my.tags", "--kind", "case", "--accept", "all", "--write")[0] == 0
    assert pm.Tags.open("my.tags").counts["python"] == 4
    assert at("review", "my.tags", "--kind", "case")[1] == "nothing to tidy up\n"


def test_refused_proposals_stay_away(at: Command) -> None:
    at("review", "my.tags", "--kind", "once", "--refuse", "all", "--write")
    assert at("review", "my.tags", "--kind", "once")[1] == "nothing to tidy up\n"


def test_decisions_can_be_edited_in_a_table(at: Command) -> None:
    rows = list(csv.reader(StringIO(at("review", "my.tags", "--format", "csv")[1])))
    decided = [
        rows[0],
        *([word, *row[1:]] for word, row in zip(["accept", "refuse", "", "ACCEPT"], rows[1:], strict=False)),
    ]
    with Path("decisions.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(decided)
    assert at("review", "my.tags", "--decisions", "decisions.csv", "--write")[0] == 0
    left = [one["old"] for one in json.loads(at("review", "my.tags", "--format", "json")[1])]
    assert [row[2] for row in rows[1:5]] == ["Baking", "Gardening", "Python", "machine learning"]
    assert not {"Baking", "Gardening", "machine learning"} & set(left)
    assert "Gardening" in pm.Tags.open("my.tags").counts
    code, _, err = at("review", "my.tags", "--decisions", "decisions.csv", "--write")
    assert (code, err) == (2, "phrasemill: decisions.csv, line 2: 'Baking' is not among the proposals any more\n")


def test_names_mean_the_same_in_the_next_command(at: Command) -> None:
    table = at("review", "my.tags")[1].splitlines()
    assert table[0].split() == ["case", "Baking", "(1)", "→", "baking", "written", "with", "other", "capitals"]
    assert at("review", "my.tags", "--accept", "Baking", "--accept", "vegtables,Python", "--write")[0] == 0
    assert at("review", "my.tags", "--accept", "statistcs", "--refuse", "soil", "--write")[0] == 0
    counts = pm.Tags.open("my.tags").counts
    assert not {"Baking", "vegtables", "Python", "statistcs"} & counts.keys()
    assert "Gardening" in counts and "soil" in counts
    assert "soil" not in at("review", "my.tags")[1]


def test_a_tag_with_a_comma_can_be_named(at: Command) -> None:
    pairs = [("Bread from the oven.", ["baking, slow"]), ("Compost.", ["gardening"])]
    pm.Tags.learn(pairs).save("comma.tags")
    assert at("review", "comma.tags", "--accept", "baking, slow", "--write")[0] == 0
    assert list(pm.Tags.open("comma.tags").counts) == ["gardening"]


def test_a_misspelt_tag_is_merged_not_removed_and_never_added(at: Command, tmp_path: Path) -> None:
    folder = tmp_path / "loaves"
    folder.mkdir()
    loaves = ["rye", "white", "spelt", "seeded", "sweet"]
    for loaf in loaves:
        text = f"Knead the {loaf} dough, let it rest in the tin and bake the {loaf} loaf in a hot oven."
        (folder / f"{loaf}.md").write_text(f"---\ntags: [baking]\n---\n{text}\n", encoding="utf-8")
    text = "Shape the dough, let it rest and bake it until the crust is brown. All about bakeing."
    (folder / "typo.md").write_text(f"---\ntags: [bakeing]\n---\n{text}\n", encoding="utf-8")
    (folder / "new.md").write_text(f"{text}\n", encoding="utf-8")
    at("learn", "loaves", "-o", "loaves.tags")
    assert at("review", "loaves.tags")[1] == "spelling  bakeing (1)  → baking  another spelling\n"
    out = at("apply", "loaves/new.md", "--with", "loaves.tags", "--threshold", "0")[1]
    assert "+tags: [baking]\n" in out


def test_a_tag_that_was_given_and_then_refused_is_not_written(at: Command) -> None:
    note = "notes/inbox-focaccia.md"
    at("feedback", note, "--with", "my.tags", "--add", "picnic")
    assert "+tags: [picnic]" in at("apply", note, "--with", "my.tags", "--threshold", "1")[1]
    at("feedback", note, "--with", "my.tags", "--refuse", "picnic")
    assert "picnic" not in at("apply", note, "--with", "my.tags", "--threshold", "1")[1]
