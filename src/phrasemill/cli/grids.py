"""Grids on a terminal or in a file, and bars for long work. Rich is imported where something is drawn."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from phrasemill.tables import Table, group_signatures, render

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error where a person is looking; it goes away when the work is done."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)


def write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8")


def show(make: Callable[[int | None], Table | Sequence[Table]], format: str, output: Path | None) -> None:
    """Draw grids on a terminal with Rich, else in `format`."""
    on_screen = output is None and format == "table" and (sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR")))
    if not on_screen:
        made = make(None)
        write("\n".join(render(g, format) for g in ([made] if isinstance(made, Table) else made)), output)
        return
    from rich.console import Console

    console = Console(highlight=False)
    made = make(console.width)
    for grid in [made] if isinstance(made, Table) else made:
        _draw(grid, console)


def _draw(grid: Table, console: "Console") -> None:
    from rich import table as rich_table
    from rich.box import SIMPLE_HEAD
    from rich.text import Text

    if grid.title:
        console.print(Text(grid.title, style="bold"))
    table = rich_table.Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for i, heading in enumerate(grid.header):
        table.add_column(
            heading,
            justify="left" if i == 0 or grid.words else "right",
            style="" if i else "bold",
            no_wrap=i == 0,
            overflow="fold",
        )
    for row in grid.rows:
        table.add_row(*map(Text, row))
    console.print(table)
    for note in group_signatures(grid.notes):
        console.print(Text("\n  ".join(_broken(note, console.width - 2)), style="dim"))


def _broken(signature: str, room: int) -> list[str]:
    """A signature in lines that end at its bars, never within a part."""
    lines = [""]
    for part in signature.replace("|", "|\n").split("\n"):
        if lines[-1] and len(lines[-1]) + len(part) > room:
            lines.append("")
        lines[-1] += part
    return lines
