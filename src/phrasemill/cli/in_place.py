"""`extract --add` and `extract --write`: keyphrases in people's own tables and notes.

A table comes back as it was written, with one more cell in each row: cells, quotes, numbers and line ends stay as they
are. Notes get tags in their front matter as `tags apply` writes them, with copies that `tags undo` restores.
"""

import csv
import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NamedTuple

from phrasemill.cli.output import write
from phrasemill.cli.reading import STDIN, Failures, Inputs
from phrasemill.errors import ConfigError, InputError, MissingExtra
from phrasemill.extractor import Extractor
from phrasemill.files.streams import LARGEST_FILE, SNIFFED, whole
from phrasemill.files.tables import clean, without_formula
from phrasemill.readers.csv import DELIMITERS
from phrasemill.readers.decoding import decode
from phrasemill.readers.guessing import SAMPLE, Ahead
from phrasemill.readers.records import RecordReading
from phrasemill.readers.sniffing import format_of
from phrasemill.types import Document, Keyphrase

BETWEEN = "; "  # phrases in one cell
BYTE_ORDER_MARK = "\ufeff"


class _Row(NamedTuple):
    """A row as it is written, its place, and what is in it: a record, what is wrong with it, or None for no row."""

    source: str
    where: str
    record: dict[str, Any] | InputError | None


def add_tags(
    names: Sequence[str], find: Callable[[list[str]], Iterable[tuple[Document, list[Keyphrase]]]], failures: Failures
) -> None:
    """Write the keyphrases of notes into their front matter, and print what changes; other files are reported."""
    from phrasemill.tags.writing import is_markdown, tag_notes

    notes = [name for name in names if name != STDIN and is_markdown(name)]
    for name in names:
        if name not in notes:
            failures(InputError(f"{name}: only Markdown files have a place for tags, so it is left alone"))
    if not notes:
        failures.close()
        raise InputError("no Markdown file to write to; --format jsonl prints the keyphrases of other files")
    tags: dict[str | Path, list[str]] = {document.id: _texts(found) for document, found in find(notes)}
    done = tag_notes(tags, report=failures, write=True)
    for change in done.changes:
        print(clean(change.diff()), end="")
    files = f"{done.written:,} file{'' if done.written == 1 else 's'}"
    undo = f"; phrasemill tags undo {done.folder} restores them" if done.written else ""
    print(f"tags written to {files} of {len(tags):,}{undo}")


def add_column(
    name: str, column: str, output: Path | None, *, inputs: Inputs, extractor: Extractor, failures: Failures
) -> None:
    """Write the table `name` with one more column, the keyphrases of each row."""
    with inputs.opened(name) as file:
        kind = format_of(name, file.peek(SNIFFED)) if inputs.format is None else inputs.format
        data = whole(file, name=name, largest=LARGEST_FILE)
    reading = inputs.reading(name, failures)

    def keyphrases(row: _Row, guess: str) -> list[str]:
        found = reading.documents([(row.where, row.where, row.record)], guess=guess)
        return [phrase for document in found for phrase in _texts(extractor.extract(document))]

    if kind == "parquet":
        _add_to_parquet(data, column, output, reading, keyphrases)
    elif kind in ("csv", "tsv"):
        mark = BYTE_ORDER_MARK if data.startswith(BOM_UTF8) else ""  # by which spreadsheets know UTF-8
        write(_with_cells(mark + decode(data, name=name), column, reading, keyphrases), output)
    elif kind.startswith("json") and not data.lstrip().startswith(b"["):
        write(_with_fields(decode(data, name=name), column, reading, keyphrases), output)
    else:
        raise InputError(f"{name}: --add needs a table: CSV, JSON lines or Parquet")
    failures.close()


def _texts(keyphrases: Iterable[Keyphrase]) -> list[str]:
    """Return the phrases; with a vocabulary, the labels of their concepts."""
    return list(dict.fromkeys(one.label or one.text for one in keyphrases))


def _with_cells(
    text: str, column: str, reading: RecordReading, keyphrases: Callable[[_Row, str], list[str]]
) -> Iterator[str]:
    delimiter = max(DELIMITERS, key=next((line for line in StringIO(text) if line.strip()), "").count)
    kept: list[str] = []
    rows: list[_Row] = []
    names: list[str] = []
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # of the process; it is only ever raised
    cells = csv.reader(_kept(text, kept), delimiter=delimiter)
    for row in cells:
        source, where = "".join(kept), f"{reading.name}, line {cells.line_num}"
        kept.clear()
        record: dict[str, Any] | InputError | None = None
        if names and any(row):
            record = dict(zip(names, row, strict=False))
            if len(row) != len(names):
                record = InputError(f"{where}: {len(row)} cells, but there are {len(names)} columns")
        elif any(row):
            names = [cell.strip().removeprefix(BYTE_ORDER_MARK) for cell in row]
        rows.append(_Row(source, where, record))
    guess = reading.guess(Ahead((row.where, "", row.record) for row in rows if row.record is not None))
    reading.columns.of_table(names, name=reading.name, guess=guess)
    _refuse_taken(column, names, reading.name)
    titled = False
    for one in rows:
        line = one.source.rstrip("\r\n")
        if not titled and line.strip():
            titled, cell = True, column
        elif isinstance(one.record, dict):
            cell = BETWEEN.join(keyphrases(one, guess))
        else:
            if one.record is not None:
                keyphrases(one, guess)  # which reports what is wrong; the row has no place for a cell
            yield one.source
            continue
        yield f"{line}{delimiter}{_quoted(cell, delimiter)}{one.source[len(line) :]}"


def _kept(text: str, kept: list[str]) -> Iterator[str]:
    """Yield the lines, and keep them until the row that they make is read."""
    for line in StringIO(text, newline=""):
        kept.append(line)
        yield line


def _quoted(cell: str, delimiter: str) -> str:
    cell = without_formula(cell)
    return '"' + cell.replace('"', '""') + '"' if any(mark in cell for mark in f'{delimiter}"\r\n') else cell


def _with_fields(
    text: str, column: str, reading: RecordReading, keyphrases: Callable[[_Row, str], list[str]]
) -> Iterator[str]:
    rows = []
    for number, line in enumerate(StringIO(text, newline=""), start=1):
        where = f"{reading.name}, line {number}"
        record: Any = None
        if line.strip():
            try:
                record = json.loads(line)
            except ValueError:
                record = InputError(f"{where}: not JSON, so it is left as it is")
        if isinstance(record, dict) and column in record:
            _refuse_taken(column, list(record), where)
        rows.append(_Row(line, where, record))
    guess = reading.guess(Ahead((row.where, "", row.record) for row in rows if row.record is not None))
    for one in rows:
        found = [] if one.record is None else keyphrases(one, guess)
        if not isinstance(one.record, dict):
            yield one.source
            continue
        line = one.source.rstrip()
        field = f"{json.dumps(column, ensure_ascii=False)}: {json.dumps(found, ensure_ascii=False)}"
        comma = ", " if one.record else ""
        yield f"{line[:-1].rstrip()}{comma}{field}}}{one.source[len(line) :]}"


def _add_to_parquet(
    data: bytes,
    column: str,
    output: Path | None,
    reading: RecordReading,
    keyphrases: Callable[[_Row, str], list[str]],
) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("pyarrow", "parquet", purpose="a Parquet table") from None
    if output is None:
        raise ConfigError("--add to a Parquet table needs --output FILE")
    try:
        table = parquet.read_table(BytesIO(data))
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{reading.name}: damaged Parquet file ({str(error).splitlines()[0]})") from None
    _refuse_taken(column, table.column_names, reading.name)
    guess = reading.guess(Ahead(("", "", row) for row in table.slice(0, SAMPLE).to_pylist()))
    fields = reading.columns.of_table(table.column_names, name=reading.name, guess=guess)
    records = enumerate(table.select(fields.read).to_pylist(), start=1)
    lists = [keyphrases(_Row("", f"{reading.name}, row {number}", record), guess) for number, record in records]
    added = pyarrow.array(lists, pyarrow.list_(pyarrow.string()))
    parquet.write_table(table.append_column(column, added), output)


def _refuse_taken(column: str, names: Sequence[str], where: str) -> None:
    if column in names:
        raise ConfigError(f"{where}: there is {column!r} already; give --add another name")
