"""Rich text (.rtf), by striprtf: its paragraphs; pictures, fields, headers, footers and notes are left out."""

import codecs
import re
from collections.abc import Callable

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.opening import brief
from phrasemill.readers.titles import Passage, titled
from phrasemill.types import Document

CODE_PAGE = re.compile(rb"\\ansicpg(\d{3,4})\b")
TITLE = re.compile(r"\{\\title ([^{}]{1,400})\}")
LONGEST_HEAD = 100_000  # characters in which the title stands
ADDRESS = re.compile(r"\{\\\*?\\?fldinst\b[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")  # striprtf would put it into the text


def read(data: bytes, *, name: str) -> Document:
    try:
        from striprtf.striprtf import rtf_to_text
    except ImportError:
        raise MissingExtra("striprtf", "rtf", purpose="reading RTF documents") from None
    if not data.lstrip().startswith(b"{\\rtf"):
        raise InputError(f"{name}: not an RTF document, despite its name")
    source = ADDRESS.sub("", data.decode(_encoding(data), "replace"))
    convert: Callable[..., str] = rtf_to_text
    stated = TITLE.search(source[:LONGEST_HEAD])
    try:
        text = convert(source, errors="replace")
        title = convert(f"{{\\rtf1 {stated[1]}}}", errors="replace") if stated else ""
    except Exception as error:  # whatever nonsense leads to
        raise InputError(f"{name}: damaged RTF document ({brief(error)})") from None
    # Characters beyond the first plane are written as two halves.
    text = text.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    title, text = titled([Passage(line) for line in text.split("\n")], title)
    return Document(id=name, text=text, title=title)


def _encoding(data: bytes) -> str:
    """Return the code page that the document names, where Python has it."""
    found = CODE_PAGE.search(data)
    try:
        return codecs.lookup(f"cp{int(found[1])}").name if found else "cp1252"
    except LookupError:
        return "cp1252"
