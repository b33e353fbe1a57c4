"""One attempt at a run: records in, parts out, and after a kill the same again without what is done.

Each chunk becomes one part. Beside it, among the files that only a restart needs, goes a note of what was in it, of
its length and its digest. A part that is as its note says is done, and a restart passes over its chunk, once the
chunk's digest has shown that the input is still what it was. Whatever else is there is made again. Parts are the same
bytes whoever makes them, and in whatever order. Nothing is decided before the folder is locked.
"""

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

from phrasemill.engine import manifest, notes, rows, verification
from phrasemill.engine.chunks import Chunk, Failure, Plan, pyarrow_module, unpacked
from phrasemill.engine.inputs import Corpus
from phrasemill.engine.manifest import COMPLETE, RUNNING, Counts, Request
from phrasemill.engine.notes import PART, PARTS, Note, note_name, part_name
from phrasemill.engine.reading import Source
from phrasemill.engine.store import Store
from phrasemill.engine.verification import FOREIGN
from phrasemill.engine.walk import Cut
from phrasemill.engine.work import Extraction, Result
from phrasemill.errors import InputError, PhrasemillError
from phrasemill.options import HELP
from phrasemill.pipeline import build
from phrasemill.readers import Mapped
from phrasemill.readers.failures import EarlyFailures

FAILURES = "failures"
NOT_RECORDED = ("method", "explain")  # the method has an entry of its own, and runs do not explain
AGAIN = "nothing is lost, run again to go on"


class Executor(Protocol):
    """Whatever works on chunks; see the package's docstring."""

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, Result]]: ...


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


class Session:
    """A run from its start, or from where the last attempt ended."""

    def __init__(
        self,
        store: Store,
        task: Extraction,
        corpus: Corpus,
        plan: Plan,
        progress: Callable[[Progress], None] | None,
        mapped: Mapped | None = None,
    ) -> None:
        self._store, self._task, self._corpus, self._plan = store, task, corpus, plan
        self._progress, self._mapped = progress or (lambda progress: None), mapped
        self._early = EarlyFailures()
        self._outcomes: dict[int, list[Failure | None]] = {}  # of chunks that came before an earlier one
        self._next = 0
        self._spec = repr(build(task.options.method))
        self._models = manifest.model_files(self._spec, task.options.vocabulary)
        self._worked = self._done = 0
        self._known: dict[int, Note] = {}  # what earlier sessions noted, until the chunk comes by
        self._lines: dict[int, bytes] = {}  # the note of each part that is done; empty where the store has more of it

    def run(self, executor: Executor, how: dict[str, Any]) -> Summary:
        self._before = self._corpus.snapshot(self._models)
        request = self._request()
        self._total = sum(one.bytes for one in request.inputs)
        manifest.opened(self._store, request)  # what is refused is refused before anything is touched
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
            versions = {"python": platform.python_version(), "pyarrow": pyarrow_module().__version__}
            self._complete(done | how | versions)
            return self._summary(seconds)
        finally:
            self._store.close()

    def _request(self) -> Request:
        from phrasemill import __version__

        options = {name: _plain(getattr(self._task.options, name)) for name in HELP if name not in NOT_RECORDED}
        corpus = self._corpus
        reading = {"columns": asdict(corpus.columns), "input_format": corpus.format, "largest": corpus.largest}
        parameters = options | {"timeout": self._task.timeout} | reading
        files = self._before.inputs, self._before.models
        return Request(__version__, self._spec, self._task.format, parameters, self._plan, *files)

    def _is_intact(self) -> bool:
        """Whether a complete run still is; if not, it becomes one that was interrupted after its last part."""
        flaws = dict(verification.flaws(self._store, self._found.files))
        if not flaws:
            return True
        _refuse_foreign(self._store, [name for name, what in flaws.items() if what == FOREIGN])
        if PARTS not in flaws:
            for number, note in enumerate(notes.listed(self._store)):
                notes.write(self._store, note_name(number), note.line())
        self._found.state, self._found.counts = RUNNING, Counts()
        return False

    def _work(self, executor: Executor) -> None:
        limit, cuts = self._task.timeout, self._found.cuts
        source = Source(self._corpus, self._plan, timeout=limit, cuts=cuts, on_cut=self._cut, mapped=self._mapped)
        with closing(source), closing(executor.results(self._chunks(source))) as results:
            for chunk, result in results:
                self._keep(chunk, result)

    def _chunks(self, source: Source) -> Iterator[Chunk]:
        """The chunks that are not done. The executor asks for the first when its workers are ready."""
        self._found.write(self._store)
        self._sizes, self._noted = self._store.sizes(), notes.numbers(self._store)
        for chunk in source.chunks(self._is_done):
            note = self._known.pop(chunk.number, None)
            if note is not None and note.records != chunk.digest:
                what = f"{chunk.first_input} has changed since it was begun (records of part {chunk.number})"
                raise InputError(f"{self._store.name}: {what}{manifest.ADVICE}")
            if note is not None and chunk.bare:
                self._count(chunk, note)
            else:
                yield chunk

    def _is_done(self, number: int) -> bool:
        """Whether the part is there, and is what its note says."""
        note = self._note(number)
        if note is None:
            return False
        self._known[number] = note
        return not verification.flaw(self._store, note.name, note.content, self._sizes)

    def _note(self, number: int) -> Note | None:
        """Return what an earlier session noted; None where that is nothing, or damaged."""
        note = notes.stored(self._store, number) if number in self._noted else None
        return note if note is not None and note.name == part_name(number, self._task.format) else None

    def _cut(self, number: int, cut: Cut) -> None:
        """Remember where an input is cut, before a part depends on it: every later session must cut it there, too."""
        if any(noted >= number for noted in self._noted):
            what = f"an input that was read before cannot be read now ({cut.reason})"
            raise PhrasemillError(f"{self._store.name}: {what}; {AGAIN}")
        self._found.cuts.append(cut)
        self._found.write(self._store)

    def _keep(self, chunk: Chunk, result: Result) -> None:
        batch = unpacked(result.rows) if result.rows else self._task.rows([], [], self._spec)
        data = rows.part(batch, self._task.format)
        outcomes = [*chunk.outcomes(result.failures)]
        self._check_first(chunk.number, outcomes)
        name, failures = part_name(chunk.number, self._task.format), tuple(one for one in outcomes if one is not None)
        content = notes.content_of(BytesIO(data))
        note = Note(name, content, len(chunk), result.keyphrases, chunk.digest, failures)
        notes.write(self._store, note_name(chunk.number), note.line())
        notes.write(self._store, name, data)
        self._worked += len(chunk)
        self._count(chunk, note)

    def _check_first(self, number: int, outcomes: list[Failure | None]) -> None:
        """Stop a run whose first hundred records all fail for one reason, whatever chunk is ready first."""
        if not self._early.possible:
            return
        self._outcomes[number] = outcomes
        while self._next in self._outcomes:
            for failure in self._outcomes.pop(self._next):
                if failure is None:
                    self._early.read()
                    self._outcomes.clear()
                    return
                has_place = failure.reason.startswith(failure.input)
                self._early.failed(failure.reason if has_place else f"{failure.id}: {failure.reason}")
            self._next += 1

    def _count(self, chunk: Chunk, note: Note) -> None:
        self._found.counts.add(note.documents, len(note.failures), note.keyphrases)
        self._lines[chunk.number] = b"" if note.failures else note.line()
        self._done += chunk.weight
        self._progress(Progress(self._worked, self._found.counts.failed, self._done, self._total))

    def _check_inputs(self) -> None:
        """Refuse to call a run complete whose inputs were written to meanwhile: nobody knows what was read."""
        try:
            changed = self._before.change(self._corpus.snapshot(self._models))
        except InputError as error:
            changed = f"an input ({error})"
        if changed:
            what = f"{changed} changed while the run was at work, so that it is not complete"
            raise InputError(f"{self._store.name}: {what}; run again when nobody writes to the inputs any more")

    def _complete(self, session: dict[str, Any]) -> None:
        """List the parts and the failures, and then call the run complete."""
        failures = f"{FAILURES}.{self._task.format}"
        with (
            self._store.writing(PARTS) as listed,
            self._store.writing(failures) as failed,
            rows.FailureWriter(failed, self._task.format) as writer,
        ):
            for note in self._checked_parts():
                listed.write(note.line() + b"\n")
                writer.write(note.failures)
        self._found.files = {name: notes.content(self._store, name) for name in (PARTS, failures)}
        self._found.sessions.append(session)
        self._found.state = COMPLETE
        self._found.write(self._store)
        self._store.clear()

    def _checked_parts(self) -> Iterator[Note]:
        """The notes of all parts in order, as long as these are there, and no others."""
        sizes = self._store.sizes()
        for number in range(len(self._lines)):
            line = self._lines[number]
            note = notes.parsed(line) if line else notes.stored(self._store, number)
            if note is None or sizes.pop(note.name, -1) != note.content.bytes:
                what = f"{part_name(number, self._task.format)} was changed while the run was at work"
                raise InputError(f"{self._store.name}: {what}; run again to make it again")
            yield note
        _refuse_foreign(self._store, [name for name in sizes if name.startswith(PART)])

    def _summary(self, seconds: float) -> Summary:
        counts = self._found.counts
        numbers = (counts.documents, counts.failed, counts.keyphrases, counts.parts)
        return Summary(self._store.name, *numbers, self._worked, seconds)


def _refuse_foreign(store: Store, names: list[str]) -> None:
    if names:
        raise InputError(f"{store.name}: {min(names)} is not of this run; move it elsewhere and run again")


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
