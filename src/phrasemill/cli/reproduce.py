"""`reproduce`: the tables of the papers, published figures beside ours."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import formats, options

if TYPE_CHECKING:
    from phrasemill.tables import Table

FORMATS = ("table", "md", "csv", "latex", "json")
EXAMPLES = """[bold]Examples[/bold]
  phrasemill reproduce
  phrasemill reproduce mkduc01-table2 --data data/
  phrasemill reproduce semeval2010-table3 pubmedake-table2 --data data/ --format md -o tables.md
  phrasemill reproduce catseqd-table2 --data data/ --models models/ --methods CatSeqD,generator --documents 100
  phrasemill reproduce mkduc01-outputs mkduc01-outputs-table3 --data data/
  phrasemill reproduce semeval2010-ranks --predictions a.txt --predictions b.txt --gold test.reader.stem.final
  phrasemill reproduce ngram-metrics-table3 --data data/ --format json"""

optional = partial(typer.Option, show_default=False)
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="Tables; without a name they are listed.", show_default=False),
]
Data = Annotated[str, typer.Option("--data", "-d", metavar="DIR", help="The folder with the datasets.")]
Models = Annotated[str | None, optional("--models", metavar="DIR", help="A folder of models that do not ship.")]
Documents = Annotated[str | None, optional("--documents", metavar="N", help="Only the first N, to try things out.")]
METHODS_HELP = "Rows of the catseqd tables, or specs."
Methods = Annotated[list[str] | None, optional("--methods", "-m", metavar="ROWS", help=METHODS_HELP)]
PREDICTIONS_HELP = (
    "Lists for a row of the catseqd tables (NAME:greedy and NAME:top for Table 4), or for semeval2010-ranks."
)
Predictions = Annotated[list[str] | None, optional("--predictions", metavar="NAME=FILE", help=PREDICTIONS_HELP)]
GOLD_HELP = "An answer key for semeval2010-ranks."
Gold = Annotated[list[Path] | None, optional("--gold", "-g", metavar="FILE", help=GOLD_HELP)]
Save = Annotated[str | None, optional("--save", metavar="DIR", help="Write the lists of the catseqd tables there.")]
Format = Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="table, md, csv, latex or json.")]
Output = Annotated[str | None, optional("--output", "-o", metavar="FILE", help="Write there.")]


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(reproduce)


def reproduce(
    names: Names = None,
    data: Data = ".",
    models: Models = None,
    documents: Documents = None,
    methods: Methods = None,
    predictions: Predictions = None,
    gold: Gold = None,
    save: Save = None,
    format: Format = "table",
    output: Output = None,
) -> int:
    """Reproduce the tables of the papers: the published figures, ours, and the difference."""
    import tempfile

    from phrasemill.cli import grids
    from phrasemill.cli.progress import progress_bar
    from phrasemill.errors import ConfigError
    from phrasemill.lab.papers import Setting, entry, reproduce

    options.one_of(format, FORMATS, "--format")
    if not names:
        return _listed(format)
    most = None if documents is None else options.number(documents, int, "--documents must be a whole number")
    if most is not None and most < 1:
        raise ConfigError(f"--documents must be at least 1, got {most}")
    for name in names:
        entry(name)
    with tempfile.TemporaryDirectory() as scratch, progress_bar() as progress:

        def watch(step: str, done: int, total: int) -> None:
            progress("Working", done, total, step)

        setting = Setting(
            data=Path(data),
            scratch=Path(scratch),
            models=Path(models) if models else None,
            documents=most,
            methods=tuple(methods or ()),
            predictions=tuple(predictions or ()),
            gold=tuple(gold or ()),
            save=Path(save) if save else None,
            progress=watch,
        )
        made = [reproduce(name, setting) for name in names]
    target = Path(output) if output else None
    if format == "json":
        text = formats.to_json([one.record() for one in made], "utf-8" if target else sys.stdout.encoding, indent=2)
        formats.write(text + "\n", target)
    else:
        tables = [table for one in made for table in one.tables()]
        grids.show(lambda room: tables, "markdown" if format == "md" else format, target)
    return 1 if any(one.failed for one in made) else 0


def _listed(format: str) -> int:
    from phrasemill.cli import grids
    from phrasemill.lab.papers import ENTRIES

    if format == "json":
        rows = [
            {"name": one.name, "title": one.table.title, "paper": one.table.paper, "source": one.table.source}
            | {"needs": one.needs, "minutes": one.minutes}
            for one in ENTRIES
        ]
        print(formats.to_json(rows, sys.stdout.encoding, indent=2))
    else:
        grids.show(lambda room: _list_grid(), "markdown" if format == "md" else format, None)
    return 0


def _list_grid() -> "Table":
    from phrasemill.lab.papers import ENTRIES
    from phrasemill.tables import Table

    header = ("name", "what", "minutes", "needs")
    rows = [(one.name, one.table.title, one.minutes, one.needs) for one in ENTRIES]
    note = "Minutes are of one core; needs are datasets (phrasemill datasets) or files in --data."
    return Table("", header, tuple(rows), (note,), words=True)
