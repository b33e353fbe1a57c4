"""A corpus in, a corpus out: the same work on one machine or many, resumable, with nothing lost.

    files → reader process → chunk of pickled documents → worker process → rows (Arrow, or lines) → part

- `corpus.py`        `run`
- `session.py`       one attempt at a run, from the inputs to the manifest
- `inputs.py`        files, folders, archives and URLs as one sequence of records; `file_systems.py` opens them
- `walk.py`          a pass over these records, which can begin in the middle and leave out what crashes readers
- `chunks.py`        records in numbered chunks, whose bounds depend on the input and on `Plan` alone
- `ids.py`           ids that several documents have
- `reading.py`       the process that reads; a file that ends it is cut there
- `work.py`          the task of a worker: documents in, `ChunkResult` out
- `rows.py`          keyphrases as Arrow columns or as lines of JSON, and both as the bytes of a part
- `bulk.py`          keyphrases as lines for the bulk interface of search engines
- `local.py`         the executor over processes of this machine (`phrasemill.workers`)
- `ray.py`           the executor over a Ray cluster; `ray_driver.py` is the process that is connected to it
- `store.py`         the folder of results: every file is complete under its name, or not there; `remote.py` for URLs
- `part_records.py`  length, digest, counts and failures of each part
- `manifest.py`      the options and inputs of a run, which must not change until it is complete
- `verification.py`  `verify`: whether all files of a complete run are unchanged
- `tables.py`        `extract_table` and `extract_batches`: Arrow in, Arrow out

An **executor** is made from an `ExtractionTask` and has one method: `results(chunks)` takes an iterator of `Chunk`s,
pulls no more than it can work on at once, and yields `(chunk, result)` in any order. A worker calls `task.prepare()`
once, and the function that it returns for the payload of each chunk. A chunk whose worker dies is taken apart
(`chunk.alone()` has a payload for each document); a document that dies alone, too, is recorded as a failure,
and `work.joined` combines the results. Only `session.py` writes, in the process that was started: workers return rows.
So an executor depends on no files, restarts or formats.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phrasemill.engine.corpus import run
    from phrasemill.engine.session import Summary
    from phrasemill.engine.tables import SPARK_SCHEMA, extract_batches, extract_table
    from phrasemill.engine.verification import Verification, verify

__all__ = ["SPARK_SCHEMA", "Summary", "Verification", "extract_batches", "extract_table", "run", "verify"]

HOMES = {"run": "corpus", "Summary": "session", "Verification": "verification", "verify": "verification"}


def __getattr__(name: str) -> object:
    """Arrow loads when something of it is used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{HOMES.get(name, 'tables')}"), name)
