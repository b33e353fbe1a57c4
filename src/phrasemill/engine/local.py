"""The work on this machine: a pool of processes, and what to do when a document ends one of them."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.work import Extraction, Result, joined, patience, reason
from phrasemill.errors import PhrasemillError
from phrasemill.workers import TIMED_OUT, Answer, Pool, checked_jobs

# A document that ends its worker alone is tried once more: the system may have killed it because memory was short.
ATTEMPTS = 2
# So many ended workers, without one document that went well, are no poison: nothing works here.
HOPELESS = 20


class Key(NamedTuple):
    """A whole chunk, or one document of it."""

    chunk: int
    document: int | None = None
    attempt: int = 1


@dataclass(slots=True)
class _Apart:
    """A chunk that ended its worker, document by document."""

    payloads: list[bytes]
    results: list[Result | None]
    missing: int


@dataclass(slots=True)
class Local:
    """The executor over processes of this machine; `jobs` of them, or one a core."""

    task: Extraction
    jobs: int | None = None
    _open: dict[int, Chunk] = field(default_factory=dict)
    _apart: dict[int, _Apart] = field(default_factory=dict)
    _again: "deque[tuple[Key, bytes]]" = field(default_factory=deque)
    _lost: int = 0
    _worked: bool = False

    def __post_init__(self) -> None:
        self.jobs = checked_jobs(self.jobs)

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, Result]]:
        """Each chunk with its result, as they come; two chunks a process are under way at a time."""
        assert self.jobs is not None
        source = iter(chunks)
        with Pool(self.task, jobs=self.jobs, patience=patience(self.task.timeout)) as pool:
            while True:
                while not pool.full and (piece := self._next(source)) is not None:
                    pool.give(*piece)
                if not pool.busy:
                    return
                yield from self._taken(pool.take())

    def _next(self, source: Iterator[Chunk]) -> "tuple[Key, Any] | None":
        if self._again:
            return self._again.popleft()
        chunk = next(source, None)
        if chunk is None:
            return None
        self._open[chunk.number] = chunk
        return Key(chunk.number), chunk.payload

    def _taken(self, answer: Answer) -> Iterator[tuple[Chunk, Result]]:
        key: Key = answer.key
        why = answer.lost or (reason(answer.error) if answer.error else "")
        if not why:
            self._worked = True
        else:
            self._count_lost(why)
        if key.document is None:
            if why:
                self._take_apart(self._open[key.chunk])
            else:
                yield self._open.pop(key.chunk), answer.value
            return
        apart = self._apart[key.chunk]
        if why and why != TIMED_OUT and key.attempt < ATTEMPTS:
            self._again.append((key._replace(attempt=key.attempt + 1), apart.payloads[key.document]))
            return
        apart.results[key.document] = self.task.lost(why) if why else answer.value
        apart.missing -= 1
        if not apart.missing:
            del self._apart[key.chunk]
            yield self._open.pop(key.chunk), joined([result for result in apart.results if result is not None])

    def _take_apart(self, chunk: Chunk) -> None:
        payloads = chunk.alone()
        self._apart[chunk.number] = _Apart(payloads, [None] * len(payloads), len(payloads))
        self._again.extend((Key(chunk.number, i), payload) for i, payload in enumerate(payloads))

    def _count_lost(self, why: str) -> None:
        self._lost += 1
        if not self._worked and self._lost >= HOPELESS:
            raise PhrasemillError(f"gave up: {self._lost} workers ended and no document went well; the last: {why}")
