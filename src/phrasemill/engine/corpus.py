"""A run: records in, parts out, and after a kill the same again without what is done.

Each chunk becomes one part. Beside it, among the files that only a restart needs, goes a note of what was in it. The
note comes first: a part whose note is there is done, and a restart passes over its chunk, once the chunk's digest has
shown that the input is still what it was. Parts are the same bytes whoever makes them, and in whatever order.
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
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from phrasemill.engine import manifest, rows
from phrasemill.engine.chunks import Chunk, Failure, Plan, chunked, pyarrow_module, unpacked
from phrasemill.engine.inputs import Corpus
from phrasemill.engine.manifest import COMPLETE, Manifest, Request
from phrasemill.engine.store import WORK, Store, open_store
from phrasemill.engine.work import Extraction, Result
from phrasemill.errors import ConfigError, InputError
from phrasemill.pipeline import DEFAULT_METHOD, build
from phrasemill.readers import Columns
from phrasemill.types import Extractor

TIMEOUT = 300.0
LONGEST = 10_000_000.0  # seconds that a clock of the system can count
FAILURES = "failures"
ENGINES = ("local", "ray")


class Executor(Protocol):
    """Whatever works on chunks; see the package's docstring."""

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, Result]]: ...


class Note(NamedTuple):
    """What a restart has to know about a part."""

    digest: str
    documents: int
    keyphrases: int
    failures: list[Failure]

    @classmethod
    def read(cls, data: bytes) -> "Note":
        digest, documents, keyphrases, failures = json.loads(data)
        return cls(digest, documents, keyphrases, [Failure(*failure) for failure in failures])


class Progress(NamedTuple):
    """How far a run is: documents of this session, all that failed; bytes of the inputs that are done, and in all."""

    documents: int
    failed: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of a run. `seconds` and `worked` (documents) are of this session, the rest of all of them."""

    output: str
    documents: int
    failed: int
    keyphrases: int
    parts: int
    worked: int
    seconds: float


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
    part: Plan | None = None,
    engine: str | Callable[[Extraction], Executor] = "local",
    address: str | None = None,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Summary:
    """Find the keyphrases of all documents in `inputs`, and write them to the folder `output`, part by part.

    Inputs are files, folders, archives and URLs. `options` are those of `phrasemill.extract`. A run that was killed, or
    that an error stopped, goes on when it is called again. `timeout` is in seconds for a document, 0 for no limit;
    `jobs` is one process a core by default. `engine="ray"` works on a Ray cluster, the one at `address` if given.
    """
    names = [str(name) for name in ([inputs] if isinstance(inputs, str | Path) else inputs)]
    if format not in rows.FORMATS:
        raise ConfigError(f"format must be one of {', '.join(rows.FORMATS)}; got {format!r}")
    if not 0 <= timeout <= LONGEST:
        raise ConfigError(f"timeout must be a number of seconds, 0 for no limit, got {timeout}")
    pyarrow_module()
    read_once = {name: list(value) for name, value in options.items() if isinstance(value, Iterator)}
    task = Extraction(method, options | read_once, format, timeout)
    executor = _executor(engine, task, jobs, address)
    corpus = Corpus(names, format=input_format, columns=columns)
    _refuse_own_output(names, str(output))
    session = _Session(open_store(str(output)), task, corpus, part or Plan(), progress)
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


class _Session:
    """One attempt at a run, from its start or from where the last one ended."""

    def __init__(
        self,
        store: Store,
        task: Extraction,
        corpus: Corpus,
        plan: Plan,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.store, self.task, self.corpus, self.plan = store, task, corpus, plan
        self.progress = progress or (lambda progress: None)
        self.spec = repr(build(task.method))
        self.worked = self.done = 0
        self.failing: list[int] = []  # parts with failures

    def run(self, executor: Executor, how: dict[str, Any]) -> Summary:
        request = self._request()
        self.total = sum(one.bytes for one in request.inputs)
        found = manifest.opened(self.store, request)
        if found.state == COMPLETE:
            self.store.clear()
            return self._summary(found, 0.0)
        start, when = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
        try:
            self._work(executor, found)
            seconds = time.perf_counter() - start
            done = {"started": when, "seconds": round(seconds, 3), "documents": self.worked}
            versions = {"python": platform.python_version(), "pyarrow": pyarrow_module().__version__}
            found.sessions.append(done | how | versions)
            found.state = COMPLETE
            found.write(self.store)
            self.store.clear()
        finally:
            self.store.close()
        return self._summary(found, seconds)

    def _request(self) -> Request:
        from phrasemill import __version__

        options = {key: _plain(value) for key, value in self.task.given().items()}
        columns = asdict(self.corpus.columns)
        parameters = options | {"timeout": self.task.timeout, "columns": columns, "input_format": self.corpus.format}
        models = manifest.model_files(self.spec, self.task.options.get("vocabulary"))
        inputs = tuple(self.corpus.inputs())
        return Request(__version__, self.spec, self.task.format, parameters, self.plan, inputs, models)

    def _work(self, executor: Executor, found: Manifest) -> None:
        def chunks() -> Iterator[Chunk]:
            """The chunks that are not done. The executor asks for the first when its workers are ready."""
            self.store.begin()
            found.write(self.store)
            self.parts, self.notes = set(self.store.names()), set(self.store.names(WORK))
            for chunk in chunked(self.corpus.records(), self.plan, position=self.corpus):
                if not self._is_done(chunk, found):
                    yield chunk

        with closing(executor.results(chunks())) as results:
            for chunk, result in results:
                self._keep(chunk, result, found)
        self._write_failures()

    def _is_done(self, chunk: Chunk, found: Manifest) -> bool:
        if self._part(chunk.number) not in self.parts or _note(chunk.number) not in self.notes:
            return False
        note = Note.read(self.store.read(f"{WORK}/{_note(chunk.number)}"))
        if note.digest != chunk.digest:
            what = f"{chunk.first_input} has changed since it was begun (records of part {chunk.number})"
            raise InputError(f"{self.store.name}: {what}{manifest.ADVICE}")
        self._count(found, chunk, note)
        return True

    def _keep(self, chunk: Chunk, result: Result, found: Manifest) -> None:
        note = Note(chunk.digest, len(chunk), result.keyphrases, chunk.failures(result.failures))
        batch = unpacked(result.rows) if result.rows else self.task.rows([], [], self.spec)
        with self.store.writing(f"{WORK}/{_note(chunk.number)}") as file:
            file.write(json.dumps(note, ensure_ascii=False).encode())
        with self.store.writing(self._part(chunk.number)) as file:
            rows.write_part(batch, file, self.task.format)
        self.worked += len(chunk)
        self._count(found, chunk, note)

    def _count(self, found: Manifest, chunk: Chunk, note: Note) -> None:
        found.counts.add(note.documents, len(note.failures), note.keyphrases)
        if note.failures:
            self.failing.append(chunk.number)
        self.done += chunk.weight
        self.progress(Progress(self.worked, found.counts.failed, self.done, self.total))

    def _write_failures(self) -> None:
        with self.store.writing(f"{FAILURES}.{self.task.format}") as file:
            writer = rows.FailureWriter(file, self.task.format)
            for number in sorted(self.failing):
                writer.write(Note.read(self.store.read(f"{WORK}/{_note(number)}")).failures)
            writer.close()

    def _part(self, number: int) -> str:
        return f"part-{number:06}.{self.task.format}"

    def _summary(self, found: Manifest, seconds: float) -> Summary:
        counts = found.counts
        numbers = (counts.documents, counts.failed, counts.keyphrases, counts.parts)
        return Summary(self.store.name, *numbers, self.worked, seconds)


def _note(number: int) -> str:
    return f"part-{number:06}.json"


def _plain(value: object) -> object:
    """What a manifest can hold of an option."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, Path):
        return str(value)
    return f"{type(value).__name__} {blake2b(pickle.dumps(value), digest_size=16).hexdigest()}"
