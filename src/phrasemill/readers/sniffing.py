"""What a file is: by bytes that cannot be mistaken, else by its extension, else by how it begins."""

import re
from importlib.util import find_spec
from pathlib import PurePath

from phrasemill.files.streams import BZIP2, ENDINGS, GZIP, XZ, ZSTD

# The formats, the file extensions that they go by, and the module of this package and its function that read them.
FORMATS = {
    "csv": ("csv", "tsv"),
    "docx": ("docx", "docm", "dotx"),
    "epub": ("epub",),
    "html": ("html", "htm", "xhtml"),
    "jats": ("xml", "nxml", "jats"),
    "jsonl": ("jsonl", "ndjson", "json"),
    "markdown": ("md", "markdown", "mdown", "mkd"),
    "odt": ("odt", "ott"),
    "other": ("doc", "eml", "msg", "odp", "ods", "ppt", "pptx", "xls", "xlsx"),
    "parquet": ("parquet", "pq"),
    "pdf": ("pdf",),
    "plain": ("txt", "text"),
    "rtf": ("rtf",),
}
READERS = {
    **{name: (name, "read") for name in ("html", "jats", "markdown", "other", "pdf", "rtf")},
    **{name: (name, "read_all") for name in ("csv", "parquet")},
    **{name: ("office", f"read_{name}") for name in ("docx", "epub", "odt")},
    "jsonl": ("json_records", "read_all"),
    "plain": ("decoding", "read"),
}
# Formats of which one file holds many documents.
RECORDS = frozenset(name for name, (_, function) in READERS.items() if function == "read_all")
# Formats of which a file holds pictures, fonts and the like beside its text.
CONTAINERS = frozenset(("docx", "epub", "odt", "other", "pdf", "rtf"))
BY_EXTENSION = {extension: name for name, extensions in FORMATS.items() for extension in extensions}
if not find_spec("xberg"):  # a folder of them is no failure without the extra; one that is named is
    BY_EXTENSION = {extension: name for extension, name in BY_EXTENSION.items() if name != "other"}

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# How files begin that are no text, what they are, and the format that reads them whatever they are called.
MAGIC = (
    (b"%PDF-", "a PDF", "pdf"),
    (b"{\\rtf", "an RTF document", "rtf"),
    (b"PAR1", "a Parquet file", "parquet"),
    (ZIP, "a zip archive", ""),
    (OLE, "an old Office document", ""),
    (b"%!PS", "PostScript", ""),
    (b"\x89PNG\r\n", "a PNG image", ""),
    (b"\xff\xd8\xff", "a JPEG image", ""),
    (b"GIF87a", "a GIF image", ""),
    (b"GIF89a", "a GIF image", ""),
    (GZIP, "a gzip archive", ""),
    (BZIP2 + b"91AY&SY", "a bzip2 archive", ""),
    (XZ, "an xz archive", ""),
    (ZSTD, "a zstd archive", ""),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", ""),
    (b"Rar!\x1a\x07", "a RAR archive", ""),
    (b"SQLite format 3\x00", "an SQLite database", ""),
    (b"\x7fELF", "a program", ""),
)
MIMETYPE_AT = 38  # where the content of a zip's first file begins, if it is called mimetype
MIMETYPES = ((b"application/epub+zip", "epub"), (b"application/vnd.oasis.opendocument.text", "odt"))
PARTS = ((b"word/", "docx"), (b"ppt/", "other"), (b"xl/", "other"))
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
    extension = extension_of(name)
    named = "other" if extension in FORMATS["other"] else BY_EXTENSION.get(extension)
    return (_package(start) if start.startswith(ZIP) else magic(start)[1]) or named or _likely(start)


def magic(start: bytes) -> tuple[str, str]:
    """Return what a file is that begins with `start`, and its format; both are empty for what may be text."""
    return next(((kind, format) for mark, kind, format in MAGIC if start.startswith(mark)), ("", ""))


def _package(start: bytes) -> str:
    """Return the format of a zip archive that is a document; two state it in a first file that is not compressed."""
    kind = start[MIMETYPE_AT : MIMETYPE_AT + 100] if start[30:38] == b"mimetype" else b""
    stated = next((format for mark, format in MIMETYPES if kind.startswith(mark)), "")
    return stated or next((format for part, format in PARTS if part in start), "")


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
