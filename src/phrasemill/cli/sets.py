"""`extract --set`: the keyphrases of whole sets of files, or of records in files.

A set is all that was named; with `--by folder` the files of one folder, with `--by FIELD` the records with one value
in that field. Folders stand for all files in them that a reader knows by their extension.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phrasemill.cli import formats, options
from phrasemill.cli.reading import STDIN, Inputs
from phrasemill.errors import ConfigError, InputError, MissingExtra, PhrasemillError
from phrasemill.files.folders import files_below
from phrasemill.readers.sniffing import BY_EXTENSION, extension_of
from phrasemill.readers.values import as_text
from phrasemill.sets import DEFAULT_SET_METHOD, GrowingSet, SetKeyphrase, build_set_method
from phrasemill.sets.page import SetResult, page
from phrasemill.types import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMATS = (*options.FORMATS, "html")
FOLDER = "folder"
EVERYTHING = "all documents"
HEADER = ("#", "keyphrase", "score", "documents", "times")
CONTRAST = ("other set", "effect", "q")
VARIANTS = 3  # shown in a table


@dataclass(slots=True)
class Request:
    """What was asked for."""

    files: list[str]
    by: str | None = None
    against: list[str] = field(default_factory=list)
    method: str = DEFAULT_SET_METHOD
    wanted: dict[str, Any] = field(default_factory=dict)  # top, threshold, exclude
    language: str | None = None
    format: str | None = None
    output: Path | None = None
    inputs: Inputs = field(default_factory=Inputs)
    complain: Callable[[str], object] = print
    failed: int = 0


def run(request: Request) -> int:
    """Find, print, and say whether something could not be read."""
    format = _format(request.format, request.output)
    method = build_set_method(request.method)
    if request.by is not None and request.against:
        raise ConfigError("--by makes many sets and --against compares one; leave out one of them")
    if request.by not in (None, FOLDER):
        columns = request.inputs.columns
        request.inputs.columns = replace(columns, keep=(*columns.keep, str(request.by)))
    other = None
    if request.against:
        other = GrowingSet(method=method, compared=True)
        other.update(document for _, document in _documents(request, request.against))
    found = []
    for name, documents in _grouped(_documents(request, request.files)).items():
        own = GrowingSet(documents, method=method)
        keyphrases = own.extract(**request.wanted, against=other)
        texts = {document.id: document.content for document in documents}
        found.append(SetResult(name, repr(method), keyphrases, texts))
    if not found:
        raise InputError("nothing to read: the files and folders hold no document")
    _write(found, format, request.output)
    return 1 if request.failed else 0


def _format(value: str | None, output: Path | None) -> str:
    if value is None and output is not None and output.suffix.lower() in (".html", ".htm"):
        return "html"
    return "html" if value == "html" else options.output_format(value, output)


def _grouped(named: "Iterable[tuple[str, Document]]") -> dict[str, list[Document]]:
    sets: dict[str, list[Document]] = {}
    taken: dict[str, set[str]] = {}
    for name, document in named:
        ids = taken.setdefault(name, set())
        if document.id in ids:
            number = 2
            while f"{document.id} ({number})" in ids:
                number += 1
            document = replace(document, id=f"{document.id} ({number})")
        ids.add(document.id)
        sets.setdefault(name, []).append(document)
    return sets


def _documents(request: Request, files: Sequence[str]) -> Iterator[tuple[str, Document]]:
    """Every document with the name of its set; what cannot be read is reported, unless it is all there is."""
    found = 0

    def fail(error: PhrasemillError) -> None:
        request.failed += 1
        request.complain(str(error))

    names = list(_expanded(files, fail))
    if not names:
        raise InputError(f"{', '.join(files)}: no file in it that can be read")
    for name in names:
        try:
            for set_name, document in _read(request, name, fail):
                if request.language is not None:
                    document = replace(document, language=request.language)
                found += 1
                yield set_name, document
        except (InputError, MissingExtra) as error:
            if len(names) == 1 and not found and not request.failed:
                raise
            fail(error)


def _expanded(files: Sequence[str], fail: Callable[[PhrasemillError], None]) -> Iterator[str]:
    """Folders as the files in them and below, in order; hidden ones and those of unknown kind are left out."""
    for name in files:
        if name == STDIN or not Path(name).is_dir():
            yield name
            continue
        for inner in files_below(name, wanted=lambda inner: extension_of(inner) in BY_EXTENSION):
            if inner.problem:
                fail(InputError(f"{inner.path}: {inner.problem}"))
            else:
                yield inner.path


def _read(request: Request, name: str, fail: Callable[[PhrasemillError], None]) -> Iterator[tuple[str, Document]]:
    by, inputs = request.by, request.inputs
    if by is None:
        whole = request.files[0] if len(request.files) == 1 and name != STDIN else EVERYTHING
        yield from ((whole, document) for document in inputs.documents(name, report=fail))
    elif by == FOLDER:
        folder = str(Path(name).parent) if name != STDIN else STDIN
        yield from ((folder, document) for document in inputs.documents(name, report=fail))
    else:
        if not inputs.holds_records(name):
            raise ConfigError(f"{name}: --by {by} needs JSON lines, CSV or Parquet; for files say --by folder")
        without = 0
        for document in inputs.documents(name, report=fail):
            value = as_text(document.metadata.get(by))
            if value:
                yield value, document
            else:
                without += 1
        if without:
            records = f"{without:,} record{'' if without == 1 else 's'}"
            fail(InputError(f"{name}: left out {records} without a value in the field {by!r}"))


def _write(found: Sequence[SetResult], format: str, output: Path | None) -> None:
    encoding = "utf-8" if output else sys.stdout.encoding
    if format == "table" and output is None and sys.stdout.isatty():
        from phrasemill.cli import screen

        for one in found:
            screen.grid(_title(one), *_rows(one.keyphrases))
        return
    text = _rendered(found, format, encoding)
    if output is None:
        sys.stdout.write(text)
    else:
        output.write_text(text, encoding="utf-8", errors="replace", newline="")


def _rendered(found: Sequence[SetResult], format: str, encoding: str) -> str:
    if format == "html":
        title = f"Keyphrases of {found[0].id}" if len(found) == 1 else f"Keyphrases of {len(found)} sets"
        return page(found, title=title)
    if format == "json":
        records = [_readable(_record(one), encoding) for one in found]
        return (records[0] if len(records) == 1 else "[\n" + ",\n".join(records) + "\n]") + "\n"
    if format == "jsonl":
        return "".join(formats.to_json(_record(one), encoding) + "\n" for one in found)
    if format == "csv":
        return _csv(found)
    if format == "text":
        return "".join(f"{formats.one_line(phrase.text)}\n" for one in found for phrase in one.keyphrases)
    return "\n".join(f"{_title(one)}\n{_table(one.keyphrases)}" for one in found)


def _title(one: SetResult) -> str:
    return f"{formats.clean(one.id)} ({len(one.texts):,} document{'' if len(one.texts) == 1 else 's'})"


def _table(keyphrases: Sequence[SetKeyphrase]) -> str:
    header, rows = _rows(keyphrases)
    right = [i for i, cell in enumerate(header) if cell not in ("keyphrase", "also written")]
    return formats.columns([header, *rows], right=right) if rows else f"{formats.NOTHING}\n"


def _rows(keyphrases: Sequence[SetKeyphrase]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    contrasted = any(phrase.contrast for phrase in keyphrases)
    header = (*HEADER, *(CONTRAST if contrasted else ()), "also written")
    places = formats.decimals(phrase.score for phrase in keyphrases)
    rows = []
    for rank, phrase in enumerate(keyphrases, start=1):
        c = phrase.contrast
        compared = (f"{c.other_documents}/{c.other_total}", f"{c.effect:+.2f}", f"{c.q:.2g}") if c else ()
        others = [variant for variant in phrase.variants if variant.lower() != phrase.text.lower()]
        rows.append(
            (
                str(rank),
                formats.one_line(phrase.text),
                f"{phrase.score:.{places}f}",
                f"{phrase.documents}/{phrase.total}",
                str(phrase.times),
                *compared,
                formats.one_line(", ".join(others[:VARIANTS])),
            )
        )
    return header, rows


def _record(one: SetResult) -> dict[str, object]:
    """The shape that `evaluate` reads, with all that supports each phrase."""
    return {
        "id": one.id,
        "method": one.method,
        "documents": len(one.texts),
        "keyphrases": [phrase.record() for phrase in one.keyphrases],
    }


def _readable(record: dict[str, object], encoding: str) -> str:
    """A record over several lines, one a keyphrase."""
    *head, (key, keyphrases) = record.items()
    assert isinstance(keyphrases, list)
    lines = [f"  {formats.to_json(name, encoding)}: {formats.to_json(value, encoding)}" for name, value in head]
    inside = ",\n".join(f"    {formats.to_json(keyphrase, encoding)}" for keyphrase in keyphrases)
    lines.append(f'  "{key}": [\n{inside}\n  ]' if inside else f'  "{key}": []')
    return "{\n" + ",\n".join(lines) + "\n}"


def _csv(found: Sequence[SetResult]) -> str:
    from phrasemill.tables import csv_of

    header = "set rank text score documents total times variants sources effect p q other_documents other_total"
    rows: list[Sequence[object]] = [header.split()]
    for one in found:
        for rank, k in enumerate(one.keyphrases, start=1):
            c = k.contrast
            compared = (c.effect, c.p, c.q, c.other_documents, c.other_total) if c else ("",) * 5
            joined = ("; ".join(k.variants), "; ".join(k.sources))
            rows.append((one.id, rank, k.text, k.score, k.documents, k.total, k.times, *joined, *compared))
    return csv_of(rows)
