"""Archives from outside: every kind is read, hostile ones are named and harm nothing."""

import bz2
import gzip
import lzma
import random
import tarfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from damage import tar, zipped
from made_files import encrypted
from phrasemill.files import streams
from phrasemill.readers import archives
from phrasemill.readers.archives import Damaged, members

LONG = "a-long-folder-name/" * 20 + "PMC3.nxml"
FILES = {"one/PMC1.nxml": b"<article/>", "PMC2.xml": b"x" * 2000, LONG: b"long", "picture.jpg": b"jpg"}
NOISE = random.Random(1).randbytes(100_000)
Pack = Callable[[dict[str, bytes]], bytes]


def read(path: Path, data: bytes, **options: int) -> dict[str, bytes | None]:
    path.write_bytes(data)
    return {member.name: member.data for member in members(path, (".nxml", ".xml"), **options)}


def in_pieces(files: dict[str, bytes]) -> bytes:
    data = tar(files)
    return lzma.compress(data[:600]) + bytes(8) + lzma.compress(data[600:])


def gnu(files: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, BytesIO(data))
    return buffer.getvalue()


KINDS: dict[str, Pack] = {
    "zip": zipped,
    "tar": tar,
    "gnu": gnu,
    "gz": lambda files: gzip.compress(tar(files)),
    "xz": lambda files: lzma.compress(tar(files)),
    "bz2": lambda files: bz2.compress(tar(files)),
    "pieces": in_pieces,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(tmp_path: Path, kind: str) -> None:
    whole = KINDS[kind](FILES)
    assert read(tmp_path / "a", whole) == {name: data for name, data in FILES.items() if not name.endswith("jpg")}
    assert read(tmp_path / "a", whole, largest=1000)["PMC2.xml"] is None


@pytest.mark.parametrize("name", ["../../evil.xml", "/etc/evil.xml", "..\\evil.xml"])
def test_paths_that_lead_out_are_only_names(tmp_path: Path, name: str) -> None:
    (tmp_path / "inside").mkdir()
    for pack in (tar, zipped):
        assert list(read(tmp_path / "inside" / "a", pack({name: b"<article/>"})).values()) == [b"<article/>"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "inside"]


def test_links_and_devices_are_passed_over(tmp_path: Path) -> None:
    buffer = BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo("a.xml")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    assert read(tmp_path / "a.tar", buffer.getvalue()) == {}


@pytest.mark.parametrize("kind", ["gz", "xz", "zip"])
def test_bombs_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(archives, "FREE", 1000)
    monkeypatch.setattr(streams, "DECOMPRESSED_FREELY", 1000)
    with pytest.raises(Damaged, match=r"expands|looks like a bomb"):
        read(tmp_path / "a", KINDS[kind]({f"{i}.xml": bytes(1 << 20) for i in range(4)}))


def endless_header() -> bytes:
    """`tarfile` would read an extended header of any size into memory."""
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, 1 << 40
    return info.tobuf(tarfile.GNU_FORMAT) + bytes(1024)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "cut off"),
        (b"no archive at all" * 100, "damaged, or cut off"),
        (b"\x1f\x8bnot gzip", "damaged gzip data|breaks off"),
        (b"\xfd7zXZ\x00bad", "damaged xz data|breaks off"),
        (b"PK\x03\x04bad", "not a zip file"),
        (endless_header(), "makes no sense"),
        (tar({"a.xml": b"1"}) + b"more", "more follows the end of the archive"),
    ],
    ids=range(7),
)
def test_what_is_no_archive(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(data)
    with pytest.raises(Damaged, match=why):
        list(members(path, (".xml",)))


@pytest.mark.parametrize("kind", ["gz", "xz", "tar"])
@pytest.mark.parametrize("place", ["within a file", "between two", "header"])
def test_a_damaged_archive_gives_what_came_before(tmp_path: Path, kind: str, place: str) -> None:
    whole = tar({"a.xml": b"first", "b.xml": NOISE, "c.xml": NOISE})
    at = whole.rindex(b"c.xml")
    damaged = {
        "within a file": whole[: at + 5_000],
        "between two": whole[:at],
        "header": whole[:at] + b"\xff" * 512 + whole[at + 512 :],
    }[place]
    path = tmp_path / "a.tar"
    path.write_bytes({"gz": gzip.compress, "xz": lzma.compress, "tar": bytes}[kind](damaged))
    reading = members(path, (".xml",))
    assert [next(reading).name, next(reading).name] == ["a.xml", "b.xml"]
    with pytest.raises(Damaged, match=r"unexpected end of data|damaged, or cut off"):
        list(reading)


def test_a_damaged_file_in_a_zip_does_not_lose_the_others(tmp_path: Path) -> None:
    whole = bytearray(zipped({"a.xml": NOISE, "b.xml": b"second"}))
    whole[1_000:1_100] = bytes(100)
    path = tmp_path / "a.zip"
    path.write_bytes(whole)
    first, second = members(path, (".xml",))
    assert (first.data, second.data) == (None, b"second")
    assert first.problem.startswith("damaged archive (")
    path.write_bytes(encrypted(zipped({"a.xml": b"1"})))
    assert [member.problem for member in members(path, (".xml",))] == ["encrypted with a password"]
