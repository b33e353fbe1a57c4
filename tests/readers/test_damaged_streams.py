"""Records of compressed files that are damaged: those before the damage are read, and the damage is one failure."""

import gzip
import lzma
from collections.abc import Callable

import pytest

from phrasemill.errors import InputError
from phrasemill.readers import read_all_bytes, read_bytes

RECORDS = 3_000
LINES = b"".join(b'{"id": "d%d", "text": "Well %d of %d."}\n' % (i, i, i * i) for i in range(RECORDS))
ROWS = b"id,text\n" + b"".join(b"d%d,Well %d of %d.\n" % (i, i, i * i) for i in range(RECORDS))


def zstd(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(data))


COMPRESS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstd}
every_kind = pytest.mark.parametrize("kind", COMPRESS)
each_format = pytest.mark.parametrize(("name", "data"), [("a.jsonl", LINES), ("a.csv", ROWS)])


def read(data: bytes, name: str) -> tuple[list[str], list[str]]:
    """The ids that are read, and what is complained about, the error of the file last."""
    errors: list[str] = []
    found = []
    try:
        for document in read_all_bytes(data, name=name, report=lambda error: errors.append(str(error))):
            found.append(document.id)
    except InputError as error:
        errors.append(str(error))
    return found, errors


def ids(count: int) -> list[str]:
    return [f"d{i}" for i in range(count)]


@every_kind
@each_format
def test_bytes_after_the_end(kind: str, name: str, data: bytes) -> None:
    whole = COMPRESS[kind](data)
    found, errors = read(whole + b"trailing bytes", name)
    assert found == ids(RECORDS)
    assert len(errors) == 1
    assert errors[0].startswith(f"{name}: from byte {len(whole):,} on it is not ")


@every_kind
@each_format
def test_a_file_that_breaks_off(kind: str, name: str, data: bytes) -> None:
    whole = COMPRESS[kind](data)
    found, errors = read(whole[: len(whole) * 3 // 4], name)
    assert found == ids(len(found))
    assert len(errors) == 1
    assert "data breaks off; the file was not copied or downloaded whole" in errors[0]
    if kind == "gz":  # which gives out what it has byte by byte
        import zlib

        start = zlib.decompressobj(31).decompress(whole[: len(whole) * 3 // 4])
        assert len(found) == start.count(b"\n") - data.startswith(b"id,")


@each_format
def test_the_last_line_is_read_if_only_the_checksum_is_missing(name: str, data: bytes) -> None:
    found, errors = read(gzip.compress(data)[:-8], name)
    assert found == ids(RECORDS)
    assert len(errors) == 1


def test_a_last_line_that_is_cut_off_is_no_record() -> None:
    """Without its end the line would be a sound record of another text."""
    data = b"id,text\n1,one\n2,two and a half\n"
    whole = gzip.compress(data, compresslevel=0)
    found, errors = read(whole[: whole.index(b" and")], "a.csv")
    assert found == ["1"]
    assert len(errors) == 1


def test_zeros_after_the_end_are_padding() -> None:
    assert read(gzip.compress(LINES) + bytes(1000), "a.jsonl") == (ids(RECORDS), [])


@every_kind
def test_a_damaged_second_member(kind: str) -> None:
    half = LINES.index(b'{"id": "d1500"')
    second = bytearray(COMPRESS[kind](LINES[half:]))
    second[6 : len(second) // 2] = b"\xff" * (len(second) // 2 - 6)
    found, errors = read(COMPRESS[kind](LINES[:half]) + bytes(second), "a.jsonl")
    assert found[:1500] == ids(1500)
    assert errors


@every_kind
def test_one_document(kind: str) -> None:
    """A text that breaks off is another text; one that is followed by something is whole."""
    whole = COMPRESS[kind](b"Salt in wells. " * 100)
    assert read(whole[:-20], "a.txt")[0] == []
    found, errors = read(whole + b"more", "a.txt")
    assert found == ["a.txt"]
    assert len(errors) == 1
    with pytest.raises(InputError, match="data breaks off"):
        read_bytes(whole[:-20], name="a.txt")


def test_json_that_is_not_in_lines() -> None:
    whole = gzip.compress(b'[{"id": "a", "text": "one"},\n{"id": "b", "text": "two"}]')
    assert read(whole[:-12], "a.json") == (
        ["a"],
        ["a.json: gzip data breaks off; the file was not copied or downloaded whole"],
    )
