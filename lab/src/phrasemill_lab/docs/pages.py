"""Show the figures of docs/figures in the pages, between markers, and find numbers that no file of figures has.

    python -m phrasemill_lab.docs.pages            # write what changed
    python -m phrasemill_lab.docs.pages --check    # say what would change, and which numbers have no source

A table, on lines of its own; `rows` and `columns` choose some, with semicolons between them;
`intervals="no"` leaves out the intervals of scores, and `source="no"` the line that says how figures were made:

    <!-- figures: quality.defaults columns="learned; encoder" -->
    <!-- end -->

A number in a sentence or a cell of a table:

    It reads <!-- figures: speed.default --><!-- end --> abstracts per second.
    F1@10 is <!-- figures: quality.defaults row="Inspec, F1@10" column="learned" --><!-- end --> on Inspec.

How a run was made, and the signatures of scores: `<!-- figures: quality -->`, `<!-- figures: quality signatures -->`.
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from phrasemill.errors import ConfigError, DataError, PhrasemillError, UnknownName
from phrasemill.tables import Table, as_markdown
from phrasemill_lab.bench.figures import Cell, Figures, FigureTable, read, shown
from phrasemill_lab.docs.kept_figures import kept_figures
from phrasemill_lab.docs.numbers import sourceless

MARK = re.compile(r"<!-- figures: ([\w-]+)(?:\.([\w-]+))?((?: [\w]+(?:=\"[^\"]*\")?)*) -->(.*?)<!-- end -->", re.DOTALL)
OPTION = re.compile(r"(\w+)(?:=\"([^\"]*)\")?")
OPTIONS = {"rows", "columns", "row", "column", "part", "intervals", "source", "signatures"}
FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2[^\n]*$", re.MULTILINE | re.DOTALL)


class Book:
    """The pages of a checkout, and the figures that they show."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.figures = {path.stem: read(path) for path in sorted((root / "docs" / "figures").glob("*.json"))}
        self.figures |= kept_figures(root)

    @property
    def pages(self) -> list[Path]:
        return [self.root / "README.md", *sorted((self.root / "docs").rglob("*.md"))]

    def filled(self, text: str) -> str:
        """Return a page with the figures of today between its markers."""
        explained: set[str] = set()
        return _outside_code(text, lambda part: MARK.sub(lambda mark: self._block(mark, explained), part))

    def _block(self, mark: re.Match[str], explained: set[str]) -> str:
        file, name, words, _ = mark.groups()
        try:
            content = self._content(file, name, _options(words), explained)
        except PhrasemillError as error:
            raise DataError(f"{mark[0].partition('-->')[0]}-->: {error}") from None
        return f"{mark[0].partition('-->')[0]}-->{content}<!-- end -->"

    def _content(self, file: str, name: str | None, options: dict[str, str], explained: set[str]) -> str:
        if file not in self.figures:
            raise UnknownName("file of figures", file, self.figures)
        run = self.figures[file]
        if name is None:
            explained.add(file)
            return f"\n{signatures(run) if 'signatures' in options else origin(run)}\n"
        value = run.value(name)
        if not isinstance(value, FigureTable):
            return shown(value)
        if "row" in options:
            return _cell(value, options)
        made = value.selected(_list(options.get("rows", "")), _list(options.get("columns", "")))
        made = made.without_intervals() if options.get("intervals") == "no" else made
        source = "" if options.get("source") == "no" or file in explained else origin(run)
        explained |= {file} if source else set()
        note = f"\n{source}\n" if source else ""
        # Blank lines around the table, or Markdown would take it for a part of the comment.
        return f"\n\n{markdown(made)}{note}\n"


def _options(words: str) -> dict[str, str]:
    found = dict[str, str](OPTION.findall(words))
    if wrong := set(found) - OPTIONS:
        raise UnknownName("option", min(wrong), OPTIONS)
    return found


def _list(words: str) -> list[str]:
    return [one.strip() for one in words.split(";") if one.strip()]


def _cell(table: FigureTable, options: dict[str, str]) -> str:
    """Return one cell; of a score with its interval the score, unless `part` names another part of it."""
    if "column" not in options:
        raise ConfigError("`row` needs a `column`")
    column = options["column"]
    cell, part = table.cell(options["row"], column), options.get("part", "value")
    if isinstance(cell, dict):
        if part not in cell:
            raise UnknownName("part", part, cell)
        cell = cell[part]
    elif isinstance(cell, list) and part.isdecimal():
        cell = cell[int(part) - 1]
    return table.shown(column, cell)


def markdown(table: FigureTable) -> str:
    """Return a table in Markdown; columns of words are on the left, numbers on the right."""
    rows = tuple(
        [tuple([_unbroken(table, c, one) for c, one in zip(table.columns, row, strict=True)]) for row in table.rows]
    )
    text = as_markdown(Table("", table.columns, rows))
    words = [all(isinstance(row[i], str) for row in table.rows) for i in range(len(table.columns))]
    lines = text.split("\n")
    lines[1] = "|" + "|".join("---" if is_words else "---:" for is_words in words) + "|"
    return "\n".join(lines)


def _unbroken(table: FigureTable, column: str, cell: Cell) -> str:
    """Return a cell; what belongs together, such as a score and its interval, stays on one line."""
    text = table.shown(column, cell)
    return text.replace(" ", "\N{NO-BREAK SPACE}") if isinstance(cell, dict | list) else text


def origin(run: Figures) -> str:
    """Return a line that says how, when and where figures were made."""
    parts = []
    if run.source:
        parts.append(f"Source: {run.source}.")
    if run.date or run.commit or run.recorded:
        at = (
            f" at commit `{run.commit}`"
            if run.commit
            else f", recorded in commit `{run.recorded}`"
            if run.recorded
            else ""
        )
        parts.append(f"Measured on {run.date}{at}{f' ({run.machine})' if run.machine else ''}.")
    if run.command:
        parts.append(f"Command: `{run.command}`.")
    if run.note:
        parts.append(run.note)
    return " ".join(parts)


def signatures(run: Figures) -> str:
    lines = "\n".join(f"- `{one}`" for one in run.signatures)
    return f"\n<details markdown><summary>Signatures</summary>\n\n{lines}\n\n</details>\n"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return the text with `change` applied to what is not in a fenced block."""
    parts, last = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, change(text[last:])])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(), help="the checkout (default: the current folder)")
    parser.add_argument("--check", action="store_true", help="change nothing; the exit code is 1 if something is wrong")
    options = parser.parse_args(arguments)
    book, wrong = Book(options.root), 0
    for path in book.pages:
        text = path.read_text(encoding="utf-8")
        try:
            filled = book.filled(text)
        except DataError as error:
            raise SystemExit(f"{path}: {error}") from None
        if filled != text:
            print(f"{path}: {'out of date' if options.check else 'written'}")
            wrong += options.check
            if not options.check:
                path.write_text(filled, encoding="utf-8")
        for problem in sourceless(path.relative_to(options.root), filled, book.figures):
            print(f"{path}:{problem}", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
