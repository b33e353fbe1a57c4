"""`run`: extract the keyphrases of a corpus. `verify`: check that all of its results are intact."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli import app, options
from phrasemill.cli.extract import RunArguments
from phrasemill.cli.options import OUTPUT, Option
from phrasemill.cli.output import counted, progress_bar
from phrasemill.cli.reading import Inputs, complain, mappings
from phrasemill.errors import ConfigError
from phrasemill.readers.values import shown

if TYPE_CHECKING:
    from phrasemill.engine.runs import RunProgress, Summary

EXAMPLES = """[bold]Examples[/bold]
  phrasemill run articles/ more.tar.gz -o keyphrases/ --format jsonl --jobs 2
  phrasemill run papers.parquet -o keyphrases/ --columns 'text=abstract,id=key' -m 'textrank(window=5)' --timeout 10
  phrasemill run s3://bucket/papers/ -o s3://bucket/keyphrases/  # needs the extra cloud

An interrupted run resumes when you repeat the command. Every document appears once."""
VERIFY_EXAMPLES = """[bold]Examples[/bold]
  phrasemill verify keyphrases/

The exit code is 0 if everything is intact, 1 if files are missing or damaged, and 2 if there is no complete run.
To replace missing or damaged files, repeat the run."""
TERMINATED = 128 + signal.SIGTERM
MOST_NAMED = 20  # files that are missing or damaged
WORKING = "Work"

INPUTS_HELP = "JSON lines, CSV, Parquet or other documents; folders and archives (tar, zip) of them; or URLs (s3://…)."
PART_SIZE_HELP = "The most documents per part. A restart repeats only unfinished parts."
FORMAT_HELP = "parquet (needs the extra parquet), jsonl or bulk (for Elasticsearch and OpenSearch)."
TIMEOUT_HELP = "The time limit for reading one file, and for extracting the keyphrases of one document; 0 for no limit."


@options.command(app, EXAMPLES)
def run(
    *,
    inputs: Annotated[list[str] | None, Option("INPUT...", INPUTS_HELP)] = None,
    output: Annotated[str | None, Option("--output -o FOLDER", "The folder of the results.", OUTPUT)] = None,
    format: Annotated[str, Option("--format -f FORMAT", FORMAT_HELP, OUTPUT)] = "parquet",
    phrases: RunArguments,
    reading: Inputs,
    part_size: Annotated[int, Option("--part-size N", PART_SIZE_HELP, OUTPUT)] = 1000,
    jobs: Annotated[int | None, Option("--jobs -j N", "Worker processes; by default one per core.", WORKING)] = None,
    timeout: Annotated[float, Option("--timeout SECONDS", TIMEOUT_HELP, WORKING, least=0)] = 300,
    engine: Annotated[str, Option("--engine ENGINE", "local, or ray: a cluster (extra ray).", WORKING)] = "local",
    address: Annotated[str | None, Option("--address HOST:PORT", "The address of the Ray cluster.", WORKING)] = None,
) -> int:
    """Extract the keyphrases of a whole corpus on all cores. To resume an interrupted run, repeat the command."""
    from phrasemill import engine as engines
    from phrasemill.engine.chunks import Plan

    if not inputs:
        raise ConfigError("run needs at least one INPUT: a file, a folder or an archive")
    if not output:
        raise ConfigError("run needs --output FOLDER for its results")
    wanted, start = phrases.read(), time.perf_counter()

    def told(progress: "RunProgress") -> None:
        rate = progress.documents / (time.perf_counter() - start)
        failed = f", {progress.failed:,} failed" if progress.failed else ""
        show("", progress.done, progress.total, f"{progress.documents:,} documents, {rate:,.0f} per second{failed}")

    with _stoppable(), progress_bar() as show:
        summary = engines.run(
            inputs,
            output,
            format=format,
            jobs=jobs,
            timeout=timeout,
            input_format=reading.format,
            columns=reading.columns,
            largest=reading.largest,
            part=Plan(documents=part_size),
            engine=engine,
            address=address,
            progress=told,
            mapped=mappings(),
            **wanted,
        )
    if summary.duplicates:
        complain(_duplicates(summary))
    print(_summary_text(summary, format))
    return 1 if summary.failed else 0


@options.command(app, VERIFY_EXAMPLES)
def verify(folder: Annotated[str | None, Option("FOLDER", "The --output folder of a run, or its URL.")] = None) -> int:
    """Check that the results of a run are complete and intact, by comparing every part with its digest."""
    from phrasemill import engine as engines

    if not folder:
        raise ConfigError("verify needs a FOLDER: the --output folder of a run")
    found = engines.verify(folder)
    if found.intact:
        counts = found.counts
        print(f"{folder}: complete, {counted(counts.parts, 'part')}, {counts.documents:,} documents, all intact")
        return 0
    named = ", ".join(f"{flaw.name} ({flaw.what})" for flaw in found.flaws[:MOST_NAMED])
    more = f" and {len(found.flaws) - MOST_NAMED:,} more" if len(found.flaws) > MOST_NAMED else ""
    print(f"{folder}: not intact: {named}{more}; run the same command again to make them again")
    return 1


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM end a run as Ctrl-C does, together with its processes, and say how to go on."""

    def terminate(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        raise SystemExit(TERMINATED)

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, terminate) if is_main else None
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        complain("stopped; run the same command again to resume")
        raise
    finally:
        if is_main:
            signal.signal(signal.SIGTERM, before)


def _summary_text(summary: "Summary", format: str) -> str:
    lines = [f"{counted(summary.documents, 'document')}, {summary.keyphrases:,} keyphrases"]
    if summary.failed:
        where = "parts.jsonl names them" if format == "bulk" else "their rows have an error"
        lines[0] += f"; {summary.failed:,} failed: {where}"
    if summary.worked:
        before = summary.documents - summary.worked
        resumed = f" ({before:,} were done before)" if before else ""
        rate = f"{summary.worked / summary.seconds:,.0f} documents per second"
        lines.append(f"{_duration(summary.seconds)}, {rate}{resumed}")
    else:
        lines.append("everything was done before")
    return "\n".join([*lines, f"{summary.output}: {counted(summary.parts, 'part')}"])


def _duplicates(summary: "Summary") -> str:
    from phrasemill.engine.ids import MOST_NAMED as MOST_IDS

    count, ids = summary.duplicates, summary.duplicate_ids
    which = "1 document has the id of an earlier one" if count == 1 else f"{count:,} documents have ids of earlier ones"
    return f"{which}: {', '.join(map(shown, ids))}{' …' if count > len(ids) == MOST_IDS else ''}"


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
