"""`vocabulary`: what is in a vocabulary, and what is wrong with it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.options import Option
from phrasemill.cli.output import Part, View, show
from phrasemill.files.tables import Table, one_line

if TYPE_CHECKING:
    from phrasemill.vocabulary.checking import Checked

EXAMPLES = """[bold]Examples[/bold]
  phrasemill vocabulary thesaurus.ttl
  phrasemill vocabulary terms.csv --show all
  phrasemill vocabulary thesaurus.rdf --format json"""
SHOW_HELP = "How many problems of each kind to print: a count, or all."

app = typer.Typer()


@options.command(app, EXAMPLES)
def vocabulary(
    file: Annotated[Path, Option("FILE", "A list, a table or SKOS, as for extract --vocabulary.")],
    most: Annotated[int | None, Option("--show N", SHOW_HELP, options.OUTPUT, least=0, none="all")] = 5,
    format: options.ListFormat = "table",
) -> int:
    """Count the contents of a vocabulary and report its errors. If there are any, the exit code is 1.

    These are errors: a concept without a label, several preferred labels in one language, a label without words, a
    circle of broader concepts, a reference to a missing concept, and a preferred label that two concepts share.
    """
    from phrasemill.vocabulary import read_vocabulary
    from phrasemill.vocabulary.checking import check

    def record(found: "Checked") -> dict[str, object]:
        known = {"file": str(file), "figures": found.figures, "languages": found.languages, "errors": found.errors}
        return known | {"problems": [problem._asdict() for problem in found.problems]}

    checked = check(read_vocabulary(file))
    show([checked], View(table=lambda found: _described(found, most), record=record), format)
    return 1 if checked.errors else 0


def _described(found: "Checked", most: int | None) -> Iterator[Part]:
    labels = [(f"labels in {code or 'no language'}", count) for code, count in found.languages.items()]
    yield Table("", (), [*found.figures.items(), *labels])
    for (severity, kind), total in Counter((one.severity, one.kind) for one in found.problems).items():
        of_kind = [problem.words for problem in found.problems if (problem.severity, problem.kind) == (severity, kind)]
        lines = [f"{severity}: {kind} ({total:,})", *(f"  {one_line(words)}" for words in of_kind[:most])]
        if most is not None and total > most:
            lines.append(f"  and {total - most:,} more")
        yield "\n".join(lines)
    yield f"{_number(found.errors, 'error')}, {_number(len(found.problems) - found.errors, 'warning')}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s" if count else f"no {noun}s"
