"""Bookmark files of browsers and of Linkwarden, Karakeep and the like (Netscape's format, and JSON of their own), and
outlines (OPML)."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, NamedTuple
from xml.parsers import expat

from phrasemill.errors import InputError
from phrasemill.files.opening import brief
from phrasemill.readers.safe_xml import RefusedXmlError, hardened_parser
from phrasemill.types import Document

NETSCAPE = re.compile(rb"\s*<!DOCTYPE\s+NETSCAPE-Bookmark-file", re.IGNORECASE)
# An object that begins with a list of links, as Karakeep and Linkwarden export them.
EXPORT = re.compile(rb'\s*\{[^\[\]]*"(?:bookmarks|collections|links)"\s*:\s*\[')
OUTLINE_TAGS = ("category", "categories", "tags")
DEEPEST = 100  # outlines within each other


class Marked(NamedTuple):
    """A document with its tags as they are written."""

    document: Document
    tags: tuple[str, ...]


def is_bookmark_file(start: bytes) -> bool:
    bare = start.removeprefix(b"\xef\xbb\xbf")
    return NETSCAPE.match(bare) is not None or EXPORT.match(bare) is not None


def bookmarks(text: str, *, name: str) -> Iterator[Marked]:
    """Yield the links of a bookmark file, each with its title, its description and its tags."""
    if text.lstrip().startswith("{"):
        try:
            yield from _exported(json.loads(text), name)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}: not JSON ({brief(error)})") from None
        return
    parser = _Bookmarks()
    parser.feed(text)
    parser.close()
    parser.finish()
    yield from parser.found


def _exported(value: Any, name: str) -> Iterator[Marked]:
    """Yield whatever has tags, and a title or an address, at any depth."""
    if isinstance(value, list):
        for one in value:
            yield from _exported(one, name)
    elif isinstance(value, dict):
        inner = value.get("content")
        content: dict[str, Any] = inner if isinstance(inner, dict) else {}
        title, address = (_first(value | content, *names) for names in (("title", "name"), ("url", "link")))
        if isinstance(value.get("tags"), list) and (title or address or content):
            texts = [_first(value | content, key) for key in ("text", "description", "summary", "note", "excerpt")]
            tags = [one.get("name") if isinstance(one, dict) else one for one in value["tags"]]
            id_ = address or str(value.get("id") or title or name)
            document = Document(id_, "\n".join(filter(None, texts)), title or address)
            yield Marked(document, tuple(tag for tag in tags if isinstance(tag, str)))
        else:
            for one in value.values():
                yield from _exported(one, name)


def _first(record: dict[str, Any], *names: str) -> str:
    return next((record[name] for name in names if isinstance(record.get(name), str) and record[name]), "")


class _Bookmarks(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Marked] = []
        self._link: dict[str, str] | None = None
        self._title: list[str] = []
        self._text: list[str] = []
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "dd":
            self._in = "dd"
            return
        if tag in ("a", "dt", "dl", "h3"):
            self.finish()
        if tag == "a":
            self._link, self._in = {name: value or "" for name, value in attrs}, "a"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("a", "dl"):
            self._in = ""

    def handle_data(self, data: str) -> None:
        if self._link is not None and self._in:
            (self._title if self._in == "a" else self._text).append(data)

    def finish(self) -> None:
        """Close the link that is open."""
        if self._link is not None:
            title, text = (" ".join("".join(words).split()) for words in (self._title, self._text))
            address = self._link.get("href", "")
            tags = tuple(self._link.get("tags", "").split(","))
            self.found.append(Marked(Document(address, text, title or address), tags))
        self._link, self._title, self._text, self._in = None, [], [], ""


def outlines(data: bytes, *, name: str) -> Iterator[Marked]:
    """Yield the outlines of an OPML file that have a category, or a text of their own."""
    found: list[Marked] = []

    def start(element: str, attributes: dict[str, str]) -> None:
        if element.lower() != "outline":
            return
        given = {key.lower(): value for key, value in attributes.items()}
        title = given.get("text") or given.get("title", "")
        text = "\n".join(given[key] for key in ("description", "_note") if given.get(key))
        tags = [
            part.strip("/").rpartition("/")[2] for key in OUTLINE_TAGS if key in given for part in given[key].split(",")
        ]
        if title and (tags or text or "xmlurl" in given or "url" in given):
            id_ = given.get("xmlurl") or given.get("url") or f"{name}:{parser.CurrentLineNumber}"
            found.append(Marked(Document(id_, text, title), tuple(tags)))

    parser = hardened_parser(start, deepest=DEEPEST)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputError(f"{name}, line {error.lineno}: not OPML ({expat.errors.messages[error.code]})") from None
    except RefusedXmlError as error:
        raise InputError(f"{name}, line {parser.CurrentLineNumber}: {error}") from None
    yield from found
