"""Files inside archives, one after the other: tar (plain, gzip, bzip2, xz) and zip.

Archives from outside are not trusted. Nothing is unpacked to disk, so a path such as `../../x` is only a name; a
member beyond the limit is skipped; and an archive that expands as no text does is given up.
"""

import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.decompression import BZIP2, GZIP, LONGEST_MAGIC, XZ, DecompressedFile, compression
from phrasemill.files.opening import brief, open_file, raise_failed_read

LARGEST = 32 << 20  # bytes of one file; the longest articles of PubMed Central have about half of that
# Text shrinks to a fifth or tenth. Below FREE bytes, the ratio of a zip means nothing yet.
MOST_EXPANSION = 300
FREE = 1 << 20
LONGEST_HEADER = 1 << 20  # of a tar's extended header, which holds long names
MOST_MEMBERS = 5_000_000  # of a zip, whose directory is read at once
ENCRYPTED = 1  # in the flags of a zip's member
ENCRYPTED_MEMBER = "encrypted with a password"
CHUNK = 1 << 18
BLOCK = 512
PAX_PATH = re.compile(rb"\d+ path=([^\n]*)\n")
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".zip")
BROKEN = (tarfile.HeaderError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError)
UNREADABLE = (RuntimeError, NotImplementedError)  # encrypted, or compressed in a way that Python cannot read


class Damaged(InputError):  # noqa: N818
    """An archive that cannot be read on."""


class Member(NamedTuple):
    """A file in an archive; `data` is None where it is larger than allowed, or where there is a `problem`.

    `read` counts the archive's own bytes.
    """

    name: str
    data: bytes | None
    read: int
    problem: str = ""


def is_archive(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def members(path: Path, suffixes: tuple[str, ...], *, largest: int = LARGEST) -> Iterator[Member]:
    """Yield the files in the archive at `path` whose names end with `suffixes`; raise `Damaged` where it breaks off."""
    with open_file(path) as raw:
        yield from members_of(raw, suffixes, name=str(path), size=path.stat().st_size, largest=largest)


def members_of(
    raw: BinaryIO, suffixes: tuple[str, ...], *, name: str, size: int, largest: int = LARGEST
) -> Iterator[Member]:
    """Yield the same from an open archive of `size` bytes."""
    head = raw.read(LONGEST_MAGIC)
    raw.seek(0)
    try:
        if head.startswith(ZIP):
            yield from _zipped(raw, size, suffixes, largest)
        else:
            yield from _tarred(_Watched(raw, compression(head, kinds=(GZIP, BZIP2, XZ))), suffixes, largest)
    except (*BROKEN, *UNREADABLE) as error:
        raise_failed_read(error)
        raise Damaged(f"{name}: {brief(error)}") from error


class _Watched:
    """The bytes of a tar, decompressed; a damaged stream ends, and then an error is raised."""

    def __init__(self, raw: BinaryIO, magic: bytes | None) -> None:
        self.raw = raw
        self.stream: BinaryIO | DecompressedFile = raw if magic is None else DecompressedFile(raw, magic)

    def exactly(self, size: int) -> bytes:
        """Return `size` bytes; fewer only where the stream ends."""
        pieces = []
        while size > 0 and (piece := self.stream.read(min(size, CHUNK))):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def required(self, size: int) -> bytes:
        """Return `size` bytes, or raise an error."""
        data = self.exactly(size)
        if len(data) < size:
            damage = self.stream.damage if isinstance(self.stream, DecompressedFile) else None
            raise EOFError(damage.reason if damage else "the archive is cut off")
        return data

    def skip(self, size: int) -> None:
        while size > 0:
            size -= len(self.required(min(size, CHUNK)))

    def end(self) -> None:
        """Read what follows the last member, which must be zeros."""
        while data := self.exactly(CHUNK):
            if data.strip(b"\0"):
                raise ValueError("more follows the end of the archive, and was not read")
        if isinstance(self.stream, DecompressedFile) and self.stream.damage:
            raise EOFError(self.stream.damage.reason)


def check_expansion(out: int, read: int) -> None:
    if out > MOST_EXPANSION * max(read, FREE):
        raise ValueError(f"expands more than {MOST_EXPANSION} times; it looks like a bomb")


def _tarred(stream: _Watched, suffixes: tuple[str, ...], largest: int) -> Iterator[Member]:
    """Read tar by its blocks: `tarfile` reads an extended header of any size into memory, and keeps every member."""
    long_name = ""
    while (block := stream.required(BLOCK)).strip(b"\0"):
        info = tarfile.TarInfo.frombuf(block, "utf-8", "replace")
        has_data = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
        extended = info.type in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
        if info.size < 0 or (extended and info.size > LONGEST_HEADER):
            raise ValueError("a header of the archive makes no sense")
        padded = -(-info.size // BLOCK) * BLOCK
        if extended:
            long_name = _long_name(stream.required(padded)[: info.size], info.type) or long_name
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
            yield Member(name, stream.required(info.size), stream.raw.tell())
            stream.skip(padded - info.size)
    stream.end()


def _long_name(header: bytes, kind: bytes) -> str:
    if kind == tarfile.GNUTYPE_LONGNAME:
        return header.partition(b"\0")[0].decode("utf-8", "replace")
    found = PAX_PATH.search(header)
    return found[1].decode("utf-8", "replace") if found else ""


def _zipped(raw: BinaryIO, size: int, suffixes: tuple[str, ...], largest: int) -> Iterator[Member]:
    out = read = 0
    with zipfile.ZipFile(raw) as archive:
        if len(archive.infolist()) > MOST_MEMBERS:
            raise ValueError(f"more than {MOST_MEMBERS:,} files in it; it looks like a bomb")
        for info in archive.infolist():
            if not info.filename.lower().endswith(suffixes):
                continue
            read = min(size, read + info.compress_size)
            if info.flag_bits & ENCRYPTED:
                yield Member(info.filename, None, read, ENCRYPTED_MEMBER)
                continue
            if info.file_size > largest:
                yield Member(info.filename, None, read)
                continue
            try:
                with archive.open(info) as file:
                    data = file.read(largest + 1)
            except (*BROKEN, *UNREADABLE) as error:  # the others may be sound
                raise_failed_read(error)
                yield Member(info.filename, None, read, f"damaged archive ({brief(error)})")
                continue
            out += len(data)
            check_expansion(out, size)
            yield Member(info.filename, data if len(data) <= largest else None, read)
