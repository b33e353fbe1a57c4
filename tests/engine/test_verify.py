"""Complete means verified: what was deleted, emptied or damaged is found, and made again."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import in_process
from made_corpora import contents, records, write_jsonl
from phrasemill import engine
from phrasemill.cli import run as command
from phrasemill.engine import store
from phrasemill.engine.chunks import Plan
from phrasemill.engine.runs import RunProgress
from phrasemill.errors import InputError

Harm = Callable[[Path], None]
FORMATS = ["parquet", "jsonl"]
PARTS = 4


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = write_jsonl(tmp_path / "corpus.jsonl", records(11))
    with path.open("a", encoding="utf-8") as file:
        file.write("no json\n")
    return path


def done(corpus: Path, output: Path | str, format: str = "jsonl", **options: object) -> engine.Summary:
    asked = {"method": "firstphrases", "part": Plan(documents=3), "format": format, "timeout": 0}
    return engine.run(corpus, output, **asked, engine=in_process.Executor, **options)


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    """One bit, so that the length stays."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def extend(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")


HARMS = [delete, empty, flip, extend]


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("format", FORMATS)
def test_parts_that_were_harmed_are_made_again(tmp_path: Path, corpus: Path, format: str, harm: Harm) -> None:
    first = done(corpus, tmp_path / "out", format)
    before = contents(tmp_path / "out")
    harm(tmp_path / "out" / f"part-000001.{format}")
    again = done(corpus, tmp_path / "out", format)
    assert contents(tmp_path / "out") == before
    assert again.worked == 3
    assert (again.documents, again.failed, again.keyphrases) == (first.documents, first.failed, first.keyphrases)
    assert done(corpus, tmp_path / "out", format).worked == 0


def test_a_part_is_not_made_again_from_other_records(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where the change is between the samples that are compared."""
    monkeypatch.setattr("phrasemill.engine.inputs.SAMPLE", 1)
    done(corpus, tmp_path / "out")
    corpus.write_bytes(corpus.read_bytes().replace(b"farm 4", b"firm 4"))
    delete(tmp_path / "out" / "part-000001.jsonl")
    with pytest.raises(InputError, match=r"has changed since the run began \(records of part 1\)"):
        done(corpus, tmp_path / "out")


@pytest.mark.parametrize("harm", HARMS)
def test_the_list_of_parts_is_made_again_too(tmp_path: Path, corpus: Path, harm: Harm) -> None:
    done(corpus, tmp_path / "out")
    before = contents(tmp_path / "out")
    harm(tmp_path / "out" / "parts.jsonl")
    again = done(corpus, tmp_path / "out")
    assert contents(tmp_path / "out") == before
    assert again.worked == 12


def stopped(corpus: Path, output: Path) -> Path:
    """A run that was interrupted after its third part; returns the folder of the part_records."""

    def stop(progress: RunProgress) -> None:
        if progress.documents >= 9:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        done(corpus, output, progress=stop)
    return output / store.WORK


@pytest.mark.parametrize("harm", HARMS)
def test_parts_of_an_interrupted_run_that_were_harmed_are_made_again(tmp_path: Path, corpus: Path, harm: Harm) -> None:
    done(corpus, tmp_path / "whole")
    stopped(corpus, tmp_path / "out")
    harm(tmp_path / "out" / "part-000001.jsonl")
    assert done(corpus, tmp_path / "out").worked == 12 - 6
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    "note", [b"", b"{", b"[]", b"null", b"\xff\x00", b'{"name": "part-000001.jsonl"}', b'["a", 1, 2, [[1]]]']
)
def test_a_broken_note_is_made_again(tmp_path: Path, corpus: Path, note: bytes) -> None:
    """Before, the run ended with a traceback, at every start."""
    done(corpus, tmp_path / "whole")
    work = stopped(corpus, tmp_path / "out")
    (work / "part-000001.json").write_bytes(note)
    assert done(corpus, tmp_path / "out").worked == 12 - 6
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_note_of_another_part_is_not_believed(tmp_path: Path, corpus: Path) -> None:
    done(corpus, tmp_path / "whole")
    work = stopped(corpus, tmp_path / "out")
    shutil.copy(work / "part-000000.json", work / "part-000001.json")
    assert done(corpus, tmp_path / "out").worked == 12 - 6
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_part_that_vanishes_while_the_run_is_at_work_is_not_called_complete(tmp_path: Path, corpus: Path) -> None:
    def delete_first(progress: RunProgress) -> None:
        (tmp_path / "out" / "part-000000.jsonl").unlink(missing_ok=True)

    with pytest.raises(InputError, match=r"part-000000.jsonl was changed during the run; run again"):
        done(corpus, tmp_path / "out", progress=delete_first)
    assert done(corpus, tmp_path / "out").worked == 3
    done(corpus, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize("complete", [False, True])
def test_parts_that_are_not_of_the_run_are_refused(tmp_path: Path, corpus: Path, complete: bool) -> None:
    if complete:
        done(corpus, tmp_path / "out")
    else:
        stopped(corpus, tmp_path / "out")
    foreign = tmp_path / "out" / "part-000009.jsonl"
    foreign.write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"part-000009.jsonl is not part of this run; move it elsewhere and run again"):
        done(corpus, tmp_path / "out")
    foreign.unlink()
    assert done(corpus, tmp_path / "out").documents == 12


def test_the_list_of_parts_tells_what_is_in_each(tmp_path: Path, corpus: Path) -> None:
    summary = done(corpus, tmp_path / "out")
    listed = [json.loads(line) for line in (tmp_path / "out" / "parts.jsonl").read_text().splitlines()]
    assert [one["name"] for one in listed] == [f"part-00000{n}.jsonl" for n in range(PARTS)]
    assert [one["bytes"] for one in listed] == [(tmp_path / "out" / one["name"]).stat().st_size for one in listed]
    assert [one["documents"] for one in listed] == [3, 3, 3, 3]
    assert [one["failed"] for one in listed] == [0, 0, 0, 1]
    assert sum(one["keyphrases"] for one in listed) == summary.keyphrases


# The command


Verify = Callable[..., tuple[int, str, str]]


@pytest.fixture
def verified(tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    """Runs the command over a run that is complete; returns the exit code, the output and the errors."""
    done(corpus, tmp_path / "out")

    def called(folder: object = tmp_path / "out") -> tuple[int, str, str]:
        code = command(["verify", str(folder)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def test_verify_says_that_all_is_well(tmp_path: Path, verified: Verify) -> None:
    before = sorted(path.name for path in (tmp_path / "out").iterdir())
    said = (0, f"{tmp_path / 'out'}: complete, 4 parts, 12 documents, all intact\n", "")
    assert verified() == said
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == before


def test_verify_names_what_is_not(tmp_path: Path, verified: Verify) -> None:
    delete(tmp_path / "out" / "part-000000.jsonl")
    empty(tmp_path / "out" / "part-000001.jsonl")
    flip(tmp_path / "out" / "part-000002.jsonl")
    (tmp_path / "out" / "part-000009.jsonl").write_bytes(b"")
    code, out, err = verified()
    assert (code, err) == (1, "")
    assert out == (
        f"{tmp_path / 'out'}: not intact: part-000000.jsonl (missing), part-000001.jsonl (damaged), "
        "part-000002.jsonl (damaged), part-000009.jsonl (not part of this run); "
        "run the same command again to make them again\n"
    )


def test_verify_names_twenty_at_most(tmp_path: Path, verified: Verify) -> None:
    for number in range(10, 40):
        (tmp_path / "out" / f"part-{number:06}.jsonl").write_bytes(b"")
    code, out, _ = verified()
    assert code == 1
    assert out.count("part-") == 20
    assert "and 10 more" in out


def test_verify_tells_what_is_no_complete_run(tmp_path: Path, corpus: Path, verified: Verify) -> None:
    stopped(corpus, tmp_path / "stopped")
    other = store.open_store(str(tmp_path / "out"))
    other.begin()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "manifest.json").write_text('{"name": "an app"}', encoding="utf-8")
    for folder, message in (
        ("out", "another run is using this folder"),
        ("stopped", "is not complete (3 parts done so far); run the same command again to resume"),
        ("nothing", "contains no run: there is no manifest.json"),
        ("theirs", "not the manifest of a run"),
        ("corpus.jsonl", "is a file, not a folder for results"),
    ):
        code, out, err = verified(tmp_path / folder)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
    other.close()
    assert not (tmp_path / "nothing").exists()


def test_verify_needs_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["verify"]) == 2
    assert capsys.readouterr().err == "phrasemill: verify needs a FOLDER: the --output folder of a run\n"


def test_verify_looks_into_object_stores(corpus: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    try:
        done(corpus, "memory://verified/out")
        assert engine.verify("memory://verified/out").intact
        before = {path: memory.cat_file(path) for path in memory.find("/verified/out") if "manifest" not in path}
        memory.pipe_file("/verified/out/part-000001.jsonl", b"")
        memory.rm_file("/verified/out/part-000002.jsonl")
        found = engine.verify("memory://verified/out").flaws
        assert found == (("part-000001.jsonl", "damaged"), ("part-000002.jsonl", "missing"))
        assert done(corpus, "memory://verified/out").worked == 6
        after = {path: memory.cat_file(path) for path in memory.find("/verified/out") if "manifest" not in path}
        assert after == before
    finally:
        memory.rm("/verified", recursive=True)
