"""A corpus in, a corpus out: the same work on one machine or many, with nothing lost.

    inputs → records → chunks → Executor → results → parts

- `inputs.py`    files, folders, archives and URLs as one sequence of records, always in the same order
- `walk.py`      a pass over these records, which can begin in the middle and is told what not to read
- `chunks.py`    records in numbered chunks, whose bounds depend on the input and on `Plan` alone, as Arrow
- `reading.py`   `Source`, the chunks as a process of its own reads them; files that end it are cut
- `work.py`      `Extraction`, the task of a worker: the documents of a chunk → `Result` (rows as Arrow, failures)
- `rows.py`      keyphrases as Arrow columns or as lines of JSON, and both as the bytes of a part
- `places.py`    files and URLs by name
- `local.py`     `Local`, the executor over worker processes of this machine (`phrasemill.workers`)
- `ray.py`       the executor over a cluster
- `store.py`     the folder that results go to: every file whole under its name, or not there; `remote.py` behind a URL
- `notes.py`     what is known about each part: its length, its digest, its counts, its failures
- `manifest.py`  what was asked for, of which inputs: what a restart must find unchanged
- `verification.py`  `verify`: whether all files of a run are what they were when it was complete
- `session.py`   one attempt at a run, which puts all of that together; `corpus.py` has `run`
- `tables.py`    `extract_table` and `extract_batches`: Arrow in, Arrow out

An **executor** is made from a task (`Extraction`) and has one method: `results(chunks)` takes an iterator of `Chunk`s,
pulls as many as it can work on at once and no more, and yields `(chunk, result)` in any order. What happens in a worker
is `work = task.prepare()` once, then `work(chunk.payload) -> Result` for each chunk. A chunk whose worker dies is taken
apart (`chunk.alone()` has a payload for each document); a document that dies alone, too, has the result
`task.lost(reason)`, and `work.joined` puts the results together again. Only `session.py` writes, in the process that
was started: workers, wherever they are, return bytes. So an executor depends on no files, restarts or formats.
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
