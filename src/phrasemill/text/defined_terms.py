"""Words that stand for somebody or something in one text only: the parties of a contract, and who attended a meeting.

A contract that says `Northfield Glass Ltd (the "Supplier")` goes on with `the Supplier`, and minutes that list
`Present: Malik Osei` with `Malik`. Such a word alone is no keyphrase; it may be part of one (`Supplier Code`).
"""

from collections.abc import Iterator

from phrasemill.text.patterns import compiled
from phrasemill.types import Analysis

# One of these stands in a text that defines something.
SIGNS = ('"', "\N{LEFT DOUBLE QUOTATION MARK}", "(the ", "resent:", "resent (", "ttendees:", "pologies:", "ttendance:")
ROLE = r"""(?x)
    (?:
        \([^()"“”\n]{0,60}\b(?:the|this|an?)
        | \breferred\ to\ as\ (?:an?|the)
        | \b(?:together|collectively),?\ (?:as\ )?the
    )
    \s+["“](?P<quoted>[A-Z][a-z]+),?["”]
    | \((?:hereinafter,?\ )?the\ (?P<bare>[A-Z][a-z]+)\)
    """
ATTENDANCE = (
    r"(?im)^[ \t]*(?:members?\ |also\ )?(?:present|absent|(?:in\ )?attendance|attendees|apologies)[^:\n]{0,20}:(.*)"
)
NAME = r"[A-Z][a-z]+"
NONE: frozenset[str] = frozenset()


def defined_words(analysis: Analysis) -> frozenset[str]:
    """Return the stems of words that stand for a party or for somebody who attended."""
    text = analysis.text
    for sign in SIGNS:
        if sign in text:
            break
    else:
        return NONE
    words, stems = list(analysis.words), analysis.stems
    found = set()
    for word in {one.lower() for one in _defined(text)}.intersection(words):
        number = words.index(word)
        found.add(stems[analysis.stem[analysis.word.index(number)]])
    return frozenset(found)


def _defined(text: str) -> Iterator[str]:
    for role in compiled(ROLE).finditer(text):
        yield role["quoted"] or role["bare"]
    for line in compiled(ATTENDANCE).finditer(text):
        yield from compiled(NAME).findall(line[1])
