"""Results on a terminal, with frames and colours, drawn by Rich."""

from collections.abc import Container, Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from phrasemill.cli import methods as method_list
from phrasemill.cli.formats import NOTHING, Result, clean, header, one_line, reasons_of, rows
from phrasemill.keyphrases import marked_spans

# Readable on dark and on light terminals alike: the background is set, too.
MARKS = (
    "black on bright_yellow",
    "black on bright_cyan",
    "black on bright_green",
    "black on bright_magenta",
    "bright_white on blue",
    "bright_white on dark_red",
)
WIDE = 110  # columns of a terminal on which the list of methods has a column per figure
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


def grid(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, notes: Iterable[str] = ()) -> None:
    """Print rows of cells below a title and notes; the second column and the last are words, the others numbers."""
    console = Console(highlight=False)
    console.print(Text(title, style="bold underline"))
    for note in notes:
        console.print(Text(note, style="dim"))
    console.print(framed(header, rows, left=(1, len(header) - 1)) if rows else Text(NOTHING, style="dim"))


def methods() -> None:
    console = Console(highlight=False)
    console.print(_wide() if console.width >= WIDE else _narrow())
    for line in method_list.legend():
        console.print(Text(line))


def framed(
    header: Sequence[str],
    rows: Iterable[Sequence[str | Text]],
    *,
    left: Container[int],
    bold: int = 1,
    unwrapped: Container[int] = (),
    compact: bool = False,
) -> Table:
    """Return a table for a terminal; `left` are the columns of words, the others are aligned to the right."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0 if compact else 1))
    for i, heading in enumerate(header):
        table.add_column(
            heading,
            justify="left" if i in left else "right",
            style="bold" if i == bold else "",
            no_wrap=i in unwrapped,
            overflow="fold" if compact else "ellipsis",
        )
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return table


def _wide() -> Table:
    """Return the methods with a column per figure; paper and needs stand below what the method does."""
    header, listed = method_list.HEADER[:-3], []
    for row in method_list.rows():
        listed.append((row.name, _below(row.summary, filter(None, [method_list.origin(row)])), *row[2:-3]))
    columns = set(range(len(header)))
    return framed(header, listed, left=columns - set(method_list.RIGHT), bold=0, unwrapped=columns - {1})


def _narrow() -> Table:
    """Return the methods with all figures below what they do, where five columns would be too thin to read."""
    listed = [(row.name, _below(row.summary, method_list.below(row))) for row in method_list.rows()]
    return framed(("name", "what it does"), listed, left=(0, 1), bold=0, unwrapped=(0,))


def _below(summary: str, lines: Iterable[str]) -> Text:
    return Text(summary) + Text("".join(f"\n{line}" for line in lines), style="dim")


def _table(result: Result, *, marks: bool) -> Table:
    listed: list[tuple[str | Text, ...]] = [
        (rank, Text(phrase, style=MARKS[i % len(MARKS)] if marks else ""), *rest)
        for i, (rank, phrase, *rest) in enumerate(rows(result))
    ]
    return framed(header(result), listed, left=(1, 4))


def _marked(result: Result) -> Text:
    """Return the text with each keyphrase in the colour that it has in the table below."""
    text = Text(clean(result.document.content).rstrip())
    for (start, end), rank in marked_spans(result.keyphrases):
        text.stylize(MARKS[rank % len(MARKS)], start, end)
    return text
