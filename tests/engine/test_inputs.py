"""What a run finds in folders, and what it refuses to open."""

import os
import sys
from pathlib import Path

import pytest

import damage
from phrasemill.engine.file_systems import files
from phrasemill.engine.inputs import CorpusInputs, Reading, Unread
from phrasemill.errors import InputError
from phrasemill.files.folders import Found
from phrasemill.readers import Fields
from phrasemill.types import Document

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are those of POSIX")


def read(corpus: CorpusInputs) -> tuple[list[Document], list[str]]:
    """The documents, and why the others could not be read."""
    found = list(corpus.documents())
    return [one for one in found if isinstance(one, Document)], [one.reason for one in found if isinstance(one, Unread)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "b").mkdir(parents=True)
    (folder / "a.txt").write_bytes(b"Salt water.")
    (folder / "b" / "c.txt").write_bytes(b"Old pumps.")
    return folder


def test_links_in_a_circle_and_pipes_are_failures_and_the_rest_is_read(folder: Path) -> None:
    (folder / "b" / "up").symlink_to(folder)
    (folder / "loop.txt").symlink_to("loop.txt")
    os.mkfifo(folder / "pipe.txt")
    corpus = CorpusInputs([str(folder)])
    assert corpus.snapshot().inputs[0].files == 5
    documents, reasons = read(corpus)
    assert [one.text for one in documents] == ["Salt water.", "Old pumps."]
    assert reasons == [
        f"{folder}/b/up: is a symbolic link to a folder that it lies in, and was not followed",
        f"{folder}/loop.txt: is a symbolic link that leads back to itself",
        f"{folder}/pipe.txt: is a named pipe, not a file",
    ]


@pytest.mark.parametrize("name", ["pipe.txt", "/dev/zero", "loop.txt"])
def test_what_is_no_file_is_refused_by_name(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    os.mkfifo("pipe.txt")
    Path("loop.txt").symlink_to("loop.txt")
    with pytest.raises(InputError, match=f"{name}: is "):
        CorpusInputs([name]).snapshot()


def test_a_file_by_name_whatever_its_kind(folder: Path) -> None:
    (folder / "notes").write_bytes(b"Salt water.")
    assert [*files(str(folder / "notes"))] == [Found(str(folder / "notes"), 11)]
    assert [*files(str(folder), wanted=lambda name: name == "notes")] == [Found(str(folder / "notes"), 11)]


def test_the_mapping_and_the_bound_reach_the_readers(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"key": 1, "body": "Salt."}\n{"key": 2, "body": "%s"}\n' % (b"a" * 100))
    mapped: list[Fields] = []
    good, bad = CorpusInputs([str(tmp_path)], Reading(largest=60)).documents(mapped.append)
    assert [str(one) for one in mapped] == ["id ← file and line, text ← body"]
    assert isinstance(good, Document)
    assert isinstance(bad, Unread)
    assert "larger than 60 bytes" in bad.reason


def test_a_damaged_file_in_a_zip_does_not_lose_the_others(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a", "b", "c"):
            archive.writestr(f"{name}.txt", f"Salt water of well {name}.")
    path.write_bytes(path.read_bytes().replace(b"well b", b"hell b"))
    documents, (reason,) = read(CorpusInputs([str(path)]))
    assert [one.text.split()[-1] for one in documents] == ["a.", "c."]
    assert reason.startswith(f"{path}:b.txt: damaged archive (Bad CRC-32")


def test_a_tar_that_breaks_off_gives_every_file_before(tmp_path: Path) -> None:
    import gzip
    import zlib

    whole = gzip.compress(damage.tar({f"{i:03}.txt": b"Salt water %03d" % i for i in range(200)}))
    path = tmp_path / "a.tar.gz"
    path.write_bytes(whole[: len(whole) // 2])
    complete = len(zlib.decompressobj(31).decompress(whole[: len(whole) // 2])) // 1024
    documents, reasons = read(CorpusInputs([str(path)]))
    assert len(documents) in (complete, complete + 1)
    assert reasons == [f"{path}: gzip data breaks off; the file was not copied or downloaded whole"]
    path.write_bytes(whole + b"trailing")
    documents, reasons = read(CorpusInputs([str(path)]))
    assert len(documents) == 200
    assert "it is not gzip data" in reasons[-1]
