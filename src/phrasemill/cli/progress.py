"""The one progress bar: on standard error, while somebody watches."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def progress_bar() -> Iterator[Callable[..., None]]:
    """Yield a function to call as work goes on, with the step, how much of it is done, and the total (0 if unknown).

    A fourth argument is a note on the current state. Nothing is drawn where standard error is no terminal, and the bar
    disappears when the work is done.
    """
    if not sys.stderr.isatty():
        yield lambda step, done, total, note="": None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text, times = TextColumn("{task.description}"), (TimeElapsedColumn(), TimeRemainingColumn(compact=True))
    with Progress(text, BarColumn(), TaskProgressColumn(), *times, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(step: str, done: int, total: int, note: str = "") -> None:
            if step not in tasks:
                for task in bar.tasks:  # whatever came before is over, however much it was
                    bar.update(task.id, total=task.completed)
                tasks[step] = bar.add_task(step, total=total or None)
            count = "" if total else f"{done:,}"
            description = ": ".join(filter(None, [step, note or count]))
            bar.update(tasks[step], completed=done, total=total or None, description=description)

        yield show


@contextmanager
def counting_bar(step: str, total: int = 0) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of items that were done since the last call."""
    done = 0
    with progress_bar() as show:

        def advance(count: int) -> None:
            nonlocal done
            done += count
            show(step, done, total)

        yield advance


def watched(items: Iterable[T], step: str) -> Iterator[T]:
    """Yield the items, and show how many there were."""
    with counting_bar(step) as advance:
        for item in items:
            yield item
            advance(1)
