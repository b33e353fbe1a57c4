"""Read files as streams of bytes, decompressed where gzip, xz or zstd compressed them, within bounds.

Compression is seen from the first bytes. Where such a file is damaged, what was decompressed before comes first, and
then an `InputError` says so: nothing is missing silently.
"""

import zlib
from bz2 import BZ2Decompressor
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from lzma import LZMADecompressor
from pathlib import Path
from typing import Any, BinaryIO, cast

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.opening import brief, open_file, reason

ENDINGS = (".gz", ".xz", ".zst")
GZIP, BZIP2, XZ, ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
NAMES = {GZIP: "gzip", BZIP2: "bzip2", XZ: "xz", ZSTD: "zstd"}
LONGEST_MAGIC = max(map(len, NAMES))
SKIPPABLE = tuple(bytes((0x50 + i, 0x2A, 0x4D, 0x18)) for i in range(16))  # frames of zstd without data
COMPRESSED_PIECE = 1 << 10  # bytes that are decompressed at a time; damage costs what the piece with it stood for
MOST_AT_ONCE = 1 << 20  # bytes out of one piece, where the library can stop there
# Text shrinks by ten, seldom by fifty. More than this, beyond an amount that does no harm, is a bomb.
LARGEST_RATIO = 500
DECOMPRESSED_FREELY = 16 << 20
XZ_MEMORY = 256 << 20  # a header may demand gigabytes; the strongest preset needs 65 MiB
# How much of a file is looked at to see what it is.
SNIFFED = 64 << 10
# The largest document that is read by default: a file that is one text, a line of JSON, a row.
LARGEST = 64 << 20
# A PDF, a Word document or a JSON list is read at once; it is larger than its text.
LARGEST_FILE = 1 << 30
# A line this many times larger than a document may be is not searched for its end.
MOST_SKIPPED = 16
FIRST, PIECE = 64 << 10, 4 << 20


class DamagedStreamError(InputError):
    """Compressed data that cannot be read on; the message lacks the name of the file."""


class DecompressedFile(RawIOBase):
    """The decompressed bytes of a file that begins with `magic`: of one compressed stream after the other."""

    def __init__(self, file: BinaryIO, magic: bytes) -> None:
        self._file, self._magic = file, magic
        self._stream = _decompressor(magic)
        self._fed = b""  # what follows the stream that just ended
        self._ready = memoryview(b"")
        self._count = self._packed = 0  # bytes that came out, and went in
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready and not self._ended:
            self._ready = memoryview(self._more())
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        self._count += size
        if self._count > max(DECOMPRESSED_FREELY, LARGEST_RATIO * self._packed):
            raise DamagedStreamError(f"decompresses to more than {LARGEST_RATIO} times its size; it looks like a bomb")
        return size

    def _more(self) -> bytes:
        """Return some more bytes; maybe none, though more follow."""
        if self._stream.eof:
            self._fed = self._stream.unused_data
            self._next_stream()
            return b""
        # xz and bzip2 keep what is beyond the bound; gzip and zstd have none, and expand less.
        bound = (MOST_AT_ONCE,) if hasattr(self._stream, "needs_input") else ()
        piece = b""
        if not bound or self._stream.needs_input:
            piece = self._piece()
            if not piece:
                name = NAMES[self._magic]
                raise DamagedStreamError(f"{name} data breaks off; the file was not copied or downloaded whole")
        try:
            return cast(bytes, self._stream.decompress(piece, *bound))
        except Exception as error:
            raise DamagedStreamError(f"damaged {NAMES[self._magic]} data ({brief(error)})") from error

    def _piece(self) -> bytes:
        if self._fed:
            piece, self._fed = self._fed, b""
            return piece
        data = self._file.read(COMPRESSED_PIECE)
        self._packed += len(data)
        return data

    def _next_stream(self) -> None:
        """Go on after the end of a stream: skip zeros that pad the file, and begin another stream, or end."""
        head = b""
        while len(head) < LONGEST_MAGIC and (piece := self._piece()):
            head = (head + piece).lstrip(b"\0")
        if not head:
            self._ended = True
        elif head.startswith((self._magic, *(SKIPPABLE if self._magic == ZSTD else ()))):
            self._stream, self._fed = _decompressor(self._magic), head
        else:
            start = self._packed - len(head)
            raise DamagedStreamError(f"from byte {start:,} on it is not {NAMES[self._magic]} data, which was not read")


def _decompressor(magic: bytes) -> Any:
    if magic == GZIP:
        return zlib.decompressobj(wbits=31)
    if magic != ZSTD:
        return BZ2Decompressor() if magic == BZIP2 else LZMADecompressor(memlimit=XZ_MEMORY)
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("zstandard", "zstd", purpose="reading .zst files") from None
    return zstandard.ZstdDecompressor().decompressobj()


def compression(start: bytes, *, kinds: tuple[bytes, ...] = (GZIP, XZ, ZSTD)) -> bytes | None:
    """Return the magic number of one of `kinds` that `start` begins with."""
    return next((magic for magic in kinds if start.startswith(magic)), None)


@contextmanager
def opened(path: Path | str, *, name: str) -> Iterator[BufferedReader]:
    """Open the file at `path` and decompress it; whatever is wrong with it becomes an `InputError`."""
    try:
        with open_file(path, buffering=SNIFFED) as raw, decompressed(raw, name=name) as file:
            yield file
    except OSError as error:
        raise InputError(f"{name}: {reason(error)}") from error
    except ValueError as error:  # a NUL in the name
        if "null" not in str(error):
            raise
        raise InputError(f"{name!r}: not a file name") from error


@contextmanager
def decompressed(raw: BinaryIO, *, name: str) -> Iterator[BufferedReader]:
    """Decompress `raw` if it is compressed; damage becomes an `InputError` that names the file."""
    file = raw if isinstance(raw, BufferedReader) else BufferedReader(cast(RawIOBase, raw), SNIFFED)
    try:
        magic = compression(file.peek(LONGEST_MAGIC))
        yield file if magic is None else BufferedReader(DecompressedFile(file, magic), SNIFFED)
    except DamagedStreamError as error:
        raise InputError(f"{name}: {error}") from error
    finally:
        if file is not raw and not raw.closed:
            file.detach()  # or else it would close what is not its own


def read_file(path: Path | str, *, largest: int) -> bytes:
    """Return all bytes of the file at `path`, decompressed; raise an `InputError` if it is too large or damaged."""
    name = str(path)
    with opened(path, name=name) as file:
        data = read_at_most(file, largest + 1)
        if len(data) > largest:
            raise InputError(f"{name}: larger than {size(largest)}")
    return data


def whole(file: BinaryIO, *, name: str, largest: int) -> bytes:
    """Return all bytes of a document's file; raise an `InputError` if there are more than `largest`."""
    data = read_at_most(file, largest + 1)
    if len(data) > largest:
        raise InputError(f"{name}: {too_large(largest)}")
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
    """Yield the lines with their numbers from 1 and with their ends; in place of one that is too long, an error."""
    number = 0
    while line := file.readline(largest + 1):
        number += 1
        if line.endswith(b"\n") or len(line) <= largest:
            yield number, line
        else:
            _skip_line(file, f"{name}, line {number}", largest)
            yield number, InputError(f"{name}, line {number}: {too_large(largest)}")


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
