"""Word documents (.docx): the paragraphs of the main text, tables included; headers, footers, notes and what was
deleted are left out.

The text is read out of the archive directly: within bounds, and with a parser that reads no entities.
"""

from collections.abc import Callable
from io import BytesIO
from xml.parsers import expat

from phrasemill.errors import InputError
from phrasemill.readers.archives import ENCRYPTED_MEMBER, Damaged, members_of
from phrasemill.readers.safe_xml import RefusedXmlError, hardened_parser
from phrasemill.types import Document

LARGEST = 64 << 20  # of the main text, decompressed; long books have a tenth of it
DEEPEST = 1_000
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
RELATIONS, USUAL = "_rels/.rels", "word/document.xml"
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


def read(data: bytes, *, name: str) -> Document:
    if data.startswith(OLE):
        if ENCRYPTED in data:
            raise InputError(f"{name}: encrypted with a password; save it without one first")
        raise InputError(f"{name}: an old Word document; save it as .docx first")
    return Document(id=name, text=_text(_main_part(data, name), name))


def _main_part(data: bytes, name: str) -> bytes:
    parts = _parts(data, name, (USUAL, RELATIONS))
    if USUAL not in parts and RELATIONS in parts:
        parts = _parts(data, name, (_target(parts[RELATIONS], name),))
    part = next((part for file, part in parts.items() if file != RELATIONS), None)
    if part is None:
        raise InputError(f"{name}: a zip archive, but no Word document")
    return part


def _parts(data: bytes, name: str, wanted: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files of these names in the archive."""
    found: dict[str, bytes] = {}
    suffixes = tuple(map(str.lower, wanted))
    try:
        for member in members_of(BytesIO(data), suffixes, name=name, size=len(data), largest=LARGEST):
            if member.name not in wanted:
                continue
            if member.problem == ENCRYPTED_MEMBER:
                raise InputError(f"{name}: {ENCRYPTED_MEMBER}; save it without one first")
            if member.problem:
                raise Damaged(f"{name}: {member.problem}")
            if member.data is None:
                raise InputError(f"{name}: decompresses to more than {LARGEST >> 20} MiB; it looks like a bomb")
            found[member.name] = member.data
    except Damaged as error:
        why = str(error).removeprefix(f"{name}: ")
        raise InputError(f"{name}: not a Word document, or damaged ({why})") from None
    return found


def _target(relations: bytes, name: str) -> str:
    """Return the name of the main part from the relations, where it is not the usual one."""
    found: list[str] = []

    def start(_: str, attributes: dict[str, str]) -> None:
        if attributes.get("Type", "").endswith(OFFICE_DOCUMENT):
            found.append(attributes.get("Target", "").lstrip("/"))

    _parse(relations, name, start)
    return found[0] if found else USUAL


class _Body:
    """Collects the text of the main part."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._silent = 0
        self._in_text = False

    def start(self, element: str, _: dict[str, str]) -> None:
        if element in SILENT or element in TAB_STOPS:
            self._silent += 1
        elif not self._silent and element in SIGNS:
            self.pieces.append(SIGNS[element])
        self._in_text = element in TEXT

    def end(self, element: str) -> None:
        self._in_text = False
        if element in SILENT or element in TAB_STOPS:
            self._silent -= 1
        elif element in PARAGRAPHS and not self._silent:
            self.pieces.append("\n\n")

    def text(self, text: str) -> None:
        if self._in_text and not self._silent:
            self.pieces.append(text)


def _text(source: bytes, name: str) -> str:
    body = _Body()
    _parse(source, name, body.start, body.end, body.text)
    paragraphs = "".join(body.pieces).split("\n\n")
    return "\n\n".join(paragraph.strip() for paragraph in paragraphs if paragraph.strip())


def _parse(source: bytes, name: str, *handlers: Callable[..., None]) -> None:
    try:
        hardened_parser(*handlers, deepest=DEEPEST, namespace_separator=" ").Parse(source, True)
    except expat.ExpatError as error:
        raise InputError(f"{name}: damaged Word document ({error})") from None
    except RefusedXmlError as error:
        raise InputError(f"{name}: {error}; it looks like a bomb") from None
