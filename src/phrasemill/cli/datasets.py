"""`datasets`, `dataset show` and `dataset convert`: public datasets on the command line.

What a command needs is imported when it runs, so that the others start as fast as before.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import building, formats, options
from phrasemill.errors import ConfigError, DataError

if TYPE_CHECKING:
    from phrasemill.lab.datasets.duplicates import TestSet
    from phrasemill.lab.datasets.problems import Problem
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
Root = Annotated[
    str,
    typer.Option("--root", "-r", metavar="DIR", help="Where its files are: a folder, or one file."),
]
SplitName = Annotated[
    str | None,
    typer.Option("--split", "-s", metavar="NAME", help="Such as test. By default all.", show_default=False),
]
Gold = Annotated[
    str | None,
    typer.Option(
        "--gold", "-g", metavar="NAME", help="Which gold, where there are several: author, reader …", show_default=False
    ),
]
LayoutName = Annotated[
    str | None,
    typer.Option("--layout", metavar="LAYOUT", help="Where files of several layouts are there.", show_default=False),
]
OnError = Annotated[
    str, typer.Option("--on-error", metavar="POLICY", help="Malformed records: refuse, skip or report.")
]
ListFormat = Annotated[str, typer.Option("--format", "-f", metavar="FORMAT", help="table or json.")]
ShowFormat = Annotated[
    str, typer.Option("--format", "-f", metavar="FORMAT", help="table, json, csv, markdown or latex.")
]
Sources = Annotated[list[str], typer.Argument(metavar="SOURCE", help="Files; for layouts that are folders, those.")]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="LAYOUT", help="By default guessed.", show_default=False, rich_help_panel=INPUT),
]
To = Annotated[
    str, typer.Option("--to", metavar="LAYOUT", help="jsonl, json, pairs or pubmedake.", rich_help_panel=OUTPUT)
]
Output = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Where to write; .gz and .xz compress.", rich_help_panel=OUTPUT
    ),
]


def _flag(name: str, text: str) -> object:
    return typer.Option(name, metavar=options.FLAG, help=text, rich_help_panel=PREPARATION)


Segment = Annotated[bool, _flag("--segment", "Words and punctuation apart, hyphens as spaces.")]
Lowercase = Annotated[bool, _flag("--lowercase", "All in lower case.")]
MaskDigits = Annotated[bool, _flag("--mask-digits", "Numbers become <digit>.")]
Order = Annotated[bool, _flag("--order", "Present keyphrases first, as they occur; then the absent ones.")]
DropEmpty = Annotated[bool, _flag("--drop-empty", "Leave out documents without keyphrases.")]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="FILE",
        help="A test set: leave out its near-duplicates. May be given several times.",
        show_default=False,
        rich_help_panel=PREPARATION,
    ),
]
Threshold = Annotated[
    str,
    typer.Option(
        "--threshold",
        metavar="SHARE",
        help="Of words that near-duplicates have in common.",
        rich_help_panel=PREPARATION,
    ),
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
    """Print a dataset in numbers, as the papers' tables have them, and what differs from what is published."""
    from dataclasses import asdict

    from phrasemill.cli import grids
    from phrasemill.lab.datasets import load_dataset, tables
    from phrasemill.lab.datasets.statistics import Counting

    options.one_of(format, SHOW_FORMATS, "--format")
    reports = _Reports()
    documents = load_dataset(name, root, split=split, layout=layout, gold=gold, on_error=on_error, report=reports)
    counting: dict[str, Counting] = {}
    for document in _watched(documents, f"Reading {name}"):
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
    """The table of its paper, for the dataset that is made of document sets, where the documents are there."""
    from phrasemill.lab.datasets import dataset, load_topics, tables

    if dataset(name).name != "mkduc01" or not Path(root).is_dir():
        return []
    try:
        return [tables.sets_grid(list(load_topics(name, root, check="off")))]
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
    """Convert between layouts, and prepare for training on the way."""
    from phrasemill.lab.datasets import layouts, pairs, read_layout
    from phrasemill.lab.datasets.problems import Problems

    target = layouts.layout(to)
    Problems(on_error)  # a policy that does not exist is said before anything is read
    share = options.number(threshold, float, "--threshold must be a number")
    paths = [Path(source) for source in sources]
    if Path(output).resolve() in [path.resolve() for path in paths]:
        raise ConfigError(f"{output} is also a source; write somewhere else")
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
    count = target.write(_watched(prepared, "Converting"), Path(output))
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


def _watched(documents: Iterable["Document"], what: str) -> Iterator["Document"]:
    """The same documents, with a count on standard error where a person is looking."""
    if not sys.stderr.isatty():
        yield from documents
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn(what), TextColumn("{task.completed:,} documents"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        for document in documents:
            yield document
            bar.advance(task)


class _Reports:
    """Prints problems one a line, the first so many; `close` tells how many more there were."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, problem: "Problem") -> None:
        self.count += 1
        if self.count <= MOST_REPORTED:
            print(f"phrasemill: {' '.join(str(problem).split())}", file=sys.stderr)

    def close(self) -> None:
        if self.count > MOST_REPORTED:
            print(f"phrasemill: and {self.count - MOST_REPORTED:,} more like these", file=sys.stderr)
