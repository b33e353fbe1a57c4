"""Keyphrases as rows of a part: Arrow columns for Parquet, lines of JSON as `extract` prints them, or bulk lines.

Every document has its row: `id`, `language` and `keyphrases`, or an `error` in their place. Lines for the bulk
interface of a search engine have no place for errors, which the record of the part then names (`parts.py`).
"""

import json
from collections.abc import Sequence
from io import BytesIO
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from phrasemill.engine.bulk import bulk_lines
from phrasemill.errors import MissingExtra
from phrasemill.files.tables import rounded
from phrasemill.types import Document, Keyphrase

if TYPE_CHECKING:
    import pyarrow

PARQUET, BULK = "parquet", "bulk"
FORMATS = (PARQUET, "jsonl", BULK)
# The rows of some documents: a record batch for Parquet, else lines as bytes, which need no PyArrow.
Rows: TypeAlias = "pyarrow.RecordBatch | bytes"


class Row(NamedTuple):
    """A document, of which text and title do not matter here, with its keyphrases or an error."""

    document: Document
    keyphrases: Sequence[Keyphrase] = ()
    error: str = ""


def pyarrow_module(purpose: str = "working on Arrow tables", *, instead: str = "") -> Any:
    """Return PyArrow; a `MissingExtra` names what needs it, what to install, and what to do instead."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("pyarrow", "parquet", purpose=purpose, instead=instead) from None
    return pyarrow


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


def batch(found: Sequence[Row], *, format: str, method: str, concepts: bool) -> "Rows":
    """Return these rows."""
    if format != PARQUET:
        make = _bulk if format == BULK else _json_line
        return "".join([make(one, method) for one in found]).encode()
    arrow = pyarrow_module()
    columns = {
        "id": arrow.array([one.document.id for one in found], arrow.string()),
        "language": arrow.array([one.document.language or None for one in found], arrow.string()),
        "keyphrases": keyphrases_column([None if one.error else one.keyphrases for one in found], concepts=concepts),
        "error": arrow.array([one.error or None for one in found], arrow.string()),
    }
    return arrow.record_batch(columns, metadata={"phrasemill.method": method})


def _bulk(row: Row, _: str) -> str:
    return "" if row.error else bulk_lines(row.document, row.keyphrases)


def _json_line(row: Row, method: str) -> str:
    record: dict[str, object] = {"id": row.document.id}
    if row.error:
        record["error"] = row.error
    else:
        record |= {"language": row.document.language, "method": method}
        record["keyphrases"] = [rounded(keyphrase.to_dict()) for keyphrase in row.keyphrases]
    return json.dumps(record, ensure_ascii=False) + "\n"


def joined(pieces: "Sequence[Rows]") -> "Rows":
    """Return the rows of single documents as those of their chunk."""
    if isinstance(pieces[0], bytes):
        return b"".join(pieces)
    return pyarrow_module().Table.from_batches(pieces).combine_chunks().to_batches()[0]


def part(rows: "Rows") -> bytes:
    """Return the rows as the content of a part."""
    if isinstance(rows, bytes):
        return rows
    from pyarrow import parquet

    content = BytesIO()
    table = pyarrow_module().Table.from_batches([rows])
    parquet.write_table(table, content, compression="zstd", store_schema=True)
    return content.getvalue()


def ids(data: bytes, format: str) -> list[str]:
    """Return the ids of the documents in a part, without those that failed."""
    if format == PARQUET:
        from pyarrow import parquet

        table = parquet.read_table(BytesIO(data), columns=["id", "error"])
        return table.filter(table["error"].is_null())["id"].to_pylist()
    lines = map(json.loads, data.splitlines())
    if format == BULK:
        return [line["update"]["_id"] for line in lines if "update" in line]
    return [line["id"] for line in lines if "error" not in line]
