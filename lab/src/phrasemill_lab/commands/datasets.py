"""`dataset list`, `dataset show` and `dataset convert`: public datasets on the command line.

What a command needs is imported when it runs, so that the others start fast.
"""

import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import grids, options
from phrasemill.cli.formats import write_json
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.progress import watched
from phrasemill.cli.reading import Failures, complain
from phrasemill.errors import ConfigError, DataError
from phrasemill_lab.commands.building import building

if TYPE_CHECKING:
    from phrasemill.tables import Table
    from phrasemill.types import Document

PREPARATION = "Preparation"
SHOW_FORMATS = ("table", "json", "csv", "markdown", "latex")

LIST_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset list
  phrasemill dataset list --format json"""
GROUP_EXAMPLES = """[bold]Try it[/bold]
  phrasemill dataset list
  phrasemill dataset show inspec --root data/
  phrasemill dataset convert --help"""
SHOW_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset show inspec --root data/
  phrasemill dataset show semeval2010 --root SemEval2010/ --split test --gold reader
  phrasemill dataset show kp20k --root kp20k_testing.json --format json"""
CONVERT_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset convert kp20k_training.json --to jsonl -o kp20k_train.jsonl.gz
  phrasemill dataset convert Inspec/test --from corenlp --to json -o inspec_testing.json
  phrasemill dataset convert train.jsonl --to pairs -o data/train --segment --lowercase --mask-digits --drop-empty
  phrasemill dataset convert train.jsonl --to jsonl -o clean.jsonl --without test.jsonl"""

LAYOUT_HELP = "Which layout to read, if there are files in several."
WITHOUT_HELP = "Leave out near-duplicates of the documents in this test set. May be repeated."
NEAR_HELP = "The fraction of words that near-duplicates share."

app = typer.Typer()
group = options.group("dataset", "List, show, convert or build datasets.", GROUP_EXAMPLES)
app.add_typer(group)

Gold = Annotated[str | None, Option("--gold -g NAME", "Which gold to use, if there are several: author, reader …")]
OnError = Annotated[str, Option("--on-error POLICY", "What to do with malformed records: refuse, skip or report.")]


@options.command(group, LIST_EXAMPLES, name="list")
def list_datasets(format: options.ListFormat = "table") -> int:
    """List the public datasets that can be read, with their splits and the papers to cite."""
    from phrasemill_lab.datasets import catalog, tables

    entries = list(catalog.datasets())
    if format == "json":
        write_json(tables.catalog_records(entries))
    else:
        grids.show(lambda room: tables.catalog_grid(entries), "table", None)
    return 0


@options.command(group, SHOW_EXAMPLES)
def show(
    name: Annotated[str, Option("NAME", "A dataset from [bold]phrasemill dataset list[/bold].")],
    root: Annotated[str, Option("--root -r DIR", "The folder with its files, or one file.")] = ".",
    split: Annotated[str | None, Option("--split -s NAME", "The split, such as test; by default all.")] = None,
    gold: Gold = None,
    layout: Annotated[str | None, Option("--layout LAYOUT", LAYOUT_HELP)] = None,
    on_error: OnError = "report",
    format: Annotated[str, Option("--format -f FORMAT", choices=SHOW_FORMATS)] = "table",
) -> int:
    """Print the statistics of a dataset, and where they differ from the published ones."""
    from dataclasses import asdict

    from phrasemill_lab.datasets import load_dataset, tables
    from phrasemill_lab.datasets.statistics import Counting

    problems = Failures()
    documents = load_dataset(name, root, split=split, layout=layout, gold=gold, on_error=on_error, report=problems)
    counting: dict[str, Counting] = {}
    for document in watched(documents, f"Reading {name}"):
        counting.setdefault(str(document.metadata.get("split", "all")), Counting()).add(document)
    problems.close()
    counted = {name: one.statistics for name, one in counting.items()}
    if format == "json":
        write_json({key: asdict(one) for key, one in counted.items()})
    elif counted:
        made = tables.grids(counted, title=f"{name}{f', gold {gold}' if gold else ''}") + _sets(name, root)
        grids.show(lambda room: made, format, None)
    else:
        print("no documents")
    return 0


def _sets(name: str, root: str) -> "list[Table]":
    """Return the table of its paper for the dataset of document sets, if the documents are there."""
    from phrasemill_lab.datasets import dataset, load_topics, tables

    if dataset(name).name != "mkduc01" or not Path(root).is_dir():
        return []
    try:
        groups = list(load_topics(name, root, check="off"))
        return [tables.sets_grid(groups, title="Document sets (Shapira et al., 2021, Table 1)")]
    except DataError as error:
        complain(f"no table of its document sets: {error}")
        return []


@options.command(group, CONVERT_EXAMPLES)
def convert(
    sources: Annotated[
        list[Path], Option("SOURCE", "Files to convert, or folders for layouts that consist of folders.")
    ],
    to: Annotated[str, Option("--to LAYOUT", "jsonl, json, pairs or pubmedake.", OUTPUT)],
    output: Annotated[
        Path, Option("--output -o FILE", "The file to write; a name in .gz or .xz is compressed.", OUTPUT)
    ],
    layout: Annotated[
        str | None, Option("--from LAYOUT", "The layout of the sources; by default it is detected.", INPUT)
    ] = None,
    gold: Gold = None,
    on_error: OnError = "refuse",
    segment: Annotated[
        bool, Option("--segment", "Separate words and punctuation; hyphens become spaces.", PREPARATION)
    ] = False,
    lowercase: Annotated[bool, Option("--lowercase", "Convert everything to lower case.", PREPARATION)] = False,
    mask_digits: Annotated[bool, Option("--mask-digits", "Replace numbers with <digit>.", PREPARATION)] = False,
    order: Annotated[
        bool, Option("--order", "Sort keyphrases: present ones in order of occurrence, then absent ones.", PREPARATION)
    ] = False,
    drop_empty: Annotated[bool, Option("--drop-empty", "Leave out documents without keyphrases.", PREPARATION)] = False,
    without: Annotated[list[str] | None, Option("--without FILE", WITHOUT_HELP, PREPARATION)] = None,
    threshold: Annotated[float, Option("--threshold FRACTION", NEAR_HELP, PREPARATION)] = 0.7,
) -> int:
    """Convert between layouts, and prepare documents for training."""
    from phrasemill_lab.datasets import layouts, pairs, preparation, read_layout
    from phrasemill_lab.datasets.duplicates import TestSet
    from phrasemill_lab.datasets.problems import Problems

    target = layouts.find_layout(to)
    Problems(on_error)  # refuses an unknown policy before anything is read
    if output.resolve() in [source.resolve() for source in sources]:
        raise ConfigError(f"{output} is also a source; name another `--output`")
    problems = Failures()
    prepared: Iterable[Document] = (
        document
        for source in sources
        for document in read_layout(source, layout=layout, gold=gold, on_error=on_error, report=problems)
    )
    removed = TestSet(chain.from_iterable(map(read_layout, without)), threshold=threshold) if without else None
    if removed:
        prepared = removed.without(prepared)
    steps = [
        (segment, preparation.segmented),
        (lowercase, preparation.lowercased),
        (mask_digits, preparation.masked),
        (order, preparation.ordered),
    ]
    for wanted, step in steps:
        prepared = map(step, prepared) if wanted else prepared
    if drop_empty:
        prepared = (document for document in prepared if document.references)
    count = target.write(watched(prepared, "Converting"), output)
    problems.close()
    left_out = f"; {len(removed.removed):,} near-duplicates of the test set left out" if removed else ""
    where = " and ".join(map(str, pairs.names(output))) if target.name == "pairs" else output
    print(f"{count:,} document{'s' if count != 1 else ''} written to {where}{left_out}", file=sys.stderr)
    return 0


group.add_typer(building)
