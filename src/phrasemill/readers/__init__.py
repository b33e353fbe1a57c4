"""From files and bytes to `Document`s.

A format is a row in the tables of `sniffing` and a function: `read(data, *, name) -> Document`, or, where a file holds
many documents, `read_all(file, reading) -> Iterator[Document]`. Offsets of keyphrases point into `Document.content`;
plain text and Markdown keep the length of the decoded file, the others do not.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from phrasemill.errors import InputError, MissingExtra, UnknownName
from phrasemill.files.streams import (
    LARGEST,
    LARGEST_FILE,
    SNIFFED,
    DamagedStreamError,
    decompressed,
    opened,
    too_large,
    whole,
)
from phrasemill.readers.records import Columns, Fields, Mapped, RecordReading, Report, parse_columns
from phrasemill.readers.sniffing import BY_EXTENSION, CONTAINERS, FORMATS, READERS, RECORDS, format_of
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
    "read_bytes",
]

AUTOMATIC = Columns()
STDIN = "-"


def read(path: Path | str, *, format: str | None = None, largest: int = LARGEST) -> Document:
    """Return the document in the file `path`; its id is the path. A file of records must contain exactly one."""
    return _only(read_all(path, format=format, largest=largest), str(path))


def read_bytes(data: bytes, *, name: str, format: str | None = None, largest: int = LARGEST) -> Document:
    """Return the document in `data`, read in `format`, or else in the format that its bytes or the extension of `name`
    show.
    """
    return _only(read_all(BytesIO(data), name=name, format=format, largest=largest), name)


def read_all_bytes(data: bytes, *, name: str, **options: Any) -> Iterator[Document]:
    """Return all documents in `data`, with the options of `read_all`."""
    return read_all(BytesIO(data), name=name, **options)


def read_all(
    source: Path | str | BinaryIO,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Columns = AUTOMATIC,
    report: Report | None = None,
    mapped: Mapped | None = None,
    largest: int = LARGEST,
) -> Iterator[Document]:
    """Yield all documents in a file as they are read: one, or for JSON lines, CSV and Parquet one per record.

    `source` is a path or an open file, whose `OSError`s are passed on. `name` replaces it in ids and errors. `columns`
    names the fields of records, and `mapped` is called with the fields that are read, once for each combination. Errors
    in single records are passed to `report`, and reading continues; without `report`, the first one is raised. A
    document of more than `largest` bytes is refused. What comes before the damage in a compressed file is read, and the
    error is raised after that.
    """
    name = str(source) if name is None else name
    handle = report or _raise
    reading = RecordReading(name, columns, lambda error: handle(_named(error, name)), mapped or _ignore, largest)
    with opened(source, name=name) if isinstance(source, Path | str) else decompressed(source, name=name) as file:
        yield from _documents(file, format, reading)


def holds_records(path: Path | str, *, format: str | None = None, data: bytes | None = None) -> bool:
    """Return whether the file `path`, or `data` with that name, may contain many documents; False if it cannot be read.

    The beginning of `data` is enough.
    """
    if format is not None:
        return _known(format) in RECORDS
    name = str(path)
    try:
        with opened(path, name=name) if data is None else decompressed(BytesIO(data), name=name) as file:
            return format_of(name, file.peek(SNIFFED)) in RECORDS
    except (InputError, MissingExtra):
        return False


def _documents(file: BufferedReader, format: str | None, reading: RecordReading) -> Iterator[Document]:
    name = reading.name
    count = 0
    try:
        format = _known(format) if format else format_of(name, file.peek(SNIFFED))
        module, function = READERS[format]
        read: Callable[..., Any] = getattr(import_module(f"{__name__}.{module}"), function)
        if format not in RECORDS:
            yield _document(read, file, reading, is_text=format not in CONTAINERS)
            return
        for document in read(file, reading):
            count += 1
            yield document
    except DamagedStreamError as error:
        before = "1 document before that was" if count == 1 else f"{count:,} documents before that were"
        read_before = f"; {before} read" if count else ""
        raise _named(InputError(f"{name}: {error}{read_before}"), name) from error
    except InputError as error:
        raise _named(error, name) from error.__cause__


def _document(read: Callable[..., Document], file: BinaryIO, reading: RecordReading, *, is_text: bool) -> Document:
    """Return the document that a file is. Where the file is more than its text, the bound is for the text alone."""
    name, largest = reading.name, reading.largest
    found = read(whole(file, name=name, largest=largest if is_text else max(largest, LARGEST_FILE)), name=name)
    if len(found.content) > largest:
        raise InputError(f"{name}: {too_large(largest)}")
    return found


def _named(error: InputError, name: str) -> InputError:
    """Return `error`, calling standard input by its name rather than -."""
    message = str(error)
    return InputError(f"standard input{message[1:]}") if name == STDIN and message.startswith(("-:", "-,")) else error


def _known(format: str) -> str:
    """Return the format of this name, or with this extension."""
    found = BY_EXTENSION.get(format.lower(), format)
    if found not in FORMATS:
        raise UnknownName("format", format, FORMATS)
    return found


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
    """Do nothing: the default of `mapped`."""
