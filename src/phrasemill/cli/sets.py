"""`extract --set`: the keyphrases of whole sets of files, or of records in files.

A set is all that was named; with `--by folder` the files of one folder, with `--by FIELD` the records with one value
in that field. Folders stand for all files in them that a reader knows by their extension.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from phrasemill.cli.extract import ExtractArguments
from phrasemill.cli.output import View, counted, format_of, show, write
from phrasemill.cli.reading import STDIN, Failures, Inputs, complain, each_readable, expanded
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.tables import Table
from phrasemill.options import SetOptions, options_of, styled
from phrasemill.readers.values import as_text
from phrasemill.sets import DEFAULT_SET_METHOD, GrowingSet, build_set_method
from phrasemill.sets.report import SetResult, report
from phrasemill.types import Document

FORMATS = ("table", "text", "json", "jsonl", "csv", "markdown", "html")
WITHOUT_NOTES = ("csv", "text")
FOLDER = "folder"
EVERYTHING = "all documents"
NOTHING = "no keyphrases"
HEADER = ("#", "keyphrase", "score", "documents", "times", "also written")
CONTRASTED = (*HEADER[:-1], "other set", "as common", "q", HEADER[-1])
CSV = "set rank text score documents total times variants sources effect p q other_documents other_total".split()
VARIANTS = 3  # shown in a table


def run(
    files: Sequence[str],
    phrases: ExtractArguments,
    inputs: Inputs,
    *,
    by: str | None,
    against: Sequence[str],
    format: str | None,
    output: Path | None,
) -> int:
    """Print the keyphrases of each set; return 1 if something could not be read."""
    is_html = format is None and output is not None and output.suffix.lower() in (".html", ".htm")
    format = "html" if is_html else format_of(format, output, FORMATS)
    counting = phrases.read(options_of(SetOptions))
    choosing = {name: counting.pop(name) for name in ("top", "threshold") if name in counting}
    # The default of single documents is not a method that was given for sets.
    method = build_set_method(styled(counting.pop("method", DEFAULT_SET_METHOD), counting.pop("style", None)))
    shared: dict[str, Any] = {"method": method, "language": counting.pop("language", None)}
    if by is not None and against:
        raise ConfigError("--by makes several sets, but --against compares a single one; leave out one of them")
    if by not in (None, FOLDER):
        inputs.columns = replace(inputs.columns, keep=(*inputs.columns.keep, str(by)))
    failures = Failures()
    documents = partial(_documents, inputs=inputs, by=by, failures=failures)
    other = GrowingSet((one for _, one in documents(against)), compared=True, **shared) if against else None
    found = []
    for name, own in _grouped(documents(files)).items():
        growing = GrowingSet(own, **shared, **counting)
        keyphrases = growing.extract(**choosing, against=other)
        texts = {document.id: document.content for document in own}
        found.append(SetResult(name, repr(method), keyphrases, texts, growing.languages))
    if not found:
        raise InputError("nothing to read: the files and folders contain no document")
    if format == "html":
        write(report(found), output)
    else:
        for one in found if format in WITHOUT_NOTES else ():
            for note in one.keyphrases.notes:
                complain(f"{one.id}: {note}")
        show(found, View(_parts, _record, _rows, _lines), format, output, many=len(found) > 1)
    failures.close()
    return 1 if failures.count else 0


def _documents(
    files: Sequence[str], *, inputs: Inputs, by: str | None, failures: Failures
) -> Iterator[tuple[str, Document]]:
    """Yield every document with the name of its set."""

    def read(name: str) -> Iterator[tuple[str, Document]]:
        if by not in (None, FOLDER) and not inputs.holds_records(name):
            raise ConfigError(f"{name}: --by {by} needs JSON lines, CSV or Parquet; for files use --by folder")
        whole = files[0] if len(files) == 1 and name != STDIN else EVERYTHING
        folder = str(Path(name).parent) if name != STDIN else STDIN
        without = 0
        for document in inputs.documents(name, report=failures):
            set_name = whole if by is None else folder if by == FOLDER else as_text(document.metadata.get(by))
            without += not set_name
            if set_name:
                yield set_name, document
        if without:
            failures(f"{name}: left out {counted(without, 'record')} without a value in the field {by!r}")

    return each_readable(expanded(files, failures), read, failures)


def _grouped(named: Iterator[tuple[str, Document]]) -> dict[str, list[Document]]:
    """Return the documents of each set; those of one id are numbered."""
    sets: dict[str, dict[str, Document]] = {}
    for name, document in named:
        own, id_, number = sets.setdefault(name, {}), document.id, 1
        while id_ in own:
            number += 1
            id_ = f"{document.id} ({number})"
        own[id_] = replace(document, id=id_)
    return {name: list(own.values()) for name, own in sets.items()}


def _parts(one: SetResult) -> Iterator[Table | str]:
    yield "\n".join([one.title, *one.keyphrases.notes])
    rows = []
    for rank, phrase in enumerate(one.keyphrases, start=1):
        c = phrase.contrast
        compared = (f"{c.other_documents}/{c.other_total}", f"{c.ratio:.3g} x", f"{c.q:.2g}") if c else ()
        others = ", ".join([other for other in phrase.variants if other.lower() != phrase.text.lower()][:VARIANTS])
        counts = (phrase.score, f"{phrase.documents}/{phrase.total}", phrase.times)
        rows.append((str(rank), phrase.text, *counts, *compared, others))
    header = CONTRASTED if any(phrase.contrast for phrase in one.keyphrases) else HEADER
    yield Table("", header, rows) if rows else NOTHING


def _lines(one: SetResult) -> list[str]:
    return [" ".join(phrase.text.split()) for phrase in one.keyphrases]


def _record(one: SetResult) -> dict[str, object]:
    """Return the shape that `evaluate` reads, with all that supports each phrase."""
    return {
        "id": one.id,
        "method": one.method,
        "documents": len(one.texts),
        "languages": dict(Counter(one.languages.values()).most_common()),
        "notes": list(one.keyphrases.notes),
        "keyphrases": [phrase.to_dict() for phrase in one.keyphrases],
    }


def _rows(one: SetResult) -> Table:
    rows = []
    for rank, phrase in enumerate(one.keyphrases, start=1):
        values = phrase.to_dict() | {"set": one.id, "rank": rank, "times": phrase.times}
        values |= {"variants": "; ".join(phrase.variants), "sources": "; ".join(phrase.sources)}
        rows.append([values.get(name, "") for name in CSV])
    return Table("", CSV, rows)
