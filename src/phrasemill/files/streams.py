"""Read files as streams of bytes, decompressed where gzip, xz or zstd compressed them, within bounds.

Compression is seen from the first bytes. Where such a file is damaged, everything before the damage is read, and
`damage` tells what is wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, cast

from phrasemill.errors import InputError
from phrasemill.files.decompression import LONGEST_MAGIC, Damage, DecompressedFile, compression
from phrasemill.files.opening import open_file, reason

ENDINGS = (".gz", ".xz", ".zst")
# How much of a file is looked at to see what it is.
SNIFFED = 64 << 10
# The largest document that is read by default: a file that is one text, a line of JSON, a row.
LARGEST = 64 << 20
# A PDF or a Word document is read at once; pictures make it larger than its text.
LARGEST_FILE = 1 << 30
# A line this many times larger than a document may be is not searched for its end.
MOST_SKIPPED = 16
FIRST, PIECE = 64 << 10, 4 << 20


@contextmanager
def opened(path: Path | str, *, name: str) -> Iterator[BufferedReader]:
    """Open the file at `path` and decompress it; whatever is wrong with it becomes an `InputError`."""
    try:
        with open_file(path, buffering=SNIFFED) as raw, decompressed(raw) as file:
            yield file
    except OSError as error:
        raise InputError(f"{name}: {reason(error)}") from error
    except ValueError as error:  # a NUL in the name
        if "null" not in str(error):
            raise
        raise InputError(f"{name!r}: not a file name") from error


@contextmanager
def decompressed(raw: BinaryIO) -> Iterator[BufferedReader]:
    """Decompress `raw` if it is compressed."""
    file = raw if isinstance(raw, BufferedReader) else BufferedReader(cast(RawIOBase, raw), SNIFFED)
    try:
        magic = compression(file.peek(LONGEST_MAGIC))
        yield file if magic is None else BufferedReader(DecompressedFile(file, magic), SNIFFED)
    finally:
        if file is not raw and not raw.closed:
            file.detach()  # or else it would close what is not its own


def damage(file: BinaryIO) -> Damage | None:
    """Return why a compressed file ended before its time, as far as it has been read."""
    raw = getattr(file, "raw", None)
    return raw.damage if isinstance(raw, DecompressedFile) else None


def refuse_damage(file: BinaryIO, *, name: str, cut: bool = False) -> None:
    """Raise an `InputError` where a compressed file is damaged; with `cut` only where some of its data is missing."""
    found = damage(file)
    if found is not None and (found.cut or not cut):
        raise InputError(f"{name}: {found.reason}")


def read_file(path: Path | str, *, largest: int) -> bytes:
    """Return all bytes of the file at `path`, decompressed; raise an `InputError` if it is too large or damaged."""
    name = str(path)
    with opened(path, name=name) as file:
        data = read_at_most(file, largest + 1)
        if len(data) > largest:
            raise InputError(f"{name}: larger than {size(largest)}")
        refuse_damage(file, name=name)
    return data


def whole(file: BinaryIO, *, name: str, largest: int) -> bytes:
    """Return all bytes of a file; raise an `InputError` if there are more than `largest`, or if some are missing."""
    data = read_at_most(file, largest + 1)
    if len(data) > largest:
        raise InputError(f"{name}: {too_large(largest)}")
    refuse_damage(file, name=name, cut=True)
    return data


def read_at_most(file: BinaryIO, count: int) -> bytes:
    """Return the next bytes of a file, up to `count` of them; only what is there takes memory."""
    pieces: list[bytes] = []
    wanted = min(count, FIRST)
    while wanted and (piece := file.read(wanted)):
        pieces.append(piece)
        count -= len(piece)
        wanted = min(count, PIECE)
    return b"".join(pieces) if len(pieces) != 1 else pieces[0]


def lines(file: BinaryIO, *, name: str, largest: int = LARGEST) -> Iterator[tuple[int, bytes | InputError]]:
    """Yield the lines with their numbers from 1 and with their ends; in place of one that is too long, an error.

    Of a file that breaks off, the last line is left out unless it is complete.
    """
    number = 0
    while line := file.readline(largest + 1):
        number += 1
        if line.endswith(b"\n"):
            yield number, line
        elif len(line) > largest:
            _skip_line(file, f"{name}, line {number}", largest)
            yield number, InputError(f"{name}, line {number}: {too_large(largest)}")
        elif (found := damage(file)) is None or not found.cut:
            yield number, line


def _skip_line(file: BinaryIO, where: str, largest: int) -> None:
    """Read to the end of a line, unless it never ends."""
    for _ in range(MOST_SKIPPED):
        rest = file.readline(largest + 1)
        if not rest or rest.endswith(b"\n"):
            return
    raise InputError(f"{where}: longer than {size(MOST_SKIPPED * largest)}; the rest of the file was not read")


def too_large(largest: int) -> str:
    """Describe what is wrong with a document beyond the bound, and what to do."""
    return f"larger than {size(largest)}, the largest document that is read; --largest sets another bound"


def size(count: int) -> str:
    """Write a number of bytes as people do."""
    return f"{count >> 20:,} MiB" if count >= 1 << 20 else f"{count:,} bytes"
