"""The command line, thin: a command reads its options, calls the library and prints.

Whatever is wrong is said in one line on standard error; the exit code is 2, or 1 where only some of several files
failed. Rich is imported where something is drawn on a screen, and nowhere else: start-up is what people wait for.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from phrasemill.cli import evaluate, formats, options
from phrasemill.cli.formats import Result
from phrasemill.errors import ConfigError, InputError, PhrasemillError
from phrasemill.pipeline import DEFAULT_METHOD, build
from phrasemill.pipeline import extract as extract_keyphrases
from phrasemill.registry import METHODS
from phrasemill.types import Document, Extractor, Keyphrase

EXAMPLE = Path(__file__).parent.parent / "data" / "example.txt"
STDIN = "-"
FAILED, SOME_FAILED, INTERRUPTED, PIPE_CLOSED = 2, 1, 130, 141

MAIN_EXAMPLES = """[bold]Try it[/bold]
  phrasemill extract --example
  phrasemill extract --help"""
EXTRACT_EXAMPLES = """[bold]Examples[/bold]
  phrasemill extract --example
  phrasemill extract article.txt --top 5
  phrasemill extract article.txt --highlight
  phrasemill extract notes.md page.html --format json
  phrasemill extract article.txt -m 'textrank(window=5)' --redundancy inclusion
  pdftotext paper.pdf - | phrasemill extract - --repair --format text"""
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
        if hasattr(stream, "reconfigure"):  # what the terminal cannot show must not stop us
            stream.reconfigure(errors="replace")
    try:
        code = app(arguments, prog_name="phrasemill", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except PhrasemillError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not try to flush the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        return _complain(f"{error.filename or 'output'}: {error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        # Usage errors are the parser's own; their class moved between versions of Typer, their method did not.
        if not hasattr(error, "format_message"):
            raise
        message = error.format_message().rstrip(".")
        return _complain(f"{message} (phrasemill --help shows how)") if message else 0  # it printed the help


def _complain(message: str) -> int:
    line = " ".join(message.split())
    print(f"phrasemill: {line}", file=sys.stderr)
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
def extract(
    files: options.Files = None,
    method: options.Method = DEFAULT_METHOD,
    top: options.Top = "10",
    threshold: options.Threshold = None,
    exclude: options.Exclude = None,
    exclude_file: options.ExcludeFile = None,
    redundancy: options.Redundancy = None,
    language: options.Language = None,
    repair: options.Repair = False,
    example: options.Example = False,
    format: options.OutputFormat = None,
    highlight: options.Highlight = False,
    output: options.Output = None,
) -> int:
    """Print the keyphrases of documents, best first."""
    if highlight and format not in (None, "table"):
        raise ConfigError("--highlight prints the text itself; leave out --format, or --highlight")
    target = Path(output) if output else None
    names = _names(list(files or []), example)
    wanted = {
        "top": options.top(top),
        "threshold": options.threshold(threshold),
        "exclude": [*(exclude or []), *(_phrases(exclude_file) if exclude_file else [])],
        "redundancy": redundancy,
        "language": language,
    }
    batch = Batch(names, build(method), wanted, repair=repair)
    _write(batch, options.output_format(format, target), highlight=highlight, output=target)
    return SOME_FAILED if batch.failed else 0


@app.command(cls=options.Command, epilog=METHODS_EXAMPLES)
def methods(format: options.MethodsFormat = "table") -> int:
    """List the methods: what each does, the paper it is from, and what it needs."""
    entries = METHODS.describe()
    if options.one_of(format, options.LIST_FORMATS, "--format") == "json":
        print(formats.to_json([entry._asdict() for entry in entries], sys.stdout.encoding, indent=2))
    elif _on_screen():
        from phrasemill.cli import screen

        screen.methods(entries)
    else:
        print(formats.columns([("name", "what it does", "paper", "needs"), *entries]), end="")
    return 0


evaluate.register(app)


class Batch:
    """The inputs of one call. With several, a bad one is reported and the rest goes on."""

    def __init__(self, names: list[str], method: Extractor, wanted: dict[str, Any], *, repair: bool) -> None:
        self.names, self.method, self.wanted, self.repair = names, method, wanted, repair
        self.failed: list[str] = []

    @property
    def many(self) -> bool:
        return len(self.names) > 1

    def results(self) -> Iterator[Result]:
        for document in self._documents():
            find = self._find_repaired if self.repair else self._find
            yield Result(document, repr(self.method), find(document))

    def _find(self, document: Document) -> list[Keyphrase]:
        return extract_keyphrases(document, method=self.method, **self.wanted)

    def _find_repaired(self, document: Document) -> list[Keyphrase]:
        """Keyphrases of the repaired text, with their places in the text as it was."""
        from phrasemill.text.repair import repair

        repaired = repair(document.content)
        found = self._find(Document(document.id, repaired.text, language=document.language))
        return [Keyphrase(k.text, k.score, tuple(map(repaired.original, k.spans))) for k in found]

    def _documents(self) -> Iterator[Document]:
        for name in self.names:
            try:
                document = _read(name)
            except InputError as error:
                if not self.many:
                    raise
                self.failed.append(name)
                _complain(str(error))
            else:
                yield document


def _names(files: list[str], example: bool) -> list[str]:
    """What to read: the files, the built-in example, or else whatever is piped in."""
    if example:
        if files:
            raise ConfigError("--example stands for a file; leave out the FILE, or --example")
        return [str(EXAMPLE)]
    if files:
        return files
    if sys.stdin is None or sys.stdin.isatty():
        raise ConfigError("nothing to read: name a FILE, pipe a text in, or try phrasemill extract --example")
    return [STDIN]


def _read(name: str) -> Document:
    from phrasemill.readers import read, read_bytes

    if name == STDIN:
        return read_bytes(sys.stdin.buffer.read() if sys.stdin else b"", name=STDIN)
    if name == str(EXAMPLE):
        return read_bytes(EXAMPLE.read_bytes(), name="example")
    return read(name)


def _phrases(path: str) -> list[str]:
    """The lines of a file of phrases."""
    from phrasemill.readers import read

    return [line.strip() for line in read(path).text.splitlines() if line.strip()]


def _on_screen() -> bool:
    """Whether a person is looking, and colours and frames make sense."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def _in_colour() -> bool:
    return _on_screen() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write(batch: Batch, format: str, *, highlight: bool, output: Path | None) -> None:
    if output is None and format == "table" and (_in_colour() if highlight else _on_screen()):
        from phrasemill.cli import screen

        for result in batch.results():
            screen.show(result, titled=batch.many, highlight=highlight)
        return
    encoding = "utf-8" if output else sys.stdout.encoding
    chunks = formats.render(batch.results(), format, many=batch.many, highlight=highlight, encoding=encoding)
    if output is None:
        for chunk in chunks:
            sys.stdout.write(chunk)
        return
    # Nothing is created, and no older file lost, before there is something to write.
    first = next(chunks, "")
    with output.open("w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(first)
        file.writelines(chunks)
