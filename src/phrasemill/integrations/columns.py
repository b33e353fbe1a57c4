"""Columns of texts to columns of keyphrases, in Arrow: what data frames and databases share.

A column of keyphrases has one list of structs per text (`text`, `score`, `present`, `spans`; with a vocabulary also
`concept` and `label`), as in the parts of a run, and null where there is no text.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from phrasemill import options as declared
from phrasemill.engine.rows import keyphrases_column
from phrasemill.errors import InputError
from phrasemill.extractor import extract_batch
from phrasemill.types import Keyphrase

if TYPE_CHECKING:
    import pyarrow

FITTING = declared.OPTIONS.keys() - {"explain"}  # whose results have a place in a column


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not left at their default, ready to be used more than once."""
    return declared.changed(declared.checked(options, FITTING))


def keyphrase_lists(
    texts: Iterable[str | None], *, jobs: int | None = None, **options: Any
) -> list[list[Keyphrase] | None]:
    """Return the keyphrases of each text, in order, and None for None.

    `options` are those of `phrasemill.extract`; `jobs` processes share the work.
    """
    options = checked(options)
    given = list(texts)
    for row, text in enumerate(given, start=1):
        if text is not None and not isinstance(text, str):
            raise InputError(f"row {row} is no text but {type(text).__name__}: convert the column to text first")
    found = extract_batch((text for text in given if text is not None), jobs=jobs, **options)
    return [None if text is None else next(found) for text in given]


def keyphrase_array(texts: Iterable[str | None], *, jobs: int | None = None, **options: Any) -> "pyarrow.ListArray":
    """Return the keyphrases of each text as an Arrow array."""
    concepts = options.get("vocabulary") is not None
    return keyphrases_column(keyphrase_lists(texts, jobs=jobs, **options), concepts=concepts)


def keyphrase_type(**options: Any) -> "pyarrow.DataType":
    """Return the Arrow type of a column of keyphrases."""
    return keyphrases_column([], concepts=options.get("vocabulary") is not None).type
