"""Tables as comma-, semicolon- or tab-separated text, one document per row, names of columns in the first row."""

import csv
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from io import BufferedReader, StringIO
from typing import BinaryIO, cast

from phrasemill.errors import InputError
from phrasemill.files.streams import SNIFFED, damage, lines, size
from phrasemill.readers.csv_rows import Rows
from phrasemill.readers.decoding import BYTE_ORDER_MARKS, refuse_binary
from phrasemill.readers.guessing import Ahead
from phrasemill.readers.records import Located, RecordReading
from phrasemill.types import Document

DELIMITERS = ("\t", ",", ";", "|")
CHUNK = 1 << 20


def read_all(file: BinaryIO, reading: RecordReading) -> Iterator[Document]:
    """Return the documents in `file`; what is wrong with a row is reported, and the next one follows."""
    # The module's limit is the process's; it is only ever raised. What bounds a cell is the bound of a row.
    csv.field_size_limit(max(csv.field_size_limit(), 2 * reading.largest + 2))
    name = reading.name
    refuse_binary(cast(BufferedReader, file).peek(SNIFFED), name=name)
    text = _lines(file, reading)
    head = next(text, "")
    if isinstance(head, InputError):
        raise head
    if not head.strip():
        return iter(())
    rows = Rows(text, delimiter=max(DELIMITERS, key=head.count), largest=reading.largest, name=name)
    names = [cell.strip() for cell in rows.header(head)]
    records = Ahead(_records(rows, names, name))
    guess = reading.guess(records)
    reading.columns.of_table(names, name=name, guess=guess)
    return reading.documents(records, guess=guess)


def _records(rows: Rows, names: list[str], name: str) -> Iterator[Located]:
    for number, row in rows.read(len(names)):
        where = f"{name}, line {number}"
        record: object = row
        if isinstance(row, list):
            if len(row) == len(names):
                record = dict(zip(names, row, strict=True))
            else:
                cells = f"{len(row)} cell{'' if len(row) == 1 else 's'}"
                record = InputError(f"{where}: {cells}, but there are {len(names)} columns")
        yield where, f"{name}:{number}", record


def _lines(file: BinaryIO, reading: RecordReading) -> Iterator[str | InputError]:
    """Yield the lines as text, and what is wrong with one; the first one that is not ASCII shows the encoding."""
    encoding = ""
    for number, line in lines(file, name=reading.name, largest=reading.largest):
        if isinstance(line, InputError):
            yield line
            continue
        if number == 1:
            encoding = _marked(line)
            if encoding in ("utf-16", "utf-32"):
                yield from _recoded(line, file, encoding, reading)
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


def _recoded(start: bytes, file: BinaryIO, encoding: str, reading: RecordReading) -> Iterator[str]:
    """Decode UTF-16 and UTF-32, in which spreadsheets export."""
    decoder = getincrementaldecoder(encoding)(errors="replace")
    pending = decoder.decode(start)
    while data := file.read(CHUNK):
        pending += decoder.decode(data)
        ready, end, pending = pending.rpartition("\n")
        yield from _ended(ready + end)
        if len(pending) > reading.largest:
            raise InputError(f"{reading.name}: a line longer than {size(reading.largest)}; the rest was not read")
    pending += decoder.decode(b"", final=True)
    found = damage(file)
    if found is None or not found.cut:
        yield from _ended(pending)


def _ended(text: str) -> Iterable[str]:
    """Return the lines of `text`, whichever way they end."""
    return StringIO(text, newline=None) if "\r" in text or text.count("\n") > 1 else (text,)
