"""From bytes to text, and a clear refusal of what is not text.

UTF-8 is tried first, with or without a byte order mark; UTF-16 and UTF-32 need theirs. Bytes that are not UTF-8 are
taken for damaged UTF-8 where most of what is not ASCII is sound, else for the encoding that the file declares, else
for Windows-1252, the superset of Latin-1 that old Western files are in. The mark itself is no part of the text, and
stray NULs become spaces.
"""

import codecs

from phrasemill.errors import InputError
from phrasemill.readers.sniffing import ZIP, magic
from phrasemill.types import Document

BYTE_ORDER_MARKS = (  # the longer ones first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
ZIP_KINDS = {"docx": "a Word document", "pptx": "a PowerPoint file", "xlsx": "an Excel file"}
# Control characters that text has no use for: all but tab, line feed, vertical tab, form feed, return and escape.
CONTROLS = bytes(byte for byte in [*range(32), 127] if byte not in b"\t\n\v\f\r\x1b")
# Sound UTF-8 may hold stray NULs, as many as one between two short words; other bytes must look cleaner than that.
MOST_CONTROLS = 0.3
MOST_CONTROLS_UNDECODED = 0.02


def read(data: bytes, *, name: str) -> Document:
    """Return plain text as a document."""
    return Document(id=name, text=decode(data, name=name))


def decode(data: bytes, *, name: str, declared: str | None = None) -> str:
    """Return the text in `data`; `name` is for the error, `declared` the encoding that the file itself claims."""
    refuse_binary(data, name=name, most=1.0)
    encoding = marked_encoding(data)
    if encoding:
        return _marked(data, encoding, name).replace("\0", " ")
    try:
        text, most = data.decode("utf-8"), MOST_CONTROLS
    except UnicodeDecodeError:
        text, most = _guessed(data, declared), MOST_CONTROLS_UNDECODED
    refuse_binary(data, name=name, most=most)
    return text.replace("\0", " ")


def marked_encoding(data: bytes) -> str:
    """Return the encoding that a byte order mark shows, or nothing."""
    return next((encoding for mark, encoding in BYTE_ORDER_MARKS if data.startswith(mark)), "")


def refuse_binary(data: bytes, *, name: str, most: float = MOST_CONTROLS) -> None:
    """Raise an `InputError` where a file that begins with `data` is no text: more than `most` of it are controls."""
    name = "standard input" if name == "-" else name
    kind, _ = magic(data)
    if kind and data.startswith(ZIP):
        kind = ZIP_KINDS.get(name.rpartition(".")[2].lower(), kind)
    if kind:
        raise InputError(f"{name}: looks like {kind}, not text; convert it to text first")
    if not marked_encoding(data) and len(data) - len(data.translate(None, CONTROLS)) > most * len(data):
        raise InputError(f"{name}: looks like binary data, not text; convert it to UTF-8 text first")


def _marked(data: bytes, encoding: str, name: str) -> str:
    """Decode text that begins with a byte order mark."""
    try:
        return data.decode(encoding, "replace" if encoding == "utf-8-sig" else "strict")
    except UnicodeDecodeError as error:
        name = "standard input" if name == "-" else name
        raise InputError(f"{name}: begins like {encoding.upper()} but is not; save it as UTF-8 text first") from error


def _guessed(data: bytes, declared: str | None) -> str:
    """Decode text that is not in sound UTF-8."""
    replaced = data.decode("utf-8", errors="replace")
    broken = replaced.count("\ufffd")
    sound = len(replaced) - len(replaced.encode("ascii", errors="ignore")) - broken
    if sound > broken:
        return replaced
    for encoding in (declared, "cp1252"):
        try:
            if encoding and not codecs.lookup(encoding).name.startswith("utf"):
                return data.decode(encoding)
        except (LookupError, UnicodeError):
            continue
    return data.decode("latin-1")
