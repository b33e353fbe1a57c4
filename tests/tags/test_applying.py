"""Tags written back: nothing without `--write`, nothing but the tags, and everything restored by undo."""

import json
import os
import shutil
from pathlib import Path

import pytest

import phrasemill as pm
from cli_process import Command
from phrasemill.cli import run

NOTES = Path(__file__).parent / "notes"
BIBTEX = "@article{a,\n  title = {Sourdough bread},\n  keywords = {Baking},\n  year = 2020\n}\n% a comment\n"
RIS = "TY  - JOUR\r\nTI  - Sourdough bread\r\nKW  - Baking\r\nKW  - bread\r\nER  - \r\n"


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of tags in which all merges are accepted."""
    path = tmp_path_factory.mktemp("learned") / "my.tags"
    tags = pm.Tags.learn(NOTES)
    tags.accept([one for one in tags.review() if one.new])
    tags.save(path)
    return path


@pytest.fixture
def at(tmp_path: Path, learned: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    shutil.copytree(NOTES, tmp_path / "notes")
    shutil.copy(learned, tmp_path / "my.tags")
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(["tags", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return command


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
    (journal,) = (tmp_path / "notes" / ".phrasemill").iterdir()
    journal.write_bytes(journal.read_bytes() + b'{"file": "half a li')
    assert at("undo", "notes")[0] == 0
    assert contents(tmp_path / "notes") == before


@pytest.mark.parametrize("name", ["../my.tags", "/etc/hostname"])
def test_a_journal_reaches_no_file_outside(at: Command, tmp_path: Path, name: str) -> None:
    at(*MERGES, "--write")
    (journal,) = (tmp_path / "notes" / ".phrasemill").iterdir()
    entry = json.loads(journal.read_bytes().splitlines()[0]) | {"file": name}
    journal.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    code, _, err = at("undo", "notes")
    assert code == 2
    assert "damaged; nothing more is undone" in err


def test_tags_in_the_text_stay_and_are_counted(at: Command, tmp_path: Path) -> None:
    path = tmp_path / "notes" / "inline.md"
    path.write_text("About #ML and bread.\n", encoding="utf-8")
    out = at("apply", "notes/inline.md", "--with", "my.tags", "--no-suggestions")[1]
    assert out.endswith("1 #tag within texts left as they are\n")


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("library.bib", BIBTEX, BIBTEX.replace("{Baking}", "{baking}")),
        ("library.ris", RIS, RIS.replace("KW  - Baking", "KW  - baking")),
    ],
)
def test_bibliographies_are_changed_in_place(at: Command, tmp_path: Path, name: str, before: str, after: str) -> None:
    path = tmp_path / name
    path.write_bytes(before.encode())
    assert at("apply", name, "--with", "my.tags", "--no-suggestions", "--write")[0] == 0
    assert path.read_bytes() == after.encode()
    assert at("undo", ".")[0] == 0
    assert path.read_bytes() == before.encode()


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
        "anchor.md": b"---\ntags: &x [ML]\n---\n",
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


def test_a_file_that_changes_meanwhile_is_left_alone(tmp_path: Path) -> None:
    from phrasemill.tags.applying import Change, write
    from phrasemill.tags.undo import Journal

    path = tmp_path / "a.md"
    path.write_bytes(b"now")
    failures: list[Exception] = []
    assert write([Change(path, b"then", b"new")], Journal(tmp_path), failures.append) == 0
    assert "changed while the tags were prepared" in str(failures[0])
    assert contents(tmp_path) == {"a.md": b"now"}


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_stays_a_link(at: Command, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.md"
    real.write_text("---\ntags: [ML]\n---\n", encoding="utf-8")
    (tmp_path / "notes" / "link.md").symlink_to(real)
    at("apply", "notes", "--with", "my.tags", "--no-suggestions", "--write")
    assert (tmp_path / "notes" / "link.md").is_symlink()
    assert real.read_text(encoding="utf-8") == "---\ntags: [machine-learning]\n---\n"
