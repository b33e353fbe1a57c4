"""`run` and `verify`: items in, parts out, and after a kill the same again without what is done.

Each chunk becomes one part. A part that agrees with its record is done, and a later session skips its chunk once the
chunk's digest has shown that the input has not changed. All other parts are made again. On a disk nothing is decided
before the folder is locked.
"""

import json
import pickle
import platform
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from phrasemill.engine import manifest, parts, rows
from phrasemill.engine.chunks import Chunk, Plan, chunks
from phrasemill.engine.ids import SeenIds
from phrasemill.engine.inputs import CorpusInputs, Reading
from phrasemill.engine.manifest import ADVICE, COMPLETE, RUNNING
from phrasemill.engine.parts import FOREIGN, PART, PARTS, PartRecord, RunCounts, Verification, part_name, record_name
from phrasemill.engine.store import IN_USE, Store, open_store
from phrasemill.engine.work import ChunkResult, ExtractionTask
from phrasemill.errors import ConfigError, InputError
from phrasemill.options import DEFAULT_METHOD, OPTIONS, checked
from phrasemill.readers import LARGEST, Columns, Mapped
from phrasemill.readers.failures import EarlyFailures
from phrasemill.sources import Watch
from phrasemill.types import Document, Method

TIMEOUT = 300.0
LONGEST = 10_000_000.0  # seconds that a timer of the system can count
ENGINES = ("local", "ray")
NOT_RECORDED = ("method", "explain")  # the method has an entry of its own, and runs do not explain


class Executor(Protocol):
    """An object that works on chunks; see the package's docstring."""

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]: ...


class RunProgress(NamedTuple):
    """Documents done in this session, and all that failed; bytes of the inputs that are done, and their total."""

    documents: int
    failed: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a run. `seconds` and `worked` (documents) refer to this session, other fields to the whole run.

    `duplicates` is the number of documents whose id an earlier one has; `duplicate_ids` are the first few of these ids.
    """

    output: str
    documents: int
    failed: int
    keyphrases: int
    parts: int
    worked: int
    seconds: float
    duplicates: int = 0
    duplicate_ids: tuple[str, ...] = ()


def run(
    inputs: Sequence[str | Path] | str | Path,
    output: str | Path,
    *,
    method: str | Method = DEFAULT_METHOD,
    format: str = rows.PARQUET,
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
    seconds for reading a file, and for extracting the keyphrases of a document; 0 for no limit. `jobs` is the number of
    processes, by default one per core. `engine="ray"` runs on a Ray cluster, at `address` if given. `mapped` is called
    with the record fields that are read.
    """
    names = [str(name) for name in ([inputs] if isinstance(inputs, str | Path) else inputs)]
    if format not in rows.FORMATS:
        raise ConfigError(f"format must be one of {', '.join(rows.FORMATS)}; got {format!r}")
    if not 0 <= timeout <= LONGEST:
        raise ConfigError(f"timeout must be a number of seconds, 0 for no limit, got {timeout}")
    if format == rows.PARQUET:
        rows.pyarrow_module("writing Parquet", instead="choose the format jsonl")
    corpus = CorpusInputs(names, Reading(input_format, columns or Columns(), largest))
    wanted = checked({"method": method} | options, OPTIONS.keys() - {"explain"})
    task = ExtractionTask(wanted, format, timeout, corpus.reading)
    executor = _executor(engine, task, jobs, address)
    for name in names:
        if Path(name).is_dir() and Path(output).resolve().is_relative_to(Path(name).resolve()):
            raise ConfigError(f"{output}: is inside the input {name}; name a folder elsewhere")
    how = {"engine": engine if isinstance(engine, str) else "other", "jobs": getattr(executor, "jobs", jobs)}
    session = _Session(open_store(str(output)), task, corpus, part or Plan(), progress or (lambda progress: None))
    return session.run(executor, how, mapped)


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


def verify(output: str | Path) -> Verification:
    """Read every file of a complete run, and compare it with the manifest.

    Raise an `InputError` if there is no run, or if it is not complete (still running, or interrupted).
    """
    store = open_store(str(output))
    if store.in_use():
        raise InputError(f"{store.name}: {IN_USE}")
    record = manifest.found(store)
    if record is None:
        raise InputError(f"{store.name}: contains no run: there is no {manifest.NAME}")
    if record.state != COMPLETE:
        done = len(parts.numbers(store))
        so_far = f"{done:,} part{'' if done == 1 else 's'} done so far"
        raise InputError(f"{store.name}: is not complete ({so_far}); run the same command again to resume")
    return Verification(store.name, record.counts, tuple(parts.flaws(store, record.files)))


class _Session:
    """One attempt at a run, from its start or from where the last session ended."""

    def __init__(
        self,
        store: Store,
        task: ExtractionTask,
        corpus: CorpusInputs,
        plan: Plan,
        progress: Callable[[RunProgress], None],
    ) -> None:
        self._store, self._task, self._corpus, self._plan, self._progress = store, task, corpus, plan, progress
        self._early, self._ids = EarlyFailures(), SeenIds()
        self._waiting: dict[int, tuple[Sequence[str], Sequence[str]]] = {}  # ids and errors of later chunks
        self._next = self._worked = self._done = 0
        self._known: dict[int, PartRecord] = {}  # of earlier sessions, until the chunk is read
        self._lines: dict[int, bytes] = {}  # of each part that is done
        self._spec = task.method
        self._models = manifest.model_files(self._spec, task.options["vocabulary"])

    def run(self, executor: Executor, how: dict[str, Any], mapped: Mapped | None) -> Summary:
        store = self._store
        self._before = self._corpus.snapshot(self._models)
        self._total = sum(one.bytes for one in self._before.inputs)
        self._request = self._requested()
        manifest.opened(store, self._request)  # refuse before anything is changed
        try:
            store.begin()
            self._found = manifest.opened(store, self._request)
            if self._found.state == COMPLETE and self._is_intact():
                store.clear()
                return self._summary(0.0)
            start, when = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
            with closing(executor.results(self._chunks(mapped))) as results:
                for chunk, result in results:
                    self._keep(chunk, result)
            self._check_inputs()
            seconds = time.perf_counter() - start
            done = {"started": when, "seconds": round(seconds, 3), "documents": self._worked}
            versions = {"python": platform.python_version()}
            if self._task.format == rows.PARQUET:
                versions["pyarrow"] = rows.pyarrow_module().__version__
            self._complete(done | how | versions)
            return self._summary(seconds)
        finally:
            store.close()

    def _requested(self) -> dict[str, Any]:
        """Return the options and inputs as the manifest has them, and as they will be read back: lists for tuples."""
        from phrasemill import __version__

        options = {name: value for name, value in self._task.options.items() if name not in NOT_RECORDED}
        format, columns, largest = self._corpus.reading
        reading = {"columns": asdict(columns), "input_format": format, "largest": largest}
        request = {
            "phrasemill": __version__,
            "method": self._spec,
            "format": self._task.format,
            "parameters": options | {"timeout": self._task.timeout} | reading,
            "part": asdict(self._plan),
            "inputs": [one.record() for one in self._before.inputs],
            "models": [one.record() for one in self._before.models],
        }
        plain: dict[str, Any] = json.loads(json.dumps(request, default=_plain))
        return plain

    def _is_intact(self) -> bool:
        """Return whether a complete run still is; if not, turn it into one that was interrupted after its last part."""
        flaws = dict(parts.flaws(self._store, self._found.files))
        if not flaws:
            return True
        _refuse_foreign(self._store, [name for name, what in flaws.items() if what == FOREIGN])
        if PARTS not in flaws:
            for number, record in enumerate(parts.listed(self._store)):
                self._store.write(record_name(number), record.line())
        self._found.state, self._found.counts = RUNNING, RunCounts()
        return False

    def _chunks(self, mapped: Mapped | None) -> Iterator[Chunk]:
        """Yield the chunks that are not done. The executor takes the first when its workers are ready."""
        manifest.opened(self._store, self._request)  # object stores have no locks: somebody else may have begun
        self._found.write(self._store)
        self._sizes, self._recorded = self._store.sizes(), parts.numbers(self._store)
        for chunk in chunks(self._corpus.items(mapped), self._plan, self._is_done):
            record = self._known.pop(chunk.number, None)
            if record is not None and record.records != chunk.digest:
                what = f"{chunk.first} has changed since the run began (records of part {chunk.number})"
                raise InputError(f"{self._store.name}: {what}{ADVICE}")
            if record is not None and not chunk.payload:
                self._count(chunk, record)
                continue
            if not chunk.number:
                watch = Watch(self._task.options["language"])
                for item in pickle.loads(chunk.payload):
                    if isinstance(item, Document):
                        watch(item)
            yield chunk

    def _is_done(self, number: int) -> bool:
        """Return whether the part is there and agrees with the record of an earlier session, which may be damaged."""
        record = parts.stored(self._store, number) if number in self._recorded else None
        if record is None or record.name != part_name(number, self._task.format):
            return False
        self._known[number] = record
        if parts.flaw(self._store, record.name, record.content, self._sizes):
            return False
        with self._store.open(record.name) as file:
            self._pass(number, rows.ids(file.read(), self._task.format), [""])
        return True

    def _keep(self, chunk: Chunk, result: ChunkResult) -> None:
        """Write the part of a chunk, after its record: what is recorded and missing is made again."""
        data = result.rows
        assert isinstance(data, bytes)
        outcomes = list(zip(result.ids, result.errors, strict=True))
        errors = tuple((id_, why) for id_, why in outcomes if why)
        good = [id_ for id_, why in outcomes if not why]
        self._pass(chunk.number, good, [why and _placed(id_, why) for id_, why in outcomes])
        record = PartRecord(
            part_name(chunk.number, self._task.format),
            parts.content_of(BytesIO(data)),
            chunk.documents,
            len(errors),
            result.keyphrases,
            chunk.digest,
            errors if self._task.format == rows.BULK else (),
        )
        self._store.write(record_name(chunk.number), record.line())
        self._store.write(record.name, data)
        self._worked += chunk.documents
        self._count(chunk, record)

    def _pass(self, number: int, ids: Sequence[str], errors: Sequence[str]) -> None:
        """Look at ids and errors in the order of the input, whichever chunk is finished first."""
        self._waiting[number] = ids, errors
        while self._next in self._waiting:
            ids, errors = self._waiting.pop(self._next)
            self._next += 1
            self._ids.add(ids)
            for why in errors:
                if not self._early.possible:
                    break
                if why:
                    self._early.failed(why)
                else:
                    self._early.read()

    def _count(self, chunk: Chunk, record: PartRecord) -> None:
        self._found.counts.add(record)
        self._lines[chunk.number] = record.line()
        self._done += chunk.weight
        self._progress(RunProgress(self._worked, self._found.counts.failed, self._done, self._total))

    def _check_inputs(self) -> None:
        """Refuse to call a run complete whose inputs were written to meanwhile: what was read is unknown."""
        try:
            after = self._corpus.snapshot(self._models)
            pairs = zip(sum(self._before, ()), sum(after, ()), strict=True)
            changed = next((one.name for one, other in pairs if one != other), "")
        except InputError as error:
            changed = f"an input ({error})"
        if changed:
            what = f"{changed} changed during the run, so it is not complete"
            raise InputError(f"{self._store.name}: {what}; run again when the inputs no longer change")

    def _complete(self, session: dict[str, Any]) -> None:
        """List the parts, if exactly these are there, and then record that the run is complete."""
        manifest.opened(self._store, self._request)
        sizes, found = self._store.sizes(), self._found
        for number in range(len(self._lines)):
            record = parts.parsed(self._lines[number])
            if record is None or sizes.pop(record.name, -1) != record.content.bytes:
                what = f"{part_name(number, self._task.format)} was changed during the run"
                raise InputError(f"{self._store.name}: {what}; run again to make it again")
        _refuse_foreign(self._store, [name for name in sizes if name.startswith(PART)])
        listed = b"".join([self._lines[number] + b"\n" for number in range(len(self._lines))])
        self._store.write(PARTS, listed)
        found.files = {PARTS: parts.content_of(BytesIO(listed))}
        found.sessions.append(session)
        found.counts.duplicates, found.duplicate_ids = self._ids.duplicates, self._ids.first
        found.state = COMPLETE
        found.write(self._store)
        self._store.clear()

    def _summary(self, seconds: float) -> Summary:
        ids = tuple(self._found.duplicate_ids)
        counts = asdict(self._found.counts)
        return Summary(self._store.name, **counts, worked=self._worked, seconds=seconds, duplicate_ids=ids)


def _placed(id_: str, why: str) -> str:
    """Return a failure with its place, which most readers name."""
    return why if why.startswith((id_, id_.rpartition(":")[0] or id_)) else f"{id_}: {why}"


def _refuse_foreign(store: Store, names: list[str]) -> None:
    if names:
        raise InputError(f"{store.name}: {min(names)} is not part of this run; move it elsewhere and run again")


def _plain(value: object) -> object:
    """Return an option that JSON has no type for, as a manifest can hold it."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Path):
        return str(value)
    return f"{type(value).__name__} {blake2b(pickle.dumps(value), digest_size=16).hexdigest()}"
