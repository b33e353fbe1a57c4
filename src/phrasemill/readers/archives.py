"""Files inside archives, one after the other: tar (plain, gzip, bzip2, xz) and zip.

Archives from outside are not trusted. Nothing is unpacked to disk, so a path such as `../../x` is only a name; a
member beyond the limit is skipped; and an archive that expands as no text does is given up. Where an archive is
damaged, what came before is read, and the rest is one error.
"""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, NamedTuple

from phrasemill.errors import InputError
from phrasemill.files.opening import brief, open_file, raise_failed_read
from phrasemill.files.streams import BZIP2, GZIP, LARGEST, LONGEST_MAGIC, XZ, DecompressedFile, compression

# Text shrinks to a fifth or tenth. Below FREE bytes, the ratio of a zip means nothing yet.
MOST_EXPANSION = 300
FREE = 1 << 20
LONGEST_HEADER = 1 << 20  # of a tar's extended header, which holds long names
EXTENDED = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE)
ENCRYPTED = 1  # in the flags of a zip's member
CHUNK = 1 << 18
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".zip")
# The last two are those of zips that are encrypted, or compressed in a way that Python cannot read.
BROKEN_ZIP = (
    *(zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError),
    *(RuntimeError, NotImplementedError),
)
BROKEN_TAR = (tarfile.TarError, InputError, OSError, ValueError)


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
            magic = compression(head, kinds=(GZIP, BZIP2, XZ))
            stream = BufferedReader(DecompressedFile(raw, magic)) if magic else raw
            yield from _tarred(stream, raw.tell, suffixes, largest)
    except (*BROKEN_ZIP, *BROKEN_TAR) as error:
        raise_failed_read(error)
        raise Damaged(f"{name}: {brief(error)}") from error


def check_expansion(out: int, read: int) -> None:
    if out > MOST_EXPANSION * max(read, FREE):
        raise ValueError(f"expands more than {MOST_EXPANSION} times; it looks like a bomb")


class _Header(tarfile.TarInfo):
    """A header of a tar. `tarfile` takes a damaged one for the end, and reads extended ones of any size."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_Header":
        try:
            found = super().frombuf(buf, encoding, errors)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise ValueError(f"damaged, or cut off ({error}); the files after this were not read") from error
        if found.size < 0 or (found.type in EXTENDED and found.size > LONGEST_HEADER):
            raise ValueError("a header of the archive makes no sense")
        return found


def _tarred(stream: BinaryIO, tell: Callable[[], int], suffixes: tuple[str, ...], largest: int) -> Iterator[Member]:
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header, bufsize=tarfile.BLOCKSIZE) as archive:
        for info in archive:
            archive.members = []  # type: ignore[attr-defined]  # it would keep all
            if not info.isreg() or not info.name.lower().endswith(suffixes):
                continue
            file = archive.extractfile(info)
            data = file.read() if file and info.size <= largest else None
            yield Member(info.name, data, tell())
        while rest := archive.fileobj.read(CHUNK):
            if rest.strip(b"\0"):
                raise ValueError("more follows the end of the archive, and was not read")


def _zipped(raw: BinaryIO, size: int, suffixes: tuple[str, ...], largest: int) -> Iterator[Member]:
    out = read = 0
    with zipfile.ZipFile(raw) as archive:
        for info in archive.infolist():
            if not info.filename.lower().endswith(suffixes):
                continue
            read = min(size, read + info.compress_size)
            if info.flag_bits & ENCRYPTED:
                yield Member(info.filename, None, read, "encrypted with a password")
                continue
            if info.file_size > largest:
                yield Member(info.filename, None, read)
                continue
            try:
                with archive.open(info) as file:
                    data = file.read(largest + 1)
            except BROKEN_ZIP as error:  # the others may be sound
                raise_failed_read(error)
                yield Member(info.filename, None, read, f"damaged archive ({brief(error)})")
                continue
            out += len(data)
            check_expansion(out, size)
            yield Member(info.filename, data if len(data) <= largest else None, read)
