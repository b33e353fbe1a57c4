"""The worker processes, seen from the event loop.

Jobs wait in one queue, whose length the gate bounds: no request gets here that was not admitted. Each worker has a
thread that takes them from there (`lanes.py`).
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any

from phrasemill.service.journal import Journal
from phrasemill.service.lanes import FAILED, NO_WORKER, SHORT_OF_MEMORY, Job, Lane, Orders
from phrasemill.service.problems import SOON, Refusal, refusal_of
from phrasemill.service.steps import Step
from phrasemill.workers import OUT_OF_MEMORY, TIMED_OUT, Answer, Pool, WorkerTask

LATE = 5.0  # seconds after the time limit at which the lane ends a worker that did not end itself
GRACE = 10.0  # seconds for workers to finish when the crew closes
KINDS = {
    TIMED_OUT: "time-limit",
    OUT_OF_MEMORY: "memory-limit",
    SHORT_OF_MEMORY: "busy",
    NO_WORKER: "not-ready",
    FAILED: "internal-error",
}


class Crew:
    """A fixed number of workers on one task. A step may take `seconds`, a worker may use `memory` bytes (0: no limit).

    Idle workers that have grown to three quarters of `memory` are replaced. `failed` is called with the reason if no
    worker can be started in the first place.
    """

    def __init__(
        self,
        task: WorkerTask,
        *,
        workers: int,
        seconds: float,
        memory: int = 0,
        journal: Journal | None = None,
        failed: Callable[[str], None] = lambda reason: None,
    ) -> None:
        def make() -> Pool:
            return Pool(task, jobs=1, patience=seconds + LATE, memory=memory // 4 * 3)

        self._failed = failed
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._stopping, self._ending = Event(), Event()
        orders = Orders(make, journal or Journal(), self._hear_failure, self._jobs, self._stopping, self._ending)
        self._lanes = [Lane(orders, f"worker {number}") for number in range(1, workers + 1)]
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def workers(self) -> int:
        return len(self._lanes)

    @property
    def ready(self) -> int:
        """Return how many workers can work at this moment."""
        return sum(lane.alive for lane in self._lanes)

    @property
    def warm(self) -> bool:
        """Whether work can be accepted: every worker has been started, and at least one is alive now."""
        started = all(lane.started or lane.failure for lane in self._lanes)
        return started and not self._stopping.is_set() and any(lane.alive for lane in self._lanes)

    @property
    def replaced(self) -> int:
        return sum(lane.replaced for lane in self._lanes)

    @property
    def waiting(self) -> int:
        return self._jobs.qsize()

    @property
    def failure(self) -> str:
        """Return why no worker can be started; empty if one could be, or has not been tried yet."""
        return self._lanes[0].failure if all(lane.failure for lane in self._lanes) else ""

    def start(self) -> None:
        """Within a running loop; returns at once."""
        self._loop = asyncio.get_running_loop()
        for lane in self._lanes:
            lane.thread.start()

    async def close(self) -> None:
        """End the workers when they have finished, or after `GRACE` seconds in any case."""
        self._stopping.set()
        for _ in self._lanes:
            self._jobs.put(None)
        if not await asyncio.to_thread(self._ended, GRACE):
            self._ending.set()
            await asyncio.to_thread(self._ended, GRACE)

    def _ended(self, seconds: float) -> bool:
        """Wait for all threads to end, up to `seconds`. They are daemons, and workers die with the server."""
        deadline = time.monotonic() + seconds
        threads = [lane.thread for lane in self._lanes if lane.thread.ident]
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)

    async def ask(self, step: Step, *, request: str = "") -> Any:
        """Return what a worker makes of one step; a `Refusal` where it could not."""
        values = self.each([step], request=request)
        try:
            return await anext(values)
        finally:
            await values.aclose()

    async def each(self, steps: Sequence[Step], *, request: str = "") -> AsyncGenerator[Any, None]:
        """What one worker makes of steps that belong together, as it comes; the first failure ends them."""
        if self.failure:
            raise Refusal("not-ready", NO_WORKER, SOON)
        job = Job(steps, request)
        self._jobs.put(job)
        try:
            for _ in range(len(steps)):
                yield value_of(await job.answers.get())
        finally:
            job.abandon()

    async def spread(self, steps: Sequence[Step], *, request: str = "") -> AsyncIterator[tuple[int, Any]]:
        """The value or `Refusal` of each step with its number, as they come; steps stand alone.

        No more than two for each worker are asked for at a time: a long list must not keep others waiting.
        """
        waiting = iter(enumerate(steps))
        running: set[asyncio.Task[tuple[int, Any]]] = set()
        try:
            while True:
                while len(running) < 2 * self.workers and (one := next(waiting, None)) is not None:
                    running.add(asyncio.ensure_future(self._numbered(*one, request)))
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            for task in running:
                task.cancel()

    async def _numbered(self, number: int, step: Step, request: str) -> tuple[int, Any]:
        try:
            return number, await self.ask(step, request=request)
        except Refusal as refusal:
            return number, refusal.with_traceback(None)  # the traceback keeps the document alive

    def _hear_failure(self) -> None:
        """React to a lane that cannot start a worker: if no lane can, answer the waiting jobs."""
        if not self.failure:
            return
        if not any(lane.started for lane in self._lanes) and self._loop is not None:
            with suppress(RuntimeError):  # the loop is gone
                self._loop.call_soon_threadsafe(self._failed, self.failure)
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return
            if job is None:  # the end, for a lane to see
                self._jobs.put(None)
                return
            job.tell(Answer(None, lost=NO_WORKER))


def value_of(answer: Answer) -> Any:
    """Return the value, or raise the `Refusal` that says why there is none."""
    if answer.error is None and not answer.lost:
        return answer.value
    refusal = refusal_of(answer.error) if answer.error is not None else _loss(answer.lost)
    try:
        raise refusal
    finally:
        del answer, refusal  # breaks the cycle of exception, traceback and frame, which would keep documents alive


def _loss(why: str) -> Refusal:
    kind = KINDS.get(why, "crashed")
    return Refusal(kind, headers=SOON if kind in ("busy", "not-ready") else {})
