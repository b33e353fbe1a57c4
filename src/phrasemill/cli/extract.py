"""`extract`: the keyphrases of documents, or of whole sets of them.

With several files, a folder, or several records in a file, a bad one is reported and the others are read. It is an
error if nothing at all can be read.
"""

import re
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from functools import partial
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, ClassVar

from phrasemill.catalogue import METHODS, styles
from phrasemill.cli import app, options
from phrasemill.cli.listing import Result, listing
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import format_of, show, write
from phrasemill.cli.reading import EXAMPLE, STDIN, Failures, Inputs, each_readable, expanded
from phrasemill.errors import ConfigError, InputError
from phrasemill.extractor import Extractor
from phrasemill.options import ALL, OPTIONS
from phrasemill.options import Option as Declared
from phrasemill.readers import read
from phrasemill.select import AUTO, REDUNDANCY
from phrasemill.sources import as_document
from phrasemill.types import Document

EXAMPLES = """[bold]Examples[/bold]
  phrasemill extract paper.pdf notes.md page.html --style news --top auto --explain
  phrasemill extract articles.csv --columns 'text=abstract+body,title=headline,id=key' --format jsonl
  phrasemill extract articles.csv --columns text=body --add keyphrases --output tagged.csv
  phrasemill extract article.txt -m 'textrank(window=5)' --vocabulary thesaurus.ttl --new-terms
  pdftotext paper.pdf - | phrasemill extract - --repair --format text
  phrasemill extract --set new/ --against old/ --top 20 --output phrases.html"""
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
FILES_HELP = "Texts, Markdown, HTML, PDF, Word, JSON lines, CSV or Parquet, or folders of them; - is standard input."
WRITE_HELP = "Add the keyphrases to the tags of Markdown files; phrasemill tags undo restores the files."
ADD_HELP = "Print the table FILE as it is, with one more column of this name, the keyphrases of each row."
BY_HELP = "Make one set per folder (--by folder), or per value of a field of records. Implies --set."
AGAINST_HELP = "Find what distinguishes the set from this file or folder. May be repeated. Implies --set."
FORMATS = ("table", "text", "json", "jsonl", "csv", "markdown", "bulk")
FORMAT_HELP = "table (the default), text, json, jsonl, csv, markdown or bulk (for Elasticsearch); for sets, also html."
BOOST = 2.0
FACTOR = re.compile(r"(?P<phrase>(?:.*\S)?)\s*=\s*(?P<factor>[^=\s]+)\s*")


def _languages() -> list[str]:
    from phrasemill.text.language_codes import choices

    return [one.code for one in choices()]


Language = Annotated[str | None, Option("--language -l LANGUAGE", OPTIONS["language"].help, INPUT, complete=_languages)]

# What help adds to the text of an option, and what a shell suggests.
MORE = {"method": "See [bold]phrasemill methods[/bold].", "boost": "For example 'salt water=3'."}
REPEATED: dict[str, str] = {
    "factors": "May be repeated.",
    "phrases": "May be repeated.",
    "words": "Separate them with commas, or repeat the option.",
}
COMPLETE: dict[str, Callable[[], list[str]]] = {
    "language": _languages,
    "method": METHODS.names,
    "redundancy": lambda: list(REDUNDANCY),
    "style": lambda: sorted({style for some in styles().values() for style in some}),
}
TYPES: dict[str, Any] = {"count": int, "flag": bool, "number": float} | dict.fromkeys(REPEATED, list[str])


def _parameters(name: str, one: Declared) -> Iterator[Parameter]:
    """Yield the parameters of a command for an option; phrases can be typed, read from a file, or both."""

    def parameter(name: str, default: object, kind: Any, spelling: str, help: str) -> Parameter:
        declared = Option(spelling, help, one.panel, least=one.least, complete=COMPLETE.get(name))
        of: Any = kind if default is not None else kind | None
        return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[of, declared])

    option, help = f"--{name.replace('_', '-')}", f"{one.help} {MORE.get(name, '')}".strip()
    if one.kind not in REPEATED:
        yield parameter(name, one.default, TYPES.get(one.kind, str), f"{option} {one.typed}".strip(), help)
        return
    from_file = f"{one.help} One phrase per line."
    if one.typed:
        yield parameter(name, None, list[str], f"{option} {one.typed}", f"{help} {REPEATED[one.kind]}")
        from_file = f"Also read such {one.kind.replace('factors', 'phrases')} from this file, one per line."
    yield parameter(f"{name}_file", None, str, f"{option}-file FILE", from_file)


def _signature(known: Container[str] = OPTIONS) -> Signature:
    return Signature([each for name, one in OPTIONS.items() if name in known for each in _parameters(name, one)])


class ExtractArguments:
    """The options of an extraction, before they are read."""

    __signature__: ClassVar[Signature] = _signature()

    def __init__(self, **given: Any) -> None:
        self._given = given

    def read(self, known: Container[str] = OPTIONS) -> dict[str, Any]:
        """Return the options that were given, as the library takes them; all must be `known`."""
        values = {name: self._value(name, one.kind) for name, one in OPTIONS.items()}
        given = {name: value for name, value in values.items() if value not in (None, OPTIONS[name].default)}
        if wrong := [f"--{name.replace('_', '-')}" for name in given if name not in known]:
            are = "is" if len(wrong) == 1 else "are"
            raise ConfigError(f"{', '.join(wrong)} {are} for single documents; leave out --set")
        return given

    def _value(self, name: str, kind: str) -> Any:
        value: Any = self._given.get(name)
        if kind in REPEATED:
            return self._phrases(name, kind, value)
        if kind != "top" or value.lower() in (ALL, AUTO):
            return value.lower() if kind == "top" else value
        try:
            return float(value) if "." in value else int(value)
        except ValueError:
            raise ConfigError(f"--top must be a count, a fraction such as 0.2, auto or all; got {value!r}") from None

    def _phrases(self, name: str, kind: str, typed: list[str] | None) -> Any:
        file = self._given.get(f"{name}_file")
        if typed is None and not file:
            return None
        phrases = list(typed or ())
        if kind == "words":
            phrases = [word for one in phrases for word in one.split(",") if word.strip()]
            if typed and not phrases:
                raise ConfigError(f"--stopwords takes words, separated by commas; got {typed[0]!r}")
        phrases += [line.strip() for line in read(file).text.splitlines() if line.strip()] if file else []
        return dict(map(_boosted, phrases)) if kind == "factors" else phrases


class RunArguments(ExtractArguments):
    """The same for a run, whose results have no place for reasons."""

    __signature__ = _signature(OPTIONS.keys() - {"explain"})


def _boosted(text: str) -> tuple[str, float]:
    """Split `salt water=3` into the phrase and its factor; `salt water` has the default factor."""
    found = FACTOR.fullmatch(text)
    if found is None:
        return text, BOOST
    try:
        return found["phrase"], float(found["factor"])
    except ValueError:
        raise ConfigError(f"the boost in {text!r} must be a number; got {found['factor']!r}") from None


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
    as_set: Annotated[bool, Option("--set", "Treat all files as one set.", INPUT)] = False,
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
        return 1 if failures.count else 0
    if as_set or by or against:
        from phrasemill.cli import sets

        if highlight or repair:
            raise ConfigError("--highlight and --repair are for single documents; leave out --set")
        return sets.run(names, phrases, inputs, by=by, against=against or [], format=format, output=output)
    extractor, failures = Extractor(**phrases.read()), Failures()
    whole = expanded(names, failures)
    found = results(whole, extractor, inputs, failures, repair=repair)
    wanted = format_of(format, output, FORMATS)
    if wanted == "bulk":
        from phrasemill.engine.bulk import bulk_lines

        write((bulk_lines(one.document, one.keyphrases) for one in found), output)
    else:
        concepts = extractor.options["vocabulary"] is not None
        many = whole != names or len(names) > 1 or inputs.holds_records(names[0])
        view = listing(many=many, highlight=highlight, concepts=concepts, output=output)
        show(found, view, wanted, output, many=many)
    return 1 if failures.count else 0


def results(
    names: Sequence[str], extractor: Extractor, inputs: Inputs, failures: Failures, *, repair: bool = False
) -> Iterator[Result]:
    """Yield the keyphrases of each document; with `repair`, spans point into the text as it was."""
    method, found = repr(extractor.method), False
    for each in each_readable(names, partial(inputs.documents, report=failures), failures):
        found, document = True, as_document(each, extractor.language)
        if not repair:
            yield Result(document, method, extractor.extract(document))
            continue
        from phrasemill.text.repair import repair as repaired_text

        repaired = repaired_text(document.content)
        keyphrases = extractor.extract(Document(document.id, repaired.text, language=document.language))
        spans = [tuple(map(repaired.original, one.spans)) for one in keyphrases]
        moved = [replace(one, spans=its) for one, its in zip(keyphrases, spans, strict=True)]
        yield Result(document, method, moved)
    failures.close()
    if failures.count and not found:
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
