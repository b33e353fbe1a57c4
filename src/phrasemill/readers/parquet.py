"""Parquet tables, one document a row; only the columns that are needed are read, some rows at a time."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from phrasemill.errors import InputError, MissingExtra
from phrasemill.readers.records import Columns, Report, document
from phrasemill.types import Document

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

ROWS = 256  # at a time
BUFFER = 1 << 20  # of each column; without it a column of a group of rows is read at once
# A group of rows is unfolded column by column; texts that take more than this are no texts, or a bomb.
LARGEST_COLUMN = 4 << 30


def read_all(file: BinaryIO, *, name: str, columns: Columns, report: Report) -> Iterator[Document]:
    """The documents in `file`; what is wrong with a row goes to `report`, and the next one follows."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingExtra("pyarrow", "parquet", purpose="reading Parquet files") from None
    number = 0
    try:
        table = ParquetFile(_source(file), buffer_size=BUFFER, pre_buffer=False)
        wanted = columns.wanted(table.schema_arrow.names)
        if not wanted:
            raise InputError(f"{name}: no column of it is called id, title or text; --columns text=NAME names another")
        _refuse_bombs(table, wanted, name)
        for batch in table.iter_batches(batch_size=ROWS, columns=wanted):
            for record in batch.to_pylist():
                number += 1
                try:
                    yield document(
                        record, where=f"{name}, row {number}", fallback_id=f"{name}:{number}", columns=columns
                    )
                except InputError as error:
                    report(error)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{name}: damaged Parquet file after row {number} ({reason})") from None


def _source(file: BinaryIO) -> object:
    """The file itself where one can move about in it, else all of it."""
    import pyarrow

    return file if file.seekable() else pyarrow.BufferReader(file.read())


def _refuse_bombs(table: "ParquetFile", wanted: list[str], name: str) -> None:
    metadata = table.metadata
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(column)
            if chunk.path_in_schema.partition(".")[0] in wanted and chunk.total_uncompressed_size > LARGEST_COLUMN:
                size = chunk.total_uncompressed_size >> 30
                raise InputError(f"{name}: column {chunk.path_in_schema} unfolds to {size} GiB; it looks like a bomb")
