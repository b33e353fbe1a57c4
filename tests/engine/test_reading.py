"""Files that crash or hang whoever reads them: one failure each, the same at every restart; the rest comes out."""

import errno
import gzip
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from made_corpora import contents, harmful
from phrasemill import engine
from phrasemill.engine import reading
from phrasemill.engine.chunks import Plan
from phrasemill.engine.inputs import CorpusInputs
from phrasemill.engine.reading import ChunkReader, ChunkRequest, ReaderProcess
from phrasemill.engine.session import RunProgress
from phrasemill.engine.walk import Cut, Position, Walk, WalkObserver
from phrasemill.errors import InputError, PhrasemillError
from phrasemill.workers import TIMED_OUT
from poisoned import Poisoned

CRASHED = "its process crashed (SIGSEGV)"
ASKED = {"method": "firstphrases", "jobs": 1, "part": Plan(documents=4), "format": "jsonl"}


def lines(folder: Path, name: str) -> list[dict[str, str]]:
    return [json.loads(line) for path in sorted(folder.glob(name)) for line in path.read_text().splitlines()]


def ids(folder: Path) -> list[str]:
    return [line["id"] for line in lines(folder, "part-*")]


def failures(folder: Path) -> list[tuple[str, str]]:
    """The end of each id, and the reason without the name of the file."""
    found = lines(folder, "failures.jsonl")
    return [(one["id"].rpartition("/")[2], one["reason"].partition(": ")[2]) for one in found]


def texts(*words: str) -> bytes:
    return "".join(json.dumps({"id": word.lower(), "text": word}) + "\n" for word in words).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files, of which the second breaks off its reading."""
    made = tmp_path / "in"
    made.mkdir()
    (made / "a.jsonl").write_bytes(texts("a1", "a2", "a3"))
    (made / "b.jsonl").write_bytes(texts("b1", "b2", "CRASH", "b4"))
    (made / "c.jsonl").write_bytes(texts(*(f"c{n}" for n in range(9))))
    return made


REST = [f"c{n}" for n in range(9)]


def test_a_file_that_crashes_its_reader_is_one_failure(tmp_path: Path, folder: Path) -> None:
    """Before, the run died with it, at every start."""
    summary = engine.run(folder, tmp_path / "out", **ASKED, columns=Poisoned())
    assert ids(tmp_path / "out") == ["a1", "a2", "a3", "b1", "b2", *REST]
    assert failures(tmp_path / "out") == [("b.jsonl:3", f"reading it failed after 2 records: {CRASHED}")]
    assert (summary.documents, summary.failed) == (15, 1)


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        ("EXIT", "its process exited with code 3"),
        ("MEMORY", "ran out of memory"),
        ("HANG", TIMED_OUT),
    ],
)
def test_so_is_one_that_hangs_or_takes_all_memory(tmp_path: Path, harm: str, reason: str) -> None:
    (tmp_path / "bad.jsonl").write_bytes(texts(harm, "b"))
    (tmp_path / "good.jsonl").write_bytes(texts("c"))
    inputs = [tmp_path / "bad.jsonl", tmp_path / "good.jsonl"]
    engine.run(inputs, tmp_path / "out", **ASKED, columns=Poisoned(), timeout=1.0)
    assert ids(tmp_path / "out") == ["c"]
    assert failures(tmp_path / "out") == [("bad.jsonl:1", f"reading it failed: {reason}")]


def test_a_reader_that_fails_in_python_is_one_failure(tmp_path: Path) -> None:
    """Not only those errors that readers raise on purpose."""
    (tmp_path / "bad.jsonl").write_bytes(texts("a", "ERROR", "b"))
    (tmp_path / "good.jsonl").write_bytes(texts("c"))
    inputs = [tmp_path / "bad.jsonl", tmp_path / "good.jsonl"]
    engine.run(inputs, tmp_path / "out", **ASKED, columns=Poisoned())
    assert ids(tmp_path / "out") == ["a", "c"]
    assert failures(tmp_path / "out") == [("bad.jsonl:2", "ValueError: the text says so")]


@pytest.mark.parametrize("harm", ["CRASH", "HANG"])
def test_a_reader_that_is_killed_or_stopped_for_a_while_costs_nothing(tmp_path: Path, harm: str) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_bytes(texts("a", "b", harm, "c", "d", "e"))
    asked = ASKED | {"timeout": 1.0}
    engine.run(corpus, tmp_path / "out", **asked, columns=Poisoned(once=str(marks)))
    assert [path.name for path in marks.iterdir()] == [harm]
    engine.run(corpus, tmp_path / "whole", **asked)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def packed(folder: Path, kind: str) -> Path:
    members = [("a.jsonl", texts("a1")), ("b.jsonl", texts("b1", "CRASH")), ("c.jsonl", texts("c1", "c2"))]
    if kind == "zip":
        with zipfile.ZipFile(folder / "all.zip", "w") as archive:
            for name, data in members:
                archive.writestr(name, data)
        return folder / "all.zip"
    with tarfile.open(folder / "all.tar.gz", "w:gz") as tar:
        for name, data in members:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return folder / "all.tar.gz"


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_in_an_archive_only_the_member_is_lost(tmp_path: Path, kind: str) -> None:
    archive = packed(tmp_path, kind)
    engine.run(archive, tmp_path / "out", **ASKED, columns=Poisoned())
    assert ids(tmp_path / "out") == ["a1", "b1", "c1", "c2"]
    why = f"reading it failed after 1 record: {CRASHED}"
    assert failures(tmp_path / "out") == [(f"{archive.name}:b.jsonl:2", why)]


def test_a_restart_cuts_where_the_first_session_did(tmp_path: Path, folder: Path) -> None:
    """Even if the file could now be read: chunks that are done lie behind it."""
    engine.run(folder, tmp_path / "whole", **ASKED, columns=Poisoned())
    marks = tmp_path / "marks"
    marks.mkdir()

    def stop(progress: RunProgress) -> None:
        if (tmp_path / "out" / "part-000002.jsonl").exists():
            raise InterruptedError

    def cut() -> list[dict[str, object]]:
        found: list[dict[str, object]] = json.loads((tmp_path / "out" / "manifest.json").read_text())["cuts"]
        return found

    asked = ASKED | {"columns": Poisoned(once=str(marks))}
    with pytest.MonkeyPatch.context() as patch, pytest.raises(InterruptedError):
        patch.setattr(reading, "ATTEMPTS", 1)
        engine.run(folder, tmp_path / "out", **asked, progress=stop)
    assert cut() == [{"file": 1, "member": 0, "done": 2, "reason": CRASHED}]
    (tmp_path / "out" / "part-000001.jsonl").unlink()
    assert (marks / "CRASH").exists(), "from now on it can be read"
    engine.run(folder, tmp_path / "out", **asked)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert len(cut()) == 1
    (tmp_path / "out" / "part-000001.jsonl").unlink()
    engine.run(folder, tmp_path / "out", **asked)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_what_was_read_before_is_not_cut(tmp_path: Path, folder: Path) -> None:
    """Parts that are done would lose their documents; it may go well next time."""
    marks = tmp_path / "marks"
    marks.mkdir()
    (marks / "CRASH").touch()
    asked = ASKED | {"columns": Poisoned(once=str(marks))}

    def stop(progress: RunProgress) -> None:
        if (tmp_path / "out" / "part-000002.jsonl").exists():
            raise InterruptedError

    with pytest.raises(InterruptedError):
        engine.run(folder, tmp_path / "out", **asked, progress=stop)
    (marks / "CRASH").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "ATTEMPTS", 1)
        with pytest.raises(PhrasemillError, match=r"an input that was read before cannot be read now .*; nothing is"):
            engine.run(folder, tmp_path / "out", **asked)
    engine.run(folder, tmp_path / "out", **asked)
    assert failures(tmp_path / "out") == []


def test_where_nothing_can_be_read_the_run_ends_with_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the reader dies of something that no cut avoids."""
    corpus = harmful(tmp_path / "corpus.jsonl", ["CRASH"])
    cut = Cut(0, 0, 5, "another reason")  # further than it comes
    source = ReaderProcess(CorpusInputs([str(corpus)], columns=Poisoned()), Plan(), timeout=0, cuts=[cut], on_cut=print)
    with pytest.raises(PhrasemillError, match=r"the inputs cannot be read: its process crashed \(SIGSEGV\)"):
        list(source.chunks(lambda number: False))
    source.close()


def test_reading_that_makes_progress_is_not_timed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is for the time without a record and without a byte."""
    alarms: list[float] = []
    monkeypatch.setattr(reading, "alarm", alarms.append)
    with tarfile.open(tmp_path / "all.tar", "w") as tar:
        for number in range(20):
            member = tarfile.TarInfo(f"{number}.bin")
            member.size = 1 << 17
            tar.addfile(member, io.BytesIO(bytes(1 << 17)))
    with (tmp_path / "page").open("w+b") as page:
        page.truncate(reading.PAGE.size)
        corpus = CorpusInputs([str(tmp_path / "all.tar")])
        read = reading.ReadTask(corpus, Plan(), 60.0, page.name).prepare()
        assert read(ChunkRequest(0, Position(), 0, (), False)).chunk is None
    assert len(alarms) > 20
    assert alarms[-1] == 0.0


def _parquet(data: bytes) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist([json.loads(line) for line in data.splitlines()]), sink)
    return sink.getvalue()


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.jsonl.gz", "a.parquet", "all.tar.gz", "all.zip"])
def test_what_the_system_cannot_read_is_not_taken_for_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It stops the run, which can go on when the disk works again; a failure would lose the rest of the file."""
    data = texts(*(f"word{n}" for n in range(50)))
    packed(tmp_path, "tar")
    packed(tmp_path, "zip")
    made = {"a.jsonl.gz": gzip.compress(data), "a.parquet": _parquet(data)}
    if not name.startswith("all"):
        (tmp_path / name).write_bytes(made.get(name, data))

    class Failing(io.BytesIO):
        def readinto(self, buffer: Any, /) -> int:
            if self.tell() >= 100 or len(buffer) > 100:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return super().readinto(buffer)

    monkeypatch.setattr("phrasemill.engine.walk.opened", lambda file: Failing(Path(file.path).read_bytes()))
    with pytest.raises(InputError, match=rf"{name}: Input/output error; nothing is lost, run again to resume"):
        list(CorpusInputs([str(tmp_path / name)]).records())


# Walks


def everything(names: list[str], plan: Plan) -> list[tuple[Position, list[tuple[str, str, int]]]]:
    """Where each chunk begins, and its records."""
    reader, place, found = ChunkReader(CorpusInputs(names), plan), Position(), []
    while True:
        delivery = reader.read(ChunkRequest(len(found), place, 0, (), True))
        if delivery.chunk is None:
            return found
        found.append((place, [one[:3] for one in delivery.chunk.records]))
        place = delivery.end


def test_a_walk_can_begin_at_every_chunk(tmp_path: Path) -> None:
    """Files with several records, with bad ones, archives, one that breaks off, a document."""
    (tmp_path / "a.jsonl").write_bytes(texts("a1", "a2") + b"no json\n" + texts("a3"))
    archive = packed(tmp_path, "tar")
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(archive.read_bytes()[:-40])
    (tmp_path / "d.txt").write_text("Salt water.", encoding="utf-8")
    names = [str(tmp_path / name) for name in ("a.jsonl", archive.name, broken.name, "d.txt")]
    whole = [record for _, chunk in everything(names, Plan()) for record in chunk]
    assert len(whole) >= 10
    starts = everything(names, Plan(documents=1))
    for number, (place, _) in enumerate(starts):
        rest = ChunkReader(CorpusInputs(names), Plan()).read(ChunkRequest(7, place, 0, (), True)).chunk
        assert rest is not None
        records = [one[:3] for one in rest.records]
        assert sorted(records) == sorted(record for _, chunk in starts[number:] for record in chunk)


def test_slow_reading_is_delivered_as_it_comes_and_goes_on_elsewhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a fresh reader for each delivery, as after its death: the same chunks, and nothing is read twice."""
    plan, names = Plan(documents=4), [str(folder)]
    whole = everything(names, plan)
    monkeypatch.setattr(reading, "SPELL", 0.0)
    found, wanted = [], ChunkRequest(0, Position(), 0, (), False)
    while (one := ChunkReader(CorpusInputs(names), plan).read(wanted)).chunk or one.records:
        if one.chunk is not None:
            found.append((one.chunk.number, [record[:3] for record in one.chunk.records]))
            wanted = ChunkRequest(wanted.number + 1, one.end, one.read, (), False)
        else:
            assert len(one.records) == 1
            wanted = wanted._replace(start=one.end, held=(*wanted.held, *one.records))
    assert found == [(number, records) for number, (_, records) in enumerate(whole)]


def test_the_bytes_of_all_chunks_are_those_of_the_inputs(folder: Path) -> None:
    reader, read, weights = ChunkReader(CorpusInputs([str(folder)]), Plan(documents=2)), 0, []
    place = Position()
    while (found := reader.read(ChunkRequest(len(weights), place, read, (), True))).chunk is not None:
        weights.append(found.chunk.weight)
        place, read = found.end, found.read
    assert sum(weights) == sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.parametrize("cut", [Cut(1, 0, 2, CRASHED), Cut(1, 0, 0, CRASHED)])
def test_a_walk_can_begin_and_end_at_a_cut(folder: Path, cut: Cut) -> None:
    """One record at a time, each by a fresh reader."""
    found: list[str] = []
    wanted = ChunkRequest(0, Position(), 0, (cut,), True)
    while (one := ChunkReader(CorpusInputs([str(folder)]), Plan(documents=1)).read(wanted)).chunk is not None:
        found += [record.reason.partition(": ")[2] or record.id for record in one.chunk.records]
        wanted = ChunkRequest(wanted.number + 1, one.end, one.read, (cut,), True)
    why = f"reading it failed{' after 2 records' if cut.done else ''}: {CRASHED}"
    assert found == ["a1", "a2", "a3", *["b1", "b2"][: cut.done], why, *REST]


def test_a_cut_of_an_archive_keeps_the_members_before_it(tmp_path: Path) -> None:
    archive = packed(tmp_path, "zip")
    corpus = CorpusInputs([str(archive)])
    walk: Walk = corpus.walk(Position(), [Cut(0, 0, 1, CRASHED)], WalkObserver())
    found = [(record.document.id if record.document else record.reason) for record in walk.records()]
    assert found == ["a1", f"{archive}: reading it failed after 1 file: {CRASHED}"]


def test_input_errors_come_through(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").write_bytes(texts("a1"))
    (tmp_path / "in" / "b.jsonl").symlink_to(tmp_path / "in" / "a.jsonl")
    source = ReaderProcess(CorpusInputs([str(tmp_path / "in")]), Plan(), timeout=0, cuts=(), on_cut=print)
    os.rename(tmp_path / "in", tmp_path / "elsewhere")  # noqa: PTH104
    with pytest.raises(InputError, match="no such file or folder"):
        list(source.chunks(lambda number: False))
    source.close()
