"""Keyphrases in SQL: functions for DuckDB, over Arrow (extra `duckdb`).

from phrasemill.integrations import duckdb as phrasemill_duckdb

phrasemill_duckdb.register(connection, top=5)
connection.sql("SELECT id, unnest(keyphrases(text), recursive := true) FROM papers")
"""

from typing import Any

from phrasemill.errors import ConfigError
from phrasemill.integrations import requires
from phrasemill.integrations.columns import checked, keyphrase_array, keyphrase_type

with requires("duckdb"):
    import duckdb

PHRASE = 'STRUCT(text VARCHAR, score DOUBLE, present BOOLEAN, spans STRUCT("start" INTEGER, "end" INTEGER)[]{more})[]'
CONCEPT = ", concept VARCHAR, label VARCHAR"


def register(
    connection: duckdb.DuckDBPyConnection, name: str = "keyphrases", *, jobs: int | None = None, **options: Any
) -> None:
    """Register `name(text)` as a function of the connection. It returns a list of structs, and NULL for NULL.

    `options` are those of `phrasemill.extract`. To use several combinations of options, register a function for each.
    """
    if not name.isidentifier():
        raise ConfigError(f"{name!r} cannot be the name of a function")
    options = checked(options)
    kind = keyphrase_type(**options)

    def function(texts: Any) -> Any:
        found = keyphrase_array(texts.to_pylist(), jobs=jobs, **options)
        return found.cast(kind)

    more = CONCEPT if options.get("vocabulary") is not None else ""
    connection.create_function(
        name,
        function,
        ["VARCHAR"],
        PHRASE.format(more=more),
        type="arrow",
        null_handling="special",
    )
