"""Streams out of 7z archives, sound and otherwise."""

import random
import sys
import threading
from pathlib import Path

import pytest

from made_sevenzip import METHODS, archive, header_start, with_checksums
from phrasemill.errors import ConfigError
from phrasemill.readers import archives
from phrasemill.readers.archives import Damaged
from phrasemill_lab.datasets.building import sevenzip
from phrasemill_lab.datasets.building.sevenzip import member_stream

POSTS = "".join(f'<row Id="{i}" Body="well {i * i}" />\n' for i in range(30_000)).encode()
FILES = {"Badges.xml": b"<badges/>", "Posts.xml": POSTS, "Tags.xml": b"<tags/>"}


@pytest.mark.parametrize("packed_header", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_a_file_comes_out_whole(tmp_path: Path, method: str, packed_header: bool) -> None:
    path = tmp_path / "a.7z"
    path.write_bytes(archive(FILES, method=method, packed_header=packed_header))
    for name, data in FILES.items():
        assert b"".join(member_stream(path, name)) == data


def test_it_comes_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.7z"
    path.write_bytes(archive(FILES))
    assert max(map(len, member_stream(path, "Posts.xml"))) <= sevenzip.CHUNK < len(POSTS)


def test_no_thread_is_left_where_the_rest_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sevenzip, "CHUNK", 1000)
    path = tmp_path / "a.7z"
    path.write_bytes(archive(FILES))
    before = threading.active_count()
    stream = member_stream(path, "Posts.xml")
    assert next(stream) == POSTS[:1000]
    stream.close()
    assert threading.active_count() == before


def test_names_that_lead_elsewhere_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "in" / "a.7z"
    path.parent.mkdir()
    data = archive({"aa/bb/Posts.xml": b"<posts/>"})
    path.write_bytes(with_checksums(data.replace("aa/bb/".encode("utf-16-le"), "../../".encode("utf-16-le"))))
    with pytest.raises(Damaged, match=r"path is bad: \.\./\.\./Posts\.xml"):
        list(member_stream(path, "Posts.xml"))
    assert [found.name for found in tmp_path.rglob("*.xml")] == []


def test_the_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py7zr", None)
    with pytest.raises(ConfigError, match=r"pip install 'phrasemill-lab\[stackex\]'"):
        list(member_stream(tmp_path / "a.7z", "Posts.xml"))


def test_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.7z"
    whole = archive(FILES)
    for data, complaint in (
        (b"", "not a 7z file"),
        (b"x" * 100, "not a 7z file"),
        (whole[:-5], "exceeds the archive size"),
        (archive({"Users.xml": b"<users/>"}), "no Posts.xml"),
        (whole[:40] + bytes(50) + whole[90:], "damaged"),
        (archive(FILES, method="stored").replace(b"well 0", b"bell 0"), "wrong checksum"),
    ):
        path.write_bytes(data)
        with pytest.raises(Damaged, match=complaint):
            list(member_stream(path, "Posts.xml"))


def test_a_bomb_is_given_up_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE", 1000)
    path = tmp_path / "a.7z"
    path.write_bytes(archive({"Posts.xml": bytes(4 << 20)}))
    with pytest.raises(Damaged, match="expands"):
        next(member_stream(path, "Posts.xml"))


def test_a_large_window_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.7z"
    data = bytearray(archive(FILES))
    at = data.rindex(b"\x21\x21\x01")  # flags, LZMA2, one byte of properties: the window
    data[at + 3] = 38
    path.write_bytes(with_checksums(bytes(data)))
    with pytest.raises(Damaged, match="window"):
        list(member_stream(path, "Posts.xml"))


@pytest.mark.parametrize("seed", range(200))
def test_headers_of_nonsense_raise_nothing_else(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(archive({"Posts.xml": b"<posts/>"}, packed_header=seed % 2 == 0))
    for _ in range(chance.randint(1, 4)):
        data[chance.randrange(header_start(data), len(data))] = chance.randrange(256)
    path = tmp_path / "a.7z"
    path.write_bytes(with_checksums(bytes(data)))
    try:
        list(member_stream(path, "Posts.xml"))
    except Damaged as error:
        assert "\n" not in str(error)
