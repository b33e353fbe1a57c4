"""`extract`: the keyphrases of documents, or of whole sets of them.

With several files, a folder, or several records in a file, a bad one is reported and the others are read. It is an
error if nothing at all can be read.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated

import typer

from phrasemill.cli import options
from phrasemill.cli.extract_options import ExtractArguments
from phrasemill.cli.listing import Result, listing
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import format_of, show, write
from phrasemill.cli.reading import EXAMPLE, STDIN, Failures, Inputs, each_readable, expanded
from phrasemill.errors import ConfigError, InputError
from phrasemill.extractor import Extractor
from phrasemill.sources import as_document
from phrasemill.types import Document

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
        from phrasemill.cli.in_place import add_column, add_tags

        extractor, failures = Extractor(**phrases.read()), Failures()
        if add is None:
            add_tags(names, extractor, inputs, failures)
        else:
            add_column(names, add, extractor, inputs, failures, output)
        return SOME_FAILED if failures.count else 0
    if as_set or by or against:
        from phrasemill.cli import sets

        if highlight or repair:
            raise ConfigError("--highlight and --repair are for single documents; leave out --set")
        return sets.run(names, phrases, inputs, by=by, against=against or [], format=format, output=output)
    extractor, failures = Extractor(**phrases.read()), Failures()
    batch = ExtractBatch(names, extractor, inputs, failures, repair=repair)
    wanted = format_of(format, output, FORMATS)
    if wanted == "bulk":
        from phrasemill.engine.bulk import bulk_lines

        write((bulk_lines(one.document, one.keyphrases) for one in batch.results()), output)
    else:
        concepts = extractor.options["vocabulary"] is not None
        view = listing(many=batch.many, highlight=highlight, concepts=concepts, output=output)
        show(batch.results(), view, wanted, output, many=batch.many)
    return SOME_FAILED if failures.count else 0


class ExtractBatch:
    """The documents of some inputs, and their keyphrases."""

    def __init__(
        self, names: list[str], extractor: Extractor, inputs: Inputs, failures: Failures, *, repair: bool = False
    ) -> None:
        self.extractor, self.failures, self.repair, self._inputs = extractor, failures, repair, inputs
        self.names = expanded(names, failures)
        self._only = names[0] if names == self.names and len(names) == 1 else None

    @cached_property
    def many(self) -> bool:
        return self._only is None or self._inputs.holds_records(self._only)

    def results(self) -> Iterator[Result]:
        """Yield the keyphrases of each document; with `repair`, spans point into the text as it was."""
        method, found = repr(self.extractor.method), False
        read = partial(self._inputs.documents, report=self.failures)
        for each in each_readable(self.names, read, self.failures):
            found, document = True, as_document(each, self.extractor.language)
            if not self.repair:
                yield Result(document, method, self.extractor.extract(document))
                continue
            from phrasemill.text.repair import repair

            repaired = repair(document.content)
            keyphrases = self.extractor.extract(Document(document.id, repaired.text, language=document.language))
            spans = [tuple(map(repaired.original, one.spans)) for one in keyphrases]
            moved = [replace(one, spans=its) for one, its in zip(keyphrases, spans, strict=True)]
            yield Result(document, method, moved)
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
