"""`extract --set`: the keyphrases of whole sets of files, or of records in files.

A set is all that was named; with `--by folder` the files of one folder, with `--by FIELD` the records with one value
in that field. Folders stand for all files in them that a reader knows by their extension.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phrasemill.cli import formats
from phrasemill.cli.extract_options import ExtractArguments
from phrasemill.cli.output import format_of
from phrasemill.cli.reading import STDIN, Failures, Inputs, complain, each_readable, expanded
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.tables import align, aligned, csv_of
from phrasemill.options import SetOptions, options_of, styled
from phrasemill.readers.values import as_text
from phrasemill.sets import DEFAULT_SET_METHOD, GrowingSet, SetKeyphrase, build_set_method
from phrasemill.sets.method import SetMethod
from phrasemill.sets.page import SetResult, page
from phrasemill.text.language_codes import language_or_auto
from phrasemill.types import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMATS = ("table", "text", "json", "jsonl", "csv", "html")
FOLDER = "folder"
EVERYTHING = "all documents"
HEADER = ("#", "keyphrase", "score", "documents", "times")
CONTRAST = ("other set", "as common", "q")
VARIANTS = 3  # shown in a table


@dataclass(slots=True)
class SetArguments:
    """The options of one call."""

    files: list[str]
    phrases: ExtractArguments
    inputs: Inputs
    by: str | None
    against: list[str]
    format: str | None
    output: Path | None
    failures: Failures = field(default_factory=Failures)
    options: dict[str, Any] = field(init=False)
    language: str | None = field(init=False)

    def __post_init__(self) -> None:
        self.options = self.phrases.read(options_of(SetOptions))
        language = self.options.pop("language", None)
        self.language = None if language is None else language_or_auto(language)

    def method(self) -> SetMethod:
        """Return the method; the default of single documents is not one that was given for sets."""
        return build_set_method(styled(self.options.pop("method", DEFAULT_SET_METHOD), self.options.pop("style", None)))


def run(request: SetArguments) -> int:
    """Print the keyphrases of each set; return 1 if something could not be read."""
    format = _format(request.format, request.output)
    method, counting = request.method(), request.options
    choosing = {name: counting.pop(name) for name in ("top", "threshold") if name in counting}
    if request.by is not None and request.against:
        raise ConfigError("--by makes several sets, but --against compares a single one; leave out one of them")
    if request.by not in (None, FOLDER):
        columns = request.inputs.columns
        request.inputs.columns = replace(columns, keep=(*columns.keep, str(request.by)))
    other = None
    if request.against:
        other = GrowingSet(method=method, compared=True)
        other.update(document for _, document in _documents(request, request.against))
    found = []
    for name, documents in _grouped(_documents(request, request.files)).items():
        own = GrowingSet(documents, method=method, **counting)
        keyphrases = own.extract(**choosing, against=other)
        texts = {document.id: document.content for document in documents}
        found.append(SetResult(name, repr(method), keyphrases, texts, own.languages))
    if not found:
        raise InputError("nothing to read: the files and folders contain no document")
    _write(found, format, request.output)
    request.failures.close()
    return 1 if request.failures.count else 0


def _format(value: str | None, output: Path | None) -> str:
    if value is None and output is not None and output.suffix.lower() in (".html", ".htm"):
        return "html"
    if value == "bulk":
        raise ConfigError("--format bulk is for single documents; leave out --set")
    return "html" if value == "html" else format_of(value, output, FORMATS)


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


def _documents(request: SetArguments, files: Sequence[str]) -> Iterator[tuple[str, Document]]:
    """Yield every document with the name of its set."""
    names = expanded(files, request.failures)
    for set_name, document in each_readable(names, partial(_read, request), request.failures):
        yield set_name, document if request.language is None else replace(document, language=request.language)


def _read(request: SetArguments, name: str) -> Iterator[tuple[str, Document]]:
    by, inputs = request.by, request.inputs
    if by not in (None, FOLDER) and not inputs.holds_records(name):
        raise ConfigError(f"{name}: --by {by} needs JSON lines, CSV or Parquet; for files use --by folder")
    whole = request.files[0] if len(request.files) == 1 and name != STDIN else EVERYTHING
    folder = str(Path(name).parent) if name != STDIN else STDIN
    without = 0
    for document in inputs.documents(name, report=request.failures):
        set_name = whole if by is None else folder if by == FOLDER else as_text(document.metadata.get(by))
        if set_name:
            yield set_name, document
        else:
            without += 1
    if without:
        records = f"{without:,} record{'' if without == 1 else 's'}"
        request.failures(f"{name}: left out {records} without a value in the field {by!r}")


def _write(found: Sequence[SetResult], format: str, output: Path | None) -> None:
    encoding = "utf-8" if output else sys.stdout.encoding
    if format == "table" and output is None and formats.on_screen():
        from phrasemill.cli import screen

        for one in found:
            screen.grid(_title(one), *_rows(one.keyphrases), notes=one.keyphrases.notes)
        return
    if format in ("csv", "text"):  # which have no place for them
        for one in found:
            for note in one.keyphrases.notes:
                complain(f"{one.id}: {note}")
    formats.write(_rendered(found, format, encoding), output)


def _rendered(found: Sequence[SetResult], format: str, encoding: str) -> str:
    if format == "html":
        title = f"Keyphrases of {found[0].id}" if len(found) == 1 else f"Keyphrases of {len(found)} sets"
        return page(found, title=title)
    if format in ("json", "jsonl"):
        return "".join(formats.as_json(map(_record, found), format, many=len(found) > 1, encoding=encoding))
    if format == "csv":
        return _csv(found)
    if format == "text":
        return "".join(f"{formats.one_line(phrase.text)}\n" for one in found for phrase in one.keyphrases)
    return "\n".join("\n".join([_title(one), *one.keyphrases.notes, _table(one.keyphrases)]) for one in found)


def _title(one: SetResult) -> str:
    return f"{formats.clean(one.id)} ({len(one.texts):,} document{'' if len(one.texts) == 1 else 's'})"


def _table(keyphrases: Sequence[SetKeyphrase]) -> str:
    header, rows = _rows(keyphrases)
    right = [i for i, cell in enumerate(header) if cell not in ("keyphrase", "also written")]
    return align([header, *rows], right=right) if rows else f"{formats.NOTHING}\n"


def _rows(keyphrases: Sequence[SetKeyphrase]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    contrasted = any(phrase.contrast for phrase in keyphrases)
    header = (*HEADER, *(CONTRAST if contrasted else ()), "also written")
    scores = aligned(phrase.score for phrase in keyphrases)
    rows = []
    for rank, (phrase, score) in enumerate(zip(keyphrases, scores, strict=True), start=1):
        c = phrase.contrast
        compared = (f"{c.other_documents}/{c.other_total}", f"{c.ratio:.3g} x", f"{c.q:.2g}") if c else ()
        others = [variant for variant in phrase.variants if variant.lower() != phrase.text.lower()]
        rows.append(
            (
                str(rank),
                formats.one_line(phrase.text),
                score,
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
        "languages": dict(Counter(one.languages.values()).most_common()),
        "notes": list(one.keyphrases.notes),
        "keyphrases": [phrase.to_dict() for phrase in one.keyphrases],
    }


def _csv(found: Sequence[SetResult]) -> str:
    header = "set rank text score documents total times variants sources effect p q other_documents other_total"
    rows: list[Sequence[object]] = [header.split()]
    for one in found:
        for rank, k in enumerate(one.keyphrases, start=1):
            c = k.contrast
            compared = (c.effect, c.p, c.q, c.other_documents, c.other_total) if c else ("",) * 5
            joined = ("; ".join(k.variants), "; ".join(k.sources))
            rows.append((one.id, rank, k.text, k.score, k.documents, k.total, k.times, *joined, *compared))
    return csv_of(rows)
