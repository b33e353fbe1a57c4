"""Entries of BibTeX and RIS files: their texts and keywords. The files are read, never written.

bibtexparser and rispy (extra `bibliography`) read them. An entry that they cannot read is reported, and the rest goes
on.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files.opening import brief
from phrasemill.readers import Report
from phrasemill.types import Document

KEYWORDS = ("keywords", "keyword", "tags")
TEXTS = ("abstract", "annotation", "annote", "note", "notes_abstract", "notes")
TITLES = ("title", "primary_title")
RIS_IDS = ("id", "doi", "accession_number")
SEPARATOR = re.compile(r"\s*[;,]\s*")
JOINED = re.compile(r"\s#\s")  # strings that are put together, which bibtexparser leaves
LEFT_OF_LATEX = re.compile(r"\\[a-zA-Z]+\s?|[{}]")
ENTRY = re.compile(r"^(?=TY  ?-)", re.MULTILINE)
RIS_LINE = re.compile(r"^([A-Z][A-Z0-9])  ?- ?", re.MULTILINE)
GOES_ON = re.compile(r"\n(?![A-Z][A-Z0-9]  ?-)[ \t]*(?=\S)")


def bibtex_entries(text: str, *, name: str, report: Report) -> Iterator[tuple[Document, list[str]]]:
    """Yield the entries of a BibTeX file with their keywords."""
    try:
        from bibtexparser.entrypoint import parse_string
        from bibtexparser.middlewares import LatexDecodingMiddleware
    except ImportError:
        raise MissingExtra("bibtexparser", "bibliography", purpose="reading BibTeX") from None
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what fails is reported below
    decoding = LatexDecodingMiddleware(keep_math_mode=False)
    library = parse_string(text, append_middleware=[decoding])
    for block in library.failed_blocks:
        why = brief(ValueError(getattr(block.error, "abort_reason", block.error)))
        report(InputError(f"{name}, line {(block.start_line or 0) + 1}: an entry that cannot be read: {why}"))
    for entry in library.entries:
        fields = {field.key.lower(): str(field.value) for field in entry.fields}
        held = _first(fields, KEYWORDS)
        if JOINED.search(held):
            report(InputError(f"{name}, line {(entry.start_line or 0) + 1}: keywords that # joins are not read"))
            held = ""
        yield _document(fields, entry.key), SEPARATOR.split(LEFT_OF_LATEX.sub("", held))


def ris_entries(text: str, *, name: str, report: Report) -> Iterator[tuple[Document, list[str]]]:
    """Yield the entries of a RIS file with their keywords; each ends where the next begins."""
    try:
        import rispy
    except ImportError:
        raise MissingExtra("rispy", "bibliography", purpose="reading RIS") from None
    line = 1
    for chunk in ENTRY.split(re.sub(r"\r\n?", "\n", text)):
        if chunk.strip():
            lines = RIS_LINE.sub(r"\1  - ", GOES_ON.sub(" ", chunk.partition("\nER  -")[0].rstrip()))
            found = rispy.loads(f"{lines}\nER  - \n")
            if not found:
                report(InputError(f"{name}, line {line}: an entry that cannot be read: it does not begin with TY"))
            for fields in found:
                yield _document(fields, _first(fields, RIS_IDS) or f"{name}:{line}"), fields.get("keywords", [])
        line += chunk.count("\n")


def _document(fields: Mapping[str, Any], id_: str) -> Document:
    texts = [one for key in TEXTS for one in _several(fields.get(key))]
    return Document(id_, "\n".join(texts), _first(fields, TITLES))


def _first(fields: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((one for key in keys for one in _several(fields.get(key))), "")


def _several(value: Any) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list) else [value]) if one]
