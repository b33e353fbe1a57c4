"""`datasets`, `dataset show` and `dataset convert`: public datasets on the command line.

What a command needs is imported when it runs, so that the others start fast.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import building, formats, options
from phrasemill.cli.progress import watched
from phrasemill.cli.set_building import option
from phrasemill.errors import ConfigError, DataError

if TYPE_CHECKING:
    from phrasemill.lab.datasets.duplicates import TestSet
    from phrasemill.lab.datasets.problems import DatasetProblem
    from phrasemill.tables import Table
    from phrasemill.types import Document

INPUT, PREPARATION, OUTPUT = "Input", "Preparation", "Output"
MOST_REPORTED = 20
SHOW_FORMATS = ("table", "json", "csv", "markdown", "latex")

LIST_EXAMPLES = """[bold]Examples[/bold]
  phrasemill datasets
  phrasemill datasets --format json"""
GROUP_EXAMPLES = """[bold]Try it[/bold]
  phrasemill datasets
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

Name = Annotated[str, typer.Argument(metavar="NAME", help="A dataset; see [bold]phrasemill datasets[/bold].")]
Root = Annotated[str, option("DIR", "Where its files are: a folder, or one file.", None, "--root", "-r")]
SplitName = Annotated[str | None, option("NAME", "Such as test; all by default.", None, "--split", "-s", default=False)]
Gold = Annotated[
    str | None,
    option("NAME", "Which gold, where there are several: author, reader …", None, "--gold", "-g", default=False),
]
LayoutName = Annotated[
    str | None, option("LAYOUT", "Which layout, where there are files of several.", None, "--layout", default=False)
]
OnError = Annotated[str, option("POLICY", "Malformed records: refuse, skip or report.", None, "--on-error")]
ListFormat = Annotated[str, option("FORMAT", "table or json.", None, "--format", "-f")]
ShowFormat = Annotated[str, option("FORMAT", "table, json, csv, markdown or latex.", None, "--format", "-f")]
Sources = Annotated[list[str], typer.Argument(metavar="SOURCE", help="Files; for layouts that are folders, those.")]
From = Annotated[
    str | None,
    option("LAYOUT", "By default guessed from each source.", INPUT, "--from", default=False),
]
To = Annotated[str, option("LAYOUT", "jsonl, json, pairs or pubmedake.", OUTPUT, "--to")]
Output = Annotated[str, option("FILE", "Where to write; .gz and .xz compress.", OUTPUT, "--output", "-o")]


def _flag(name: str, text: str) -> object:
    return option(options.FLAG, text, PREPARATION, name)


Segment = Annotated[bool, _flag("--segment", "Separate words and punctuation; hyphens become spaces.")]
Lowercase = Annotated[bool, _flag("--lowercase", "Convert everything to lower case.")]
MaskDigits = Annotated[bool, _flag("--mask-digits", "Numbers become <digit>.")]
Order = Annotated[bool, _flag("--order", "Present keyphrases first, as they occur; then the absent ones.")]
DropEmpty = Annotated[bool, _flag("--drop-empty", "Leave out documents without keyphrases.")]
Without = Annotated[
    list[str] | None,
    option(
        "FILE",
        "A test set: leave out its near-duplicates. May be given several times.",
        PREPARATION,
        "--without",
        default=False,
    ),
]
Threshold = Annotated[
    str, option("FRACTION", "Fraction of words that near-duplicates have in common.", PREPARATION, "--threshold")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `app`, and below `dataset` those that build."""
    app.command(cls=options.Command, epilog=LIST_EXAMPLES)(datasets)
    group = typer.Typer(
        name="dataset",
        cls=options.Group,
        help="Show, convert or build a dataset.",
        epilog=GROUP_EXAMPLES,
        no_args_is_help=True,
        rich_markup_mode="rich",
    )
    group.command(cls=options.Command, epilog=SHOW_EXAMPLES)(show)
    group.command(cls=options.Command, epilog=CONVERT_EXAMPLES)(convert)
    building.register(group)
    app.add_typer(group)


def datasets(format: ListFormat = "table") -> int:
    """List the public datasets that can be read: what each is, its splits, the papers to cite."""
    from phrasemill.cli import grids
    from phrasemill.lab.datasets import catalog, tables

    entries = list(catalog.datasets())
    if options.one_of(format, options.LIST_FORMATS, "--format") == "json":
        print(formats.to_json(tables.catalog_records(entries), sys.stdout.encoding, indent=2))
    else:
        grids.show(lambda room: tables.catalog_grid(entries), "table", None)
    return 0


def show(
    name: Name,
    root: Root = ".",
    split: SplitName = None,
    gold: Gold = None,
    layout: LayoutName = None,
    on_error: OnError = "report",
    format: ShowFormat = "table",
) -> int:
    """Print the statistics of a dataset, as in the papers' tables, and what differs from what is published."""
    from dataclasses import asdict

    from phrasemill.cli import grids
    from phrasemill.lab.datasets import load_dataset, tables
    from phrasemill.lab.datasets.statistics import Counting

    options.one_of(format, SHOW_FORMATS, "--format")
    reports = _Reports()
    documents = load_dataset(name, root, split=split, layout=layout, gold=gold, on_error=on_error, report=reports)
    counting: dict[str, Counting] = {}
    for document in watched(documents, f"Reading {name}"):
        counting.setdefault(str(document.metadata.get("split", "all")), Counting()).add(document)
    reports.close()
    counted = {name: one.statistics for name, one in counting.items()}
    if format == "json":
        print(formats.to_json({key: asdict(one) for key, one in counted.items()}, sys.stdout.encoding, indent=2))
    elif counted:
        made = tables.grids(counted, title=f"{name}{f', gold {gold}' if gold else ''}") + _sets(name, root)
        grids.show(lambda room: made, format, None)
    else:
        print("no documents")
    return 0


def _sets(name: str, root: str) -> "list[Table]":
    """Return the table of its paper for the dataset of document sets, if the documents are there."""
    from phrasemill.lab.datasets import dataset, load_topics, tables

    if dataset(name).name != "mkduc01" or not Path(root).is_dir():
        return []
    try:
        groups = list(load_topics(name, root, check="off"))
        return [tables.sets_grid(groups, title="Document sets (Shapira et al., 2021, Table 1)")]
    except DataError as error:
        print(f"phrasemill: no table of its document sets: {error}", file=sys.stderr)
        return []


def convert(
    sources: Sources,
    to: To,
    output: Output,
    layout: From = None,
    gold: Gold = None,
    on_error: OnError = "refuse",
    segment: Segment = False,
    lowercase: Lowercase = False,
    mask_digits: MaskDigits = False,
    order: Order = False,
    drop_empty: DropEmpty = False,
    without: Without = None,
    threshold: Threshold = "0.7",
) -> int:
    """Convert between layouts, and prepare documents for training."""
    from phrasemill.lab.datasets import layouts, pairs, read_layout
    from phrasemill.lab.datasets.problems import Problems

    target = layouts.find_layout(to)
    Problems(on_error)  # refuses an unknown policy before anything is read
    share = options.number(threshold, float, "--threshold must be a number")
    paths = [Path(source) for source in sources]
    if Path(output).resolve() in [path.resolve() for path in paths]:
        raise ConfigError(f"{output} is also a source; name another `--output`")
    reports = _Reports()
    documents: Iterable[Document] = (
        document
        for path in paths
        for document in read_layout(path, layout=layout, gold=gold, on_error=on_error, report=reports)
    )
    removed = _test_set(without or [], share) if without else None
    prepared = removed.without(documents) if removed else documents
    for step in _steps(segment=segment, lowercase=lowercase, mask_digits=mask_digits, order=order):
        prepared = map(step, prepared)
    if drop_empty:
        prepared = (document for document in prepared if document.references)
    count = target.write(watched(prepared, "Converting"), Path(output))
    reports.close()
    left_out = f"; {len(removed.removed):,} near-duplicates of the test set left out" if removed else ""
    where = " and ".join(map(str, pairs.names(Path(output)))) if target.name == "pairs" else output
    print(f"{count:,} document{'s' if count != 1 else ''} written to {where}{left_out}", file=sys.stderr)
    return 0


def _steps(
    *, segment: bool, lowercase: bool, mask_digits: bool, order: bool
) -> list[Callable[["Document"], "Document"]]:
    from phrasemill.lab.datasets import preparation

    chosen = [
        (segment, preparation.segmented),
        (lowercase, preparation.lowercased),
        (mask_digits, preparation.masked),
        (order, preparation.ordered),
    ]
    return [step for wanted, step in chosen if wanted]


def _test_set(names: list[str], threshold: float) -> "TestSet":
    from phrasemill.lab.datasets import read_layout
    from phrasemill.lab.datasets.duplicates import TestSet

    return TestSet((document for name in names for document in read_layout(name)), threshold=threshold)


class _Reports:
    """Prints the first problems, one per line; `close` prints how many more there were."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, problem: "DatasetProblem") -> None:
        self.count += 1
        if self.count <= MOST_REPORTED:
            print(f"phrasemill: {' '.join(str(problem).split())}", file=sys.stderr)

    def close(self) -> None:
        if self.count > MOST_REPORTED:
            print(f"phrasemill: and {self.count - MOST_REPORTED:,} more like these", file=sys.stderr)
