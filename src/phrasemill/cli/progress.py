"""A bar on the terminal of whoever waits."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar() -> Iterator[Callable[..., None]]:
    """A function to call as work goes on: what is being done, how much of it is done, how much there is (0 if unknown).

    A fourth argument is a word on where it is just now.

    Nothing is drawn where standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield lambda step, done, total, note="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(step: str, done: int, total: int, note: str = "") -> None:
            if step not in tasks:
                for task in bar.tasks:  # whatever came before is over, however much it was
                    bar.update(task.id, total=task.completed)
                tasks[step] = bar.add_task(step, total=total or None)
            said = f"{step}: {note}" if note else step
            bar.update(tasks[step], completed=done, total=total or None, description=said)

        yield show
