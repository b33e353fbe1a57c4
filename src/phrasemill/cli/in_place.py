"""`extract --add` and `extract --write`: keyphrases in people's own tables and notes.

A table comes back as it was written, with one more cell in each row: cells, quotes, numbers and line ends stay as they
are. Notes get tags in their front matter as `tags apply` writes them, with copies that `tags undo` restores.
"""

import csv
import json
from codecs import BOM_UTF8
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import TypeAlias

from phrasemill.cli.extract import results
from phrasemill.cli.output import counted, write
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

_Piece: TypeAlias = tuple[str, Located]  # of a table as it is written, and what is in it


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
    undo = f"; phrasemill tags undo {done.folder} restores them" if done.written else ""
    print(f"tags written to {counted(done.written, 'file')} of {len(tags):,}{undo}")


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
        name = self.reading.name
        delimiter = max(DELIMITERS, key=next((line for line in StringIO(text) if line.strip()), "").count)
        kept: list[str] = []  # the lines of the row that is being read

        def lines() -> Iterator[str]:
            for line in StringIO(text, newline=""):
                kept.append(line)
                yield line

        def extended(line: str, found: Sequence[str]) -> str:
            cell = without_formula(BETWEEN.join(found))
            if any(mark in cell for mark in (delimiter, '"', "\r", "\n")):
                cell = '"' + cell.replace('"', '""') + '"'
            return line + delimiter + cell

        csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # of the process; it is only ever raised
        header, names, rows, reader = "", list[str](), list[_Piece](), csv.reader(lines(), delimiter=delimiter)
        for cells in reader:
            source, where = "".join(kept), f"{name}, line {reader.line_num}"
            record: object = None
            kept.clear()
            if not names:
                header += source
                names = [cell.strip().removeprefix(BYTE_ORDER_MARK) for cell in cells]
                continue
            if len(cells) == len(names):
                record = dict(zip(names, cells, strict=True))
            elif any(cells):
                record = InputError(f"{where}: {counted(len(cells), 'cell')}, but there are {len(names)} columns")
            rows.append((source, (where, where, record)))
        self._refuse_taken(names, name)
        self.reading.columns.of_table(names, name=name, guess=self._guess(one for _, one in rows))
        line = header.rstrip("\r\n")
        yield extended(line, [self.column]) + header[len(line) :]
        yield from self._extended(rows, extended)

    def to_lines(self, text: str) -> Iterator[str]:
        """Yield the lines of JSON as they are written, each with one more field."""
        key = json.dumps(self.column, ensure_ascii=False)

        def extended(line: str, found: Sequence[str]) -> str:
            before = line.rstrip()[:-1].rstrip()
            return f"{before}{'' if before == '{' else ', '}{key}: {json.dumps(found, ensure_ascii=False)}}}"

        lines = enumerate(StringIO(text, newline=""), start=1)
        pieces = [(line, self._of_line(f"{self.reading.name}, line {number}", line)) for number, line in lines]
        return self._extended(pieces, extended)

    def _extended(self, pieces: list[_Piece], extended: Callable[[str, Sequence[str]], str]) -> Iterator[str]:
        """Yield each piece with its keyphrases; what has no place for them stays as it is."""
        guess = self._guess(record for _, record in pieces)
        for source, record in pieces:
            found = self._keyphrases(record, guess)
            line = source.rstrip("\r\n")
            yield extended(line, found) + source[len(line) :] if isinstance(record[2], dict) else source

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
