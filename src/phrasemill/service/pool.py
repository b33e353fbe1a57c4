"""The worker processes of the service: steps in, values or refusals out.

Steps wait in one queue, whose length the guard bounds: no request gets here that was not admitted.
"""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from phrasemill.errors import PhrasemillError
from phrasemill.isolated import OUT_OF_MEMORY, TIMED_OUT, Lost, Pool, Task
from phrasemill.service.log import Log
from phrasemill.service.problems import SOON, Broken, Refusal
from phrasemill.service.steps import Step

GRACE = 10.0  # seconds for workers to finish when the pool stops
LOST = {TIMED_OUT: "time-limit", OUT_OF_MEMORY: "memory-limit"}


class ServicePool(Pool):
    """A fixed number of workers. A step may take `seconds`, a worker may use `memory` bytes (0: no limit).

    Server errors and lost workers are logged. `give_up` is called with the reason if no worker can start.
    """

    def __init__(
        self,
        task: Task,
        *,
        workers: int,
        seconds: float,
        memory: int = 0,
        log: Log | None = None,
        give_up: Callable[[str], None] = lambda reason: None,
    ) -> None:
        self.workers, self._log, self._give_up = workers, log or Log(), give_up
        super().__init__(task, jobs=workers, seconds=seconds, memory=memory, on_failure=self._failed)

    def _failed(self, error: BaseException) -> None:
        """Log why no worker can start, or what failed in this process."""
        if self.closed:
            return
        self._log.failure(error, message=str(error) if isinstance(error, PhrasemillError) else "")
        if self.failure is not None and not self.started:
            self._give_up(str(error))

    async def stop(self) -> None:
        """End the workers when they have finished, or after some seconds in any case."""
        await asyncio.to_thread(self.close, GRACE)

    async def ask(self, step: Step, *, request: str = "") -> Any:
        """Return the value of a step, or raise a `Refusal`; `request` is the id of the request, for the log."""
        try:
            return await asyncio.wrap_future(self.submit(step))
        except Exception as error:
            refusal = self._refusal(error, step, request)
        raise refusal

    def _refusal(self, error: Exception, step: Step, request: str) -> Refusal:
        """Return the answer for what a call raised, and log what is no fault of the client."""
        if isinstance(error, Refusal) and error.status < 500:
            return error
        details: dict[str, object] = {"error": type(error).__name__}
        kind = "not-ready" if isinstance(error, PhrasemillError) else "internal-error"
        if isinstance(error, Lost):
            kind, details = LOST.get(str(error), "crashed"), {"error": "lost worker", "reason": str(error)}
        elif isinstance(error, Refusal):
            kind = error.kind
        elif isinstance(error, Broken):
            details = {"error": error.kind, "message": error.message, "at": error.at}
        elif isinstance(error, MemoryError):
            kind = "busy"
            error.with_traceback(None)  # its frames hold what there was no memory for
            gc.collect()
        method = step.keywords.get("method", "")
        about = {"request": request, "step": step.func.__name__, "method": method}
        self._log.write("error", level="error", **about, **details)
        return Refusal(kind, headers=SOON if kind in ("busy", "not-ready") else {})

    async def spread(self, steps: Sequence[Step], *, request: str = "") -> AsyncIterator[tuple[int, Any]]:
        """Yield the number and the value or `Refusal` of each step, in order of completion; steps stand alone.

        Only two per worker are in the queue at a time: a long list must not keep others waiting.
        """
        waiting = iter(enumerate(steps))
        running: dict[asyncio.Task[Any], int] = {}
        try:
            while True:
                while len(running) < 2 * self.workers and (one := next(waiting, None)) is not None:
                    running[asyncio.ensure_future(self.ask(one[1], request=request))] = one[0]
                if not running:
                    return
                for task in (await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED))[0]:
                    refusal = task.exception()
                    yield running.pop(task), task.result() if refusal is None else refusal.with_traceback(None)
        finally:
            for task in running:
                task.cancel()
