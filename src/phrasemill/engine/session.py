"""One attempt at a run: records in, parts out, and after a kill the same again without what is done.

Each chunk becomes one part. Its length, digest and counts are recorded (`part_records.py`). A part that agrees with its
record is done, and a later session skips its chunk once the chunk's digest has shown that the input has not changed.
All other parts are made again. Parts are the same bytes whoever makes them, in whatever order. Nothing is decided
before the folder is locked.
"""

import json
import pickle
import platform
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from phrasemill.engine import manifest, part_records, rows, verification
from phrasemill.engine.chunks import RESUME, Chunk, Plan, RecordOutcome, pyarrow_module
from phrasemill.engine.ids import SeenIds
from phrasemill.engine.inputs import CorpusInputs
from phrasemill.engine.manifest import COMPLETE, RUNNING, RunCounts
from phrasemill.engine.part_records import PART, PARTS, PartRecord, part_name, record_name
from phrasemill.engine.reading import ReaderProcess
from phrasemill.engine.store import Store
from phrasemill.engine.verification import FOREIGN
from phrasemill.engine.walk import Cut
from phrasemill.engine.work import ChunkResult, ExtractionTask
from phrasemill.errors import InputError, PhrasemillError
from phrasemill.ranker import build
from phrasemill.readers import Mapped
from phrasemill.readers.failures import EarlyFailures
from phrasemill.sources import Watch

FAILURES = "failures"
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


class Session:
    """A run from its start, or from where the last session ended."""

    def __init__(
        self,
        store: Store,
        task: ExtractionTask,
        corpus: CorpusInputs,
        plan: Plan,
        progress: Callable[[RunProgress], None] | None,
        mapped: Mapped | None = None,
    ) -> None:
        self._store, self._task, self._corpus, self._plan = store, task, corpus, plan
        self._progress, self._mapped = progress or (lambda progress: None), mapped
        self._early = EarlyFailures()
        self._outcomes: dict[int, list[RecordOutcome]] = {}  # of chunks that were finished before an earlier one
        self._next = 0
        self._ids = SeenIds()
        self._spec = repr(build(task.options["method"]))
        self._models = manifest.model_files(self._spec, task.options["vocabulary"])
        self._worked = self._done = 0
        self._known: dict[int, PartRecord] = {}  # of earlier sessions, until the chunk is read
        self._lines: dict[int, bytes] = {}  # of each part that is done; empty if its record lists failures

    def run(self, executor: Executor, how: dict[str, Any]) -> Summary:
        self._before = self._corpus.snapshot(self._models)
        request = self._request()
        self._total = sum(one.bytes for one in self._before.inputs)
        manifest.opened(self._store, request)  # refuse before anything is changed
        try:
            self._store.begin()
            self._found = manifest.opened(self._store, request)
            if self._found.state == COMPLETE and self._is_intact():
                self._store.clear()
                return self._summary(0.0)
            start, when = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")
            self._work(executor)
            self._check_inputs()
            seconds = time.perf_counter() - start
            done = {"started": when, "seconds": round(seconds, 3), "documents": self._worked}
            versions = {"python": platform.python_version()}
            if self._task.format == rows.PARQUET:
                versions["pyarrow"] = pyarrow_module().__version__
            self._complete(done | how | versions)
            return self._summary(seconds)
        finally:
            self._store.close()

    def _request(self) -> dict[str, Any]:
        """Return the options and inputs as the manifest has them, and as they will be read back: lists for tuples."""
        from phrasemill import __version__

        options = {name: value for name, value in self._task.options.items() if name not in NOT_RECORDED}
        corpus = self._corpus
        reading = {"columns": asdict(corpus.columns), "input_format": corpus.format, "largest": corpus.largest}
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
        flaws = dict(verification.flaws(self._store, self._found.files))
        if not flaws:
            return True
        _refuse_foreign(self._store, [name for name, what in flaws.items() if what == FOREIGN])
        if PARTS not in flaws:
            for number, record in enumerate(part_records.listed(self._store)):
                part_records.write(self._store, record_name(number), record.line())
        self._found.state, self._found.counts = RUNNING, RunCounts()
        return False

    def _work(self, executor: Executor) -> None:
        limit, cuts = self._task.timeout, self._found.cuts
        source = ReaderProcess(
            self._corpus, self._plan, timeout=limit, cuts=cuts, on_cut=self._cut, mapped=self._mapped
        )
        with closing(source), closing(executor.results(self._chunks(source))) as results:
            for chunk, result in results:
                self._keep(chunk, result)

    def _chunks(self, source: ReaderProcess) -> Iterator[Chunk]:
        """Yield the chunks that are not done. The executor takes the first when its workers are ready."""
        self._found.write(self._store)
        self._sizes, self._recorded = self._store.sizes(), part_records.numbers(self._store)
        for chunk in source.chunks(self._is_done):
            self._ids.add([record.id for record in chunk.records if not record.reason])
            record = self._known.pop(chunk.number, None)
            if record is not None and record.records != chunk.digest:
                what = f"{chunk.records[0].input} has changed since the run began (records of part {chunk.number})"
                raise InputError(f"{self._store.name}: {what}{manifest.ADVICE}")
            if record is not None and chunk.bare:
                self._count(chunk, record)
            else:
                if not chunk.number:
                    watch = Watch(self._task.options["language"])
                    for document in pickle.loads(chunk.payload):
                        watch(document)
                yield chunk

    def _is_done(self, number: int) -> bool:
        """Return whether the part is there and agrees with the record of an earlier session, which may be damaged."""
        record = part_records.stored(self._store, number) if number in self._recorded else None
        if record is None or record.name != part_name(number, self._task.format):
            return False
        self._known[number] = record
        return not verification.flaw(self._store, record.name, record.content, self._sizes)

    def _cut(self, number: int, cut: Cut) -> None:
        """Record where an input is cut before a part depends on it: every later session must cut it there, too."""
        if any(earlier >= number for earlier in self._recorded):
            what = f"an input that was read before cannot be read now ({cut.reason})"
            raise PhrasemillError(f"{self._store.name}: {what}; {RESUME}")
        self._found.cuts.append(cut)
        self._found.write(self._store)

    def _keep(self, chunk: Chunk, result: ChunkResult) -> None:
        batch = self._task.rows([], [], self._spec) if result.rows is None else result.rows
        data = rows.part(batch)
        outcomes = chunk.outcomes(result.failures)
        self._check_first(chunk.number, outcomes)
        name, failures = part_name(chunk.number, self._task.format), tuple(one for one in outcomes if one.reason)
        content = part_records.content_of(BytesIO(data))
        record = PartRecord(name, content, len(chunk), result.keyphrases, chunk.digest, failures)
        part_records.write(self._store, record_name(chunk.number), record.line())
        part_records.write(self._store, name, data)
        self._worked += len(chunk)
        self._count(chunk, record)

    def _check_first(self, number: int, outcomes: list[RecordOutcome]) -> None:
        """Stop a run whose first hundred records all fail for one reason, whichever chunk is finished first."""
        if not self._early.possible:
            return
        self._outcomes[number] = outcomes
        while self._next in self._outcomes:
            for one in self._outcomes.pop(self._next):
                if not one.reason:
                    self._early.read()
                    self._outcomes.clear()
                    return
                self._early.failed(one.reason if one.reason.startswith(one.input) else f"{one.id}: {one.reason}")
            self._next += 1

    def _count(self, chunk: Chunk, record: PartRecord) -> None:
        self._found.counts.add(record.documents, len(record.failures), record.keyphrases)
        self._lines[chunk.number] = b"" if record.failures else record.line()
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
        """List the parts and the failures, and then record that the run is complete."""
        failures = f"{FAILURES}.{self._task.format}"
        with (
            self._store.writing(PARTS) as listed,
            self._store.writing(failures) as failed,
            rows.failure_writer(failed, self._task.format) as write_failures,
        ):
            for record in self._checked_parts():
                listed.write(record.line() + b"\n")
                if record.failures:
                    write_failures(record.failures)
        self._found.files = {name: part_records.content(self._store, name) for name in (PARTS, failures)}
        self._found.sessions.append(session)
        self._found.counts.duplicates, self._found.duplicate_ids = self._ids.duplicates, self._ids.first
        self._found.state = COMPLETE
        self._found.write(self._store)
        self._store.clear()

    def _checked_parts(self) -> Iterator[PartRecord]:
        """Yield the records of all parts in order; raise an `InputError` unless exactly these parts are there."""
        sizes = self._store.sizes()
        for number in range(len(self._lines)):
            line = self._lines[number]
            record = part_records.parsed(line) if line else part_records.stored(self._store, number)
            if record is None or sizes.pop(record.name, -1) != record.content.bytes:
                what = f"{part_name(number, self._task.format)} was changed during the run"
                raise InputError(f"{self._store.name}: {what}; run again to make it again")
            yield record
        _refuse_foreign(self._store, [name for name in sizes if name.startswith(PART)])

    def _summary(self, seconds: float) -> Summary:
        ids = tuple(self._found.duplicate_ids)
        counts = asdict(self._found.counts)
        return Summary(self._store.name, **counts, worked=self._worked, seconds=seconds, duplicate_ids=ids)


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
