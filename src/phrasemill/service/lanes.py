"""Threads that pass steps to worker processes and wait for the answers, so that the event loop never blocks.

Each lane has one worker process at a time. A lane ends only with its crew: if anything fails, the failure is logged,
the job is answered, and another worker is started.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread

from phrasemill.errors import PhrasemillError
from phrasemill.service.journal import Journal
from phrasemill.service.problems import Broken, refusal_of
from phrasemill.service.steps import Step
from phrasemill.workers import Answer, Pool

AGAIN = 1.0  # seconds before another attempt to start a worker
CHECK = 2.0  # seconds between two health checks of an idle worker
SLICE = 0.25  # seconds to wait for an answer before checking whether the job was abandoned
SHORT = 1.0  # a step of an abandoned job may run this long: replacing the worker costs about as much
SHORT_OF_MEMORY = "the server is short of memory"
NO_WORKER = "no worker process can start"
FAILED = "the server failed"


class Job:
    """Steps for one worker, in order; the first failure ends the job. `request` is the id of the request."""

    def __init__(self, steps: Iterable[Step], request: str) -> None:
        self._steps, self.request = deque(steps), request
        self._loop = asyncio.get_running_loop()
        self.answers: asyncio.Queue[Answer] = asyncio.Queue()
        self.abandoned = False

    def abandon(self) -> None:
        """Drop the steps that have not begun, and free what they hold; nobody waits for the answers any more."""
        self.abandoned = True
        self._steps.clear()

    def next_step(self) -> Step | None:
        try:
            return self._steps.popleft()
        except IndexError:
            return None

    def tell(self, answer: Answer) -> None:
        try:
            self._loop.call_soon_threadsafe(self.answers.put_nowait, answer)
        except RuntimeError:  # the loop is gone, and nobody waits
            return


@dataclass(slots=True)
class Orders:
    """What the lanes of a crew share. After `stopping` a lane ends when the queue is empty, after `ending` at once."""

    make: Callable[[], Pool]
    journal: Journal
    failed: Callable[[], None]
    jobs: "SimpleQueue[Job | None]"
    stopping: Event
    ending: Event


class Lane:
    """A thread with its worker. `failure` says why no worker can be started; `replaced` counts workers replaced."""

    def __init__(self, orders: Orders, name: str) -> None:
        self._orders = orders
        self._pool: Pool | None = None
        self._checked = 0.0
        self.failure, self.started, self.replaced = "", False, 0
        self.thread = Thread(target=self._live, name=name, daemon=True)

    @property
    def alive(self) -> bool:
        """Whether its worker exists and is not stopped."""
        pool = self._pool
        return pool is not None and pool.alive

    def _live(self) -> None:
        """Run until the crew ends, with a new pool whenever one fails."""
        while not self._orders.ending.is_set():
            try:
                pool = self._orders.make()
            except BaseException as error:
                with suppress(BaseException):  # memory may be too short even for this
                    self._fail(error)
                if self._orders.stopping.wait(AGAIN):
                    return
                continue
            self.failure, self.started = "", True
            self._pool, self._checked = pool, time.monotonic()
            try:
                with pool:
                    while self._serve(pool):
                        continue
                return
            except BaseException as error:  # in the server, not in the work
                with suppress(BaseException):
                    self._orders.journal.failure(error)
            finally:
                self._pool = None

    def _fail(self, error: BaseException) -> None:
        """Record and log why no worker can be started."""
        message = str(error) if isinstance(error, PhrasemillError) else f"{type(error).__name__}: {error}"
        if message != self.failure:
            self.failure = message
            self._orders.journal.write("error", level="error", error=type(error).__name__, message=message)
        self._orders.failed()

    def _serve(self, pool: Pool) -> bool:
        """Do the next job; return False if there will be none."""
        job = self._next(pool)
        if job is not None:
            self._work(pool, job)
        return job is not None

    def _next(self, pool: Pool) -> Job | None:
        """Return the next job, or None at the end; while idle, replace a worker that died, grew, or does not answer."""
        while not self._orders.ending.is_set():
            if time.monotonic() - self._checked >= CHECK:
                self.replaced += pool.refresh()
                self._checked = time.monotonic()
            try:
                return self._orders.jobs.get(timeout=CHECK)
            except Empty:
                continue
        return None

    def _work(self, pool: Pool, job: Job) -> None:
        while (step := job.next_step()) is not None:
            try:
                answer = self._answer(pool, job, step)
            except BaseException as error:
                job.tell(Answer(None, lost=_reason(error)))
                raise
            if answer is None:
                return
            self._note(job, step, answer)
            job.tell(answer)
            if answer.lost or answer.error:
                return

    def _answer(self, pool: Pool, job: Job, step: Step) -> Answer | None:
        """Return the outcome of a step, or None if it was cancelled."""
        began = time.monotonic()
        pool.give(None, step)
        while (answer := pool.take(SLICE)) is None:
            if self._orders.ending.is_set():
                return None
            if job.abandoned and time.monotonic() - began >= SHORT:
                pool.cancel()
                return None
        return answer

    def _note(self, job: Job, step: Step, answer: Answer) -> None:
        """Log server errors and lost workers."""
        about = {"request": job.request, "step": type(step).__name__, "method": getattr(step, "method", "")}
        write = self._orders.journal.write
        if answer.lost:
            self.replaced += 1
            write("error", level="error", **about, error="lost worker", reason=answer.lost)
        elif isinstance(answer.error, Broken):
            broken = answer.error
            write("error", level="error", **about, error=broken.kind, message=broken.message, at=broken.at)
        elif answer.error is not None and refusal_of(answer.error).status >= 500:
            write("error", level="error", **about, error=type(answer.error).__name__)


def _reason(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return SHORT_OF_MEMORY
    return NO_WORKER if isinstance(error, PhrasemillError) else FAILED
