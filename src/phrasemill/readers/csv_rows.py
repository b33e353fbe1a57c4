"""Rows of a table out of its lines, where a quote may be left open.

A quoted cell may go on over any number of lines. Where its closing quote is missing, it swallows the rows after it, up
to the next quote or the end of the file. So a row of several lines is looked at again when something is wrong with
it: it is still open at the end or beyond the bound, a closing quote stands in the middle of a cell, or its cells are
not as many as there are columns. If most of its lines are rows by themselves, the first one is reported, and reading
goes on with the line after it.
"""

import csv
import re
from collections import deque
from collections.abc import Iterator

from phrasemill.errors import InputError
from phrasemill.files.streams import too_large

# Lines are read again after a quote that was left open. Beyond this many times what has been read, no row may go on
# over several of them, so that quotes on every line of a file cannot make reading slow.
MOST_READ_AGAIN = 8
READ_AGAIN_FREELY = 1 << 20
MOST_PROBED = 1_000  # lines that are tried as rows by themselves
NEVER_CLOSED = "the quote that opens here is never closed"

Row = tuple[int, list[str] | InputError]


class _Open(Exception):  # noqa: N818
    """A row that cannot go on: its quote is open where the file ends, or it is too long."""


class Rows:
    """The rows of a table of `delimiter`-separated cells, without the header."""

    def __init__(self, lines: Iterator[str | InputError], *, delimiter: str, largest: int, name: str) -> None:
        self._lines, self._largest, self._name = lines, largest, name
        self._delimiter = delimiter
        self._quoted = re.compile(rf'(?:^|{re.escape(delimiter)})"')
        self._waiting: deque[str | InputError] = deque()  # lines to read again
        self._held: list[str] = []  # the lines of the row that is being read
        self._length = 0  # of these lines
        self._number = 0  # of lines read
        self._read = self._read_again = 0  # characters
        self._strict = csv.reader(self, delimiter=delimiter, strict=True)
        self._lenient = csv.reader(self, delimiter=delimiter)

    def header(self, line: str) -> list[str]:
        """Return the cells of the first row, which begins with `line`."""
        self._waiting.append(line)
        try:
            return self._row(self._lenient)
        except (_Open, csv.Error, StopIteration) as error:
            raise InputError(f"{self._name}, line 1: {error}") from None

    def read(self, width: int) -> Iterator[Row]:
        """Yield the rows that have something in them, with the number of the line on which each begins."""
        while True:
            start = self._number + 1
            try:
                row = self._row(self._strict)
            except StopIteration:
                return
            except InputError as error:  # in the place of a line
                yield start, error
                continue
            except (_Open, csv.Error) as error:
                yield from self._mended(start, width, error)
                continue
            if len(row) != width and len(self._held) > 1 and self._swallowed_rows(width):
                yield self._given_up(start)
            elif any(row):
                yield start, row

    def _row(self, reader: "Iterator[list[str]]") -> list[str]:
        self._held, self._length = [], 0
        return next(reader)

    def __iter__(self) -> "Rows":
        return self

    def __next__(self) -> str:
        """Return the next line, for the parser, which takes a second one only where a quote is open."""
        line = self._waiting.popleft() if self._waiting else next(self._lines, None)
        if self._held and (why := self._cannot_go_on(line)):
            if line is not None:
                self._waiting.appendleft(line)
            raise _Open(why)
        if line is None:
            raise StopIteration
        self._number += 1
        if isinstance(line, InputError):
            raise line
        self._held.append(line)
        self._length += len(line)
        self._read += len(line)
        return line

    def _cannot_go_on(self, line: str | InputError | None) -> str:
        """Return why a row does not go on with `line`; empty where it does."""
        if line is None or isinstance(line, InputError):
            return NEVER_CLOSED
        if self._length + len(line) > self._largest:
            return too_large(self._largest)
        patience = READ_AGAIN_FREELY + MOST_READ_AGAIN * (self._read - self._read_again)
        return NEVER_CLOSED if self._read_again > patience else ""

    def _mended(self, start: int, width: int, error: Exception) -> Iterator[Row]:
        """Yield what to make of a row that is open at the end, or in which a closing quote is followed by more text."""
        is_open = isinstance(error, _Open)
        # Where a cell begins with the quote that closed the row, it was meant to open that cell.
        swallows = is_open or self._quoted.search(self._held[-1])
        if len(self._held) > 1 and swallows and self._swallowed_rows(width):
            yield self._given_up(start)
        elif is_open:
            yield start, self._failed(start, error)
        else:  # people write quotes within quotes, and most programs let them
            self._return(self._held)
            try:
                row = self._row(self._lenient)
            except (_Open, csv.Error) as worse:
                yield start, self._failed(start, worse)
            else:
                if any(row):
                    yield start, row

    def _given_up(self, start: int) -> Row:
        """Return the first line of a row as an error; the lines after it are read again."""
        self._return(self._held[1:])
        return start, InputError(f"{self._name}, line {start}: {NEVER_CLOSED}")

    def _return(self, lines: list[str]) -> None:
        self._waiting.extendleft(reversed(lines))
        self._number -= len(lines)
        self._read_again += sum(map(len, lines))

    def _failed(self, start: int, error: Exception) -> InputError:
        lines = f"lines {start} to {start + len(self._held) - 1}" if len(self._held) > 1 else f"line {start}"
        return InputError(f"{self._name}, {lines}: {error}")

    def _swallowed_rows(self, width: int) -> bool:
        """Return whether most lines of a row, but the first, are rows by themselves."""
        lines = [line for line in self._held[1 : MOST_PROBED + 1] if line.strip()]
        return 2 * sum(self._is_row(line, width) for line in lines) > len(lines)

    def _is_row(self, line: str, width: int) -> bool:
        try:
            return len(next(csv.reader([line], delimiter=self._delimiter))) == width
        except (csv.Error, StopIteration):
            return False
