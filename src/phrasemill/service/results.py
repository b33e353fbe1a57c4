"""The result of a job as one file: CSV, JSON lines, Parquet, BibTeX or Markdown; a step of a worker.

The documents are in the order of the files. One that has no keyphrases because it failed is there with its reason.
"""

import json
import re
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from phrasemill.files.tables import LATEX, csv_of
from phrasemill.service.answers import encoded
from phrasemill.service.problems import KINDS
from phrasemill.types import significant

CSV_COLUMNS = ("id", "file", "title", "language", "kind", "keyphrases", "scores", "problem")
BETWEEN = "; "
LONGEST_KEY = 60  # characters of a BibTeX key, or of a file's name
UNSAFE = re.compile(r"[^\w.-]+")
Record = dict[str, Any]


class ResultFormat(NamedTuple):
    """A format: how to write it, its media type, and the extension of its files."""

    write: Callable[[Path, Iterator[Record], bool], None]
    media_type: str
    extension: str


def write_result(_: object, *, database: str, job: str, format: str, target: str) -> int:
    """Write the result of a job to the file `target`, and return how many documents there are."""
    with closing(sqlite3.connect(f"{Path(database).as_uri()}?mode=ro", uri=True)) as opened:
        (total,) = opened.execute("SELECT count(*) FROM documents WHERE job = ?", (job,)).fetchone()
        RESULTS[format].write(Path(target), _records(opened, job), total == 1)
    return int(total)


def result_format(format: str, documents: int) -> tuple[str, str]:
    """Return media type and extension; Markdown is an archive where there are several documents."""
    if format == "markdown" and documents != 1:
        return "application/zip", "zip"
    _, media_type, extension = RESULTS[format]
    return media_type, extension


def _records(database: sqlite3.Connection, job: str) -> Iterator[dict[str, Any]]:
    statement = "SELECT id, file, status, problem, record FROM documents WHERE job = ? ORDER BY place"
    for id, file, status, problem, record in database.execute(statement, (job,)):
        found = {"id": id, "file": file, "title": "", "language": "", "text": "", "keyphrases": []}
        found |= json.loads(record) if record and not problem else {}
        reason = "" if status == "done" else status
        if problem:
            kind, detail, _ = json.loads(problem)
            reason = detail or KINDS[kind][1]
        yield found | {"problem": reason}


def _csv(path: Path, documents: Iterator[Record], single: bool) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("\ufeff")  # without it, spreadsheets take UTF-8 for something else
        file.write(csv_of([CSV_COLUMNS]))
        for one in documents:
            phrases = one["keyphrases"]
            cells = [one["id"], one["file"], one["title"], one["language"], one.get("kind", "")]
            cells.append(BETWEEN.join(phrase["text"] for phrase in phrases))
            cells.append(BETWEEN.join(str(significant(phrase["score"])) for phrase in phrases))
            file.write(csv_of([[*map(_sound, cells), one["problem"]]]))


def _jsonl(path: Path, documents: Iterator[Record], single: bool) -> None:
    with path.open("wb") as file:
        for one in documents:
            del one["text"]
            if not one["problem"]:
                del one["problem"]
            file.write(encoded(one) + b"\n")


def _parquet(path: Path, documents: Iterator[Record], single: bool) -> None:
    from phrasemill.engine.rows import pyarrow_module

    arrow = pyarrow_module()
    import pyarrow.parquet

    phrase = arrow.struct([("text", arrow.string()), ("score", arrow.float64()), ("present", arrow.bool_())])
    names = ("id", "file", "title", "language", "kind", "problem")
    schema = arrow.schema([(name, arrow.string()) for name in names] + [("keyphrases", arrow.list_(phrase))])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        rows = [_flat(one) for one in documents]
        writer.write_table(arrow.Table.from_pylist(rows, schema=schema))


def _flat(one: Record) -> dict[str, Any]:
    found = {name: _sound(one.get(name, "")) for name in ("id", "file", "title", "language", "kind", "problem")}
    kept = ("text", "score", "present")
    phrases = [{name: phrase[name] for name in kept} for phrase in one["keyphrases"]]
    return found | {"keyphrases": [phrase | {"text": _sound(phrase["text"])} for phrase in phrases]}


def _bibtex(path: Path, documents: Iterator[Record], single: bool) -> None:
    keys = _Names()
    with path.open("w", encoding="utf-8") as file:
        for one in documents:
            fields = {"title": one["title"] or PurePosixPath(one["file"]).stem, "language": one["language"]}
            fields |= {"keywords": ", ".join(phrase["text"].replace(",", " ") for phrase in one["keyphrases"])}
            key = keys.of(one["id"])
            lines = [f"  {name} = {{{_latex(value)}}},\n" for name, value in fields.items() if value]
            # Paths are for programs, which do not read LaTeX in them.
            lines.append(f"  file = {{{re.sub('[{}]', '', _sound(one['file']))}}}\n")
            file.write(f"@misc{{{key},\n{''.join(lines)}}}\n\n")


def _latex(text: str) -> str:
    return " ".join(_sound(text).split()).translate(LATEX)


def _markdown(path: Path, documents: Iterator[Record], single: bool) -> None:
    if single:
        path.write_text(_page(next(documents)), encoding="utf-8")
        return
    names = _Names()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in documents:
            file = PurePosixPath(one["file"])
            last = file.stem if one["id"] == one["file"] else PurePosixPath(one["id"]).name
            name = PurePosixPath(*map(names.safe, file.parts[:-1]), names.safe(last))
            archive.writestr(f"{names.unique(str(name))}.md", _page(one))


def _page(one: Record) -> str:
    """Return a document in Markdown, with its keyphrases as front matter. JSON strings are valid in YAML."""
    lines = ["---", f"title: {_quoted(one['title'] or one['id'])}", f"source: {_quoted(one['file'])}"]
    lines += [f"{name}: {_quoted(one[name])}" for name in ("language", "kind", "problem") if one.get(name)]
    lines += ["keywords:" if one["keyphrases"] else "keywords: []"]
    lines += [f"  - {_quoted(phrase['text'])}" for phrase in one["keyphrases"]]
    title = [f"# {' '.join(_sound(one['title']).split())}", ""] if one["title"] else []
    return "\n".join([*lines, "---", "", *title, _sound(one["text"]), ""])


def _quoted(text: str) -> str:
    return json.dumps(_sound(text), ensure_ascii=False)


def _sound(text: str) -> str:
    """Return the text without lone surrogates, which UTF-8 does not have."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _Names:
    """Names that are safe in files and BibTeX, each used once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, text: str) -> str:
        return self.unique(self.safe(PurePosixPath(text).stem))

    def safe(self, text: str) -> str:
        return UNSAFE.sub("-", _sound(text)).strip("-.")[:LONGEST_KEY] or "document"

    def unique(self, name: str) -> str:
        found, number = name, 1
        while found.lower() in self._taken:
            number += 1
            found = f"{name}-{number}"
        self._taken.add(found.lower())
        return found


RESULTS = {
    "csv": ResultFormat(_csv, "text/csv; charset=utf-8", "csv"),
    "jsonl": ResultFormat(_jsonl, "application/x-ndjson", "jsonl"),
    "parquet": ResultFormat(_parquet, "application/vnd.apache.parquet", "parquet"),
    "bibtex": ResultFormat(_bibtex, "application/x-bibtex; charset=utf-8", "bib"),
    "markdown": ResultFormat(_markdown, "text/markdown; charset=utf-8", "md"),
}
