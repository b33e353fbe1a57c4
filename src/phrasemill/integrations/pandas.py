"""Keyphrases in pandas (extra `pandas`): importing this module registers the accessor `phrasemill`.

    import phrasemill.integrations.pandas

    frame["keyphrases"] = frame["abstract"].phrasemill.extract(top=5)
    frame.phrasemill.extract(columns=Columns(text="abstract", title="headline"))

Keyphrases are lists of structs in Arrow: `explode()` gives one row per keyphrase, `.struct.explode()` one column per
field.
"""

from typing import Any

from phrasemill.engine.rows import pyarrow_module
from phrasemill.engine.tables import extract_table
from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked, keyphrase_array
from phrasemill.readers import Columns

with requires("pandas"):
    import pandas as pd

ACCESSOR = "phrasemill"


@pd.api.extensions.register_series_accessor(ACCESSOR)
class SeriesKeyphrases:
    """`series.phrasemill`: the keyphrases of a column of texts."""

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def extract(self, *, jobs: int | None = None, **options: Any) -> pd.Series:
        """Return the keyphrases of each text, with the index of the series; missing texts have none.

        `options` are those of `phrasemill.extract`; `jobs` processes share the work.
        """
        texts = self._series.astype(object).where(self._series.notna(), None)
        return _arrow_series(keyphrase_array(texts, jobs=jobs, **options), self._series.index)


@pd.api.extensions.register_dataframe_accessor(ACCESSOR)
class FrameKeyphrases:
    """`frame.phrasemill`: the keyphrases of rows with titles, texts and ids."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def extract(self, *, columns: Columns | None = None, jobs: int | None = None, **options: Any) -> pd.DataFrame:
        """Return `id`, `keyphrases` and `error` of each row, with the index of the frame.

        `columns` names the columns of id, title and text if they do not have the usual names. A row without a text has
        an error instead of keyphrases.
        """
        options = checked(options)
        table = pyarrow_module().Table.from_pandas(self._frame, preserve_index=False)
        found = extract_table(table, columns=columns, jobs=jobs, **options)
        return pd.DataFrame({name: _arrow_series(found[name], self._frame.index) for name in found.column_names})


def _arrow_series(values: Any, index: pd.Index) -> pd.Series:
    return pd.Series(pd.arrays.ArrowExtensionArray(values), index=index, name="keyphrases")
