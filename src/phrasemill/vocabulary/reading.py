"""Vocabularies out of files: a list, a table with synonyms, or SKOS.

| file | looks like |
|---|---|
| `.txt` | one phrase per line |
| `.csv`, `.tsv` | a header with `label` and optionally `id`, `synonyms`, `broader`, `related`, `deprecated`,
`replaced_by`; several values in a cell are separated by `;` or `|` |
| `.rdf`, `.xml`, `.ttl`, `.nt`, `.nq`, `.trig`, `.jsonld` | SKOS in a form of RDF, with the extra `skos` |

Files may be compressed with gzip, xz or zstd. The kind of a file with another name is seen from its first bytes.
"""

import csv
import re
from collections.abc import Iterator
from functools import lru_cache
from io import StringIO
from pathlib import Path

from phrasemill.errors import ConfigError, InputError
from phrasemill.files.opening import reason
from phrasemill.files.streams import opened, whole
from phrasemill.readers.sniffing import extension_of
from phrasemill.vocabulary.concepts import PREFERRED, SYNONYM, Concept, Label, Vocabulary
from phrasemill.vocabulary.skos import FORMATS, RDF_XML, read_skos

KINDS = {
    "txt": "list",
    "csv": "table",
    "tsv": "table",
    "rdf": RDF_XML,
    "xml": RDF_XML,
    "ttl": "Turtle",
    "nt": "N-Triples",
    "nq": "N-Quads",
    "trig": "TriG",
    "jsonld": "JSON-LD",
}
LARGEST = 1 << 30  # bytes, decompressed
SNIFFED = 1000  # bytes that show the kind of a file
LINKED = re.compile(rb'"@(?:context|graph|id)"')
SEPARATOR = re.compile(r"[;|]")
YES = ("true", "yes", "y", "1", "x")


def read_vocabulary(path: str | Path) -> Vocabulary:
    """Return the vocabulary in a file. Raise an `InputError` if the file is not a vocabulary."""
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
    name = str(path)
    with opened(path, name=name) as file:
        data = whole(file, name=name, largest=LARGEST)
    kind = KINDS.get(extension_of(name)) or _likely_kind(data[:SNIFFED], name)
    unlabelled: list[str] = []
    if kind in FORMATS:
        concepts, unlabelled = read_skos(data, name, kind)
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: not UTF-8 (byte {error.start})") from None
        lines = (line.strip() for line in text.splitlines() if line.strip())
        concepts = list(_table(text, name) if kind == "table" else Vocabulary.of(lines).concepts)
    if not concepts:
        why = f"none of its {len(unlabelled):,} concepts has a label" if unlabelled else "no concepts in it"
        raise InputError(f"{path}: {why}")
    return Vocabulary(tuple(concepts), name, tuple(unlabelled))


def _likely_kind(start: bytes, name: str) -> str:
    start = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith((b"<?xml", b"<rdf:RDF", b"<!DOCTYPE")):
        return RDF_XML
    if start.lower().startswith((b"@prefix", b"prefix ", b"@base")):
        return "Turtle"
    if start.startswith((b"{", b"[")) and LINKED.search(start):
        return "JSON-LD"
    if b"\0" in start or start.startswith((b"{", b"[")):
        raise InputError(f"{name}: not a vocabulary; a list, CSV with a label column, or SKOS (.rdf, .ttl …) is")
    return "list"


def _table(text: str, path: str) -> Iterator[Concept]:
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
    several = {name: _several(cells.get(name, "")) for name in ("synonyms", "broader", "related", "replaced_by")}
    labels = [Label(cells["label"], "", PREFERRED), *(Label(one, "", SYNONYM) for one in several["synonyms"])]
    return Concept(
        cells.get("id") or cells["label"],
        tuple(labels),
        several["broader"],
        several["related"],
        cells.get("deprecated", "").lower() in YES,
        several["replaced_by"],
    )


def _several(cell: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in SEPARATOR.split(cell) if one.strip())
