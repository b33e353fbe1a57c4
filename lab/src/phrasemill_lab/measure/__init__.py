"""Measures methods beside each other, other people's tools and our targets; the command is `phrasemill measure`.

What is measured returns a `Report`: rows, which `results.write` keeps, and the tables that are printed. Each method
runs in a process of its own (`fresh.py`), so that one does not warm or fill the memory of another.
"""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from phrasemill.errors import ConfigError
from phrasemill.files.tables import Table

CHECKOUT = Path(__file__).parents[3]  # the folder `lab`, where this runs from a checkout
TARGETS = CHECKOUT / "targets.toml"
NOTHING = "–"

Row: TypeAlias = dict[str, object]
Progress: TypeAlias = Callable[[str, int, int, str], None]


class Report(NamedTuple):
    """What was measured: `name` is that of the file of results."""

    name: str
    rows: Sequence[Row]
    tables: Sequence[Table]
    failed: bool = False
    remarks: Sequence[str] = ()  # said beside the rows


def targets(part: str) -> dict[str, Any]:
    """Return what we aim at (lab/targets.toml); nothing outside of a checkout."""
    found: dict[str, Any] = tomllib.loads(TARGETS.read_text("utf-8"))[part] if TARGETS.exists() else {}
    return found


def verdict(value: float, target: float, *, fewer: bool = False) -> str:
    """Return whether a target is met; with `fewer`, less is better."""
    short = value - target if fewer else target - value
    return "met" if short <= 0 else f"missed by {short:.2g}"


def results_folder() -> Path:
    if not (CHECKOUT / "results").is_dir():
        raise ConfigError("--save writes to lab/results, and this is no checkout of phrasemill-lab: use -o DIR")
    return CHECKOUT / "results"


def table(title: str, rows: Sequence[Row], notes: Sequence[str] = ()) -> Table:
    """Return rows as they are printed, without columns that are empty."""
    header = [name for name in rows[0] if any(row[name] not in (None, "") for row in rows)]
    cells = tuple([tuple([cell(row[name]) for name in header]) for row in rows])
    return Table(title, tuple(name.replace("_", " ") for name in header), cells, tuple(notes))


def cell(value: object) -> str:
    """Return a value with as many digits as it deserves."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"
    return NOTHING if value is None else f"{value:,}" if isinstance(value, int) else str(value)
