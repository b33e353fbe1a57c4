"""`reproduce`: the tables of the papers, published figures beside ours."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import grids, options
from phrasemill.cli.formats import write_json
from phrasemill.cli.options import Option
from phrasemill.cli.progress import progress_bar

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

PREDICTIONS_HELP = (
    "Lists for a row of the catseqd tables (NAME:greedy and NAME:top for Table 4), or for semeval2010-ranks."
)

app = typer.Typer()


@options.command(app, EXAMPLES)
def reproduce(
    names: Annotated[list[str] | None, Option("NAME", "Tables; without a name they are listed.")] = None,
    data: Annotated[Path, Option("--data -d DIR", "The folder with the datasets.")] = Path(),
    models: Annotated[Path | None, Option("--models DIR", "A folder of models that do not ship.")] = None,
    documents: Annotated[int | None, Option("--documents N", "Only the first N, to try things out.", least=1)] = None,
    methods: Annotated[list[str] | None, Option("--methods -m ROWS", "Rows of the catseqd tables, or specs.")] = None,
    predictions: Annotated[list[str] | None, Option("--predictions NAME=FILE", PREDICTIONS_HELP)] = None,
    gold: Annotated[list[Path] | None, Option("--gold -g FILE", "An answer key for semeval2010-ranks.")] = None,
    save: Annotated[Path | None, Option("--save DIR", "Write the lists of the catseqd tables there.")] = None,
    format: Annotated[str, Option("--format -f FORMAT", choices=FORMATS)] = "table",
    output: Annotated[Path | None, Option("--output -o FILE", "Write there.")] = None,
) -> int:
    """Reproduce the tables of the papers: the published figures, ours, and the difference."""
    import tempfile

    from phrasemill.lab.papers import Setting, entry, reproduce

    if not names:
        return _listed(format)
    for name in names:
        entry(name)
    with tempfile.TemporaryDirectory() as scratch, progress_bar() as progress:

        def watch(step: str, done: int, total: int) -> None:
            progress("Working", done, total, step)

        setting = Setting(
            data=data,
            scratch=Path(scratch),
            models=models,
            documents=documents,
            methods=tuple(methods or ()),
            predictions=tuple(predictions or ()),
            gold=tuple(gold or ()),
            save=save,
            progress=watch,
        )
        made = [reproduce(name, setting) for name in names]
    if format == "json":
        write_json([one.record() for one in made], output)
    else:
        tables = [table for one in made for table in one.tables()]
        grids.show(lambda room: tables, "markdown" if format == "md" else format, output)
    return 1 if any(one.failed for one in made) else 0


def _listed(format: str) -> int:
    from phrasemill.lab.papers import ENTRIES

    if format == "json":
        write_json(
            [
                {"name": one.name, "title": one.table.title, "paper": one.table.paper, "source": one.table.source}
                | {"needs": one.needs, "minutes": one.minutes}
                for one in ENTRIES
            ]
        )
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
