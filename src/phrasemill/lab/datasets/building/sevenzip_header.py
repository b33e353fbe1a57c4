"""The table of contents of a 7z archive: which files it holds, and where and how their bytes are packed.

The layout is that of `7zFormat.txt` in 7-Zip's sources. Whatever is wrong raises `ValueError` or `EOFError`.
"""

from io import BytesIO
from itertools import accumulate
from typing import NamedTuple

MOST_ITEMS = 1_000_000
# What stands before each part of the header.
END, HEADER, ARCHIVE, ADDITIONAL, STREAMS, FILES, PACKED, FOLDERS, SUBSTREAMS = range(9)
SIZES, CHECKSUMS, FOLDER, UNPACKED, NUMBERS, EMPTY_STREAMS, EMPTY_FILES, ANTI, NAMES = range(9, 18)


class Folder(NamedTuple):
    """Packed data: `method` is empty where it takes more than one decoder."""

    method: bytes
    properties: bytes
    offset: int
    packed: int
    size: int


class Content(NamedTuple):
    """Where the bytes of a file are: in which folder of packed data, and from where on."""

    folder: Folder
    start: int
    size: int
    checksum: int | None


class Entry(NamedTuple):
    """A file in the archive."""

    name: str
    content: Content


class Header:
    """Reads the numbers and tables of a header."""

    def __init__(self, data: bytes) -> None:
        self.file = BytesIO(data)

    def byte(self) -> int:
        return self.take(1)[0]

    def take(self, size: int) -> bytes:
        data = self.file.read(size)
        if len(data) < size:
            raise EOFError("its header is cut off")
        return data

    def number(self) -> int:
        """The ones at the top of the first byte say how many bytes follow; the bits below them are the highest."""
        first = self.byte()
        more = next((i for i in range(8) if not first & (0x80 >> i)), 8)
        low = int.from_bytes(self.take(more), "little")
        return low | (first & ((1 << (7 - more)) - 1)) << (8 * more) if more < 7 else low

    def count(self) -> int:
        number = self.number()
        if number > MOST_ITEMS:
            raise ValueError("its header makes no sense")
        return number

    def bits(self, count: int) -> list[bool]:
        data = self.take(-(-count // 8))
        return [bool(data[i // 8] & (0x80 >> i % 8)) for i in range(count)]

    def checksums(self, count: int) -> list[int | None]:
        known = [True] * count if self.byte() else self.bits(count)
        return [int.from_bytes(self.take(4), "little") if one else None for one in known]

    def entries(self) -> list[Entry]:
        if self.byte() != HEADER:
            raise ValueError("its header makes no sense")
        contents: list[Content] = []
        while (kind := self.byte()) != END:
            if kind == STREAMS:
                _, contents = self.streams()
            elif kind == FILES:
                return self._files(contents)
            else:
                raise ValueError("its header has parts that are not known")
        return []

    def streams(self) -> tuple[list[Folder], list[Content]]:
        """The folders, and what is in them."""
        folders: list[Folder] = []
        contents: list[Content] = []
        packed: list[tuple[int, int]] = []
        while (kind := self.byte()) != END:
            if kind == PACKED:
                packed = self._packed()
            elif kind == FOLDERS:
                folders, sums = self._folders(packed)
                contents = [Content(folder, 0, folder.size, check) for folder, check in zip(folders, sums, strict=True)]
            elif kind == SUBSTREAMS:
                contents = self._substreams(folders, [content.checksum for content in contents])
            else:
                raise ValueError("its header makes no sense")
        return folders, contents

    def _packed(self) -> list[tuple[int, int]]:
        offset, count, sizes = 32 + self.number(), self.count(), list[int]()
        while (kind := self.byte()) != END:
            if kind == SIZES:
                sizes = [self.number() for _ in range(count)]
            elif kind == CHECKSUMS:
                self.checksums(count)
        return list(zip(accumulate(sizes, initial=offset), sizes, strict=False))

    def _folders(self, packed: list[tuple[int, int]]) -> tuple[list[Folder], list[int | None]]:
        if self.byte() != FOLDER:
            raise ValueError("its header makes no sense")
        count = self.count()
        if self.byte():
            raise ValueError("its header has parts outside of it")
        coders = [self._coder() for _ in range(count)]
        sums: list[int | None] = [None] * count
        sizes: list[int] = []
        while (kind := self.byte()) != END:
            if kind == UNPACKED:
                sizes = [[self.number() for _ in range(outputs)][-1] for *_, outputs in coders]
            elif kind == CHECKSUMS:
                sums = self.checksums(count)
        folders, at = [], 0
        for (method, properties, inputs, _), size in zip(coders, sizes, strict=True):
            folders.append(Folder(method, properties, *packed[at], size))
            at += inputs
        return folders, sums

    def _coder(self) -> tuple[bytes, bytes, int, int]:
        """Method, properties, packed inputs and outputs of a folder."""
        method = properties = b""
        inputs = outputs = 0
        coders = self.count()
        for _ in range(coders):
            flags = self.byte()
            method = self.take(flags & 15)
            takes, gives = (self.count(), self.count()) if flags & 16 else (1, 1)
            properties = self.take(self.count()) if flags & 32 else b""
            inputs, outputs = inputs + takes, outputs + gives
        for _ in range(2 * (outputs - 1)):  # which output feeds which input
            self.number()
        free = inputs - (outputs - 1)
        for _ in range(free if free > 1 else 0):
            self.number()
        return method if coders == 1 else b"", properties, free, outputs

    def _substreams(self, folders: list[Folder], known: list[int | None]) -> list[Content]:
        counts = [1] * len(folders)
        kind = self.byte()
        if kind == NUMBERS:
            counts = [self.count() for _ in folders]
            kind = self.byte()
        if sum(counts) > MOST_ITEMS:
            raise ValueError("its header makes no sense")
        found: list[Content] = []
        for folder, count, check in zip(folders, counts, known, strict=True):
            start = 0
            for i in range(count):
                size = self.number() if i < count - 1 and kind == SIZES else folder.size - start
                found.append(Content(folder, start, size, check if count == 1 else None))
                start += size
        kind = self.byte() if kind == SIZES else kind
        while kind != END:
            if kind == CHECKSUMS:
                missing = [i for i, one in enumerate(found) if one.checksum is None]
                for i, check in zip(missing, self.checksums(len(missing)), strict=True):
                    found[i] = found[i]._replace(checksum=check)
            kind = self.byte()
        return found

    def _files(self, contents: list[Content]) -> list[Entry]:
        count = self.count()
        names: list[str] = []
        empty = [False] * count
        while (kind := self.byte()) != END:
            size = self.number()
            data = Header(self.take(size))
            if kind == EMPTY_STREAMS:
                empty = data.bits(count)
            elif kind == NAMES:
                data.byte()
                names = data.file.read().decode("utf-16-le", "replace").split("\0")[:-1]
        full = [name for name, nothing in zip(names, empty, strict=True) if not nothing]
        return [Entry(name, content) for name, content in zip(full, contents, strict=True)]
