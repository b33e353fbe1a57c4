"""Lines of JSON, one document each; also a JSON file that is one record, a list of them, or records by id.

{"id": "d1", "title": "Salt in wells", "text": "Pumps draw too much groundwater."}
"""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO

from phrasemill.errors import InputError
from phrasemill.files.streams import lines, read_at_most, refuse_damage
from phrasemill.readers.records import Located, Reading
from phrasemill.readers.sniffing import extension_of
from phrasemill.readers.values import shown
from phrasemill.types import Document

# JSON that is not in lines has to be read at once.
LARGEST = 256 << 20
LINES = ("jsonl", "ndjson")
MARK = b"\xef\xbb\xbf"


def read_all(file: BinaryIO, reading: Reading) -> Iterator[Document]:
    """The documents in `file`; what is wrong with a record is reported, and the next one follows."""
    name = reading.name
    numbered = _full_lines(file, reading)
    first = next(numbered, None)
    if first is None:
        return iter(())
    number, line = first
    if isinstance(line, bytes) and not _is_record(line, name):
        data = b"\n" * (number - 1) + line + read_at_most(file, LARGEST + 1)  # so that an error names the right line
        if len(data) > LARGEST:
            raise InputError(f"{name}: JSON of more than {LARGEST >> 20} MiB must be in lines, one record each")
        refuse_damage(file, name=name, cut=True)
        return reading.documents(_records(_parsed(data, name), name, f"{name}:1"))
    return reading.documents(_of_lines(chain([first], numbered), name))


def _of_lines(numbered: Iterable[tuple[int, bytes | InputError]], name: str) -> Iterator[Located]:
    for number, line in numbered:
        where, fallback = f"{name}, line {number}", f"{name}:{number}"
        try:
            value = line if isinstance(line, InputError) else _parsed(line, where)
        except InputError as error:
            value = error
        yield from _records(value, where, fallback)


def _full_lines(file: BinaryIO, reading: Reading) -> Iterator[tuple[int, bytes | InputError]]:
    for number, line in lines(file, name=reading.name, largest=reading.largest):
        if isinstance(line, InputError) or line.removeprefix(MARK).strip():
            yield number, line


def _is_record(line: bytes, name: str) -> bool:
    """Whether the first line stands for itself, or is the start of JSON that goes on."""
    bare = line.removeprefix(MARK).strip()
    return not bare.startswith(b"[") and (
        extension_of(name) in LINES or (bare.startswith(b"{") and bare.endswith(b"}"))
    )


def _records(value: object, where: str, fallback: str) -> Iterator[Located]:
    """One record, a list of them, or records by id."""
    if isinstance(value, list):
        for number, one in enumerate(value, start=1):
            yield f"{where}, record {number}", f"{fallback}:{number}", one
    elif isinstance(value, dict) and value and all(isinstance(one, dict) for one in value.values()):
        for key, one in value.items():
            yield f"{where}, record {shown(key)!r}", key, one
    else:
        yield where, fallback, value


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
