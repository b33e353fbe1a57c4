"""Read what people name: files, folders, pipes of a shell, standard input, and the built-in example."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

from phrasemill.cli.options import INPUT, Option
from phrasemill.errors import ConfigError, InputError, MissingExtra, UnknownName
from phrasemill.files.folders import files_below
from phrasemill.files.opening import is_shell_pipe, open_file, reason
from phrasemill.files.streams import SNIFFED, decompressed, opened
from phrasemill.models import shipped
from phrasemill.readers import Columns, Fields, Mapped, Report, holds_records, parse_columns, read_all
from phrasemill.readers.records import RecordReading
from phrasemill.readers.sniffing import BY_EXTENSION, FORMATS, extension_of
from phrasemill.types import Document

EXAMPLE = shipped("example.txt")
STDIN = "-"
MOST_MAPPINGS = 5  # printed
MOST_COMPLAINTS = 20  # failures that are printed one by one
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
FORMAT_HELP = "The format of the files, if neither name nor content shows it: plain, html, pdf, csv …"
COLUMNS_HELP = "The fields of JSON lines, CSV and Parquet: text=NAME,title=NAME,id=NAME. a+b joins several texts."
LARGEST_HELP = "The largest document, JSON line or row to read, such as 500k or 1G."

T = TypeVar("T")


def complain(message: object) -> None:
    """Print one line on standard error."""
    print(f"phrasemill: {' '.join(str(message).split())}", file=sys.stderr)


class Failures:
    """Counts what could not be read, and prints the first few."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, error: object) -> None:
        self.count += 1
        if self.count <= MOST_COMPLAINTS:
            complain(error)

    def close(self) -> None:
        """Print how many there were besides those that were printed."""
        if self.count > MOST_COMPLAINTS:
            complain(f"and {self.count - MOST_COMPLAINTS:,} more like these")


def expanded(names: Sequence[str], failures: Failures) -> list[str]:
    """Return the files that are named, and in the place of a folder those below it, in the order of their names.

    Hidden files and those of unknown formats are left out. It is an error if there is no file at all.
    """
    found: list[str] = []
    for name in names:
        if name == STDIN or not Path(name).is_dir():
            found.append(name)
            continue
        for inner in files_below(name, wanted=lambda inner: extension_of(inner) in BY_EXTENSION):
            if inner.problem:
                failures(f"{inner.path}: {inner.problem}")
            else:
                found.append(inner.path)
    if not found:
        raise InputError(f"{', '.join(names)}: there is no readable file in it")
    return found


def each_readable(names: Sequence[str], read: Callable[[str], Iterator[T]], failures: Failures) -> Iterator[T]:
    """Yield what `read` yields for each name; what cannot be read is a failure, an error if there is nothing else."""
    found = False
    for name in names:
        try:
            for one in read(name):
                found = True
                yield one
        except (InputError, MissingExtra) as error:
            if len(names) == 1 and not found and not failures.count:
                raise
            failures(error)


class Inputs:
    """Reads documents by name, with the options of all commands that do. Pipes are opened once, because what was read
    of them is gone."""

    def __init__(
        self,
        *,
        input_format: Annotated[
            str | None, Option("--input-format FORMAT", FORMAT_HELP, INPUT, complete=lambda: list(FORMATS))
        ] = None,
        columns: Annotated[str | None, Option("--columns NAMES", COLUMNS_HELP, INPUT)] = None,
        largest: Annotated[str, Option("--largest SIZE", LARGEST_HELP, INPUT)] = "64M",
    ) -> None:
        self.format = input_format and input_format.lower()
        if self.format is not None and self.format not in {*BY_EXTENSION, *FORMATS}:
            raise UnknownName("format", str(input_format), FORMATS)
        self.columns = Columns() if columns is None else parse_columns(columns)
        found = SIZE.fullmatch(largest.strip())
        self.largest = int(float(found[1]) * 1024 ** " kmgt".index(found[2].lower() or " ")) if found else 0
        if not self.largest:
            raise ConfigError(f"--largest must be a size such as 64M or 1G; got {largest!r}")
        self._pipes: dict[str, BufferedReader] = {}
        self._read: set[str] = set()  # those that are used up
        self._mapped = mappings(guessed=True)

    def holds_records(self, name: str) -> bool:
        """Return whether `name` may hold many documents."""
        start = self._pipe(name).peek(SNIFFED) if is_pipe(name) else None
        return holds_records(name, format=self.format, data=start)

    def documents(self, name: str, *, report: Report, mapped: Mapped | None = None) -> Iterator[Document]:
        """Yield the documents in `name`; errors of single records go to `report`, the fields that are read to `mapped`,
        which by default prints those that were guessed.
        """
        how: dict[str, Any] = {"format": self.format, "columns": self.columns, "largest": self.largest}
        how |= {"report": report, "mapped": mapped or self._mapped}
        if is_pipe(name):
            with self.opened(name) as pipe:
                yield from read_all(pipe, name=name, **how)
        else:
            yield from read_all(name, name="example" if name == str(EXAMPLE) else name, **how)

    @contextmanager
    def opened(self, name: str) -> Iterator[BufferedReader]:
        """Open a file or a pipe, decompressed; a pipe only once."""
        if not is_pipe(name):
            with opened(name, name=name) as file:
                yield file
            return
        pipe = self._pipe(name)
        self._read.add(name)
        try:
            with decompressed(pipe, name=name) as file:
                yield file
        finally:
            if name != STDIN:
                pipe.close()

    def reading(self, name: str, report: Report) -> RecordReading:
        """Return how the records of a file are read."""
        return RecordReading(name, self.columns, report, self._mapped, self.largest)

    def _pipe(self, name: str) -> BufferedReader:
        if name in self._read:
            raise ConfigError(f"{name} is named twice, but can be read only once")
        if name not in self._pipes:
            try:
                raw = open_file(name) if name != STDIN else sys.stdin.buffer if sys.stdin else BytesIO()
            except OSError as error:
                raise InputError(f"{name}: {reason(error)}") from error
            # Buffered twice, so that as much as is asked for can be seen, as in a file.
            self._pipes[name] = BufferedReader(cast(RawIOBase, raw), SNIFFED)
        return self._pipes[name]


def is_pipe(name: str) -> bool:
    """Return whether `name` can be read only once."""
    return name == STDIN or is_shell_pipe(name)


def mappings(*, guessed: bool = False) -> Mapped:
    """Return what prints which fields of records are read, once per combination; with `guessed` only if guessed."""
    printed: set[str] = set()

    def show(fields: Fields) -> None:
        line = str(fields)
        if (fields.guessed or not guessed) and line not in printed and len(printed) < MOST_MAPPINGS:
            printed.add(line)
            complain(f"columns: {line}")

    return show
