"""Archives from outside: every kind is read, hostile ones are named and harm nothing."""

import bz2
import gzip
import io
import lzma
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from phrasemill.files import streams
from phrasemill.readers import archives
from phrasemill.readers.archives import Damaged, members

LONG = "a-long-folder-name/" * 20 + "PMC3.nxml"
FILES = {"one/PMC1.nxml": b"<article/>", "PMC2.xml": b"x" * 2000, LONG: b"long", "picture.jpg": b"jpg"}


def tarred(files: dict[str, bytes], *, format: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=format) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def read(path: Path, data: bytes, **options: int) -> dict[str, bytes | None]:
    path.write_bytes(data)
    return {member.name: member.data for member in members(path, (".nxml", ".xml"), **options)}


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT], ids=["pax", "gnu"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress])
def test_every_kind_of_tar(tmp_path: Path, pack, format: int) -> None:  # type: ignore[no-untyped-def]
    found = read(tmp_path / "a.tar", pack(tarred(FILES, format=format)))
    assert found == {name: data for name, data in FILES.items() if not name.endswith("jpg")}


def test_zip(tmp_path: Path) -> None:
    assert read(tmp_path / "a.zip", zipped(FILES)) == {n: d for n, d in FILES.items() if not n.endswith("jpg")}


def test_concatenated_and_padded_xz(tmp_path: Path) -> None:
    data = tarred({"a.xml": b"1" * 700})
    assert read(tmp_path / "a.txz", lzma.compress(data[:600]) + bytes(8) + lzma.compress(data[600:])) == {
        "a.xml": b"1" * 700
    }


@pytest.mark.parametrize("name", ["../../evil.xml", "/etc/evil.xml", "..\\evil.xml"])
def test_paths_that_lead_out_are_only_names(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    for pack in (tarred, zipped):
        found = read(inside / "a", pack({name: b"<article/>"}))
        assert list(found.values()) == [b"<article/>"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "inside"]


def test_links_and_devices_are_passed_over(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo("a.xml")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    assert read(tmp_path / "a.tar", buffer.getvalue()) == {}


@pytest.mark.parametrize("pack", [tarred, zipped])
def test_members_beyond_the_limit_have_no_data(tmp_path: Path, pack) -> None:  # type: ignore[no-untyped-def]
    found = read(tmp_path / "a", pack({"big.xml": b"x" * 5000, "small.xml": b"y"}), largest=1000)
    assert found == {"big.xml": None, "small.xml": b"y"}


def test_bombs_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE", 1000)
    monkeypatch.setattr(streams, "DECOMPRESSED_FREELY", 1000)
    bomb = {f"{i}.xml": bytes(1 << 20) for i in range(4)}
    for data in (gzip.compress(tarred(bomb)), lzma.compress(tarred(bomb)), zipped(bomb)):
        with pytest.raises(Damaged, match=r"expands|looks like a bomb"):
            read(tmp_path / "a", data)


def test_an_endless_header_is_not_read(tmp_path: Path) -> None:
    """`tarfile` would read an extended header of any size into memory."""
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, 1 << 40
    with pytest.raises(Damaged, match="makes no sense"):
        read(tmp_path / "a.tar", info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))


def test_xz_that_asks_for_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "XZ_MEMORY", 1 << 20)
    with pytest.raises(Damaged, match=r"[Mm]emory"):
        read(tmp_path / "a.tar.xz", lzma.compress(tarred({"a.xml": b"1"}), preset=9))


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bytes])
def test_a_cut_off_archive_gives_what_came_before(tmp_path: Path, pack) -> None:  # type: ignore[no-untyped-def]
    noise = random.Random(1).randbytes(100_000)
    whole = pack(tarred({"a.xml": b"first", "b.xml": noise, "c.xml": noise}))
    path = tmp_path / "a.tar"
    path.write_bytes(whole[: len(whole) * 2 // 3])
    found = members(path, (".xml",))
    assert next(found).name == "a.xml"
    with pytest.raises(Damaged):
        list(found)


@pytest.mark.parametrize(
    "data", [b"", b"no archive at all" * 100, b"\x1f\x8bnot gzip", b"\xfd7zXZ\x00bad", b"PK\x03\x04bad"]
)
def test_what_is_no_archive(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(data)
    with pytest.raises(Damaged):
        list(members(path, (".xml",)))
