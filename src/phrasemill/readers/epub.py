"""EPUB books: the chapters in the order in which they are read, with title and language out of the package."""

from posixpath import dirname, join, normpath
from urllib.parse import unquote

from phrasemill.errors import InputError
from phrasemill.readers.decoding import decode
from phrasemill.readers.html import whole_text
from phrasemill.readers.html_tree import parse
from phrasemill.readers.packages import dublin_core, parse_part, parts_of
from phrasemill.readers.values import as_language
from phrasemill.types import Document

KIND = "an EPUB book"
CONTAINER = "META-INF/container.xml"
PACKAGE = "http://www.idpf.org/2007/opf "
PAGES = ("application/xhtml+xml", "text/html")
RIGHTS = "META-INF/rights.xml"


def read(data: bytes, *, name: str) -> Document:
    parts = parts_of(data, name, (CONTAINER, RIGHTS), kind=KIND)
    if RIGHTS in parts:
        raise InputError(f"{name}: protected against copying (DRM); we cannot read it")
    if CONTAINER not in parts:
        raise InputError(f"{name}: a zip archive, but no EPUB book")
    place = _package_place(parts[CONTAINER], name)
    package = parts_of(data, name, (place,), kind=KIND).get(place)
    if package is None:
        raise InputError(f"{name}: damaged EPUB book (there is no {place[:80]!r} in it)")
    chapters = [normpath(join(dirname(place), unquote(one))) for one in _spine(package, name)]
    files = parts_of(data, name, tuple(dict.fromkeys(chapters)) or (place,), kind=KIND)
    texts = [whole_text(parse(decode(files[one], name=name))) for one in chapters if one in files]
    stated = dublin_core(package, name, "EPUB book")
    text = "\n\n".join(filter(None, texts))
    return Document(id=name, text=text, title=stated.get("title", ""), language=as_language(stated.get("language", "")))


def _package_place(container: bytes, name: str) -> str:
    found: list[str] = []

    def start(element: str, attributes: dict[str, str]) -> None:
        if element.endswith("rootfile") and attributes.get("full-path"):
            found.append(attributes["full-path"])

    parse_part(container, name, "EPUB book", start)
    if not found:
        raise InputError(f"{name}: damaged EPUB book (its container names no package)")
    return found[0]


def _spine(package: bytes, name: str) -> list[str]:
    """Return the files of the chapters, in order; lists of contents are left out."""
    places: dict[str, str] = {}
    order: list[str] = []

    def start(element: str, attributes: dict[str, str]) -> None:
        local = element.removeprefix(PACKAGE)
        if local == "item" and attributes.get("media-type") in PAGES and "nav" not in attributes.get("properties", ""):
            places[attributes.get("id", "")] = attributes.get("href", "")
        elif local == "itemref" and attributes.get("linear") != "no":
            order.append(attributes.get("idref", ""))

    parse_part(package, name, "EPUB book", start)
    return [places[one] for one in order if one in places]
