"""The pool for an event loop: each worker has a thread that waits for it, so that the loop never blocks.

A thread drives a `Pool` of one worker, so a worker that starts, hangs or is replaced delays no other. It ends only with
its pool: if anything fails, the failure is reported, the job is answered, and another worker is started.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from phrasemill.errors import PhrasemillError
from phrasemill.workers.pool import Answer, Pool, WorkerTask

RETRY = 1.0  # seconds before another attempt to start a worker
CHECK = 2.0  # seconds between two health checks of an idle worker
POLL = 0.25  # seconds to wait for an answer before checking whether the job was abandoned
SHORT = 1.0  # a piece of an abandoned job may run this long: replacing the worker costs about as much
GRACE = 10.0  # seconds for workers to finish when the pool closes
# Why there is no answer, besides the reasons for which a worker ends.
SHORT_OF_MEMORY = "the server is short of memory"
NO_WORKER = "no worker process can start"
FAILED = "the server failed"


class _Job:
    """Pieces for one worker, in order; the first failure ends the job."""

    def __init__(self, pieces: Iterable[Any], label: str) -> None:
        self._pieces, self.label = deque(pieces), label
        self._loop = asyncio.get_running_loop()
        self.answers: asyncio.Queue[Answer] = asyncio.Queue()
        self.abandoned = False

    def abandon(self) -> None:
        """Drop the pieces that have not begun, and free what they hold; answers are no longer awaited."""
        self.abandoned = True
        self._pieces.clear()

    def next_piece(self) -> Any:
        try:
            return self._pieces.popleft()
        except IndexError:
            return None

    def deliver(self, answer: Answer) -> None:
        with suppress(RuntimeError):  # the loop is gone
            self._loop.call_soon_threadsafe(self.answers.put_nowait, answer)


class AsyncPool:
    """`workers` processes on one task, each with a thread; jobs wait in one queue.

    `patience` and `memory` are those of `Pool`. `give_up` is called in the loop with the reason if no worker can be
    started in the first place. Subclasses override `failed_to_start`, `failed` and `answered`, which are called in the
    threads.
    """

    def __init__(
        self,
        task: WorkerTask,
        *,
        workers: int,
        patience: float,
        memory: int = 0,
        give_up: Callable[[str], None] = lambda reason: None,
    ) -> None:
        self.make_pool: Callable[[], Pool] = lambda: Pool(task, jobs=1, patience=patience, memory=memory)
        self.jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self.stopping, self.ending = Event(), Event()  # end when the queue is empty, and at once
        self._give_up = give_up
        self._threads = [_WorkerThread(self, f"worker {number}") for number in range(1, workers + 1)]
        self._loop: asyncio.AbstractEventLoop | None = None

    def failed_to_start(self, message: str, error: BaseException) -> None:
        """Called with the reason when no worker can be started."""

    def failed(self, error: BaseException) -> None:
        """Called when something failed in this process, not in a worker."""

    def answered(self, label: str, piece: Any, answer: Answer) -> None:
        """Called with each answer before it is delivered."""

    @property
    def workers(self) -> int:
        return len(self._threads)

    @property
    def alive(self) -> int:
        """How many workers can work at this moment."""
        return sum(thread.has_worker for thread in self._threads)

    @property
    def ready(self) -> bool:
        """Whether work can be accepted: every worker has been started, and at least one is alive now."""
        started = all(thread.started or thread.failure for thread in self._threads)
        return started and not self.stopping.is_set() and self.alive > 0

    @property
    def replaced(self) -> int:
        return sum(thread.replaced for thread in self._threads)

    @property
    def waiting(self) -> int:
        return self.jobs.qsize()

    @property
    def failure(self) -> str:
        """Why no worker can be started; "" if one could be, or has not been tried yet."""
        return self._threads[0].failure if all(thread.failure for thread in self._threads) else ""

    def start(self) -> None:
        """Start the workers, within a running loop; return at once."""
        self._loop = asyncio.get_running_loop()
        for thread in self._threads:
            thread.start()

    async def close(self) -> None:
        """End the workers when they have finished, or after `GRACE` seconds in any case."""
        self.stopping.set()
        for _ in self._threads:
            self.jobs.put(None)
        if not await asyncio.to_thread(self._join, GRACE):
            self.ending.set()
            await asyncio.to_thread(self._join, GRACE)

    def _join(self, seconds: float) -> bool:
        """Wait up to `seconds` for all threads to end. They are daemons, and workers die with this process."""
        deadline = time.monotonic() + seconds
        threads = [thread for thread in self._threads if thread.ident]
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    async def answers(self, pieces: Sequence[Any], *, label: str = "") -> AsyncGenerator[Answer, None]:
        """Yield what one worker answers to pieces that belong together; the first failure ends them."""
        if self.failure:
            yield Answer(None, lost=NO_WORKER)
            return
        job = _Job(pieces, label)
        self.jobs.put(job)
        try:
            for _ in range(len(pieces)):
                yield await job.answers.get()
        finally:
            job.abandon()

    def check_failure(self) -> None:
        """Answer the waiting jobs if no worker can be started."""
        if not self.failure:
            return
        if not any(thread.started for thread in self._threads) and self._loop is not None:
            with suppress(RuntimeError):  # the loop is gone
                self._loop.call_soon_threadsafe(self._give_up, self.failure)
        while True:
            try:
                job = self.jobs.get_nowait()
            except Empty:
                return
            if job is None:  # the end, for a thread to see
                self.jobs.put(None)
                return
            job.deliver(Answer(None, lost=NO_WORKER))


class _WorkerThread(Thread):
    """A thread with its worker. `failure` is why no worker can be started; `replaced` counts workers replaced."""

    def __init__(self, owner: AsyncPool, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._owner = owner
        self._pool: Pool | None = None
        self._checked = 0.0
        self.failure, self.started, self.replaced = "", False, 0

    @property
    def has_worker(self) -> bool:
        """Whether its worker exists and is not stopped."""
        pool = self._pool
        return pool is not None and pool.alive

    def run(self) -> None:
        """Work until the owner ends, with a new pool whenever one fails."""
        while not self._owner.ending.is_set():
            try:
                pool = self._owner.make_pool()
            except BaseException as error:
                with suppress(BaseException):  # memory may be too short even for this
                    self._fail(error)
                if self._owner.stopping.wait(RETRY):
                    return
                continue
            self.failure, self.started = "", True
            self._pool, self._checked = pool, time.monotonic()
            try:
                with pool:
                    while (job := self._next(pool)) is not None:
                        self._work(pool, job)
                return
            except BaseException as error:  # in this process, not in the work
                with suppress(BaseException):
                    self._owner.failed(error)
            finally:
                self._pool = None

    def _fail(self, error: BaseException) -> None:
        """Record and report why no worker can be started."""
        message = str(error) if isinstance(error, PhrasemillError) else f"{type(error).__name__}: {error}"
        if message != self.failure:
            self.failure = message
            self._owner.failed_to_start(message, error)
        self._owner.check_failure()

    def _next(self, pool: Pool) -> _Job | None:
        """Return the next job, or None at the end; while idle, replace a worker that died, grew, or does not answer."""
        while not self._owner.ending.is_set():
            if time.monotonic() - self._checked >= CHECK:
                self.replaced += pool.refresh()
                self._checked = time.monotonic()
            with suppress(Empty):
                return self._owner.jobs.get(timeout=CHECK)
        return None

    def _work(self, pool: Pool, job: _Job) -> None:
        while (piece := job.next_piece()) is not None:
            try:
                answer = self._answer(pool, job, piece)
            except BaseException as error:
                job.deliver(Answer(None, lost=_reason(error)))
                raise
            if answer is None:
                return
            self.replaced += bool(answer.lost)
            self._owner.answered(job.label, piece, answer)
            job.deliver(answer)
            if answer.lost or answer.error:
                return

    def _answer(self, pool: Pool, job: _Job, piece: Any) -> Answer | None:
        """Return the answer to a piece, or None if it was cancelled."""
        began = time.monotonic()
        pool.give(None, piece)
        while (answer := pool.take(POLL)) is None:
            if self._owner.ending.is_set():
                return None
            if job.abandoned and time.monotonic() - began >= SHORT:
                pool.cancel()
                return None
        return answer


def _reason(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return SHORT_OF_MEMORY
    return NO_WORKER if isinstance(error, PhrasemillError) else FAILED
