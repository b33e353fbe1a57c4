"""What a file is: by bytes that cannot be mistaken, else by its extension, else by how it begins."""

import re
from pathlib import PurePath

from phrasemill.files.streams import ENDINGS

# The module of each format, and the file extensions it goes by.
FORMATS = {
    "csv": ("csv", "tsv"),
    "docx": ("docx", "docm", "dotx"),
    "epub": ("epub",),
    "html": ("html", "htm", "xhtml"),
    "jats": ("xml", "nxml", "jats"),
    "jsonl": ("jsonl", "ndjson", "json"),
    "markdown": ("md", "markdown", "mdown", "mkd"),
    "odt": ("odt", "ott"),
    "parquet": ("parquet", "pq"),
    "pdf": ("pdf",),
    "plain": ("txt", "text"),
    "rtf": ("rtf",),
}
BY_EXTENSION = {extension: name for name, extensions in FORMATS.items() for extension in extensions}
# Formats of which one file holds many documents.
RECORDS = frozenset(("csv", "jsonl", "parquet"))
# Formats of which a file holds pictures, fonts and the like beside its text.
CONTAINERS = frozenset(("docx", "epub", "odt", "pdf", "rtf"))

ZIP, RTF = b"PK\x03\x04", b"{\\rtf"
MIMETYPE_AT = 38  # where the content of a zip's first file begins, if it is called mimetype
EPUB, ODT = b"application/epub+zip", b"application/vnd.oasis.opendocument.text"
HTML = re.compile(rb"(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
JATS = re.compile(rb"<(?:!DOCTYPE\s+)?(?:article|pmc-articleset)[\s>]")
# The start of an object whose first line is longer than what we look at.
OBJECT = re.compile(rb'\{\s*"[^"\\\n]{1,80}"\s*:')


def extension_of(name: str) -> str:
    """Return the extension in lower case; that of `a.jsonl.gz` is `jsonl`."""
    path = PurePath(name)
    if path.suffix.lower() in ENDINGS:
        path = path.with_suffix("")
    return path.suffix.removeprefix(".").lower()


def format_of(name: str, start: bytes) -> str:
    """Return the format of a file called `name` that begins with `start`."""
    return _unmistakable(start) or BY_EXTENSION.get(extension_of(name)) or _likely(start)


def _unmistakable(start: bytes) -> str | None:
    if start.startswith(b"%PDF-"):
        return "pdf"
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(RTF):
        return "rtf"
    return _package(start) if start.startswith(ZIP) else None


def _package(start: bytes) -> str | None:
    """Return the format of a zip archive that is a document; two state it in a first file that is not compressed."""
    kind = start[MIMETYPE_AT : MIMETYPE_AT + 100] if start[30:38] == b"mimetype" else b""
    if kind.startswith(EPUB):
        return "epub"
    if kind.startswith(ODT):
        return "odt"
    return "docx" if b"word/" in start else None


def _likely(start: bytes) -> str:
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if HTML.match(start):
        return "html"
    if start.startswith(b"<") and JATS.search(start[:4096]):
        return "jats"
    if b"%PDF-" in start[:1024]:  # some files have a line or two before it
        return "pdf"
    return "jsonl" if start.startswith(b"{") and _is_record(start) else "plain"


def _is_record(start: bytes) -> bool:
    line, end, _ = start.partition(b"\n")
    if not end and OBJECT.match(start):
        return True
    import json

    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
