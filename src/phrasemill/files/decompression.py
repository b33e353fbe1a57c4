"""Decompress gzip, xz, bzip2 and zstd as streams that keep whatever can be read.

The libraries' own file objects raise an error in the middle of a read, and what was decompressed just before is lost
with it. Here damage ends the stream: first comes every byte before it, then the end, and `damage` tells what is wrong.
"""

from contextlib import suppress
from io import RawIOBase
from typing import Any, BinaryIO, NamedTuple, cast

from phrasemill.errors import MissingExtra

GZIP, BZIP2, XZ, ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
NAMES = {GZIP: "gzip", BZIP2: "bzip2", XZ: "xz", ZSTD: "zstd"}
LONGEST_MAGIC = max(map(len, NAMES))
# Compressed bytes at a time. An error costs what its piece stood for, so pieces are small; of gzip nothing is lost.
PIECES = {GZIP: 16 << 10, BZIP2: 1 << 10, XZ: 1 << 10, ZSTD: 1 << 10}
MOST_AT_ONCE = 1 << 20  # bytes out of one piece
# Text shrinks by ten, seldom by fifty. More than this, beyond an amount that does no harm, is a bomb.
LARGEST_RATIO = 500
DECOMPRESSED_FREELY = 16 << 20
MOST_PADDING = 64 << 20  # zeros after the last stream
XZ_MEMORY = 256 << 20  # a header may demand gigabytes; the strongest preset needs 65 MiB
# zstd's skippable frames hold no data.
SKIPPABLE = tuple(bytes((0x50 + i, 0x2A, 0x4D, 0x18)) for i in range(16))


class Damage(NamedTuple):
    """Why a stream ended. Where it was `cut`, what it held last may be incomplete."""

    reason: str
    cut: bool


class DecompressedFile(RawIOBase):
    """The decompressed bytes of a file that begins with `magic`: `count` so far, out of `packed` compressed ones."""

    def __init__(self, file: BinaryIO, magic: bytes) -> None:
        self.damage: Damage | None = None
        self.count = 0
        self.packed = 0  # bytes read of the file
        self._file, self._magic = file, magic
        self._stream: _Stream | None = _stream(magic)
        self._fed = b""  # what follows the stream that just ended
        self._ready = memoryview(b"")
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._ready and not self._ended:
            self._ready = memoryview(self._more())
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        self.count += size
        if self.count > max(DECOMPRESSED_FREELY, LARGEST_RATIO * self.packed):
            self._end(f"decompresses to more than {LARGEST_RATIO} times its size; it looks like a bomb")
            self._ready = memoryview(b"")
        return size

    def _end(self, reason: str, *, cut: bool = True) -> None:
        self.damage, self._ended = Damage(reason, cut), True

    def _more(self) -> bytes:
        """Return some more bytes; maybe none, though more follow."""
        if self._stream is None:
            self._next_stream()
            return b""
        decompressor = self._stream.decompressor
        try:
            data = self._stream.feed(b"")
            if not data and not decompressor.eof:
                piece = self._piece()
                if not piece:
                    self._end(f"{NAMES[self._magic]} data breaks off; the file was not copied or downloaded whole")
                    return b""
                data = self._stream.feed(piece)
        except _Broken as error:
            self._end(f"damaged {NAMES[self._magic]} data ({error})")
            return error.before
        if decompressor.eof:
            self._fed, self._stream = decompressor.unused_data, None
        return data

    def _piece(self) -> bytes:
        if self._fed:
            piece, self._fed = self._fed, b""
            return piece
        data = self._file.read(PIECES[self._magic])
        self.packed += len(data)
        return data

    def _next_stream(self) -> None:
        """Go on after the end of a stream: skip zeros that pad the file, begin another stream, or end."""
        head, padding = b"", self.packed + MOST_PADDING
        while len(head) < LONGEST_MAGIC and self.packed <= padding and (piece := self._piece()):
            head = (head + piece).lstrip(b"\0")
        if not head:
            self._ended = True
            return
        if head.startswith((self._magic, *(SKIPPABLE if self._magic == ZSTD else ()))):
            self._stream, self._fed = _stream(self._magic), head
            return
        start = self.packed - len(head)
        self._end(f"from byte {start:,} on it is not {NAMES[self._magic]} data, which was not read", cut=False)


class _Broken(Exception):  # noqa: N818
    """Data that cannot be decompressed, and what came before it."""

    def __init__(self, reason: str, before: bytes = b"") -> None:
        super().__init__(reason)
        self.before = before


class _Stream:
    """One stream (gzip: member, zstd: frame) of a compressed file, and the `decompressor` of the library."""

    decompressor: Any
    errors: tuple[type[Exception], ...]

    def feed(self, data: bytes) -> bytes:
        """Decompress some of `data` and of what was fed before; empty where more has to be fed."""
        try:
            return self.decompress(data)
        except self.errors as error:
            raise _Broken(str(error)) from None

    def decompress(self, data: bytes) -> bytes:
        raise NotImplementedError


class _Gzip(_Stream):
    """Feeds a damaged piece again, byte by byte, so that all before the damage comes out."""

    def __init__(self) -> None:
        import zlib

        self.decompressor, self.errors = zlib.decompressobj(wbits=31), (zlib.error,)
        self._rest, self._full = b"", False

    def decompress(self, data: bytes) -> bytes:
        given = self._rest + data
        if not given and not self._full:
            return b""
        before = self.decompressor.copy()
        try:
            found = self.decompressor.decompress(given, MOST_AT_ONCE)
        except self.errors as error:
            raise _Broken(str(error), self._until_the_error(before, given)) from None
        self._rest, self._full = self.decompressor.unconsumed_tail, len(found) == MOST_AT_ONCE
        return cast(bytes, found)

    def _until_the_error(self, object: Any, data: bytes) -> bytes:
        found = []
        with suppress(*self.errors):
            for i in range(len(data)):
                found.append(object.decompress(data[i : i + 1]))
        return b"".join(found)


class _Blocks(_Stream):
    """Decompresses xz or bzip2."""

    def __init__(self, magic: bytes) -> None:
        if magic == XZ:
            from lzma import LZMADecompressor, LZMAError

            self.decompressor, self.errors = LZMADecompressor(memlimit=XZ_MEMORY), (LZMAError,)
        else:
            from bz2 import BZ2Decompressor

            self.decompressor, self.errors = BZ2Decompressor(), (OSError, ValueError)

    def decompress(self, data: bytes) -> bytes:
        if not data and self.decompressor.needs_input:
            return b""
        return cast(bytes, self.decompressor.decompress(data, MOST_AT_ONCE))


class _Zstd(_Stream):
    """Decompresses frame by frame, because the package's own reader does not notice that a file breaks off."""

    def __init__(self) -> None:
        try:
            import zstandard
        except ImportError:
            raise MissingExtra("zstandard", "zstd", purpose="reading .zst files") from None
        self.decompressor, self.errors = zstandard.ZstdDecompressor().decompressobj(), (zstandard.ZstdError,)

    def decompress(self, data: bytes) -> bytes:
        return cast(bytes, self.decompressor.decompress(data)) if data else b""


def _stream(magic: bytes) -> _Stream:
    return _Gzip() if magic == GZIP else _Zstd() if magic == ZSTD else _Blocks(magic)


def compression(start: bytes, *, kinds: tuple[bytes, ...] = (GZIP, XZ, ZSTD)) -> bytes | None:
    """Return the magic number of one of `kinds` that `start` begins with."""
    return next((magic for magic in kinds if start.startswith(magic)), None)
