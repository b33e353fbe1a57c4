"""Files as streams of bytes, unfolded where gzip, xz or zstd compressed them, within bounds.

What is compressed is seen from the first bytes. An archive that breaks off, or that unfolds to absurd amounts, is an
`InputError` like any other file that cannot be read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

from phrasemill.errors import InputError, MissingExtra

GZIP, XZ, ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
ENDINGS = (".gz", ".xz", ".zst")
# How much of a file is looked at to tell what it is.
SNIFFED = 64 << 10
# A document is read at once; what unfolds to more than this is none.
LARGEST_UNFOLDED = 256 << 20
LONGEST_LINE = 64 << 20
# Text shrinks by ten, seldom by fifty. More than this, beyond an amount that harms nobody, is a bomb.
LARGEST_RATIO = 500
UNFOLDED_FREELY = 16 << 20


@contextmanager
def opened(path: Path | str, *, name: str) -> Iterator[BufferedReader]:
    """The bytes of the file at `path`, unfolded; whatever is wrong with it becomes an `InputError`."""
    try:
        with Path(path).open("rb", buffering=SNIFFED) as raw, unfolded(raw, name=name) as file:
            yield file
    except OSError as error:
        raise InputError(f"{name}: {_reason(error)}") from error
    except ValueError as error:  # a NUL in the name
        if "null" not in str(error):
            raise
        raise InputError(f"{name!r}: not a file name") from error


@contextmanager
def unfolded(raw: BinaryIO, *, name: str) -> Iterator[BufferedReader]:
    """The bytes of `raw`, unfolded if they are compressed."""
    file = raw if isinstance(raw, BufferedReader) else BufferedReader(cast(RawIOBase, raw), SNIFFED)
    archive = _archive(file)
    if archive is None:
        yield file
        return
    from gzip import BadGzipFile
    from lzma import LZMAError
    from zlib import error as ZlibError  # noqa: N812

    try:
        with archive:
            yield BufferedReader(_Bounded(archive, file, name), SNIFFED)
    except EOFError:
        raise InputError(f"{name}: the archive breaks off; it was not copied or downloaded whole") from None
    except (ZlibError, LZMAError, BadGzipFile) as error:
        raise InputError(f"{name}: damaged archive ({error})") from None
    except Exception as error:
        if type(error).__name__ != "ZstdError":  # its module may not be there
            raise
        raise InputError(f"{name}: damaged archive ({error})") from None


def _archive(file: BufferedReader) -> BinaryIO | None:
    """What unfolds `file`, if it is compressed; the modules load only then."""
    start = file.peek(len(XZ))
    if start.startswith(GZIP):
        import gzip

        return cast(BinaryIO, gzip.open(file, "rb"))
    if start.startswith(XZ):
        import lzma

        return cast(BinaryIO, lzma.open(file, "rb"))
    if start.startswith(ZSTD):
        try:
            import zstandard
        except ImportError:
            raise MissingExtra("zstandard", "zstd", purpose="reading .zst files") from None
        return cast(BinaryIO, _Zstd(zstandard.ZstdDecompressor(), file))
    return None


class _Zstd(RawIOBase):
    """What comes out of a zstd archive. The package's own reader does not tell when an archive breaks off."""

    # A few bytes may stand for a block of 128 KiB, so this many for some megabytes.
    PIECE = 1 << 10

    def __init__(self, decompressor: Any, file: BufferedReader) -> None:
        self._decompressor, self._file = decompressor, file
        self._frame = decompressor.decompressobj()
        self._begun, self._ready = False, b""

    def read(self, size: int = -1, /) -> bytes:
        while not self._ready:
            piece = self._frame.unused_data if self._frame.eof else b""
            piece = piece or self._file.read(self.PIECE)
            if not piece:
                if self._begun and not self._frame.eof:
                    raise EOFError
                return b""
            if self._frame.eof:
                self._frame = self._decompressor.decompressobj()
            self._begun, self._ready = True, self._frame.decompress(piece)
        data, self._ready = self._ready[:size], self._ready[size:]
        return data


def from_bytes(data: bytes) -> BinaryIO:
    return BytesIO(data)


def whole(file: BufferedReader, *, name: str) -> bytes:
    """All of a document's bytes."""
    if not isinstance(file.raw, _Bounded):
        return file.read()
    data = file.read(LARGEST_UNFOLDED + 1)
    if len(data) > LARGEST_UNFOLDED:
        raise InputError(f"{name}: unfolds to more than {LARGEST_UNFOLDED >> 20} MiB; unpack it first if you trust it")
    return data


class _Bounded(RawIOBase):
    """The bytes of an archive, up to what a sound one may unfold to."""

    def __init__(self, archive: BinaryIO, packed: BinaryIO, name: str) -> None:
        self._archive, self._packed, self._name, self._count = archive, packed, name, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._archive.read(len(buffer))
        buffer[: len(data)] = data
        self._count += len(data)
        if self._count > max(UNFOLDED_FREELY, LARGEST_RATIO * self._packed.tell()):
            raise InputError(f"{self._name}: unfolds to more than {LARGEST_RATIO} times its size; it looks like a bomb")
        return len(data)


def lines(file: BinaryIO, *, name: str) -> Iterator[tuple[int, bytes | InputError]]:
    """The lines with their numbers from 1 and with their ends; in place of one that never ends, what is wrong."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield number, line
            continue
        while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield number, InputError(f"{name}, line {number}: longer than {LONGEST_LINE >> 20} MiB")


def _reason(error: OSError) -> str:
    """What went wrong with a file, and what to do, for the person who named it."""
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "is a directory; name the files in it"
    if isinstance(error, PermissionError):
        return "permission denied; you may not read this file"
    return error.strerror or str(error)
