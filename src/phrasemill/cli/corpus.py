"""`run`: the keyphrases of a corpus, as a corpus."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phrasemill.cli import options, vocabulary_options
from phrasemill.errors import ConfigError
from phrasemill.pipeline import DEFAULT_METHOD

if TYPE_CHECKING:
    from phrasemill.engine.session import Progress, Summary

EXAMPLES = """[bold]Examples[/bold]
  phrasemill run corpus.jsonl.gz -o keyphrases/
  phrasemill run articles/ more.tar.gz -o keyphrases/ --format jsonl --jobs 2
  phrasemill run papers.parquet -o keyphrases/ --columns 'text=abstract,id=key' --top 5
  phrasemill run papers.parquet -o keyphrases/ -m 'textrank(window=5)' --timeout 10
  phrasemill run s3://bucket/papers/ -o s3://bucket/keyphrases/ (with the extra cloud)

Killed or stopped, the same command goes on where it was; every document appears once."""
SOME_FAILED = 1
WORKING = "Work"

Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INPUT...",
        help="JSON lines, CSV, Parquet, documents; folders and archives (tar, zip) of them; URLs such as s3://….",
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        help="Where the parts go, with failures and a manifest.",
        show_default=False,
        rich_help_panel=options.OUTPUT,
    ),
]
Format = Annotated[
    str, typer.Option("--format", "-f", metavar="FORMAT", help="parquet or jsonl.", rich_help_panel=options.OUTPUT)
]
PartSize = Annotated[
    str,
    typer.Option(
        metavar="N",
        help="Documents in a part, at most; a restart repeats no more than the parts that were under way.",
        rich_help_panel=options.OUTPUT,
    ),
]
Jobs = Annotated[
    str | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        help="Processes; by default one a core.",
        show_default=False,
        rich_help_panel=WORKING,
    ),
]
Timeout = Annotated[
    str,
    typer.Option(
        metavar="SECONDS",
        help="A document that takes longer is passed over; 0 for no limit.",
        rich_help_panel=WORKING,
    ),
]
Engine = Annotated[
    str,
    typer.Option(metavar="ENGINE", help="local, or ray for a cluster (with the extra ray).", rich_help_panel=WORKING),
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Of the Ray cluster.", show_default=False, rich_help_panel=WORKING),
]


def register(app: typer.Typer) -> None:
    """Add the command of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(run)


def run(
    inputs: Inputs = None,
    output: Output = None,
    format: Format = "parquet",
    method: options.Method = DEFAULT_METHOD,
    style: options.Style = None,
    top: options.Top = "10",
    threshold: options.Threshold = None,
    exclude: options.Exclude = None,
    exclude_file: options.ExcludeFile = None,
    redundancy: options.Redundancy = None,
    vocabulary: vocabulary_options.VocabularyFile = None,
    new_terms: vocabulary_options.NewTerms = False,
    candidates_file: vocabulary_options.CandidatesFile = None,
    boost: vocabulary_options.Boost = None,
    boost_file: vocabulary_options.BoostFile = None,
    language: options.Language = None,
    input_format: options.InputFormat = None,
    columns: options.ColumnNames = None,
    part_size: PartSize = "1000",
    jobs: Jobs = None,
    timeout: Timeout = "300",
    engine: Engine = "local",
    address: Address = None,
) -> int:
    """Find the keyphrases of a whole corpus, on all cores; stopped, it goes on where it was."""
    from phrasemill import engine as engines
    from phrasemill.engine.chunks import Plan
    from phrasemill.engine.corpus import ENGINES

    if not inputs:
        raise ConfigError("run needs an INPUT: files, folders or archives")
    if not output:
        raise ConfigError("run needs --output FOLDER: where the parts go")
    wanted: dict[str, Any] = {
        "top": options.top(top),
        "threshold": options.threshold(threshold),
        "exclude": [*(exclude or []), *(_phrases(exclude_file) if exclude_file else [])],
        "redundancy": redundancy,
        "language": language,
    }
    lacking = new_terms and not vocabulary
    known = vocabulary_options.wanted(None, lacking, candidates_file, boost, boost_file, lines=_phrases)
    if vocabulary:  # by its name: workers read it themselves
        known |= {"vocabulary": vocabulary, "new_terms": new_terms}
    number = options.number
    with _told_how_to_go_on(), _bar() as progress:
        summary = engines.run(
            inputs,
            output,
            method=options.styled(method, style),
            format=format,
            jobs=None if jobs is None else number(jobs, int, "--jobs must be a whole number"),
            timeout=number(timeout, float, "--timeout must be a number of seconds"),
            input_format=options.input_format(input_format),
            columns=options.columns(columns),
            part=Plan(documents=number(part_size, int, "--part-size must be a whole number")),
            engine=options.one_of(engine, ENGINES, "--engine"),
            address=address,
            progress=progress,
            **wanted,
            **known,
        )
    print(_told(summary, format))
    return SOME_FAILED if summary.failed else 0


@contextmanager
def _told_how_to_go_on() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        print("phrasemill: stopped; the same command goes on from here", file=sys.stderr)
        raise


def _phrases(path: str) -> list[str]:
    """The lines of a file of phrases."""
    from phrasemill.readers import read

    return [line.strip() for line in read(path).text.splitlines() if line.strip()]


def _told(summary: "Summary", format: str) -> str:
    """What came of it, in a few lines."""
    lines = [f"{summary.documents:,} documents, {summary.keyphrases:,} keyphrases"]
    if summary.failed:
        lines[0] += f"; {summary.failed:,} failed, see {summary.output.rstrip('/')}/failures.{format}"
    if summary.worked:
        rate = summary.worked / summary.seconds
        before = summary.documents - summary.worked
        resumed = f" ({before:,} were done before)" if before else ""
        lines.append(f"{_duration(summary.seconds)}, {rate:,.0f} documents a second{resumed}")
    else:
        lines.append("all of it was done before")
    lines.append(f"{summary.output}: {summary.parts:,} part{'' if summary.parts == 1 else 's'}")
    return "\n".join(lines)


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def _bar() -> "Iterator[Callable[[Progress], None] | None]":
    """A bar on the terminal of whoever waits: share of the bytes, rate, failures, time left."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    told = TextColumn("{task.fields[documents]:,} documents{task.fields[rate]}{task.fields[failed]}")
    left = TimeRemainingColumn(compact=True)
    with Bar(BarColumn(), TaskProgressColumn(), told, left, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, documents=0, rate="", failed="")

        def show(progress: "Progress") -> None:
            seconds = bar.tasks[0].elapsed or 0.0
            bar.update(
                task,
                completed=progress.done,
                total=progress.total,
                documents=progress.documents,
                rate=f", {progress.documents / seconds:,.0f} a second" if seconds else "",
                failed=f", {progress.failed:,} failed" if progress.failed else "",
            )

        yield show
