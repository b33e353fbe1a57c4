"""What there is: the methods, what each needs and costs and how good it is, and the extras.

data/methods.toml has a row for each, written by hand. Figures are measured: `phrasemill measure facts` writes
data/method_facts.json, with the date, the command and the signature of the run that each comes from.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from phrasemill.models import how_to_install, separate, shipped
from phrasemill.specs import Entry, Registry

TABLE, FIGURES = shipped("methods.toml"), shipped("method_facts.json")
CLASS = ' = { class = "'
NOTHING, SHIPPED, YOURS = "nothing", "shipped", "yours"
PACES = ((1000, "very fast"), (50, "fast"), (2, "slow"), (0, "very slow"))


def _classes(section: str) -> Iterator[tuple[str, str]]:
    """Yield the methods of a section with their classes, without `tomllib`: it takes longer to import than a text to
    extract, and the rest of the table is for those who ask."""
    for line in TABLE.read_text(encoding="utf-8").partition(f"\n[{section}]\n")[2].partition("\n[")[0].splitlines():
        name, found, rest = line.partition(CLASS)
        if found:
            yield name, rest.partition('"')[0]


METHODS = Registry("method", dict(_classes("methods")))
# Methods for sets of documents; those that take a `method` take one for single documents: merge(positionrank).
SET_METHODS = Registry("method for sets", dict(_classes("sets")), inside=METHODS)
METHODS.refer(
    SET_METHODS, "it finds the keyphrases of a set of documents: `phrasemill extract --set`, or `extract_set`"
)


class Extra(NamedTuple):
    """Optional dependencies: `modules` are what they are imported as, `purpose` what needs them.

    `besides` is a module that no extra can bring, and the command that installs it. The extra of a `framework` is for
    those who work in it already, and not part of the extra `all`.
    """

    name: str
    purpose: str
    modules: Sequence[str]
    besides: Sequence[str] = ()
    framework: bool = False

    @property
    def command(self) -> str:
        """The command that installs it."""
        return f"pip install 'phrasemill[{self.name}]'" + (f", then {self.besides[1]}" if self.besides else "")

    @property
    def missing(self) -> tuple[str, ...]:
        """The modules that are not installed."""
        return tuple(module for module in (*self.modules, *self.besides[:1]) if find_spec(module) is None)


class Facts(NamedTuple):
    """The facts of one method; None for what was not measured, or depends on the model that one trains.

    `speed` is abstracts per second on one core; `indexers` and `authors` are F1@10, in per cent, against the choice of
    each. `learns` is whether it was trained on what people chose: `nothing`, `shipped` (it comes trained), or `yours`.
    `megabytes` is the size of the model it reads, `install` what must be installed besides the package.
    """

    speed: float | None = None
    indexers: float | None = None
    authors: float | None = None
    learns: str = NOTHING
    megabytes: float = 0
    install: str = ""

    @property
    def pace(self) -> str:
        """The speed in a word."""
        if self.speed is None:
            return ""
        return next(word for least, word in PACES if self.speed >= least)

    @property
    def rate(self) -> str:
        """The speed as pages show it, or nothing."""
        return "" if self.speed is None else f"{self.speed:,}"

    @property
    def quality(self) -> float | None:
        """The mean of both scores."""
        if self.indexers is None or self.authors is None:
            return None
        return (self.indexers + self.authors) / 2

    def record(self) -> dict[str, object]:
        """Return the facts as JSON has them."""
        return self._asdict() | {"pace": self.pace}


class MethodInfo(NamedTuple):
    """One method: what it does, its figures, and whether it can run here.

    `missing` are the modules that it lacks, and `install` is the command that installs them.
    """

    name: str
    summary: str
    paper: str
    needs: str
    for_sets: bool
    facts: Facts
    missing: tuple[str, ...] = ()
    install: str = ""

    @property
    def installed(self) -> bool:
        return not self.missing


@cache
def table() -> dict[str, dict[str, Any]]:
    """Return the table: rows by name, in the sections `methods`, `sets`, `extras` and `weights`."""
    import tomllib

    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def row(name: str) -> dict[str, Any]:
    """Return the row of a method; that of one that others registered is empty."""
    found: dict[str, Any] = table()["methods"].get(name) or table()["sets"].get(name, {})
    return found


@cache
def extras() -> dict[str, Extra]:
    """Return the extras by name."""
    rows = table()["extras"].items()
    return {
        name: Extra(name, row["purpose"], row["modules"], row.get("besides", ()), row.get("framework", False))
        for name, row in rows
    }


def trainers() -> dict[str, str]:
    """Return the classes that train methods, by the names of the methods."""
    return {name: row["trainer"] for name, row in table()["methods"].items() if "trainer" in row}


def styles() -> dict[str, tuple[str, ...]]:
    """Return the styles of the methods that have some, by name."""
    rows = table()["methods"] | table()["sets"]
    return {name: tuple(row["styles"]) for name, row in sorted(rows.items()) if "styles" in row}


@cache
def _figures() -> dict[str, dict[str, Any]]:
    measured = json.loads(FIGURES.read_text(encoding="utf-8"))["methods"]
    return {name: {key: value for key, value in row.items() if key != "run"} for name, row in measured.items()}


def facts_of(name: str) -> Facts:
    """Return the facts of a method; those of methods that others registered are empty."""
    about = row(name)
    install = extras()[about["extra"]].command if "extra" in about else ""
    needs = {key: about[key] for key in ("learns", "megabytes") if key in about}
    return Facts(**_figures().get(name, {}), **needs, install=install)


def fastest(names: Iterable[str]) -> str:
    """Return the fastest of `names`."""
    return max(names, key=lambda name: facts_of(name).speed or 0)


def best(names: Iterable[str]) -> str:
    """Return the one of `names` with the highest quality."""
    return max(names, key=lambda name: facts_of(name).quality or 0)


def methods() -> list[MethodInfo]:
    """Return all methods, best first. Methods without figures follow by name, and methods for sets come last."""
    single = [_info(entry, for_sets=False) for entry in METHODS.describe()]
    sets = [_info(entry, for_sets=True) for entry in SET_METHODS.describe()]
    return sorted(single, key=lambda info: (-(info.facts.quality or 0.0), info.name)) + sets


def _info(entry: Entry, *, for_sets: bool) -> MethodInfo:
    extra = extras().get(row(entry.name).get("extra", ""))
    needs = "; ".join(filter(None, [entry.needs, f"extra {extra.name}" if extra else ""]))
    missing, install = (extra.missing, extra.command) if extra else ((), "")
    for file, method in table()["weights"].items():
        if method == entry.name and not separate(file).exists():
            missing, install = (*missing, "its weights"), f"{install}, then {how_to_install(file)}"
    return MethodInfo(entry.name, entry.summary, entry.paper, needs, for_sets, facts_of(entry.name), missing, install)
