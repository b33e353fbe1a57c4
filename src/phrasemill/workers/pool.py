"""The pool of worker processes, which take one piece of work after the other and may die of it.

    with Pool(task, jobs=2) as pool:
        pool.give(0, "some work")
        answer = pool.take()

A `WorkerTask` is pickled to each worker, which prepares it once and then answers piece after piece. A piece that ends
its worker comes back as an answer with the reason, and a fresh worker takes over. If a worker died before it began a
piece, the piece is given to the next worker, once.

Workers are fresh interpreters. Forking would copy a process that may have threads (Arrow and PyTorch start some), with
their locks as they happen to be; and the start methods of `multiprocessing` that do not fork import the caller's script
again, which then needs a guard that people forget. A worker reads its next piece while it works on one, in a thread,
which also ends the worker when the pipe breaks: no worker outlives its parent.
"""

import os
import pickle
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any, NamedTuple, Protocol, overload

from phrasemill.errors import ConfigError, InputError, PhrasemillError
from phrasemill.workers.process import LONGEST_TRANSFER, POLL, Worker, WorkPiece, seconds_since
from phrasemill.workers.worker import BEGUN, DONE, PROBE

# Pieces that a worker may have: the one it works on, and the next.
DEPTH = 2
# Workers that may die in a row before they are ready, or before they begin a piece.
ATTEMPTS = 3


class WorkerTask(Protocol):
    """What workers do. It is pickled, so its class must live in a module that can be imported."""

    def prepare(self) -> Callable[[Any], Any]:
        """Load what is needed, once in each worker, and return the function that answers a piece of work."""
        ...


class Answer(NamedTuple):
    """What came of the piece `key`: a value, an error that the work raised, or why its worker ended."""

    key: Any
    value: Any = None
    error: Exception | None = None
    lost: str = ""

    def result(self, context: str) -> Any:
        """Return the value; raise the error of the work, or an `InputError` if its worker ended."""
        if self.error is not None:
            raise self.error
        if self.lost:
            raise InputError(f"{context}: {self.lost}")
        return self.value


class Pool:
    """A number of workers, each with its pieces in the order in which they were given.

    A worker that is silent for `patience` seconds (0: no limit) is ended and its piece lost; work that calls `alarm`
    now and then is not silent. `refresh` replaces idle workers that use more than `memory` bytes (0: no limit).
    Without `wait`, `ready` must be called before `give`. Without `replace`, a worker that ends has no successor: `give`
    or `take` raises a `PhrasemillError` with the reason.
    """

    def __init__(
        self,
        task: WorkerTask,
        *,
        jobs: int,
        patience: float = 0.0,
        memory: int = 0,
        wait: bool = True,
        replace: bool = True,
    ) -> None:
        self._task, self._patience, self._memory = _pickled(task), patience, memory
        self._replaces = replace
        self._answers: deque[Answer] = deque()
        self._workers: list[Worker] = []
        try:
            self._workers = [Worker(self._task) for _ in range(jobs)]  # they load side by side
            if wait:
                self.ready()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ready(self) -> None:
        """Wait until all workers have prepared their task."""
        for worker in list(self._workers):
            if why := worker.failure_to_start():
                self._workers[self._workers.index(worker)] = self._started(1, why)

    @property
    def full(self) -> bool:
        """Whether another piece would have to wait."""
        return all(len(worker.pieces) >= DEPTH for worker in self._workers)

    @property
    def busy(self) -> bool:
        """Whether there are answers to come."""
        return bool(self._answers) or any(worker.pieces for worker in self._workers)

    @property
    def alive(self) -> bool:
        """Whether every worker exists and is not stopped."""
        return bool(self._workers) and all(worker.alive for worker in self._workers)

    def give(self, key: object, work: object) -> None:
        """Send a piece to the worker with the fewest pieces. The pool must not be full."""
        worker = min(self._workers, key=lambda worker: len(worker.pieces))
        if worker.exited and not worker.pieces:
            worker = self._replace(worker)
        worker.pieces.append(WorkPiece(key, work))
        if not worker.send(pickle.dumps(work)):
            self._replace(worker)

    @overload
    def take(self) -> Answer: ...
    @overload
    def take(self, timeout: float) -> Answer | None: ...
    def take(self, timeout: float | None = None) -> Answer | None:
        """Return the next answer in order of completion, or None after `timeout` seconds. The pool must be busy."""
        waited = 0.0
        while not self._answers:
            if timeout is not None and waited >= timeout:
                return None
            waited += self._listen(POLL if timeout is None else min(POLL, timeout - waited))
        return self._answers.popleft()

    def cancel(self) -> None:
        """Drop all pieces; workers that had some are ended and replaced."""
        self._answers.clear()
        for worker in [worker for worker in self._workers if worker.pieces]:
            worker.pieces.clear()
            self._replace(worker, "cancelled")

    def refresh(self) -> int:
        """Replace idle workers that do not answer, or that use too much memory; return their number."""
        idle = [worker for worker in self._workers if not worker.pieces]
        grown = [worker for worker in idle if self._memory and worker.memory > self._memory]
        silent = [worker for worker in idle if worker not in grown and not _answers(worker)]
        for worker in (*grown, *silent):
            self._replace(worker, "replaced")
        return len(grown) + len(silent)

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        for worker in self._workers:
            worker.end(grace=0.0)
        self._workers = []

    def _listen(self, seconds: float) -> float:
        """Handle messages that arrive within `seconds`, and workers without any; return how long that took."""
        busy = [worker for worker in self._workers if worker.pieces]
        began = time.monotonic()
        ready = wait([worker.connection for worker in busy], seconds)
        passed = seconds_since(began)
        for worker in busy:
            if worker.connection in ready:
                self._handle_message(worker)
            elif why := worker.trouble(passed, self._patience):
                self._replace(worker, why)
        return passed

    def _handle_message(self, worker: Worker) -> None:
        message = worker.receive()
        if message is None:
            self._replace(worker)
            return
        kind, value, error = message
        if kind == BEGUN:
            worker.begun = True
        elif kind == DONE:
            worker.begun = False
            self._answers.append(Answer(worker.pieces.popleft().key, value, error))

    def _replace(self, worker: Worker, why: str = "") -> Worker:
        """Start a successor for a worker that died or must end; the piece it worked on is lost, its others are kept."""
        while True:
            why = worker.end(why)
            if not self._replaces:
                raise PhrasemillError(why)
            pieces = worker.pieces
            if pieces and (worker.begun or pieces[0].sent):
                self._answers.append(Answer(pieces.popleft().key, lost=why))
            elif pieces:
                pieces[0].sent += 1
            successor = self._started()
            self._workers[self._workers.index(worker)] = successor
            successor.pieces = pieces
            if all(successor.send(pickle.dumps(piece.work)) for piece in pieces):
                return successor
            worker, why = successor, ""

    def _started(self, failures: int = 0, why: str = "") -> Worker:
        """Return a worker that is ready; a few may die first, for example while memory is short."""
        while failures < ATTEMPTS:
            worker = Worker(self._task)
            try:
                why = worker.failure_to_start()
            except BaseException:
                worker.end(grace=0.0)
                raise
            if not why:
                return worker
            failures += 1
        raise PhrasemillError(f"a worker process could not start, {ATTEMPTS} times in a row: {why}")


def _answers(worker: Worker) -> bool:
    """Whether an idle worker answers a piece without work."""
    if not worker.alive or not worker.send(PROBE):
        return False
    return all(worker.connection.poll(LONGEST_TRANSFER) and worker.receive() is not None for _ in (BEGUN, DONE))


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_jobs(jobs: int | None) -> int:
    """Return `jobs`, or the number of cores where it is None."""
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise ConfigError(f"jobs must be a whole number, 1 or more, got {jobs!r}")
    return jobs or cores()


def _pickled(task: WorkerTask) -> bytes:
    try:
        return pickle.dumps(task)
    except Exception as error:
        raise ConfigError(f"this cannot be sent to worker processes: {error}; leave out `jobs`") from None
