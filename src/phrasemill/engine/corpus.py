"""`run`: a corpus in, a corpus out. What happens in it is in `session.py`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from phrasemill.engine import rows
from phrasemill.engine.chunks import Plan, pyarrow_module
from phrasemill.engine.inputs import Corpus
from phrasemill.engine.session import Executor, Progress, Session, Summary
from phrasemill.engine.store import open_store
from phrasemill.engine.work import Extraction
from phrasemill.errors import ConfigError
from phrasemill.options import DEFAULT_METHOD, ExtractOptions
from phrasemill.readers import LARGEST, Columns, Mapped
from phrasemill.types import Extractor

TIMEOUT = 300.0
LONGEST = 10_000_000.0  # seconds that a clock of the system can count
ENGINES = ("local", "ray")


def run(
    inputs: Sequence[str | Path] | str | Path,
    output: str | Path,
    *,
    method: str | Extractor = DEFAULT_METHOD,
    format: str = "parquet",
    jobs: int | None = None,
    timeout: float = TIMEOUT,
    input_format: str | None = None,
    columns: Columns | None = None,
    largest: int = LARGEST,
    part: Plan | None = None,
    engine: str | Callable[[Extraction], Executor] = "local",
    address: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    mapped: Mapped | None = None,
    **options: Any,
) -> Summary:
    """Find the keyphrases of all documents in `inputs`, and write them to the folder `output`, part by part.

    Inputs are files, folders, archives and URLs. `options` are those of `phrasemill.extract`. A run that was killed, or
    that an error stopped, goes on when it is called again; of one that is complete, parts that are missing or damaged
    are made again. `timeout` is in seconds for reading a document and for its keyphrases, 0 for no limit; `jobs` is
    one process per core by default. `engine="ray"` works on a Ray cluster, the one at `address` if given.
    `mapped` is called with the fields of records that are read.
    """
    names = [str(name) for name in ([inputs] if isinstance(inputs, str | Path) else inputs)]
    if format not in rows.FORMATS:
        raise ConfigError(f"format must be one of {', '.join(rows.FORMATS)}; got {format!r}")
    if not 0 <= timeout <= LONGEST:
        raise ConfigError(f"timeout must be a number of seconds, 0 for no limit, got {timeout}")
    pyarrow_module()
    task = Extraction(ExtractOptions.of({"method": method} | options, without=("explain",)), format, timeout)
    executor = _executor(engine, task, jobs, address)
    corpus = Corpus(names, format=input_format, columns=columns, largest=largest)
    _refuse_own_output(names, str(output))
    session = Session(open_store(str(output)), task, corpus, part or Plan(), progress, mapped)
    how = {"engine": engine if isinstance(engine, str) else "other", "jobs": getattr(executor, "jobs", jobs)}
    return session.run(executor, how)


def _executor(
    engine: str | Callable[[Extraction], Executor], task: Extraction, jobs: int | None, address: str | None
) -> Executor:
    if callable(engine):
        return engine(task)
    if engine == "ray":
        from phrasemill.engine.ray import Ray

        return Ray(task, jobs=jobs, address=address)
    if engine != "local":
        raise ConfigError(f"engine must be one of {', '.join(ENGINES)}; got {engine!r}")
    if address is not None:
        raise ConfigError("an address is that of a Ray cluster: say engine ray, too, or leave it out")
    from phrasemill.engine.local import Local

    return Local(task, jobs)


def _refuse_own_output(names: Sequence[str], output: str) -> None:
    for name in names:
        if Path(name).is_dir() and Path(output).resolve().is_relative_to(Path(name).resolve()):
            raise ConfigError(f"{output}: lies in {name}, where it would be read as input; name a folder elsewhere")
