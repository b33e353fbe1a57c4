"""Threads that hand worker processes their steps and wait for the answers, so that the event loop never waits.

A lane has one worker and its successors. Nothing ends a lane but the end of the crew: what goes wrong is logged, the
job is answered, and another worker is started.
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
from phrasemill.processes import Answer, Pool
from phrasemill.service.journal import Journal
from phrasemill.service.problems import Broken, refusal_of
from phrasemill.service.steps import Step

AGAIN = 1.0  # seconds before another attempt to start a worker
CHECK = 2.0  # seconds between two looks at a worker that has nothing to do
SLICE = 0.25  # seconds that a lane waits for an answer before it looks whether anybody still wants it
SHORT = 1.0  # seconds that a step may go on when nobody wants it any more: a new worker costs about as much
SHORT_OF_MEMORY = "the server is short of memory"
NO_WORKER = "no worker process can start"
FAILED = "the server failed"


class Job:
    """Steps for one worker, in order; an error ends them. `request` is the id of the request they belong to."""

    def __init__(self, steps: Iterable[Step], request: str) -> None:
        self._steps, self.request = deque(steps), request
        self._loop = asyncio.get_running_loop()
        self.answers: asyncio.Queue[Answer] = asyncio.Queue()
        self.abandoned = False

    def abandon(self) -> None:
        """Nobody waits for it any more: drop what it holds, wherever it stands in the queue."""
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
    """What the lanes of a crew share. With `stopping` they end when they have nothing to do, with `ending` at once."""

    make: Callable[[], Pool]
    journal: Journal
    failed: Callable[[], None]
    jobs: "SimpleQueue[Job | None]"
    stopping: Event
    ending: Event


class Lane:
    """`failure` says why no worker can be started at the moment; `replaced` counts workers that a step ended."""

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
        """One pool after the other, until the crew ends, whatever happens."""
        while not self._orders.ending.is_set():
            try:
                pool = self._orders.make()
            except BaseException as error:
                with suppress(BaseException):  # memory may be short for this, too
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
            except BaseException as error:  # of the server, not of the work
                with suppress(BaseException):
                    self._orders.journal.failure(error)
            finally:
                self._pool = None

    def _fail(self, error: BaseException) -> None:
        """Note why no worker can be started."""
        message = str(error) if isinstance(error, PhrasemillError) else f"{type(error).__name__}: {error}"
        if message != self.failure:
            self.failure = message
            self._orders.journal.write("error", level="error", error=type(error).__name__, message=message)
        self._orders.failed()

    def _serve(self, pool: Pool) -> bool:
        """Do the next job; False at the end."""
        job = self._next(pool)
        if job is not None:
            self._work(pool, job)
        return job is not None

    def _next(self, pool: Pool) -> Job | None:
        """Return the next job, None at the end; meanwhile replace a worker that died, grew, or does not answer."""
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
        """Return what came of a step; None where nobody waits for it any more."""
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
        """Log what is not the client's fault, and what ended a worker."""
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
