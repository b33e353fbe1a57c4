"""`dataset build`: the datasets of the papers, from the files that their owners distribute.

What a command needs is imported when it runs, so that the others start fast.
"""

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options, set_building
from phrasemill.cli.progress import progress_bar
from phrasemill.cli.set_building import FORMATS, OUTPUT, Format, Output, option, whole_number
from phrasemill.errors import ConfigError

if TYPE_CHECKING:
    from phrasemill.lab.datasets.building.reports import BuildReport
    from phrasemill.tables import Table

SOME_FAILED = 1
# Rejections of inputs that could not be read at all, rather than of articles without keywords and the like.
UNREAD = ("damaged-archive", "unreadable", "not-posts")
WHAT, SPLITTING = "What is taken", "Splits"

PUBMEDAKE_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset build pubmedake oa_noncomm_xml.PMC000xxxxxx.tar.gz -o pubmedake/
  phrasemill dataset build pubmedake articles/ more.tar.xz -o out/ --small --normalise ascii
  phrasemill dataset build pubmedake articles/ -o out/ --skip-groups abbreviations,research-organism
  phrasemill dataset build pubmedake articles/ -o out/ --skip-groups none   # as the paper"""
STACKEX_EXAMPLES = """[bold]Examples[/bold]
  phrasemill dataset build stackex cs.stackexchange.com.7z ai.stackexchange.com.7z -o stackex/
  phrasemill dataset build stackex dump/Posts.xml -o out/ --valid 0.05 --test 0.05 --code drop
  phrasemill dataset build stackex dumps/ -o out/ --layout both --training-tokens 0"""

building = typer.Typer(
    name="build",
    cls=options.Group,
    help="Build the datasets of the papers from the files that their owners distribute.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


def register(group: typer.Typer) -> None:
    """Add the commands of this file to `group`, which is `phrasemill dataset`."""
    building.command(cls=options.Command, epilog=PUBMEDAKE_EXAMPLES)(pubmedake)
    building.command(cls=options.Command, epilog=STACKEX_EXAMPLES)(stackex)
    set_building.register(building)
    group.add_typer(building)


Seed = Annotated[str, option("N", "Seed of the random split.", SPLITTING)]
Jobs = Annotated[str, option("N", "Processes: a count, or all for one per core.", OUTPUT, "--jobs", "-j")]


def pubmedake(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT", help="JATS articles (.nxml, .xml), folders of them, .tar.gz and the like."),
    ],
    output: Output,
    skip_groups: Annotated[
        str,
        option("KINDS", "Keyword groups to leave out, by kwd-group-type, separated by commas; or none.", WHAT),
    ] = "abbreviations",
    normalise: Annotated[str, option("FORM", "none, lower or ascii (lower-case ASCII).", WHAT)] = "none",
    presence: Annotated[
        str, option("RULE", "When a keyword is extractive: substring (the paper's), exact or stem.", WHAT)
    ] = "substring",
    inside: Annotated[
        str, option("PLACE", "Where it must occur: abstract (the paper's) or title+abstract.", WHAT)
    ] = "abstract",
    repeats: Annotated[str, option("CHOICE", "Keywords an article names twice: keep or drop.", WHAT)] = "keep",
    small: Annotated[
        bool,
        option(
            options.FLAG, "Also write the articles with 5 to 25 extractive keywords separately.", SPLITTING, "--small"
        ),
    ] = False,
    seed: Seed = "1",
    jobs: Jobs = "all",
    format: Format = "table",
) -> int:
    """Build PubMedAKE: title, abstract and keywords of biomedical articles, split 6:2:2.

    A build that was killed resumes when it is started again.
    """
    from phrasemill.lab.datasets.building import pubmedake as builder

    options.one_of(format, FORMATS, "--format")
    kinds = [kind.strip().lower() for kind in skip_groups.split(",")]
    skipped = tuple(kind for kind in kinds if kind not in ("", "none"))
    chosen = builder.PubMedAKEOptions(skipped, normalise, presence, inside, repeats, whole_number(seed, "--seed"))
    with progress_bar() as show:
        progress = partial(show, "reading articles")
        report = builder.build(inputs, Path(output), options=chosen, small=small, jobs=_jobs(jobs), progress=progress)
    return _show(report, format)


def stackex(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT", help="Posts.xml files, .7z archives of dumps, and folders of either."),
    ],
    output: Output,
    code: Annotated[str, option("CHOICE", "keep (the paper's) or drop blocks of code.", WHAT)] = "keep",
    tags: Annotated[str, option("FORM", "words (hyphens become spaces, as in the paper) or verbatim.", WHAT)] = "words",
    training_tokens: Annotated[
        str, option("N", "Truncate training texts to so many tokens; 0 keeps all.", WHAT)
    ] = "300",
    evaluation_tokens: Annotated[
        str, option("N", "Truncate validation and test texts to so many tokens; 0 keeps all.", WHAT)
    ] = "1000",
    valid: Annotated[str, option("N", "Questions for validation: a count or a fraction.", SPLITTING)] = "16000",
    test: Annotated[str, option("N", "Questions for the test: a count or a fraction.", SPLITTING)] = "16000",
    seed: Seed = "1",
    layout: Annotated[str, option("LAYOUT", "jsonl, or both: also train_src.txt, train_trg.txt …", OUTPUT)] = "jsonl",
    jobs: Jobs = "all",
    format: Format = "table",
) -> int:
    """Build StackEx: questions of StackExchange with their tags as keyphrases.

    A build that was killed resumes when it is started again.
    """
    from phrasemill.lab.datasets.building import stackex as builder

    options.one_of(format, FORMATS, "--format")
    limits = (
        whole_number(training_tokens, "--training-tokens"),
        whole_number(evaluation_tokens, "--evaluation-tokens"),
    )
    chosen = builder.StackExOptions(code, tags, *limits, whole_number(seed, "--seed"))
    with progress_bar() as show:
        report = builder.build(
            inputs,
            Path(output),
            options=chosen,
            valid=valid,
            test=test,
            layout=layout,
            jobs=_jobs(jobs),
            progress=partial(show, "reading posts"),
        )
    return _show(report, format)


def _jobs(value: str) -> int | None:
    if value == "all":
        return None
    jobs = options.number(value, int, "`--jobs` must be a count, or all")
    if jobs < 1:
        raise ConfigError(f"`--jobs` must be at least 1; got {value}")
    return jobs


def _show(report: "BuildReport", format: str) -> int:
    """Print the statistics of what was built; return the exit code."""
    from phrasemill.cli.grids import show

    reasons = report.reasons
    if format == "json":
        sys.stdout.write(report.json())
    else:
        show(lambda room: _grids(report.rows, reasons, room), format, None)
    for reason in UNREAD:
        if reasons.get(reason):
            print(f"phrasemill: {reason}: {reasons[reason]} of the inputs, see rejections.jsonl", file=sys.stderr)
    if not report.accepted:
        print("phrasemill: nothing was accepted; see rejections.jsonl", file=sys.stderr)
    return SOME_FAILED if not report.accepted or any(reasons.get(reason) for reason in UNREAD) else 0


def _grids(rows: Mapping[str, Mapping[str, float]], reasons: Mapping[str, int], room: int | None) -> "list[Table]":
    """Return one row per split, or one column per split where that is narrower than the terminal."""
    from phrasemill.tables import Table, table_width

    names = list(next(iter(rows.values()), {}))
    by_split = tuple((split, *(_cell(row[name]) for name in names)) for split, row in rows.items())
    by_number = tuple((name, *(_cell(row[name]) for row in rows.values())) for name in names)
    grids = []
    if rows:
        wide, high = Table("", ("split", *names), by_split), Table("", ("", *rows), by_number)
        grids.append(wide if room is None or table_width(wide) <= room else high)
    rejections = tuple((reason, f"{count:,}") for reason, count in reasons.items())
    if rejections:
        grids.append(Table("rejected", ("reason", "count"), rejections))
    return grids


def _cell(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
