"""`phrasemill dataset`: list, show, convert and build datasets. What a command needs is imported when it runs."""

import sys
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import grids, options
from phrasemill.cli.formats import write_json
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.progress import watched
from phrasemill.cli.reading import Failures, complain
from phrasemill.errors import ConfigError
from phrasemill.tables import Table

if TYPE_CHECKING:
    from phrasemill.types import Document
    from phrasemill_lab.datasets.building.collecting import BuildReport
    from phrasemill_lab.datasets.building.grouping import DocumentSet

PREPARATION, WHAT, SPLITTING, GROUPING, GOLD = "Preparation", "What is taken", "Splits", "Sets", "Gold"
SHOW_FORMATS = ("table", "json", "csv", "markdown", "latex")
# Rejections of inputs that could not be read at all, rather than of articles without keywords and the like.
UNREAD = ("damaged-archive", "unreadable", "not-posts")

LIST = """[bold]Examples[/bold]
  phrasemill dataset list --format json"""
SHOW = """[bold]Examples[/bold]
  phrasemill dataset show semeval2010 --root SemEval2010/ --split test --gold reader"""
CONVERT = """[bold]Examples[/bold]
  phrasemill dataset convert kp20k_training.json --to jsonl -o kp20k_train.jsonl.gz
  phrasemill dataset convert train.jsonl --to pairs -o data/train --segment --lowercase --mask-digits --drop-empty"""
MKDUC01 = """[bold]Examples[/bold]
  phrasemill dataset build mkduc01 DUC2001/docs --keyphrases keyphrases.txt -o mkduc01/
  phrasemill dataset build mkduc01 duc2001_raw.tar.xz --topics mkduc01.jsonl -o mkduc01/
  phrasemill dataset build mkduc01 duc2001.jsonl --compare mkduc01.jsonl --derive decisions.tsv -o mkduc01/"""
MKPE = """[bold]Examples[/bold]
  phrasemill dataset build mkpe articles.jsonl --topic-field category -o sets/
  phrasemill dataset build mkpe articles.jsonl --group-by-keyphrase --size 10 --sets 50 --seed 1 -o sets/"""
PUBMEDAKE = """[bold]Examples[/bold]
  phrasemill dataset build pubmedake articles/ oa_noncomm_xml.PMC000xxxxxx.tar.gz -o out/ --small
  phrasemill dataset build pubmedake articles/ -o out/ --skip-groups none   # as the paper"""
STACKEX = """[bold]Examples[/bold]
  phrasemill dataset build stackex cs.stackexchange.com.7z ai.stackexchange.com.7z -o stackex/
  phrasemill dataset build stackex dump/Posts.xml -o out/ --valid 0.05 --test 0.05 --code drop --layout both"""

app = typer.Typer()
group = options.group("dataset", "List, show, convert or build datasets.", LIST)
building = options.group("build", "Build the datasets of papers from the original files.")
group.add_typer(building)
app.add_typer(group)

Gold = Annotated[str | None, Option("--gold -g NAME", "Which gold to use, if there are several: author, reader …")]
OnError = Annotated[str, Option("--on-error POLICY", "What to do with malformed records: refuse, skip or report.")]
Output = Annotated[Path, Option("--output -o FOLDER", "The folder to write the dataset to.", OUTPUT)]
Format = Annotated[str, Option("--format -f FORMAT", panel=OUTPUT, choices=("table", "markdown", "json"))]
Decisions = Annotated[Path | None, Option("--decisions FILE", "Lines of set, action and phrases, with tabs.", GOLD)]
Top = Annotated[int, Option("--top N", "The length of the truncated lists.", GOLD, least=1)]
Seed = Annotated[int, Option("--seed N", "The random seed of the split.", SPLITTING)]


@options.command(group, LIST, name="list")
def list_datasets(format: options.ListFormat = "table") -> int:
    """List the public datasets that can be read, with their splits and the papers to cite."""
    from dataclasses import asdict

    from phrasemill_lab.datasets import datasets

    entries = list(datasets())
    if format == "json":
        write_json([asdict(entry) for entry in entries])
        return 0
    rows = []
    for entry in entries:
        whole = [split for split in entry.splits if not split.part_of] or entry.splits
        splits = (f"{split.name} {split.documents:,}" if split.documents else split.name for split in whole)
        rows.append((entry.name, entry.title.partition(": ")[2], ", ".join(splits), "; ".join(entry.papers)))
    note = (
        "Nothing is downloaded; phrasemill dataset list --format json shows where each is published, and its licence."
    )
    table = Table("", ("name", "what it is", "documents", "papers"), tuple(rows), (note,), words=True)
    grids.show(lambda room: table, "table", None)
    return 0


@options.command(group, SHOW)
def show(
    name: Annotated[str, Option("NAME", "A dataset from [bold]phrasemill dataset list[/bold].")],
    root: Annotated[str, Option("--root -r DIR", "The folder with its files, or one file.")] = ".",
    split: Annotated[str | None, Option("--split -s NAME", "The split, such as test; by default all.")] = None,
    gold: Gold = None,
    layout: Annotated[str | None, Option("--layout LAYOUT", "Which layout to read, if files are in several.")] = None,
    on_error: OnError = "report",
    format: Annotated[str, Option("--format -f FORMAT", choices=SHOW_FORMATS)] = "table",
) -> int:
    """Print the statistics of a dataset, and where they differ from the published ones."""
    from phrasemill_lab.datasets import load_dataset
    from phrasemill_lab.datasets.statistics import Counting

    problems = Failures()
    documents = load_dataset(name, root, split=split, layout=layout, gold=gold, on_error=on_error, report=problems)
    counting: dict[str, Counting] = {}
    for document in watched(documents, f"Reading {name}"):
        counting.setdefault(str(document.metadata.get("split", "all")), Counting()).add(document)
    problems.close()
    if not counting:
        raise ConfigError(f"{root}: no document of {name} can be read")
    return _print(
        {key: one.numbers for key, one in counting.items()}, {}, format, f"{name}{f', gold {gold}' if gold else ''}"
    )


@options.command(group, CONVERT)
def convert(
    sources: Annotated[list[Path], Option("SOURCE", "Files, or folders for layouts that consist of folders.")],
    to: Annotated[str, Option("--to LAYOUT", "jsonl, json or pairs.", OUTPUT)],
    output: Annotated[Path, Option("--output -o FILE", "The file; a name in .gz or .xz is compressed.", OUTPUT)],
    layout: Annotated[str | None, Option("--from LAYOUT", "Their layout; by default detected.", INPUT)] = None,
    gold: Gold = None,
    on_error: OnError = "refuse",
    segment: Annotated[bool, Option("--segment", "Separate words and punctuation, drop hyphens.", PREPARATION)] = False,
    lowercase: Annotated[bool, Option("--lowercase", "Convert everything to lower case.", PREPARATION)] = False,
    mask_digits: Annotated[bool, Option("--mask-digits", "Replace numbers with <digit>.", PREPARATION)] = False,
    order: Annotated[bool, Option("--order", "Present keyphrases first, as they occur.", PREPARATION)] = False,
    drop_empty: Annotated[bool, Option("--drop-empty", "Leave out documents without keyphrases.", PREPARATION)] = False,
    without: Annotated[list[str] | None, Option("--without FILE", "Drop what a test set has.", PREPARATION)] = None,
    threshold: Annotated[float, Option("--threshold FRACTION", "Words that near-duplicates share.", PREPARATION)] = 0.7,
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
    read = partial(read_layout, layout=layout, gold=gold, on_error=on_error, report=problems)
    prepared: Iterable[Document] = chain.from_iterable(map(read, sources))
    removed = TestSet(chain.from_iterable(map(read_layout, without)), threshold=threshold) if without else None
    if removed:
        prepared = removed.without(prepared)
    steps = {preparation.segmented: segment, preparation.lowercased: lowercase, preparation.masked: mask_digits}
    for step, wanted in (steps | {preparation.ordered: order}).items():
        prepared = map(step, prepared) if wanted else prepared
    if drop_empty:
        prepared = (document for document in prepared if document.references)
    count = target.write(watched(prepared, "Converting"), output)
    problems.close()
    left_out = f"; {len(removed.removed):,} near-duplicates of the test set left out" if removed else ""
    where = " and ".join(map(str, pairs.names(output))) if target.name == "pairs" else output
    print(f"{count:,} document{'s' if count != 1 else ''} written to {where}{left_out}", file=sys.stderr)
    return 0


@options.command(building, MKDUC01)
def mkduc01(
    source: Annotated[Path, Option("SOURCE", "NIST's documents, a folder or a tar, or a dataset file with topics.")],
    output: Output,
    keyphrases: Annotated[Path | None, Option("--keyphrases FILE", "Lines of id@one;another, or JSON lines.")] = None,
    topics: Annotated[Path | None, Option("--topics FILE", "A dataset with the topic of every document.")] = None,
    summaries: Annotated[Path | None, Option("--summaries FOLDER", "Files named 400… in topic folders.", GOLD)] = None,
    decisions: Decisions = None,
    top: Top = 20,
    compare: Annotated[Path | None, Option("--compare FILE", "Print how close this published gold is.", OUTPUT)] = None,
    derive: Annotated[Path | None, Option("--derive FILE", "Write decisions that lead to that gold.", OUTPUT)] = None,
    format: Format = "table",
) -> int:
    """Build MK-DUC-01, the keyphrases of DUC-2001's document sets: merged automatically, refined by decisions."""
    from phrasemill.evaluation.formats import read_answers
    from phrasemill_lab.datasets import duc, read_layout
    from phrasemill_lab.datasets.building.decisions import derive as derived
    from phrasemill_lab.datasets.building.decisions import write_decisions
    from phrasemill_lab.datasets.building.grouping import by_topic
    from phrasemill_lab.datasets.building.mkduc01 import closeness, with_topics

    if derive and not compare:
        raise ConfigError("`--derive` requires `--compare FILE`, the gold that the decisions lead to")
    gold = read_answers(compare).phrases if compare else {}
    if source.is_dir() or duc.TAR.search(source.name):
        documents = duc.read_nist(source, duc.read_keyphrases(keyphrases) if keyphrases else None)
    else:
        documents = list(read_layout(source))
    if topics:
        documents, missing = with_topics(documents, topics)
        if missing:
            complain(f"{topics} names documents that are not in {source}: {', '.join(missing)}")
    elif not any(document.metadata for document in documents):
        raise ConfigError(f"{source}: its documents name no topics; give `--topics FILE`, such as mkduc01.jsonl")
    groups = _write_sets(
        by_topic(documents), decisions, output, top, duc.read_summaries(summaries) if summaries else {}
    )
    more = []
    if compare:
        more.append(Table(f"Compared with {compare}", ("", "value"), tuple(closeness(groups, gold))))
    if derive:
        found = {group.id: derived(group.references, gold[group.id]) for group in groups}
        write_decisions(found, derive)
    return _print_sets(groups, more, format, top)


@options.command(building, MKPE)
def mkpe(
    sources: Annotated[list[str], Option("SOURCE", "Dataset files with keyphrases.")],
    output: Output,
    topic_field: Annotated[str, Option("--topic-field NAME", "The field that names the set.", GROUPING)] = "topic",
    group_by_keyphrase: Annotated[bool, Option("--group-by-keyphrase", "Sets that share a phrase.", GROUPING)] = False,
    size: Annotated[int, Option("--size N", "The number of documents per set.", GROUPING)] = 10,
    sets: Annotated[int | None, Option("--sets N", "The most sets; all for no limit.", GROUPING, none="all")] = None,
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
    return _print_sets(_write_sets(groups, decisions, output, top, {}), [], format, top)


def _write_sets(
    groups: "list[DocumentSet]", decisions: Path | None, output: Path, top: int, summaries: dict[str, list[str]]
) -> "list[DocumentSet]":
    from phrasemill_lab.datasets.building import mkpe as builder
    from phrasemill_lab.datasets.building.decisions import read_decisions

    made = list(builder.build(groups, summaries=summaries, decisions=read_decisions(decisions) if decisions else {}))
    builder.write(made, output, top=top)
    return made


def _print_sets(groups: "list[DocumentSet]", more: list[Table], format: str, top: int) -> int:
    from phrasemill_lab.datasets.statistics import set_rows

    columns = zip(set_rows(groups), set_rows(groups, top=top), strict=True)
    rows = tuple((name, full, first) for (name, full), (_, first) in columns)
    tables = [Table("Document sets", ("", "Full", f"Trunc-{top}"), rows), *more]
    if format == "json":
        write_json({table.title: [list(row) for row in table.rows] for table in tables})
    else:
        grids.show(lambda room: tables, format, None)
    return 0


@options.command(building, PUBMEDAKE)
def pubmedake(
    inputs: Annotated[list[str], Option("INPUT", "JATS articles (.nxml, .xml), or folders and archives of them.")],
    output: Output,
    skip_groups: Annotated[str, Option("--skip-groups KINDS", "Kinds to leave out; or none.", WHAT)] = "abbreviations",
    normalise: Annotated[str, Option("--normalise FORM", "none, lower or ascii (lower-case ASCII).", WHAT)] = "none",
    presence: Annotated[str, Option("--presence RULE", "Extractive by substring, exact or stem.", WHAT)] = "substring",
    inside: Annotated[str, Option("--inside PLACE", "Extractive in abstract or title+abstract.", WHAT)] = "abstract",
    repeats: Annotated[str, Option("--repeats CHOICE", "keep or drop repeated keywords.", WHAT)] = "keep",
    small: Annotated[bool, Option("--small", "Also those with 5 to 25 extractive keywords.", SPLITTING)] = False,
    seed: Seed = 1,
    format: Format = "table",
) -> int:
    """Build PubMedAKE: titles, abstracts and keywords of biomedical articles, split 6:2:2."""
    from phrasemill_lab.datasets.building import pubmedake as builder

    kinds = [kind.strip().lower() for kind in skip_groups.split(",")]
    skipped = tuple(kind for kind in kinds if kind not in ("", "none"))
    chosen = builder.PubMedAKEOptions(skipped, normalise, presence, inside, repeats, seed)
    watch = partial(watched, step="Reading articles")
    return _print_report(builder.build(inputs, output, options=chosen, small=small, watch=watch), format)


@options.command(building, STACKEX)
def stackex(
    inputs: Annotated[list[str], Option("INPUT", "Posts.xml files, .7z archives of dumps, and folders of either.")],
    output: Output,
    code: Annotated[str, Option("--code CHOICE", "keep or drop blocks of code.", WHAT)] = "keep",
    tags: Annotated[str, Option("--tags FORM", "words (hyphens become spaces) or verbatim.", WHAT)] = "words",
    training_tokens: Annotated[int, Option("--training-tokens N", "The longest text; 0 for all.", WHAT)] = 300,
    evaluation_tokens: Annotated[int, Option("--evaluation-tokens N", "The same for valid and test.", WHAT)] = 1000,
    valid: Annotated[str, Option("--valid N", "Questions for validation: a count or a fraction.", SPLITTING)] = "16000",
    test: Annotated[str, Option("--test N", "Questions for testing: a count or a fraction.", SPLITTING)] = "16000",
    seed: Seed = 1,
    layout: Annotated[str, Option("--layout LAYOUT", "jsonl, or both to also write pairs of files.", OUTPUT)] = "jsonl",
    format: Format = "table",
) -> int:
    """Build StackEx: questions from StackExchange, with their tags as keyphrases."""
    from phrasemill_lab.datasets.building import stackex as builder

    chosen = builder.StackExOptions(code, tags, training_tokens, evaluation_tokens, seed)
    watch = partial(watched, step="Reading posts")
    report = builder.build(inputs, output, options=chosen, valid=valid, test=test, layout=layout, watch=watch)
    return _print_report(report, format)


def _print_report(report: "BuildReport", format: str) -> int:
    """Print the statistics of what was built; return the exit code."""
    if format == "json":
        sys.stdout.write(report.json())
    else:
        _print(report.rows, report.reasons, format, "")
    unread = [reason for reason in UNREAD if report.reasons.get(reason)]
    for reason in unread:
        complain(f"{reason}: {report.reasons[reason]} of the inputs, see rejections.jsonl")
    if not report.accepted:
        complain("nothing was accepted; see rejections.jsonl")
    return 1 if unread or not report.accepted else 0


def _print(rows: Mapping[str, Mapping[str, float]], reasons: Mapping[str, int], format: str, title: str) -> int:
    """Print one row per measure and one column per split, and what was rejected."""
    if format == "json":
        write_json(rows)
        return 0
    names = list(next(iter(rows.values()), {}))
    by_measure = tuple((name, *(_cell(row[name]) for row in rows.values())) for name in names)
    tables = [Table(title, ("", *rows), by_measure)] if rows else []
    if reasons:
        rejections = tuple((reason, f"{count:,}") for reason, count in reasons.items())
        tables.append(Table("rejected", ("reason", "count"), rejections))
    grids.show(lambda room: tables, format, None)
    return 0


def _cell(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
