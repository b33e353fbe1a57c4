"""Keyphrases in Spark: functions for `mapInPandas` and `mapInArrow`.

    from phrasemill.integrations.spark import SCHEMA, in_arrow, in_pandas

    frame.mapInPandas(in_pandas(top=5), SCHEMA)
    frame.mapInArrow(in_arrow(top=5), SCHEMA)

Both return `id`, `keyphrases` and `error`, one row per row of the frame. Install Phrasemill and PyArrow on the
executors; only the options are sent to them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from phrasemill.engine.rows import pyarrow_module
from phrasemill.engine.tables import SPARK_SCHEMA as SCHEMA
from phrasemill.engine.tables import extract_batches
from phrasemill.integrations.columns import checked
from phrasemill.readers import Columns

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow

__all__ = ["SCHEMA", "in_arrow", "in_pandas"]


def in_arrow(
    *, columns: Columns | None = None, **options: Any
) -> "Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]":
    """Return the function for `mapInArrow`. `columns` names the columns of id, title and text if they do not have the
    usual names.
    """
    options = checked(options)
    return lambda batches: extract_batches(batches, columns=columns, **options)


def in_pandas(
    *, columns: Columns | None = None, **options: Any
) -> "Callable[[Iterable[pd.DataFrame]], Iterator[pd.DataFrame]]":
    """Return the function for `mapInPandas`. `mapInArrow` skips the conversion to pandas."""
    options = checked(options)

    def mapped(frames: "Iterable[pd.DataFrame]") -> "Iterator[pd.DataFrame]":
        arrow = pyarrow_module()
        batches = (arrow.RecordBatch.from_pandas(frame, preserve_index=False) for frame in frames)
        for batch in extract_batches(batches, columns=columns, **options):
            yield batch.to_pandas()

    return mapped
