"""OpenDocument texts (.odt): headings, paragraphs, lists, tables; notes, comments and what was deleted are left out."""

from phrasemill.errors import InputError
from phrasemill.readers.flow import BODY, FIRST_LEVEL, TITLE, Passage, titled
from phrasemill.readers.packages import dublin_core, parse_part, parts_of
from phrasemill.readers.values import as_language
from phrasemill.types import Document

KIND = "an OpenDocument text"
CONTENT, META, MANIFEST = "content.xml", "meta.xml", "META-INF/manifest.xml"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
PARAGRAPHS = frozenset((f"{TEXT}p", f"{TEXT}h"))
SILENT = frozenset(
    [
        f"{TEXT}{name}"
        for name in ("note", "tracked-changes", "sequence-decls", "table-of-content", "alphabetical-index")
    ]
    + [f"{OFFICE}annotation", f"{OFFICE}forms"]
)
SIGNS = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
SPACES, MOST_SPACES = f"{TEXT}s", 1_000
STYLE, LEVEL, COUNT = f"{TEXT}style-name", f"{TEXT}outline-level", f"{TEXT}c"


def read(data: bytes, *, name: str) -> Document:
    parts = parts_of(data, name, (CONTENT, META, MANIFEST), kind=KIND)
    if b"encryption-data" in parts.get(MANIFEST, b""):
        raise InputError(f"{name}: encrypted with a password; save it without one first")
    if CONTENT not in parts:
        raise InputError(f"{name}: a zip archive, but no OpenDocument text")
    stated = dublin_core(parts[META], name, "OpenDocument text") if META in parts else {}
    body = _Body()
    parse_part(parts[CONTENT], name, "OpenDocument text", body.start, body.end, body.text)
    title, text = titled(body.passages, stated.get("title", ""))
    return Document(id=name, text=text, title=title, language=as_language(stated.get("language", "")))


class _Body:
    """Collects the paragraphs of the content. One may stand in another, as in a frame: it comes before the rest."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self._open: list[tuple[list[str], str]] = []
        self._silent = 0

    def start(self, element: str, attributes: dict[str, str]) -> None:
        if element in SILENT:
            self._silent += 1
        if self._silent:
            return
        if element in PARAGRAPHS:
            self._open.append(([], _kind(element, attributes)))
        elif self._open and element in SIGNS:
            self._open[-1][0].append(SIGNS[element])
        elif self._open and element == SPACES:
            count = attributes.get(COUNT, "1")
            self._open[-1][0].append(" " * min(MOST_SPACES, int(count) if count.isdecimal() and len(count) < 9 else 1))

    def end(self, element: str) -> None:
        if element in SILENT:
            self._silent -= 1
        elif not self._silent and element in PARAGRAPHS and self._open:
            pieces, kind = self._open.pop()
            self.passages.append(Passage("".join(pieces), kind))

    def text(self, text: str) -> None:
        if self._open and not self._silent:
            self._open[-1][0].append(text)


def _kind(element: str, attributes: dict[str, str]) -> str:
    if attributes.get(STYLE, "").lower() in ("title", "titel", "titre"):
        return TITLE
    return FIRST_LEVEL if element == f"{TEXT}h" and attributes.get(LEVEL) == "1" else BODY
