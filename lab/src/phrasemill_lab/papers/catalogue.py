"""The tables that can be reproduced, which `tables.toml` lists, and how each is put together."""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from typing import NamedTuple

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill.files.tables import Table
from phrasemill_lab.papers.comparison import (
    HERE,
    ComparisonRow,
    Failure,
    Part,
    Published,
    Reproduced,
    Setting,
    notes_for,
    published,
    reason_for,
)

# The papers, by the beginning of the names of their tables.
PAPERS = {
    "mkduc01": "Shapira et al., 2021: Multi-Document Keyphrase Extraction: Dataset, Baselines and Review",
    "semeval2010": "Kim et al., 2010: SemEval-2010 Task 5: Automatic Keyphrase Extraction from Scientific Articles",
    "catseqd": "Yuan et al., 2020: One Size Does Not Fit All",
    "pubmedake": "Sheng et al., 2022: PubMedAKE",
    "ngram-metrics": "Kim, Baldwin and Kan, 2010: Evaluating N-gram based Evaluation Metrics",
}


class PaperEntry(NamedTuple):
    """One table of `tables.toml`: who makes it, with which options, and whose published figures it has."""

    name: str
    needs: str
    minutes: str
    by: str = ""
    takes: Sequence[str] = ()
    like: str = ""

    @property
    def table(self) -> Published:
        return replace(published(self.like or self.name), name=self.name)

    @property
    def paper(self) -> str:
        return next(paper for paper in PAPERS if self.name.startswith(f"{paper}-"))


_FILE = tomllib.loads((HERE / "tables.toml").read_text(encoding="utf-8"))
ENTRIES = [
    PaperEntry(name, **{**record, "needs": _FILE["needs"][record["needs"]]}) for name, record in _FILE["tables"].items()
]
OPTIONS = tuple(dict.fromkeys(option for one in ENTRIES for option in one.takes))  # others are refused


def entries(name: str) -> list[PaperEntry]:
    """Return the table of that name, all tables of the paper of that name, or `all` tables that need no own files."""
    if name.lower() in ("all", *PAPERS):
        return [one for one in ENTRIES if "gold" not in one.takes and name.lower() in ("all", one.paper)]
    for one in ENTRIES:
        if one.name == name.lower():
            return [one]
    raise UnknownName("table", name, [one.name for one in ENTRIES])


def reproduce(name: str, setting: Setting) -> Reproduced:
    """Return one table, with the published figures beside ours, and notes on rows without.

    Missing data are a `DataError`.
    """
    (one,) = entries(name)
    for option in OPTIONS:
        if getattr(setting, option) and option not in one.takes:
            raise ConfigError(f"{one.name} does not take --{option}")
    if setting.models is not None and not setting.models.is_dir():
        raise ConfigError(f"{setting.models}: no such folder of models")
    table = one.table
    parts: list[Part] = [ComparisonRow(system) for system in table.rows]
    module, _, function = one.by.partition(":")
    try:
        if function:
            if not setting.data.is_dir():
                raise DataError(f"{setting.data}: no such folder")
            make: Callable[[Setting, Published], Iterable[Part]]
            make = getattr(import_module(f"phrasemill_lab.papers.{module}"), function)
            parts = list(make(setting, table))
    except DataError as error:
        raise DataError(f"{one.name} needs {one.needs}: {error}") from None
    notes = [*notes_for(one.name), *(part for part in parts if isinstance(part, str))]
    if setting.documents is not None:
        notes.append(f"Ours are of the first {setting.documents:,} only.")
    rows = []
    without: dict[str, list[str]] = {}  # the systems that have no figures, by the reason
    for part in parts:
        if isinstance(part, ComparisonRow):
            printed = table.rows.get(part.system) if part.published is None else part.published or None
            if printed or part.ours:
                rows.append(replace(part, published=printed))
            if printed and part.ours is None:
                without.setdefault(reason_for(one.name, part.system, missing=True), []).append(part.system)
    notes += [f"{', '.join(systems)}: {reason}" for reason, systems in without.items() if reason]
    ranks = [part for part in parts if isinstance(part, Table)]
    failed = any(isinstance(part, Failure) for part in parts)
    return Reproduced(table, tuple(rows), tuple(notes), failed, tuple(ranks))
