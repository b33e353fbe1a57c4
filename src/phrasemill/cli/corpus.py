"""`run`: the keyphrases of a corpus, as a corpus. `verify`: whether they are all still there."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phrasemill.cli import options, vocabulary_options
from phrasemill.cli.reading import Mappings
from phrasemill.errors import ConfigError
from phrasemill.pipeline import DEFAULT_METHOD

if TYPE_CHECKING:
    from phrasemill.engine.session import RunProgress, Summary
    from phrasemill.engine.verification import Verification

EXAMPLES = """[bold]Examples[/bold]
  phrasemill run corpus.jsonl.gz -o keyphrases/
  phrasemill run articles/ more.tar.gz -o keyphrases/ --format jsonl --jobs 2
  phrasemill run papers.parquet -o keyphrases/ --columns 'text=abstract,id=key' --top 5
  phrasemill run papers.parquet -o keyphrases/ -m 'textrank(window=5)' --timeout 10
  phrasemill run s3://bucket/papers/ -o s3://bucket/keyphrases/ (with the extra cloud)

Run the same command again to resume an interrupted run; every document appears once."""
VERIFY_EXAMPLES = """[bold]Examples[/bold]
  phrasemill verify keyphrases/
  phrasemill verify s3://bucket/keyphrases/ (with the extra cloud)

The exit code is 0 where everything is intact, 1 where files are missing or damaged, and 2 where there is no run, or one
that is not complete. What is missing or damaged is made again by the command that made it."""
SOME_FAILED, TERMINATED = 1, 128 + signal.SIGTERM
MOST_NAMED = 20  # files that are missing or damaged
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
Results = Annotated[
    str | None, typer.Argument(metavar="FOLDER", help="The --output of a run; may be a URL.", show_default=False)
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
        help="A document that takes longer, to read or to work on, is passed over; 0 for no limit.",
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
    """Add the commands of this file to `app`."""
    app.command(cls=options.Command, epilog=EXAMPLES)(run)
    app.command(cls=options.Command, epilog=VERIFY_EXAMPLES)(verify)


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
    largest: options.Largest = "64M",
    part_size: PartSize = "1000",
    jobs: Jobs = None,
    timeout: Timeout = "300",
    engine: Engine = "local",
    address: Address = None,
) -> int:
    """Find the keyphrases of a whole corpus on all cores; run the same command again to resume."""
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
        "language": options.language(language),
    }
    lacking = new_terms and not vocabulary
    known = vocabulary_options.wanted(None, lacking, candidates_file, boost, boost_file, lines=_phrases)
    if vocabulary:  # by its name: workers read it themselves
        known |= {"vocabulary": vocabulary, "new_terms": new_terms}
    number = options.number
    try:
        with _terminable(), _bar() as progress:
            summary = engines.run(
                inputs,
                output,
                method=options.styled(method, style),
                format=format,
                jobs=None if jobs is None else number(jobs, int, "--jobs must be a whole number"),
                timeout=number(timeout, float, "--timeout must be a number of seconds"),
                input_format=options.input_format(input_format),
                columns=options.columns(columns),
                largest=options.largest(largest),
                part=Plan(documents=number(part_size, int, "--part-size must be a whole number")),
                engine=options.one_of(engine, ENGINES, "--engine"),
                address=address,
                progress=progress,
                mapped=Mappings(),
                **wanted,
                **known,
            )
    except KeyboardInterrupt:
        _say_stopped()
        raise
    except _Terminated:
        _say_stopped()
        return TERMINATED
    print(_told(summary, format))
    return SOME_FAILED if summary.failed else 0


def verify(folder: Results = None) -> int:
    """Check that the results of a run are complete and undamaged: every part is read and compared with its digest."""
    from phrasemill import engine as engines

    if not folder:
        raise ConfigError("verify needs a FOLDER: the --output of a run")
    found = engines.verify(folder)
    print(_verdict(found))
    return 0 if found.intact else SOME_FAILED


def _verdict(found: "Verification") -> str:
    counts, flaws = found.counts, found.flaws
    if not flaws:
        parts = f"{counts.parts:,} part{'' if counts.parts == 1 else 's'}"
        return f"{found.output}: complete, {parts}, {counts.documents:,} documents, all intact"
    named = ", ".join(f"{flaw.name} ({flaw.what})" for flaw in flaws[:MOST_NAMED])
    more = f" and {len(flaws) - MOST_NAMED:,} more" if len(flaws) > MOST_NAMED else ""
    return f"{found.output}: not intact: {named}{more}; run the same command again to make them again"


class _Terminated(BaseException):
    """The system asked the process to end."""


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM end a run as Ctrl-C does, together with its processes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminate(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        raise _Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _say_stopped() -> None:
    print("phrasemill: stopped; run the same command again to resume", file=sys.stderr)


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
def _bar() -> "Iterator[Callable[[RunProgress], None] | None]":
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

        def show(progress: "RunProgress") -> None:
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
