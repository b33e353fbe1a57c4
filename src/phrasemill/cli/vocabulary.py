"""`vocabulary`: what is in a vocabulary, and what is wrong with it."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.formats import one_line, write_json
from phrasemill.cli.options import Option
from phrasemill.files.tables import align

if TYPE_CHECKING:
    from phrasemill.vocabulary.checking import Checked

CHECK_EXAMPLES = """[bold]Examples[/bold]
  phrasemill vocabulary check thesaurus.ttl
  phrasemill vocabulary check terms.csv --show all
  phrasemill vocabulary check thesaurus.rdf --format json"""
SHOW_HELP = "How many problems of each kind to print: a count, or all."

app = typer.Typer()
group = options.group("vocabulary", "Work with controlled vocabularies.")
app.add_typer(group)


@options.command(group, CHECK_EXAMPLES)
def check(
    file: Annotated[Path, Option("FILE", "A list, a table or SKOS, as for extract --vocabulary.")],
    show: Annotated[int | None, Option("--show N", SHOW_HELP, options.OUTPUT, least=0, none="all")] = 5,
    format: options.ListFormat = "table",
) -> int:
    """Count the contents of a vocabulary and report its errors. If there are any, the exit code is 1.

    These are errors: a concept without a label, several preferred labels in one language, a label without words, a
    circle of broader concepts, a reference to a missing concept, and a preferred label that two concepts share.
    """
    from phrasemill.vocabulary import read_vocabulary
    from phrasemill.vocabulary.checking import check as checked

    found = checked(read_vocabulary(file))
    if format == "json":
        write_json(
            {
                "file": str(file),
                "figures": found.figures,
                "languages": found.languages,
                "errors": found.errors,
                "problems": [problem._asdict() for problem in found.problems],
            }
        )
    else:
        print(_described(found, show), end="")
    return 1 if found.errors else 0


def _described(found: "Checked", show: int | None) -> str:
    rows = [(name, f"{count:,}") for name, count in found.figures.items()]
    rows += [(f"labels in {code or 'no language'}", f"{count:,}") for code, count in found.languages.items()]
    lines = [align(rows)]
    for kind, total in Counter((one.severity, one.kind) for one in found.problems).items():
        of_kind = [problem for problem in found.problems if (problem.severity, problem.kind) == kind]
        lines.append(f"\n{kind[0]}: {kind[1]} ({total:,})\n")
        lines += [f"  {one_line(problem.words)}\n" for problem in of_kind[:show]]
        if show is not None and total > show:
            lines.append(f"  and {total - show:,} more\n")
    warnings = len(found.problems) - found.errors
    lines.append(f"\n{_number(found.errors, 'error')}, {_number(warnings, 'warning')}\n")
    return "".join(lines)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s" if count else f"no {noun}s"
