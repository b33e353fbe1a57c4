"""`reproduce`: the tables of the papers, published figures beside ours."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.options import Option
from phrasemill.cli.output import progress_bar, show_tables, write_json
from phrasemill.errors import ConfigError
from phrasemill.files.tables import Table

FORMATS = ("table", "md", "csv", "latex", "json")
EXAMPLES = """[bold]Examples[/bold]
  phrasemill reproduce
  phrasemill reproduce mkduc01 --verdicts --format csv
  phrasemill reproduce mkduc01-table2 --data data/
  phrasemill reproduce semeval2010-table3 pubmedake-table2 --data data/ --format md -o tables.md
  phrasemill reproduce catseqd-table2 --data data/ --models models/ --methods CatSeqD,generator --documents 100
  phrasemill reproduce semeval2010-ranks --predictions a.txt --predictions b.txt --gold test.reader.stem.final
  phrasemill reproduce all --data data/ --keep measured/"""

NAMES_HELP = "Tables, papers (mkduc01 for all its tables) or `all`. Without a name, the tables are listed."
METHODS_HELP = "The rows of the catseqd tables to compute, or specs of methods."
LISTS_HELP = "Keep the ranked lists of the catseqd tables in this folder, and read those that are there."
VERDICTS_HELP = "Compare every metric, protocol and published figure with ours, as last measured: same or not, and why."
KEEP_HELP = "Write our figures to this folder; with --verdicts, read them from there."

app = typer.Typer()


@options.command(app, EXAMPLES)
def reproduce(
    names: Annotated[list[str] | None, Option("NAME", NAMES_HELP)] = None,
    data: Annotated[Path, Option("--data -d DIR", "The folder with the datasets.")] = Path(),
    models: Annotated[Path | None, Option("--models DIR", "A folder with models that are not in the package.")] = None,
    documents: Annotated[
        int | None, Option("--documents N", "Use only the first N documents, for a quick look.", least=1)
    ] = None,
    methods: Annotated[list[str] | None, Option("--methods -m ROWS", METHODS_HELP)] = None,
    lists: Annotated[Path | None, Option("--lists DIR", LISTS_HELP)] = None,
    predictions: Annotated[
        list[str] | None, Option("--predictions NAME=FILE", "Ranked lists of a system, for semeval2010-ranks.")
    ] = None,
    gold: Annotated[list[Path] | None, Option("--gold -g FILE", "An answer key for semeval2010-ranks.")] = None,
    verdicts: Annotated[bool, Option("--verdicts", VERDICTS_HELP)] = False,
    keep: Annotated[Path | None, Option("--keep DIR", KEEP_HELP)] = None,
    format: Annotated[str, Option("--format -f FORMAT", choices=FORMATS)] = "table",
    output: Annotated[Path | None, Option("--output -o FILE", "Write to this file instead of the screen.")] = None,
) -> int:
    """Reproduce the tables of the papers."""
    from phrasemill_lab.papers import PAPERS, Setting, entries, reproduce
    from phrasemill_lab.papers.verdicts import MEASURED, paper_verdicts, verdict_table
    from phrasemill_lab.papers.verdicts import keep as keep_figures

    records: list[dict[str, object]]
    chosen = list(dict.fromkeys(one.name for name in names or ["all"] for one in entries(name)))
    failed = False
    if verdicts:
        rows = {paper: paper_verdicts(paper, chosen, keep or MEASURED) for paper in PAPERS}
        records = [row.record() for found in rows.values() for row in found]
        tables = [verdict_table(paper, found) for paper, found in rows.items() if found]
    elif not names:
        records, tables = _listed()
    else:
        if keep is not None and documents is not None:
            raise ConfigError("--keep is for figures of whole datasets; leave out --documents")
        with tempfile.TemporaryDirectory() as scratch, progress_bar() as progress:
            setting = Setting(
                data=data,
                scratch=Path(scratch),
                models=models,
                documents=documents,
                methods=tuple(methods or ()),
                lists=lists,
                predictions=tuple(predictions or ()),
                gold=tuple(gold or ()),
                progress=lambda step, done, total: progress("Working", done, total, step),
            )
            made = [reproduce(name, setting) for name in chosen]
        if keep is not None:
            for one in made:
                keep_figures(one, keep)
        records = [one.record() for one in made]
        tables = [table for one in made for table in one.tables()]
        failed = any(one.failed for one in made)
    if format == "json":
        write_json(records, output)
    else:
        show_tables(tables, "markdown" if format == "md" else format, output)
    return 1 if failed else 0


def _listed() -> tuple[list[dict[str, object]], list[Table]]:
    """Return what can be reproduced, for JSON and as a table."""
    from phrasemill_lab.papers import ENTRIES

    names = ("name", "title", "paper", "source")
    records: list[dict[str, object]] = [
        {**{name: getattr(one.table, name) for name in names}, "needs": one.needs, "minutes": one.minutes}
        for one in ENTRIES
    ]
    rows = [(one.name, one.table.title, one.minutes, one.needs) for one in ENTRIES]
    note = "Minutes are of one core; needs are datasets (phrasemill dataset list) or files in --data."
    return records, [Table("", ("name", "what", "minutes", "needs"), tuple(rows), (note,))]
