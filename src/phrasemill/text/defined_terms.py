"""Words that stand for somebody or something in one text only: the parties of a contract, and who attended a meeting.

A contract that says `Northfield Glass Ltd (the "Supplier")` goes on with `the Supplier`, and minutes that list
`Present: Malik Osei` with `Malik`. Such a word alone is no keyphrase; it may be part of one (`Supplier Code`).
"""

import re
from collections.abc import Iterator

from phrasemill.kernels import signs
from phrasemill.text.patterns import compiled
from phrasemill.types import Analysis

# What a text that defines a party has, and what minutes have.
QUOTES = ('"', "\N{LEFT DOUBLE QUOTATION MARK}")
BRACKETS = ("(the ", "(hereinafter ")
ATTENDANCE_SIGNS = ("resent:", "resent (", "ttendees", "pologies", "ttendance")
_PACKED = signs.packed((*QUOTES, *BRACKETS, *ATTENDANCE_SIGNS))
QUOTED = r'["“]([A-Z][a-z]+),?["”]'
BRACKETED = r"\((?:hereinafter,? )?the ([A-Z][a-z]+)\)"
ARTICLES = ("the ", "this ", " a ", " an ")
BEFORE = 60  # characters in which a bracket opens, or the text says that a name follows
FOLLOWS = ("referred to as ", "together ", "together, ", "together as ", "collectively ", "collectively, ")
ATTENDANCE = (
    r"(?im)^[ \t]*(?:members?\ |also\ )?(?:present|absent|(?:in\ )?attendance|attendees|apologies)[^:\n]{0,20}:(.*)"
)
NAME = r"[A-Z][a-z]+"
NONE: frozenset[str] = frozenset()


def defined_words(analysis: Analysis) -> frozenset[str]:
    """Return the stems of words that stand for a party or for somebody who attended."""
    named = {one.lower() for one in _defined(analysis.text)}
    if not named:
        return NONE
    words, stems = list(analysis.words), analysis.stems
    found = set()
    for word in named.intersection(words):
        number = words.index(word)
        found.add(stems[analysis.stem[analysis.word.index(number)]])
    return frozenset(found)


def _defined(text: str) -> Iterator[str]:
    found = signs.occurring(text, *_PACKED)
    if any(found[: len(QUOTES)]):
        yield from _quoted(text)
    if any(found[len(QUOTES) : -len(ATTENDANCE_SIGNS)]):
        yield from compiled(BRACKETED).findall(text)
    if any(found[-len(ATTENDANCE_SIGNS) :]):
        for line in compiled(ATTENDANCE).finditer(text):
            yield from compiled(NAME).findall(line[1])


def _quoted(text: str) -> Iterator[str]:
    for role in _quotations(text):
        before = text[max(role.start() - BEFORE, 0) : role.start()]
        if before.endswith(ARTICLES):
            named = before.rstrip().rpartition(" ")[0] + " "
            if before.rfind("(") > before.rfind(")") or named.endswith(FOLLOWS):
                yield role[1]


def _quotations(text: str) -> "Iterator[re.Match[str]]":
    """Yield single words in quotes, as QUOTED finds them one after the other; a search for a letter is faster."""
    quoted, done = compiled(QUOTED).match, 0
    for at in sorted([at for quote in QUOTES for at in _places(text, quote)]):
        if at >= done and (found := quoted(text, at)):
            done = found.end()
            yield found


def _places(text: str, letter: str) -> Iterator[int]:
    at = text.find(letter)
    while at >= 0:
        yield at
        at = text.find(letter, at + 1)
