"""`dataset build mkduc01` and `dataset build mkpe`: datasets of document sets.

What a command needs is imported when it runs, so that the others start as fast as before.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import formats, options
from phrasemill.errors import ConfigError

if TYPE_CHECKING:
    from phrasemill.lab.datasets.building.grouping import DocumentSet
    from phrasemill.tables import Table
    from phrasemill.types import Document, Reference

FORMATS = ("table", "markdown", "json")
GROUPING, REFINEMENT, OUTPUT = "Sets", "Gold", "Output"

MKDUC01_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset build mkduc01 DUC2001/docs --keyphrases keyphrases.txt -o mkduc01/
  phrasemill dataset build mkduc01 DUC2001/docs --keyphrases keyphrases.txt --summaries DUC2001/summaries -o mkduc01/
  phrasemill dataset build mkduc01 duc2001.jsonl --decisions decisions.tsv -o mkduc01/
  phrasemill dataset build mkduc01 duc2001.jsonl --compare mkduc01.jsonl --derive decisions.tsv -o mkduc01/"""
MKPE_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset build mkpe articles.jsonl -o sets/
  phrasemill dataset build mkpe articles.jsonl --topic-field category --decisions decisions.tsv -o sets/
  phrasemill dataset build mkpe articles.jsonl --group-by-keyphrase --size 10 --sets 50 --seed 1 -o sets/"""

Output = Annotated[
    str, typer.Option("--output", "-o", metavar="FOLDER", help="Where the dataset goes.", rich_help_panel=OUTPUT)
]
Format = Annotated[
    str, typer.Option("--format", "-f", metavar="FORMAT", help="table, markdown or json.", rich_help_panel=OUTPUT)
]
Decisions = Annotated[
    str | None,
    typer.Option(
        "--decisions",
        metavar="FILE",
        help="What people decided about the phrases: lines of set, action and phrases, tabs between.",
        show_default=False,
        rich_help_panel=REFINEMENT,
    ),
]
Top = Annotated[
    str, typer.Option("--top", metavar="N", help="Length of the truncated lists.", rich_help_panel=REFINEMENT)
]


def register(building: typer.Typer) -> None:
    """Add the commands of this file to `building`, which is `phrasemill dataset build`."""
    building.command(cls=options.Command, epilog=MKDUC01_EXAMPLES)(mkduc01)
    building.command(cls=options.Command, epilog=MKPE_EXAMPLES)(mkpe)


def mkduc01(
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="NIST's folder of topic folders, or a dataset file that names topics."),
    ],
    output: Output,
    keyphrases: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The keyphrases of NIST's documents: lines of id@one;another, or JSON lines.",
            show_default=False,
        ),
    ] = None,
    summaries: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="The reference summaries: files 400… in topic folders.",
            show_default=False,
            rich_help_panel=REFINEMENT,
        ),
    ] = None,
    decisions: Decisions = None,
    top: Top = "20",
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The published gold: say how near the machine comes to it.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    derive: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="With --compare: write the decisions that lead to the published gold there.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    format: Format = "table",
) -> int:
    """The keyphrases of DUC-2001's document sets (MK-DUC-01): merged by machine, refined by decisions."""
    from phrasemill.evaluation.formats import read_answers
    from phrasemill.lab.datasets.building import mkduc01 as builder
    from phrasemill.lab.datasets.building.grouping import by_topic

    options.one_of(format, FORMATS, "--format")
    if derive and not compare:
        raise ConfigError("--derive needs --compare FILE, the gold that the decisions shall lead to")
    if Path(source).is_dir() and not keyphrases:
        raise ConfigError("--keyphrases FILE is needed: NIST's documents have none of their own")
    gold = read_answers(compare).phrases if compare else None
    if Path(source).is_dir() and keyphrases:
        documents = builder.read_nist(Path(source), builder.read_keyphrases(Path(keyphrases)))
    else:
        documents = list(_documents([source]))
    texts = builder.read_summaries(Path(summaries)) if summaries else {}
    groups = _build(by_topic(documents), decisions, output, top, texts)
    grids = []
    if gold is not None:
        near = builder.closeness(groups, gold)
        grids.append(_grid(f"The machine beside {compare}" if not decisions else f"Beside {compare}", near.rows()))
        if derive:
            grids.append(
                _grid(f"Decisions written to {derive}, phrases in each action", _derived(groups, gold, Path(derive)))
            )
    return _show(groups, grids, format, options.number(top, int, "--top must be a whole number"))


def mkpe(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE", help="Dataset files with keyphrases.")],
    output: Output,
    topic_field: Annotated[
        str, typer.Option(metavar="NAME", help="The field that names the set.", rich_help_panel=GROUPING)
    ] = "topic",
    group_by_keyphrase: Annotated[
        bool,
        typer.Option(
            "--group-by-keyphrase",
            metavar=options.FLAG,
            help="Make sets of documents that share a keyphrase, where they name no topic.",
            rich_help_panel=GROUPING,
        ),
    ] = False,
    size: Annotated[str, typer.Option(metavar="N", help="Documents in such a set.", rich_help_panel=GROUPING)] = "10",
    sets: Annotated[
        str, typer.Option(metavar="N", help="At most so many such sets, or all.", rich_help_panel=GROUPING)
    ] = "all",
    words: Annotated[
        str, typer.Option(metavar="N", help="Least words of a keyphrase they share.", rich_help_panel=GROUPING)
    ] = "2",
    seed: Annotated[str, typer.Option(metavar="N", help="Another one, other sets.", rich_help_panel=GROUPING)] = "1",
    decisions: Decisions = None,
    top: Top = "20",
    format: Format = "table",
) -> int:
    """Document sets with keyphrases of their own, out of any dataset of single documents."""
    from phrasemill.lab.datasets.building.grouping import by_keyphrase, by_topic

    options.one_of(format, FORMATS, "--format")
    documents = _documents(sources)
    if group_by_keyphrase:
        groups = by_keyphrase(
            documents,
            size=_number(size, "--size"),
            sets=None if sets == "all" else _number(sets, "--sets"),
            words=_number(words, "--words"),
            seed=_number(seed, "--seed"),
        )
    else:
        groups = by_topic(documents, field=topic_field)
    return _show(_build(groups, decisions, output, top), [], format, _number(top, "--top"))


def _number(value: str, option: str) -> int:
    return options.number(value, int, f"{option} must be a whole number")


def _documents(sources: list[str]) -> "Iterator[Document]":
    from phrasemill.lab.datasets import read_layout

    for source in sources:
        yield from read_layout(source)


def _build(
    groups: "list[DocumentSet]",
    decisions: str | None,
    output: str,
    top: str,
    summaries: dict[str, list[str]] | None = None,
) -> "list[DocumentSet]":
    """The sets with their gold, which are also written."""
    from phrasemill.lab.datasets.building import mkpe as builder
    from phrasemill.lab.datasets.building.decisions import read_decisions

    length = _number(top, "--top")
    if length < 1:
        raise ConfigError(f"--top must be at least 1; got {top}")
    decided = read_decisions(Path(decisions)) if decisions else {}
    made = list(builder.build(groups, summaries=summaries, decisions=decided))
    builder.write(made, Path(output), top=length)
    return made


def _derived(
    groups: "list[DocumentSet]", gold: "Mapping[str, tuple[Reference, ...]]", path: Path
) -> list[tuple[str, str]]:
    """Write what leads from the sets to the gold; how many phrases each action has."""
    from collections import Counter

    from phrasemill.lab.datasets.building.decisions import ACTIONS, derive, write_decisions

    found = {group.id: derive(group.references, gold[group.id]) for group in groups}
    write_decisions(found, path)
    counts = Counter(decision.action for made in found.values() for decision in made for _ in decision.phrases)
    return [(action, str(counts[action])) for action in ACTIONS]


def _grid(title: str, rows: list[tuple[str, str]]) -> "Table":
    from phrasemill.tables import Table

    return Table(title, ("", "value"), tuple(rows))


def _show(groups: "list[DocumentSet]", grids: "list[Table]", format: str, top: int) -> int:
    from phrasemill.cli.grids import show
    from phrasemill.lab.datasets.building.set_statistics import set_statistics
    from phrasemill.tables import Table

    columns = [set_statistics(groups, top=most).rows() for most in (None, top)]
    rows = [(name, full, first) for (name, full), (_, first) in zip(*columns, strict=True)]
    every = [Table("Document sets", ("", "Full", f"Trunc-{top}"), tuple(rows)), *grids]
    if format == "json":
        tables = {grid.title: [list(row) for row in grid.rows] for grid in every}
        print(formats.to_json(tables, sys.stdout.encoding, indent=2))
    else:
        show(lambda room: every, format, None)
    return 0
