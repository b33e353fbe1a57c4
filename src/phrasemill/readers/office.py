"""Documents that are zip archives of XML: Word (.docx), OpenDocument (.odt) and EPUB, read within bounds.

The paragraphs of the main text are read, tables included. Headers, footers, notes, comments and what was deleted are
left out.
"""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from posixpath import dirname, join, normpath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from phrasemill.errors import InputError
from phrasemill.files.opening import brief
from phrasemill.files.streams import LARGEST
from phrasemill.readers.archives import BROKEN_ZIP, ENCRYPTED
from phrasemill.readers.decoding import decode
from phrasemill.readers.html import whole_text
from phrasemill.readers.safe_xml import BROKEN, RefusedXmlError, tree
from phrasemill.readers.sniffing import OLE
from phrasemill.readers.titles import BODY, FIRST_LEVEL, TITLE, Passage, titled
from phrasemill.readers.values import as_language
from phrasemill.types import Document

PASSWORD = "encrypted with a password; save it without one first"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/ "

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
STRICT_WORD = b"http://purl.oclc.org/ooxml/wordprocessingml/main"
WORD_MAIN, WORD_META, RELATIONS = "word/document.xml", "docProps/core.xml", "_rels/.rels"
WORD_STYLES = {"title": TITLE, "titel": TITLE, "titre": TITLE, "heading1": FIRST_LEVEL, "berschrift1": FIRST_LEVEL}
ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")

TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
TITLE_STYLES = ("title", "titel", "titre")
MOST_SPACES = 1_000  # that one element stands for

PAGES = ("application/xhtml+xml", "text/html")


@dataclass(frozen=True, slots=True)
class _Markup:
    """What the elements of a format mean. Text stands in `texts`; where there are none, anywhere in a paragraph."""

    paragraphs: frozenset[str]
    silent: frozenset[str]
    signs: dict[str, str]
    texts: frozenset[str] = frozenset()


DOCX = _Markup(
    frozenset([f"{WORD}p"]),
    # Moved away from here, an instruction for a field, where tabs stop, repeated for old programs.
    frozenset((*(f"{WORD}{name}" for name in ("moveFrom", "del", "instrText", "tabs")), FALLBACK)),
    {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n", f"{WORD}noBreakHyphen": "-"},
    frozenset([f"{WORD}t"]),
)
ODT = _Markup(
    frozenset((f"{TEXT}p", f"{TEXT}h")),
    frozenset(
        f"{TEXT}{name}"
        for name in ("note", "tracked-changes", "sequence-decls", "table-of-content", "alphabetical-index")
    )
    | {f"{OFFICE}annotation", f"{OFFICE}forms"},
    {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n", f"{TEXT}s": " "},
)


def read_docx(data: bytes, *, name: str) -> Document:
    if data.startswith(OLE):
        why = PASSWORD if ENCRYPTED_PACKAGE in data else "an old Word document; save it as .docx first"
        raise InputError(f"{name}: {why}")
    package = _Package(data, name, "a Word document")
    main = WORD_MAIN if WORD_MAIN in package else _word_main(package)
    body = package.tree(main)
    title, text = titled([*_passages(body, DOCX)], _dublin_core(package, WORD_META).get("title", ""))
    return Document(id=name, text=text, title=title)


def _word_main(package: "_Package") -> str:
    """Return the name of the main part from the relations, where it is not the usual one."""
    relations = _all(package.tree(RELATIONS), "Relationship")
    targets = (one.get("Target", "") for one in relations if one.get("Type", "").endswith("/officeDocument"))
    return next(targets, "").lstrip("/")


def read_odt(data: bytes, *, name: str) -> Document:
    package = _Package(data, name, "an OpenDocument text")
    manifest = "META-INF/manifest.xml"
    if manifest in package and b"encryption-data" in package.part(manifest):
        raise InputError(f"{name}: {PASSWORD}")
    passages = [*_passages(package.tree("content.xml"), ODT)]
    stated = _dublin_core(package, "meta.xml")
    title, text = titled(passages, stated.get("title", ""))
    return Document(id=name, text=text, title=title, language=as_language(stated.get("language", "")))


def read_epub(data: bytes, *, name: str) -> Document:
    """Return the chapters in the order in which they are read; lists of contents are left out."""
    package = _Package(data, name, "an EPUB book")
    if "META-INF/rights.xml" in package:
        raise InputError(f"{name}: protected against copying (DRM); we cannot read it")
    roots = [one.get("full-path", "") for one in _all(package.tree("META-INF/container.xml"), "rootfile")]
    if not any(roots):
        raise InputError(f"{name}: damaged EPUB book (its container names no package)")
    place = next(filter(None, roots))
    if place not in package:
        raise InputError(f"{name}: damaged EPUB book (there is no {place[:80]!r} in it)")
    book = package.tree(place)
    pages = {
        one.get("id", ""): normpath(join(dirname(place), unquote(one.get("href", ""))))
        for one in _all(book, "item")
        if one.get("media-type") in PAGES and "nav" not in one.get("properties", "")
    }
    order = [pages.get(one.get("idref", ""), "") for one in _all(book, "itemref") if one.get("linear") != "no"]
    texts = [whole_text(decode(package.part(one), name=name)) for one in order if one in package]
    stated = _dublin_core(package, place)
    text = "\n\n".join(filter(None, texts))
    return Document(id=name, text=text, title=stated.get("title", ""), language=as_language(stated.get("language", "")))


def _passages(element: Element, markup: _Markup) -> Iterator[Passage]:
    """Yield the paragraphs below an element; one within another, as in a frame, comes before it."""
    for child in element:
        if child.tag not in markup.silent:
            yield from _passages(child, markup)
            if child.tag in markup.paragraphs:
                yield Passage("".join(_pieces(child, markup)), _kind(child))


def _pieces(element: Element, markup: _Markup) -> Iterator[str]:
    """Yield the text in an element, without that of the paragraphs in it."""
    if element.tag in markup.signs:
        count = element.get(f"{TEXT}c", "1")
        yield markup.signs[element.tag] * (min(MOST_SPACES, int(count)) if count.isdecimal() and len(count) < 9 else 1)
    elif not markup.texts or element.tag in markup.texts:
        yield element.text or ""
    for child in element:
        if child.tag not in markup.silent and child.tag not in markup.paragraphs:
            yield from _pieces(child, markup)
        if not markup.texts:
            yield child.tail or ""


def _kind(paragraph: Element) -> str:
    """Return what a paragraph is, by its style or its level."""
    for style in paragraph.iter(f"{WORD}pStyle"):
        return WORD_STYLES.get(style.get(f"{WORD}val", "").replace(" ", "").lower(), BODY)
    if paragraph.get(f"{TEXT}style-name", "").lower() in TITLE_STYLES:
        return TITLE
    first = paragraph.tag == f"{TEXT}h" and paragraph.get(f"{TEXT}outline-level") == "1"
    return FIRST_LEVEL if first else BODY


def _dublin_core(package: "_Package", place: str) -> dict[str, str]:
    """Return title, language and the like out of a file of metadata: the first of each."""
    found: dict[str, str] = {}
    for element in package.tree(place).iter() if place in package else ():
        if element.tag.startswith(DUBLIN_CORE):
            found.setdefault(element.tag.removeprefix(DUBLIN_CORE), " ".join((element.text or "").split()))
    return found


def _all(root: Element, local_name: str) -> list[Element]:
    return [element for element in root.iter() if element.tag.rpartition(" ")[2] == local_name]


class _Package:
    """The files in a zip archive, read within bounds; `kind` names the format in errors, as `a Word document`."""

    def __init__(self, data: bytes, name: str, kind: str) -> None:
        self._name, self._kind, self._left = name, kind, LARGEST
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except BROKEN_ZIP as error:
            raise self._damaged(error) from None
        self._files = set(self._zip.namelist())

    def __contains__(self, place: str) -> bool:
        return place in self._files

    def part(self, place: str) -> bytes:
        """Return a file, which must be there."""
        if place not in self:
            raise InputError(f"{self._name}: a zip archive, but no {self._kind.partition(' ')[2]}")
        if self._zip.getinfo(place).flag_bits & ENCRYPTED:
            raise InputError(f"{self._name}: {PASSWORD}")
        try:
            with self._zip.open(place) as file:
                data = file.read(self._left + 1)
        except BROKEN_ZIP as error:
            raise self._damaged(error) from None
        self._left -= len(data)
        if self._left < 0:
            raise InputError(f"{self._name}: decompresses to more than {LARGEST >> 20} MiB; it looks like a bomb")
        return data

    def tree(self, place: str) -> Element:
        """Return the elements of a file, which must be there."""
        try:
            return tree(self.part(place).replace(STRICT_WORD, WORD.strip().encode()), namespaces=True)
        except RefusedXmlError as error:
            if error.reason == BROKEN:
                raise InputError(f"{self._name}: damaged {self._kind.partition(' ')[2]} ({error})") from None
            raise InputError(f"{self._name}: {error}; it looks like a bomb") from None

    def _damaged(self, error: Exception) -> InputError:
        return InputError(f"{self._name}: not {self._kind}, or damaged ({brief(error)})")
