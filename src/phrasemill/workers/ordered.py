"""Work spread over processes whose answers come in the order of the questions."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from phrasemill.errors import InputError
from phrasemill.workers.pool import Answer, Pool, Task
from phrasemill.workers.worker import portable

# Pieces a worker that may be under way, or held until it is their turn.
AHEAD = 4
# What goes to a worker at a time.
LIST_TEXTS, LIST_CHARACTERS = 64, 100_000


def mapped(task: Task, texts: Iterable[Any], *, jobs: int) -> Iterator[Any]:
    """What the task makes of each text, in order; it is given lists of them, and may answer lazily.

    An error comes when it is its text's turn, as without processes.
    """
    done = 0
    for answer in in_order(_Listed(task), _lists(texts), jobs=jobs):
        if answer.error is not None:
            raise answer.error
        if answer.lost:
            raise InputError(f"a text after the first {done:,} failed: {answer.lost}")
        found, error = answer.value
        yield from found
        if error is not None:
            raise error
        done += len(found)


def in_order(task: Task, pieces: Iterable[Any], *, jobs: int) -> Iterator[Answer]:
    """The answers to `pieces` in their order; no more of them are taken than are needed to keep all workers busy."""
    held: dict[int, Answer] = {}
    turn = 0
    with Pool(task, jobs=jobs) as pool:
        for number, piece in enumerate(pieces):
            while pool.full or number - turn >= AHEAD * jobs:
                answer = pool.take()
                held[answer.key] = answer
                while turn in held:
                    yield held.pop(turn)
                    turn += 1
            pool.give(number, piece)
        while pool.busy:
            answer = pool.take()
            held[answer.key] = answer
            while turn in held:
                yield held.pop(turn)
                turn += 1


@dataclass(frozen=True, slots=True)
class _Listed:
    """A task for lists: what it makes of them, up to the error that ended it."""

    task: Task

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
    """Texts in lists, short where texts are long."""
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
