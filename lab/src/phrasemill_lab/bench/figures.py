"""Figures of the documentation: one JSON file per run, written by what measured them, shown by `pages.py`.

    {"command": …, "date": …, "machine": …, "commit": …, "signatures": […], "note": …, "values": {NAME: VALUE}}

A value is a number, a text or a table: `{"columns": […], "keys": 1, "digits": {COLUMN: 2}, "rows": [[…], …]}`. The
first `keys` columns name a row. A cell is a number, a text, a list of numbers (F1@5 / F1@10) or a score with its
interval: `{"value": 49.5, "low": 46.6, "high": 52.5}`. A run whose commit is not known has
`recorded`, the commit that added its figures to the pages; figures of other people have `source` for `command`.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from phrasemill.errors import DataError, UnknownName
from phrasemill_lab.datasets.writing import lines
from phrasemill_lab.results import machine as processor

FOLDER = Path("docs", "figures")
NUMBER = re.compile(r"[-+−]?\d{1,3}(?:,\d{3})+|[-+−]?\d+(?:\.\d+)?")
INTERVAL = re.compile(rf"({NUMBER.pattern}) \[({NUMBER.pattern}), ({NUMBER.pattern})\]")
BETWEEN = " / "
# Options whose values are places on one machine, and what a reader sees of them.
PLACES = {
    "--data": "DIR",
    "-d": "DIR",
    "--output": "RESULTS",
    "-o": "RESULTS",
    "--models": "MODELS",
    "--annif": "PYTHON",
    "--peers": "PYTHON",
    "--cache": "",
    "--figures": "",
}

Number = int | float
Cell = str | Number | list[Number] | dict[str, Number]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table whose cells are values: the first `keys` columns name the row, `digits` are fixed decimals of columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    keys: int = 1
    digits: Mapping[str, int] = field(default_factory=dict)

    def name(self, row: Sequence[Cell]) -> str:
        """Return the name of a row: its first columns."""
        return ", ".join(str(cell) for cell in row[: self.keys])

    def row(self, name: str) -> tuple[Cell, ...]:
        found = {self.name(row): row for row in self.rows}
        if name not in found:
            raise UnknownName("row", name, found)
        return found[name]

    def column(self, name: str) -> int:
        if name not in self.columns:
            raise UnknownName("column", name, self.columns)
        return self.columns.index(name)

    def cell(self, row: str, column: str) -> Cell:
        return self.row(row)[self.column(column)]

    def shown(self, column: str, cell: Cell) -> str:
        return shown(cell, self.digits.get(column))

    def selected(self, rows: Sequence[str], columns: Sequence[str]) -> "FigureTable":
        """Return some rows and, besides the names of rows, some columns, in the order given; all where none is."""
        kept = [*range(self.keys), *(self.column(one) for one in columns)] if columns else range(len(self.columns))
        chosen = [self.row(one) for one in rows] if rows else self.rows
        cut = tuple([tuple([row[i] for i in kept]) for row in chosen])
        return FigureTable(tuple([self.columns[i] for i in kept]), cut, self.keys, self.digits)

    def without_intervals(self) -> "FigureTable":
        rows = [tuple([one["value"] if isinstance(one, dict) else one for one in row]) for row in self.rows]
        return replace(self, rows=tuple(rows))

    def record(self) -> dict[str, Any]:
        named = {"columns": list(self.columns), "keys": self.keys, "digits": dict(self.digits)}
        return {key: value for key, value in named.items() if value} | {"rows": [list(row) for row in self.rows]}


Value = str | Number | FigureTable


@dataclass(frozen=True, slots=True)
class Figures:
    """One run: what it measured, and how, when and where."""

    values: Mapping[str, Value]
    command: str = ""
    date: str = ""
    machine: str = ""
    commit: str = ""
    recorded: str = ""
    source: str = ""
    note: str = ""
    signatures: tuple[str, ...] = ()

    def value(self, name: str) -> Value:
        if name not in self.values:
            raise UnknownName("figure", name, self.values)
        return self.values[name]

    def table(self, name: str) -> FigureTable:
        found = self.value(name)
        if not isinstance(found, FigureTable):
            raise DataError(f"the figure {name!r} is not a table")
        return found


def table(header: Sequence[str], rows: Iterable[Sequence[object]], *, keys: int = 1) -> FigureTable:
    """Return a table of cells as they are printed; those that are numbers become numbers."""
    printed = [[str(cell) for cell in row] for row in rows]
    columns = [_column([row[i] for row in printed], named=i < keys) for i in range(len(header))]
    digits = {name: fixed for name, (_, fixed) in zip(header, columns, strict=True) if fixed is not None}
    cells = zip(*(cells for cells, _ in columns), strict=True)
    return FigureTable(tuple(header), tuple(cells), keys, digits)


def _column(texts: Sequence[str], *, named: bool) -> tuple[list[Cell], int | None]:
    """Return the cells of a column, and the decimals that all its fractions are shown with, where it matters."""
    if named:
        return list(texts), None
    cells = [cell(text) for text in texts]
    decimals = {len(one) for text in texts for one in re.findall(r"\d\.(\d+)", text)}
    fixed = decimals.pop() if len(decimals) == 1 else None
    if all(shown(one) == text for one, text in zip(cells, texts, strict=True)):
        fixed = None
    # What would not be printed as it was stays a text.
    return [one if shown(one, fixed) == text else text for one, text in zip(cells, texts, strict=True)], fixed


def cell(text: str) -> Cell:
    """Return what a printed cell says: a number, a score with its interval, several numbers, or the text itself."""
    if found := INTERVAL.fullmatch(text):
        value, low, high = map(_number, found.groups())
        return {"value": value, "low": low, "high": high}
    parts = text.split(BETWEEN)
    if not all(NUMBER.fullmatch(part) for part in parts):
        return text
    return _number(text) if len(parts) == 1 else [_number(part) for part in parts]


def _number(text: str) -> Number:
    plain = text.replace(",", "").replace("−", "-")
    return float(plain) if "." in plain else int(plain)


def shown(cell: Cell, digits: int | None = None) -> str:
    """Return a cell as pages show it."""
    if isinstance(cell, dict):
        value, low, high = (shown(cell[part], digits) for part in ("value", "low", "high"))
        return f"{value} [{low}, {high}]"
    if isinstance(cell, list):
        return BETWEEN.join(shown(one, digits) for one in cell)
    if isinstance(cell, float):
        return f"{cell:,}" if digits is None else f"{cell:,.{digits}f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def read(path: Path) -> Figures:
    """Read one file of figures."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        values = {name: _value(value) for name, value in record.pop("values").items()}
        return Figures(values, **record | {"signatures": tuple(record.get("signatures", ()))})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{path}: not a file of figures ({error})") from None


def _value(value: Any) -> Value:
    if not isinstance(value, dict):
        return value
    rows = tuple([tuple(row) for row in value["rows"]])
    return FigureTable(tuple(value["columns"]), rows, value.get("keys", 1), value.get("digits", {}))


def save(path: Path, figures: Figures) -> None:
    """Write one file of figures; rows of tables are on one line each."""
    record = {name: getattr(figures, name) for name in Figures.__slots__ if name != "values"}
    record = {name: list(value) if isinstance(value, tuple) else value for name, value in record.items() if value}
    values = [f"{json.dumps(name, ensure_ascii=False)}: {_written(value)}" for name, value in figures.values.items()]
    head = json.dumps(record, ensure_ascii=False, indent=1).removesuffix("\n}")
    path.parent.mkdir(parents=True, exist_ok=True)
    lines([f'{head},\n "values": {{\n  ' + ",\n  ".join(values) + "\n }\n}"], path)


def _written(value: Value) -> str:
    if not isinstance(value, FigureTable):
        return json.dumps(value, ensure_ascii=False)
    record = value.record()
    rows = ",\n   ".join(json.dumps(row, ensure_ascii=False) for row in record.pop("rows"))
    return json.dumps(record, ensure_ascii=False).removesuffix("}") + f', "rows": [\n   {rows}\n  ]}}'


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add `--figures FILE` to a command that measures."""
    parser.add_argument("--figures", type=Path, metavar="FILE", help="also write the figures there, for the pages")


def write(
    path: Path | None, values: Mapping[str, Value], *, signatures: Iterable[str] = (), note: str = "", command: str = ""
) -> None:
    """Write what this process measured, with command, date, machine and commit; nothing without a path."""
    if path is None:
        return
    made = Figures(
        values,
        command=command or command_line(sys.argv),
        date=datetime.now(UTC).date().isoformat(),
        machine=f"{processor()}, {os.cpu_count()} cores",
        commit=commit(),
        note=note,
        signatures=tuple(dict.fromkeys(signatures)),
    )
    save(path, made)


def command_line(words: Sequence[str]) -> str:
    """Return the command of a process as a reader would type it: places on this machine are DIR and the like."""
    named, rest = [_program(Path(words[0]))], iter(words[1:])
    for word in rest:
        name, equals, _ = word.partition("=")
        if name not in PLACES:
            named.append(shlex.quote(word))
            continue
        if not equals:
            next(rest, None)
        if PLACES[name]:
            named += [name, PLACES[name]]
    return " ".join(named)


def _program(script: Path) -> str:
    parts = script.with_suffix("").parts
    if "phrasemill_lab" in parts:
        return f"python -m {'.'.join(parts[parts.index('phrasemill_lab') :])}"
    if "benchmarks" in parts:
        return f"python lab/{Path(*script.parts[script.parts.index('benchmarks') :]).as_posix()}"
    return "phrasemill"


def commit() -> str:
    """Return the commit of this checkout, with a plus sign where files have changed since; nothing outside of one."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=here, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    try:
        found = git("rev-parse", "--short=7", "HEAD")
        return f"{found}+" if found and git("status", "--porcelain", "--untracked-files=no") else found
    except OSError:
        return ""
