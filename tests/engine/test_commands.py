"""`phrasemill run`, as people meet it."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_process import phrasemill
from made_corpora import contents, records, write_jsonl
from phrasemill.cli import corpus as command
from phrasemill.cli import run

Command = Callable[..., tuple[int, str, str]]
MAPPING = "phrasemill: columns: id ← id, title ← title, text ← text\n"


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process, in a folder with a corpus; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "corpus.jsonl", records(12))

    def called(*arguments: str) -> tuple[int, str, str]:
        code = run(["run", *arguments])
        output = capsys.readouterr()
        return code, output.out, output.err

    return called


def test_a_run_ends_with_a_few_lines(at: Command) -> None:
    arguments = ("corpus.jsonl", "-o", "out/", "--jobs", "1", "-m", "firstphrases", "--top", "3", "--part-size", "5")
    code, out, err = at(*arguments)
    assert (code, err) == (0, MAPPING)
    first, second, third = out.splitlines()
    assert first.startswith("12 documents, ")
    assert "documents per second" in second
    assert third == "out/: 3 parts"
    code, out, _ = at(*arguments)
    assert code == 0
    assert "everything was done before" in out


def test_failures_show_in_the_exit_code(at: Command) -> None:
    with Path("corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write("no json\n")
    code, out, _ = at("corpus.jsonl", "-o", "out", "-j", "1", "-m", "firstphrases", "-f", "jsonl")
    assert code == 1
    assert "13 documents" in out
    assert "1 failed: their rows have an error" in out
    assert json.loads(Path("out/part-000000.jsonl").read_text(encoding="utf-8").splitlines()[-1]) == {
        "id": "corpus.jsonl:13",
        "error": "corpus.jsonl, line 13: is not JSON: Expecting value at column 1",
    }
    code, _, _ = at("corpus.jsonl", "-o", "out", "-j", "1", "-m", "firstphrases", "-f", "jsonl")
    assert code == 1


def test_each_mapping_of_columns_is_printed_once(at: Command) -> None:
    Path("other.csv").write_text("key,abstract\n1,Salt water.\n2,Fresh water.\n", encoding="utf-8")
    code, _, err = at("corpus.jsonl", "other.csv", "corpus.jsonl", "-o", "out", "-j", "1", "-m", "firstphrases")
    assert code == 0
    other = "phrasemill: columns: id ← file and line, text ← abstract\n"
    assert err == f"{MAPPING}{other}phrasemill: 12 documents have ids of earlier ones: d0, d1, d2, d3, d4 …\n"


def test_an_id_that_several_documents_have_is_named(at: Command) -> None:
    """In different parts and in one; also by a run that found everything done, or most of it."""
    ids = ["a", "b", "c", "a", "d", "a", "e", "f", "g", "g", "b"]
    write_jsonl(Path("corpus.jsonl"), [*({"id": one, "text": "Salt water."} for one in ids), {"id": "a"}])
    line = "phrasemill: 4 documents have ids of earlier ones: a, g, b\n"
    arguments = ("corpus.jsonl", "-o", "out", "-j", "1", "-m", "firstphrases", "-f", "jsonl", "--part-size", "2")
    for remove in ("", "out/part-000001.jsonl", ""):
        if remove:
            Path(remove).unlink()
        code, out, err = at(*arguments)
        assert code == 1
        assert out.startswith("12 documents, ")
        assert err.endswith(line)
        assert json.loads(Path("out/manifest.json").read_bytes())["counts"]["duplicates"] == 4
    write_jsonl(Path("corpus.jsonl"), [{"id": one, "text": "Salt water."} for one in ids[:4]])
    assert at("corpus.jsonl", "-o", "new", "-j", "1", "-m", "firstphrases")[2].endswith(
        "phrasemill: 1 document has the id of an earlier one: a\n"
    )


@pytest.mark.parametrize("part_size", ["1000", "30"])
def test_a_corpus_whose_first_hundred_records_lack_a_text_stops_the_run(at: Command, part_size: str) -> None:
    data = [{"id": str(n), "title": f"Title {n}", "wording": "Salt water."} for n in range(150)]
    write_jsonl(Path("corpus.jsonl"), data)
    code, out, err = at("corpus.jsonl", "-o", "out", "-m", "firstphrases", "--part-size", part_size)
    assert (code, out) == (2, "")
    assert "the first 100 records all failed for the same reason; the last one: corpus.jsonl, line " in err
    assert "no text field; it has id, title, wording; name one with --columns text=NAME" in err
    assert "Traceback" not in err
    if part_size == "1000":  # no part was written, so the folder can be used
        code, out, _ = at("corpus.jsonl", "-o", "out", "-m", "firstphrases", "--columns", "text=wording")
        assert (code, out.startswith("150 documents, ")) == (0, True)


def test_one_good_record_among_the_first_hundred_keeps_the_run_going(at: Command) -> None:
    data = [{"id": str(n), "wording": "Salt water."} for n in range(150)]
    data[99]["text"] = "Salt water moves inland."
    write_jsonl(Path("corpus.jsonl"), data)
    code, out, _ = at("corpus.jsonl", "-o", "out", "-j", "1", "-m", "firstphrases")
    assert code == 1
    assert "149 failed" in out


def test_a_document_beyond_the_bound_is_a_failure(at: Command) -> None:
    with Path("corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "long", "text": "salt " * 1000}) + "\n")
    code, out, _ = at("corpus.jsonl", "-o", "out", "-j", "1", "-m", "firstphrases", "-f", "jsonl", "--largest", "4k")
    assert code == 1
    assert "1 failed" in out
    assert "larger than 4,096 bytes" in Path("out/part-000000.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "run needs at least one INPUT: a file, a folder or an archive"),
        (["corpus.jsonl"], "run needs --output FOLDER for its results"),
        (["corpus.jsonl", "-o", "out", "--jobs", "two"], "--jobs must be a whole number; got 'two'"),
        (
            ["corpus.jsonl", "-o", "out", "--timeout", "soon"],
            "--timeout must be a number of seconds, 0 or more; got 'soon'",
        ),
        (
            ["corpus.jsonl", "-o", "out", "--timeout", "nan"],
            "--timeout must be a number of seconds, 0 or more; got 'nan'",
        ),
        (["corpus.jsonl", "-o", "out", "--part-size", "0"], "documents of a part must be at least 1, got 0"),
        (["corpus.jsonl", "-o", "out", "--engine", "cloud"], "engine must be one of local, ray; got 'cloud'"),
        (["corpus.jsonl", "-o", "out", "--new-terms"], "`new_terms` requires a `vocabulary`"),
        (["corpus.jsonl", "-o", "out", "--vocabulary", "gone.csv"], "gone.csv"),
        (["gone.jsonl", "-o", "out"], "gone.jsonl: no such file or folder"),
        (["corpus.jsonl", "-o", "."], ".: has files in it that are not of a run; name an empty or a new folder"),
    ],
)
def test_what_is_wrong_is_one_line(at: Command, arguments: list[str], message: str) -> None:
    code, out, err = at(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not Path("out").exists()


@pytest.mark.parametrize("format", ["jsonl", "bulk"])
def test_only_parquet_needs_pyarrow(tmp_path: Path, format: str) -> None:
    """Parts, failures, resuming and verifying, each in processes of its own."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden/sitecustomize.py").write_text("import sys\nsys.modules['pyarrow'] = None\n", encoding="utf-8")
    hidden = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "hidden"), *filter(None, [os.environ.get("PYTHONPATH")])])}
    write_jsonl(tmp_path / "corpus.jsonl", [*records(12), {"id": "no text"}])
    arguments = ("run", "corpus.jsonl", "-o", "out", "-j", "1", "-m", "firstphrases", "--part-size", "5")

    def called(*given: str) -> tuple[int, list[str], str]:
        done = phrasemill(*given, cwd=tmp_path, **hidden)
        return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()

    code, out, err = called(*arguments)
    assert (code, out) == (2, [])
    assert (
        err
        == "phrasemill: writing Parquet needs pyarrow: pip install 'phrasemill[parquet]', or choose the format jsonl\n"
    )
    code, out, _ = called(*arguments, "-f", format)
    assert code == 1
    where = "parts.jsonl names them" if format == "bulk" else "their rows have an error"
    assert out[0].endswith(f"; 1 failed: {where}")
    named = json.loads((tmp_path / "out/parts.jsonl").read_text(encoding="utf-8").splitlines()[-1]).get("errors")
    assert (named is not None) == (format == "bulk")
    made = contents(tmp_path / "out")
    assert [name for name in made if name.startswith("part-")] == [
        f"part-00000{number}.{format}" for number in range(3)
    ]
    (tmp_path / f"out/part-000001.{format}").unlink()
    assert called("verify", "out")[0] == 1
    assert called(*arguments, "-f", format)[0] == 1
    assert contents(tmp_path / "out") == made
    assert called("verify", "out")[1] == ["out: complete, 3 parts, 13 documents, all intact"]


def test_the_examples_are_right(at: Command) -> None:
    _make_inputs()
    lines = [line.strip() for line in command.EXAMPLES.splitlines() if line.startswith("  phrasemill run ")]
    for number, line in enumerate(line for line in lines if "s3://" not in line):
        arguments = shlex.split(line)[2:]
        arguments[arguments.index("-o") + 1] = f"out{number}"
        code, _, err = at(*arguments)
        assert code == 0, line
        assert all(one.startswith("phrasemill: columns: ") for one in err.splitlines()), line


def _make_inputs() -> None:
    import gzip
    import tarfile

    import pyarrow as pa
    from pyarrow import parquet

    Path("articles").mkdir()
    Path("articles/a.txt").write_text("Salt water.", encoding="utf-8")
    lines = b'{"id": "1", "text": "Salt water."}\n'
    Path("corpus.jsonl.gz").write_bytes(gzip.compress(lines))
    parquet.write_table(pa.table({"key": ["1"], "abstract": ["Salt water."]}), "papers.parquet")
    with tarfile.open("more.tar.gz", "w:gz") as archive:
        archive.add("articles/a.txt")


def test_a_bar_shows_rate_and_failures(tmp_path: Path) -> None:
    """On a terminal; what it says is plain text between the codes that draw it."""
    pty = pytest.importorskip("pty")
    path = write_jsonl(tmp_path / "corpus.jsonl", records(30))
    with path.open("a", encoding="utf-8") as file:
        file.write("no json\n")
    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-m", "phrasemill", "run", str(path), "-o", str(tmp_path / "out"), "-j", "1"]
    process = subprocess.Popen(
        [*arguments, "-m", "firstphrases", "--part-size", "4"],
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    drawn = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        drawn += piece
    os.close(ours)
    assert process.wait(timeout=60) == 1
    assert b"documents" in drawn
    assert b"per second" in drawn
