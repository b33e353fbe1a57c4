"""The command line, thin: a command reads its options, calls the library and prints.

An error is one line on standard error; the exit code is 2, or 1 where only some of several files failed. Rich is
imported only when something is drawn on a screen, because that import would take most of the start-up.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from phrasemill.cli import (
    bench,
    corpus,
    datasets,
    evaluate,
    formats,
    options,
    reproduce,
    serve,
    statistics,
    train,
)
from phrasemill.cli.extract_options import ExtractArguments
from phrasemill.cli.options import INPUT, OUTPUT, option
from phrasemill.cli.reading import complain
from phrasemill.errors import ConfigError, PhrasemillError
from phrasemill.options import HELP
from phrasemill.pipeline import prepared
from phrasemill.tables import align

if TYPE_CHECKING:
    from phrasemill.cli.batch import ExtractBatch

FAILED, SOME_FAILED, INTERRUPTED, PIPE_CLOSED = 2, 1, 130, 141

MAIN_EXAMPLES = """[bold]Try it[/bold]
  phrasemill extract --example
  phrasemill extract --help"""
EXTRACT_EXAMPLES = """[bold]Examples[/bold]
  phrasemill extract --example
  phrasemill extract article.txt --top 5
  phrasemill extract article.txt --highlight
  phrasemill extract article.txt --style news --top auto --explain
  phrasemill extract paper.pdf notes.md page.html --format json
  phrasemill extract corpus.jsonl.gz --format jsonl
  phrasemill extract articles.csv --columns 'text=abstract+body,title=headline,id=key'
  phrasemill extract article.txt -m 'textrank(window=5)' --redundancy inclusion
  phrasemill extract article.txt --vocabulary thesaurus.ttl --new-terms
  pdftotext paper.pdf - | phrasemill extract - --repair --format text
  phrasemill extract --set articles/ --top 20 --output phrases.html
  phrasemill extract --by folder collection/ --format json
  phrasemill extract --by year papers.jsonl --format csv
  phrasemill extract --set new/ --against old/"""
METHODS_EXAMPLES = """[bold]Examples[/bold]
  phrasemill methods
  phrasemill methods --format json"""

app = typer.Typer(
    name="phrasemill",
    cls=options.Group,
    help="Keyphrases from documents: offline, fast, with the place of every phrase.",
    epilog=MAIN_EXAMPLES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (the process's own by default) and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # characters that the terminal lacks are no reason to stop
            stream.reconfigure(errors="replace")
    try:
        code = app(arguments, prog_name="phrasemill", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except PhrasemillError as error:
        return _failed(str(error))
    except BrokenPipeError:
        # The reader of our output is gone; Python must not try to flush the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        return _failed(f"{error.filename or 'output'}: {error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        # Usage errors are the parser's own; their class moved between versions of Typer, their method did not.
        if not hasattr(error, "format_message"):
            raise
        message = error.format_message().rstrip(".")
        return _failed(f"{message} (phrasemill --help shows how)") if message else 0  # it printed the help


def _failed(message: str) -> int:
    complain(message)
    return FAILED


def _version(wanted: bool) -> None:
    if wanted:
        from phrasemill import __version__

        print(f"phrasemill {__version__}")
        raise typer.Exit


@app.callback()
def phrasemill(
    version: Annotated[
        bool,
        typer.Option(
            "--version", metavar=options.FLAG, callback=_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass


@app.command(cls=options.Command, epilog=EXTRACT_EXAMPLES)
@options.with_groups
def extract(
    *,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="Text, Markdown, HTML, PDF, Word, JATS, JSON lines, CSV or Parquet; - is standard input.",
            show_default=False,
        ),
    ] = None,
    phrases: ExtractArguments,
    reading: options.ReadingOptions,
    repair: Annotated[
        bool, option("--repair", help="Repair text from a PDF: join broken words, drop page headers.", panel=INPUT)
    ] = False,
    example: Annotated[bool, option("--example", help="Use the built-in example text.", panel=INPUT)] = False,
    as_set: Annotated[
        bool,
        option("--set", help="Extract the keyphrases of all files together; a FILE may be a folder.", panel=INPUT),
    ] = False,
    by: Annotated[
        str | None,
        option(
            metavar="FIELD",
            help="One set per folder (folder), or per value of a field of JSON lines, CSV or Parquet. Implies --set.",
            panel=INPUT,
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        option(
            metavar="FILE",
            help="Find what distinguishes the set from this file or folder; may be repeated. Implies --set.",
            panel=INPUT,
        ),
    ] = None,
    format: Annotated[
        str | None,
        option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="table (the default), json, jsonl, csv or text; for sets also html.",
            panel=OUTPUT,
            complete=lambda: list(options.FORMATS),
        ),
    ] = None,
    highlight: Annotated[
        bool, option("--highlight", help="Print the text with its keyphrases marked.", panel=OUTPUT)
    ] = False,
    explain: Annotated[bool, option("--explain", help=HELP["explain"], panel=OUTPUT)] = False,
    output: Annotated[
        str | None,
        option("--output", "-o", metavar="FILE", help="Write to this file instead of the screen.", panel=OUTPUT),
    ] = None,
) -> int:
    """Print the keyphrases of documents, best first."""
    from phrasemill.cli.batch import ExtractBatch, names_of

    if highlight and format not in (None, "table"):
        raise ConfigError("--highlight prints the text itself; leave out --format, or --highlight")
    target = Path(output) if output else None
    names = names_of(files or [], example)
    inputs = reading.inputs()
    wanted = phrases.read(explain=explain) if not (as_set or by or against) else None
    if wanted is None:
        from phrasemill.cli import sets

        if highlight or repair or phrases.redundancy or explain:
            raise ConfigError(
                "--highlight, --repair, --redundancy and --explain are for single documents; leave out --set"
            )
        return sets.run(sets.SetArguments(names, phrases, inputs, by, against or [], format, target))
    batch = ExtractBatch(names, prepared(wanted), inputs=inputs, repair=repair)
    concepts = wanted.vocabulary is not None
    _write(batch, options.output_format(format, target), highlight=highlight, concepts=concepts, output=target)
    return SOME_FAILED if batch.failures.count else 0


@app.command(cls=options.Command, epilog=METHODS_EXAMPLES)
def methods(format: options.MethodsFormat = "table") -> int:
    """List the methods, those for sets last: what each does, its speed and quality, and what it needs."""
    from phrasemill.cli import method_list

    if options.one_of(format, options.LIST_FORMATS, "--format") == "json":
        print(formats.to_json(method_list.records(), sys.stdout.encoding, indent=2))
    elif formats.on_screen():
        from phrasemill.cli import screen

        screen.methods()
    else:
        print(align([method_list.HEADER, *method_list.rows()], right=method_list.RIGHT))
        print(*method_list.legend(), sep="\n")
    return 0


corpus.register(app)
bench.register(app)
reproduce.register(app)
evaluate.register(app)
datasets.register(app)
train.register(app)
statistics.register(app)
serve.register(app)


def _write(batch: "ExtractBatch", format: str, *, highlight: bool, concepts: bool, output: Path | None) -> None:
    dull = highlight and (os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb")  # marks need colours
    if output is None and format == "table" and formats.on_screen() and not dull:
        from phrasemill.cli import screen

        for result in batch.results():
            screen.show(result, titled=batch.many, highlight=highlight)
        return
    encoding = "utf-8" if output else sys.stdout.encoding
    shown = {"highlight": highlight, "concepts": concepts}
    formats.write(formats.render(batch.results(), format, many=batch.many, encoding=encoding, **shown), output)
