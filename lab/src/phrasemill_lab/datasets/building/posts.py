"""Questions out of StackExchange's `Posts.xml`, one row at a time, so that a damaged row costs only itself.

A dump is one element per post, all in attributes: `<row Id="1" PostTypeId="1" Title="…" Body="…" Tags="…"/>`. A value
cannot hold a `<`, so `<row` always begins a row, and a file of any size falls into pieces that can be read by
themselves. Each question is parsed as a document of its own; what the file declares before the rows is never read.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from phrasemill.readers.archives import Damaged
from phrasemill.readers.html_tokens import LINES, PARAGRAPHS, TAG
from phrasemill.readers.sevenzip import member_stream
from phrasemill_lab.datasets.building.sources import BATCH_BYTES, BuildBatch, BuildPiece, FoundFile

LONGEST_ROW = 4 << 20  # a post has at most 30,000 characters
POSTS, ARCHIVE = "posts.xml", ".7z"
MARK = b"<row"
TYPE = re.compile(rb'\sPostTypeId="(\d+)"')
ID = re.compile(rb'\sId="(\d{1,20})"')
QUESTION = b"1"
TAGS = re.compile(r"[^<>|\s]+")
PREAMBLE = 4096  # bytes within which <posts> must stand
UNLIKE = ("not-posts", "there is no <posts> at its beginning")


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


def batches(found: Iterable[FoundFile]) -> Iterator[BuildBatch]:
    """Yield files as ranges of bytes, which the workers read themselves, and archives as content."""
    for file in found:
        if file.problem:
            yield BuildBatch([BuildPiece(file.name, problem=("unreadable", file.problem))], 0)
        elif file.name.lower().endswith(ARCHIVE):
            yield from _archived(file)
        elif problem := _unlike(file.name):
            yield BuildBatch([BuildPiece(file.name, problem=problem)], file.size)
        else:
            for start in range(0, file.size, BATCH_BYTES):
                end = min(file.size, start + BATCH_BYTES)
                yield BuildBatch([BuildPiece(file.name, start=start, end=end)], end - start)


def _unlike(name: str) -> tuple[str, str] | None:
    try:
        with Path(name).open("rb") as file:
            return None if b"<posts" in file.read(PREAMBLE) else UNLIKE
    except OSError as error:
        return "unreadable", error.strerror or str(error)


def _archived(file: FoundFile) -> Iterator[BuildBatch]:
    """Yield batches of whole rows."""
    held, begun = b"", False
    try:
        for data in member_stream(Path(file.name), "Posts.xml"):
            held += data
            if len(held) < BATCH_BYTES:
                continue
            if not begun and b"<posts" not in held[:PREAMBLE]:
                break
            begun = True
            cut = held.rfind(MARK)
            if cut > 0:
                yield BuildBatch([BuildPiece(file.name, held[:cut])], 0)
                held = held[cut:]
            elif len(held) > LONGEST_ROW + BATCH_BYTES:
                held = held[: LONGEST_ROW + 1]  # no row; this much is kept so that it is seen to be too long
        last = (
            BuildPiece(file.name, held)
            if begun or b"<posts" in held[:PREAMBLE]
            else BuildPiece(file.name, problem=UNLIKE)
        )
        yield BuildBatch([last], file.size)
    except (Damaged, OSError) as error:
        yield BuildBatch(
            [BuildPiece(file.name, held), BuildPiece(file.name, problem=("damaged-archive", str(error)))], file.size
        )


def rows(piece: BuildPiece) -> Iterator[bytes]:
    """Yield the rows that begin within a piece."""
    if piece.data is not None:
        data, end = piece.data, len(piece.data)
    else:
        with Path(piece.name).open("rb") as file:
            file.seek(piece.start)
            end = piece.end - piece.start
            data = file.read(end + LONGEST_ROW + 1)
    at = data.find(MARK)
    while 0 <= at < end:
        following = data.find(MARK, at + len(MARK))
        yield data[at : following if following >= 0 else len(data)]
        at = following


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
    at = depth = 0
    for tag in TAG.finditer(body):
        _add(pieces, body[at : tag.start()], depth > 0, code)
        at, name = tag.end(), tag[2].lower()
        if name == "pre":
            depth = max(0, depth + (-1 if tag[1] else 1))
        if name in PARAGRAPHS or name in LINES:
            pieces.append("\n")
    _add(pieces, body[at:], depth > 0, code)
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(filter(None, lines))


def _add(pieces: list[str], text: str, in_code: bool, code: bool) -> None:
    if in_code and not code:
        return
    with suppress(ValueError):  # a character reference of thousands of digits
        text = unescape(text)
    pieces.append(text if in_code else " ".join(text.split("\n")))
