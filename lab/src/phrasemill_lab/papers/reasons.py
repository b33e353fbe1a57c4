"""Why our figures differ from published ones, or are missing: `reasons.toml`, by table, system and figures."""

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True)
class Reason:
    """Why figures differ, or are `missing`; names are patterns with `*`, `?` and `[…]`."""

    text: str
    tables: str
    systems: str = "*"
    figures: str = "*"
    missing: bool = False

    def fits(self, table: str, system: str, figures: str) -> bool:
        pairs = ((table, self.tables), (system, self.systems), (figures, self.figures))
        return all(fnmatchcase(name, pattern) for name, pattern in pairs)


@cache
def reasons() -> tuple[Reason, ...]:
    """Return the reasons in the order of the file."""
    record = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple([Reason(**one) for one in record["reason"]])


def reason_for(table: str, system: str, figures: str = "", *, missing: bool = False) -> str:
    """Return the first reason that fits; without one an empty string."""
    fitting = (one.text for one in reasons() if one.missing == missing and one.fits(table, system, figures))
    return next(fitting, "")
