"""A corpus in, a corpus out: the same work on one machine or many, with nothing lost.

    inputs → records → chunks → Executor → results → parts

- `inputs.py`    files, folders, archives and URLs as one sequence of records, always in the same order
- `chunks.py`    records in numbered chunks, whose bounds depend on the input and on `Plan` alone, as Arrow
- `work.py`      `Extraction`, the task of a worker: the documents of a chunk → `Result` (rows as Arrow, failures)
- `rows.py`      keyphrases as Arrow columns or as lines of JSON, and both as the bytes of a part
- `places.py`    files and URLs by name
- `local.py`     `Local`, the executor over worker processes of this machine (`phrasemill.processes`)
- `ray.py`       the executor over a cluster
- `store.py`     the folder that results go to: every file whole under its name, or not there
- `manifest.py`  what was asked for, of which inputs: what a restart must find unchanged
- `corpus.py`    `run`, which puts all of that together
- `tables.py`    `extract_table` and `extract_batches`: Arrow in, Arrow out

An **executor** is made from a task (`Extraction`) and has one method: `results(chunks)` takes an iterator of `Chunk`s,
pulls as many as it can work on at once and no more, and yields `(chunk, result)` in any order. What happens in a worker
is `work = task.prepare()` once, then `work(chunk.payload) -> Result` for each chunk. A chunk whose worker dies is taken
apart (`chunk.alone()` has a payload for each document); a document that dies alone, too, has the result
`task.lost(reason)`, and `work.joined` puts the results together again. Only `corpus.py` writes, in the process that was
started: workers, wherever they are, return bytes. So an executor knows nothing of files, of restarts, or of formats.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phrasemill.engine.corpus import Summary, run
    from phrasemill.engine.tables import SPARK_SCHEMA, extract_batches, extract_table

__all__ = ["SPARK_SCHEMA", "Summary", "extract_batches", "extract_table", "run"]


def __getattr__(name: str) -> object:
    """Arrow loads when something of it is used."""
    if name in ("run", "Summary"):
        from phrasemill.engine import corpus

        return getattr(corpus, name)
    if name in ("SPARK_SCHEMA", "extract_batches", "extract_table"):
        from phrasemill.engine import tables

        return getattr(tables, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
