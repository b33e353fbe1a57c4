"""Tables as comma-, semicolon- or tab-separated text, one document a row, the names of the columns in the first row."""

import csv
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import BinaryIO

from phrasemill.errors import InputError
from phrasemill.readers.decoding import BYTE_ORDER_MARKS
from phrasemill.readers.records import Columns, Report, document
from phrasemill.readers.streams import LONGEST_LINE, lines
from phrasemill.types import Document

DELIMITERS = ("\t", ",", ";", "|")
LONGEST_CELL = LONGEST_LINE


def read_all(file: BinaryIO, *, name: str, columns: Columns, report: Report) -> Iterator[Document]:
    """The documents in `file`; what is wrong with a row goes to `report`, and the next one follows."""
    # The module's limit is the process's; it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    text = _lines(file, name)
    head = next(text, "")
    if not head.strip():
        return
    delimiter = max(DELIMITERS, key=head.count)
    try:
        names = [cell.strip() for cell in next(csv.reader([head], delimiter=delimiter))]
    except csv.Error as error:
        raise InputError(f"{name}, line 1: {error}") from None
    if not columns.wanted(names):
        raise InputError(f"{name}: no column of it is called id, title or text; --columns text=NAME names another")
    for number, row in _rows(text, name, delimiter, report):
        where = f"{name}, line {number}"
        try:
            if len(row) != len(names):
                raise InputError(f"{where}: {len(row)} cells, but there are {len(names)} columns")
            record = dict(zip(names, row, strict=True))
            yield document(record, where=where, fallback_id=f"{name}:{number}", columns=columns)
        except InputError as error:
            report(error)


def _rows(text: Iterator[str], name: str, delimiter: str, report: Report) -> Iterator[tuple[int, list[str]]]:
    """Rows that have something in them, with the number of the line on which each ends."""
    reader = csv.reader(text, delimiter=delimiter)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            report(InputError(f"{name}, line {reader.line_num + 1}: {error}"))
        else:
            if any(row):
                yield reader.line_num + 1, row


def _lines(file: BinaryIO, name: str) -> Iterator[str]:
    """The lines as text; the first one that is not ASCII tells the encoding."""
    encoding = ""
    for number, line in lines(file, name=name):
        if isinstance(line, InputError):
            raise line
        if number == 1:
            encoding = _marked(line)
            if encoding in ("utf-16", "utf-32"):
                yield from _recoded(line, file, encoding, name)
                return
        if not encoding and not line.isascii():
            encoding = _guessed(line)
        text = line.decode(encoding or "ascii", errors="replace").removeprefix("\ufeff")
        yield from _ended(text)


def _marked(line: bytes) -> str:
    found = next((encoding for mark, encoding in BYTE_ORDER_MARKS if line.startswith(mark)), "")
    return found.removesuffix("-sig")


def _guessed(line: bytes) -> str:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _recoded(start: bytes, file: BinaryIO, encoding: str, name: str) -> Iterator[str]:
    """UTF-16 and UTF-32, in which spreadsheets export."""
    decoder = getincrementaldecoder(encoding)(errors="replace")
    pending = decoder.decode(start)
    while data := file.read(1 << 20):
        pending += decoder.decode(data)
        if len(pending) > LONGEST_LINE:
            raise InputError(f"{name}: a line longer than {LONGEST_LINE >> 20} MiB")
        ready, end, pending = pending.rpartition("\n")
        yield from _ended(ready + end)
    yield from _ended(pending + decoder.decode(b"", final=True))


def _ended(text: str) -> Iterable[str]:
    """The lines of `text`, whichever way they end."""
    return StringIO(text, newline=None) if "\r" in text or text.count("\n") > 1 else (text,)
