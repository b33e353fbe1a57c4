"""Entries of BibTeX and RIS files: their texts and keywords.

BibTeX is scanned by its braces and quotes; comments are skipped, and macros (`@string`) are replaced by what they stand
for. The files are read, never written.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from phrasemill.errors import InputError
from phrasemill.types import Document

ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
NOT_ENTRIES = ("comment", "preamble")
FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w:.-]*)\s*=\s*")
BARE = re.compile(r"[^\s,{}()\"#]+")
JOINT = re.compile(r"\s*#\s*")
KEYWORDS = ("keywords", "keyword", "tags")
TEXTS = ("abstract", "annotation", "annote", "note")
SEPARATOR = re.compile(r"\s*[;,]\s*")
# LaTeX: an accent with its letter, a letter that has a name, any other command, and what is only there to group.
ACCENT = re.compile(r"\\(?:([`'^\"~=.])\s*|([Hcdkruv])(?:\s+|(?=\{)))(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))")
ACCENTS = dict(
    zip(
        "`'^\"~=.Hcdkruv",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u030b\u0327\u0323\u0328\u030a\u0306\u030c",
        strict=True,
    )
)
LETTER = re.compile(r"\\(ss|AE|ae|OE|oe|AA|aa|O|o|L|l|i|j)(?:\{\}|\s+|(?![A-Za-z]))")
LETTERS = dict(zip("ss AE ae OE oe AA aa O o L l i j".split(), "ß Æ æ Œ œ Å å Ø ø Ł ł i j".split(), strict=True))
MATHS = re.compile(r"(?<!\\)\$([^$]*)\$")  # of which the names of letters are kept, as in $\alpha$-decay
LATEX = re.compile(r"\\[a-zA-Z]+\s?|[{}]|\\(?=[&%$#_])")
LINE_BREAK = re.compile(r"\r\n?|\n")
RIS_LINE = re.compile(r"([A-Z][A-Z0-9])  ?- ?(.*)", re.DOTALL)
RIS_TITLES, RIS_TEXTS, RIS_IDS = ("TI", "T1"), ("AB", "N2", "N1"), ("ID", "DO", "AN")


class BibliographyEntry(NamedTuple):
    document: Document
    tags: tuple[str, ...]


def bibtex_entries(text: str, *, name: str) -> Iterator[BibliographyEntry]:
    """Yield the entries of a BibTeX file; raise an `InputError` where an entry does not end."""
    at = 0
    macros: dict[str, str] = {}
    while found := ENTRY.search(text, at):
        kind, closing = found[1].lower(), "}" if found[2] == "{" else ")"
        at = found.end()
        if kind in NOT_ENTRIES:
            at = _balanced(text, at, closing, name)
            continue
        key = ""
        if kind != "string":
            key_end = _key_end(text, at)
            if text[key_end : key_end + 1] != "=":  # an entry without a key begins with a field
                key, at = text[at:key_end].strip(), key_end
        fields: dict[str, str] = {}
        while field := FIELD.match(text, at):
            fields[field[1].lower()], at = _value(text, field.end(), macros, name)
        at = _balanced(text, at, closing, name)
        if kind == "string":
            macros |= fields
        else:
            yield _bibtex_entry(key or f"{name}:{_line(text, found.start())}", fields)


def _bibtex_entry(key: str, fields: Mapping[str, str]) -> BibliographyEntry:
    words = {field: _without_latex(value) for field, value in fields.items()}
    body = "\n".join(words[field] for field in TEXTS if words.get(field))
    held = next((words[field] for field in KEYWORDS if field in words), "")
    return BibliographyEntry(Document(key, body, words.get("title", "")), tuple(filter(None, SEPARATOR.split(held))))


def _without_latex(value: str) -> str:
    value = MATHS.sub(lambda one: one[1].replace("\\", ""), value)
    value = ACCENT.sub(lambda one: (one[3] or one[4]) + ACCENTS[one[1] or one[2]], value)
    value = LETTER.sub(lambda one: LETTERS[one[1]], value)
    return " ".join(unicodedata.normalize("NFC", LATEX.sub("", value)).split())


def _key_end(text: str, at: int) -> int:
    while at < len(text) and text[at] not in ",})\n=":
        at += 1
    return at


def _value(text: str, at: int, macros: Mapping[str, str], name: str) -> tuple[str, int]:
    """Return a value, of which `#` joins the parts, and where reading goes on."""
    parts: list[str] = []
    while True:
        mark = text[at : at + 1]
        if mark == "{":
            end = _balanced(text, at + 1, "}", name)
            parts.append(text[at + 1 : end - 1])
        elif mark == '"':
            end = _quoted(text, at, name)
            parts.append(text[at + 1 : end - 1])
        else:
            bare = BARE.match(text, at)
            word, end = (bare[0], bare.end()) if bare else ("", at)
            parts.append(macros.get(word.lower(), word))
        more = JOINT.match(text, end)
        if not more:
            return "".join(parts), end
        at = more.end()


def _quoted(text: str, at: int, name: str) -> int:
    """Return where the quote that opens at `at` has been closed; quotes within braces are part of it."""
    end, depth = at + 1, 0
    while end < len(text) and (text[end] != '"' or depth):
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1 + (text[end] == "\\")
    if end >= len(text):
        raise InputError(f"{name}, line {_line(text, at)}: a quote that is not closed")
    return end + 1


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
    """Yield the entries of a RIS file; each ends with a line `ER  -`, or where the next begins."""
    fields: dict[str, list[str]] = {}
    first, code = 1, ""
    for number, line in enumerate(LINE_BREAK.split(text), start=1):
        found = RIS_LINE.match(line)
        if not found:
            if line.strip() and fields.get(code):  # a value goes on
                fields[code][-1] += f" {line.strip()}"
            continue
        value = found[2].strip()
        code = found[1] if value else ""
        if found[1] in ("TY", "ER"):
            if fields:
                yield _ris_entry(fields, f"{name}:{first}")
            fields, first, code = {}, number, ""
        elif value:
            fields.setdefault(code, []).append(value)
    if fields:
        yield _ris_entry(fields, f"{name}:{first}")


def _ris_entry(fields: Mapping[str, Sequence[str]], fallback: str) -> BibliographyEntry:
    def first(codes: Sequence[str]) -> str:
        return next((fields[code][0] for code in codes if code in fields), "")

    body = "\n".join(value for code in RIS_TEXTS for value in fields.get(code, []))
    return BibliographyEntry(Document(first(RIS_IDS) or fallback, body, first(RIS_TITLES)), tuple(fields.get("KW", ())))
