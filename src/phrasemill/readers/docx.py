"""Word documents (.docx): the title and the paragraphs of the main text, tables included; headers, footers, notes and
what was deleted are left out.
"""

from phrasemill.errors import InputError
from phrasemill.readers.flow import BODY, FIRST_LEVEL, TITLE, Passage, titled
from phrasemill.readers.packages import LARGEST, dublin_core, parse_part, parts_of
from phrasemill.types import Document

KIND = "a Word document"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
RELATIONS, USUAL, CORE = "_rels/.rels", "word/document.xml", "docProps/core.xml"
OFFICE_DOCUMENT = "/relationships/officeDocument"
WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
TEXT = frozenset(f"{space}t" for space in WORD)
# Moved away from here, repeated for old programs, or an instruction for a field.
SILENT = frozenset(
    [f"{space}{name}" for space in WORD for name in ("moveFrom", "del", "instrText")]
    + ["http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"]
)
SIGNS = {
    f"{space}{name}": sign
    for space in WORD
    for name, sign in (("tab", "\t"), ("br", "\n"), ("cr", "\n"), ("noBreakHyphen", "-"))
}
PARAGRAPHS = frozenset(f"{space}p" for space in WORD)
TAB_STOPS = frozenset(f"{space}tabs" for space in WORD)  # where tabs stop is no tab
STYLES = frozenset(f"{space}pStyle" for space in WORD)
VALUES = tuple(f"{space}val" for space in WORD)
KINDS = {"title": TITLE, "titel": TITLE, "titre": TITLE, "heading1": FIRST_LEVEL, "berschrift1": FIRST_LEVEL}


def read(data: bytes, *, name: str) -> Document:
    if data.startswith(OLE):
        if ENCRYPTED in data:
            raise InputError(f"{name}: encrypted with a password; save it without one first")
        raise InputError(f"{name}: an old Word document; save it as .docx first")
    parts = parts_of(data, name, (USUAL, RELATIONS, CORE), kind=KIND, largest=LARGEST)
    stated = dublin_core(parts[CORE], name, "Word document").get("title", "") if CORE in parts else ""
    body = _Body()
    parse_part(_main_part(data, name, parts), name, "Word document", body.start, body.end, body.text)
    title, text = titled(body.passages, stated)
    return Document(id=name, text=text, title=title)


def _main_part(data: bytes, name: str, parts: dict[str, bytes]) -> bytes:
    if USUAL in parts:
        return parts[USUAL]
    if RELATIONS in parts:
        target = _target(parts[RELATIONS], name)
        found = parts_of(data, name, (target,), kind=KIND, largest=LARGEST)
        if target in found:
            return found[target]
    raise InputError(f"{name}: a zip archive, but no Word document")


def _target(relations: bytes, name: str) -> str:
    """Return the name of the main part from the relations, where it is not the usual one."""
    found: list[str] = []

    def start(_: str, attributes: dict[str, str]) -> None:
        if attributes.get("Type", "").endswith(OFFICE_DOCUMENT):
            found.append(attributes.get("Target", "").lstrip("/"))

    parse_part(relations, name, "Word document", start)
    return found[0] if found else USUAL


class _Body:
    """Collects the paragraphs of the main part."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self._pieces: list[str] = []
        self._kind = BODY
        self._silent = 0
        self._in_text = False

    def start(self, element: str, attributes: dict[str, str]) -> None:
        if element in SILENT or element in TAB_STOPS:
            self._silent += 1
        elif not self._silent and element in SIGNS:
            self._pieces.append(SIGNS[element])
        elif not self._silent and element in STYLES:
            style = next((attributes[name] for name in VALUES if name in attributes), "")
            self._kind = KINDS.get(style.replace(" ", "").lower(), BODY)
        self._in_text = element in TEXT

    def end(self, element: str) -> None:
        self._in_text = False
        if element in SILENT or element in TAB_STOPS:
            self._silent -= 1
        elif element in PARAGRAPHS and not self._silent:
            self.passages.append(Passage("".join(self._pieces), self._kind))
            self._pieces, self._kind = [], BODY

    def text(self, text: str) -> None:
        if self._in_text and not self._silent:
            self._pieces.append(text)
