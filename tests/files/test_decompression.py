"""Compressed files that are cut off, damaged, padded or followed by something else."""

import bz2
import gzip
import lzma
from io import BufferedReader, BytesIO
from random import Random

import pytest

from phrasemill.files.decompression import BZIP2, GZIP, XZ, ZSTD, Damage, DecompressedFile

TEXT = b"".join(b"%d %d of the wells\n" % (i, i * i) for i in range(20_000))
KINDS = {"gzip": GZIP, "bzip2": BZIP2, "xz": XZ, "zstd": ZSTD}


def compressed(kind: str, data: bytes) -> bytes:
    if kind == "zstd":
        return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(data))
    return {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}[kind](data)


def read(kind: str, data: bytes) -> tuple[bytes, Damage | None]:
    stream = DecompressedFile(BytesIO(data), KINDS[kind])
    return BufferedReader(stream).read(), stream.damage


every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_sound_files(kind: str) -> None:
    assert read(kind, compressed(kind, TEXT)) == (TEXT, None)
    assert read(kind, compressed(kind, b"")) == (b"", None)


@every_kind
def test_several_streams_and_zeros_after_them(kind: str) -> None:
    data = compressed(kind, b"one ") + compressed(kind, b"two ") + compressed(kind, b"")
    assert read(kind, data + compressed(kind, b"three") + bytes(512)) == (b"one two three", None)


@every_kind
def test_bytes_after_the_stream_are_named(kind: str) -> None:
    whole = compressed(kind, TEXT)
    found, damage = read(kind, whole + bytes(4) + b"<html>not found</html>")
    assert found == TEXT
    assert damage == Damage(f"from byte {len(whole) + 4:,} on it is not {kind} data, which was not read", cut=False)


@every_kind
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_stream_that_breaks_off_gives_what_came_before(kind: str, share: float) -> None:
    whole = compressed(kind, TEXT)
    found, damage = read(kind, whole[: int(len(whole) * share)])
    assert TEXT.startswith(found)
    assert damage is not None
    assert damage.cut
    assert damage.reason.startswith(f"{kind} data breaks off")


def test_nothing_of_a_gzip_stream_that_breaks_off_is_lost() -> None:
    """The library itself is the oracle: fed all at once, it gives all that the bytes stand for."""
    import zlib

    whole = compressed("gzip", TEXT)
    for cut in Random(1).sample(range(20, len(whole) - 8), 30):
        assert read("gzip", whole[:cut])[0] == zlib.decompressobj(31).decompress(whole[:cut])


def test_all_of_a_gzip_stream_comes_before_a_wrong_checksum() -> None:
    whole = compressed("gzip", TEXT)
    found, damage = read("gzip", whole[:-8] + b"\0\0\0\0" + whole[-4:])
    assert found == TEXT
    assert damage == Damage("damaged gzip data (Error -3 while decompressing data: incorrect data check)", cut=True)


@every_kind
def test_a_damaged_second_stream_does_not_lose_the_first(kind: str) -> None:
    second = bytearray(compressed(kind, Random(1).randbytes(50_000)))
    second[8:40] = b"\xff" * 32
    found, damage = read(kind, compressed(kind, TEXT) + second)
    assert found.startswith(TEXT)
    assert damage is not None
    assert damage.cut


@every_kind
def test_sizes_around_that_of_a_piece(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phrasemill.files.decompression.MOST_AT_ONCE", 1000)
    for size in (999, 1000, 1001, 2000, 5000):
        assert read(kind, compressed(kind, bytes(size))) == (bytes(size), None)


def test_skippable_frames_of_zstd() -> None:
    frame = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"notes"
    assert read("zstd", compressed("zstd", b"one ") + frame + compressed("zstd", b"two")) == (b"one two", None)


def test_zeros_without_end_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phrasemill.files.decompression.MOST_PADDING", 1 << 16)

    class Endless(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            assert size
            return super().read(size) or bytes(size)

    stream = DecompressedFile(Endless(compressed("gzip", b"text")), GZIP)
    assert BufferedReader(stream).read() == b"text"
