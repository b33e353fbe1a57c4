"""The one output of all commands: on a terminal, to a pipe, or to a file; and the one progress bar.

A command says in a `View` what a result looks like, and `show` does the rest:

    VIEW = View(table=_parts, record=_record, rows=_rows, text=_lines)
    show(results, VIEW, format_of(format, file), file, many=True)

`table(result)` yields what a person sees: `Table`s, and texts between them. `record(result)` is its JSON. Where CSV
needs other columns, `rows(result)` is their `Table`; `text(result)` are the lines of `--format text`. Only what a
format needs is called. Put numbers into cells, not texts: rendering rounds to four significant digits, aligns, removes
control characters and guards spreadsheets from formulas. `options.Output` is the type of `--output`.
`facts([(name, value), …])` prints a summary, `write_json(value)` any JSON, and `width_of(format, file)` is the room
for a table, None where there is no limit.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from phrasemill.cli.options import one_of
from phrasemill.errors import InputError, UnknownName
from phrasemill.files.tables import (
    Table,
    align,
    cells,
    clean,
    csv_of,
    numeric,
    one_line,
    render,
    rounded,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

T = TypeVar("T")
Part: TypeAlias = "Table | Text | str"

FORMATS = ("table", "text", "json", "jsonl", "csv", "markdown")
BY_EXTENSION = {"json": "json", "jsonl": "jsonl", "csv": "csv", "md": "markdown"}
# Beyond this length Rich's own line wrapping takes longer than reading on; the terminal wraps instead.
LONGEST_WRAPPED = 200_000


class View(NamedTuple, Generic[T]):
    """What one result of a command looks like in each format."""

    table: Callable[[T], Iterable[Part]]
    record: Callable[[T], object]
    rows: Callable[[T], Table] | None = None
    text: Callable[[T], Iterable[str]] | None = None


def show(results: Iterable[T], view: View[T], format: str, output: Path | None = None, *, many: bool = False) -> None:
    """Write the results in `format`, one by one as they come; with `many`, JSON is a list even of one."""
    if output is None and format == "table" and on_screen():
        console = _console()
        part: Part = Table("", (), ())
        for result in results:
            if not isinstance(part, Table):  # which ends with an empty line
                console.print()
            for part in view.table(result):
                _draw(part, console)
        return
    encoding = "utf-8" if output else sys.stdout.encoding
    write(_rendered(results, view, format, many=many, encoding=encoding), output)


def show_tables(tables: Iterable[Table], format: str = "table", output: Path | None = None) -> None:
    """Write tables that have no other form."""
    show(
        [list(tables)],
        View(table=lambda made: made, record=lambda made: [one._asdict() for one in made]),
        format,
        output,
    )


def _rendered(results: Iterable[T], view: View[T], format: str, *, many: bool, encoding: str) -> Iterator[str]:
    if format == "jsonl":
        yield from (to_json(view.record(one), encoding) + "\n" for one in results)
    elif format == "json":
        records = [view.record(one) for one in results]
        yield readable(records if many else records[0], encoding) + "\n"
    elif format == "csv":
        yield from _csv(results, view)
    elif format == "text" and view.text is not None:
        for one in results:
            yield "".join(f"{clean(line)}\n" for line in view.text(one))
    elif format in ("table", "markdown", "latex"):
        for number, one in enumerate(results):
            yield "\n" if number else ""
            yield "\n".join(
                render(p, format) if isinstance(p, Table) else f"{clean(str(p))}\n" for p in view.table(one)
            )
    else:
        raise UnknownName("format", format, FORMATS)


def _csv(results: Iterable[T], view: View[T]) -> Iterator[str]:
    """Yield the rows of all results below one header, and further tables of a result below their own."""
    header: Sequence[str] = ()
    for result in results:
        first, *others = [view.rows(result)] if view.rows else [p for p in view.table(result) if isinstance(p, Table)]
        yield csv_of(first.rows if first.header == header else [first.header, *first.rows])
        yield from (f"\n{render(one, 'csv')}" for one in others)
        header = first.header


def format_of(value: str | None, output: Path | None, known: Sequence[str] = FORMATS) -> str:
    """Return the format that was given, or the one of the output file's extension, or a table."""
    if value is None:
        found = BY_EXTENSION.get(output.suffix.lower().removeprefix(".") if output else "", "table")
        return found if found in known else "table"
    return one_of(value, known, "--format")


def on_screen() -> bool:
    """Return whether a person is looking, so that colours and frames make sense."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def width_of(format: str, output: Path | None) -> int | None:
    """Return how many columns a table may take; None where it is not for a terminal."""
    return _console().width if format == "table" and output is None and on_screen() else None


def write(text: str | Iterable[str], output: Path | None = None) -> None:
    """Write a text, or chunks of one, to a file or the screen; a file is replaced when the first chunk is there."""
    chunks = iter([text] if isinstance(text, str) else text)
    if output is None:
        sys.stdout.writelines(chunks)
        return
    first = next(chunks, "")
    with output.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(first)
        file.writelines(chunks)


def facts(pairs: Iterable[tuple[str, str]]) -> None:
    """Print names and values, one pair per line."""
    print(align([(name, one_line(value)) for name, value in pairs]), end="")


def counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def writable(target: Path) -> Path:
    """Return the file to write; raise `InputError` if it is a folder, or in none."""
    if target.is_dir() or not target.parent.is_dir():
        raise InputError(f"{target}: {'is a folder' if target.is_dir() else 'there is no such folder'}")
    return target


def size(path: Path) -> str:
    """Return the size of a file, or of all files in a folder, with its unit."""
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    count = sum(one.stat().st_size for one in files)
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.1f} kB"


def write_json(value: object, output: Path | None = None) -> None:
    """Write a value as JSON to a file or the screen."""
    write(readable(value, "utf-8" if output else sys.stdout.encoding) + "\n", output)


def to_json(value: object, encoding: str | None) -> str:
    """Return JSON with rounded numbers, and with escapes only where the encoding of the output lacks a character."""
    import json

    return json.dumps(rounded(value), ensure_ascii=not (encoding or "").lower().startswith("utf"))


def readable(value: object, encoding: str | None, indent: str = "") -> str:
    """Return JSON with a line per field of an object, and a line per object in a list of one of its fields."""
    inner = f"{indent}  "
    if isinstance(value, Mapping) and value:
        lines = []
        for name, one in value.items():
            text = to_json(one, encoding)
            if isinstance(one, list | tuple) and any(isinstance(each, Mapping) for each in one):
                items = ",\n".join(f"{inner}  {to_json(each, encoding)}" for each in one)
                text = f"[\n{items}\n{inner}]"
            lines.append(f"{inner}{to_json(name, encoding)}: {text}")
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(readable(one, encoding, indent) for one in value) + "\n]"
    return to_json(value, encoding)


def _console() -> "Console":
    from rich.console import Console  # slow to import, and only for terminals

    return Console(highlight=False)


def _draw(part: Part, console: "Console") -> None:
    """Draw a table, or a text, on a terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid
    from rich.text import Text

    if not isinstance(part, Table):
        text = Text(clean(part)) if isinstance(part, str) else part
        console.print(text, soft_wrap=len(text) > LONGEST_WRAPPED)
        return
    if part.title:
        console.print(Text(one_line(part.title), style="bold underline"))
    rows = cells(part)
    if rows:
        right = numeric(rows)
        bold = next((i for i in range(len(rows[0])) if i not in right), 0)
        grid = Grid(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_header=bool(part.header))
        for i in range(len(rows[0])):
            heading, style = part.header[i] if part.header else "", "bold" if i == bold else ""
            if i in right:
                grid.add_column(heading, style=style, justify="right", no_wrap=True)
            else:
                grid.add_column(heading, style=style, overflow="fold")
        for shown, given in zip(rows, part.rows, strict=True):
            grid.add_row(
                *(one if isinstance(one, Text) else Text(cell) for cell, one in zip(shown, given, strict=True))
            )
        console.print(grid)
    for note in part.notes:
        console.print(Text(one_line(note), style="dim"))


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
