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
  phrasemill reproduce --verdicts
  phrasemill reproduce mkduc01 --verdicts --format md
  phrasemill reproduce mkduc01-table2 --data data/
  phrasemill reproduce semeval2010-table3 pubmedake-table2 --data data/ --format md -o tables.md
  phrasemill reproduce catseqd-table2 --data data/ --models models/ --methods CatSeqD,generator --documents 100
  phrasemill reproduce mkduc01-outputs mkduc01-outputs-table3 --data data/
  phrasemill reproduce semeval2010-ranks --predictions a.txt --predictions b.txt --gold test.reader.stem.final
  phrasemill reproduce ngram-metrics-table3 --data data/ --format json
  phrasemill reproduce all --data data/ --keep measured/"""

PREDICTIONS_HELP = (
    "Ranked lists for a row of the catseqd tables (NAME:greedy and NAME:top for Table 4), or for semeval2010-ranks."
)

NAMES_HELP = "Tables, papers (mkduc01 for all its tables) or `all`. Without a name, the tables are listed."
VERDICTS_HELP = "Compare every metric, protocol and published figure with ours, as last measured: same or not, and why."

app = typer.Typer()


@options.command(app, EXAMPLES)
def reproduce(
    names: Annotated[list[str] | None, Option("NAME", NAMES_HELP)] = None,
    data: Annotated[Path, Option("--data -d DIR", "The folder with the datasets.")] = Path(),
    models: Annotated[Path | None, Option("--models DIR", "A folder with models that are not in the package.")] = None,
    documents: Annotated[
        int | None, Option("--documents N", "Use only the first N documents, for a quick look.", least=1)
    ] = None,
    methods: Annotated[
        list[str] | None, Option("--methods -m ROWS", "The rows of the catseqd tables to compute, or specs of methods.")
    ] = None,
    predictions: Annotated[list[str] | None, Option("--predictions NAME=FILE", PREDICTIONS_HELP)] = None,
    gold: Annotated[list[Path] | None, Option("--gold -g FILE", "An answer key for semeval2010-ranks.")] = None,
    save: Annotated[
        Path | None, Option("--save DIR", "Write the ranked lists of the catseqd tables to this folder.")
    ] = None,
    verdicts: Annotated[bool, Option("--verdicts", VERDICTS_HELP)] = False,
    keep: Annotated[Path | None, Option("--keep DIR", "Write our figures to this folder, for --verdicts.")] = None,
    measured: Annotated[Path | None, Option("--measured DIR", "The folder written by --keep, for --verdicts.")] = None,
    format: Annotated[str, Option("--format -f FORMAT", choices=FORMATS)] = "table",
    output: Annotated[Path | None, Option("--output -o FILE", "Write to this file instead of the screen.")] = None,
) -> int:
    """Reproduce published tables: the published figures, ours, and the difference."""
    import tempfile

    from phrasemill.errors import ConfigError
    from phrasemill_lab.papers import Setting, entries, reproduce
    from phrasemill_lab.papers.verdicts import keep as keep_figures

    if keep is not None and documents is not None:
        raise ConfigError("--keep is for figures of whole datasets; leave out --documents")
    if verdicts:
        return _verdicts(names or ["all"], measured, format, output)
    if not names:
        return _listed(format)
    chosen = list(dict.fromkeys(one.name for name in names for one in entries(name)))
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
        made = [reproduce(name, setting) for name in chosen]
    if keep is not None:
        for one in made:
            keep_figures(one, keep)
    if format == "json":
        write_json([one.record() for one in made], output)
    else:
        tables = [table for one in made for table in one.tables()]
        grids.show(lambda room: tables, "markdown" if format == "md" else format, output)
    return 1 if any(one.failed for one in made) else 0


def _verdicts(names: list[str], measured: Path | None, format: str, output: Path | None) -> int:
    from phrasemill_lab.papers import PAPERS, entries
    from phrasemill_lab.papers.protocols import protocols
    from phrasemill_lab.papers.verdicts import MEASURED, paper_verdicts, verdict_table

    tables = {one.name for name in names for one in entries(name)}
    rows = {paper: paper_verdicts(paper, tables, measured or MEASURED) for paper in PAPERS}
    whole = {paper for paper in PAPERS if {one.name for one in entries(paper)} <= tables}
    described = {paper: protocols(paper) if paper in whole else () for paper in PAPERS}
    if format == "json":
        records = [one.record() for found in described.values() for one in found]
        write_json(records + [row.record() for found in rows.values() for row in found], output)
    else:
        shown = [verdict_table(paper, found, described[paper]) for paper, found in rows.items() if found]
        grids.show(lambda room: shown, "markdown" if format == "md" else format, output)
    return 0


def _listed(format: str) -> int:
    from phrasemill_lab.papers import ENTRIES

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
    from phrasemill.tables import Table
    from phrasemill_lab.papers import ENTRIES

    header = ("name", "what", "minutes", "needs")
    rows = [(one.name, one.table.title, one.minutes, one.needs) for one in ENTRIES]
    note = "Minutes are of one core; needs are datasets (phrasemill dataset list) or files in --data."
    return Table("", header, tuple(rows), (note,), words=True)
