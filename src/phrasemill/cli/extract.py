"""`extract`: the keyphrases of documents, or of whole sets of them.

With several files, a folder, or several records in a file, a bad one is reported and the others are read. It is an
error if nothing at all can be read.
"""

import os
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from phrasemill.cli import options
from phrasemill.cli.extract_options import ExtractArguments
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import Part, View, format_of, on_screen, show, write
from phrasemill.cli.reading import EXAMPLE, STDIN, Failures, Inputs, each_readable, expanded
from phrasemill.errors import ConfigError, InputError
from phrasemill.extractor import Extractor
from phrasemill.files.tables import Table, clean, one_line
from phrasemill.keyphrases import ABSENT, marked_spans
from phrasemill.sources import Watch, as_document
from phrasemill.types import Document, Keyphrase

if TYPE_CHECKING:
    from rich.text import Text

    from phrasemill.text.repair import Repaired

SOME_FAILED = 1
EXAMPLES = """[bold]Examples[/bold]
  phrasemill extract --example
  phrasemill extract article.txt --top 5
  phrasemill extract article.txt --highlight
  phrasemill extract article.txt --style news --top auto --explain
  phrasemill extract paper.pdf notes.md page.html --format json
  phrasemill extract articles/ --format jsonl
  phrasemill extract corpus.jsonl.gz --format jsonl
  phrasemill extract articles.csv --columns 'text=abstract+body,title=headline,id=key'
  phrasemill extract articles.csv --columns text=body --add keyphrases --output tagged.csv
  phrasemill extract notes.md --top 5 --write
  phrasemill extract article.txt -m 'textrank(window=5)' --redundancy inclusion
  phrasemill extract article.txt --vocabulary thesaurus.ttl --new-terms
  pdftotext paper.pdf - | phrasemill extract - --repair --format text
  phrasemill extract --set articles/ --top 20 --output phrases.html
  phrasemill extract --by folder collection/ --format json
  phrasemill extract --by year papers.jsonl --format csv
  phrasemill extract --set new/ --against old/"""
SHORT = """Usage: phrasemill extract [OPTIONS] [FILE]...

Print the keyphrases of documents, best first. A FILE is text, Markdown, HTML, PDF,
Word, JSON lines, CSV or Parquet, or a folder of such files; - is standard input.

  -n, --top N           how many; 10 by default, auto decides by the text
  -m, --method SPEC     learned (fast, the default), encoder (best), yake …
  -l, --language CODE   the language, where it should not be detected
  -f, --format FORMAT   table, text, json, jsonl, csv, markdown
  -o, --output FILE     write to a file instead of the screen
  --columns NAMES       the columns of a table, such as text=message,id=key
  --vocabulary FILE     return the concepts of a vocabulary
  --explain             give the reasons for each keyphrase
  --highlight           print the text with its keyphrases marked
  --set                 treat all files as one set of documents
  --write               add tags to the front matter of Markdown files
  --add NAME            print your table with a column of keyphrases

Examples
  phrasemill extract article.txt --top 5
  phrasemill extract notes/ --top 5 --write
  phrasemill extract tickets.csv --columns text=message --add keyphrases

phrasemill extract --help has all options."""
FILES_HELP = (
    "Text, Markdown, HTML, PDF, Word, JATS, JSON lines, CSV or Parquet files, or folders of them; - reads standard "
    "input."
)
SET_HELP = "Treat all files as one set and extract its keyphrases."
WRITE_HELP = (
    "Add the keyphrases to the tags in the front matter of Markdown files, and print what changes; phrasemill tags "
    "undo restores the files."
)
ADD_HELP = "Print the table FILE as it is, with one more column of this name, the keyphrases of each row."
BY_HELP = "Make one set per folder (--by folder), or per value of a field in JSON lines, CSV or Parquet. Implies --set."
AGAINST_HELP = "Find the phrases that distinguish the set from this file or folder. May be repeated. Implies --set."
FORMATS = ("table", "text", "json", "jsonl", "csv", "markdown", "bulk")
NOTHING = "no keyphrases"
MOST_REASONS = 5
# Marks on a terminal, readable on dark and on light ones alike: the background is set, too.
MARKS = (
    "black on bright_yellow",
    "black on bright_cyan",
    "black on bright_green",
    "black on bright_magenta",
    "bright_white on blue",
    "bright_white on dark_red",
)
FORMAT_HELP = "table (the default), text, json, jsonl, csv, markdown or bulk (for Elasticsearch); for sets, also html."

app = typer.Typer()


@options.command(app, EXAMPLES, short=SHORT)
def extract(
    *,
    files: Annotated[list[str] | None, Option("FILE", FILES_HELP)] = None,
    phrases: ExtractArguments,
    inputs: Inputs,
    repair: Annotated[
        bool, Option("--repair", "Repair text copied from a PDF: join broken words and remove page headers.", INPUT)
    ] = False,
    example: Annotated[bool, Option("--example", "Use the built-in example text.", INPUT)] = False,
    as_set: Annotated[bool, Option("--set", SET_HELP, INPUT)] = False,
    by: Annotated[str | None, Option("--by FIELD", BY_HELP, INPUT)] = None,
    against: Annotated[list[str] | None, Option("--against FILE", AGAINST_HELP, INPUT)] = None,
    format: Annotated[
        str | None, Option("--format -f FORMAT", FORMAT_HELP, OUTPUT, complete=lambda: list(FORMATS))
    ] = None,
    highlight: Annotated[bool, Option("--highlight", "Print the text with its keyphrases marked.", OUTPUT)] = False,
    output: options.Output = None,
    write_tags: Annotated[bool, Option("--write", WRITE_HELP, OUTPUT)] = False,
    add: Annotated[str | None, Option("--add NAME", ADD_HELP, OUTPUT)] = None,
) -> int:
    """Print the keyphrases of documents, best first."""
    if highlight and format not in (None, "table"):
        raise ConfigError("--highlight prints the text itself; leave out --format or --highlight")
    names = _names_of(files or [], example)
    if output is not None and output.exists() and any(Path(name).exists() and output.samefile(name) for name in names):
        raise ConfigError(f"--output {output} is a FILE to read; write to another file")
    if write_tags or add is not None:
        option = "--write" if write_tags else "--add"
        others = {
            "--format": format, "--set": as_set, "--by": by, "--against": against, "--highlight": highlight,
            "--repair": repair, "--example": example, "--add": write_tags and add, "--output": write_tags and output,
        }  # fmt: skip
        if wrong := [name for name, given in others.items() if given]:
            raise ConfigError(f"{option} does not go with {', '.join(wrong)}; leave out one of them")
        return _in_place(names, Extractor(**phrases.read()), inputs, add, output)
    if as_set or by or against:
        from phrasemill.cli import sets

        if highlight or repair:
            raise ConfigError("--highlight and --repair are for single documents; leave out --set")
        return sets.run(names, phrases, inputs, by=by, against=against or [], format=format, output=output)
    extractor = Extractor(**phrases.read())
    batch = ExtractBatch(names, extractor, inputs=inputs, repair=repair)
    concepts = extractor.options["vocabulary"] is not None
    _write(batch, format_of(format, output, FORMATS), highlight=highlight, concepts=concepts, output=output)
    return SOME_FAILED if batch.failures.count else 0


def _in_place(names: list[str], extractor: Extractor, inputs: Inputs, column: str | None, output: Path | None) -> int:
    from phrasemill.cli.in_place import add_column, add_tags

    failures = Failures()
    if column is not None:
        if len(names) != 1 or not column.strip():
            raise ConfigError("--add NAME takes one FILE, a table, and the name of the new column")
        add_column(names[0], column, output, inputs=inputs, extractor=extractor, failures=failures)
    else:

        def find(notes: list[str]) -> Iterator[tuple[Document, list[Keyphrase]]]:
            batch = ExtractBatch(notes, extractor, inputs=inputs, failures=failures)
            return ((one.document, one.keyphrases) for one in batch.results())

        add_tags(expanded(names, failures), find, failures)
    return SOME_FAILED if failures.count else 0


class Result(NamedTuple):
    """The keyphrases of one document, and the spec of the method that found them."""

    document: Document
    method: str
    keyphrases: list[Keyphrase]


class ExtractBatch:
    """The documents of some inputs, and their keyphrases."""

    def __init__(
        self,
        names: list[str],
        extractor: Extractor,
        *,
        inputs: Inputs,
        repair: bool = False,
        failures: Failures | None = None,
    ) -> None:
        self.extractor, self.repair = extractor, repair
        self.failures, self._inputs = failures or Failures(), inputs
        self.names = expanded(names, self.failures)
        self._only = names[0] if names == self.names and len(names) == 1 else None
        self._under_way: deque[tuple[Document, Repaired | None]] = deque()

    @cached_property
    def many(self) -> bool:
        return self._only is None or self._inputs.holds_records(self._only)

    def results(self) -> Iterator[Result]:
        """Yield the keyphrases of each document; with `repair`, spans point into the text as it was."""
        method = repr(self.extractor.method)
        for found in map(self.extractor.find, map(Watch(self.extractor.language), self._sources())):
            keyphrases: list[Keyphrase] = found
            document, repaired = self._under_way.popleft()
            if repaired is not None:
                keyphrases = [replace(k, spans=tuple(map(repaired.original, k.spans))) for k in keyphrases]
            yield Result(document, method, keyphrases)

    def _sources(self) -> Iterator[Document]:
        for read in self._documents():
            document = as_document(read, self.extractor.language)
            if not self.repair:
                self._under_way.append((document, None))
                yield document
                continue
            from phrasemill.text.repair import repair

            repaired = repair(document.content)
            self._under_way.append((document, repaired))
            yield Document(document.id, repaired.text, language=document.language)

    def _documents(self) -> Iterator[Document]:
        found = False
        read = partial(self._inputs.documents, report=self.failures)
        for document in each_readable(self.names, read, self.failures):
            found = True
            yield document
        self.failures.close()
        if self.failures.count and not found:
            raise InputError("nothing could be read")


def _names_of(files: list[str], example: bool) -> list[str]:
    """Return what to read: the files, the built-in example, or else standard input."""
    if example:
        if files:
            raise ConfigError("--example replaces FILE; leave out one of them")
        return [str(EXAMPLE)]
    if files:
        return files
    if sys.stdin is None or sys.stdin.isatty():
        raise ConfigError("nothing to read: name a FILE, pipe a text in, or try phrasemill extract --example")
    return [STDIN]


def _write(batch: ExtractBatch, format: str, *, highlight: bool, concepts: bool, output: Path | None) -> None:
    if format == "bulk":
        from phrasemill.engine.bulk import bulk_lines

        write((bulk_lines(one.document, one.keyphrases) for one in batch.results()), output)
        return
    table = partial(_table, many=batch.many, highlight=highlight, concepts=concepts, output=output)
    view = View(table, record, partial(_rows, concepts=concepts), partial(_lines, concepts=concepts))
    show(batch.results(), view, format, output, many=batch.many)


def record(result: Result) -> dict[str, object]:
    """Return a result in the shape that `evaluate` reads."""
    return {
        "id": result.document.id,
        "language": result.document.language,
        "method": result.method,
        "keyphrases": [keyphrase.to_dict() for keyphrase in result.keyphrases],
    }


def _table(result: Result, *, many: bool, highlight: bool, concepts: bool, output: Path | None) -> Iterator[Part]:
    """Yield the text with its marks, if that is wanted, the table, and the reasons; with a vocabulary labels first."""
    title, found = result.document.id if many else "", result.keyphrases
    dull = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    coloured = highlight and output is None and on_screen() and not dull
    if highlight:
        heading, title = f"{title}\n" if title else "", ""
        yield _coloured(result, heading) if coloured else f"{heading}{_bracketed(result)}"
    if not found:
        yield f"{title}\n{NOTHING}" if title else NOTHING
        return
    phrases = [_mark(rank, k.text) if coloured else k.text for rank, k in enumerate(found)]
    ranks, times = range(1, len(found) + 1), [len(k.spans) or ABSENT for k in found]
    columns = {"#": ranks, "keyphrase": phrases, "score": [float(k.score) for k in found], "times": times}
    if concepts:
        columns = {"#": ranks, "concept": [k.label for k in found], **columns}
        if any(k.concept != k.label for k in found):
            columns["id"] = [k.concept for k in found]
    yield Table(title, tuple(columns), list(zip(*columns.values(), strict=True)))
    if reasons := [_reasons(rank, k) for rank, k in enumerate(found, start=1) if k.evidence]:
        yield "\n\n".join(reasons)


def _rows(result: Result, *, concepts: bool) -> Table:
    """Return the columns of CSV, with a vocabulary those of concepts first."""
    header = ("id", "rank", *(("label", "concept") if concepts else ()), "text", "score", "present", "start", "end")
    rows = []
    for rank, k in enumerate(result.keyphrases, start=1):
        place = k.spans[0] if k.spans else ("", "")
        name = (k.label, k.concept) if concepts else ()
        rows.append((result.document.id, rank, *name, k.text, k.score, str(k.present).lower(), *place))
    return Table("", header, rows)


def _lines(result: Result, *, concepts: bool) -> Iterator[str]:
    """Yield the phrases; with a vocabulary the label, or else the phrase, its wording and the id of its concept."""
    for k in result.keyphrases:
        yield "\t".join(map(one_line, (k.label or k.text, k.text, k.concept) if concepts else (k.text,)))


def _reasons(rank: int, keyphrase: Keyphrase) -> str:
    """Return the strongest reasons, one per line, with how far each moved the score."""
    lines = [f"{rank} {one_line(keyphrase.text)}"]
    for one in keyphrase.evidence[:MOST_REASONS]:
        lines.append("  " + (f"{one.weight:+.2f}  " if one.weight else "") + one_line(one.words))
    return "\n".join(lines)


def _bracketed(result: Result) -> str:
    """Return the text with its keyphrases in double brackets."""
    text = clean(result.document.content)
    out: list[str] = []
    done = 0
    for (start, end), _ in marked_spans(result.keyphrases):
        out += text[done:start], "[[", text[start:end], "]]"
        done = end
    return "".join([*out, text[done:]]).rstrip()


def _coloured(result: Result, heading: str) -> "Text":
    """Return the text with each keyphrase in the colour that it has in the table below."""
    from rich.text import Text

    text = Text(f"{heading}{clean(result.document.content).rstrip()}")
    for (start, end), rank in marked_spans(result.keyphrases):
        text.stylize(MARKS[rank % len(MARKS)], len(heading) + start, len(heading) + end)
    return text


def _mark(rank: int, phrase: str) -> "Text":
    from rich.text import Text

    return Text(one_line(phrase), style=MARKS[rank % len(MARKS)])
