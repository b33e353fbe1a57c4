"""Keyphrases in Polars (extra `polars`): importing this module registers the namespace `phrasemill`.

    import phrasemill.integrations.polars

    frame.with_columns(keyphrases=pl.col("abstract").phrasemill.extract(top=5))
    frame.phrasemill.extract(columns=Columns(text="abstract", title="headline"))

Keyphrases are lists of structs: `explode("keyphrases").unnest("keyphrases")` gives one row per keyphrase and one column
per field. Expressions work in lazy frames too.
"""

from typing import Any

from phrasemill.engine.tables import extract_table
from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked, keyphrase_array, keyphrase_type
from phrasemill.readers import Columns

with requires("polars"):
    import polars as pl

NAMESPACE = "phrasemill"


@pl.api.register_expr_namespace(NAMESPACE)
class ExpressionKeyphrases:
    """`pl.col("text").phrasemill`: the keyphrases of a column of texts, as an expression."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def extract(self, *, jobs: int | None = None, **options: Any) -> pl.Expr:
        """Return an expression for the keyphrases of each text; null texts have none.

        `options` are those of `phrasemill.extract`; `jobs` processes share the work.
        """
        options = checked(options)
        kind = _data_type(options)
        return self._expression.map_batches(
            lambda texts: SeriesKeyphrases(texts).extract(jobs=jobs, **options), return_dtype=kind, is_elementwise=True
        )


@pl.api.register_series_namespace(NAMESPACE)
class SeriesKeyphrases:
    """`series.phrasemill`: the keyphrases of a column of texts."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def extract(self, *, jobs: int | None = None, **options: Any) -> pl.Series:
        """Return the keyphrases of each text; null texts have none."""
        options = checked(options)
        array = keyphrase_array(self._series, jobs=jobs, **options)
        return pl.Series(self._series.name, pl.from_arrow(array), dtype=_data_type(options))


@pl.api.register_dataframe_namespace(NAMESPACE)
class FrameKeyphrases:
    """`frame.phrasemill`: the keyphrases of rows with titles, texts and ids."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def extract(self, *, columns: Columns | None = None, jobs: int | None = None, **options: Any) -> pl.DataFrame:
        """Return a frame of `id`, `keyphrases` and `error`, one row per row.

        `columns` names the columns of id, title and text if they do not have the usual names. A row without a text has
        an error instead of keyphrases.
        """
        options = checked(options)
        return pl.from_arrow(extract_table(self._frame.to_arrow(), columns=columns, jobs=jobs, **options))


def _data_type(options: dict[str, Any]) -> Any:
    import pyarrow

    return pl.from_arrow(pyarrow.array([], keyphrase_type(**options))).dtype
