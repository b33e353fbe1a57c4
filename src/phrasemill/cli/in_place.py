"""`extract --add` and `extract --write`: keyphrases in people's own tables and notes.

A table comes back as it was written, with one more cell in each row: cells, quotes, numbers and line ends stay as they
are. Notes get tags in their front matter as `tags apply` writes them, with copies that `tags undo` restores.
"""

import csv
import json
from codecs import BOM_UTF8
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import NamedTuple

from phrasemill.cli.extract import results
from phrasemill.cli.output import write
from phrasemill.cli.reading import STDIN, Failures, Inputs, expanded
from phrasemill.errors import ConfigError, InputError, MissingExtra
from phrasemill.extractor import Extractor
from phrasemill.files.streams import LARGEST_FILE, SNIFFED, whole
from phrasemill.files.tables import clean, without_formula
from phrasemill.readers.csv import DELIMITERS
from phrasemill.readers.decoding import decode
from phrasemill.readers.guessing import SAMPLE, Ahead
from phrasemill.readers.records import Located, RecordReading
from phrasemill.readers.sniffing import format_of
from phrasemill.types import Keyphrase

BETWEEN = "; "  # phrases in one cell
BYTE_ORDER_MARK = "\ufeff"


def add_tags(names: Sequence[str], extractor: Extractor, inputs: Inputs, failures: Failures) -> None:
    """Write the keyphrases of notes into their front matter, and print what changes; other files are reported."""
    from phrasemill.tags.writing import is_markdown, tag_notes

    notes = []
    for name in expanded(names, failures):
        if name != STDIN and is_markdown(name):
            notes.append(name)
        else:
            failures(InputError(f"{name}: only Markdown files have a place for tags, so it is left alone"))
    if not notes:
        raise InputError("no Markdown file to write to; --format jsonl prints the keyphrases of other files")
    found = results(notes, extractor, inputs, failures)
    tags: dict[str | Path, list[str]] = {one.document.id: _texts(one.keyphrases) for one in found}
    done = tag_notes(tags, report=failures, write=True)
    for change in done.changes:
        print(clean(change.diff()), end="")
    files = f"{done.written:,} file{'' if done.written == 1 else 's'}"
    undo = f"; phrasemill tags undo {done.folder} restores them" if done.written else ""
    print(f"tags written to {files} of {len(tags):,}{undo}")


def add_column(
    names: Sequence[str], column: str, extractor: Extractor, inputs: Inputs, failures: Failures, output: Path | None
) -> None:
    """Write a table with one more column, the keyphrases of each row."""
    if len(names) != 1 or not column.strip():
        raise ConfigError("--add NAME takes one FILE, a table, and the name of the new column")
    (name,) = names
    with inputs.opened(name) as file:
        kind = format_of(name, file.peek(SNIFFED)) if inputs.format is None else inputs.format
        data = whole(file, name=name, largest=LARGEST_FILE)
    adding = _Adding(column, inputs.reading(name, failures), extractor)
    if kind == "parquet":
        adding.to_parquet(data, output)
    elif kind in ("csv", "tsv"):
        mark = BYTE_ORDER_MARK if data.startswith(BOM_UTF8) else ""  # by which spreadsheets know UTF-8
        write(adding.to_csv(mark + decode(data, name=name)), output)
    elif kind.startswith("json") and not data.lstrip().startswith(b"["):
        write(adding.to_lines(decode(data, name=name)), output)
    else:
        raise InputError(f"{name}: --add needs a table: CSV, JSON lines or Parquet")
    failures.close()


def _texts(keyphrases: Iterable[Keyphrase]) -> list[str]:
    """Return the phrases; with a vocabulary, the labels of their concepts."""
    return list(dict.fromkeys(one.label or one.text for one in keyphrases))


@dataclass(slots=True)
class _Adding:
    """Adds a column to a table of one of the formats."""

    column: str
    reading: RecordReading
    extractor: Extractor

    def to_csv(self, text: str) -> Iterator[str]:
        """Yield the rows as they are written, each with one more cell."""
        delimiter = max(DELIMITERS, key=next((line for line in StringIO(text) if line.strip()), "").count)
        rows = list(_csv_rows(text, delimiter, self.reading.name))
        head = next((i for i, row in enumerate(rows) if row.cells), 0)
        names = [name.strip().removeprefix(BYTE_ORDER_MARK) for name in rows[head].cells] if rows else []
        self._refuse_taken(names, self.reading.name)
        records = [(row.where, row.where, row.record(names)) for row in rows[head + 1 :]]
        guess = self._guess(records)
        self.reading.columns.of_table(names, name=self.reading.name, guess=guess)
        for i, row in enumerate(rows):
            cell = self.column
            if i != head:
                record = records[i - head - 1] if i > head else ("", "", None)
                cell = BETWEEN.join(self._keyphrases(record, guess))
                if not isinstance(record[2], dict):  # it has no place for a cell
                    yield row.source
                    continue
            line = row.source.rstrip("\r\n")
            yield f"{line}{delimiter}{_quoted(cell, delimiter)}{row.source[len(line) :]}"

    def to_lines(self, text: str) -> Iterator[str]:
        """Yield the lines of JSON as they are written, each with one more field."""
        lines = list(StringIO(text, newline=""))
        records = [self._of_line(f"{self.reading.name}, line {n}", line) for n, line in enumerate(lines, start=1)]
        guess = self._guess(records)
        for source, record in zip(lines, records, strict=True):
            found = self._keyphrases(record, guess)
            if not isinstance(record[2], dict):
                yield source
                continue
            line = source.rstrip()
            field = f"{json.dumps(self.column, ensure_ascii=False)}: {json.dumps(found, ensure_ascii=False)}"
            yield f"{line[:-1].rstrip()}{', ' if record[2] else ''}{field}}}{source[len(line) :]}"

    def to_parquet(self, data: bytes, output: Path | None) -> None:
        """Write the table with a column of lists."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise MissingExtra("pyarrow", "parquet", purpose="a Parquet table") from None
        if output is None:
            raise ConfigError("--add to a Parquet table needs --output FILE")
        name = self.reading.name
        try:
            table = parquet.read_table(BytesIO(data))
        except (pyarrow.ArrowException, OSError) as error:
            raise InputError(f"{name}: damaged Parquet file ({str(error).splitlines()[0]})") from None
        self._refuse_taken(table.column_names, name)
        guess = self._guess([("", "", row) for row in table.slice(0, SAMPLE).to_pylist()])
        fields = self.reading.columns.of_table(table.column_names, name=name, guess=guess)
        records = enumerate(table.select(fields.read).to_pylist(), start=1)
        lists = [self._keyphrases((f"{name}, row {number}", "", record), guess) for number, record in records]
        added = pyarrow.array(lists, pyarrow.list_(pyarrow.string()))
        parquet.write_table(table.append_column(self.column, added), output)

    def _of_line(self, where: str, line: str) -> Located:
        record: object = None
        if line.strip():
            try:
                record = json.loads(line)
            except ValueError:
                record = InputError(f"{where}: not JSON, so it is left as it is")
        if isinstance(record, dict):
            self._refuse_taken(record, where)
        return where, where, record

    def _guess(self, records: Iterable[Located]) -> str:
        return self.reading.guess(Ahead(record for record in records if record[2] is not None))

    def _keyphrases(self, record: Located, guess: str) -> list[str]:
        """Return the phrases of a record; what is wrong with one is reported."""
        documents = self.reading.documents([record] if record[2] is not None else [], guess=guess)
        return [phrase for document in documents for phrase in _texts(self.extractor.extract(document))]

    def _refuse_taken(self, names: Container[str], where: str) -> None:
        if self.column in names:
            raise ConfigError(f"{where}: there is {self.column!r} already; give --add another name")


class _Row(NamedTuple):
    """A row of CSV as it is written, its place, and its cells."""

    source: str
    where: str
    cells: list[str]

    def record(self, names: Sequence[str]) -> dict[str, str] | InputError | None:
        """Return what is in it, or what is wrong with it; None for an empty line."""
        if len(self.cells) == len(names):
            return dict(zip(names, self.cells, strict=True))
        count = f"{len(self.cells)} cell{'' if len(self.cells) == 1 else 's'}"
        return InputError(f"{self.where}: {count}, but there are {len(names)} columns") if any(self.cells) else None


def _csv_rows(text: str, delimiter: str, name: str) -> Iterator[_Row]:
    kept: list[str] = []  # the lines of the row that is being read

    def lines() -> Iterator[str]:
        for line in StringIO(text, newline=""):
            kept.append(line)
            yield line

    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # of the process; it is only ever raised
    reader = csv.reader(lines(), delimiter=delimiter)
    for cells in reader:
        yield _Row("".join(kept), f"{name}, line {reader.line_num}", cells)
        kept.clear()


def _quoted(cell: str, delimiter: str) -> str:
    cell = without_formula(cell)
    return '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in f'{delimiter}"\r\n') else cell
