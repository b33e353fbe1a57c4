"""Boilerplate of pages: headers, footers and page numbers that repeat from page to page.

Where form feeds part the pages, lines are peeled off the top and the bottom of each page as long as they recur on
three pages or more. Where nothing marks the pages, a line is boilerplate if it recurs at regular distances over most of
the text *and* counts the pages, or stands next to a line that does, or falls into the middle of sentences. Digits are
masked, so that `Page 3 of 12` is the same line on each page. Sentences of running text stay, however often they recur.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise
from statistics import median_low
from typing import NamedTuple

from phrasemill.types import Span

FEWEST = 3  # repetitions that make a line boilerplate
LONGEST = 160  # characters; no header is longer
# Where form feeds do not mark the pages: lines between two occurrences, and the share of the text they span.
SHORTEST_PAGE = 15
SPANNED = 0.5
MOST_ROUNDS = 12  # lines peeled off either end of a page

DIGITS = re.compile(r"\d+")
NOTICE = re.compile(r"©|\(c\)|copyright|reserved|download|licen[cs]e|https?:|www\.|doi|arxiv|vol\.|preprint", re.I)
TITLE = re.compile(r"[A-Z\d].*[^\W\d_]{3}")  # begins like one, and has a word in it
PAGE = re.compile(r"p(?:age|\.)? ?\d")
SENTENCE_END = re.compile(r"[.!?…:;]['\"”’)\]]*$")


class Line(NamedTuple):
    start: int
    end: int  # past the line break
    text: str  # without space around it
    page: int  # where form feeds mark pages, the page's number; else the line's

    @property
    def mask(self) -> str:
        return DIGITS.sub("#", " ".join(self.text.split())).casefold()

    @property
    def number(self) -> int | None:
        found = DIGITS.search(self.text)
        return int(found[0]) if found and len(found[0]) < 10 else None


def boilerplate(text: str) -> list[Span]:
    """Return the lines to drop, with their line breaks, in order."""
    pages = text.count("\f") + 1
    lines = _peeled(_paged_lines(text)) if pages >= FEWEST else _recurring(_lines(text))
    return sorted(Span(line.start, line.end) for line in lines)


def _lines(text: str, offset: int = 0, page: int | None = None) -> list[Line]:
    """Return the lines of `text` that have something in them."""
    lines, at = [], offset
    for i, line in enumerate(text.split("\n")):
        end = at + len(line) + 1
        if line and not line.isspace():
            lines.append(Line(at, min(end, offset + len(text)), line.strip(), i if page is None else page))
        at = end
    return lines


def _paged_lines(text: str) -> list[list[Line]]:
    pages, at = [], 0
    for number, page in enumerate(text.split("\f")):
        pages.append(_lines(page, at, number))
        at += len(page) + 1
    return pages


def _peeled(pages: list[list[Line]]) -> list[Line]:
    """Return what repeats at the top and at the bottom of pages, from the outside inwards."""
    dropped: list[Line] = []
    remaining = [page for page in pages if page]
    for edge in (0, -1):
        for _ in range(MOST_ROUNDS):
            peeled = set(_repeated(page[edge] for page in remaining))
            if not peeled:
                break
            dropped += peeled
            for page in remaining:
                if page[edge] in peeled:
                    page.pop(edge)
            remaining = [page for page in remaining if page]
    return dropped


def _repeated(lines: Iterable[Line]) -> list[Line]:
    """Return those of the outermost lines of pages that occur often enough to be boilerplate."""
    found: list[Line] = []
    for mask, group in _by_mask(lines).items():
        found += group if any(map(str.isalpha, mask)) else _counting(group)
    return found


def _by_mask(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Return the lines that are the same but for digits, where there are at least FEWEST of them."""
    groups: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if len(line.text) <= LONGEST and not _is_running_text(line.text):
            groups[line.mask].append(line)
    return {mask: group for mask, group in groups.items() if len(group) >= FEWEST}


def _counting(group: list[Line]) -> list[Line]:
    """Return the lines of `group` whose number goes up with the page: page numbers, not figures of a table."""
    offsets = [None if line.number is None else line.number - line.page for line in group]
    (offset, votes), *_ = Counter(offsets).most_common(1)
    if offset is None or votes < FEWEST:
        return []
    return [line for line, own in zip(group, offsets, strict=True) if own == offset]


def _recurring(lines: list[Line]) -> list[Line]:
    """Return the boilerplate of pages that nothing marks."""
    position = {line.start: i for i, line in enumerate(lines)}
    counters: list[Line] = []
    others: list[list[Line]] = []
    for group in _by_mask(lines).values():
        if not _is_regular(group, lines[-1].page):
            continue
        if _counts_pages(group):
            counters += group
        else:
            others.append(group)
    known = {position[line.start] for line in counters}
    for group in others:
        places = [position[line.start] for line in group]
        beside = sum(1 for place in places if known & {place - 2, place - 1, place + 1, place + 2})
        cutting = sum(1 for place in places if _interrupts(lines, place))
        if 2 * beside >= len(group) or (2 * cutting > len(group) and TITLE.match(group[0].text)):
            counters += group
    return counters


def _is_regular(group: list[Line], last: int) -> bool:
    """Return whether the lines are one page apart, by a margin of a quarter, over most of the text."""
    gaps = [after.page - before.page for before, after in pairwise(group)]
    usual = median_low(gaps)
    if group[-1].page - group[0].page + usual < SPANNED * last:
        return False
    return usual >= SHORTEST_PAGE and all(0.75 * usual <= gap <= 1.25 * usual for gap in gaps)


def _counts_pages(group: list[Line]) -> bool:
    """Return whether the first number of the lines goes up by one, or by two on every other page."""
    numbers = [line.number for line in group]
    steps = {None if a is None or b is None else b - a for a, b in pairwise(numbers)}
    return steps in ({1}, {2})


def _interrupts(lines: list[Line], place: int) -> bool:
    """Return whether the line at `place` cuts a sentence in two."""
    if not 0 < place < len(lines) - 1:
        return False
    return not SENTENCE_END.search(lines[place - 1].text) and lines[place + 1].text[0].islower()


def _is_running_text(line: str) -> bool:
    """Return whether a line is a sentence, or from the middle of one, rather than a header."""
    if NOTICE.search(line):
        return False
    words = line.split()
    ends = SENTENCE_END.search(line) is not None
    return len(words) > 3 and (ends or (line[0].islower() and not PAGE.match(line)))
