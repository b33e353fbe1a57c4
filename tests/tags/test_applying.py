"""Tags written back: nothing without `--write`, nothing but the tags, and everything restored by undo."""

import json
import os
import shutil
from pathlib import Path

import pytest

import phrasemill as pm
from cli_process import Command

NOTES = Path(__file__).parent / "notes"
POSIX = pytest.mark.skipif(os.name != "posix", reason="links, owners and modes")


@pytest.fixture(scope="session")
def learned(learned: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of tags in which all merges are accepted."""
    path = tmp_path_factory.mktemp("merged") / "my.tags"
    tags = pm.Tags.open(learned)
    tags.accept([one for one in tags.review() if one.new])
    tags.save(path)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


MERGES = ("apply", "notes", "--with", "my.tags", "--no-suggestions")


def test_a_preview_is_a_diff_and_writes_nothing(at: Command, tmp_path: Path) -> None:
    before = contents(tmp_path)
    code, out, _ = at(*MERGES)
    assert code == 0
    assert "-tags: [ML, statistics]\n+tags: [machine-learning, statistics]\n" in out
    assert out.endswith("nothing is written yet: add --write\n")
    assert contents(tmp_path) == before


def test_only_tags_are_written_and_undo_restores_every_byte(at: Command, tmp_path: Path) -> None:
    crlf, bom = tmp_path / "notes" / "crlf.md", tmp_path / "notes" / "bom.md"
    crlf.write_bytes(b"---\r\n# mine\r\ntags:\r\n  - 'Baking' # yes\r\n  - rye\r\nx:   1\r\n---\r\nBread.\r\n")
    bom.write_bytes(b"\xef\xbb\xbf---\ntags: vegtables, soil\n---\nNo newline at the end")
    crlf.chmod(0o640)
    before = contents(tmp_path / "notes")
    assert at(*MERGES, "--write")[0] == 0
    assert crlf.read_bytes() == b"---\r\n# mine\r\ntags:\r\n  - baking # yes\r\n  - rye\r\nx:   1\r\n---\r\nBread.\r\n"
    assert bom.read_bytes() == b"\xef\xbb\xbf---\ntags: vegetables, soil\n---\nNo newline at the end"
    assert os.name != "posix" or crlf.stat().st_mode & 0o777 == 0o640
    assert at(*MERGES)[1] == "33 files read, 0 to change\n"
    code, out, _ = at("undo", "notes")
    assert (code, out) == (0, "13 files restored\n")
    assert contents(tmp_path / "notes") == before


def test_suggestions_above_the_threshold_are_added(at: Command, tmp_path: Path) -> None:
    at("apply", "notes/inbox-focaccia.md", "--with", "my.tags", "--threshold", "0.3", "--write")
    text = (tmp_path / "notes" / "inbox-focaccia.md").read_text(encoding="utf-8")
    assert text.startswith("---\ntags: [baking")
    original = (NOTES / "inbox-focaccia.md").read_text(encoding="utf-8")
    assert text.endswith(f"]\n---\n\n{original}")


def test_tags_of_feedback_are_written(at: Command, tmp_path: Path) -> None:
    at("feedback", "notes/inbox-mulch.md", "--with", "my.tags", "--add", "mulching")
    at("apply", "notes", "--with", "my.tags", "--threshold", "1", "--write")
    assert "\ntags: [mulching]\n---\n" in (tmp_path / "notes" / "inbox-mulch.md").read_text(encoding="utf-8")


def test_undo_refuses_what_has_changed_since_and_restores_the_rest(at: Command, tmp_path: Path) -> None:
    before = contents(tmp_path / "notes")
    at(*MERGES, "--write")
    edited = tmp_path / "notes" / "stats-notation.md"
    edited.write_bytes(edited.read_bytes() + b"More.\n")
    code, out, err = at("undo", "notes")
    assert code == 1
    assert out.endswith("restored, 1 left alone\n")
    assert err.startswith(f"phrasemill: {Path('notes', 'stats-notation.md')}: changed since its tags were written")
    after = contents(tmp_path / "notes")
    assert {name for name in before if after[name] != before[name]} == {"stats-notation.md"}
    assert "machine-learning" in edited.read_text(encoding="utf-8")
    edited.write_bytes(edited.read_bytes().removesuffix(b"More.\n"))
    assert at("undo", "notes")[:2] == (0, "1 file restored\n")
    assert contents(tmp_path / "notes") == before


def test_each_write_is_undone_by_itself(at: Command, tmp_path: Path) -> None:
    before = contents(tmp_path / "notes")
    at(*MERGES, "--write")
    middle = {name: data for name, data in contents(tmp_path / "notes").items() if name in before}
    at("apply", "notes", "--with", "my.tags", "--threshold", "0.2", "--write")
    at("undo", "notes")
    assert {name: data for name, data in contents(tmp_path / "notes").items() if name in before} == middle
    at("undo", "notes")
    assert contents(tmp_path / "notes") == before
    assert at("undo", "notes")[0] == 2


def test_a_write_that_was_interrupted_can_be_undone(at: Command, tmp_path: Path) -> None:
    before = contents(tmp_path / "notes")
    at(*MERGES, "--write")
    (tmp_path / "notes" / "bread-rye.md").write_bytes(before["bread-rye.md"])  # as if it had not been reached
    (run_,) = (tmp_path / "notes" / ".phrasemill").iterdir()
    (run_ / "before" / "zucchini.md").write_bytes(b"half of a no")  # the copy of one that it was about to write
    assert at("undo", "notes")[0] == 0
    assert contents(tmp_path / "notes") == before


def test_tags_in_the_text_stay_and_are_counted(at: Command, tmp_path: Path) -> None:
    path = tmp_path / "notes" / "inline.md"
    path.write_text("About #ML and bread.\n", encoding="utf-8")
    out = at("apply", "notes/inline.md", "--with", "my.tags", "--no-suggestions")[1]
    assert out.endswith("1 #tag within texts left as they are\n")


def test_sidecars_hold_the_tags_of_any_document(at: Command, tmp_path: Path) -> None:
    page = tmp_path / "pages" / "bread.html"
    page.parent.mkdir()
    page.write_text("<title>Bread</title><p>Sourdough bread from a hot oven and a baking stone.</p>", encoding="utf-8")
    at("apply", "pages", "--with", "my.tags", "--to", "sidecar", "--threshold", "0.2", "--write")
    sidecar = tmp_path / "pages" / "bread.html.tags.json"
    assert "bread" in json.loads(sidecar.read_text(encoding="utf-8"))["tags"]
    assert at("undo", "pages")[0] == 0
    assert [path.name for path in page.parent.iterdir()] == ["bread.html"]


def test_a_table_holds_the_tags_of_all_documents(at: Command, tmp_path: Path) -> None:
    command = ("apply", "notes", "--with", "my.tags", "--no-suggestions", "--to", "csv", "-o", "tags.csv")
    assert at(*command)[0] == 0
    assert not (tmp_path / "tags.csv").exists()
    at(*command, "--write")
    rows = (tmp_path / "tags.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "document,tags"
    assert f"{Path('notes', 'stats-notation.md')},machine-learning; statistics" in rows
    assert len(rows) == 32


def test_files_that_cannot_be_changed_are_left_alone_with_a_reason(at: Command, tmp_path: Path) -> None:
    odd = {
        "alias.md": b"---\ntags: &x [ML]\nmore: *x\n---\n",
        "latin.md": b"---\ntags: [ML, caf\xe9]\n---\n",
        "toml.md": b"+++\ntags = ['ML']\n+++\n",
    }
    folder = tmp_path / "odd"
    folder.mkdir()
    for name, data in odd.items():
        (folder / name).write_bytes(data)
    code, _, err = at("apply", "odd", "--with", "my.tags", "--write")
    assert code == 1
    assert err.count("left alone") == 3
    assert contents(folder) == odd


@pytest.mark.parametrize("moment", [1, 2])  # while either copy goes to disk
def test_an_edit_while_the_tags_are_written_is_not_lost(
    at: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    note = tmp_path / "notes" / "stats-notation.md"
    saved, moments = os.fsync, iter(range(1, 10))

    def and_an_editor_saves(handle: int) -> None:
        if next(moments) == moment:
            note.write_text("My own words.\n", encoding="utf-8")
        saved(handle)

    monkeypatch.setattr(os, "fsync", and_an_editor_saves)
    code, _, err = at("apply", "notes/stats-notation.md", *MERGES[2:], "--write")
    assert (code, note.read_text(encoding="utf-8")) == (1, "My own words.\n")
    assert "changed while the tags were prepared, so it is left alone" in err
    assert not (tmp_path / "notes" / ".phrasemill").exists()


def test_a_sidecar_keeps_what_its_owner_wrote(at: Command, tmp_path: Path) -> None:
    sidecar = tmp_path / "notes" / "stats-notation.md.tags.json"
    own = {"rating": 5, "tags": ["mine", "ML"], "note": "meine Wörter"}
    sidecar.write_text(json.dumps(own), encoding="utf-8")
    command = ("apply", "notes/stats-notation.md", *MERGES[2:], "--to", "sidecar", "--write")
    assert at(*command)[0] == 0
    after = json.loads(sidecar.read_text(encoding="utf-8"))
    assert list(after.items()) == [
        ("rating", 5),
        ("tags", ["mine", "machine-learning", "statistics"]),
        *[*own.items()][2:],
    ]
    assert at(*command)[1].startswith("1 file read, 0 to change")
    assert at("undo", "notes")[0] == 0
    assert json.loads(sidecar.read_text(encoding="utf-8")) == own


@pytest.mark.parametrize("other", ['["mine"]', '{"tags": "mine"}', '{"tags": [1]}', '{"a": 1, "a": 2}', "mine", "\xff"])
def test_a_sidecar_that_is_not_ours_is_refused_by_name(at: Command, tmp_path: Path, other: str) -> None:
    sidecar = tmp_path / "notes" / "stats-notation.md.tags.json"
    sidecar.write_bytes(other.encode("latin-1"))
    code, _, err = at("apply", "notes/stats-notation.md", *MERGES[2:], "--to", "sidecar", "--write")
    assert code == 1
    assert err.startswith(f"phrasemill: {Path('notes', 'stats-notation.md.tags.json')}: is not JSON like")
    assert sidecar.read_bytes() == other.encode("latin-1")


def test_a_file_of_many_documents_gets_no_sidecar(at: Command, tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@misc{a, keywords = {ML}}\n@misc{b, keywords = {ML}}\n", encoding="utf-8")
    code, _, err = at("apply", "a.bib", *MERGES[2:], "--to", "sidecar", "--write")
    assert (code, err) == (1, "phrasemill: a.bib: has 2 documents, too many for a sidecar; use --to csv\n")
    at("apply", "a.bib", *MERGES[2:], "--to", "csv", "-o", "a.csv", "--write")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == "document,tags\na,machine-learning\nb,machine-learning\n"


def test_only_markdown_gets_front_matter_and_the_rest_is_named(at: Command, tmp_path: Path) -> None:
    others = {
        "a.txt": b"---\ntags: [ML]\n---\nBread.\n",
        "b.txt": b"Bread.\n",
        "c.bib": b"@misc{k, keywords = {Baking}}\n",
        "d.ris": b"TY  - JOUR\nKW  - Baking\nER  - \n",
    }
    for name, data in others.items():
        (tmp_path / "notes" / name).write_bytes(data)
    code, out, _ = at(*MERGES, "--write")
    assert code == 0
    assert {name: (tmp_path / "notes" / name).read_bytes() for name in others} == others
    left = (
        "no place for tags in 2 .txt, 1 .bib, 1 .ris: left as they are; --to sidecar or --to csv writes tags for them"
    )
    assert out.splitlines()[-2] == left
    code, _, err = at("apply", "notes/b.txt", *MERGES[2:])
    assert (code, err) == (2, "phrasemill: notes/b.txt: no files with a place for tags; try --to sidecar\n")


@POSIX
def test_a_link_stays_a_link(at: Command, tmp_path: Path) -> None:
    note, link = tmp_path / "notes" / "stats-notation.md", tmp_path / "notes" / "link.md"
    link.symlink_to(note)
    code, out, _ = at(*MERGES, "--write")
    assert code == 0 and "31 files read" in out
    assert link.is_symlink()
    assert "tags: [machine-learning, statistics]" in note.read_text(encoding="utf-8")
    assert at("undo", "notes")[0] == 0
    assert note.read_bytes() == (NOTES / "stats-notation.md").read_bytes()


@POSIX
@pytest.mark.parametrize("whole_folder", [False, True])
def test_notes_that_lie_elsewhere_are_refused_by_name(at: Command, tmp_path: Path, whole_folder: bool) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.md").write_bytes(b"---\ntags: [ML]\n---\n")
    link = tmp_path / "notes" / ("folder" if whole_folder else "a.md")
    link.symlink_to(elsewhere if whole_folder else elsewhere / "a.md")
    code, _, err = at(*MERGES, "--write")
    name = Path("notes", "folder", "a.md") if whole_folder else Path("notes", "a.md")
    assert code == 1
    assert err.startswith(f"phrasemill: {name}: leads to {(elsewhere / 'a.md').resolve()}, outside")
    assert contents(elsewhere) == {"a.md": b"---\ntags: [ML]\n---\n"}
    assert at("undo", "notes")[0] == 0


@POSIX
def test_a_note_with_a_second_name_is_left_alone(at: Command, tmp_path: Path) -> None:
    note, other = tmp_path / "notes" / "stats-notation.md", tmp_path / "other.md"
    before = note.read_bytes()
    other.hardlink_to(note)
    code, _, err = at("apply", "notes/stats-notation.md", *MERGES[2:], "--write")
    assert (code, note.read_bytes()) == (1, before)
    assert (
        err == f"phrasemill: {Path('notes', 'stats-notation.md')}: has another name, a hard link, so it is left alone\n"
    )


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="attributes")
def test_attributes_and_mode_are_kept(at: Command, tmp_path: Path) -> None:
    note = tmp_path / "notes" / "stats-notation.md"
    try:
        os.setxattr(note, "user.color", b"red")
    except OSError:
        pytest.skip("this file system has no attributes")
    note.chmod(0o604)
    for command in ((*MERGES, "--write"), ("undo", "notes")):
        assert at(*command)[0] == 0
        assert os.getxattr(note, "user.color") == b"red"
        assert note.stat().st_mode & 0o7777 == 0o604


@POSIX
def test_a_note_stays_its_owners(at: Command, tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files away")
    note = tmp_path / "notes" / "stats-notation.md"
    os.chown(note, 65534, 65533)
    for command in ((*MERGES, "--write"), ("undo", "notes")):
        assert at(*command)[0] == 0
        assert (note.stat().st_uid, note.stat().st_gid) == (65534, 65533)


@pytest.mark.parametrize("written", [0.0, 0.05, 0.5, 0.95, 1.0])
def test_a_note_that_was_half_written_is_restored(at: Command, tmp_path: Path, written: float) -> None:
    note = tmp_path / "notes" / "bread-rye.md"
    old = b"---\ntags: [machine learning, rye]\n---\nSlow baking.\n"
    for before, command in ((old, MERGES), (old.replace(b"machine learning", b"ML"), MERGES)):  # shorter, and longer
        note.write_bytes(before)
        assert at("apply", "notes/bread-rye.md", *command[2:], "--write")[0] == 0
        after = note.read_bytes()
        at_byte = int(written * len(after))
        note.write_bytes(after[:at_byte])
        assert at("undo", "notes")[0] == 0
        assert note.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"---\rtags: [ML]\r---\rBread.\r", "lines end with CR alone"),
        (b"---\ntags: [ML, 'a\x7fb']\n---\n", "line 2: the tags are left alone: not YAML: special characters"),
        (b"---\ntags: [ML]\n---\n", "is read-only"),
    ],
)
def test_what_cannot_be_written_well_is_refused_by_name(at: Command, tmp_path: Path, data: bytes, why: str) -> None:
    note = tmp_path / "one" / "odd.md"
    note.parent.mkdir()
    note.write_bytes(data)
    at("feedback", "one/odd.md", "--with", "my.tags", "--add", "bread")
    if why == "is read-only":
        note.chmod(0o444)
    code, _, err = at("apply", "one", *MERGES[2:4], "--threshold", "1", "--write")
    assert (code, note.read_bytes()) == (1, data)
    assert err.startswith(f"phrasemill: {Path('one', 'odd.md')}") and why in err


VICTIM = b"written by somebody else\n"


@POSIX
@pytest.mark.parametrize(
    "variant",
    ["folder", "file", "delete", "dots", "copies", "copy", "hidden", "run", "hard"],
)
def test_undo_of_notes_from_elsewhere_reaches_nothing_outside(at: Command, tmp_path: Path, variant: str) -> None:
    outside, evil = tmp_path / "outside", tmp_path / "evil"
    outside.mkdir()
    victim = outside / "victim.md"
    victim.write_bytes(VICTIM)
    run_ = evil / ".phrasemill" / "undo-000001"
    name = {"folder": "sub/victim.md", "delete": "sub/victim.md", "dots": "../outside/victim.md"}.get(variant, "n.md")
    for part, data in (("before", b"new\n"), ("after", VICTIM)):
        if not (variant == "delete" and part == "before"):
            (run_ / part / name).parent.mkdir(parents=True, exist_ok=True)
            (run_ / part / name).write_bytes(data)
    if variant in ("folder", "delete"):
        (evil / "sub").symlink_to(outside)
    elif variant == "file":
        (evil / "n.md").symlink_to(victim)
    elif variant == "hard":
        (evil / "n.md").hardlink_to(victim)
    elif variant in ("copies", "copy"):
        (evil / "n.md").write_bytes(VICTIM)
        place = run_ / "before" if variant == "copies" else run_ / "before" / "n.md"
        shutil.rmtree(place) if variant == "copies" else place.unlink()
        (outside / "n.md").write_bytes(b"a secret\n")
        place.symlink_to(outside if variant == "copies" else outside / "n.md")
    elif variant in ("hidden", "run"):
        (evil / "n.md").write_bytes(VICTIM)
        place = evil / ".phrasemill" if variant == "hidden" else run_
        place.rename(outside / "moved")
        place.symlink_to(outside / "moved")
    before = contents(outside)
    assert at("undo", "evil")[0] in (1, 2) or variant == "dots"
    assert contents(outside) == before
    assert not (evil / "n.md").exists() or (evil / "n.md").read_bytes() == VICTIM


@POSIX
def test_copies_are_not_put_where_a_link_leads(at: Command, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "notes" / ".phrasemill").symlink_to(tmp_path / "outside")
    before = contents(tmp_path / "notes")
    assert at(*MERGES, "--write")[0] == 1
    assert not [*(tmp_path / "outside").iterdir()]
    assert contents(tmp_path / "notes") == before
