"""The tags in a note's front matter: read them, and change them in place.

PyYAML says where the value of `tags` and each of its items stand, and only these characters change. The result is
parsed again before anybody sees it: its tags must be the wanted ones, and every other entry what it was. What cannot
be changed so is left alone, and an `UnsupportedError` names the line. TOML between `+++` is read, but never written.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from phrasemill.errors import InputError

KEYS = ("tags", "tag")
LONGEST = 200_000  # characters of front matter; PyYAML takes seconds for as many
OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
TOML = re.compile(r"\ufeff?\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*\r?$", re.MULTILINE | re.DOTALL)
CR_ALONE = re.compile(r"[^\r\n]*\r(?!\n)")  # the first line ends with it
NULL = "tag:yaml.org,2002:null"
ONLY_YAML_1_2 = re.compile(r"0[ox][\da-f]+|[-+]?[\d.]+e[-+]?\d+|y|n", re.IGNORECASE)  # PyYAML takes them for strings


class UnsupportedError(InputError):
    """Front matter in a form that is not changed, such as an alias."""


class _Item(NamedTuple):
    """A tag, and the characters of the file that write it, with its quotes."""

    tag: str
    start: int
    end: int


class _Entry(NamedTuple):
    """The value of `tags`: the characters that it covers, its form, and its items."""

    start: int
    end: int
    form: str  # block, flow or scalar
    items: list[_Item]


Edit = tuple[int, int, str]  # characters to replace, and by what
Others = list[tuple[Any, Any]]  # the nodes of all entries but the tags


def clean_tag(text: str) -> str:
    """Return a tag without the hash and the spaces around it."""
    return " ".join(text.split()).removeprefix("#").strip()


def tags_of(text: str, *, keys: Sequence[str] = KEYS) -> list[str]:
    """Return the tags in the front matter of a file, each once."""
    toml, bounds = TOML.match(text), _bounds(text)
    found: Sequence[str] = ()
    if toml:
        found = _toml_tags(toml[1], keys)
    elif bounds and re.search(rf"^\W*(?:{'|'.join(map(re.escape, keys))})\W*:", text[slice(*bounds)], re.M | re.I):
        entry, _ = _parsed(text, bounds, keys)
        found = [item.tag for item in entry.items] if entry else ()
    return list(dict.fromkeys(filter(None, map(clean_tag, found))))


def body_start(text: str) -> int:
    """Return where the text after the front matter begins."""
    toml, bounds = TOML.match(text), _bounds(text)
    if toml:
        return toml.end()
    if bounds is None:
        return 0
    line = text.find("\n", bounds[1])
    return len(text) if line < 0 else line + 1


def changed(
    text: str, *, rename: Mapping[str, Sequence[str]], add: Iterable[str] = (), keys: Sequence[str] = KEYS
) -> str:
    """Return the file with other tags in its front matter, everything else as it was.

    `rename` has what each tag becomes: another one, several, or none; `add` are tags that follow those there are. A
    file without front matter gets one if there is anything to add.
    """
    before = tags_of(text, keys=keys)
    after = list(dict.fromkeys([*(new for tag in before for new in rename.get(tag, (tag,))), *add]))
    if after == before:
        return text
    bounds = _bounds(text)
    if CR_ALONE.match(text):
        raise _unsupported(text, 0, "lines end with CR alone; convert them to LF")
    if TOML.match(text):
        raise _unsupported(text, 0, "TOML front matter is not changed")
    if bounds is None and OPENING.match(text):
        raise _unsupported(text, 0, "the front matter is not closed")
    entry, others = _parsed(text, bounds, keys) if bounds else (None, [])
    if bounds is None:
        edits = [_new_block(text, after, keys[0])]
    elif entry is None:
        edits = [(bounds[1], bounds[1], f"{keys[0]}: {_flow_list(after)}{_line_break(text, 0)}")]
    elif entry.form == "scalar":
        edits = [_scalar_edit(text, entry, after)]
    else:
        edits = _list_edits(text, entry, rename, after)
    pieces, at = [], 0
    for start, end, new in sorted(edits):
        pieces += [text[at:start], new]
        at = end
    found = "".join([*pieces, text[at:]])
    try:
        _, kept = _parsed(found, _bounds(found) or (0, 0), keys)
        is_meant = tags_of(found, keys=keys) == after and _serialized(kept) == _serialized(others)
    except UnsupportedError:
        is_meant = False
    if not is_meant:  # never write what reads otherwise than it was meant
        raise _unsupported(text, 0, f"their form cannot hold {', '.join(map(repr, after))}")
    return found


def written(tag: str) -> str:
    """Return a tag as YAML writes it, in quotes where it needs them."""
    if ONLY_YAML_1_2.fullmatch(tag):
        return json.dumps(tag)
    line: str = yaml.safe_dump([tag], default_flow_style=True, allow_unicode=True, width=math.inf)
    return line.strip()[1:-1]


def _bounds(text: str) -> tuple[int, int] | None:
    """Return where the front matter begins and ends, without its `---` lines."""
    opening = OPENING.match(text)
    closing = CLOSING.search(text, opening.end()) if opening else None
    return (opening.end(), closing.start()) if opening and closing else None


def _toml_tags(block: str, keys: Sequence[str]) -> list[str]:
    import tomllib

    try:
        table = tomllib.loads(block.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError:
        return []
    taxonomies = table.get("taxonomies")
    for place in (table, taxonomies if isinstance(taxonomies, dict) else {}):
        for value in (place[key] for key in keys if key in place):
            if isinstance(value, str):
                return value.split(",")
            if isinstance(value, list):
                return [str(one) for one in value if isinstance(one, str | int)]
    return []


def _parsed(text: str, bounds: tuple[int, int], keys: Sequence[str]) -> tuple[_Entry | None, Others]:
    """Parse front matter; raise an `UnsupportedError` where it is not YAML, or its tags are no list of names."""
    start, end = bounds
    if end - start > LONGEST:
        raise _unsupported(text, start, f"front matter of more than {LONGEST:,} characters")
    try:
        root = yaml.compose(text[start:end], Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "lists too deep within each other"
        raise _unsupported(text, min(start + mark.index, end - 1) if mark else start, f"not YAML: {what}") from None
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise _unsupported(text, start, "the front matter is no list of names and values")
    entry, others = None, []
    for key, value in root.value if root is not None else ():
        if not isinstance(key, yaml.ScalarNode) or key.value.casefold() not in map(str.casefold, keys):
            others.append((key, value))
        elif entry is not None:
            raise _unsupported(text, start + key.start_mark.index, "the tags are there twice")
        else:
            entry = _entry(text, value, start, start + key.end_mark.index)
    return entry, others


def _entry(text: str, node: Any, offset: int, after: int) -> _Entry:
    """Read the value of `tags`, which stands after `after` unless it is an alias."""
    start, end = offset + node.start_mark.index, offset + node.end_mark.index
    if start < after:
        raise _unsupported(text, after, "a value that begins with '*'")
    if isinstance(node, yaml.SequenceNode):
        items = [_item(text, one, offset, start) for one in node.value]
        return _Entry(start, end, "flow" if node.flow_style else "block", items)
    item = _item(text, node, offset, start)
    words = item.tag.split(",") if "," in item.tag else [item.tag]
    if len(item.tag.split()) > 1 and all(word.startswith("#") for word in item.tag.split()):
        words = item.tag.split()  # as in `tags: "#one #two"`
    return _Entry(start, end, "scalar", [_Item(word, start, end) for word in words])


def _item(text: str, node: Any, offset: int, least: int) -> _Item:
    start, end = offset + node.start_mark.index, offset + node.end_mark.index
    if not isinstance(node, yaml.ScalarNode) or start < least:
        raise _unsupported(text, max(start, least), "neither a list of names nor a name")
    if "\n" in text[start:end]:
        raise _unsupported(text, start, "a value of several lines")
    if start == end and text[start - 1 : start + 1] == "- ":  # an empty one is a place for a tag
        start = end = start + 1
    return _Item("" if node.tag == NULL else node.value, start, end)


def _unsupported(text: str, at: int, what: str) -> UnsupportedError:
    line = text.count("\n", 0, at) + 1
    return UnsupportedError(f"line {line}: the tags are left alone: {what}")


def _serialized(others: Others) -> list[str]:
    return [yaml.serialize(node, Dumper=yaml.SafeDumper) for pair in others for node in pair]


def _scalar_edit(text: str, entry: _Entry, after: Sequence[str]) -> Edit:
    plain = all(written(tag) == tag and "," not in tag for tag in after)
    value = _flow_list(after)
    if plain and len(entry.items) > 1 and text[entry.start] not in "\"'":  # a, b
        value = ", ".join(after)
    elif plain and len(after) == 1 and entry.items[0].tag:
        value = after[0]
    return (entry.start, entry.end, value if entry.end > entry.start else f" {value}")


def _list_edits(text: str, entry: _Entry, rename: Mapping[str, Sequence[str]], after: Sequence[str]) -> list[Edit]:
    """Return the edits of single items; a line or a comma goes with an item that goes."""
    is_block, seen = entry.form == "block", set[str]()
    becomes: list[list[str]] = []
    for item in entry.items:
        tag = clean_tag(item.tag)
        becomes.append([one for one in rename.get(tag, (tag,)) if one and one not in seen])
        seen.update(becomes[-1])
    missing = [tag for tag in after if tag not in seen]
    if not is_block and not any(becomes):
        return [(entry.start, entry.end, _flow_list(missing))]
    if not becomes[-1]:  # what is added takes the place of the last one
        becomes[-1], missing = missing, []
    last = max((number for number, new in enumerate(becomes) if new), default=-1)
    becomes[last] += missing
    edits = []
    for number, (item, new) in enumerate(zip(entry.items, becomes, strict=True)):
        line = text.rfind("\n", 0, item.start) + 1
        if not new and is_block:
            following = text.find("\n", item.end)
            edits.append((line, len(text) if following < 0 else following + 1, ""))
        elif not new and number < last:
            edits.append((item.start, entry.items[number + 1].start, ""))
        elif not new:
            edits.append((entry.items[number - 1].end, item.end, ""))
        else:
            if new[0] != clean_tag(item.tag):
                edits.append((item.start, item.end, written(new[0])))
            between = _line_break(text, item.start) + text[line : item.start] if is_block else ", "
            at = _line_end(text, item.end) if is_block else item.end
            edits.append((at, at, "".join(between + written(tag) for tag in new[1:])))
    return edits


def _flow_list(tags: Sequence[str]) -> str:
    return f"[{', '.join(map(written, tags))}]"


def _new_block(text: str, tags: Sequence[str], key: str) -> Edit:
    mark, end = text.startswith("\ufeff"), _line_break(text, 0)
    gap = "" if text[mark:].startswith(("\r", "\n")) or not text[mark:] else end
    return (int(mark), int(mark), f"---{end}{key}: {_flow_list(tags)}{end}---{end}{gap}")


def _line_break(text: str, start: int) -> str:
    """Return how the line at `start` ends."""
    return "\r\n" if text[_line_end(text, start) :].startswith("\r") else "\n"


def _line_end(text: str, at: int) -> int:
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    return stop - 1 if stop > at and text[stop - 1] == "\r" else stop
