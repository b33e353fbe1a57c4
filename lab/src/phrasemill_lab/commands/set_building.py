"""`dataset build mkduc01` and `dataset build mkpe`: datasets of document sets.

What a command needs is imported when it runs, so that the others start fast.
"""

from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.formats import write_json
from phrasemill.cli.grids import show
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.errors import ConfigError

if TYPE_CHECKING:
    from phrasemill.tables import Table
    from phrasemill.types import Reference
    from phrasemill_lab.datasets.building.grouping import DocumentSet

FORMATS = ("table", "markdown", "json")
GROUPING, REFINEMENT = "Sets", "Gold"

MKDUC01_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset build mkduc01 DUC2001/docs --keyphrases keyphrases.txt -o mkduc01/
  phrasemill dataset build mkduc01 DUC2001/docs --keyphrases keyphrases.txt --summaries DUC2001/summaries -o mkduc01/
  phrasemill dataset build mkduc01 duc2001.jsonl --decisions decisions.tsv -o mkduc01/
  phrasemill dataset build mkduc01 duc2001.jsonl --compare mkduc01.jsonl --derive decisions.tsv -o mkduc01/"""
MKPE_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset build mkpe articles.jsonl -o sets/
  phrasemill dataset build mkpe articles.jsonl --topic-field category --decisions decisions.tsv -o sets/
  phrasemill dataset build mkpe articles.jsonl --group-by-keyphrase --size 10 --sets 50 --seed 1 -o sets/"""


KEYPHRASES_HELP = "The keyphrases of NIST's documents: lines of id@one;another, or JSON lines."
DECISIONS_HELP = "People's decisions about the phrases: lines of set, action and phrases, separated by tabs."
DERIVE_HELP = "With --compare: write the decisions that lead to the published gold to this file."
GROUP_HELP = "Make sets of documents that share a keyphrase, if they have no topic."

app = typer.Typer()

Output = Annotated[Path, Option("--output -o FOLDER", "The folder to write the dataset to.", OUTPUT)]
Format = Annotated[str, Option("--format -f FORMAT", panel=OUTPUT, choices=FORMATS)]
Decisions = Annotated[Path | None, Option("--decisions FILE", DECISIONS_HELP, REFINEMENT)]
Top = Annotated[int, Option("--top N", "The length of the truncated lists.", REFINEMENT, least=1)]


@options.command(app, MKDUC01_EXAMPLES)
def mkduc01(
    source: Annotated[Path, Option("SOURCE", "NIST's folder of topic folders, or a dataset file with topics.")],
    output: Output,
    keyphrases: Annotated[Path | None, Option("--keyphrases FILE", KEYPHRASES_HELP)] = None,
    summaries: Annotated[
        Path | None,
        Option("--summaries FOLDER", "The reference summaries: files named 400… in topic folders.", REFINEMENT),
    ] = None,
    decisions: Decisions = None,
    top: Top = 20,
    compare: Annotated[
        Path | None,
        Option("--compare FILE", "Print how close the automatic lists come to this published gold.", OUTPUT),
    ] = None,
    derive: Annotated[Path | None, Option("--derive FILE", DERIVE_HELP, OUTPUT)] = None,
    format: Format = "table",
) -> int:
    """Build MK-DUC-01, the keyphrases of DUC-2001's document sets: merged automatically, refined by decisions."""
    from phrasemill.evaluation.formats import read_answers
    from phrasemill_lab.datasets import read_layout
    from phrasemill_lab.datasets.building import mkduc01 as builder
    from phrasemill_lab.datasets.building.grouping import by_topic

    if derive and not compare:
        raise ConfigError("`--derive` requires `--compare FILE`, the gold that the decisions lead to")
    gold = read_answers(compare).phrases if compare else None
    if not source.is_dir():
        documents = list(read_layout(source))
    elif keyphrases:
        documents = builder.read_nist(source, builder.read_keyphrases(keyphrases))
    else:
        raise ConfigError(
            "a folder of NIST's documents requires `--keyphrases FILE`, because the documents contain none"
        )
    texts = builder.read_summaries(summaries) if summaries else {}
    groups = _build(by_topic(documents), decisions, output, top, texts)
    grids = []
    if gold is not None:
        grids.append(_grid(f"Compared with {compare}", builder.closeness(groups, gold).rows()))
        if derive:
            title = f"Decisions written to {derive}, phrases in each action"
            grids.append(_grid(title, _derived(groups, gold, derive)))
    return _show(groups, grids, format, top)


@options.command(app, MKPE_EXAMPLES)
def mkpe(
    sources: Annotated[list[str], Option("SOURCE", "Dataset files with keyphrases.")],
    output: Output,
    topic_field: Annotated[str, Option("--topic-field NAME", "The field that names the set.", GROUPING)] = "topic",
    group_by_keyphrase: Annotated[bool, Option("--group-by-keyphrase", GROUP_HELP, GROUPING)] = False,
    size: Annotated[int, Option("--size N", "The number of documents per set.", GROUPING)] = 10,
    sets: Annotated[
        int | None, Option("--sets N", "The most sets to make; all for no limit.", GROUPING, none="all")
    ] = None,
    words: Annotated[int, Option("--words N", "The fewest words in the shared keyphrase.", GROUPING)] = 2,
    seed: Annotated[int, Option("--seed N", "The random seed for choosing sets.", GROUPING)] = 1,
    decisions: Decisions = None,
    top: Top = 20,
    format: Format = "table",
) -> int:
    """Build document sets, with keyphrases for each set, from any dataset of single documents."""
    from phrasemill_lab.datasets import read_layout
    from phrasemill_lab.datasets.building.grouping import by_keyphrase, by_topic

    documents = chain.from_iterable(map(read_layout, sources))
    if group_by_keyphrase:
        groups = by_keyphrase(documents, size=size, sets=sets, words=words, seed=seed)
    else:
        groups = by_topic(documents, field=topic_field)
    return _show(_build(groups, decisions, output, top), [], format, top)


def _build(
    groups: "list[DocumentSet]",
    decisions: Path | None,
    output: Path,
    top: int,
    summaries: dict[str, list[str]] | None = None,
) -> "list[DocumentSet]":
    """Write the sets with their gold, and return them."""
    from phrasemill_lab.datasets.building import mkpe as builder
    from phrasemill_lab.datasets.building.decisions import read_decisions

    decided = read_decisions(decisions) if decisions else {}
    made = list(builder.build(groups, summaries=summaries, decisions=decided))
    builder.write(made, output, top=top)
    return made


def _derived(
    groups: "list[DocumentSet]", gold: "Mapping[str, tuple[Reference, ...]]", path: Path
) -> list[tuple[str, str]]:
    """Write the decisions that lead from the sets to the gold; return how many phrases each action has."""
    from collections import Counter

    from phrasemill_lab.datasets.building.decisions import ACTIONS, derive, write_decisions

    found = {group.id: derive(group.references, gold[group.id]) for group in groups}
    write_decisions(found, path)
    counts = Counter(decision.action for made in found.values() for decision in made for _ in decision.phrases)
    return [(action, str(counts[action])) for action in ACTIONS]


def _grid(title: str, rows: list[tuple[str, str]]) -> "Table":
    from phrasemill.tables import Table

    return Table(title, ("", "value"), tuple(rows))


def _show(groups: "list[DocumentSet]", grids: "list[Table]", format: str, top: int) -> int:
    from phrasemill_lab.datasets.tables import sets_grid

    every = [sets_grid(groups, title="Document sets", top=top), *grids]
    if format == "json":
        write_json({grid.title: [list(row) for row in grid.rows] for grid in every})
    else:
        show(lambda room: every, format, None)
    return 0
