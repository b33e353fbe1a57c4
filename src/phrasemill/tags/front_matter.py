"""The tags in a note's front matter: read them, and change them in place.

Only the `tags` entry is parsed; everything else in the file stays as it is, to the byte. YAML is read in the forms in
which people write tags: block lists, flow lists, quoted or plain strings with commas. What is none of these (anchors,
block scalars, nested lists) is left alone, and an `UnsupportedError` names the line. TOML between `+++` is read, but
never written.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from phrasemill.errors import InputError

KEYS = ("tags", "tag")
BLOCK, FLOW, COMMAS, SINGLE, EMPTY = "block", "flow", "commas", "single", "empty"
OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
TOML = re.compile(r"\ufeff?\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*\r?$", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"([ \t]*)-(?:([ \t]+)|$)")
QUOTED = re.compile(r'"((?:[^"\\\r\n]|\\.)*)"|\'((?:[^\'\r\n]|\'\')*)\'')
NULLS = ("", "~", "null", "Null", "NULL")
SPECIAL = re.compile(r"(?:true|false|yes|no|on|off|y|n|null|~|[-+]?[\d.][\d_.,:eE+-]*|0[xo][\da-f]+)", re.IGNORECASE)
PLAIN = re.compile(r"[^\W_](?:[\w /.+&()'’-]*[\w/.+&()'’-])?")


class UnsupportedError(InputError):
    """Front matter in a form that is not changed, such as an anchor."""


class Item(NamedTuple):
    """A tag, and the characters of the file that write it, with its quotes."""

    tag: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entry:
    """The value of `tags`: its form, its items, and the characters that it covers."""

    form: str
    items: tuple[Item, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Where the front matter of a file begins and ends, without its `---` lines, and its tags; `entry` is None where
    it has none."""

    start: int
    end: int
    entry: Entry | None


def clean_tag(text: str) -> str:
    """Return a tag without the hash and the spaces around it."""
    return " ".join(text.split()).removeprefix("#").strip()


def tags_of(text: str, *, keys: Sequence[str] = KEYS) -> list[str]:
    """Return the tags in the front matter of a file, each once."""
    toml = TOML.match(text)
    found = _toml_tags(toml[1], keys) if toml else None
    if found is None:
        matter = front_matter(text, keys=keys)
        found = [item.tag for item in matter.entry.items] if matter and matter.entry else []
    return list(dict.fromkeys(filter(None, map(clean_tag, found))))


def body_start(text: str) -> int:
    """Return where the text after the front matter begins."""
    toml = TOML.match(text)
    if toml:
        return toml.end()
    matter = _bounds(text)
    if matter is None:
        return 0
    line = text.find("\n", matter[1])
    return len(text) if line < 0 else line + 1


def front_matter(text: str, *, keys: Sequence[str] = KEYS) -> FrontMatter | None:
    """Return the front matter of a file, None where it has none; raise an `UnsupportedError` where its tags cannot be
    read."""
    bounds = _bounds(text)
    if bounds is None:
        return None
    start, end = bounds
    names = "|".join(map(re.escape, keys))
    key = re.compile(rf"""^(["']?)(?:{names})\1[ \t]*:(?=[ \t\r\n]|$)""", re.MULTILINE | re.IGNORECASE)
    found = [match.end() for match in key.finditer(text, start, end)]
    if len(found) > 1:
        raise _unsupported(text, found[1], "the tags are there twice")
    return FrontMatter(start, end, _entry(text, found[0], end) if found else None)


def _bounds(text: str) -> tuple[int, int] | None:
    opening = OPENING.match(text)
    if not opening:
        return None
    closing = CLOSING.search(text, opening.end())
    return (opening.end(), closing.start()) if closing else None


def _toml_tags(block: str, keys: Sequence[str]) -> list[str]:
    import tomllib

    try:
        table = tomllib.loads(block.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return []
    taxonomies = table.get("taxonomies")
    for place in (table, taxonomies if isinstance(taxonomies, dict) else {}):
        for key in keys:
            value = place.get(key)
            if isinstance(value, str):
                return value.split(",")
            if isinstance(value, list):
                return [str(one) for one in value if isinstance(one, str | int)]
    return []


def _entry(text: str, at: int, end: int) -> Entry:
    """Read the value that begins at `at`, right after the colon."""
    line_end = _line_end(text, at, end)
    start = _skip_spaces(text, at, line_end)
    first = text[start : start + 1]
    if start == line_end or first == "#":
        return _block(text, at, line_end, end)
    if first == "[":
        return _flow(text, start, end)
    if first in "|>&*!{%@`":
        raise _unsupported(text, start, f"a value that begins with {first!r}")
    if first in "\"'":
        quoted = QUOTED.match(text, start, line_end)
        if not quoted or not _ends(text, quoted.end(), line_end):
            raise _unsupported(text, start, "a quote that does not end on its line")
        return _scalar(_unquoted(quoted), quoted.start(), quoted.end(), inside=1)
    stop = _plain_end(text, start, line_end)
    if _goes_on(text, line_end, end):
        raise _unsupported(text, start, "a value of several lines")
    return _scalar(text[start:stop], start, stop, inside=0)


def _scalar(value: str, start: int, end: int, *, inside: int) -> Entry:
    if value in NULLS and not inside:
        return Entry(EMPTY, (), start, end)
    if "," in value:
        simple = end - start - 2 * inside == len(value)  # nothing in it is escaped
        items, at = [], start + inside
        for part in value.split(","):
            bare = part.strip()
            begin = at + len(part) - len(part.lstrip())
            if bare:
                items.append(Item(bare, begin, begin + len(bare)))
            at += len(part) + 1
        return Entry(COMMAS if simple else SINGLE, tuple(items), start, end)
    words = value.split()
    if len(words) > 1 and all(word.startswith("#") for word in words):  # as in `tags: "#one #two"`
        return Entry(SINGLE, tuple(Item(word, start, end) for word in words), start, end)
    return Entry(SINGLE, (Item(value, start, end),) if value.strip() else (), start, end)


def _block(text: str, at: int, line_end: int, end: int) -> Entry:
    items: list[Item] = []
    last, indent = line_end, None
    for start, stop in _lines(text, line_end, end):
        line = text[start:stop]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = ITEM.match(line)
        if not found:
            if line[0] in " \t":
                raise _unsupported(text, start, "neither a list nor a string")
            break
        if indent is not None and found[1] != indent:
            raise _unsupported(text, start, "a list within a list")
        indent = found[1]
        items.append(_item(text, start + found.end(), stop, ends=""))  # an empty one is a place for a tag
        last = stop
    return Entry(BLOCK if items else EMPTY, tuple(items), at, last)


def _flow(text: str, start: int, end: int) -> Entry:
    items: list[Item] = []
    at = start + 1
    while True:
        at = _skip_blank(text, at, end)
        mark = text[at : at + 1]
        if at >= end:
            raise _unsupported(text, start, "a list that is not closed")
        if mark == "]":
            break
        if mark == ",":
            at += 1
            continue
        item = _item(text, at, end, ends=",]\r\n")
        items.append(item)
        at = max(item.end, at + 1)
    if not _ends(text, at + 1, _line_end(text, at, end)):
        raise _unsupported(text, at, "something after the list")
    return Entry(FLOW, tuple(item for item in items if item.tag), start, at + 1)


def _item(text: str, at: int, end: int, *, ends: str) -> Item:
    """Read one value of a list; in a flow list it stops at one of `ends`."""
    first = text[at : at + 1]
    if first in ("'", '"'):
        quoted = QUOTED.match(text, at, end)
        if not quoted or (not ends and not _ends(text, quoted.end(), end)):
            raise _unsupported(text, at, "a quote that does not end on its line")
        return Item(_unquoted(quoted), at, quoted.end())
    if first and first in "|>&*!{[%@`?":
        raise _unsupported(text, at, f"a value that begins with {first!r}")
    stop = at
    while stop < end and text[stop] not in ends:
        stop += 1
    stop = _plain_end(text, at, stop)
    value = text[at:stop]
    if ": " in value or value.endswith(":") or (ends and any(mark in value for mark in "[{}")):
        raise _unsupported(text, at, f"{value[:40]!r} is no tag; put it in quotes")
    return Item("" if value in NULLS else value, at, stop)


def _unquoted(match: "re.Match[str]") -> str:
    if match[1] is None:
        return match[2].replace("''", "'")
    try:
        return str(json.loads(f'"{match[1]}"', strict=False))
    except ValueError:  # an escape that YAML has and JSON lacks
        return match[1].replace('\\"', '"')


def _plain_end(text: str, start: int, end: int) -> int:
    """Return where a plain value ends: before a comment, and without the spaces around."""
    comment = re.compile(r"[ \t]#").search(text, start, end)
    stop = comment.start() if comment else end
    while stop > start and text[stop - 1] in " \t\r\n":
        stop -= 1
    return stop


def _lines(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each line after the one that ends at `at` begins and ends, without its line break."""
    while (start := text.find("\n", at, end) + 1) and start < end:
        at = _line_end(text, start, end)
        yield start, at


def _line_end(text: str, at: int, end: int) -> int:
    stop = text.find("\n", at, end)
    stop = end if stop < 0 else stop
    return stop - 1 if stop > at and text[stop - 1] == "\r" else stop


def _goes_on(text: str, line_end: int, end: int) -> bool:
    following = (text[start:stop] for start, stop in _lines(text, line_end, end))
    line = next((line for line in following if line.strip()), "")
    return line[:1] in (" ", "\t") and not line.lstrip().startswith("#")


def _ends(text: str, at: int, line_end: int) -> bool:
    """Return whether nothing but a comment stands on the rest of a line."""
    rest = text[at:line_end]
    return not rest.strip() or re.match(r"[ \t]+#", rest) is not None


def _skip_spaces(text: str, at: int, end: int) -> int:
    while at < end and text[at] in " \t":
        at += 1
    return at


def _skip_blank(text: str, at: int, end: int) -> int:
    """Return the next character of a flow list that is neither space nor comment."""
    while at < end:
        if text[at].isspace():
            at += 1
        elif text[at] == "#" and text[at - 1].isspace():
            at = _line_end(text, at, end)
        else:
            break
    return at


def _unsupported(text: str, at: int, what: str) -> UnsupportedError:
    line = text.count("\n", 0, at) + 1
    return UnsupportedError(f"line {line}: the tags are left alone: {what}")


def written(tag: str) -> str:
    """Return a tag as YAML writes it, in quotes where it needs them."""
    if PLAIN.fullmatch(tag) and not SPECIAL.fullmatch(tag):
        return tag
    return json.dumps(tag, ensure_ascii=False)
