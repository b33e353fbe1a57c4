"""`dataset build`: the datasets of the papers, from the files that their owners distribute.

What a command needs is imported when it runs, so that the others start fast.
"""

import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli import options
from phrasemill.cli.grids import show
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.cli.progress import progress_bar
from phrasemill.cli.reading import complain
from phrasemill_lab.commands import set_building
from phrasemill_lab.commands.set_building import Format, Output

if TYPE_CHECKING:
    from phrasemill.tables import Table
    from phrasemill_lab.datasets.building.reports import BuildReport

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

GROUPS_HELP = "The keyword groups to leave out, by kwd-group-type, separated by commas; or none."
PRESENCE_HELP = "When a keyword counts as extractive: substring (as in the paper), exact or stem."
INSIDE_HELP = "Where it must occur: abstract (as in the paper) or title+abstract."
SMALL_HELP = "Also write the articles with 5 to 25 extractive keywords to files of their own."
EVALUATION_HELP = "Truncate validation and test texts to this many tokens; 0 keeps all."
LAYOUT_HELP = "jsonl, or both to also write train_src.txt, train_trg.txt …"

building = options.group("build", "Build the datasets of papers from the original files.")

Seed = Annotated[int, Option("--seed N", "The random seed of the split.", SPLITTING)]
Jobs = Annotated[
    int | None, Option("--jobs -j N", "The number of processes; all for one per core.", OUTPUT, least=1, none="all")
]


@options.command(building, PUBMEDAKE_EXAMPLES)
def pubmedake(
    inputs: Annotated[list[str], Option("INPUT", "JATS articles (.nxml, .xml), or folders and archives of them.")],
    output: Output,
    skip_groups: Annotated[str, Option("--skip-groups KINDS", GROUPS_HELP, WHAT)] = "abbreviations",
    normalise: Annotated[
        str, Option("--normalise FORM", "How to normalise text: none, lower or ascii (lower-case ASCII).", WHAT)
    ] = "none",
    presence: Annotated[str, Option("--presence RULE", PRESENCE_HELP, WHAT)] = "substring",
    inside: Annotated[str, Option("--inside PLACE", INSIDE_HELP, WHAT)] = "abstract",
    repeats: Annotated[
        str, Option("--repeats CHOICE", "Whether to keep or drop keywords that an article repeats.", WHAT)
    ] = "keep",
    small: Annotated[bool, Option("--small", SMALL_HELP, SPLITTING)] = False,
    seed: Seed = 1,
    jobs: Jobs = None,
    format: Format = "table",
) -> int:
    """Build PubMedAKE: titles, abstracts and keywords of biomedical articles, split 6:2:2.

    To resume an interrupted build, repeat the command.
    """
    from phrasemill_lab.datasets.building import pubmedake as builder

    kinds = [kind.strip().lower() for kind in skip_groups.split(",")]
    skipped = tuple(kind for kind in kinds if kind not in ("", "none"))
    chosen = builder.PubMedAKEOptions(skipped, normalise, presence, inside, repeats, seed)
    with progress_bar() as draw:
        progress = partial(draw, "reading articles")
        report = builder.build(inputs, output, options=chosen, small=small, jobs=jobs, progress=progress)
    return _show(report, format)


@options.command(building, STACKEX_EXAMPLES)
def stackex(
    inputs: Annotated[list[str], Option("INPUT", "Posts.xml files, .7z archives of dumps, and folders of either.")],
    output: Output,
    code: Annotated[
        str, Option("--code CHOICE", "Whether to keep (as in the paper) or drop blocks of code.", WHAT)
    ] = "keep",
    tags: Annotated[
        str,
        Option("--tags FORM", "The form of tags: words (hyphens become spaces, as in the paper) or verbatim.", WHAT),
    ] = "words",
    training_tokens: Annotated[
        int, Option("--training-tokens N", "Truncate training texts to this many tokens; 0 keeps all.", WHAT)
    ] = 300,
    evaluation_tokens: Annotated[int, Option("--evaluation-tokens N", EVALUATION_HELP, WHAT)] = 1000,
    valid: Annotated[
        str, Option("--valid N", "How many questions to use for validation: a count or a fraction.", SPLITTING)
    ] = "16000",
    test: Annotated[
        str, Option("--test N", "How many questions to use for testing: a count or a fraction.", SPLITTING)
    ] = "16000",
    seed: Seed = 1,
    layout: Annotated[str, Option("--layout LAYOUT", LAYOUT_HELP, OUTPUT)] = "jsonl",
    jobs: Jobs = None,
    format: Format = "table",
) -> int:
    """Build StackEx: questions from StackExchange, with their tags as keyphrases.

    To resume an interrupted build, repeat the command.
    """
    from phrasemill_lab.datasets.building import stackex as builder

    chosen = builder.StackExOptions(code, tags, training_tokens, evaluation_tokens, seed)
    with progress_bar() as draw:
        report = builder.build(
            inputs,
            output,
            options=chosen,
            valid=valid,
            test=test,
            layout=layout,
            jobs=jobs,
            progress=partial(draw, "reading posts"),
        )
    return _show(report, format)


building.add_typer(set_building.app)


def _show(report: "BuildReport", format: str) -> int:
    """Print the statistics of what was built; return the exit code."""
    reasons = report.reasons
    if format == "json":
        sys.stdout.write(report.json())
    else:
        show(lambda room: _grids(report.rows, reasons, room), format, None)
    for reason in UNREAD:
        if reasons.get(reason):
            complain(f"{reason}: {reasons[reason]} of the inputs, see rejections.jsonl")
    if not report.accepted:
        complain("nothing was accepted; see rejections.jsonl")
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
