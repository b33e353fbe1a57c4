"""`tags`: learn the tags of a collection, suggest them, and take feedback; `tag_changes.py` has the other commands."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from phrasemill.cli import app, options
from phrasemill.cli.options import INPUT, OUTPUT, Option
from phrasemill.cli.output import Part, View, counted, facts, show, size, writable
from phrasemill.cli.reading import COLUMNS_HELP, STDIN, Failures
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.tables import Table

if TYPE_CHECKING:
    from phrasemill.tags import Suggestion, Tags, TagSuggestions
    from phrasemill.tags.sources import Tagged, TagReader

LEARN_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags learn notes/ -o my.tags
  phrasemill tags learn export.csv --tags-field Labels -o my.tags
  phrasemill tags learn library.bib bookmarks.html thesaurus.ttl -o my.tags"""
SUGGEST_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags suggest article.txt --with my.tags
  phrasemill tags suggest inbox/ --with my.tags --format csv
  pdftotext paper.pdf - | phrasemill tags suggest - --with my.tags --new 0"""
FEEDBACK_EXAMPLES = """[bold]Examples[/bold]
  phrasemill tags feedback article.txt --with my.tags --accept statistics --refuse baking --add 'data analysis'"""
FORMATS = ("table", "json", "jsonl", "csv")
HEADER = ("document", "tag", "new", "probability", "support", "present", "reason")
SHOWN = 8  # tags in the summary
WHICH = "Which tags"

TAGS_HELP = "The file of tags, written by phrasemill tags learn."
SOURCES_HELP = "Notes, CSV, JSON lines, BibTeX, RIS, bookmarks or vocabularies; or folders of them."
DOCS_HELP = "Files or folders that tags learn or extract can read; - reads standard input."
FIELD_HELP = "The column or front-matter key that contains the tags; by default one of the usual names."
SUPPORT_HELP = "Suggest a new tag only if it is a keyphrase of at least this many documents."
ACCEPT_HELP = "A suggested tag that fits. Separate several with commas, or repeat the option."

group = options.group("tags", "Learn, suggest, review and apply the tags of a collection.")
app.add_typer(group)

With = Annotated[Path | None, Option("--with TAGS", TAGS_HELP, INPUT)]
TagsField = Annotated[str | None, Option("--tags-field NAME", FIELD_HELP, INPUT)]


@options.command(group, LEARN_EXAMPLES)
def learn(
    sources: Annotated[list[str] | None, Option("SOURCE", SOURCES_HELP)] = None,
    output: Annotated[Path | None, Option("--output -o TAGS", "The file of tags to write.", OUTPUT)] = None,
    tags_field: TagsField = None,
    columns: Annotated[str | None, Option("--columns NAMES", COLUMNS_HELP, INPUT)] = None,
) -> int:
    """Learn from your documents which tags exist, how often they are used, and for what."""
    if not sources:
        raise ConfigError("tags learn needs a SOURCE: a folder of notes, a CSV export, a BibTeX file …")
    if output is None:
        raise ConfigError("tags learn needs --output TAGS: where to write what was learned")
    from phrasemill.tags import Tags

    writable(output)
    failures = Failures()
    read = reader(failures, tags_field, columns)
    tags = Tags()
    tags.add_from(read, sources)
    failures.close()
    if not tags.counts:
        raise InputError(f"{', '.join(sources)}: no tags in {counted(len(tags.library), 'document')}")
    tags.save(output)
    facts(_summary(tags, read, output))
    print(f"\nphrasemill tags suggest FILE --with {output}")
    return 1 if failures.count else 0


def _summary(tags: "Tags", read: "TagReader", output: Path) -> Iterator[tuple[str, str]]:
    from phrasemill.tags.review import MERGES

    for kind, number in read.files.items():
        documents = read.documents.get(kind, number)
        yield kind, ("" if documents == number else f"{documents:,} in ") + counted(number, "file")
    total, used = len(tags.library), tags.counts
    yield "documents", f"{total:,}, {total - read.untagged:,} with tags"
    yield "tags", f"{len(used):,}, {sum(count == 1 for count in used.values()):,} of them used once"
    yield "most used", ", ".join(f"{tag} {count:,}" for tag, count in list(used.items())[:SHOWN])
    review = tags.review(kinds=MERGES)
    if review:
        some = ", ".join(f"{one.old} → {one.new[0]}" for one in review[:3])
        yield "to review", f"{counted(len(review), 'tag')} that may be others: {some}"
    if read.failures:
        yield "could not be read", f"{read.failures:,}"
    yield "written to", f"{output}, {size(output)}"


@options.command(group, SUGGEST_EXAMPLES)
def suggest(
    documents: Annotated[list[str] | None, Option("DOC", DOCS_HELP)] = None,
    with_: With = None,
    limit: Annotated[int, Option("--limit -n N", "The most existing tags per document.", WHICH, least=1)] = 8,
    threshold: Annotated[float, Option("--threshold P", "Their lowest probability.", WHICH, least=0)] = 0.1,
    new: Annotated[int, Option("--new N", "The most new tags per document.", WHICH, least=0)] = 3,
    support: Annotated[int, Option("--support N", SUPPORT_HELP, WHICH, least=1)] = 3,
    tags_field: TagsField = None,
    format: Annotated[str, Option("--format -f FORMAT", "", OUTPUT, choices=FORMATS)] = "table",
) -> int:
    """Suggest tags for documents: existing tags first, then a few new ones that enough documents share."""
    tags, failures = opened(with_), Failures()
    given = _given(documents or [], reader(failures, tags_field))
    failures.close()
    if not given:
        raise InputError("nothing could be read" if failures.count else f"{', '.join(documents or [])}: no documents")
    texts, has = [one.document for one in given], [one.tags for one in given]
    found = tags.suggest_all(texts, limit=limit, threshold=threshold, new=new, support=support, has=has)
    many = len(found) > 1

    def table(one: "TagSuggestions") -> list[Part]:
        rows = [
            [tag.tag, f"{tag.probability:.0%}".replace("%", " %"), "has it" if tag.present else "", tag.why]
            for tag in one.tags
        ]
        rows += [[tag.tag, "new", "", tag.why] for tag in one.new]
        if not any(has for _, _, has, _ in rows):
            rows = [[tag, likely, why] for tag, likely, _, why in rows]
        title = one.id if many else ""
        return [Table(title, (), rows)] if rows else [f"{title}\nno tags to suggest".strip()]

    view = View(table=table, record=lambda one: one.record(), rows=_rows)
    show(found, view, format, many=many)
    return 1 if failures.count else 0


def _rows(one: "TagSuggestions") -> Table:
    def row(tag: "Suggestion", new: str) -> tuple[object, ...]:
        return one.id, tag.tag, new, tag.probability, tag.support, "yes" if tag.present else "", tag.why

    return Table("", HEADER, [*(row(tag, "") for tag in one.tags), *(row(tag, "yes") for tag in one.new)])


@options.command(group, FEEDBACK_EXAMPLES)
def feedback(
    document: Annotated[str, Option("DOC", "The file that the tags were suggested for; - reads standard input.")],
    with_: With = None,
    accept: Annotated[list[str] | None, Option("--accept TAG", ACCEPT_HELP)] = None,
    refuse: Annotated[list[str] | None, Option("--refuse TAG", "A suggested tag that does not fit.")] = None,
    add: Annotated[list[str] | None, Option("--add TAG", "A tag that fits but was not suggested.")] = None,
) -> int:
    """Record which tags fit a document, and learn from it at once."""
    from phrasemill.tags.collection import changing

    given = _given([document], reader(Failures()))
    if len(given) != 1:
        raise InputError(f"{document}: {'several documents' if given else 'no document'} in it; name one")
    with changing(path_of(with_)) as tags:
        tags.feedback(given[0].document, accept=split(accept), refuse=split(refuse), add=split(add))
    print(f"{with_}: updated")
    return 0


def split(given: list[str] | None) -> list[str]:
    """Return tags that were given one by one, or several with commas."""
    return [tag.strip() for one in given or [] for tag in one.split(",") if tag.strip()]


def path_of(with_: Path | None) -> Path:
    if with_ is None:
        raise ConfigError("--with TAGS is required: the file of tags, written by phrasemill tags learn")
    return with_


def opened(with_: Path | None) -> "Tags":
    from phrasemill.tags import Tags

    return Tags.open(path_of(with_))


def reader(failures: Failures, tags_field: str | None = None, columns: str | None = None) -> "TagReader":
    from phrasemill.readers import Columns, parse_columns
    from phrasemill.tags.sources import TagReader

    return TagReader(failures, tags_field, Columns() if columns is None else parse_columns(columns))


def _given(names: Sequence[str], read: "TagReader") -> "list[Tagged]":
    """Return the documents that a command names."""
    if not names and (sys.stdin is None or sys.stdin.isatty()):
        raise ConfigError("nothing to read: name a DOC, or pipe a text in")
    piped = [one for name in names or [STDIN] if name == STDIN for one in read.piped(sys.stdin.buffer.read())]
    files = [name for name in names if name != STDIN]
    return [*piped, *read.read(files)] if files else piped


# The other commands of the group; they use what is above.
import phrasemill.cli.tag_changes  # noqa: E402, F401
