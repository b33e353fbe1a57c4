"""Keyphrases as rows of a part: Arrow columns for Parquet, or lines of JSON as `extract` prints them."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from phrasemill.engine.bulk import bulk_lines
from phrasemill.engine.chunks import RecordOutcome, pyarrow_module
from phrasemill.files.tables import rounded
from phrasemill.types import Document, Keyphrase

if TYPE_CHECKING:
    import pyarrow

PARQUET = "parquet"
FORMATS = (PARQUET, "jsonl", "bulk")
# The rows of some documents: a table for Parquet, else lines as bytes, which need no PyArrow.
Rows: TypeAlias = "pyarrow.RecordBatch | bytes"


def keyphrases_column(lists: Sequence[Sequence[Keyphrase] | None], *, concepts: bool) -> "pyarrow.ListArray":
    """Return one list of structs per document, null for None; with concept and label if there is a vocabulary.

    It is built by columns, which is several times faster than from dicts.
    """
    arrow = pyarrow_module()
    every = [keyphrase for found in lists for keyphrase in found or ()]
    spans = [span for keyphrase in every for span in keyphrase.spans]
    places = arrow.StructArray.from_arrays(
        [arrow.array([span[i] for span in spans], arrow.int32()) for i in (0, 1)], names=["start", "end"]
    )
    columns = [
        arrow.array([keyphrase.text for keyphrase in every], arrow.string()),
        arrow.array([keyphrase.score for keyphrase in every], arrow.float64()),
        arrow.array([keyphrase.present for keyphrase in every], arrow.bool_()),
        arrow.ListArray.from_arrays(_offsets([len(keyphrase.spans) for keyphrase in every]), places),
    ]
    names = ["text", "score", "present", "spans"]
    if concepts:
        columns += [arrow.array([getattr(k, name) for k in every], arrow.string()) for name in ("concept", "label")]
        names += ["concept", "label"]
    missing = arrow.array([found is None for found in lists]) if None in lists else None
    offsets = _offsets([len(found or ()) for found in lists])
    return arrow.ListArray.from_arrays(offsets, arrow.StructArray.from_arrays(columns, names=names), mask=missing)


def _offsets(lengths: Sequence[int]) -> "pyarrow.Array":
    arrow = pyarrow_module()
    return arrow.array(list(accumulate(lengths, initial=0)), arrow.int32())


def batch(
    documents: Sequence[Document], lists: Sequence[Sequence[Keyphrase]], *, format: str, method: str, concepts: bool
) -> "Rows":
    """Return the rows of these documents: the id, the language and the keyphrases of each."""
    if format != PARQUET:
        lines = [
            bulk_lines(document, found) if format == "bulk" else _json_line(document, found, method)
            for document, found in zip(documents, lists, strict=True)
        ]
        return "".join(lines).encode()
    arrow = pyarrow_module()
    columns = {
        "id": arrow.array([document.id for document in documents], arrow.string()),
        "language": arrow.array([document.language for document in documents], arrow.string()),
        "keyphrases": keyphrases_column(lists, concepts=concepts),
    }
    return arrow.record_batch(columns, metadata={"phrasemill.method": method})


def _json_line(document: Document, found: Sequence[Keyphrase], method: str) -> str:
    record = {
        "id": document.id,
        "language": document.language,
        "method": method,
        "keyphrases": [rounded(keyphrase.to_dict()) for keyphrase in found],
    }
    return json.dumps(record, ensure_ascii=False) + "\n"


def joined(pieces: "Sequence[Rows]") -> "Rows":
    """Return the rows of single documents, of which there is at least one, as those of their chunk."""
    if isinstance(pieces[0], bytes):
        return b"".join(pieces)
    table = pyarrow_module().Table.from_batches(pieces).combine_chunks()
    # A table without rows has no batches.
    return table.to_batches()[0] if table.num_rows else pieces[0]


def part(rows: "Rows") -> bytes:
    """Return the rows as the content of a part."""
    if isinstance(rows, bytes):
        return rows
    from pyarrow import parquet

    content = BytesIO()
    table = pyarrow_module().Table.from_batches([rows])
    parquet.write_table(table, content, compression="zstd", store_schema=True)
    return content.getvalue()


@contextmanager
def failure_writer(file: BinaryIO, format: str) -> Iterator[Callable[[Sequence[RecordOutcome]], object]]:
    """Yield a function that writes one or more failures to `file`, a table of their own."""
    if format != PARQUET:
        yield lambda failures: file.write(
            "".join([json.dumps(failure._asdict(), ensure_ascii=False) + "\n" for failure in failures]).encode()
        )
        return
    from pyarrow import parquet

    arrow = pyarrow_module()
    kinds = {"id": arrow.string(), "input": arrow.string(), "record": arrow.int64(), "reason": arrow.string()}
    writer = parquet.ParquetWriter(file, schema := arrow.schema(kinds), compression="zstd")

    def write(failures: Sequence[RecordOutcome]) -> None:
        columns = [list(column) for column in zip(*failures, strict=True)]
        writer.write_table(arrow.Table.from_arrays(columns, schema=schema))

    try:
        yield write
    except BaseException:
        with suppress(Exception):  # the first error matters
            writer.close()
        raise
    writer.close()
