"""Lines of JSON, one document each; also a JSON file that is one record, a list of them, or records by id.

{"id": "d1", "title": "Salt in wells", "text": "Pumps draw too much groundwater."}
"""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

from phrasemill.errors import InputError
from phrasemill.readers.records import Columns, Report, document
from phrasemill.readers.sniffing import extension_of
from phrasemill.readers.streams import lines
from phrasemill.types import Document

# JSON that is not in lines has to be read at once.
LARGEST = 256 << 20
LINES = ("jsonl", "ndjson")
MARK = b"\xef\xbb\xbf"


def read_all(file: BinaryIO, *, name: str, columns: Columns, report: Report) -> Iterator[Document]:
    """The documents in `file`; what is wrong with a record goes to `report`, and the next one follows."""
    numbered = _full_lines(file, name)
    first = next(numbered, None)
    if first is None:
        return
    number, line = first
    if isinstance(line, bytes) and not _is_record(line, name):
        data = b"\n" * (number - 1) + line + file.read(LARGEST + 1)  # so that a complaint names the right line
        if len(data) > LARGEST:
            raise InputError(f"{name}: JSON of more than {LARGEST >> 20} MiB must be in lines, one record each")
        yield from _documents(_parsed(data, name), name, f"{name}:1", columns, report)
        return
    for number, line in chain([first], numbered):
        where = f"{name}, line {number}"
        try:
            if isinstance(line, InputError):
                raise line
            value = _parsed(line, where)
        except InputError as error:
            report(error)
        else:
            yield from _documents(value, where, f"{name}:{number}", columns, report)


def _full_lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes | InputError]]:
    for number, line in lines(file, name=name):
        if isinstance(line, InputError) or line.removeprefix(MARK).strip():
            yield number, line


def _is_record(line: bytes, name: str) -> bool:
    """Whether the first line stands for itself, or is the start of JSON that goes on."""
    bare = line.removeprefix(MARK).strip()
    return not bare.startswith(b"[") and (
        extension_of(name) in LINES or (bare.startswith(b"{") and bare.endswith(b"}"))
    )


def _documents(value: object, where: str, id_: str, columns: Columns, report: Report) -> Iterator[Document]:
    """One record, a list of them, or records by id."""
    items: Iterable[tuple[str, str, object]] = [(where, id_, value)]
    if isinstance(value, list):
        items = ((f"{where}, record {n}", f"{id_}:{n}", one) for n, one in enumerate(value, start=1))
    elif isinstance(value, dict) and value and all(isinstance(one, dict) for one in value.values()):
        items = ((f"{where}, record {key!r}", key, one) for key, one in value.items())
    for place, fallback, one in items:
        try:
            yield _record(one, place, fallback, columns)
        except InputError as error:
            report(error)


def _record(value: object, where: str, id_: str, columns: Columns) -> Document:
    if not isinstance(value, dict):
        raise InputError(f'{where}: a record is written {{"id": "…", "title": "…", "text": "…"}}')
    return document(value, where=where, fallback_id=id_, columns=columns)


def _parsed(data: bytes, where: str) -> object:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: is not UTF-8 (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise InputError(f"{where}: is not JSON: {error.msg} at {place}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets in brackets in brackets
        raise InputError(f"{where}: is JSON beyond reason, nested too deep or with numbers too long") from None
