"""JSON files of any size, one record at a time: lines of records, a list of them, or records under their ids.

    {"title": …}\\n{"title": …}\\n      [{"title": …}, {"title": …}]      {"PMC1": {"title": …}, "PMC2": {…}}

A file that is one value is decoded piece by piece, so that a list of gigabytes takes the memory of its longest record.
"""

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path

from phrasemill.files import streams
from phrasemill.lab.datasets import files
from phrasemill.lab.datasets.problems import Malformed, Problems

SPACE = re.compile(r"[ \t\n\r]*")
# The start of a mapping whose first value is again a mapping: records under their ids.
KEYED = re.compile(r'\s*\{\s*(?:\}\s*$|"(?:[^"\\]|\\.)*"\s*:\s*\{)')
# What may follow a number that seems complete: where it reaches the end of the buffer, the number may go on.
MAY_GO_ON = re.compile(r"[0-9.eE+-]*")
SNIFFED = 4096
Record = tuple[int, str | None, object]  # line, key, value


def records(path: Path, problems: Problems, *, keyed: bool = False) -> Iterator[Record]:
    """Each record with the line where it starts, and its key where the file has keys; `keyed` says that it must."""
    if keyed:
        yield from _Scanner(path, problems).items()
        return
    try:
        with files.opened(path) as file:
            start = file.read(SNIFFED).decode("utf-8", errors="replace").lstrip("\ufeff")
    except Malformed as error:
        problems.add(path, str(error), 1)
        return
    if start.lstrip()[:1] == "[" or KEYED.match(start):
        yield from _Scanner(path, problems).items()
    else:
        yield from _lines(path, problems)


def _lines(path: Path, problems: Problems) -> Iterator[Record]:
    for number, line in files.lines(path, problems):
        try:
            yield number, None, json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.add(path, f"not JSON ({_reason(error)})", number)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return f"{error.msg} at character {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)


class _Scanner:
    """Walks one list or mapping, decoding one item after another from a buffer that is filled as needed."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path, self.problems = path, problems
        self.buffer, self.position, self.line = "", 0, 1
        self._decode = json.JSONDecoder().raw_decode

    def items(self) -> Iterator[Record]:
        """The items in order. After one that is broken nothing can be trusted: the rest is one problem."""
        try:
            with files.opened(self.path) as self.file:
                self.utf8 = codecs.getincrementaldecoder("utf-8-sig")()
                mark = self._take()
                if mark not in ("{", "["):
                    raise Malformed("not a JSON list or mapping")
                keyed = mark == "{"
                close = "}" if keyed else "]"
                if self._next() == close:
                    self._take()
                    mark = close
                while mark != close:
                    yield self._item(keyed)
                    mark = self._take()
                    if mark not in (close, ","):
                        raise Malformed(f"{mark!r} where a comma should be" if mark else "the file breaks off")
                if self._next():
                    raise Malformed("more follows the list of records")
                files.refuse_damage(self.file)
        except Malformed as error:
            found = streams.damage(self.file)
            why = found.reason if found else error
            self.problems.add(self.path, f"{why}; the rest of the file is left out", self.line)

    def _item(self, keyed: bool) -> Record:
        key = None
        if keyed:
            found = self._value()
            if not isinstance(found, str) or self._take() != ":":
                raise Malformed("no key where one should be")
            key = found
        self._next()
        line = self.line
        return line, key, self._value()

    def _next(self) -> str:
        """The next character that is no space, without taking it."""
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
            except RecursionError:
                raise Malformed("not JSON (nested too deeply)") from None
            except ValueError as error:
                if self._fill():
                    continue
                raise Malformed(f"breaks off, or is not JSON ({getattr(error, 'msg', error)})") from None
            if MAY_GO_ON.fullmatch(self.buffer, end) and self._fill():
                continue
            self._pass(end)
            return value

    def _pass(self, end: int) -> None:
        self.line += self.buffer.count("\n", self.position, end)
        self.position = end

    def _fill(self) -> bool:
        """Read on, as much again as is waiting; False at the end of the file."""
        waiting = self.buffer[self.position :]
        if len(waiting) > files.LONGEST_RECORD:
            raise Malformed(f"a record longer than {files.LONGEST_RECORD >> 20} MiB, or not JSON")
        data = self.file.read(max(files.CHUNK, len(waiting)))
        try:
            more = self.utf8.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise Malformed(f"not UTF-8 ({error.reason})") from None
        if data:
            self.buffer, self.position = waiting + more, 0
        return bool(data)
