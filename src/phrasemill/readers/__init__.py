"""From files and bytes to `Document`s.

A format is one module here and one line in `sniffing.FORMATS`: with `read(data, *, name) -> Document`, or, where a file
holds many documents, `read_all(file, *, name, columns, report) -> Iterator[Document]`. Offsets of keyphrases point into
`Document.content`; plain text and Markdown keep it as long as the decoded file, the others are taken apart.
"""

from collections.abc import Iterator
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from phrasemill.errors import InputError, UnknownName
from phrasemill.readers.records import Columns, Report, parse_columns
from phrasemill.readers.sniffing import BY_EXTENSION, FORMATS, RECORDS, format_of
from phrasemill.readers.streams import SNIFFED, from_bytes, opened, unfolded, whole
from phrasemill.types import Document

__all__ = [
    "FORMATS",
    "RECORDS",
    "Columns",
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
    def read_all(self, file: BinaryIO, *, name: str, columns: Columns, report: Report) -> Iterator[Document]: ...


def read(path: Path | str, *, format: str | None = None) -> Document:
    """The document in the file `path`; its id is the path as given. Files of records must hold just one."""
    return _only(read_all(path, format=format), str(path))


def read_bytes(data: bytes, *, name: str, format: str | None = None) -> Document:
    """The document in `data`: as `format` says, or else as its bytes or the extension of `name` say."""
    return _only(read_all_bytes(data, name=name, format=format), name)


def read_all(
    path: Path | str, *, format: str | None = None, columns: Columns = AUTOMATIC, report: Report | None = None
) -> Iterator[Document]:
    """All documents in the file `path`, as they are read: one, or for JSON lines, CSV and Parquet one a record.

    `columns` names the fields of records. What is wrong with one record goes to `report`, and the rest goes on; without
    `report` the first is raised.
    """
    name = str(path)
    with opened(path, name=name) as file:
        yield from _documents(file, name, format, columns, report)


def read_all_file(
    file: BinaryIO,
    *,
    name: str,
    format: str | None = None,
    columns: Columns = AUTOMATIC,
    report: Report | None = None,
) -> Iterator[Document]:
    """The same out of an open file, whose `OSError`s stay what they are."""
    with unfolded(file, name=name) as unpacked:
        yield from _documents(unpacked, name, format, columns, report)


def read_all_bytes(
    data: bytes,
    *,
    name: str,
    format: str | None = None,
    columns: Columns = AUTOMATIC,
    report: Report | None = None,
) -> Iterator[Document]:
    """The same out of bytes."""
    return read_all_file(from_bytes(data), name=name, format=format, columns=columns, report=report)


def holds_records(path: Path | str, *, format: str | None = None, data: bytes | None = None) -> bool:
    """Whether the file `path`, or `data` of that name, may hold many documents; False for what cannot be read."""
    if format is not None:
        return _module(format) in RECORDS
    name = str(path)
    try:
        with opened(path, name=name) if data is None else unfolded(from_bytes(data), name=name) as file:
            return format_of(name, file.peek(SNIFFED)) in RECORDS
    except InputError:
        return False


def _documents(
    file: BufferedReader, name: str, format: str | None, columns: Columns, report: Report | None
) -> Iterator[Document]:
    module = _module(format) if format else format_of(name, file.peek(SNIFFED))
    reader = import_module(f"{__name__}.{module}")
    tell = report or _raise
    try:
        if module in RECORDS:
            told: Report = lambda error: tell(_named(error, name))  # noqa: E731
            records = cast(RecordReader, reader)
            yield from records.read_all(cast(BinaryIO, file), name=name, columns=columns, report=told)
        else:
            yield cast(Reader, reader).read(whole(file, name=name), name=name)
    except InputError as error:
        raise _named(error, name) from error.__cause__


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
