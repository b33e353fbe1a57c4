"""Entries of BibTeX and RIS files: their texts and keywords, and where the keywords stand, so that they can be changed.

BibTeX is scanned by its braces and quotes; macros (`@string`) and comments are skipped. Everything that is not the
keywords of an entry stays as it is.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.types import Document

ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
NOT_ENTRIES = ("string", "comment", "preamble")
FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w:.-]*)\s*=\s*")
BARE = re.compile(r"[^\s,{}\"]+")
KEYWORDS = ("keywords", "keyword", "tags")
TEXTS = ("abstract", "annotation", "annote", "note")
SEPARATOR = re.compile(r"\s*[;,]\s*")
LATEX = re.compile(r"\\[a-zA-Z]+\s?|[{}]|\\(?=[&%$#_])")
RIS_LINE = re.compile(r"([A-Z][A-Z0-9])  ?- ?(.*)")
RIS_TITLES, RIS_TEXTS, RIS_IDS = ("TI", "T1"), ("AB", "N2", "N1"), ("ID", "DO", "AN")


class Keywords(NamedTuple):
    """The keywords of an entry, the places that hold them (in BibTeX the value of the field, in RIS whole lines), and
    where they would go if there is no such place."""

    tags: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    otherwise: int


class BibliographyEntry(NamedTuple):
    document: Document
    keywords: Keywords


def bibtex_entries(text: str, *, name: str) -> Iterator[BibliographyEntry]:
    """Yield the entries of a BibTeX file; raise an `InputError` where an entry does not end."""
    at = 0
    while found := ENTRY.search(text, at):
        closing = "}" if found[2] == "{" else ")"
        if found[1].lower() in NOT_ENTRIES:
            at = _balanced(text, found.end(), closing, name)
            continue
        key_end = _key_end(text, found.end())
        key = text[found.end() : key_end].strip()
        fields: dict[str, tuple[str, int, int]] = {}
        at = key_end
        while field := FIELD.match(text, at):
            start, end, at = _value(text, field.end(), closing, name)
            fields[field[1].lower()] = (text[start:end], start, end)
        at = _balanced(text, at, closing, name)
        yield _bibtex_entry(key or f"{name}:{_line(text, found.start())}", fields, min(key_end + 1, len(text)))


def _bibtex_entry(key: str, fields: dict[str, tuple[str, int, int]], after_key: int) -> BibliographyEntry:
    words = {field: " ".join(LATEX.sub("", value).split()) for field, (value, _, _) in fields.items()}
    body = "\n".join(words[field] for field in TEXTS if words.get(field))
    held = next((field for field in KEYWORDS if field in fields), None)
    keywords = Keywords((), (), after_key)
    if held:
        tags = tuple(filter(None, SEPARATOR.split(words[held])))
        keywords = Keywords(tags, (fields[held][1:],), after_key)
    return BibliographyEntry(Document(key, body, words.get("title", "")), keywords)


def _key_end(text: str, at: int) -> int:
    while at < len(text) and text[at] not in ",})\n=":
        at += 1
    return at


def _value(text: str, at: int, closing: str, name: str) -> tuple[int, int, int]:
    """Return where a value begins and ends without its braces or quotes, and where reading goes on."""
    mark = text[at : at + 1]
    if mark == "{":
        end = _balanced(text, at + 1, "}", name)
        return at + 1, end - 1, end
    if mark == '"':
        end, depth = at + 1, 0
        while end < len(text) and (text[end] != '"' or depth):
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1 + (text[end] == "\\")
        if end >= len(text):
            raise InputError(f"{name}, line {_line(text, at)}: a quote that is not closed")
        return at + 1, end, end + 1
    bare = BARE.match(text, at)
    end = bare.end() if bare else at
    while (more := re.compile(r"\s*#\s*").match(text, end)) is not None:  # jan # " 2020"
        _, _, end = _value(text, more.end(), closing, name)
    return at, end, end


def _balanced(text: str, at: int, closing: str, name: str) -> int:
    """Return where the brace that is open at `at` has been closed."""
    depth, start = 1, at
    braces = re.compile(r"\\.|[{}]" if closing == "}" else r"\\.|[()]", re.DOTALL)
    while found := braces.search(text, at):
        at = found.end()
        if found[0] in "{(":
            depth += 1
        elif found[0] in "})":
            depth -= 1
        if not depth:
            return at
    raise InputError(f"{name}, line {_line(text, start)}: an entry that is not closed")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def ris_entries(text: str, *, name: str) -> Iterator[BibliographyEntry]:
    """Yield the entries of a RIS file; each ends with a line `ER  -`."""
    fields: dict[str, list[str]] = {}
    places: list[tuple[int, int]] = []
    first = 1
    for number, (at, line) in enumerate(_located_lines(text), start=1):
        found = RIS_LINE.match(line.removeprefix("\ufeff"))
        if not found:
            continue
        code, value = found[1], found[2].strip()
        if code == "TY":
            fields, places, first = {}, [], number
        if code == "ER":
            yield _ris_entry(fields, Keywords(tuple(fields.get("KW", ())), tuple(places), at), f"{name}:{first}")
            fields, places = {}, []
            continue
        if code == "KW":
            places.append((at, at + len(line)))
        if value:
            fields.setdefault(code, []).append(value)


def _ris_entry(fields: dict[str, list[str]], keywords: Keywords, fallback: str) -> BibliographyEntry:
    def first(codes: Sequence[str]) -> str:
        return next((fields[code][0] for code in codes if code in fields), "")

    body = "\n".join(value for code in RIS_TEXTS for value in fields.get(code, []))
    return BibliographyEntry(Document(first(RIS_IDS) or fallback, body, first(RIS_TITLES)), keywords)


def _located_lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, line
        at += len(line)


def bibtex_changed(text: str, *, name: str, decide: Callable[[BibliographyEntry], Sequence[str]]) -> str:
    """Return the file with the keywords that `decide` returns for each entry."""
    pieces, at = [], 0
    end = "\r\n" if "\r\n" in text else "\n"
    for entry in bibtex_entries(text, name=name):
        held, tags = entry.keywords, list(decide(entry))
        if tags == list(held.tags):
            continue
        if any(mark in tag for tag in tags for mark in ",;{}"):
            raise InputError(f"{name}: {entry.document.id}: a keyword of BibTeX has no comma, semicolon or brace in it")
        start, stop = held.places[0] if held.places else (held.otherwise, held.otherwise)
        new = ("; " if ";" in text[start:stop] else ", ").join(tags)
        if not held.places:
            new = f"{end}  keywords = {{{new}}},"
        elif text[start - 1] not in '{"':  # a value without braces can have one word only
            new = f"{{{new}}}"
        pieces += [text[at:start], new]
        at = stop
    return "".join([*pieces, text[at:]])


def ris_changed(text: str, *, name: str, decide: Callable[[BibliographyEntry], Sequence[str]]) -> str:
    """Return the file with the keywords that `decide` returns for each entry, one `KW` line each."""
    pieces, at = [], 0
    end = "\r\n" if "\r\n" in text else "\n"
    for entry in ris_entries(text, name=name):
        held, tags = entry.keywords, list(decide(entry))
        if tags == list(held.tags):
            continue
        places = held.places or ((held.otherwise, held.otherwise),)
        new = "".join([f"KW  - {tag}{end}" for tag in tags])
        for start, stop in places:  # all keywords in the first place; other fields may stand between
            pieces += [text[at:start], new]
            at, new = stop, ""
    return "".join([*pieces, text[at:]])
