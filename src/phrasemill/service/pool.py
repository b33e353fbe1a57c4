"""The worker processes of the service: steps in, values or refusals out.

Jobs wait in one queue, whose length the gate bounds: no request gets here that was not admitted.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from phrasemill.service.log import Log
from phrasemill.service.problems import SOON, Broken, Refusal, refusal_of
from phrasemill.service.steps import Step
from phrasemill.workers import OUT_OF_MEMORY, TIMED_OUT, Answer, WorkerTask
from phrasemill.workers.asynchronous import FAILED, NO_WORKER, SHORT_OF_MEMORY, AsyncPool

LATE = 5.0  # seconds after the time limit at which a worker is ended that did not end itself
KINDS = {
    TIMED_OUT: "time-limit",
    OUT_OF_MEMORY: "memory-limit",
    SHORT_OF_MEMORY: "busy",
    NO_WORKER: "not-ready",
    FAILED: "internal-error",
}


class ServicePool(AsyncPool):
    """A fixed number of workers. A step may take `seconds`, a worker may use `memory` bytes (0: no limit).

    Idle workers that have grown to three quarters of `memory` are replaced. Server errors and lost workers are logged.
    """

    def __init__(
        self,
        task: WorkerTask,
        *,
        workers: int,
        seconds: float,
        memory: int = 0,
        log: Log | None = None,
        give_up: Callable[[str], None] = lambda reason: None,
    ) -> None:
        self._log = log or Log()
        super().__init__(task, workers=workers, patience=seconds + LATE, memory=memory // 4 * 3, give_up=give_up)

    async def ask(self, step: Step, *, request: str = "") -> Any:
        """Return the value of a step, or raise a `Refusal`; `request` is the id of the request, for the log."""
        answers = self.answers([step], label=request)
        try:
            return _value(await anext(answers))
        finally:
            await answers.aclose()

    async def spread(self, steps: Sequence[Step], *, request: str = "") -> AsyncIterator[tuple[int, Any]]:
        """Yield the number and the value or `Refusal` of each step, in order of completion; steps stand alone.

        Only two per worker are in the queue at a time: a long list must not keep others waiting.
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

    def failed_to_start(self, message: str, error: BaseException) -> None:
        self._log.write("error", level="error", error=type(error).__name__, message=message)

    def failed(self, error: BaseException) -> None:
        self._log.failure(error)

    def answered(self, label: str, piece: Any, answer: Answer) -> None:
        details: dict[str, object] = {}
        if answer.lost:
            details = {"error": "lost worker", "reason": answer.lost}
        elif isinstance(answer.error, Broken):
            broken = answer.error
            details = {"error": broken.kind, "message": broken.message, "at": broken.at}
        elif answer.error is not None and refusal_of(answer.error).status >= 500:
            details = {"error": type(answer.error).__name__}
        if details:
            method = getattr(piece, "keywords", {}).get("method", "")
            about = {"request": label, "step": getattr(piece, "func", type(piece)).__name__, "method": method}
            self._log.write("error", level="error", **about, **details)


def _value(answer: Answer) -> Any:
    """Return the value, or raise the `Refusal` that says why there is none."""
    if answer.error is None and not answer.lost:
        return answer.value
    if answer.error is not None:
        refusal = refusal_of(answer.error)
    else:
        kind = KINDS.get(answer.lost, "crashed")
        refusal = Refusal(kind, headers=SOON if kind in ("busy", "not-ready") else {})
    try:
        raise refusal
    finally:
        del answer, refusal  # breaks the cycle of exception, traceback and frame, which would keep documents alive
