"""Compressed files: sound ones in any pieces, and those that are cut off, damaged, followed by something, or bombs."""

import gzip
import lzma
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from phrasemill.errors import InputError
from phrasemill.files import streams
from phrasemill.files.streams import decompressed, read_file

TEXT = b"".join(b"%d %d of the wells\n" % (i, i * i) for i in range(20_000))


def zstd(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(data))


KINDS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "xz": lzma.compress, "zstd": zstd}
every_kind = pytest.mark.parametrize("kind", KINDS)


def read(data: bytes) -> bytes:
    with decompressed(BytesIO(data), name="a.txt") as file:
        return file.read()


def read_lines(data: bytes) -> tuple[bytes, str]:
    """What comes before the damage, line by line, and the error."""
    found = b""
    with pytest.raises(InputError) as caught, decompressed(BytesIO(data), name="a.txt") as file:
        while line := file.readline():
            found += line
    return found, str(caught.value)


@every_kind
def test_sound_files(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = KINDS[kind]
    for piece in (1 << 10, 7):
        monkeypatch.setattr(streams, "COMPRESSED_PIECE", piece)
        monkeypatch.setattr(streams, "MOST_AT_ONCE", 100 * piece)
        assert read(pack(TEXT)) == TEXT
        assert read(pack(b"")) == b""
        assert read(pack(b"one ") + pack(b"two ") + pack(b"") + pack(b"three") + bytes(512)) == b"one two three"


def test_skippable_frames_of_zstd() -> None:
    frame = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"notes"
    assert read(zstd(b"one ") + frame + zstd(b"two")) == b"one two"


@every_kind
def test_bytes_after_the_end_are_named(kind: str) -> None:
    whole = KINDS[kind](TEXT)
    found, error = read_lines(whole + bytes(4) + b"<html>not found</html>")
    assert found == TEXT
    assert error == f"a.txt: from byte {len(whole) + 4:,} on it is not {kind} data, which was not read"


@every_kind
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_stream_that_breaks_off_gives_whole_lines_before_it(kind: str, share: float) -> None:
    whole = KINDS[kind](TEXT)
    found, error = read_lines(whole[: int(len(whole) * share)])
    assert TEXT.startswith(found)
    assert found.endswith(b"\n") or not found
    assert error == f"a.txt: {kind} data breaks off; the file was not copied or downloaded whole"


@every_kind
def test_a_damaged_second_stream_does_not_lose_the_first(kind: str) -> None:
    second = bytearray(KINDS[kind](TEXT))
    second[8:40] = b"\xff" * 32
    found, error = read_lines(KINDS[kind](TEXT) + bytes(second))
    assert found.startswith(TEXT)
    assert error.startswith(f"a.txt: damaged {kind} data (")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_bombs(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "DECOMPRESSED_FREELY", 1_000)
    with pytest.raises(InputError, match=r"a\.txt: decompresses to more than 500 times its size; it looks like a bomb"):
        read(pack(b"\n" * 10_000_000))


def test_xz_that_asks_for_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "XZ_MEMORY", 1 << 20)
    with pytest.raises(InputError, match=r"a\.txt: damaged xz data \(.*[Mm]emory"):
        read(lzma.compress(TEXT, preset=9))


def test_a_file_that_is_read_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(TEXT))
    assert read_file(path, largest=len(TEXT)) == TEXT
    with pytest.raises(InputError, match=r"a\.txt: larger than 1,000 bytes"):
        read_file(path, largest=1_000)
    path.write_bytes(gzip.compress(TEXT)[:-1])
    with pytest.raises(InputError, match=r"a\.txt: gzip data breaks off"):
        read_file(path, largest=len(TEXT))
