"""A corpus in, a corpus out: the same work on one machine or many, resumable, with nothing lost.

    inputs → items → chunk → worker process → rows (Arrow, or lines) → part

- `runs.py`      `run` and `verify`: one attempt at a run, from the inputs to the manifest
- `inputs.py`    files, folders, archives and URLs as items: records, and files that workers read; `file_systems.py`
- `chunks.py`    items in numbered chunks, whose bounds depend on the input and on `Plan` alone
- `work.py`      the task of a worker: the items of a chunk in, its part out
- `rows.py`      keyphrases and errors as Arrow columns or as lines; `bulk.py` for search engines
- `local.py`     the executor over processes of this machine, and the isolation of documents that end theirs
- `ray.py`       the executor over a Ray cluster
- `store.py`     the folder of results: every file is complete under its name, or not there
- `parts.py`     length, digest and counts of each part, and whether all are unchanged
- `manifest.py`  the options and inputs of a run, which must not change until it is complete
- `ids.py`       ids that several documents have
- `tables.py`    `extract_table` and `extract_batches`: Arrow in, Arrow out

An **executor** is made from an `ExtractionTask` and has one method: `results(chunks)` takes an iterator of `Chunk`s,
pulls no more than it can work on at once, and yields `(chunk, result)` in any order. A worker calls `task.prepare()`
once, and the function that it returns for each chunk. Only `runs.py` writes, in the process that was started. What
makes the rest simple: a part is the same bytes whoever makes it, and is there or not.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phrasemill.engine.parts import Verification
    from phrasemill.engine.runs import Summary, run, verify
    from phrasemill.engine.tables import SPARK_SCHEMA, extract_batches, extract_table

__all__ = ["SPARK_SCHEMA", "Summary", "Verification", "extract_batches", "extract_table", "run", "verify"]


def __getattr__(name: str) -> object:
    """Arrow loads when something of it is used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = "tables" if "extract" in name or name == "SPARK_SCHEMA" else "parts" if name == "Verification" else "runs"
    return getattr(import_module(f"{__name__}.{home}"), name)
