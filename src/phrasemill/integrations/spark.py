"""Keyphrases in Spark: functions for `mapInPandas` and `mapInArrow`.

    from phrasemill.integrations.spark import SCHEMA, in_arrow, in_pandas

    frame.mapInPandas(in_pandas(top=5), SCHEMA)
    frame.mapInArrow(in_arrow(top=5), SCHEMA)

Both return `id`, `keyphrases` and `error`, one row per row of the frame. Phrasemill and PyArrow must be installed where
the executors run; nothing else is sent there than the options.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from phrasemill.engine.chunks import pyarrow_module
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
    """Return the function for `mapInArrow`; `columns` names the columns of id, title and text, if need be."""
    options = checked(options)
    return lambda batches: extract_batches(batches, columns=columns, **options)


def in_pandas(
    *, columns: Columns | None = None, **options: Any
) -> "Callable[[Iterable[pd.DataFrame]], Iterator[pd.DataFrame]]":
    """Return the function for `mapInPandas`; `mapInArrow` does without the way through pandas."""
    options = checked(options)

    def mapped(frames: "Iterable[pd.DataFrame]") -> "Iterator[pd.DataFrame]":
        arrow = pyarrow_module()
        batches = (arrow.RecordBatch.from_pandas(frame, preserve_index=False) for frame in frames)
        for batch in extract_batches(batches, columns=columns, **options):
            yield batch.to_pandas()

    return mapped
