"""Questions out of StackExchange's `Posts.xml`, one row at a time, so that a damaged row costs only itself.

A dump is one element per post, all in attributes: `<row Id="1" PostTypeId="1" Title="…" Body="…" Tags="…"/>`. A value
cannot hold a `<`, so `<row` always begins a row. Each question is parsed as a document of its own; what the file
declares before the rows is never read.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from phrasemill.errors import InputError
from phrasemill.readers.archives import Damaged
from phrasemill.readers.html_tokens import LINES, PARAGRAPHS, TAG
from phrasemill_lab.datasets.building.sevenzip import member_stream

LONGEST_ROW = 4 << 20  # a post has at most 30,000 characters
CHUNK = 1 << 20
POSTS, ARCHIVE = "posts.xml", ".7z"
MARK = b"<row"
TYPE = re.compile(rb'\sPostTypeId="(\d+)"')
ID = re.compile(rb'\sId="(\d{1,20})"')
QUESTION = b"1"
TAGS = re.compile(r"[^<>|\s]+")
PREAMBLE = 4096  # bytes within which <posts> must stand


class NotPosts(InputError):  # noqa: N818 - a reason for a rejection
    """A file that holds no posts."""


class PostRow(NamedTuple):
    """A question as it stands in the dump, or why it cannot be read."""

    id: str
    title: str = ""
    body: str = ""
    tags: tuple[str, ...] = ()
    problem: tuple[str, str] | None = None


@lru_cache(1000)
def site(name: str) -> str:
    """Return the name of the site, from the folder of `Posts.xml` or from the name of the archive."""
    path = Path(name)
    called = path.resolve().parent.name if path.name.lower() == POSTS else path.name
    return re.sub(r"(-Posts)?(\.7z|\.xml)$", "", called, flags=re.IGNORECASE) or "posts"


def rows(name: str) -> Iterator[bytes]:
    """Yield the rows of a `Posts.xml` or of an archive of one; after those before it, damage is raised."""
    chunks = member_stream(Path(name), "Posts.xml") if name.lower().endswith(ARCHIVE) else _pieces(name)
    held, begun = b"", False
    damage: Exception | None = None
    try:
        for data in chunks:
            held += data
            if not begun and len(held) >= PREAMBLE:
                begun = _begins_posts(held)
            if begun:
                *whole, held = _cut(held)
                yield from whole
    except (Damaged, OSError) as error:
        damage = error
    if not begun and damage is None:
        _begins_posts(held)
    yield from (row for row in _cut(held) if row.startswith(MARK))
    if damage:
        raise damage


def _pieces(name: str) -> Iterator[bytes]:
    with Path(name).open("rb") as file:
        while data := file.read(CHUNK):
            yield data


def _begins_posts(held: bytes) -> bool:
    if b"<posts" not in held[:PREAMBLE]:
        raise NotPosts("there is no <posts> at its beginning")
    return True


def _cut(held: bytes) -> list[bytes]:
    """Return the rows in `held`; the last may go on. Of one that is too long, enough is kept to see that it is."""
    _, mark, found = held.partition(MARK)
    if not mark:
        return [held[-len(MARK) :]]
    *whole, last = [MARK + row for row in found.split(MARK)]
    return [*whole, last if len(last) <= LONGEST_ROW else last[: LONGEST_ROW + 1] + last[-len(MARK) :]]


def question(row: bytes) -> PostRow | None:
    """Return the question in a row; None for answers and other posts."""
    found = ID.search(row[:1000])
    id_ = found[1].decode() if found else "?"
    if len(row) > LONGEST_ROW:
        return PostRow(id_, problem=("long-row", f"more than {LONGEST_ROW >> 20} MiB"))
    kind = TYPE.search(row)
    if kind and kind[1] != QUESTION:
        return None
    try:
        values = _attributes(row.rstrip().removesuffix(b"</posts>"))
    except (expat.ExpatError, ValueError) as error:
        return PostRow(id_, problem=("damaged-row", str(error)))
    if not kind or "Id" not in values:
        return PostRow(id_, problem=("damaged-row", "no PostTypeId or no Id"))
    tags = tuple(dict.fromkeys(TAGS.findall(values.get("Tags", ""))))
    return PostRow(values["Id"], " ".join(values.get("Title", "").split()), values.get("Body", ""), tags)


def _attributes(row: bytes) -> dict[str, str]:
    found: list[dict[str, str]] = []
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = lambda name, attributes: found.append(attributes)
    parser.Parse(row, True)
    return found[0]


def plain(body: str, *, code: bool = True) -> str:
    """Return the text of a post, one line per paragraph, item and line of code; `code=False` drops blocks of code."""
    first, *rest = body.split("<!--")
    body = first + "".join(part.partition("-->")[2] for part in rest)
    pieces: list[str] = []

    def add(text: str) -> None:
        if depth and not code:
            return
        with suppress(ValueError):  # a character reference of thousands of digits
            text = unescape(text)
        pieces.append(text if depth else " ".join(text.split("\n")))

    at = depth = 0
    for tag in TAG.finditer(body):
        add(body[at : tag.start()])
        at, name = tag.end(), tag[2].lower()
        if name == "pre":
            depth = max(0, depth + (-1 if tag[1] else 1))
        if name in PARAGRAPHS or name in LINES:
            pieces.append("\n")
    add(body[at:])
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(filter(None, lines))
