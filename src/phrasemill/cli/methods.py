"""`methods`: each method with its figures, and which one to use."""

from collections.abc import Sequence
from typing import NamedTuple

import typer

from phrasemill.catalogue import METHODS, SHIPPED, YOURS, Facts, MethodInfo, best, facts_of, fastest
from phrasemill.catalogue import methods as all_methods
from phrasemill.cli import formats, options
from phrasemill.files.tables import align
from phrasemill.options import DEFAULT_METHOD
from phrasemill.sets import DEFAULT_SET_METHOD

EXAMPLES = """[bold]Examples[/bold]
  phrasemill methods
  phrasemill methods --format json"""
HEADER = ("name", "what it does", "abstracts/s", "F1@10", "model", "installed", "needs", "paper")
RIGHT = (2, 3)  # columns of numbers
UNKNOWN = "–"

app = typer.Typer()


class MethodRow(NamedTuple):
    """One method, as text."""

    name: str
    summary: str
    speed: str
    quality: str
    model: str
    installed: str
    needs: str
    paper: str


@options.command(app, EXAMPLES)
def methods(format: options.ListFormat = "table") -> int:
    """List the methods, best first: what each does, its figures and its requirements. Methods for sets come last."""
    if format == "json":
        formats.write_json(records())
    elif formats.on_screen():
        from phrasemill.cli import screen

        screen.methods()
    else:
        print(align([HEADER, *rows()], right=RIGHT))
        print(*legend(), sep="\n")
    return 0


def records() -> list[dict[str, object]]:
    """Return the methods as JSON has them."""
    return [
        {"name": one.name, "summary": one.summary, "paper": one.paper, "needs": one.needs, "installed": one.installed}
        | one.facts.record()
        for one in all_methods()
    ]


def rows() -> list[MethodRow]:
    return [_row(info) for info in all_methods()]


def _row(info: MethodInfo) -> MethodRow:
    facts = info.facts
    both = f"{_figure(facts.indexers)} / {_figure(facts.authors)}"
    return MethodRow(
        info.name,
        info.summary,
        facts.rate or UNKNOWN,
        UNKNOWN if facts.indexers is None and facts.authors is None else both,
        _model(facts),
        "yes" if info.installed else "no",
        info.needs,
        info.paper,
    )


def _figure(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}"


def _model(facts: Facts) -> str:
    """Return the size of the model, and whether it was trained on what people chose."""
    if facts.learns == YOURS:
        return "yours"
    size = f"{facts.megabytes:g} MB" if facts.megabytes else ""
    return ", ".join(filter(None, ["trained" if facts.learns == SHIPPED else "", size])) or "none"


def origin(row: MethodRow) -> str:
    """Return the paper, what is needed, and whether it is missing."""
    absent = "not installed" if row.installed == "no" else ""
    return "; ".join(filter(None, [row.paper, f"needs {row.needs}" if row.needs else "", absent]))


def below(row: MethodRow) -> list[str]:
    """Return the lines below the summary of a method, where there is no space for columns."""
    speed = f"{row.speed} abstracts/s" if row.speed != UNKNOWN else ""
    quality = f"F1@10 {row.quality}" if row.quality != UNKNOWN else ""
    model = f"model: {row.model}" if row.model != "none" else ""
    return [line for line in (origin(row), "; ".join(filter(None, [speed, quality, model]))) if line]


def legend() -> list[str]:
    """Return how to read the columns, and which method to use."""
    return [
        "abstracts/s: on one core. F1@10: on 500 abstracts with indexers' phrases (Inspec) / 500 with authors' "
        "keywords (development splits). model: its size; trained = on keyphrases that people "
        "chose; yours = you train it.",
        *recommendation(METHODS.names()),
        "To install what is missing, see phrasemill doctor, which prints the command for each extra.",
    ]


def recommendation(names: Sequence[str]) -> list[str]:
    """Return which methods to use, by their figures."""
    good = best(names)
    return [
        f"Default: {_figures(DEFAULT_METHOD)}.",
        f"Fastest: {_figures(fastest(names))}.",
        f"Best:    {'the default' if good == DEFAULT_METHOD else _figures(good)}.",
        f"For sets of documents: {DEFAULT_SET_METHOD}.",
    ]


def _figures(name: str) -> str:
    row = _row(MethodInfo(name, "", "", "", False, facts_of(name)))
    return f"{name}, {row.speed} abstracts/s, F1@10 {row.quality}"
