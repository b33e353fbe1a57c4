"""Worker processes that take one piece of work after the other, and may die of it.

    with Pool(task, jobs=2) as pool:
        pool.give(0, "some work")
        answer = pool.take()

A `Task` is pickled once to each worker, which prepares it once and then answers piece after piece. A piece that ends
its worker comes back as an answer, too: with the reason, and a fresh worker stands by.

Workers are fresh interpreters. Forking would copy a process that may have threads (Arrow and PyTorch start some), with
their locks as they happen to be; and the start methods of `multiprocessing` that do not fork import the caller's script
again, which then needs a guard that people forget. A worker reads its next piece while it works on one, in a thread,
which also ends the worker when the pipe breaks: none outlives a parent that was killed.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NamedTuple, Protocol, cast

from phrasemill.errors import ConfigError, PhrasemillError

# Pieces that a worker may have: the one it works on, and the next.
DEPTH = 2
START = "import sys; sys.path[:] = {path!r}; from phrasemill.processes.worker import serve; serve({fd})"
LAST_WORDS = 5.0  # seconds between the end of a worker's pipe and that of its process
TIMED_OUT = "took longer than the time limit"


class Task(Protocol):
    """What workers do. It travels by pickle, so its class must live in a module that can be imported."""

    def prepare(self) -> Callable[[Any], Any]:
        """Once in each worker: load what is needed, and return what answers a piece of work."""
        ...


class Answer(NamedTuple):
    """What came of the piece `key`: a value, an error that the work raised, or why its worker ended."""

    key: Any
    value: Any = None
    error: Exception | None = None
    lost: str = ""


class Pool:
    """Some workers, each with its pieces in the order in which they were given."""

    def __init__(self, task: Task, *, jobs: int) -> None:
        if os.name != "posix":
            raise ConfigError("worker processes need a POSIX system (Linux, macOS, WSL); leave out jobs")
        self._task = _pickled(task)
        self._waiting: deque[Answer] = deque()
        self._workers: list[_Worker] = []
        try:
            self._workers = [_Worker(self._task) for _ in range(jobs)]
            for worker in self._workers:
                worker.wait_until_ready()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def full(self) -> bool:
        """Whether another piece would have to wait."""
        return all(len(worker.pieces) >= DEPTH for worker in self._workers)

    @property
    def busy(self) -> bool:
        """Whether there are answers to come."""
        return bool(self._waiting) or any(worker.pieces for worker in self._workers)

    def give(self, key: object, piece: object) -> None:
        """Hand a piece to the worker that has the least to do; only while the pool is not full."""
        worker = min(self._workers, key=lambda worker: len(worker.pieces))
        worker.pieces.append((key, piece))
        if not worker.send(piece):
            self._replace(worker)

    def take(self) -> Answer:
        """The next answer, in the order in which they come; only while the pool is busy."""
        while not self._waiting:
            connections = {worker.connection: worker for worker in self._workers if worker.pieces}
            for ready in wait(list(connections)):
                worker = connections[cast(Connection, ready)]
                received = worker.receive()
                if received is None:
                    self._replace(worker)
                else:
                    key, _ = worker.pieces.popleft()
                    self._waiting.append(Answer(key, *received))
        return self._waiting.popleft()

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        for worker in self._workers:
            worker.end()
        self._workers = []

    def _replace(self, worker: "_Worker") -> None:
        """A fresh worker for one that died; the piece it died of is answered, the next goes to its successor."""
        reason = worker.end(grace=LAST_WORDS)
        key, _ = worker.pieces.popleft()
        self._waiting.append(Answer(key, lost=reason))
        successor = _Worker(self._task)
        successor.wait_until_ready()
        self._workers[self._workers.index(worker)] = successor
        successor.pieces = worker.pieces
        if not all(successor.send(piece) for _, piece in worker.pieces):
            self._replace(successor)


class _Worker:
    """One process, seen from its parent."""

    def __init__(self, task: bytes) -> None:
        self.pieces: deque[tuple[Any, Any]] = deque()
        self.connection, theirs = Pipe()
        code = START.format(path=sys.path, fd=theirs.fileno())
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
            )
        self.connection.send_bytes(task)

    def wait_until_ready(self) -> None:
        answer = self.receive()
        if answer is None:
            raise PhrasemillError(f"a worker process could not start: {self.end(grace=LAST_WORDS)}")
        if answer[1] is not None:
            raise answer[1]

    def send(self, piece: object) -> bool:
        """False where nobody takes it."""
        try:
            self.connection.send(piece)
        except OSError:
            return False
        return True

    def receive(self) -> tuple[Any, Exception | None] | None:
        """A value or an error; None where the worker is gone."""
        try:
            return cast("tuple[Any, Exception | None]", self.connection.recv())
        except (EOFError, OSError):
            return None

    def end(self, *, grace: float = 0.0) -> str:
        """End the process, unless it ends by itself within so many seconds, and say how it did."""
        self.connection.close()
        try:
            self._process.wait(timeout=grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
        return _reason(self._process.wait())


def _reason(code: int) -> str:
    if code >= 0:
        return f"its process exited with code {code}"
    if -code == signal.SIGALRM:
        return TIMED_OUT
    if -code == signal.SIGKILL:
        return "its process was killed (SIGKILL), perhaps for want of memory"
    try:
        return f"its process crashed ({signal.Signals(-code).name})"
    except ValueError:
        return f"its process was ended by signal {-code}"


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_jobs(jobs: int | None) -> int:
    """So many processes as asked for, or one a core."""
    if jobs is not None and (type(jobs) is not int or jobs < 1):
        raise ConfigError(f"jobs must be a whole number, 1 or more, got {jobs!r}")
    return jobs or cores()


def _pickled(task: Task) -> bytes:
    try:
        return pickle.dumps(task)
    except Exception as error:
        raise ConfigError(f"this cannot be sent to worker processes: {error}; leave out jobs") from None
