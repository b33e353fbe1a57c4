"""Tables as comma-, semicolon- or tab-separated text, one document per row, names of columns in the first row.

Where a quote is left open, the row goes on to the next quote or to the end of the file. Such a row is an error that
says which lines are lost.
"""

import csv
from collections.abc import Iterator
from io import BufferedReader, BytesIO, StringIO
from itertools import chain
from typing import BinaryIO, NamedTuple, cast

from phrasemill.errors import InputError
from phrasemill.files.streams import LARGEST, LARGEST_FILE, SNIFFED, lines, too_large, whole
from phrasemill.readers.decoding import marked_encoding, refuse_binary
from phrasemill.readers.guessing import Ahead
from phrasemill.readers.records import Located, RecordReading
from phrasemill.types import Document

DELIMITERS = ("\t", ",", ";", "|")


class Row(NamedTuple):
    """The cells of a row, or what is wrong with it; `where` is the file and line, `id` an id made of them."""

    where: str
    id: str
    cells: list[str] | InputError


def read_all(file: BinaryIO, reading: RecordReading) -> Iterator[Document]:
    """Return the documents in `file`; what is wrong with a row is reported, and the next one follows."""
    names, rows = table(file, name=reading.name, largest=reading.largest)
    if not names:
        return iter(())
    records = Ahead(_record(row, names) for row in rows)
    guess = reading.guess(records)
    reading.columns.of_table(names, name=reading.name, guess=guess)
    return reading.documents(records, guess=guess)


def _record(row: Row, names: list[str]) -> Located:
    where, id_, cells = row
    if isinstance(cells, InputError):
        return where, id_, cells
    if len(cells) != len(names):
        count = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
        return where, id_, InputError(f"{where}: {count}, but there are {len(names)} columns")
    return where, id_, dict(zip(names, cells, strict=True))


def table(file: BinaryIO, *, name: str, largest: int = LARGEST) -> tuple[list[str], Iterator[Row]]:
    """Return the names of the columns and the rows that have something in them: for whoever reads a table.

    `file` is decompressed and buffered. Rows may have more or fewer cells than there are columns. A file of nothing has
    no columns. `largest` bounds a row, in bytes.
    """
    # The module's limit is the process's; it is only ever raised. What bounds a cell is the bound of a row.
    csv.field_size_limit(max(csv.field_size_limit(), 2 * largest + 2))
    start = cast(BufferedReader, file).peek(SNIFFED)
    refuse_binary(start, name=name)
    encoding = marked_encoding(start)
    if encoding in ("utf-16", "utf-32"):  # in which spreadsheets export
        file = BytesIO(whole(file, name=name, largest=LARGEST_FILE).decode(encoding, "replace").encode())
    text = _decoded(file, name, largest)
    for passed, head in enumerate(text):
        if isinstance(head, InputError):
            raise head
        if head.strip():
            rows = _Lines(chain([head], text), name, largest, passed).rows(delimiter_of(head))
            names = next(rows).cells
            if isinstance(names, InputError):
                raise names
            return [cell.strip() for cell in names], rows
    return [], iter(())


def delimiter_of(header: str) -> str:
    """Return what separates the cells of a table with this first line."""
    return max(DELIMITERS, key=header.count)


class _LostError(csv.Error):
    """A row that cannot be read, nor any other way."""


class _Lines:
    """The lines of a table as the parser asks for them: within a row only where a quote is open."""

    def __init__(self, lines: Iterator[str | InputError], name: str, largest: int, passed: int) -> None:
        self._lines, self._name, self._largest = lines, name, largest
        self._number = passed  # of lines
        self._held: list[str] = []  # the lines of the row that is being read
        self._length = 0  # of these

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = next(self._lines, None)
        if line is None and self._held:
            raise _LostError("the quote that opens here is never closed")
        if line is None:
            raise StopIteration
        self._number += 1
        if isinstance(line, InputError):
            raise _LostError(str(line).partition(": ")[2])
        self._held.append(line)
        self._length += len(line)
        if self._length > self._largest and len(self._held) > 1:
            raise _LostError(too_large(self._largest))
        return line

    def rows(self, delimiter: str) -> Iterator[Row]:
        reader = csv.reader(self, delimiter=delimiter, strict=True)
        while True:
            self._held, self._length = [], 0
            start = self._number + 1
            cells: list[str] | InputError
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                cells = InputError(f"{self._where(start)}: {error}")
                if len(self._held) == 1 and not isinstance(error, _LostError):
                    # Quotes within quotes: people write them, and most programs let them.
                    cells = next(csv.reader(self._held, delimiter=delimiter))
            if isinstance(cells, InputError) or any(cells):
                yield Row(self._where(start), f"{self._name}:{start}", cells)

    def _where(self, start: int) -> str:
        """Return the place of the row that was just read."""
        one = self._number <= start
        return f"{self._name}, line {start}" if one else f"{self._name}, lines {start} to {self._number}"


def _decoded(file: BinaryIO, name: str, largest: int) -> Iterator[str | InputError]:
    """Yield the lines as text, and what is wrong with one; the first one that is not ASCII shows the encoding."""
    encoding = ""
    for _, line in lines(file, name=name, largest=largest):
        if isinstance(line, InputError):
            yield line
            continue
        if not encoding and not line.isascii():
            encoding = "utf-8" if _is_utf8(line) else "cp1252"
        text = line.decode(encoding or "ascii", errors="replace").removeprefix("\ufeff")
        yield from StringIO(text, newline=None) if "\r" in text else (text,)  # whichever way lines end


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
