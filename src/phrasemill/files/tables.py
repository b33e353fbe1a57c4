"""Tables as text: plain columns, CSV, Markdown and LaTeX, and the numbers in them. `cli/output.py` prints them.

A cell is a text or a number. The command, reports and results of jobs make tables; whoever renders them rounds numbers
to four significant digits, keeps control characters out, and aligns columns of numbers on the right.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from phrasemill.errors import UnknownName
from phrasemill.types import significant

# Spreadsheets take a cell that begins with one of these for a formula, even if it was copied from a document, and
# formulas can run programs and send data elsewhere. A leading apostrophe makes the cell text, as OWASP recommends
# (https://owasp.org/www-community/attacks/CSV_Injection).
FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
LATEX = str.maketrans(
    {mark: f"\\{mark}" for mark in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "|": r"\textbar{}"}
)
NUMBER = re.compile(r"[-+−–]?(\d[\d.,/ %x*e\[\]−–-]*)?")  # a figure, with an interval, a total or a sign


class Table(NamedTuple):
    """A table before it is rendered, with a title above it and notes below, which are sentences or signatures."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    notes: Sequence[str] = ()


def render(table: Table, format: str) -> str:
    """Return `table` as `table`, `csv`, `markdown` or `latex`."""
    if format not in RENDERERS:
        raise UnknownName("format", format, RENDERERS)
    return RENDERERS[format](table)


def cells(table: Table) -> list[list[str]]:
    """Return the rows as they are shown; the numbers of a column have the same number of decimals."""
    columns = [_column(list(column)) for column in zip(*table.rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _column(values: Sequence[object]) -> list[str]:
    fractions = iter(aligned(value for value in values if isinstance(value, float)))
    return [next(fractions) if isinstance(value, float) else _cell(value) for value in values]


def _cell(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else one_line(str(value))


def aligned(scores: Iterable[float]) -> list[str]:
    """Return scores for a column: all with as many decimals as give the greatest four significant digits."""
    exact = list(scores)
    best = significant(max(map(abs, exact), default=0.0))
    decimals = min(max(3 - math.floor(math.log10(best)), 0), 9) if best and math.isfinite(best) else 3
    return [f"{score:.{decimals}f}" for score in exact]


def numeric(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the numbers of the columns in which at least half of the cells are numbers."""
    found = []
    for i, column in enumerate(zip(*rows, strict=True)):
        filled = [cell for cell in column if cell]
        if filled and 2 * sum(NUMBER.fullmatch(cell) is not None for cell in filled) >= len(filled):
            found.append(i)
    return found


def as_text(table: Table) -> str:
    """Return columns aligned by spaces, for pipes and files."""
    title = f"{one_line(table.title)}\n" if table.title else ""
    rows = cells(table)
    lines = [list(table.header), *rows] if table.header else rows
    notes = "\n".join(["", *map(one_line, table.notes), ""]) if table.notes else ""
    return title + (align(lines, right=numeric(rows)) if rows else "") + notes


def align(lines: Iterable[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Return rows of cells in columns; the columns numbered in `right` are aligned on the right."""
    lines = list(lines)
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    text = []
    for row in lines:
        padding = [" " * (most - width(cell)) for cell, most in zip(row, widths, strict=True)]
        padded = [p + c if i in right else c + p for i, (c, p) in enumerate(zip(row, padding, strict=True))]
        text.append("  ".join(padded).rstrip() + "\n")
    return "".join(text)


def width(text: str) -> int:
    """Return how many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)


def table_width(table: Table) -> int:
    """Return how many columns of a terminal the table takes, with two between its own."""
    return sum(max(map(width, column)) + 2 for column in zip(table.header, *cells(table), strict=True))


def as_csv(table: Table) -> str:
    """Return header and rows as CSV."""
    return csv_of([table.header, *table.rows])


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV. Texts that look like formulas get a leading apostrophe; numbers never do."""
    return "".join(",".join(map(_csv_cell, row)) + "\n" for row in rows)


def _csv_cell(value: object) -> str:
    text = "" if value is None else without_formula(value) if isinstance(value, str) else str(rounded(value))
    # The csv module of Python before 3.13 does not quote carriage returns.
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\r\n') else text


def rounded(value: object) -> object:
    """Return what JSON holds with all fractions rounded, as they are printed."""
    if isinstance(value, float):
        return significant(value)
    if isinstance(value, Mapping):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def without_formula(cell: str) -> str:
    """Return the cell with a leading apostrophe if a spreadsheet would take it for a formula."""
    start = cell.lstrip(" ")
    if start[:1] not in FORMULA or len(start) == 1 or _is_number(start):
        return cell
    return f"'{cell}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def clean(text: str) -> str:
    """Return `text` without the characters that control a terminal (escape, bell …)."""
    if text.isprintable():
        return text
    return "".join([" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") and c not in "\n\t" else c for c in text])


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def as_markdown(table: Table) -> str:
    """Return the table in Markdown, with the notes as a list below."""

    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"

    rows = cells(table)
    right = numeric(rows)
    rule = "|" + "".join("---:|" if i in right else "---|" for i in range(len(table.header)))
    title = [f"**{table.title}**", ""] if table.title else []
    notes = ["", *(f"- `{note}`" if "|" in note else f"- {note}" for note in table.notes)] if table.notes else []
    return "\n".join([*title, line(table.header), rule, *map(line, rows), *notes]) + "\n"


def as_latex(table: Table) -> str:
    """Return a `tabular` for the booktabs package; the notes are comments."""

    def line(row: Sequence[str]) -> str:
        return "  " + " & ".join(cell.translate(LATEX) for cell in row) + r" \\"

    rows = cells(table)
    right = numeric(rows)
    columns = "".join("r" if i in right else "l" for i in range(len(table.header)))
    head = [f"% {table.title}"] if table.title else []
    head += [rf"\begin{{tabular}}{{{columns}}}", r"  \toprule", line(table.header), r"  \midrule"]
    foot = [r"  \bottomrule", r"\end{tabular}", *(f"% {note}" for note in table.notes)]
    return "\n".join([*head, *map(line, rows), *foot]) + "\n"


RENDERERS: dict[str, Callable[[Table], str]] = {
    "table": as_text,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}
