"""Files inside archives, one after the other: tar (plain, gzip, bzip2, xz) and zip.

Archives from outside are not trusted. Nothing is unpacked to disk, so a path such as `../../x` is only a name; a
member beyond the limit is passed over; and an archive that swells as no text does is given up.
"""

import bz2
import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from phrasemill.errors import InputError

LARGEST = 32 << 20  # bytes of one file; the longest articles of PubMed Central have about half of that
# Text shrinks to a fifth or tenth. Below FREE bytes read, the ratio says nothing yet.
MOST_SWELLING = 300
FREE = 1 << 20
XZ_MEMORY = 256 << 20  # its strongest preset asks for 65 MiB
LONGEST_HEADER = 1 << 20  # of a tar's extended header, which holds long names
CHUNK = 1 << 18
BLOCK = 512
PAX_PATH = re.compile(rb"\d+ path=([^\n]*)\n")
MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip"}
SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".zip")
BROKEN = (tarfile.HeaderError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError)


class Damaged(InputError):  # noqa: N818
    """An archive that cannot be read on."""


class Member(NamedTuple):
    """A file in an archive; `data` is None where it is larger than allowed. `read` counts the archive's own bytes."""

    name: str
    data: bytes | None
    read: int


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def is_archive(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def members(path: Path, suffixes: tuple[str, ...], *, largest: int = LARGEST) -> Iterator[Member]:
    """The files in the archive at `path` whose names end with one of `suffixes`; `Damaged` where it cannot go on."""
    with path.open("rb") as raw:
        yield from members_of(raw, suffixes, name=str(path), size=path.stat().st_size, largest=largest)


def members_of(
    raw: BinaryIO, suffixes: tuple[str, ...], *, name: str, size: int, largest: int = LARGEST
) -> Iterator[Member]:
    """The same of an archive that is open already; it has so many bytes."""
    head = raw.read(6)
    raw.seek(0)
    kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), "tar")
    try:
        if kind == "zip":
            yield from _zipped(raw, size, suffixes, largest)
        else:
            yield from _tarred(_Watched(raw, kind), suffixes, largest)
    except BROKEN as error:
        raise Damaged(f"{name}: {error or 'damaged archive'}") from error
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed as Python does not know
        raise Damaged(f"{name}: {error}") from error


class _Watched:
    """A decompressed stream that stops when far more comes out than went in."""

    def __init__(self, raw: BinaryIO, kind: str) -> None:
        self.raw, self.out = raw, 0
        self.stream: _Readable = raw
        if kind == "gzip":
            self.stream = gzip.GzipFile(fileobj=raw, mode="rb")
        elif kind == "bzip2":
            self.stream = bz2.BZ2File(raw, "rb")
        elif kind == "xz":
            self.stream = _Xz(raw)

    def exactly(self, size: int) -> bytes:
        """So many bytes; fewer only where the stream ends."""
        pieces = []
        while size > 0 and (piece := self.stream.read(min(size, CHUNK))):
            self.out += len(piece)
            check_swelling(self.out, self.raw.tell())
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def skip(self, size: int) -> None:
        while size > 0:
            piece = self.exactly(min(size, CHUNK))
            if not piece:
                raise EOFError("the archive is cut off")
            size -= len(piece)


class _Xz:
    """`lzma.open` takes no limit on memory, and a header may ask for gigabytes."""

    def __init__(self, raw: BinaryIO) -> None:
        self.raw, self.rest = raw, b""
        self.decoder: lzma.LZMADecompressor | None = None

    def read(self, size: int, /) -> bytes:
        while True:
            if self.decoder is None:
                while not self.rest:
                    piece = self.raw.read(CHUNK)
                    if not piece:
                        return b""
                    self.rest = piece.lstrip(b"\0")  # padding between streams
                self.decoder = lzma.LZMADecompressor(memlimit=XZ_MEMORY)
            if self.decoder.needs_input and not self.rest:
                self.rest = self.raw.read(CHUNK)
                if not self.rest:
                    raise EOFError("the archive is cut off")
            data = self.decoder.decompress(self.rest, size)
            self.rest = b""
            if self.decoder.eof:
                self.rest, self.decoder = self.decoder.unused_data.lstrip(b"\0"), None
            if data:
                return data


def check_swelling(out: int, read: int) -> None:
    if out > MOST_SWELLING * max(read, FREE):
        raise ValueError(f"swells more than {MOST_SWELLING} times; no archive of texts does")


def _tarred(stream: _Watched, suffixes: tuple[str, ...], largest: int) -> Iterator[Member]:
    """Tar by its blocks: `tarfile` reads an extended header of any size into memory, and keeps every member."""
    long_name = ""
    while (block := stream.exactly(BLOCK)) and block.strip(b"\0"):
        info = tarfile.TarInfo.frombuf(block, "utf-8", "replace")
        has_data = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
        extended = info.type in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
        if info.size < 0 or (extended and info.size > LONGEST_HEADER):
            raise ValueError("a header of the archive makes no sense")
        padded = -(-info.size // BLOCK) * BLOCK
        if extended:
            long_name = _long_name(stream.exactly(padded)[: info.size], info.type) or long_name
            continue
        if info.type in (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK):
            stream.skip(padded)
            continue
        name, long_name = long_name or info.name, ""
        if info.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or not name.lower().endswith(suffixes):
            stream.skip(padded if has_data else 0)
        elif info.size > largest:
            yield Member(name, None, stream.raw.tell())
            stream.skip(padded)
        else:
            data = stream.exactly(padded)[: info.size]
            if len(data) < info.size:
                raise EOFError("the archive is cut off")
            yield Member(name, data, stream.raw.tell())


def _long_name(header: bytes, kind: bytes) -> str:
    if kind == tarfile.GNUTYPE_LONGNAME:
        return header.partition(b"\0")[0].decode("utf-8", "replace")
    found = PAX_PATH.search(header)
    return found[1].decode("utf-8", "replace") if found else ""


def _zipped(raw: BinaryIO, size: int, suffixes: tuple[str, ...], largest: int) -> Iterator[Member]:
    out = read = 0
    with zipfile.ZipFile(raw) as archive:
        for info in archive.infolist():
            if info.is_dir() or not info.filename.lower().endswith(suffixes):
                continue
            read = min(size, read + info.compress_size)
            if info.file_size > largest:
                yield Member(info.filename, None, read)
                continue
            with archive.open(info) as file:
                data = file.read(largest + 1)
            out += len(data)
            check_swelling(out, size)
            yield Member(info.filename, data if len(data) <= largest else None, read)
