"""Paragraphs of a PDF: lines joined as their author wrote them, across columns and pages, notes after them.

A line ends a paragraph where the first word of the next line would have fitted on it, where the next one is indented or
begins an item of a list, or where the size changes. What stands in the middle of a sentence without being part of it, a
footnote or a figure at the end of a page, comes after the paragraph.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from phrasemill.readers.pdf_layout import Block, same_size
from phrasemill.readers.pdf_lines import PdfLine

LARGER, SMALLER = 1.13, 0.93  # than the body: headings, notes
INDENT, DEEPEST_INDENT = 0.6, 5.0  # of a first line, in heights
SKIP = 1.3  # the usual distances of lines between two paragraphs
SPACE = 0.4  # the width of a space, in heights
ALIGNED = 2.0  # points by which the left ends of lines of a column differ
OPENING = '([“"‘'
LONGEST_HEADING = 80  # characters
FARTHEST = 60  # blocks between two parts of a sentence: a figure may have many
SENTENCE_END = re.compile(r"[.!?:;…。！？]['\"”’)\]»]*\d{0,3}\s*$")
BULLET = re.compile(r"[•●○◦▪■♦‣➡➢✓*–—-]\s")
ITEM = re.compile(r"(?:[•●○◦▪■♦‣➡➢✓*–—-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s")
HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+[^\W\d_]|(?:abstract|references|keywords)\b", re.I
)
NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶∗]+|\([a-z\d]\))\s*\S")
CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)|Table|Tab\.|Algorithm|Listing|Scheme|Plate|Abbildung|Tabelle|Tableau)\s*\.?\s*[\dIVX]"
)
CONTENTS_HEAD = re.compile(
    r"(?i)(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|[ií]ndice|sumário|inhoud"
)
SHORTEST_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u9fff]")
CONTENTS = re.compile(r"\s*(?:\.\s?){4,}\s*[\divxlc]*\s*$|\s*[_…·]{4,}\s*[\divxlc]*\s*$", re.I)


@dataclass(slots=True, eq=False)
class Paragraph:
    """The lines of one paragraph."""

    lines: list[PdfLine]
    size: float
    whole: bool = True  # whether its last line ends a sentence
    full: bool = False  # whether its last line reaches the margin

    @property
    def head(self) -> str:
        return self.lines[0].text


def paragraphs(block: Block, margin: float) -> Iterator[Paragraph]:
    """Yield the paragraphs of a block; `margin` is where the lines of its column end."""
    box, lines = block.box, block.lines
    steps = [before.box.bottom - line.box.bottom for before, line in pairwise(lines)]
    usual = median(steps) if steps else 0.0
    current = [lines[0]]
    for before, line, step in zip(lines, lines[1:], steps, strict=False):
        if _ends(before, line, margin, box.left) or step > SKIP * usual:
            yield Paragraph(current, block.size)
            current = []
        current.append(line)
    last = current[-1]
    full = margin - last.box.right < 0.15 * (margin - box.left)
    yield Paragraph(current, block.size, bool(SENTENCE_END.search(last.text)), full)


def _ends(before: PdfLine, line: PdfLine, right: float, left: float) -> bool:
    """Return whether a paragraph ends between two lines of a block."""
    if CONTENTS.search(before.text) or before.apart or BULLET.match(line.text):
        return True
    ended = SENTENCE_END.search(before.text) is not None
    if line.text[:1].islower() and not ended:
        return False
    if ITEM.match(line.text) and ended:
        return True
    if (
        HEADING.match(before.text)
        and len(before.text) < LONGEST_HEADING
        and right - before.box.right > 0.25 * (right - left)
    ):
        return True
    room = right - before.box.right
    if room > line.first_word + SPACE * line.size:
        return True
    indent = line.box.left - max(left, 0)
    indented = INDENT * line.size < indent < DEEPEST_INDENT * line.size and before.box.left - left < INDENT * line.size
    hanging = ITEM.match(before.text) is not None  # lines after the first one of an item are indented
    return indented and not hanging and (ended or line.text[:1].isupper())


def flowing(blocks: Sequence[Block], body: float) -> list[Paragraph]:
    """Return the paragraphs of all blocks, joined where one goes on in another block, column or page."""
    margins = _margins(blocks)
    parts = [list(paragraphs(block, margin)) for block, margin in zip(blocks, margins, strict=True)]
    taken: set[int] = set()
    found: list[Paragraph] = []
    for at, part in enumerate(parts):
        if at in taken:
            continue
        found += part
        behind: list[int] = []
        here = at
        while (following := _continuation(found[-1], parts, here, taken, body)) is not None:
            behind += [i for i in range(here + 1, following) if i not in taken]
            taken |= {*behind, following}
            first, *rest = parts[following]
            found[-1].lines += first.lines
            found[-1].whole, found[-1].full = first.whole, first.full
            here = following
            if rest:
                found += _aside(behind, parts)
                behind = []
                found += rest
        found += _aside(behind, parts)
    return found


def _margins(blocks: Sequence[Block]) -> list[float]:
    """Return for each block where lines that begin as far left as it does, on the same page, end at most."""
    edges: defaultdict[tuple[int, int], float] = defaultdict(float)
    for block in blocks:
        for line in block.lines:
            for left in _lefts(line.box.left):
                edges[line.page, left] = max(edges[line.page, left], line.box.right)
    return [edges[block.lines[0].page, round(block.box.left / ALIGNED)] for block in blocks]


def _lefts(left: float) -> range:
    middle = round(left / ALIGNED)
    return range(middle - 1, middle + 2)


def _aside(numbers: list[int], parts: list[list[Paragraph]]) -> list[Paragraph]:
    return [paragraph for number in numbers for paragraph in parts[number]]


def _continuation(last: Paragraph, parts: list[list[Paragraph]], here: int, taken: set[int], body: float) -> int | None:
    """Return the block that goes on with the sentence in which `last` breaks off."""
    if last.whole or is_heading(last, body) or is_aside(last, body):
        return None
    item = ITEM.match(last.head) is not None
    for at in range(here + 1, min(len(parts), here + 1 + FARTHEST)):
        if at in taken:
            continue
        first = parts[at][0]
        if not same_size(first.size, last.size) or is_aside(first, body):
            continue
        starts = first.head[:1]
        goes_on = starts.islower() or (last.lines[-1].text.endswith("-") and starts.isalpha())
        goes_on = goes_on or (at == here + 1 and (starts.isalnum() or starts in OPENING))
        if not last.full and not (at == here + 1 and starts.islower() and _aligned(last, first)):
            return None
        if goes_on and not (ITEM if item else BULLET).match(first.head) and not HEADING.match(first.head):
            return at
        if len(first.lines) > 3:  # running text, which would have come next
            return None
    return None


def _aligned(one: Paragraph, other: Paragraph) -> bool:
    return abs(one.lines[-1].box.left - other.lines[0].box.left) <= 2 * ALIGNED


def is_heading(paragraph: Paragraph, body: float) -> bool:
    """Return whether a paragraph is larger than the body, or a line that begins with a number or is in capitals."""
    if paragraph.size > LARGER * body:
        return True
    text = paragraph.head
    return len(paragraph.lines) == 1 and len(text) < LONGEST_HEADING and (text.isupper() or bool(HEADING.match(text)))


def is_aside(paragraph: Paragraph, body: float) -> bool:
    """Return whether a paragraph is a footnote, a caption or a label in a figure."""
    return CAPTION.match(paragraph.head) is not None or paragraph.size < SMALLER * body


def is_label(paragraph: Paragraph, body: float) -> bool:
    """Return whether a paragraph is no text: a number at an axis, a letter in a drawing, a rule of underscores."""
    texts = [line.text for line in paragraph.lines]
    if not any(any(map(str.isalnum, text)) for text in texts):
        return True
    return paragraph.size < SMALLER * body and not any(SHORTEST_WORD.search(text) for text in texts)


def without_page_numbers(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of a page; in a table of contents without the dots and the numbers of pages."""
    is_contents = any(CONTENTS_HEAD.fullmatch(line.text.strip()) for line in lines)
    found: list[PdfLine] = []
    for line in lines:
        dots = CONTENTS.search(line.text)
        number = line.text[-line.apart :] if line.apart and is_contents else ""
        end = dots.start() if dots else len(line.text) - len(number) if number.isdecimal() else 0
        if end:
            end = len(line.text[:end].rstrip())
            line = replace(line, text=line.text[:end], places=line.places[:end], apart=1)
        found.append(line)
    return found
