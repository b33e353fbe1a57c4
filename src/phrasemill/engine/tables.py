"""Arrow in, Arrow out: tables in memory, or batch by batch, as in Spark's `mapInArrow`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from phrasemill.engine.rows import keyphrases_column, pyarrow_module
from phrasemill.engine.work import attempt
from phrasemill.errors import InputError
from phrasemill.extractor import Extractor
from phrasemill.isolated import Lost, Pool, checked_jobs, in_order
from phrasemill.options import checked
from phrasemill.readers import Columns
from phrasemill.readers.records import converted
from phrasemill.types import Document, Keyphrase

if TYPE_CHECKING:
    import pyarrow

ROWS = 256  # at a time
PHRASE = "text: string, score: double, present: boolean, spans: array<struct<start: int, end: int>>"
# The schema of the result of `extract_batches`, for Spark.
SPARK_SCHEMA = f"id string, keyphrases array<struct<{PHRASE}>>, error string"


def extract_table(
    table: "pyarrow.Table", *, columns: Columns | None = None, jobs: int | None = None, **options: Any
) -> "pyarrow.Table":
    """Return the keyphrases of each row, in order, as a table of `id`, `keyphrases` and `error`.

    `columns` names the columns of id, title and text if they do not have the usual names. A row without an id gets its
    number. `options` are those of `phrasemill.extract`. A row without a text, or one that fails, has an error instead
    of keyphrases. `jobs` processes share the work.
    """
    arrow = pyarrow_module()
    if not isinstance(table, arrow.Table):
        raise InputError(f"expected a pyarrow.Table, got {type(table).__name__}")
    _check_columns(table.schema.names, columns)
    found = extract_batches(table.to_batches(max_chunksize=ROWS), columns=columns, jobs=jobs, **options)
    empty = _batch([], [], checked(options))
    return arrow.Table.from_batches(list(found), schema=empty.schema)


def extract_batches(
    batches: "Iterable[pyarrow.RecordBatch]",
    *,
    columns: Columns | None = None,
    jobs: int | None = None,
    **options: Any,
) -> "Iterator[pyarrow.RecordBatch]":
    """Yield the results of `extract_table` batch by batch, as Spark's `mapInArrow` expects."""
    task = _Rows(columns or Columns(), checked(options))
    if jobs is None:
        yield from map(task.prepare(), _numbered(batches, columns))
        return
    done = 0
    try:
        with Pool(task, jobs=checked_jobs(jobs)) as pool:
            for batch in in_order(pool.submit, _numbered(batches, columns), jobs=checked_jobs(jobs)):
                done += batch.num_rows
                yield batch
    except Lost as lost:
        raise InputError(f"a row after the first {done:,} failed: {lost}") from None


def _numbered(
    batches: "Iterable[pyarrow.RecordBatch]", columns: Columns | None
) -> "Iterator[tuple[int, pyarrow.RecordBatch]]":
    """Yield each batch with the number of rows before it."""
    before = 0
    for batch in batches:
        _check_columns(batch.schema.names, columns)
        yield before, batch
        before += batch.num_rows


@dataclass(frozen=True, slots=True)
class _Rows:
    """The task of workers: a batch in, a batch out."""

    columns: Columns
    options: Mapping[str, Any]

    def prepare(self) -> "Callable[[tuple[int, pyarrow.RecordBatch]], pyarrow.RecordBatch]":
        extractor = Extractor(**self.options)

        def work(numbered: "tuple[int, pyarrow.RecordBatch]") -> "pyarrow.RecordBatch":
            read = self._documents(*numbered)
            found = [attempt(extractor, one) if isinstance(one, Document) else one for _, one in read]
            return _batch([id_ for id_, _ in read], found, self.options)

        return work

    def _documents(self, before: int, batch: "pyarrow.RecordBatch") -> list[tuple[str, Document | str]]:
        """Return the id of each row, and its document or what is wrong with it."""
        fields = self.columns.mapping(batch.schema.names)
        read: list[tuple[str, Document | str]] = []
        for number, record in enumerate(batch.select(fields.read).to_pylist(), start=before + 1):
            try:
                document = converted(record, fields, where=f"row {number}", fallback_id=str(number))
                read.append((document.id, document))
            except InputError as error:
                read.append((fields.identity(record) or str(number), str(error)))
        return read


def _batch(ids: list[str], found: list[list[Keyphrase] | str], options: Mapping[str, Any]) -> "pyarrow.RecordBatch":
    """Return the rows; `found` are the keyphrases of each, or its error."""
    arrow = pyarrow_module()
    kept = [None if isinstance(one, str) else one for one in found]
    columns = {
        "id": arrow.array(ids, arrow.string()),
        "keyphrases": keyphrases_column(kept, concepts=options["vocabulary"] is not None),
        "error": arrow.array([one if isinstance(one, str) else None for one in found], arrow.string()),
    }
    return arrow.record_batch(columns)


def _check_columns(names: list[str], columns: Columns | None) -> None:
    fields = (columns or Columns()).mapping(names)
    if not fields.text or fields.missing:
        lacks = f"no column {fields.missing[0]!r}" if fields.missing else "no text column"
        raise InputError(f"{lacks}; there are {', '.join(names) or 'none'}; name one with columns=Columns(text=NAME)")
