"""`phrasemill dataset`: list, show, convert and build datasets."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from phrasemill.cli import options
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import counting_bar, show_tables, write_json
from phrasemill.cli.reading import Failures, complain
from phrasemill.errors import ConfigError
from phrasemill.evaluation.answers import read_answers
from phrasemill.files.tables import Table
from phrasemill.types import Document
from phrasemill_lab.datasets import datasets, duc, layouts, load_dataset, pairs, preparation, read_layout
from phrasemill_lab.datasets.building import mkpe as sets_builder
from phrasemill_lab.datasets.building import pubmedake as pubmedake_builder
from phrasemill_lab.datasets.building import stackex as stackex_builder
from phrasemill_lab.datasets.building.collecting import SPLITTING, BuildReport
from phrasemill_lab.datasets.building.decisions import read_decisions, write_decisions
from phrasemill_lab.datasets.building.grouping import DocumentSet, by_keyphrase, by_topic, with_topics
from phrasemill_lab.datasets.problems import POLICIES
from phrasemill_lab.datasets.statistics import Counting

T = TypeVar("T")

PREPARATION, GROUPING, GOLD = "Preparation", "Sets", "Gold"
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
  phrasemill dataset build mkduc01 duc2001.jsonl --gold mkduc01.jsonl -o mkduc01/"""
MKPE = """[bold]Examples[/bold]
  phrasemill dataset build mkpe articles.jsonl --topic-field category -o sets/
  phrasemill dataset build mkpe articles.jsonl --group-by-keyphrase --size 10 --sets 50 --seed 1 -o sets/"""
PUBMEDAKE = """[bold]Examples[/bold]
  phrasemill dataset build pubmedake articles/ oa_noncomm_xml.PMC000xxxxxx.tar.gz -o out/ --small
  phrasemill dataset build pubmedake articles/ -o out/ --skip-groups none   # as the paper"""
STACKEX = """[bold]Examples[/bold]
  phrasemill dataset build stackex cs.stackexchange.com.7z ai.stackexchange.com.7z -o stackex/
  phrasemill dataset build stackex dump/Posts.xml -o out/ --valid 0.05 --test 0.05 --code drop"""

app = typer.Typer()
group = options.group("dataset", "List, show, convert or build datasets.", LIST)
building = options.group("build", "Build the datasets of papers from the original files.")
group.add_typer(building)
app.add_typer(group)

Gold = Annotated[str | None, Option("--gold -g NAME", "Which gold to use, if there are several: author, reader …")]
OnError = Annotated[str, Option("--on-error POLICY", "Malformed records: refuse, skip or report.", choices=POLICIES)]
Output = Annotated[Path, Option("--output -o FOLDER", "The folder to write the dataset to.", OUTPUT)]
Decisions = Annotated[Path | None, Option("--decisions FILE", "Lines of set, action and phrases, with tabs.", GOLD)]
Top = Annotated[int, Option("--top N", "The length of the truncated lists.", GOLD, least=1)]


@options.command(group, LIST, name="list")
def list_datasets(format: options.ListFormat = "table") -> int:
    """List the public datasets that can be read, with their splits and the papers to cite."""
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
    table = Table("", ("name", "what it is", "documents", "papers"), tuple(rows), (note,))
    show_tables([table])
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
    problems = Failures()
    documents = load_dataset(name, root, split=split, layout=layout, gold=gold, on_error=on_error, report=problems)
    counting: dict[str, Counting] = {}
    for document in watched(documents, f"Reading {name}"):
        counting.setdefault(str(document.metadata.get("split", "all")), Counting()).add(document)
    problems.close()
    if not counting:
        raise ConfigError(f"{root}: no document of {name} can be read")
    rows = {key: one.numbers for key, one in counting.items()}
    if format == "json":
        write_json(rows)
    else:
        _print(rows, format=format, title=f"{name}{f', gold {gold}' if gold else ''}")
    return 0


@options.command(group, CONVERT)
def convert(
    sources: Annotated[list[Path], Option("SOURCE", "Files, or folders for layouts that consist of folders.")],
    to: Annotated[str, Option("--to LAYOUT", "jsonl or pairs.", OUTPUT)],
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
    target = layouts.find_layout(to)
    if output.resolve() in [source.resolve() for source in sources]:
        raise ConfigError(f"{output} is also a source; name another `--output`")
    problems = Failures()
    read = partial(read_layout, layout=layout, gold=gold, on_error=on_error, report=problems)
    prepared: Iterable[Document] = chain.from_iterable(map(read, sources))
    near = preparation.NearDuplicates(chain.from_iterable(map(read_layout, without or ())), threshold)
    prepared = near.dropped(prepared) if without else prepared
    steps = {preparation.segmented: segment, preparation.lowercased: lowercase, preparation.masked: mask_digits}
    for step, wanted in (steps | {preparation.ordered: order}).items():
        prepared = map(step, prepared) if wanted else prepared
    if drop_empty:
        prepared = (document for document in prepared if document.references)
    count = target.write(watched(prepared, "Converting"), output)
    problems.close()
    left_out = f"; {near.count:,} near-duplicates of the test set left out" if without else ""
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
    gold: Annotated[Path | None, Option("--gold FILE", "Write decisions.tsv, which lead to this gold.", OUTPUT)] = None,
) -> int:
    """Build MK-DUC-01, the keyphrases of DUC-2001's document sets: merged automatically, refined by decisions."""
    wanted = read_answers(gold).phrases if gold else {}
    if source.is_dir() or duc.TAR.search(source.name):
        documents = duc.read_nist(source, duc.read_keyphrases(keyphrases) if keyphrases else None)
    else:
        documents = list(read_layout(source))
    if topics:
        documents, missing = with_topics(documents, read_layout(topics))
        if missing:
            complain(f"{topics} names documents that are not in {source}: {', '.join(missing)}")
    elif not any(document.metadata for document in documents):
        raise ConfigError(f"{source}: its documents name no topics; give `--topics FILE`, such as mkduc01.jsonl")
    groups = by_topic(documents)
    if missing := [group.id for group in groups if gold and group.id not in wanted]:
        raise ConfigError(f"{gold}: no keyphrases of {', '.join(missing)}")
    made = _build_sets(groups, decisions, output, top, duc.read_summaries(summaries) if summaries else {})
    if gold:
        write_decisions(made, wanted, output / "decisions.tsv")
    return 0


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
) -> int:
    """Build document sets, with keyphrases for each set, from any dataset of single documents."""
    documents = chain.from_iterable(map(read_layout, sources))
    if group_by_keyphrase:
        groups = by_keyphrase(documents, size=size, sets=sets, words=words, seed=seed)
    else:
        groups = by_topic(documents, field=topic_field)
    _build_sets(groups, decisions, output, top, {})
    return 0


def _build_sets(
    groups: list[DocumentSet], decisions: Path | None, output: Path, top: int, summaries: dict[str, list[str]]
) -> list[DocumentSet]:
    """Write the sets; print the numbers of each, read as one document, with all its keyphrases and with the first."""
    if not groups:
        raise ConfigError("no documents to make sets of")
    decided = read_decisions(decisions) if decisions else {}
    made = list(sets_builder.build(groups, summaries, decided))
    sets_builder.write(made, output, top=top)
    counting = {"Full": Counting(), f"Trunc-{top}": Counting()}
    for one in made:
        text = "\n".join(document.content for document in one.documents)
        for counts, kept in zip(counting.values(), (None, top), strict=True):
            counts.add(Document(one.id, text, references=one.references[:kept]))
    _print({name: counts.numbers for name, counts in counting.items()}, title="Document sets, each as one document")
    return made


@options.command(building, PUBMEDAKE)
def pubmedake(
    inputs: Annotated[list[str], Option("INPUT", "JATS articles (.nxml, .xml), or folders and archives of them.")],
    output: Output,
    choices: pubmedake_builder.PubMedAKEOptions,
    small: Annotated[bool, Option("--small", "Also those with 5 to 25 extractive keywords.", SPLITTING)] = False,
) -> int:
    """Build PubMedAKE: titles, abstracts and keywords of biomedical articles, split 6:2:2."""
    watch = partial(watched, step="Reading articles")
    return _print_report(pubmedake_builder.build(inputs, output, choices, small=small, watch=watch))


@options.command(building, STACKEX)
def stackex(
    inputs: Annotated[list[str], Option("INPUT", "Posts.xml files, .7z archives of dumps, and folders of either.")],
    output: Output,
    choices: stackex_builder.StackExOptions,
    valid: Annotated[str, Option("--valid N", "Questions for validation: a count or a fraction.", SPLITTING)] = "16000",
    test: Annotated[str, Option("--test N", "Questions for testing: a count or a fraction.", SPLITTING)] = "16000",
) -> int:
    """Build StackEx: questions from StackExchange, with their tags as keyphrases."""
    watch = partial(watched, step="Reading posts")
    return _print_report(stackex_builder.build(inputs, output, choices, valid=valid, test=test, watch=watch))


def _print_report(report: BuildReport) -> int:
    """Print the statistics of what was built; return the exit code."""
    _print(report.rows, report.reasons)
    unread = [reason for reason in UNREAD if report.reasons.get(reason)]
    for reason in unread:
        complain(f"{reason}: {report.reasons[reason]} of the inputs, see rejections.jsonl")
    if not report.accepted:
        complain("nothing was accepted; see rejections.jsonl")
    return 1 if unread or not report.accepted else 0


def _print(
    rows: Mapping[str, Mapping[str, float]],
    reasons: Mapping[str, int] | None = None,
    format: str = "table",
    title: str = "",
) -> None:
    """Print one row per measure and one column per split, and what was rejected."""
    names = list(next(iter(rows.values()), {}))
    by_measure = tuple((name, *(_cell(row[name]) for row in rows.values())) for name in names)
    tables = [Table(title, ("", *rows), by_measure)] if rows else []
    if reasons:
        tables.append(Table("rejected", ("reason", "count"), tuple((name, _cell(n)) for name, n in reasons.items())))
    show_tables(tables, format, None)


def _cell(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def watched(items: Iterable[T], step: str) -> Iterator[T]:
    """Yield the items, and show how many there were."""
    with counting_bar(step) as advance:
        for item in items:
            yield item
            advance(1)
