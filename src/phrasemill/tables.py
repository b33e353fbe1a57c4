"""Tables of cells, as plain columns, Markdown, LaTeX and CSV. Rich draws the same tables on a terminal (cli/grids.py).

Spreadsheets take a cell that begins with `=`, `+`, `-` or `@` for a formula, even if it was copied from a document, and
formulas can run programs and send data elsewhere. A leading apostrophe makes the cell text, as OWASP recommends
(https://owasp.org/www-community/attacks/CSV_Injection).
"""

import unicodedata
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass

from phrasemill.errors import UnknownName

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
FORMULA = frozenset("=+-@\t\r\n＝＋－＠")


@dataclass(frozen=True, slots=True)
class Grid:
    """A table before it is drawn: the first column is a label, the others are numbers, or `words`."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    words: bool = False


def grid_width(grid: Grid) -> int:
    """The columns of a terminal that the grid takes, with two between its own."""
    return sum(max(map(width, column)) + 2 for column in zip(grid.header, *grid.rows, strict=True))


def grouped(notes: Sequence[str]) -> list[str]:
    """Signatures for the eye: metrics that share all choices share a line. Notes in words stay as they are."""
    groups: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        name, bar, rest = note.partition("|")
        groups.setdefault(("", rest) if bar else (note, ""), []).append(name)
    return [words or f"{' '.join(dict.fromkeys(names))}|{rest}" for (words, rest), names in groups.items()]


def csv_of(rows: Iterable[Sequence[object]]) -> str:
    """Format rows as CSV. Texts that look like formulas get a leading apostrophe; numbers never do."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: object) -> str:
    text = "" if value is None else without_formula(value) if isinstance(value, str) else str(value)
    # The csv module of Python before 3.13 does not quote carriage returns.
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\r\n') else text


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


def as_csv(grid: Grid) -> str:
    return csv_of([grid.header, *grid.rows])


def as_markdown(grid: Grid) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    rule = "|---|" + ("---|" if grid.words else "---:|") * (len(grid.header) - 1)
    title = [f"**{grid.title}**", ""] if grid.title else []
    # Signatures have bars in them, words do not.
    notes = ["", *(f"- `{note}`" if "|" in note else f"- {note}" for note in grid.notes)] if grid.notes else []
    return "\n".join([*title, line(grid.header), rule, *map(line, grid.rows), *notes]) + "\n"


def as_latex(grid: Grid) -> str:
    """A `tabular` for the booktabs package; the notes are comments."""

    def line(cells: Sequence[str]) -> str:
        return "  " + " & ".join(cell.translate(LATEX) for cell in cells) + r" \\"

    head = [f"% {grid.title}"] if grid.title else []
    head += [
        rf"\begin{{tabular}}{{l{('l' if grid.words else 'r') * (len(grid.header) - 1)}}}",
        r"  \toprule",
        line(grid.header),
        r"  \midrule",
    ]
    foot = [r"  \bottomrule", r"\end{tabular}", *(f"% {note}" for note in grid.notes)]
    return "\n".join([*head, *map(line, grid.rows), *foot]) + "\n"


def as_text(grid: Grid) -> str:
    """Return the grid in columns that are aligned by spaces, for pipes and files."""
    title = f"{grid.title}\n\n" if grid.title else ""
    notes = "\n" + "\n".join(grouped(grid.notes)) + "\n" if grid.notes else ""
    return title + aligned([grid.header, *grid.rows], right=() if grid.words else range(1, len(grid.header))) + notes


def aligned(lines: Sequence[Sequence[str]], right: Container[int] = ()) -> str:
    """Return lines of cells in columns that are aligned by spaces; those in `right` to the right."""
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    out = []
    for cells in lines:
        padding = [" " * (wide - width(cell)) for cell, wide in zip(cells, widths, strict=True)]
        padded = [p + c if i in right else c + p for i, (c, p) in enumerate(zip(cells, padding, strict=True))]
        out.append("  ".join(padded).rstrip())
    return "\n".join(out) + "\n"


def width(text: str) -> int:
    """Return how many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)


RENDERERS: dict[str, Callable[[Grid], str]] = {
    "table": as_text,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
}


def render(grid: Grid, format: str) -> str:
    """`grid` as `table`, `csv`, `markdown` or `latex`."""
    if format not in RENDERERS:
        raise UnknownName("format", format, RENDERERS)
    return RENDERERS[format](grid)
