"""`dataset build`: the datasets of the papers, from the files that their owners distribute.

What a command needs is imported when it runs, so that the others start as fast as before.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import options, set_building
from phrasemill.errors import ConfigError

if TYPE_CHECKING:
    from phrasemill.tables import Table

SOME_FAILED = 1
# Rejections that mean that an input could not be read at all, rather than that an article was no use.
UNREAD = ("damaged-archive", "unreadable", "not-posts")
WHAT, SPLITTING, OUTPUT = "What is taken", "Splits", "Output"

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


Output = Annotated[
    str, typer.Option("--output", "-o", metavar="FOLDER", help="Where the dataset goes.", rich_help_panel=OUTPUT)
]
Format = Annotated[
    str,
    typer.Option("--format", "-f", metavar="FORMAT", help="table, markdown or json.", rich_help_panel=OUTPUT),
]
Seed = Annotated[
    str, typer.Option("--seed", metavar="N", help="Another one, another split.", rich_help_panel=SPLITTING)
]
Jobs = Annotated[
    str, typer.Option("--jobs", "-j", metavar="N", help="Processes; all is one a core.", rich_help_panel=OUTPUT)
]


def pubmedake(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT", help="JATS articles (.nxml, .xml), folders of them, .tar.gz and the like."),
    ],
    output: Output,
    skip_groups: Annotated[
        str,
        typer.Option(
            metavar="KINDS",
            help="Keyword groups to leave out, by kwd-group-type, with commas between; none leaves out none.",
            rich_help_panel=WHAT,
        ),
    ] = "abbreviations",
    normalise: Annotated[
        str, typer.Option(metavar="FORM", help="none, lower or ascii (lower-case ASCII).", rich_help_panel=WHAT)
    ] = "none",
    presence: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="When a keyword is extractive: substring (the paper's), exact or stem.",
            rich_help_panel=WHAT,
        ),
    ] = "substring",
    inside: Annotated[
        str,
        typer.Option(
            metavar="PLACE", help="Where it must occur: abstract (the paper's) or title+abstract.", rich_help_panel=WHAT
        ),
    ] = "abstract",
    repeats: Annotated[
        str,
        typer.Option(metavar="CHOICE", help="Keywords an article names twice: keep or drop.", rich_help_panel=WHAT),
    ] = "keep",
    small: Annotated[
        bool,
        typer.Option(
            "--small",
            metavar=options.FLAG,
            help="Also write the articles with 5 to 25 extractive keywords apart.",
            rich_help_panel=SPLITTING,
        ),
    ] = False,
    seed: Seed = "1",
    jobs: Jobs = "all",
    format: Format = "table",
) -> int:
    """Title, abstract and keywords of biomedical articles (PubMedAKE), split 6:2:2.

    Killed and started again, it goes on where it was.
    """
    from phrasemill.lab.datasets.building import pubmedake as builder

    options.one_of(format, FORMATS, "--format")
    kinds = [kind.strip().lower() for kind in skip_groups.split(",")]
    skipped = tuple(kind for kind in kinds if kind not in ("", "none"))
    chosen = builder.Options(skipped, normalise, presence, inside, repeats, _integer(seed, "--seed"))
    with _bar("reading articles") as progress:
        report = builder.build(inputs, Path(output), options=chosen, small=small, jobs=_jobs(jobs), progress=progress)
    return _show(report.rows(), report.reasons, report.json(), report.accepted, format)


def stackex(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT", help="Posts.xml files, .7z archives of dumps, and folders of either."),
    ],
    output: Output,
    code: Annotated[
        str, typer.Option(metavar="CHOICE", help="keep (the paper's) or drop blocks of code.", rich_help_panel=WHAT)
    ] = "keep",
    tags: Annotated[
        str,
        typer.Option(
            metavar="FORM", help="words (hyphens become spaces, as in the paper) or verbatim.", rich_help_panel=WHAT
        ),
    ] = "words",
    training_tokens: Annotated[
        str, typer.Option(metavar="N", help="Cut texts for training there; 0 does not.", rich_help_panel=WHAT)
    ] = "300",
    evaluation_tokens: Annotated[
        str,
        typer.Option(metavar="N", help="Cut texts for validation and test there; 0 does not.", rich_help_panel=WHAT),
    ] = "1000",
    valid: Annotated[
        str, typer.Option(metavar="N", help="Questions for validation: a count, or a share.", rich_help_panel=SPLITTING)
    ] = "16000",
    test: Annotated[
        str, typer.Option(metavar="N", help="Questions for the test, likewise.", rich_help_panel=SPLITTING)
    ] = "16000",
    seed: Seed = "1",
    layout: Annotated[
        str,
        typer.Option(
            metavar="LAYOUT",
            help="jsonl, or both: also train_src.txt, train_trg.txt …",
            rich_help_panel=OUTPUT,
        ),
    ] = "jsonl",
    jobs: Jobs = "all",
    format: Format = "table",
) -> int:
    """Questions of StackExchange with their tags for keyphrases (StackEx).

    Killed and started again, it goes on where it was.
    """
    from phrasemill.lab.datasets.building import stackex as builder

    options.one_of(format, FORMATS, "--format")
    limits = (_integer(training_tokens, "--training-tokens"), _integer(evaluation_tokens, "--evaluation-tokens"))
    chosen = builder.Options(code, tags, *limits, _integer(seed, "--seed"))
    with _bar("reading posts") as progress:
        report = builder.build(
            inputs,
            Path(output),
            options=chosen,
            valid=valid,
            test=test,
            layout=layout,
            jobs=_jobs(jobs),
            progress=progress,
        )
    return _show(report.rows, report.reasons, report.json(), report.accepted, format)


FORMATS = ("table", "markdown", "json")


def _integer(value: str, option: str) -> int:
    return options.number(value, int, f"{option} must be a whole number")


def _jobs(value: str) -> int | None:
    if value == "all":
        return None
    jobs = options.number(value, int, "--jobs must be a number, or all")
    if jobs < 1:
        raise ConfigError(f"--jobs must be at least 1; got {value}")
    return jobs


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error where a person is looking; it goes away when the work is done."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn(what), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _show(
    rows: Mapping[str, Mapping[str, float]], reasons: Mapping[str, int], found: str, accepted: int, format: str
) -> int:
    """The statistics of what was built, and the exit code."""
    from phrasemill.cli.grids import show

    if format == "json":
        sys.stdout.write(found)
    else:
        show(lambda room: _grids(rows, reasons, room), format, None)
    for reason in UNREAD:
        if reasons.get(reason):
            print(f"phrasemill: {reason}: {reasons[reason]} of the inputs, see rejections.jsonl", file=sys.stderr)
    if not accepted:
        print("phrasemill: nothing was accepted; rejections.jsonl says why", file=sys.stderr)
    return SOME_FAILED if not accepted or any(reasons.get(reason) for reason in UNREAD) else 0


def _grids(rows: Mapping[str, Mapping[str, float]], reasons: Mapping[str, int], room: int | None) -> "list[Table]":
    """A row a split, or a column a split where that is narrower than the terminal."""
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
