"""Parquet tables, one document per row; only the columns that are needed are read, some rows at a time."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.opening import brief, raise_failed_read
from phrasemill.files.streams import LARGEST_FILE, whole
from phrasemill.readers.guessing import SAMPLE, Ahead
from phrasemill.readers.records import Fields, Located, RecordReading
from phrasemill.types import Document

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import ParquetFile

ROWS = 256  # at a time
BUFFER = 1 << 20  # of each column; without it a column of a group of rows is read at once
# Bytes of a group of rows, decompressed; Parquet's writers make groups of an eighth of it, and more is a bomb.
LARGEST_GROUP = 4 << 30


def read_all(file: BinaryIO, reading: RecordReading) -> Iterator[Document]:
    """Return the documents in `file`; errors in a row, or a group of rows, are reported, and the next one follows."""
    try:
        import pyarrow  # noqa: F401 - its parts may have been imported without it
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtra("pyarrow", "parquet", purpose="reading Parquet files") from None
    name = reading.name
    try:
        table = ParquetFile(_source(file, reading), buffer_size=BUFFER, pre_buffer=False)
        names = table.schema_arrow.names
    except _damage() as error:
        raise_failed_read(error)
        raise InputError(f"{name}: damaged Parquet file ({brief(error)})") from None
    _refuse_bombs(table, name)
    guess = _guess(table, reading)
    fields = reading.columns.of_table(names, name=name, guess=guess)
    return reading.documents(_rows(table, fields, reading), guess=guess)


def _guess(table: "ParquetFile", reading: RecordReading) -> str:
    """Return the column that is the text where none has a usual name; of those that hold texts."""
    from pyarrow import types

    strings = [one.name for one in table.schema_arrow if types.is_string(one.type) or types.is_large_string(one.type)]
    if reading.columns.mapping(table.schema_arrow.names).text:
        return ""
    rows = (row for batch in table.iter_batches(batch_size=SAMPLE, columns=strings) for row in _records(batch))
    return reading.guess(Ahead(("", "", row) for row in rows))


def _source(file: BinaryIO, reading: RecordReading) -> object:
    """Return the file itself if it can seek, else all of its bytes."""
    import pyarrow

    if file.seekable():
        return file
    return pyarrow.BufferReader(whole(file, name=reading.name, largest=max(reading.largest, LARGEST_FILE)))


def _rows(table: "ParquetFile", fields: Fields, reading: RecordReading) -> Iterator[Located]:
    """Yield the rows as records, group by group: one that is damaged does not lose those after it."""
    name, number = reading.name, 0
    for group in range(table.metadata.num_row_groups):
        end = number + table.metadata.row_group(group).num_rows
        try:
            for batch in table.iter_batches(batch_size=ROWS, row_groups=[group], columns=fields.read):
                for record in _records(batch):
                    number += 1
                    yield f"{name}, row {number}", f"{name}:{number}", record
        except _damage() as error:
            raise_failed_read(error)
            lost = f"{name}, rows {number + 1:,} to {end:,}"
            yield lost, "", InputError(f"{lost}: damaged Parquet file ({brief(error)})")
        number = end


def _records(batch: "RecordBatch") -> "list[dict[str, object]]":
    """Return the rows of a batch, with times as text: Python has no type for some of them."""
    import pyarrow
    from pyarrow import types

    columns = [column.cast(pyarrow.string()) if types.is_temporal(column.type) else column for column in batch.columns]
    return pyarrow.record_batch(columns, names=batch.schema.names).to_pylist()


def _refuse_bombs(table: "ParquetFile", name: str) -> None:
    """Refuse absurd sizes of groups; those of columns are not read, because damaged ones crash Arrow."""
    for group in range(table.metadata.num_row_groups):
        size = table.metadata.row_group(group).total_byte_size
        if size > LARGEST_GROUP:
            more = f"more than {LARGEST_GROUP >> 30} GiB are not read, so write it in smaller groups"
            raise InputError(f"{name}: row group {group + 1} decompresses to {size >> 30:,} GiB; {more}")


def _damage() -> tuple[type[Exception], ...]:
    """Return what Arrow raises for a damaged file, or for a value that Python cannot hold."""
    import pyarrow

    return pyarrow.ArrowException, OSError, ValueError, OverflowError
