"""Grids on a terminal or in a file. Rich is imported when something is drawn."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from phrasemill.cli.formats import on_screen, write
from phrasemill.tables import Grid, grouped, render

if TYPE_CHECKING:
    from rich.console import Console


def show(make: Callable[[int | None], Grid | Sequence[Grid]], format: str, output: Path | None) -> None:
    """Draw grids on a terminal with Rich, or write them in `format`; `make` is given the width of the terminal."""
    if output is not None or format != "table" or not on_screen():
        made = make(None)
        write("\n".join(render(g, format) for g in ([made] if isinstance(made, Grid) else made)), output)
        return
    from rich.console import Console

    console = Console(highlight=False)
    made = make(console.width)
    for grid in [made] if isinstance(made, Grid) else made:
        _draw(grid, console)


def _draw(grid: Grid, console: "Console") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    if grid.title:
        console.print(Text(grid.title, style="bold"))
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
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
    for note in grouped(grid.notes):
        console.print(Text("\n  ".join(_broken(note, console.width - 2)), style="dim"))


def _broken(signature: str, room: int) -> list[str]:
    """A signature in lines that end at its bars, never within a part."""
    lines = [""]
    for part in signature.replace("|", "|\n").split("\n"):
        if lines[-1] and len(lines[-1]) + len(part) > room:
            lines.append("")
        lines[-1] += part
    return lines
