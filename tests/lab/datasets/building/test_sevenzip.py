"""Streams out of 7z archives, sound and otherwise."""

import random
import stat
import zlib
from pathlib import Path

import pytest

from made_sevenzip import archive
from phrasemill.lab.datasets.building.sevenzip import stream
from phrasemill.readers import archives, sevenzip
from phrasemill.readers.archives import Damaged

POSTS = "".join(f'<row Id="{i}" Body="well {i * i}" />\n' for i in range(30_000)).encode()
FILES = {"Badges.xml": b"<badges/>", "Posts.xml": POSTS, "Tags.xml": b"<tags/>"}


@pytest.mark.parametrize("packed_header", [False, True])
@pytest.mark.parametrize("method", ["stored", "lzma", "lzma2", "bzip2", "deflate"])
def test_a_file_comes_out_whole(tmp_path: Path, method: str, packed_header: bool) -> None:
    path = tmp_path / "a.7z"
    path.write_bytes(archive(FILES, method=method, packed_header=packed_header))
    for name, data in FILES.items():
        assert b"".join(stream(path, name)) == data


def test_it_comes_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.7z"
    path.write_bytes(archive(FILES))
    assert max(map(len, stream(path, "Posts.xml"))) <= sevenzip.CHUNK < len(POSTS)


def test_names_are_only_names(tmp_path: Path) -> None:
    path = tmp_path / "in" / "a.7z"
    path.parent.mkdir()
    path.write_bytes(archive({"../../Posts.xml": b"<posts/>"}))
    assert b"".join(stream(path, "Posts.xml")) == b"<posts/>"
    assert [found.name for found in tmp_path.rglob("*.xml")] == []


def test_other_methods_go_through_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.7z"
    path.write_bytes(archive(FILES, method="ppmd"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Damaged, match="install 7-Zip or bsdtar"):
        list(stream(path, "Posts.xml"))
    program = tmp_path / "7z"
    program.write_text("#!/bin/sh\necho unpacked $5\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    assert b"".join(stream(path, "Posts.xml")) == b"unpacked Posts.xml\n"
    program.write_text("#!/bin/sh\necho half\nexit 2\n", encoding="utf-8")
    with pytest.raises(Damaged, match="exit code 2"):
        list(stream(path, "Posts.xml"))


def test_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.7z"
    whole = archive(FILES)
    for data, complaint in (
        (b"", "not a 7z archive"),
        (b"x" * 100, "not a 7z archive"),
        (whole[:-5], "damaged or cut off"),
        (archive({"Users.xml": b"<users/>"}), "no Posts.xml"),
        (whole[:40] + bytes(50) + whole[90:], "damaged"),
        (archive(FILES, method="stored").replace(b"well 0", b"bell 0"), "wrong checksum"),
    ):
        path.write_bytes(data)
        with pytest.raises(Damaged, match=complaint):
            list(stream(path, "Posts.xml"))


def test_a_bomb_is_given_up_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE", 1000)
    path = tmp_path / "a.7z"
    path.write_bytes(archive({"Posts.xml": bytes(4 << 20)}))
    with pytest.raises(Damaged, match="swells"):
        next(stream(path, "Posts.xml"))


def test_a_large_window_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.7z"
    data = bytearray(archive(FILES))
    at = data.rindex(b"\x21\x21\x01\x08")  # flags, LZMA2, one byte of properties: the window
    data[at + 3] = 38
    offset = 32 + int.from_bytes(data[12:20], "little")
    data[28:32] = zlib.crc32(data[offset:]).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(Damaged, match="window"):
        list(stream(path, "Posts.xml"))


@pytest.mark.parametrize("seed", range(200))
def test_headers_of_nonsense_raise_nothing_else(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(archive({"Posts.xml": b"<posts/>"}, packed_header=seed % 2 == 0))
    offset = 32 + int.from_bytes(data[12:20], "little")
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(offset, len(data))] = chance.randrange(256)
    data[28:32] = zlib.crc32(data[offset:]).to_bytes(4, "little")
    path = tmp_path / "a.7z"
    path.write_bytes(data)
    try:
        list(stream(path, "Posts.xml"))
    except Damaged as error:
        assert "\n" not in str(error)
