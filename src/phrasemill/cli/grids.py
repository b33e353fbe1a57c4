"""Grids on a terminal or in a file. Rich is imported when something is drawn."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from phrasemill.cli.formats import on_screen, write
from phrasemill.files.tables import Table, group_signatures, render

if TYPE_CHECKING:
    from rich.console import Console


def show(make: Callable[[int | None], Table | Sequence[Table]], format: str, output: Path | None) -> None:
    """Draw grids on a terminal with Rich, or write them in `format`; `make` is given the width of the terminal."""
    if output is not None or format != "table" or not on_screen():
        made = make(None)
        write("\n".join(render(g, format) for g in ([made] if isinstance(made, Table) else made)), output)
        return
    from rich.console import Console

    console = Console(highlight=False)
    made = make(console.width)
    for grid in [made] if isinstance(made, Table) else made:
        _draw(grid, console)


def _draw(grid: Table, console: "Console") -> None:
    from rich.text import Text

    from phrasemill.cli.screen import framed

    if grid.title:
        console.print(Text(grid.title, style="bold"))
    left = range(len(grid.header) if grid.words else 1)
    console.print(framed(grid.header, grid.rows, left=left, bold=0, unwrapped=(0,), compact=True))
    for note in group_signatures(grid.notes):
        console.print(Text("\n  ".join(_broken(note, console.width - 2)), style="dim"))


def _broken(signature: str, room: int) -> list[str]:
    """Split a signature into lines that end at its bars, never within a part."""
    lines = [""]
    for part in signature.replace("|", "|\n").split("\n"):
        if lines[-1] and len(lines[-1]) + len(part) > room:
            lines.append("")
        lines[-1] += part
    return lines
