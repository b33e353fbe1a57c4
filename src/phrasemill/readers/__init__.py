"""From files and bytes to `Document`s.

A format is one module here and one line in `sniffing.FORMATS`: with `read(data, *, name) -> Document`, or, where a file
holds many documents, `read_all(file, reading) -> Iterator[Document]`. Offsets of keyphrases point into
`Document.content`; plain text and Markdown keep it as long as the decoded file, the others are taken apart.
"""

from collections.abc import Iterator
from importlib import import_module
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from phrasemill.errors import InputError, MissingExtra, UnknownName
from phrasemill.files.streams import (
    LARGEST,
    LARGEST_FILE,
    SNIFFED,
    decompressed,
    opened,
    refuse_damage,
    too_large,
    whole,
)
from phrasemill.readers.records import Columns, Fields, Mapped, Reading, Report, parse_columns
from phrasemill.readers.sniffing import BY_EXTENSION, CONTAINERS, FORMATS, RECORDS, format_of
from phrasemill.types import Document

__all__ = [
    "FORMATS",
    "LARGEST",
    "RECORDS",
    "Columns",
    "Fields",
    "Mapped",
    "Report",
    "holds_records",
    "parse_columns",
    "read",
    "read_all",
    "read_all_bytes",
    "read_all_file",
    "read_bytes",
]

AUTOMATIC = Columns()
STDIN = "-"


class Reader(Protocol):
    def read(self, data: bytes, *, name: str) -> Document: ...


class RecordReader(Protocol):
    def read_all(self, file: BinaryIO, reading: Reading) -> Iterator[Document]: ...


def read(path: Path | str, *, format: str | None = None, largest: int = LARGEST) -> Document:
    """The document in the file `path`; its id is the path as given. Files of records must hold just one."""
    return _only(read_all(path, format=format, largest=largest), str(path))


def read_bytes(data: bytes, *, name: str, format: str | None = None, largest: int = LARGEST) -> Document:
    """The document in `data`: as `format` says, or else as its bytes or the extension of `name` say."""
    return _only(read_all_bytes(data, name=name, format=format, largest=largest), name)


def read_all(
    path: Path | str,
    *,
    format: str | None = None,
    columns: Columns = AUTOMATIC,
    report: Report | None = None,
    mapped: Mapped | None = None,
    largest: int = LARGEST,
) -> Iterator[Document]:
    """All documents in the file `path`, as they are read: one, or for JSON lines, CSV and Parquet one per record.

    `columns` names the fields of records; `mapped` is called with the fields that are read, once for each combination.
    What is wrong with one record goes to `report`, and the rest goes on; without `report` the first is raised. A
    document of more than `largest` bytes is refused. A compressed file that is damaged is read up to the damage, which
    is raised when all before it has been read.
    """
    name = str(path)
    with opened(path, name=name) as file:
        yield from _documents(file, format, _reading(name, columns, report, mapped, largest))


def read_all_file(
    file: BinaryIO,
    *,
    name: str,
    format: str | None = None,
    columns: Columns = AUTOMATIC,
    report: Report | None = None,
    mapped: Mapped | None = None,
    largest: int = LARGEST,
) -> Iterator[Document]:
    """The same out of an open file, whose `OSError`s stay what they are."""
    with decompressed(file) as stream:
        yield from _documents(stream, format, _reading(name, columns, report, mapped, largest))


def read_all_bytes(
    data: bytes,
    *,
    name: str,
    format: str | None = None,
    columns: Columns = AUTOMATIC,
    report: Report | None = None,
    mapped: Mapped | None = None,
    largest: int = LARGEST,
) -> Iterator[Document]:
    """The same out of bytes."""
    return read_all_file(
        BytesIO(data), name=name, format=format, columns=columns, report=report, mapped=mapped, largest=largest
    )


def holds_records(path: Path | str, *, format: str | None = None, data: bytes | None = None) -> bool:
    """Whether the file `path`, or `data` of that name, may hold many documents; False for what cannot be read.

    Of `data` its beginning is enough.
    """
    if format is not None:
        return _module(format) in RECORDS
    name = str(path)
    try:
        with opened(path, name=name) if data is None else decompressed(BytesIO(data)) as file:
            return format_of(name, file.peek(SNIFFED)) in RECORDS
    except (InputError, MissingExtra):
        return False


def _reading(name: str, columns: Columns, report: Report | None, mapped: Mapped | None, largest: int) -> Reading:
    tell = report or _raise
    return Reading(name, columns, lambda error: tell(_named(error, name)), mapped or _ignore, largest)


def _documents(file: BufferedReader, format: str | None, reading: Reading) -> Iterator[Document]:
    name = reading.name
    module = _module(format) if format else format_of(name, file.peek(SNIFFED))
    reader = import_module(f"{__name__}.{module}")
    try:
        if module in RECORDS:
            yield from cast(RecordReader, reader).read_all(file, reading)
        else:
            yield _document(cast(Reader, reader), file, reading, is_text=module not in CONTAINERS)
        refuse_damage(file, name=name)
    except InputError as error:
        raise _named(error, name) from error.__cause__


def _document(reader: Reader, file: BinaryIO, reading: Reading, *, is_text: bool) -> Document:
    """The document that a file is. Where the file is more than its text, the bound is for the text alone."""
    name, largest = reading.name, reading.largest
    found = reader.read(whole(file, name=name, largest=largest if is_text else max(largest, LARGEST_FILE)), name=name)
    if len(found.content) > largest:
        raise InputError(f"{name}: {too_large(largest)}")
    return found


def _named(error: InputError, name: str) -> InputError:
    """`error` with the name that people have for standard input."""
    message = str(error)
    return InputError(f"standard input{message[1:]}") if name == STDIN and message.startswith(("-:", "-,")) else error


def _module(format: str) -> str:
    module = BY_EXTENSION.get(format.lower(), format)
    if module not in FORMATS:
        raise UnknownName("format", format, FORMATS)
    return module


def _only(documents: Iterator[Document], name: str) -> Document:
    found = next(documents, None)
    if found is None:
        raise InputError(f"{name}: no document in it")
    if next(documents, None) is not None:
        raise InputError(f"{name}: holds several documents; read_all gives them all")
    return found


def _raise(error: InputError) -> None:
    raise error


def _ignore(fields: Fields) -> None:
    """Nobody asked which fields are read."""
