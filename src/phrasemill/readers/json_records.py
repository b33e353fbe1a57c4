"""The records of a JSON file of any size, one at a time: lines, a list, or records under their ids.

    {"title": …}\\n{"title": …}\\n      [{"title": …}, {"title": …}]      {"PMC1": {"title": …}, "PMC2": {…}}

Lines are bounded, and a bad one costs only itself. Whatever is not in lines is decoded piece by piece, so that a list
of gigabytes takes the memory of its longest record; after a break in it, nothing can be trusted.
"""

import codecs
import json
import re
from collections.abc import Iterator
from io import BufferedReader
from itertools import chain
from typing import BinaryIO, NamedTuple, cast

from phrasemill.errors import InputError
from phrasemill.files.streams import LARGEST, SNIFFED, damage, lines, size
from phrasemill.readers.sniffing import extension_of
from phrasemill.readers.values import shown

LINES = ("jsonl", "ndjson")
MARK = codecs.BOM_UTF8
LONGEST = 256 << 20  # characters of a record that is not on a line of its own
CHUNK = 1 << 20
SPACE = re.compile(r"[ \t\n\r]*")
# The start of a mapping whose first value is again a mapping: records under their ids.
KEYED = re.compile(rb'\{\s*(?:\}\s*$|"(?:[^"\\]|\\.)*"\s*:\s*\{)')
# A mapping that begins with this many mappings holds records under their ids; of fewer, all must be mappings.
SURELY_KEYED = 100
# What may follow a number that seems complete: where it reaches the end of the buffer, the number may go on.
MAY_GO_ON = re.compile(r"[0-9.eE+-]*")
# A number of thousands of digits; brackets in brackets in brackets.
BEYOND = "is JSON beyond reason, nested too deep or with numbers too long"


class JsonRecord(NamedTuple):
    """A value, or what is wrong with it; the line where it begins; its id in a mapping, or its number in a list."""

    line: int
    key: str | int | None
    value: object


class BrokenJsonError(InputError):
    """JSON that cannot be read on; `reason` is the message without the place, `line` its line."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        super().__init__(f"{name}, line {line}: {reason}")
        self.line, self.reason = line, reason


def located_records(
    file: BinaryIO, *, name: str, largest: int = LARGEST, longest: int | None = None
) -> Iterator[tuple[str, str, object]]:
    """Yield the records of `json_records` with where each stands, for errors, and an id for one that has none."""
    for line, key, value in json_records(file, name=name, largest=largest, longest=longest):
        where = f"{name}, line {line}"
        if isinstance(key, str):
            yield f"{where}, record {shown(key)!r}", key, value
        elif isinstance(key, int):
            yield f"{where}, record {key}", f"{name}:1:{key}", value
        elif isinstance(value, list) and value:  # on a line among records
            for number, one in enumerate(value, start=1):
                yield f"{where}, record {number}", f"{name}:{line}:{number}", one
        else:
            yield where, f"{name}:{line}", value


def json_records(
    file: BinaryIO, *, name: str, largest: int = LARGEST, longest: int | None = None, keyed: bool = False
) -> Iterator[JsonRecord]:
    """Yield the records in `file`, a decompressed and buffered stream; `keyed` means that it must be one mapping.

    A line longer than `largest` bytes is an error in its place; a record of a list or mapping longer than `longest`
    characters raises `BrokenJsonError`, as does whatever else breaks one. `name` is for errors.
    """
    start = cast(BufferedReader, file).peek(SNIFFED).removeprefix(MARK).lstrip()
    in_lines = extension_of(name) in LINES
    keyed_on_one_line = b"\n" not in start and not in_lines and KEYED.match(start)
    several = start.startswith(b"[") and _is_line_of_several(start)
    if keyed or keyed_on_one_line or (start.startswith(b"[") and not several):
        yield from _Scanner(file, name, longest or LONGEST).records(keyed=keyed)
        return
    first = True
    for number, line in lines(file, name=name, largest=largest):
        if isinstance(line, InputError):
            yield JsonRecord(number, None, line)
        elif bare := line.removeprefix(MARK).strip():
            if first and not several and (bare[:1] == b"[" or not (in_lines or _is_whole(bare))):
                yield from _Scanner(file, name, longest or LONGEST, line, number).records()
                return
            first = False
            try:
                value = parsed(line)
            except InputError as error:
                value = InputError(f"{name}, line {number}: {error}")
            if isinstance(value, dict) and value and all(isinstance(one, dict) for one in value.values()):
                yield from (JsonRecord(number, key, one) for key, one in value.items())
            else:
                yield JsonRecord(number, None, value)


def _is_line_of_several(start: bytes) -> bool:
    """Return whether a file that begins with a list goes on after its first line: it is then no list of records."""
    line, _, more = start.partition(b"\n")
    try:
        return bool(more.strip()) and isinstance(parsed(line), list)
    except InputError:
        return False


def _is_whole(bare: bytes) -> bool:
    """Return whether the first line stands for itself, rather than being the start of a value that goes on."""
    return bare[:1] != b"{" or bare[-1:] == b"}"


def parsed(data: bytes) -> object:
    """Return the JSON value in `data`; raise an `InputError` with the reason, but not the place, if there is none."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 (byte {error.start + 1})") from None
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError):
        raise InputError(BEYOND) from None


class _Scanner:
    """Decodes the items of a list or mapping one after the other, from a buffer that is filled as needed."""

    def __init__(self, file: BinaryIO, name: str, longest: int, begun: bytes = b"", line: int = 1) -> None:
        self.file, self.name, self.longest, self.line = file, name, longest, line
        self.begun = begun  # what was read of the file already
        self.buffer, self.position, self.passed = "", 0, 0
        self._decode = json.JSONDecoder().raw_decode
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")()

    def records(self, *, keyed: bool = False) -> Iterator[JsonRecord]:
        """Yield the items of a list or of a mapping of mappings; any other mapping is one record among others."""
        try:
            while mark := self._take():
                if mark == "{":
                    yield from self._items("}") if keyed else self._one_or_many()
                elif mark == "[" and not keyed:
                    for number, item in enumerate(self._items("]"), start=1):
                        yield item._replace(key=number)
                else:
                    raise self._broken("is not a JSON list or mapping")
                if (keyed or mark == "[") and self._next():
                    raise self._broken("more follows the list of records")
        except BrokenJsonError:
            if damage(self.file) is None:  # else that is the reason, and whoever opened the file reports it
                raise

    def _one_or_many(self) -> Iterator[JsonRecord]:
        line, start, held = self.line, self.passed, list[JsonRecord]()
        items = self._items("}")
        for item in items:
            held.append(item)
            if not isinstance(item.value, dict):
                break
            if len(held) == SURELY_KEYED:
                yield from chain(held, items)
                return
        else:
            yield from held
            return
        record: dict[str, object] = {}
        for item in chain(held, items):
            record[str(item.key)] = item.value
            if self.passed - start > self.longest:
                raise self._too_long()
        yield JsonRecord(line, None, record)

    def _items(self, close: str) -> Iterator[JsonRecord]:
        if self._next() == close:
            self._take()
            return
        mark = ","
        while mark != close:
            if mark != ",":
                raise self._broken(f"{mark!r} where a comma should be" if mark else "the file breaks off")
            key = self._value() if close == "}" else None
            if close == "}" and not (isinstance(key, str) and self._take() == ":"):
                raise self._broken("is not JSON: no key where one should be")
            self._next()
            yield JsonRecord(self.line, cast("str | None", key), self._value())
            mark = self._take()

    def _next(self) -> str:
        """Return the next character that is no space, without taking it."""
        while True:
            end = SPACE.match(self.buffer, self.position).end()  # type: ignore[union-attr]
            self._pass(end)
            if self.position < len(self.buffer) or not self._fill():
                return self.buffer[self.position : self.position + 1]

    def _take(self) -> str:
        character = self._next()
        self.position += len(character)
        return character

    def _value(self) -> object:
        self._next()
        while True:
            try:
                value, end = self._decode(self.buffer, self.position)
            except (ValueError, RecursionError) as error:
                if isinstance(error, json.JSONDecodeError) and self._fill():
                    continue
                what = f"breaks off, or is not JSON: {error.msg}" if isinstance(error, json.JSONDecodeError) else BEYOND
                raise self._broken(what) from None
            if MAY_GO_ON.fullmatch(self.buffer, end) and self._fill():
                continue
            self._pass(end)
            return value

    def _pass(self, end: int) -> None:
        self.line += self.buffer.count("\n", self.position, end)
        self.passed += end - self.position
        self.position = end

    def _fill(self) -> bool:
        """Read on, as much again as is waiting; return False at the end of the file."""
        waiting = self.buffer[self.position :]
        if len(waiting) > self.longest:
            raise self._too_long()
        data, self.begun = self.begun or self.file.read(max(CHUNK, len(waiting))), b""
        try:
            more = self._utf8.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise self._broken(f"is not UTF-8 ({error.reason})") from None
        if data:
            self.buffer, self.position = waiting + more, 0
        return bool(data)

    def _too_long(self) -> BrokenJsonError:
        return self._broken(f"a record longer than {size(self.longest)}, or not JSON")

    def _broken(self, reason: str) -> BrokenJsonError:
        return BrokenJsonError(self.name, self.line, reason)
