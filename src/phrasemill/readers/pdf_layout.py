"""The layout of a PDF's pages: blocks of lines in the order in which people read them, without running heads.

Blocks are lines that follow each other in the file and on the page. Their order is Breuel's (High Performance Document
Layout Analysis, 2003): what is above comes first within a column, the left column before the right one, unless a block
across both stands between them. Where that leaves a choice, the order of the file decides.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from phrasemill.readers.pdf_lines import Box, PdfLine
from phrasemill.text.boilerplate import boilerplate

MOST_BLOCKS = 80  # of a page to put in order; with more, it is a drawing
SAME_SIZE = 0.12  # by which share heights of one size differ
FARTHEST = 1.0  # heights of a line between two lines of a block
EDGE, WIDER_EDGE = 0.12, 0.18  # the share of a page at its top and bottom where running heads, and page numbers, stand
PAGE_NUMBER = re.compile(
    r"(?:p(?:age|\.)?\s*)?[-–—\[(]?\s*(?:\d{1,4}|[ivxlc]{1,6})\s*[-–—\])]?(?:\s*(?:of|/)\s*\d{1,4})?", re.I
)
COUNTER = re.compile(r"^(\d{1,4})\b|\b(\d{1,4})$")
LONGEST_HEAD = 120  # characters
DIGITS = re.compile(r"\d+")


@dataclass(slots=True, eq=False)
class Block:
    """Lines of one size below each other."""

    lines: list[PdfLine] = field(default_factory=list)

    @property
    def box(self) -> Box:
        box = self.lines[0].box
        for line in self.lines:
            box = box.around(line.box)
        return box

    @property
    def size(self) -> float:
        return median(line.size for line in self.lines)

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def body_size(pages: Iterable[Sequence[PdfLine]]) -> float:
    """Return the height in which most characters are set."""
    counts: Counter[float] = Counter()
    for page in pages:
        for line in page:
            counts[round(line.size * 2) / 2] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 0.0


def blocks(lines: Sequence[PdfLine]) -> list[Block]:
    """Return the blocks of a page in the order of the file."""
    found: list[Block] = []
    for line in lines:
        if found and _belongs(line, found[-1].lines):
            found[-1].lines.append(line)
        else:
            found.append(Block([line]))
    return found


def _belongs(line: PdfLine, block: list[PdfLine]) -> bool:
    """Return whether a line stands right below the last one of a block."""
    last = block[-1]
    if not same_size(last.size, line.size):
        return False
    overlap = min(last.box.right, line.box.right) - max(last.box.left, line.box.left)
    if overlap < 0.5 * min(last.box.width, line.box.width):
        return False
    step = last.box.bottom - line.box.bottom
    return 0 < step <= (1 + FARTHEST) * max(last.size, line.size)


def same_size(one: float, other: float) -> bool:
    return abs(one - other) <= SAME_SIZE * max(one, other)


def reading_order(found: list[Block]) -> list[Block]:
    """Return the blocks of a page in the order in which they are read."""
    if not 1 < len(found) <= MOST_BLOCKS:
        return found
    boxes = [block.box for block in found]
    numbers = range(len(found))
    middle = (min(box.left for box in boxes) + max(box.right for box in boxes)) / 2
    after = [{j for j in numbers if j != i and _precedes(boxes[j], boxes[i], boxes, middle)} for i in numbers]
    ordered: list[int] = []
    waiting = list(range(len(found)))
    while waiting:
        # The first in the file of those that nothing must come before; where all wait for others, the first.
        chosen = next((i for i in waiting if after[i].isdisjoint(waiting)), waiting[0])
        waiting.remove(chosen)
        ordered.append(chosen)
    return [found[i] for i in ordered]


def _precedes(one: Box, other: Box, boxes: list[Box], middle: float) -> bool:
    """Return whether `one` is read before `other`; `middle` is that of the page, from left to right."""
    if _share_column(one, other):
        return one.bottom + one.top > other.bottom + other.top
    below = one.top < other.bottom
    if one.right > other.left or (below and other.left < middle - 0.02 * middle):
        return False  # what is centred above two columns stands in neither of them
    # Left of the other, unless something across both stands between them.
    low, high = min(one.top, other.top), max(one.bottom, other.bottom)
    return not any(
        low <= box.bottom + box.height / 2 <= high and _share_column(box, one) and _share_column(box, other)
        for box in boxes
    )


def _share_column(one: Box, other: Box) -> bool:
    return min(one.right, other.right) - max(one.left, other.left) > 0.1 * min(one.width, other.width)


def without_running_heads(pages: list[list[PdfLine]], heights: Sequence[float]) -> list[list[PdfLine]]:
    """Return the pages without lines that recur at the top or bottom of pages, and without page numbers."""
    sorted_pages = [sorted(page, key=lambda line: -line.box.top) for page in pages]
    dropped = _recurring(sorted_pages) | _repeated_in_place(sorted_pages, heights) | _counting(sorted_pages, heights)
    for page, height in zip(sorted_pages, heights, strict=True):
        rest = [line for line in page if id(line) not in dropped]
        for line in {id(line): line for line in (*rest[:1], *rest[-1:])}.values():
            if len(rest) > 1 and _at_edge(line, height, WIDER_EDGE) and PAGE_NUMBER.fullmatch(line.text.strip()):
                dropped.add(id(line))
    return [[line for line in page if id(line) not in dropped] for page in pages]


def _recurring(pages: list[list[PdfLine]]) -> set[int]:
    """Return the lines that recur by their words on three pages or more."""
    text = "\f".join("\n".join(line.text for line in page) for page in pages)
    if text.count("\f") < 2:
        return set()
    starts: dict[int, PdfLine] = {}
    at = 0
    for page in pages:
        for line in page:
            starts[at] = line
            at += len(line.text) + 1
        at += not page
    return {id(starts[span.start]) for span in boilerplate(text) if span.start in starts}


def _repeated_in_place(pages: list[list[PdfLine]], heights: Sequence[float]) -> set[int]:
    """Return the lines at the edges of pages that stand at the same place of another page, the same but for digits."""
    groups: defaultdict[tuple[str, int], list[PdfLine]] = defaultdict(list)
    for page, height in zip(pages, heights, strict=True):
        for line in page:
            if _at_edge(line, height):
                groups[DIGITS.sub("#", line.text).casefold(), round(line.box.bottom / 3)].append(line)
    return {id(line) for group in groups.values() if len({line.page for line in group}) > 1 for line in group}


def _counting(pages: list[list[PdfLine]], heights: Sequence[float]) -> set[int]:
    """Return the first and last lines of pages that begin or end with a number that goes up with the pages."""
    found: defaultdict[int, list[PdfLine]] = defaultdict(list)
    for number, (page, height) in enumerate(zip(pages, heights, strict=True)):
        for line in page[:1] + page[-1:]:
            counter = COUNTER.search(line.text)
            if counter and _at_edge(line, height, WIDER_EDGE) and len(line.text) <= LONGEST_HEAD:
                found[int(counter[1] or counter[2]) - number].append(line)
    return {id(line) for lines in found.values() if len({line.page for line in lines}) > 1 for line in lines}


def _at_edge(line: PdfLine, height: float, edge: float = EDGE) -> bool:
    return line.box.bottom > (1 - edge) * height or line.box.top < edge * height
