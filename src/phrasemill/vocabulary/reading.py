"""Vocabularies out of files: a list, a table with synonyms, or SKOS as RDF/XML or Turtle.

| file | looks like |
|---|---|
| `.txt` | one phrase a line |
| `.csv`, `.tsv` | a header with `label`, and as you like `id`, `synonyms`, `broader`, `related`; several in a cell are
separated by `;` or `|` |
| `.rdf`, `.xml` | SKOS as RDF/XML |
| `.ttl`, `.nt` | SKOS as Turtle or N-Triples |

Files may be compressed with gzip, xz or zstd. One of another name is read as what it begins like.
"""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from io import StringIO
from pathlib import Path

from phrasemill.errors import ConfigError, InputError
from phrasemill.files.opening import reason
from phrasemill.files.reading import read_file
from phrasemill.vocabulary.concepts import PREFERRED, SYNONYM, Concept, Label, Vocabulary

LARGEST = 1 << 30  # bytes, once unpacked
KINDS = {
    ".txt": "list",
    ".csv": "table",
    ".tsv": "table",
    ".rdf": "rdf/xml",
    ".xml": "rdf/xml",
    ".ttl": "turtle",
    ".nt": "turtle",
}
COLUMNS = ("id", "label", "synonyms", "broader", "related")
SEPARATOR = re.compile(r"[;|]")


def read_vocabulary(path: str | Path) -> Vocabulary:
    """The vocabulary in a file; a file that is none is an `InputError` of one line."""
    if not isinstance(path, str | Path):
        raise ConfigError(f"vocabulary must be a path or a Vocabulary, got {path!r}")
    path = Path(path)
    try:
        stat = path.stat()
        return _read(path, stat.st_mtime_ns, stat.st_size)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {reason(error)}") from None


@lru_cache(maxsize=8)
def _read(path: Path, modified: int, size: int) -> Vocabulary:
    data = read_file(path, largest=LARGEST)
    kind = _kind(path, data)
    if kind == "rdf/xml":
        from phrasemill.vocabulary.skos_xml import read_skos_xml

        concepts = read_skos_xml(data, str(path))
    elif kind == "turtle":
        from phrasemill.vocabulary.turtle import read_skos_turtle

        concepts = read_skos_turtle(_text(data, path), str(path))
    elif kind == "table":
        concepts = list(_table(_text(data, path), path))
    else:
        concepts = list(Vocabulary.of(_lines(_text(data, path))).concepts)
    if not concepts:
        raise InputError(f"{path}: no concepts in it")
    return Vocabulary(tuple(concepts), str(path))


def _text(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 (byte {error.start})") from None


def _kind(path: Path, data: bytes) -> str:
    suffixes = [one.lower() for one in path.suffixes if one.lower() not in (".gz", ".xz")]
    if suffixes and suffixes[-1] in KINDS:
        return KINDS[suffixes[-1]]
    beginning = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if beginning.startswith((b"<?xml", b"<rdf:RDF", b"<!DOCTYPE")):
        return "rdf/xml"
    if beginning.lower().startswith((b"@prefix", b"prefix ", b"@base")):
        return "turtle"
    if b"\0" in beginning or beginning.startswith((b"{", b"[")):
        raise InputError(f"{path}: not a vocabulary; a list, CSV with a label column, or SKOS (.rdf, .ttl) is")
    return "list"


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip())


def _table(text: str, path: Path) -> Iterator[Concept]:
    header = text[: text.find("\n")] if "\n" in text else text
    delimiter = max(",\t;", key=header.count)
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        if "label" not in names:
            raise InputError(
                f"{path}: a table needs a header with a column label; it has {', '.join(names) or 'nothing'}"
            )
        for row in rows:
            if any(row[len(names) :]):
                raise InputError(
                    f"{path}, line {rows.line_num}: {len(row)} cells, but there are {len(names)} columns; "
                    "a cell with the delimiter in it needs quotes"
                )
            cells = dict(zip(names, (cell.strip() for cell in row), strict=False))
            if cells.get("label"):
                yield _concept(cells)
            elif any(cells.values()):
                raise InputError(f"{path}, line {rows.line_num}: no label")
    except csv.Error as error:
        raise InputError(f"{path}, line {rows.line_num}: {error}") from None


def _concept(cells: dict[str, str]) -> Concept:
    several = {name: _several(cells.get(name, "")) for name in ("synonyms", "broader", "related")}
    labels = [Label(cells["label"], "", PREFERRED), *(Label(one, "", SYNONYM) for one in several["synonyms"])]
    return Concept(cells.get("id") or cells["label"], tuple(labels), several["broader"], several["related"])


def _several(cell: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in SEPARATOR.split(cell) if one.strip())
