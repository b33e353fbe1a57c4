"""The worker processes, seen from the event loop.

Each has a thread that hands it one step after the other and waits for the answer, so that the loop never waits; a
worker that a step ends is replaced by its own thread, and the others go on. Threads take jobs from one queue, whose
length the gate bounds: no request gets here that was not admitted.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from phrasemill.errors import PhrasemillError
from phrasemill.processes import OUT_OF_MEMORY, TIMED_OUT, Answer, Pool, Task
from phrasemill.service.problems import Refusal, refusal_of
from phrasemill.service.work import Step

AGAIN = 1.0  # seconds before another attempt to start a worker


@dataclass(eq=False, slots=True)
class _Job:
    """Steps for one worker, in order; an error ends them."""

    steps: Sequence[Step]
    answers: "asyncio.Queue[Answer]" = field(default_factory=asyncio.Queue)
    abandoned: bool = False


class Crew:
    """So many workers on one task. `ready` counts those that can work; `failure` says why none ever will."""

    def __init__(self, task: Task, *, workers: int, failed: Callable[[str], None] = lambda reason: None) -> None:
        self._task, self._failed = task, failed
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads = [Thread(target=self._lane, name=f"worker {i + 1}", daemon=True) for i in range(workers)]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._counting = Lock()
        self._stopping = Event()
        self.workers, self.ready, self.replaced = workers, 0, 0
        self.failure, self._worked = "", False

    @property
    def warm(self) -> bool:
        """Whether every worker has loaded what it needs."""
        return self.ready == self.workers and not self._stopping.is_set()

    @property
    def waiting(self) -> int:
        return self._jobs.qsize()

    def start(self) -> None:
        """Within a running loop; returns at once."""
        self._loop = asyncio.get_running_loop()
        for thread in self._threads:
            thread.start()

    async def close(self) -> None:
        """End the workers, once they have done what they were given."""
        self._stopping.set()
        for _ in self._threads:
            self._jobs.put(None)
        await asyncio.gather(*(asyncio.to_thread(thread.join) for thread in self._threads if thread.ident))

    async def ask(self, step: Step) -> Any:
        """What a worker makes of one step; a `Refusal` where it could not."""
        values = self.each([step])
        try:
            return await anext(values)
        finally:
            await values.aclose()

    async def each(self, steps: Sequence[Step]) -> AsyncGenerator[Any, None]:
        """What one worker makes of steps that belong together, as it comes; the first failure ends them."""
        if self.failure:
            raise Refusal("not-ready", "the workers cannot start")
        job = _Job(steps)
        self._jobs.put(job)
        try:
            for _ in steps:
                yield value_of(await job.answers.get())
        finally:
            job.abandoned = True

    async def spread(self, steps: Sequence[Step]) -> AsyncIterator[tuple[int, Any]]:
        """The value or `Refusal` of each step with its number, as they come; steps stand alone.

        No more than two a worker are asked for at a time: a long list must not keep others waiting.
        """
        waiting = iter(enumerate(steps))
        running: set[asyncio.Task[tuple[int, Any]]] = set()
        try:
            while True:
                while len(running) < 2 * self.workers and (one := next(waiting, None)) is not None:
                    running.add(asyncio.ensure_future(self._numbered(*one)))
                if not running:
                    return
                done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            for task in running:
                task.cancel()

    async def _numbered(self, number: int, step: Step) -> tuple[int, Any]:
        try:
            return number, await self.ask(step)
        except Refusal as refusal:
            return number, refusal

    def _lane(self) -> None:
        """The life of a thread: one worker, and its successors."""
        pool = self._pool()
        while pool is not None and (job := self._jobs.get()) is not None:
            for step in job.steps:
                if job.abandoned or pool is None:
                    break
                try:
                    pool.give(0, step)
                    answer = pool.take()
                except Exception as error:  # not of the work: there is no other worker to be had
                    answer = Answer(0, lost=f"{type(error).__name__}: {error}")
                    pool.close()
                    self._count(ready=-1)
                    self._tell(job, answer)
                    pool = self._pool()
                    break
                if answer.lost:
                    self._count(replaced=1)
                self._tell(job, answer)
                if answer.lost or answer.error:
                    break
        if pool is not None:
            pool.close()

    def _pool(self) -> Pool | None:
        """A worker that can work; tried again every second until the crew is closed."""
        while True:
            try:
                pool = Pool(self._task, jobs=1)
            except Exception as error:
                self.failure = str(error) if isinstance(error, PhrasemillError) else f"{type(error).__name__}: {error}"
                if not self._worked:
                    self._call(self._failed, self.failure)
                if self._stopping.wait(AGAIN):
                    return None
            else:
                self.failure, self._worked = "", True
                self._count(ready=1)
                return pool

    def _count(self, *, ready: int = 0, replaced: int = 0) -> None:
        with self._counting:
            self.ready += ready
            self.replaced += replaced

    def _tell(self, job: _Job, answer: Answer) -> None:
        self._call(job.answers.put_nowait, answer)

    def _call(self, what: Callable[..., object], *arguments: object) -> None:
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(what, *arguments)
        except RuntimeError:  # the loop is gone, and nobody waits
            return


def value_of(answer: Answer) -> Any:
    """The value, or the `Refusal` that says why there is none."""
    if answer.error is not None:
        raise refusal_of(answer.error)
    if answer.lost:
        raise Refusal({TIMED_OUT: "time-limit", OUT_OF_MEMORY: "memory-limit"}.get(answer.lost, "crashed"))
    return answer.value
