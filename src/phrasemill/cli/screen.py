"""Results on a terminal, with frames and colours. The only module that imports Rich."""

from collections.abc import Sequence
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from phrasemill.cli import method_list
from phrasemill.cli.formats import NOTHING, Result, clean, header, one_line, places, reasons_of, rows

# Readable on dark and on light terminals alike: the background is set, too.
MARKS = (
    "black on bright_yellow",
    "black on bright_cyan",
    "black on bright_green",
    "black on bright_magenta",
    "bright_white on blue",
    "bright_white on dark_red",
)
WIDE = 110  # columns from which the list of methods has room for all it tells
# Beyond this length Rich's own line wrapping takes longer than reading on; the terminal wraps instead.
LONGEST_WRAPPED = 200_000


def show(result: Result, *, titled: bool, highlight: bool) -> None:
    console = Console(highlight=False)
    if titled:
        console.print(Text(clean(result.document.id), style="bold underline"))
    if highlight:
        text = _marked(result)
        console.print(text, soft_wrap=len(text) > LONGEST_WRAPPED)
    console.print(_table(result, marks=highlight) if result.keyphrases else Text(NOTHING, style="dim"))
    for rank, keyphrase in enumerate(result.keyphrases, start=1):
        if keyphrase.evidence:
            console.print(Text(f"{rank} {one_line(keyphrase.text)}", style="bold"))
            for line in reasons_of(keyphrase):
                console.print(Text(f"  {line}"))


def grid(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows of cells below a title; the second column and the last are words, the others numbers."""
    console = Console(highlight=False)
    console.print(Text(title, style="bold underline"))
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(header):
        words = i in (1, len(header) - 1)
        table.add_column(heading, justify="left" if words else "right", style="bold" if i == 1 else "")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table if rows else Text(NOTHING, style="dim"))


def methods() -> None:
    console = Console(highlight=False)
    console.print(_wide() if console.width >= WIDE else _narrow())
    for line in method_list.legend():
        console.print(Text(line))


def _wide() -> Table:
    """A column for each figure; paper and needs below what the method does."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(method_list.HEADER[:-2]):
        justify: Literal["left", "right"] = "right" if i in method_list.RIGHT else "left"
        table.add_column(heading, justify=justify, style="bold" if i == 0 else "", no_wrap=i != 1)
    for row in method_list.rows():
        origin = method_list.origin(row)
        table.add_row(row.name, Text(row.summary) + Text(f"\n{origin}" if origin else "", style="dim"), *row[2:-2])
    return table


def _narrow() -> Table:
    """All below what the method does, where five columns would be too thin to read."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("name", style="bold", no_wrap=True)
    table.add_column("what it does")
    for row in method_list.rows():
        more = "".join(f"\n{line}" for line in method_list.below(row))
        table.add_row(row.name, Text(row.summary) + Text(more, style="dim"))
    return table


def _table(result: Result, *, marks: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(header(result)):
        table.add_column(heading, justify="left" if i in (1, 4) else "right", style="bold" if i == 1 else "")
    for i, (rank, phrase, *rest) in enumerate(rows(result)):
        table.add_row(rank, Text(phrase, style=MARKS[i % len(MARKS)] if marks else ""), *map(Text, rest))
    return table


def _marked(result: Result) -> Text:
    """The text with each keyphrase in the colour that it has in the table below."""
    text = Text(clean(result.document.content).rstrip())
    for (start, end), rank in places(result.keyphrases):
        text.stylize(MARKS[rank % len(MARKS)], start, end)
    return text
