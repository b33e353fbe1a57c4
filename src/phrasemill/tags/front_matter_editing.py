"""Changes to the tags of a note, as edits of single characters: comments, quotes, order and line ends stay."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from phrasemill.tags.front_matter import (
    BLOCK,
    COMMAS,
    EMPTY,
    FLOW,
    KEYS,
    SINGLE,
    TOML,
    Entry,
    UnsupportedError,
    clean_tag,
    front_matter,
    tags_of,
    written,
)

# A line that begins at the margin: empty, a comment, the end of a list, an item, or a name with its colon.
NAME = r"""(?:"[^"]*"|'[^']*'|[^\s\[\]{}|>&*!%@`"'#~,?:-][^#:]*)"""
AT_MARGIN = re.compile(rf"(?:#.*|[\]}}][ \t]*(?:#.*)?|-(?:[ \t].*)?|{NAME}:(?:[ \t].*)?)?")
CR_ALONE = re.compile(r"[^\r\n]*\r(?!\n)")  # the first line ends with it
NOT_IN_YAML = re.compile("[^\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Edit(NamedTuple):
    """Characters to replace."""

    start: int
    end: int
    text: str


def changed_tags(tags: Iterable[str], rename: Mapping[str, Sequence[str]], add: Iterable[str]) -> list[str]:
    """Return the tags of a document after a change, each once."""
    after = [new for tag in tags for new in rename.get(tag, (tag,))]
    return list(dict.fromkeys([*after, *add]))


def changed(
    text: str, *, rename: Mapping[str, Sequence[str]], add: Iterable[str] = (), keys: Sequence[str] = KEYS
) -> str:
    """Return the file with other tags in its front matter, everything else as it was.

    `rename` has what each tag becomes: another one, several, or none; `add` are tags that follow those there are. A
    file without front matter gets one if there is anything to add.
    """
    before = tags_of(text, keys=keys)
    after = changed_tags(before, rename, add)
    if after == before:
        return text
    if CR_ALONE.match(text):
        raise UnsupportedError("line 1: the tags are left alone: lines end with CR alone; convert them to LF")
    odd = next(filter(None, map(NOT_IN_YAML.search, after)), None)
    if odd:
        what = f"the tag {odd.string!r} has U+{ord(odd[0]):04X} in it, which YAML does not allow"
        raise UnsupportedError(f"line 1: the tags are left alone: {what}")
    if TOML.match(text):
        raise UnsupportedError("line 1: the tags are left alone: TOML front matter is not changed")
    matter = front_matter(text, keys=keys)
    if matter is not None and not _is_mapping(text[matter.start : matter.end]):
        raise UnsupportedError("line 2: the tags are left alone: the front matter is no list of names and values")
    if matter is None:
        edits = [_new_block(text, after, keys[0])]
    elif matter.entry is None:
        line = f"{keys[0]}: {_flow_list(after)}{_line_break(text)}"
        edits = [Edit(matter.end, matter.end, line)]
    else:
        edits = _entry_edits(text, matter.entry, after, rename)
    found = _applied(text, edits)
    if tags_of(found, keys=keys) != after:  # never write what reads otherwise than it was meant
        raise UnsupportedError("line 1: the tags are left alone: their form cannot hold the new ones")
    return found


def _is_mapping(block: str) -> bool:
    """Return whether front matter looks like names with values, so that another one may follow."""
    lines = [line.rstrip("\r") for line in block.split("\n")]
    at_margin = [line for line in lines if line[:1] not in (" ", "\t")]
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "name:")
    return first[0] not in " \t-" and all(AT_MARGIN.fullmatch(line) for line in at_margin)


def _entry_edits(text: str, entry: Entry, after: Sequence[str], rename: Mapping[str, Sequence[str]]) -> list[Edit]:
    if entry.form == EMPTY:
        return [_filled(text, entry, after)]
    in_commas = entry.form == COMMAS
    plain = all("," not in tag and written(tag) == tag for tag in after)
    if entry.form == SINGLE and len(after) == 1 and plain:
        return [Edit(entry.start, entry.end, after[0])]
    if entry.form not in (BLOCK, FLOW) and not (in_commas and plain):
        return [Edit(entry.start, entry.end, _flow_list(after))]
    becomes: list[list[str]] = []
    seen: set[str] = set()
    for item in entry.items:
        tag = clean_tag(item.tag)
        becomes.append([one for one in rename.get(tag, (tag,)) if one and one not in seen])
        seen.update(becomes[-1])
    missing = [tag for tag in after if tag not in seen]
    if not entry.items:
        return [Edit(entry.start + 1, entry.start + 1, ", ".join(map(written, missing)))]
    if not becomes[-1]:  # what is added takes the place of the last one
        becomes[-1], missing = missing, []
    last = max((number for number, new in enumerate(becomes) if new), default=-1)
    edits = [_added(text, entry, missing)] if missing else []
    for number, (item, new) in enumerate(zip(entry.items, becomes, strict=True)):
        if not new:
            edits.append(_without(text, entry, number, is_last=number > last))
        elif new != [clean_tag(item.tag)]:
            edits.append(Edit(item.start, item.end, _joined(text, entry, number, new)))
    return edits


def _joined(text: str, entry: Entry, number: int, tags: Sequence[str]) -> str:
    if entry.form == COMMAS:
        return ", ".join(tags)
    if entry.form == FLOW:
        return ", ".join(map(written, tags))
    return (_line_break(text, entry.items[number].start) + _dash(text, entry, number)).join(map(written, tags))


def _added(text: str, entry: Entry, tags: Sequence[str]) -> Edit:
    """Return the edit that puts tags after the last one."""
    last = entry.items[-1]
    if entry.form == COMMAS:
        return Edit(last.end, last.end, "".join(f", {tag}" for tag in tags))
    if entry.form == FLOW:
        return Edit(last.end, last.end, "".join(f", {written(tag)}" for tag in tags))
    begin = _line_break(text, last.start) + _dash(text, entry, len(entry.items) - 1)
    return Edit(entry.end, entry.end, "".join(begin + written(tag) for tag in tags))


def _without(text: str, entry: Entry, number: int, *, is_last: bool) -> Edit:
    """Return the edit that removes an item: its line, or itself and a comma."""
    item = entry.items[number]
    if entry.form == BLOCK:
        start = text.rfind("\n", 0, item.start) + 1
        stop = text.find("\n", item.end)
        return Edit(start, len(text) if stop < 0 else stop + 1, "")
    if not is_last:
        return Edit(item.start, entry.items[number + 1].start, "")
    before = entry.items[number - 1].end if number else entry.start + (entry.form == FLOW)
    return Edit(before, item.end, "")


def _dash(text: str, entry: Entry, number: int) -> str:
    """Return what stands before an item of a block list on its line."""
    start = entry.items[number].start
    return text[text.rfind("\n", 0, start) + 1 : start]


def _filled(text: str, entry: Entry, tags: Sequence[str]) -> Edit:
    """Return the edit that gives tags to an entry without any."""
    start = entry.start
    if text[start - 1 : start] == ":" and entry.end >= start:  # nothing but a comment or an empty list follows
        return Edit(start, start, f" {_flow_list(tags)}")
    return Edit(start, entry.end, _flow_list(tags))


def _flow_list(tags: Sequence[str]) -> str:
    return f"[{', '.join(map(written, tags))}]"


def _new_block(text: str, tags: Sequence[str], key: str) -> Edit:
    mark, end = text.startswith("\ufeff"), _line_break(text)
    gap = "" if text[mark:].startswith(("\r", "\n")) or not text[mark:] else end
    return Edit(int(mark), int(mark), f"---{end}{key}: {_flow_list(tags)}{end}---{end}{gap}")


def _line_break(text: str, start: int = 0) -> str:
    """Return how the line at `start` ends."""
    at = text.find("\n", start)
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _applied(text: str, edits: Iterable[Edit]) -> str:
    pieces, at = [], 0
    for edit in sorted(edits):
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:]])
