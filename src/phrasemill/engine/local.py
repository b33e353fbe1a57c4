"""Work on this machine: a pool of processes, and what to do if a document ends one of them."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.work import ChunkResult, ExtractionTask, joined, patience, reason
from phrasemill.errors import PhrasemillError
from phrasemill.workers import TIMED_OUT, Answer, Pool, checked_jobs

# A document that ends its worker alone is tried once more: the system may have killed it because memory was short.
ATTEMPTS = 2
# If this many workers end and no document succeeds, the documents are not to blame.
HOPELESS = 20


@dataclass(slots=True)
class LocalExecutor:
    """The executor over `jobs` processes of this machine, by default one per core."""

    task: ExtractionTask
    jobs: int | None = None

    def __post_init__(self) -> None:
        self.jobs = checked_jobs(self.jobs)

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        """Yield each chunk with its result in order of completion; each process has up to two chunks at a time."""
        assert self.jobs is not None
        with Pool(self.task, jobs=self.jobs, patience=patience(self.task.timeout)) as pool:
            yield from Isolation(pool).results(chunks)


class _Key(NamedTuple):
    """A whole chunk, or one document of it."""

    chunk: int
    document: int | None = None
    attempt: int = 1


@dataclass(slots=True)
class _Apart:
    """A chunk that ended its worker, document by document."""

    payloads: list[bytes]
    results: dict[int, ChunkResult]  # by number of document


class Isolation:
    """Chunks that a pool works on; a chunk that ends its worker is repeated document by document."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._open: dict[int, Chunk] = {}
        self._apart: dict[int, _Apart] = {}
        self._again: deque[tuple[_Key, bytes]] = deque()
        self._lost, self._succeeded = 0, False

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        """Yield each chunk with its result in order of completion."""
        source = iter(chunks)
        while True:
            while not self._pool.full and (piece := self._next(source)) is not None:
                self._pool.give(*piece)
            if not self._pool.busy:
                return
            yield from self._finished(self._pool.take())

    def _next(self, source: Iterator[Chunk]) -> tuple[_Key, bytes] | None:
        if self._again:
            return self._again.popleft()
        chunk = next(source, None)
        if chunk is None:
            return None
        self._open[chunk.number] = chunk
        return _Key(chunk.number), chunk.payload

    def _finished(self, answer: Answer) -> Iterator[tuple[Chunk, ChunkResult]]:
        key: _Key = answer.key
        why = answer.lost or (reason(answer.error) if answer.error else "")
        self._count(why)
        if key.document is None and not why:
            yield self._open.pop(key.chunk), answer.value
            return
        if key.document is None:
            payloads = self._open[key.chunk].alone()
            if not payloads:  # all of its records were unreadable; the worker ended for another reason
                yield self._open.pop(key.chunk), ChunkResult(None)
                return
            self._apart[key.chunk] = _Apart(payloads, {})
            self._again.extend((_Key(key.chunk, i), payload) for i, payload in enumerate(payloads))
            return
        apart = self._apart[key.chunk]
        if why and why != TIMED_OUT and key.attempt < ATTEMPTS:
            self._again.append((key._replace(attempt=key.attempt + 1), apart.payloads[key.document]))
            return
        apart.results[key.document] = ChunkResult(None, ((0, why),)) if why else answer.value
        if len(apart.results) == len(apart.payloads):
            del self._apart[key.chunk]
            yield self._open.pop(key.chunk), joined([result for _, result in sorted(apart.results.items())])

    def _count(self, why: str) -> None:
        """Count what ended a worker, or a success if `why` is empty."""
        self._lost, self._succeeded = self._lost + bool(why), self._succeeded or not why
        if not self._succeeded and self._lost >= HOPELESS:
            raise PhrasemillError(f"gave up: {self._lost} workers ended and no document succeeded; the last: {why}")
