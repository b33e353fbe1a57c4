"""From bytes to text, and a clear refusal of what is not text.

UTF-8 is tried first, with or without a byte order mark; UTF-16 and UTF-32 need theirs. Bytes that are not UTF-8 are
taken for damaged UTF-8 where most of what is not ASCII is sound, else for the encoding that the file declares, else
for Windows-1252, the superset of Latin-1 that old Western files are in. The mark itself is no part of the text, and
stray NULs become spaces.
"""

import codecs

from phrasemill.errors import InputError

BYTE_ORDER_MARKS = (  # the longer ones first: UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"%!PS", "PostScript"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x7fELF", "a program"),
)
ZIP = b"PK\x03\x04"
ZIP_KINDS = {
    "docx": "a Word document",
    "pptx": "a PowerPoint file",
    "xlsx": "an Excel file",
}
# Control characters that text has no use for: all but tab, line feed, vertical tab, form feed, return and escape.
CONTROLS = bytes(byte for byte in [*range(32), 127] if byte not in b"\t\n\v\f\r\x1b")
# Sound UTF-8 may hold stray NULs, as many as one between two short words; other bytes must look cleaner than that.
MOST_CONTROLS = 0.3
MOST_CONTROLS_UNDECODED = 0.02


def decode(data: bytes, *, name: str, declared: str | None = None) -> str:
    """Return the text in `data`; `name` is for the error, `declared` the encoding that the file itself claims."""
    return _decoded(data, name, declared).replace("\0", " ")


def refuse_binary(start: bytes, *, name: str) -> None:
    """Raise an `InputError` where a file that begins with `start` is no text."""
    _refuse_known(start, name)
    if not start.startswith(tuple(mark for mark, _ in BYTE_ORDER_MARKS)):
        _refuse_controls(start, name, MOST_CONTROLS)


def _decoded(data: bytes, name: str, declared: str | None) -> str:
    _refuse_known(data, name)
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        _refuse_controls(data, name, MOST_CONTROLS_UNDECODED)
        return _guessed(data, declared)
    _refuse_controls(data, name, MOST_CONTROLS)
    return text


def _strictly(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        label = encoding.removesuffix("-sig").upper()
        if label == "UTF-8":
            return data.decode(encoding, errors="replace")
        raise InputError(f"{_called(name)}: begins like {label} but is not; save it as UTF-8 text first") from error


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


def _refuse_known(data: bytes, name: str) -> None:
    kind = next((kind for magic, kind in MAGIC if data.startswith(magic)), None)
    if data.startswith(ZIP):
        kind = ZIP_KINDS.get(name.rpartition(".")[2].lower(), "a zip archive")
    if kind:
        raise InputError(f"{_called(name)}: looks like {kind}, not text; convert it to text first")


def _refuse_controls(data: bytes, name: str, most: float) -> None:
    controls = len(data) - len(data.translate(None, CONTROLS))
    if controls > most * len(data):
        raise InputError(f"{_called(name)}: looks like binary data, not text; convert it to UTF-8 text first")


def _called(name: str) -> str:
    return "standard input" if name == "-" else name
