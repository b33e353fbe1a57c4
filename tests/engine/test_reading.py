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

from made_corpora import contents, rows
from phrasemill import engine
from phrasemill.engine.chunks import Plan
from phrasemill.engine.inputs import CorpusInputs
from phrasemill.errors import InputError, MissingExtra
from phrasemill.isolated import OUT_OF_MEMORY, TIMED_OUT
from poisoned import Poisoned

CRASHED = "its process crashed (SIGSEGV)"
ASKED = {"method": "firstphrases", "jobs": 1, "part": Plan(documents=4), "format": "jsonl"}


def texts(*words: str) -> bytes:
    return "".join(json.dumps({"id": word.lower(), "text": word}) + "\n" for word in words).encode()


def files(folder: Path, *words: str) -> Path:
    """A folder of files, one per text."""
    folder.mkdir()
    for number, word in enumerate(words):
        (folder / f"{number:02}.txt").write_text(word, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        ("CRASH", CRASHED),
        ("EXIT", "its process exited with code 3"),
        ("MEMORY", OUT_OF_MEMORY),
        ("HANG", TIMED_OUT),
        ("ERROR", "ValueError: the text says so"),
    ],
)
def test_a_file_that_harms_its_reader_is_one_failure(tmp_path: Path, harm: str, reason: str) -> None:
    folder = files(tmp_path / "in", "a1", "a2", harm, "a4", "a5", "a6")
    summary = engine.run(folder, tmp_path / "out", **ASKED, columns=Poisoned(), timeout=1.0)
    assert (summary.documents, summary.failed) == (6, 1)
    found = rows(tmp_path / "out")
    assert [one["id"] for one in found] == [f"{folder}/0{n}.txt" for n in range(6)]
    assert [one.get("error", "").removeprefix(f"{folder}/02.txt: ") for one in found] == ["", "", reason, "", "", ""]


@pytest.mark.parametrize("harm", ["CRASH", "EXIT"])
def test_a_reader_that_is_killed_for_once_costs_nothing(tmp_path: Path, harm: str) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    folder = files(tmp_path / "in", "a", "b", harm, "c", "d", "e")
    engine.run(folder, tmp_path / "out", **ASKED, columns=Poisoned(once=str(marks)))
    assert [path.name for path in marks.iterdir()] == [harm]
    engine.run(folder, tmp_path / "whole", **ASKED)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def packed(folder: Path, kind: str) -> Path:
    members = [("a.jsonl", texts("a1")), ("b.txt", b"CRASH"), ("c.jsonl", texts("c1", "c2")), ("d.txt", b"Wells.")]
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
    found = rows(tmp_path / "out")
    assert [one["id"] for one in found] == ["a1", f"{archive}:b.txt", "c1", "c2", f"{archive}:d.txt"]
    assert [one.get("error") for one in found] == [None, CRASHED, None, None, None]


def test_a_reader_that_is_not_installed_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else every PDF would be recorded as failed for good."""

    def lacking(data: bytes, **options: Any) -> None:
        raise MissingExtra("pypdfium2", "pdf", purpose="reading PDFs")

    monkeypatch.setattr("phrasemill.engine.inputs.read_all_bytes", lacking)
    with pytest.raises(MissingExtra, match="reading PDFs needs pypdfium2"):
        list(CorpusInputs([str(files(tmp_path / "in", "a"))]).documents())


def test_what_a_reader_of_records_does_not_expect_is_one_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(source: object, **options: Any) -> None:
        raise ValueError("odd\nbytes")

    monkeypatch.setattr("phrasemill.engine.inputs.read_all", broken)
    (tmp_path / "bad.jsonl").write_bytes(texts("a", "b"))
    [found] = CorpusInputs([str(tmp_path / "bad.jsonl")]).documents()
    assert found == (f"{tmp_path}/bad.jsonl:1", f"{tmp_path}/bad.jsonl: ValueError: odd bytes")


def test_files_in_another_language_than_the_one_asked_for_are_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "Salt water moves inland when pumps draw too much groundwater from the coastal aquifer. "
    engine.run(files(tmp_path / "in", text * 10), tmp_path / "out", **ASKED, language="de")
    assert "phrasemill: read as German (de), as requested, but the text is in English (en)\n" in capfd.readouterr().err


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
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell() > 100:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return super().read(min(size or 0, 600))

        def readinto(self, buffer: Any, /) -> int:
            data = self.read(len(buffer))
            buffer[: len(data)] = data
            return len(data)

    monkeypatch.setattr("phrasemill.engine.inputs.opened", lambda file: Failing(Path(file.path).read_bytes()))
    with pytest.raises(InputError, match=rf"{name}: Input/output error; nothing is lost, run again to resume"):
        list(CorpusInputs([str(tmp_path / name)]).items())


def test_the_bytes_of_all_chunks_are_those_of_the_inputs(tmp_path: Path) -> None:
    folder = files(tmp_path / "in", "a", "b")
    (folder / "c.jsonl").write_bytes(texts(*(f"c{n}" for n in range(9))))
    seen: list[tuple[int, int]] = []
    engine.run(folder, tmp_path / "out", **ASKED, progress=lambda now: seen.append((now.done, now.total)))
    size = sum(path.stat().st_size for path in folder.iterdir())
    assert seen[-1] == (size, size)
    assert seen == sorted(seen)


def test_a_folder_that_is_moved_while_it_is_read_is_one_line(tmp_path: Path) -> None:
    folder = files(tmp_path / "in", *(f"a{n}" for n in range(40)))
    moved = tmp_path / "elsewhere"
    with pytest.raises(InputError, match="no such file or folder"):
        engine.run(
            folder,
            tmp_path / "out",
            **ASKED,
            progress=lambda _: moved.exists() or os.rename(folder, moved),  # noqa: PTH104
        )
