"""`run`: a corpus in, a corpus out. `session.py` does the work."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from phrasemill.engine import rows
from phrasemill.engine.chunks import Plan, pyarrow_module
from phrasemill.engine.inputs import CorpusInputs
from phrasemill.engine.session import Executor, RunProgress, Session, Summary
from phrasemill.engine.store import open_store
from phrasemill.engine.work import ExtractionTask
from phrasemill.errors import ConfigError
from phrasemill.options import DEFAULT_METHOD, OPTIONS, checked
from phrasemill.readers import LARGEST, Columns, Mapped
from phrasemill.types import Method

TIMEOUT = 300.0
LONGEST = 10_000_000.0  # seconds that a timer of the system can count
ENGINES = ("local", "ray")


def run(
    inputs: Sequence[str | Path] | str | Path,
    output: str | Path,
    *,
    method: str | Method = DEFAULT_METHOD,
    format: str = "parquet",
    jobs: int | None = None,
    timeout: float = TIMEOUT,
    input_format: str | None = None,
    columns: Columns | None = None,
    largest: int = LARGEST,
    part: Plan | None = None,
    engine: str | Callable[[ExtractionTask], Executor] = "local",
    address: str | None = None,
    progress: Callable[[RunProgress], None] | None = None,
    mapped: Mapped | None = None,
    **options: Any,
) -> Summary:
    """Extract the keyphrases of all documents in `inputs`, and write them to the folder `output`, part by part.

    Inputs are files, folders, archives and URLs. `options` are those of `phrasemill.extract`. If you call it again, an
    interrupted run resumes, and a complete run replaces missing or damaged parts. `timeout` is the time limit in
    seconds for reading a document, and for extracting its keyphrases; 0 for no limit. `jobs` is the number of
    processes, by default one per core. `engine="ray"` runs on a Ray cluster, at `address` if given. `mapped` is called
    with the record fields that are read.
    """
    names = [str(name) for name in ([inputs] if isinstance(inputs, str | Path) else inputs)]
    if format not in rows.FORMATS:
        raise ConfigError(f"format must be one of {', '.join(rows.FORMATS)}; got {format!r}")
    if not 0 <= timeout <= LONGEST:
        raise ConfigError(f"timeout must be a number of seconds, 0 for no limit, got {timeout}")
    if format == rows.PARQUET:
        pyarrow_module("writing Parquet", instead="choose the format jsonl")
    task = ExtractionTask(checked({"method": method} | options, OPTIONS.keys() - {"explain"}), format, timeout)
    executor = _executor(engine, task, jobs, address)
    corpus = CorpusInputs(names, format=input_format, columns=columns, largest=largest)
    _refuse_own_output(names, str(output))
    session = Session(open_store(str(output)), task, corpus, part or Plan(), progress, mapped)
    how = {"engine": engine if isinstance(engine, str) else "other", "jobs": getattr(executor, "jobs", jobs)}
    return session.run(executor, how)


def _executor(
    engine: str | Callable[[ExtractionTask], Executor], task: ExtractionTask, jobs: int | None, address: str | None
) -> Executor:
    if callable(engine):
        return engine(task)
    if engine == "ray":
        from phrasemill.engine.ray import Ray

        return Ray(task, jobs=jobs, address=address)
    if engine != "local":
        raise ConfigError(f"engine must be one of {', '.join(ENGINES)}; got {engine!r}")
    if address is not None:
        raise ConfigError("`--address` requires `--engine ray`")
    from phrasemill.engine.local import LocalExecutor

    return LocalExecutor(task, jobs)


def _refuse_own_output(names: Sequence[str], output: str) -> None:
    for name in names:
        if Path(name).is_dir() and Path(output).resolve().is_relative_to(Path(name).resolve()):
            raise ConfigError(f"{output}: is inside the input {name}; name a folder elsewhere")
