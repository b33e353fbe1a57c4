"""Work spread over processes or threads, with the answers in the order of the pieces."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from phrasemill.workers.pool import Answer, Pool, WorkerTask
from phrasemill.workers.worker import portable

# Pieces per worker that may be in progress, or held until it is their turn.
AHEAD = 4
# Texts and characters that go to a worker at a time.
LIST_TEXTS, LIST_CHARACTERS = 64, 100_000

Argument = TypeVar("Argument")
Value = TypeVar("Value")


def in_order(task: WorkerTask, pieces: Iterable[Any], *, jobs: int) -> Iterator[Answer]:
    """Yield the answers to `pieces` in order, taking no more pieces than keep all workers busy."""
    with Pool(task, jobs=jobs) as pool:
        yield from _in_order_by(pool, pieces, jobs=jobs)


def _in_order_by(pool: Pool, pieces: Iterable[Any], *, jobs: int) -> Iterator[Answer]:
    held: dict[int, Answer] = {}
    turn = 0

    def answers() -> Iterator[Answer]:
        nonlocal turn
        answer = pool.take()
        held[answer.key] = answer
        while turn in held:
            yield held.pop(turn)
            turn += 1

    for number, piece in enumerate(pieces):
        while pool.full or number - turn >= AHEAD * jobs:
            yield from answers()
        pool.give(number, piece)
    while pool.busy:
        yield from answers()


def calls(
    function: Callable[[Argument], Value], arguments: Iterable[Argument], *, jobs: int, failure: str
) -> Iterator[Value]:
    """Yield what `function` returns for each argument, in order. With one job it is called in this process.

    If a call ends its worker process, raise an `InputError` that begins with `failure`.
    """
    if jobs == 1:
        yield from map(function, arguments)
        return
    for answer in in_order(_Calls(function), arguments, jobs=jobs):
        yield answer.result(failure)


@dataclass(frozen=True, slots=True)
class _Calls:
    function: Callable[[Any], Any]

    def prepare(self) -> Callable[[Any], Any]:
        return self.function


def mapped(task: WorkerTask, texts: Iterable[Any], *, jobs: int) -> Iterator[Any]:
    """Yield what the task makes of each text, in order; the task is given lists of texts, and may answer lazily.

    An error is raised when it is its text's turn, as without processes.
    """
    with Pool(listed(task), jobs=jobs) as pool:
        yield from mapped_by(pool, texts, jobs=jobs)


def listed(task: WorkerTask) -> WorkerTask:
    """Return the task of a pool for `mapped_by`, out of a task for lists of texts."""
    return _Lists(task)


def mapped_by(pool: Pool, texts: Iterable[Any], *, jobs: int) -> Iterator[Any]:
    """Do the same as `mapped` with an idle pool of `jobs` workers; it is idle again when all was yielded."""
    done = 0
    for answer in _in_order_by(pool, _lists(texts), jobs=jobs):
        found, error = answer.result(f"a text after the first {done:,} failed")
        yield from found
        if error is not None:
            raise error
        done += len(found)


class Pools:
    """Pools for `mapped_by`: as many as there are batches at one moment, and idle ones for the next batches."""

    def __init__(self, task: WorkerTask, *, jobs: int) -> None:
        self._task, self._jobs, self.closed = listed(task), jobs, False
        self._idle: list[Pool] = []  # `pop` and `append` are atomic

    def mapped(self, texts: Iterable[Any]) -> Iterator[Any]:
        """Do the same as `mapped`."""
        try:
            pool = self._idle.pop()
        except IndexError:
            pool = Pool(self._task, jobs=self._jobs)
        finished = False
        try:
            yield from mapped_by(pool, texts, jobs=self._jobs)
            finished = True
        finally:
            if finished and not self.closed:
                self._idle.append(pool)
            else:  # it may have work that nobody waits for
                pool.close()

    def close(self) -> None:
        """End all workers. You can call it more than once."""
        self.closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


def without_gil() -> bool:
    """Return whether threads of this Python run side by side."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


def mapped_in_threads(task: WorkerTask, texts: Iterable[Any], *, jobs: int) -> Iterator[Any]:
    """Do the same as `mapped` in threads of this process, which share what the task has loaded."""
    from concurrent.futures import Future, ThreadPoolExecutor

    work = _Lists(task).prepare()
    waiting: deque[Future[tuple[list[Any], Exception | None]]] = deque()

    def first() -> Iterator[Any]:
        found, error = waiting.popleft().result()
        yield from found
        if error is not None:
            raise error

    with ThreadPoolExecutor(jobs, thread_name_prefix="phrasemill") as pool:
        try:
            for one in _lists(texts):
                if len(waiting) >= AHEAD * jobs:
                    yield from first()
                waiting.append(pool.submit(work, one))
            while waiting:
                yield from first()
        finally:
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Lists:
    """A task for lists of texts: returns what it makes of them, up to the error that ended it."""

    task: WorkerTask

    def prepare(self) -> Callable[[list[Any]], tuple[list[Any], Exception | None]]:
        make = self.task.prepare()

        def work(texts: list[Any]) -> tuple[list[Any], Exception | None]:
            found: list[Any] = []
            try:
                for one in make(texts):
                    found.append(one)  # what came before an error counts
            except MemoryError:  # ends the process
                raise
            except Exception as error:
                return found, portable(error)
            return found, None

        return work


def _lists(texts: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield texts in lists, short where texts are long."""
    held: list[Any] = []
    characters = 0
    for one in texts:
        held.append(one)
        characters += len(one if isinstance(one, str) else getattr(one, "text", ""))
        if len(held) >= LIST_TEXTS or characters >= LIST_CHARACTERS:
            yield held
            held, characters = [], 0
    if held:
        yield held
