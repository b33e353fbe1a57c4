"""The executor over processes of this machine; and the isolation of documents that end their process."""

import pickle
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Lock

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.work import ChunkResult, ExtractionTask, joined, reason
from phrasemill.errors import PhrasemillError
from phrasemill.isolated import TIMED_OUT, Lost, Pool, checked_jobs

# The system may have killed a process because memory was short: a document that ends its process is tried again, once.
ATTEMPTS = 2
# If this many workers end and no document succeeds, the documents are not to blame.
HOPELESS = 20
AHEAD = 2  # chunks per worker: one that it works on, and one that waits


@dataclass(slots=True)
class LocalExecutor:
    """The executor over `jobs` processes of this machine, by default one per core."""

    task: ExtractionTask
    jobs: int | None = None

    def __post_init__(self) -> None:
        self.jobs = checked_jobs(self.jobs)

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        """Yield each chunk with its result in order of completion. The first is taken when a worker is ready."""
        assert self.jobs is not None
        source, running = iter(chunks), dict[Future[ChunkResult], Chunk]()
        with (
            ThreadPoolExecutor(AHEAD * self.jobs) as threads,  # each waits for the results of a chunk
            Pool(self.task, jobs=self.jobs, seconds=self.task.timeout) as pool,
        ):
            isolation = Isolation(self.task, pool)
            isolation.check()
            while True:
                while len(running) < AHEAD * self.jobs and (chunk := next(source, None)) is not None:
                    running[threads.submit(isolation.result, chunk.payload)] = chunk._replace(payload=b"")
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()


@dataclass(slots=True)
class Isolation:
    """Work on a pool. A chunk that ends its worker is repeated item by item, so that only the item to blame fails."""

    task: ExtractionTask
    pool: Pool
    _lost: int = 0
    _succeeded: bool = False
    _counting: Lock = field(default_factory=Lock)

    def check(self) -> None:
        """Wait until a worker is ready; raise what is wrong with the task."""
        self.pool.submit(None).result()

    def result(self, payload: bytes) -> ChunkResult:
        """Return the result of a chunk."""
        found = self._tried(payload, is_whole=True)
        if isinstance(found, ChunkResult):
            return found
        return joined([self._alone(item) for item in pickle.loads(payload)])

    def _alone(self, item: object) -> ChunkResult:
        for _ in range(ATTEMPTS):
            found = self._tried(pickle.dumps([item]), is_whole=False)
            if isinstance(found, ChunkResult):
                return found
            if found == TIMED_OUT:
                break
        return self.task.failed(item, found)  # type: ignore[arg-type]

    def _tried(self, payload: bytes, *, is_whole: bool) -> ChunkResult | str:
        """Return the result, or why its worker ended or failed."""
        try:
            found: ChunkResult = self.pool.submit((payload, is_whole)).result()
        except Exception as error:
            if isinstance(error, PhrasemillError) and not isinstance(error, Lost):
                raise  # no worker can start, or a reader is not installed
            why = reason(error)
        else:
            self._succeeded = True
            return found
        with self._counting:
            self._lost += 1
            if not self._succeeded and self._lost >= HOPELESS:
                what = f"gave up: {self._lost} workers ended and no document succeeded; the last: {why}"
                raise PhrasemillError(what)
        return why
