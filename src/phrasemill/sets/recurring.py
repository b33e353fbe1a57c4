"""Boilerplate of a set: greetings, signatures, disclaimers, headings, whatever its documents repeat word by word.

What recurs is a sentence, or a line where that is shorter, in the same words, whatever their case and punctuation. It
is boilerplate where MANY of the documents have it; at either end of a document, where greetings and signatures come in
many versions, lines are boilerplate that SOME have, from the outside inwards. It then counts for nothing in these
places, and a phrase that a document has elsewhere, too, is still a phrase of it.

Documents may also repeat what they are about. So the commonest lines go first, and go only while a tenth of a document
is left: of alerts that say one of twenty things, the footer is boilerplate, and the twenty things are not. And
boilerplate is a small part of what a set says, each line counted once; else its documents are versions of one text.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from phrasemill.sets.reading import ReadDocument, without

# Chosen on made-up letters and tickets; no set of MK-DUC-01 has boilerplate by these.
FEWEST = 5  # documents
MANY, SOME = 0.1, 0.02  # shares of the documents
MOST = 0.9  # of a document
AROUND = 40  # characters in which a line breaks before and after a sentence that is a line
SMALL = 0.25  # of the words of all different sentences of the set


class Sentence(NamedTuple):
    """Tokens `first` to before `last`, the number of words among them, and what tells the same words again."""

    first: int
    last: int
    words: int
    key: int


def without_recurring(readings: Sequence[ReadDocument]) -> tuple[list[ReadDocument], list[str]]:
    """Return the readings without the boilerplate of the set, and what it says, the commonest first."""
    if len(readings) < FEWEST:
        return list(readings), []
    sentences = [list(_sentences(reading)) for reading in readings]
    counts = Counter(key for own in sentences for key in {one.key for one in own})
    some, many = (max(FEWEST, share * len(readings)) for share in (SOME, MANY))
    if max(counts.values(), default=0) < FEWEST:
        return list(readings), []
    dropped = [_boilerplate(*both, counts, some, many) for both in zip(readings, sentences, strict=True)]
    length = {one.key: one.words for own in sentences for one in own}
    said = {
        one.key: reading.content[slice(*reading.span(one.first, one.last))]
        for reading, own in zip(readings, dropped, strict=True)
        for one in own
    }
    if sum(length[key] for key in said) > SMALL * sum(length.values()):
        return list(readings), []
    left = [
        without(reading, [(one.first, one.last) for one in own]) if own else reading
        for reading, own in zip(readings, dropped, strict=True)
    ]
    return left, [said[key] for key in sorted(said, key=lambda key: -counts[key])]


def _sentences(reading: ReadDocument) -> Iterator[Sentence]:
    for first, last in reading.sentences:
        if words := reading.says(first, last):
            yield Sentence(first, last, len(words), hash(words))


def _boilerplate(
    reading: ReadDocument, sentences: list[Sentence], counts: Counter[int], some: float, many: float
) -> list[Sentence]:
    """Return what is boilerplate of one document."""

    def at_an_end(one: Sentence) -> bool:
        return counts[one.key] >= many or (counts[one.key] >= some and _is_line(reading, one))

    recurring = {one for one in sentences if counts[one.key] >= many}
    for inwards in (sentences, sentences[::-1]):
        recurring.update(takewhile(at_an_end, inwards))
    left = sum(one.words for one in sentences)
    least = (1 - MOST) * left
    dropped: list[Sentence] = []
    for count in sorted({counts[one.key] for one in recurring}, reverse=True):
        alike = [one for one in recurring if counts[one.key] == count]
        left -= sum(one.words for one in alike)
        if left < least:
            break
        dropped += alike
    return dropped


def _is_line(reading: ReadDocument, one: Sentence) -> bool:
    """Return whether a sentence is a line by itself, of several in the text."""
    start, end = reading.span(one.first, one.last)
    before = reading.content[max(0, start - AROUND) : start].rstrip(" \t")
    after = reading.content[end : end + AROUND].lstrip(" \t")
    return before[-1:] in ("", "\n") and after[:1] in ("", "\r", "\n") and bool(before or after)
