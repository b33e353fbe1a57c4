"""The task of worker processes: one step after the other, each within a time limit, all within a memory limit."""

import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from phrasemill.errors import InputError, PhrasemillError
from phrasemill.pipeline import extract
from phrasemill.registry import parse
from phrasemill.service import steps
from phrasemill.service.limits import bound_memory
from phrasemill.service.log import locations
from phrasemill.service.problems import Broken, Refusal, refusal_of
from phrasemill.service.specs import mentions
from phrasemill.service.steps import Step, WorkerState
from phrasemill.types import Document
from phrasemill.workers import alarm

PROBE = Document("", "Salt water moves inland when pumps draw too much groundwater from the coastal aquifer.")


@dataclass(frozen=True, slots=True)
class ServiceTask:
    """The task of the workers. A step may take `seconds` and return `answer` bytes; a worker may use `memory` bytes
    (0 means no limit)."""

    offers: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 30.0
    memory: int = 0
    answer: int = 64 << 20

    def prepare(self) -> Callable[[Step], Any]:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ.setdefault(name, "1")  # one worker per core, and every thread takes memory
        bound_memory(self.memory)  # replaces the limit inherited from the server
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it may reach all processes; the server decides
        state = WorkerState(self.offers)
        extract(PROBE)
        for name in self.offers:
            extract(PROBE, method=state.method(name))

        def work(step: Step) -> Any:
            alarm(self.seconds)
            try:
                return self._done(step, state)
            except MemoryError:  # ends the process
                raise
            except (Exception, SystemExit) as error:
                raise self._explained(error, step, state) from None
            finally:
                alarm(0.0)

        return work

    def _done(self, step: Step, state: WorkerState) -> Any:
        if step.func not in (steps.add_to_set, steps.finish_set):
            state.sets = {}  # left over from an abandoned set
        found = step(state)
        if isinstance(found, bytes) and len(found) > self.answer:
            raise Refusal("answer-too-large", f"more than {self.answer:,} bytes; ask for fewer keyphrases")
        return found

    def _explained(self, error: BaseException, step: Step, state: WorkerState) -> BaseException:
        """Return an error for the client, or, if it is the server's fault, one with what the log needs."""
        refusal = refusal_of(error)
        offered = step.func is steps.extract and mentions(parse(step.keywords["method"]), self.offers)
        if refusal.status >= 500 or (offered and isinstance(error, InputError)):  # names a file of the server
            message = " ".join(str(error).split()) if isinstance(error, PhrasemillError) else ""
            return Broken(type(error).__name__, locations(error), message)
        for name in self.offers:  # clients must not see what they stand for
            refusal.detail = refusal.detail.replace(repr(state.method(name)), name)
        return refusal
