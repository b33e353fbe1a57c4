"""The records of a JSON file, one at a time: lines, a list, or records under their ids.

    {"title": …}\\n{"title": …}\\n      [{"title": …}, {"title": …}]      {"PMC1": {"title": …}, "PMC2": {…}}

Lines are read as a stream, and a bad one costs only itself. Whatever is not in lines is decoded at once, and nothing of
it is read where it is broken.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import BinaryIO, NamedTuple, cast

from phrasemill.errors import InputError
from phrasemill.files.streams import LARGEST, LARGEST_FILE, SNIFFED, lines, read_at_most, size
from phrasemill.readers.guessing import Ahead
from phrasemill.readers.records import RecordReading
from phrasemill.readers.sniffing import extension_of
from phrasemill.readers.values import shown
from phrasemill.types import Document

LINES = ("jsonl", "ndjson")
KEYED = re.compile(rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{')  # the start of records under their ids
# A number of thousands of digits; brackets in brackets in brackets.
BEYOND = "is JSON beyond reason, nested too deep or with numbers too long"


class JsonRecord(NamedTuple):
    """A value, or what is wrong with it; its line, or that of all; its id in a mapping, or its number in a list."""

    line: int
    key: str | int | None
    value: object


class JsonError(InputError):
    """A value that is not JSON: the `reason`, and the line on which it is broken. The message has the place if `name`
    is given."""

    def __init__(self, reason: str, *, line: int = 1, name: str = "") -> None:
        super().__init__(f"{name}, line {line}: {reason}" if name else reason)
        self.reason, self.line = reason, line


def read_all(file: BinaryIO, reading: RecordReading) -> Iterator[Document]:
    """Return the documents in `file`; what is wrong with a record is reported, and the next one follows."""
    records = Ahead(located_records(file, name=reading.name, largest=reading.largest))
    return reading.documents(records, guess=reading.guess(records))


def located_records(file: BinaryIO, *, name: str, largest: int = LARGEST) -> Iterator[tuple[str, str, object]]:
    """Yield the records of `json_records` with where each stands, for errors, and an id for one that has none."""
    for line, key, value in json_records(file, name=name, largest=largest):
        where = f"{name}, line {line}" if line else name
        if isinstance(key, str):
            yield f"{where}, record {shown(key)!r}", key, value
        elif isinstance(key, int):
            yield f"{where}, record {key}", f"{name}:1:{key}", value
        elif isinstance(value, list) and value:  # on a line among records
            for number, one in enumerate(value, start=1):
                yield f"{where}, record {number}", f"{name}:{line}:{number}", one
        else:
            yield where, f"{name}:{line}", value


def json_records(file: BinaryIO, *, name: str, largest: int = LARGEST, keyed: bool = False) -> Iterator[JsonRecord]:
    """Yield the records in `file`, a decompressed and buffered stream; `keyed` means that it must be one mapping.

    A line longer than `largest` bytes is an error in its place. A file that is not in lines may have 1 GiB; its records
    have no lines (0). `name` is for errors.
    """
    if keyed or not _in_lines(cast(BufferedReader, file).peek(SNIFFED), name):
        yield from _of_all(file, name, keyed=keyed)
        return
    for number, line in lines(file, name=name, largest=largest):
        value: object = line
        if not isinstance(line, InputError):
            if not line.removeprefix(codecs.BOM_UTF8).strip():
                continue
            try:
                value = parsed(line)
            except JsonError as error:
                value = InputError(f"{name}, line {number}: {error}")
        if _is_keyed(value):
            yield from (JsonRecord(number, key, one) for key, one in cast("dict[str, object]", value).items())
        else:
            yield JsonRecord(number, None, value)


def _in_lines(start: bytes, name: str) -> bool:
    """Return whether a file that begins with `start` has a value on each line, rather than being one value."""
    line, end, more = start.removeprefix(codecs.BOM_UTF8).lstrip().partition(b"\n")
    if line.startswith(b"["):  # a list of all records, unless it is whole and something follows
        return bool(more.strip()) and _is_json(line)
    if extension_of(name) in LINES or not line:
        return True
    if not end:
        return not KEYED.match(line)
    return line.rstrip().endswith(b"}") or not line.startswith(b"{")


def _is_json(data: bytes) -> bool:
    try:
        parsed(data)
    except JsonError:
        return False
    return True


def _is_keyed(value: object) -> bool:
    """Return whether a value is a mapping of records by their ids."""
    return isinstance(value, dict) and bool(value) and all(isinstance(one, dict) for one in value.values())


def _of_all(file: BinaryIO, name: str, *, keyed: bool) -> Iterator[JsonRecord]:
    """Yield the records of a file that is one value."""
    data = read_at_most(file, LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        how = "convert it to lines first: jq -c '.[]' FILE > FILE.jsonl"
        raise InputError(f"{name}: larger than {size(LARGEST_FILE)}, too much for JSON that is not in lines; {how}")
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        return
    outermost: list[tuple[str, object]] = []

    def hold(pairs: list[tuple[str, object]]) -> dict[str, object]:
        outermost[:] = pairs  # the last to be complete; a key may occur twice
        return dict(pairs)

    try:
        value = parsed(data, hold)
    except JsonError as error:
        raise JsonError(f"{error.reason}; nothing of the file was read", line=error.line, name=name) from None
    if isinstance(value, list) and not keyed:
        yield from (JsonRecord(0, i, one) for i, one in enumerate(value, start=1))
    elif isinstance(value, dict) and (keyed or _is_keyed(value) or not value):
        yield from (JsonRecord(0, key, one) for key, one in outermost)
    elif isinstance(value, dict):
        yield JsonRecord(1, None, value)
    else:
        raise InputError(f"{name}: is not a JSON list or mapping")


def parsed(data: bytes, hook: Callable[[list[tuple[str, object]]], object] | None = None) -> object:
    """Return the JSON value in `data`, or raise a `JsonError`; `hook` makes mappings out of their pairs."""
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=hook)
    except UnicodeDecodeError as error:
        raise JsonError(f"is not UTF-8 (byte {error.start + 1})", line=data.count(b"\n", 0, error.start) + 1) from None
    except json.JSONDecodeError as error:
        raise JsonError(f"is not JSON: {error.msg} at column {error.colno}", line=error.lineno) from None
    except (ValueError, RecursionError):
        raise JsonError(BEYOND) from None
