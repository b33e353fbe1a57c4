"""Tables as text: plain columns, CSV, Markdown, LaTeX and HTML. `cli/grids.py` draws the same tables on a terminal.

Tables are for the eye: figures are rounded. JSON is written from records, never from a table; numbers in it, as in CSV,
have at most four significant digits.
"""

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
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "|": r"\textbar{}",
    }
)


class Table(NamedTuple):
    """A table before it is rendered. The first column holds labels, the others numbers, or text where `words` is set.

    Notes are sentences or signatures of scores; signatures are those with a bar in them.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    words: bool = False


def render(table: Table, format: str) -> str:
    """Return `table` as `table`, `csv`, `markdown`, `latex` or `html`."""
    if format not in RENDERERS:
        raise UnknownName("format", format, RENDERERS)
    return RENDERERS[format](table)


def as_text(table: Table) -> str:
    """Return columns aligned by spaces, for pipes and files."""
    title = f"{table.title}\n\n" if table.title else ""
    notes = "\n".join(["", *group_signatures(table.notes), ""]) if table.notes else ""
    right = () if table.words else range(1, len(table.header))
    return title + align([table.header, *table.rows], right=right) + notes


def align(lines: Iterable[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Return rows of cells in columns; the columns numbered in `right` are aligned on the right."""
    lines = list(lines)
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    text = []
    for cells in lines:
        padding = [" " * (most - width(cell)) for cell, most in zip(cells, widths, strict=True)]
        padded = [p + c if i in right else c + p for i, (c, p) in enumerate(zip(cells, padding, strict=True))]
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
    return sum(max(map(width, column)) + 2 for column in zip(table.header, *table.rows, strict=True))


def group_signatures(notes: Iterable[str]) -> list[str]:
    """Join the signatures of metrics that share all choices into one line; leave other notes as they are."""
    groups: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        name, bar, choices = note.partition("|")
        groups.setdefault(("", choices) if bar else (note, ""), []).append(name)
    return [words or f"{' '.join(dict.fromkeys(names))}|{choices}" for (words, choices), names in groups.items()]


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


def as_markdown(table: Table) -> str:
    """Return the table in Markdown, with the notes as a list below."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = "|---|" + ("---|" if table.words else "---:|") * (len(table.header) - 1)
    title = [f"**{table.title}**", ""] if table.title else []
    notes = ["", *(f"- `{note}`" if "|" in note else f"- {note}" for note in table.notes)] if table.notes else []
    return "\n".join([*title, line(table.header), rule, *map(line, table.rows), *notes]) + "\n"


def as_latex(table: Table) -> str:
    """Return a `tabular` for the booktabs package; the notes are comments."""

    def line(cells: Sequence[str]) -> str:
        return "  " + " & ".join(cell.translate(LATEX) for cell in cells) + r" \\"

    columns = "l" + ("l" if table.words else "r") * (len(table.header) - 1)
    head = [f"% {table.title}"] if table.title else []
    head += [rf"\begin{{tabular}}{{{columns}}}", r"  \toprule", line(table.header), r"  \midrule"]
    foot = [r"  \bottomrule", r"\end{tabular}", *(f"% {note}" for note in table.notes)]
    return "\n".join([*head, *map(line, table.rows), *foot]) + "\n"


def as_html(table: Table) -> str:
    """Return an HTML table that scrolls by itself where it is too wide, without title and notes."""
    from html import escape

    def line(cells: Sequence[str]) -> str:
        return "".join(
            f"<td>{escape(cell)}</td>" if i else f'<th scope="row">{escape(cell)}</th>' for i, cell in enumerate(cells)
        )

    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.header)
    body = "".join(f"<tr>{line(row)}</tr>" for row in table.rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


RENDERERS: dict[str, Callable[[Table], str]] = {
    "table": as_text,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
    "html": as_html,
}
