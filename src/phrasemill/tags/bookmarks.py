"""Bookmark files of browsers (Netscape's format), and those of Karakeep and Linkwarden (JSON)."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from phrasemill.errors import InputError
from phrasemill.files.opening import brief
from phrasemill.types import Document

NETSCAPE = re.compile(rb"\s*<!DOCTYPE\s+NETSCAPE-Bookmark-file", re.IGNORECASE)
# An object that begins with a list of links, as Karakeep and Linkwarden export them.
EXPORT = re.compile(rb'\s*\{[^\[\]]*"(?:bookmarks|collections|links)"\s*:\s*\[')

Marked = tuple[Document, list[str]]  # with the tags as they are written


def is_bookmark_file(start: bytes) -> bool:
    bare = start.removeprefix(b"\xef\xbb\xbf")
    return NETSCAPE.match(bare) is not None or EXPORT.match(bare) is not None


def bookmarks(text: str, *, name: str) -> Iterator[Marked]:
    """Yield the links of a bookmark file, each with its title, its description and its tags."""
    if not text.lstrip().startswith("{"):
        parser = _Bookmarks()
        parser.feed(text)
        parser.close()
        yield from parser.found()
        return
    try:
        yield from _exported(json.loads(text), name)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not JSON ({brief(error)})") from None


def _exported(value: Any, name: str) -> Iterator[Marked]:
    """Yield whatever has tags, and a title or an address, at any depth."""
    inner = value.get("content") if isinstance(value, dict) else None
    record = value | inner if isinstance(inner, dict) else value
    if isinstance(value, dict) and isinstance(value.get("tags"), list):
        texts = {key: one for key, one in record.items() if isinstance(one, str) and one}
        title, address = texts.get("title") or texts.get("name", ""), texts.get("url") or texts.get("link", "")
        if title or address or inner:
            body = [texts[key] for key in ("text", "description", "summary", "note", "excerpt") if key in texts]
            tags = [one.get("name") if isinstance(one, dict) else one for one in value["tags"]]
            id_ = address or str(value.get("id") or title or name)
            yield Document(id_, "\n".join(body), title or address), [tag for tag in tags if isinstance(tag, str)]
            return
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _exported(one, name)


class _Bookmarks(HTMLParser):
    """Collects links: their attributes, titles, and the descriptions after them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._links: list[tuple[dict[str, str], list[str], list[str]]] = []
        self._into: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._links.append(({name: value or "" for name, value in attrs}, [], []))
            self._into = self._links[-1][1]
        elif tag == "dd" and self._links:
            self._into = self._links[-1][2]
        elif tag in ("dt", "dl", "h3"):
            self._into = None

    def handle_endtag(self, tag: str) -> None:
        if tag in ("a", "dl"):
            self._into = None

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)

    def found(self) -> Iterator[Marked]:
        for link, *parts in self._links:
            title, text = (" ".join("".join(words).split()) for words in parts)
            address = link.get("href", "")
            yield Document(address, text, title or address), link.get("tags", "").split(",")
