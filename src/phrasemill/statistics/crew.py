"""The same function over many tasks, in worker processes, with the answers in order."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeVar

from phrasemill.errors import ConfigError, DataError
from phrasemill.workers import Pool

Task = TypeVar("Task")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class _Calls:
    """What the workers do: a piece is a function and its argument."""

    def prepare(self) -> Callable[[Any], Any]:
        return _call


def _call(piece: tuple[Callable[[Any], Any], Any]) -> Any:
    work, task = piece
    return work(task)


class Crew:
    """Used as a context; `map` may be called again and again. With one job everything happens in this process."""

    def __init__(self, jobs: int = 1) -> None:
        if jobs < 1:
            raise ConfigError(f"jobs must be at least 1, got {jobs}")
        self._jobs = jobs
        self._pool: Pool | None = None
        self._stack = ExitStack()

    def __enter__(self) -> "Crew":
        if self._jobs > 1:
            self._pool = self._stack.enter_context(Pool(_Calls(), jobs=self._jobs))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def map(self, work: Callable[[Task], Answer], tasks: Iterable[Task]) -> Iterator[Answer]:
        """What `work` makes of each task, in order; no more tasks are taken than the workers can hold."""
        if self._pool is None:
            yield from map(work, tasks)
            return
        ready: dict[int, Answer] = {}
        given = after = 0
        for task in tasks:
            while self._pool.full:
                self._take(self._pool, ready)
            self._pool.give(given, (work, task))
            given += 1
            while after in ready:
                yield ready.pop(after)
                after += 1
        while after < given:
            while after not in ready:
                self._take(self._pool, ready)
            yield ready.pop(after)
            after += 1

    @staticmethod
    def _take(pool: Pool, ready: dict[int, Any]) -> None:
        answer = pool.take()
        if answer.lost:
            raise DataError(f"counting stopped: {answer.lost}; try fewer jobs")
        if answer.error is not None:
            raise answer.error
        ready[answer.key] = answer.value
