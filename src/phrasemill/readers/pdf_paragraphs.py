"""Paragraphs of a PDF: lines joined as their author wrote them, across columns and pages, notes after them.

A line ends a paragraph where the first word of the next line would have fitted on it, where the next one is indented or
begins an item of a list, or where the size changes. What stands in the middle of a sentence without being part of it, a
footnote or a figure at the end of a page, comes after the paragraph.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from phrasemill.readers.pdf_layout import Block, same_size
from phrasemill.readers.pdf_lines import PdfLine

LARGER, SMALLER = 1.13, 0.93  # than the body: headings, notes
INDENT, DEEPEST_INDENT = 0.6, 5.0  # of a first line, in heights
SKIP = 1.3  # the usual distances of lines between two paragraphs
SPACE = 0.4  # the width of a space, in heights
FARTHEST = 8  # blocks between two parts of a sentence
SENTENCE_END = re.compile(r"[.!?:;…。！？]['\"”’)\]»]*\d{0,3}\s*$")
ITEM = re.compile(r"(?:[•●○◦▪■♦‣*–—-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s")
HEADING = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+[^\W\d_]|(?:abstract|references|keywords)\b", re.I
)
NOTE = re.compile(r"(?:\d{1,3}|[*†‡§¶∗]+|\([a-z\d]\))\s*\S")
CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)|Table|Tab\.|Algorithm|Listing|Scheme|Plate|Abbildung|Tabelle|Tableau)\s*\.?\s*[\dIVX]"
)
CONTENTS = re.compile(r"\s*(?:\.\s?){4,}\s*[\divxlc]*\s*$|\s*[_…·]{4,}\s*[\divxlc]*\s*$", re.I)


@dataclass(slots=True, eq=False)
class Paragraph:
    """The lines of one paragraph."""

    lines: list[PdfLine]
    size: float
    whole: bool = True  # whether its last line ends it

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def paragraphs(block: Block) -> Iterator[Paragraph]:
    """Yield the paragraphs of a block."""
    box, lines = block.box, block.lines
    steps = [before.box.bottom - line.box.bottom for before, line in pairwise(lines)]
    usual = median(steps) if steps else 0.0
    current = [lines[0]]
    for before, line, step in zip(lines, lines[1:], steps, strict=False):
        if _ends(before, line, box.right, box.left) or step > SKIP * usual:
            yield Paragraph(current, block.size)
            current = []
        current.append(line)
    last = current[-1]
    full = box.right - last.box.right < 0.15 * box.width or len(lines) == 1
    whole = bool(SENTENCE_END.search(last.text)) or not full
    yield Paragraph(current, block.size, whole=whole)


def _ends(before: PdfLine, line: PdfLine, right: float, left: float) -> bool:
    """Return whether a paragraph ends between two lines of a block."""
    if CONTENTS.search(before.text) or ITEM.match(line.text):
        return True
    ended = SENTENCE_END.search(before.text) is not None
    if line.text[:1].islower() and not ended:
        return False
    if HEADING.match(before.text) and len(before.text) < 80 and right - before.box.right > 0.25 * (right - left):
        return True
    room = right - before.box.right
    if room > line.first_word + SPACE * line.size:
        return True
    indent = line.box.left - max(left, 0)
    indented = INDENT * line.size < indent < DEEPEST_INDENT * line.size and before.box.left - left < INDENT * line.size
    return indented and (ended or line.text[:1].isupper())


def flowing(blocks: Sequence[Block], body: float) -> list[Paragraph]:
    """Return the paragraphs of all blocks, joined where one goes on in another block, column or page."""
    parts = [list(paragraphs(block)) for block in blocks]
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
            found[-1] = Paragraph([*found[-1].lines, *first.lines], found[-1].size, whole=first.whole)
            here = following
            if rest:
                found += _aside(behind, parts)
                behind = []
                found += rest
        found += _aside(behind, parts)
    return found


def _aside(numbers: list[int], parts: list[list[Paragraph]]) -> list[Paragraph]:
    return [paragraph for number in numbers for paragraph in parts[number]]


def _continuation(last: Paragraph, parts: list[list[Paragraph]], here: int, taken: set[int], body: float) -> int | None:
    """Return the block that goes on with the sentence in which `last` breaks off."""
    if last.whole or is_heading(last, body) or is_aside(last, body):
        return None
    for at in range(here + 1, min(len(parts), here + 1 + FARTHEST)):
        if at in taken:
            continue
        first = parts[at][0]
        if not same_size(first.size, last.size):
            if first.size > LARGER * body:
                return None  # a heading ends what stands before it
            continue
        if is_aside(first, body):
            continue
        starts = first.text[:1]
        goes_on = starts.islower() or (
            (starts.isalnum() or starts in '([“"‘') and last.text[-1:] not in "-" and at == here + 1
        )
        if last.text.endswith("-") and starts.isalpha():
            goes_on = True
        if goes_on and not ITEM.match(first.text) and not HEADING.match(first.text):
            return at
        if len(first.text) > 200:
            return None
    return None


def is_heading(paragraph: Paragraph, body: float) -> bool:
    return paragraph.size > LARGER * body


def is_aside(paragraph: Paragraph, body: float) -> bool:
    """Return whether a paragraph is a footnote, a caption or a label in a figure."""
    text = paragraph.text
    return CAPTION.match(text) is not None or paragraph.size < SMALLER * body


def without_leaders(line: PdfLine) -> PdfLine:
    """Return a line of a table of contents without its dots and its page number."""
    found = CONTENTS.search(line.text)
    if not found or not found.start():
        return line
    end = found.start()
    return PdfLine(line.page, line.text[:end], line.places[:end], line.box, line.size, line.first_word)
