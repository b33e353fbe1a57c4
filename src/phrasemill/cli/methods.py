"""`methods`: the methods that people choose among, with their figures, and all others on request."""

from typing import Annotated

from phrasemill.catalogue import METHODS, SHIPPED, YOURS, Facts, MethodInfo, best
from phrasemill.catalogue import methods as all_methods
from phrasemill.cli import app, options
from phrasemill.cli.options import Option
from phrasemill.cli.output import Part, View, show
from phrasemill.files.tables import Table
from phrasemill.options import DEFAULT_METHOD
from phrasemill.sets import DEFAULT_SET_METHOD

EXAMPLES = """[bold]Examples[/bold]
  phrasemill methods
  phrasemill methods --all
  phrasemill methods --all --format json"""
OTHERS = {"generator": "New phrases, too", "positionrank": "Without a model", "yake": "Well known"}
HEADER = ("method", "what it does", "texts/s", "F1@10", "model")
LEGEND = f"""texts/s: abstracts per second on one core. F1@10: on abstracts with indexers' / authors' keyphrases.
model: trained = on keyphrases that people chose; yours = you train it.
For sets of documents: {DEFAULT_SET_METHOD}."""
MORE = "phrasemill methods --all has all."
UNKNOWN = "–"


@options.command(app, EXAMPLES)
def methods(
    every: Annotated[bool, Option("--all", "List all methods, with their papers and what they need.")] = False,
    format: options.ListFormat = "table",
) -> int:
    """List the methods to choose among: what each does, its speed and its quality. Those for sets come last."""
    chosen = {DEFAULT_METHOD: "Fast, the default", best(METHODS.names()): "Best", **OTHERS}
    known = all_methods()
    listed = known if every else [one for name in chosen for one in known if one.name == name]

    def table(shown: list[MethodInfo]) -> list[Part]:
        rows = [(one.name, _about(one, chosen.get(one.name), every=every), *_figures(one.facts)) for one in shown]
        install = [f"To install what {one.name} needs: {one.install}" for one in shown if not one.installed]
        more = ["phrasemill doctor prints the command for each extra."] if every else [*install, MORE]
        return [Table("", HEADER, rows), "\n".join([LEGEND, *more])]

    show([listed], View(table=table, record=lambda shown: [_record(one) for one in shown]), format)
    return 0


def _record(one: MethodInfo) -> dict[str, object]:
    known = {"name": one.name, "summary": one.summary, "paper": one.paper, "needs": one.needs}
    return known | {"installed": one.installed} | one.facts.record()


def _about(one: MethodInfo, word: str | None, *, every: bool) -> str:
    more = [one.paper, f"needs {one.needs}" if one.needs else "", "" if one.installed else "not installed"]
    told = "; ".join(filter(None, more)) if every else ""
    return (f"{word}: " if word else "") + one.summary + (f" ({told})" if told else "")


def _figures(facts: Facts) -> tuple[str, str, str]:
    """Return speed, quality, and the size of the model and whether it was trained on what people chose."""
    scores = [UNKNOWN if value is None else f"{value:.1f}" for value in (facts.indexers, facts.authors)]
    size = f"{facts.megabytes:g} MB" if facts.megabytes else ""
    trained = ", ".join(filter(None, ["trained" if facts.learns == SHIPPED else "", size])) or "none"
    quality = UNKNOWN if scores == [UNKNOWN, UNKNOWN] else " / ".join(scores)
    return facts.rate or UNKNOWN, quality, "yours" if facts.learns == YOURS else trained
