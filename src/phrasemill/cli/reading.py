"""What commands read: files, the pipes that a shell hands over, standard input, and the built-in example."""

import sys
from collections.abc import Iterator
from io import BufferedReader, BytesIO, RawIOBase
from typing import Any, BinaryIO

from phrasemill.errors import ConfigError, InputError
from phrasemill.files.opening import is_shell_pipe, open_file, reason
from phrasemill.files.streams import SNIFFED
from phrasemill.readers import (
    LARGEST,
    Columns,
    Fields,
    Mapped,
    Report,
    holds_records,
    read_all,
    read_all_bytes,
)
from phrasemill.shipped import shipped
from phrasemill.types import Document

EXAMPLE = shipped("example.txt")
STDIN = "-"
MOST_MAPPINGS = 5  # that are shown


class Inputs:
    """Reads what people name. Pipes are opened once, because what was read of them is gone."""

    def __init__(self, *, format: str | None = None, columns: Columns | None = None, largest: int = LARGEST) -> None:
        self.format, self.columns, self.largest = format, columns or Columns(), largest
        self._pipes: dict[str, BufferedReader] = {}

    def holds_records(self, name: str) -> bool:
        """Whether `name` may hold many documents."""
        start = self._pipe(name).peek(SNIFFED) if is_pipe(name) else None
        return holds_records(name, format=self.format, data=start)

    def documents(self, name: str, *, report: Report, mapped: Mapped | None = None) -> Iterator[Document]:
        """The documents in `name`; what is wrong with one of many goes to `report`."""
        how: dict[str, Any] = {"format": self.format, "columns": self.columns, "largest": self.largest}
        how |= {"report": report, "mapped": mapped}
        if is_pipe(name):
            with self._pipe(name) as pipe:
                yield from read_all(pipe, name=name, **how)
        elif name == str(EXAMPLE):
            yield from read_all_bytes(EXAMPLE.read_bytes(), name="example", **how)
        else:
            yield from read_all(name, **how)

    def _pipe(self, name: str) -> BufferedReader:
        if name not in self._pipes:
            self._pipes[name] = BufferedReader(_Patient(_opened(name)), SNIFFED)
        if self._pipes[name].closed:
            raise ConfigError(f"{name} is named twice, but can be read only once")
        return self._pipes[name]


def is_pipe(name: str) -> bool:
    """Whether `name` can be read only once."""
    return name == STDIN or is_shell_pipe(name)


def _opened(name: str) -> BinaryIO:
    if name == STDIN:
        return sys.stdin.buffer if sys.stdin else BytesIO()
    try:
        return open_file(name)
    except OSError as error:
        raise InputError(f"{name}: {reason(error)}") from error


class _Patient(RawIOBase):
    """A pipe that gives as much as it is asked for, as a file does, unless it ends."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if sys.stdin is None or self._file is not sys.stdin.buffer:
            self._file.close()
        super().close()


class Mappings:
    """Prints which fields of records are read as what, once for each combination."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __call__(self, fields: Fields) -> None:
        line = str(fields)
        if line not in self._told and len(self._told) < MOST_MAPPINGS:
            self._told.add(line)
            print(f"phrasemill: columns: {line}", file=sys.stderr)
