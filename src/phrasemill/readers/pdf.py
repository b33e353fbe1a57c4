"""PDF, by PDFium: title and paragraphs as people read them.

`pdf_lines` has the lines of a page and where they stand. Here lines that follow each other in the file and on the page
become blocks, and blocks become paragraphs; running heads and labels in figures are dropped. Words broken at the ends
of lines are whole again. Spans point into the text of the `Document`; `PdfText` has the way back to the pages.
`metadata` has the number of pages, and of those without text: pictures of pages, most often.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from statistics import median
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from phrasemill.errors import InputError, MissingExtra
from phrasemill.readers.pdf_lines import PdfCharacters, PdfLine, Place, PlacedText, placed
from phrasemill.readers.titles import LONGEST, bare, plausible_title
from phrasemill.text.boilerplate import boilerplate
from phrasemill.text.repair import NARROWEST
from phrasemill.types import Document

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PAGES = 20_000
LONGEST_TEXT = 100_000_000  # characters; the longest novels have ten million
PASSWORD, SECURITY = 4, 5  # PDFium's error codes
LOCK = Lock()  # PDFium must not be called from two threads at once

SAME_SIZE = 0.12  # by which share heights of one size differ
FARTHEST = 1.0  # heights of a line between two lines of a block
SMALLER = 0.93  # than the body: labels in figures
SKIP = 1.3  # the usual distances of lines between two paragraphs
SPACE = 0.4  # the width of a space, in heights
ALIGNED = 2.0  # points by which the left ends of lines of a column differ
SENTENCE_END = re.compile(r"[.!?:;…。！？]['\"”’)\]»]*\d{0,3}\s*$")
BULLET = re.compile(r"[•●○◦▪■♦‣➡➢✓*–—-]\s")
SHORTEST_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u9fff]")

LEAST_LARGER = 1.15  # times the height of the body that a title has at least, where metadata does not state it
FEWEST_LETTERS = 4
MOST_TITLE_LINES = 6
UPPER_PART = 0.45  # the share of the lines, from the top, among which a title stands


class PdfText(NamedTuple):
    """What is read of a PDF."""

    title: PlacedText
    text: PlacedText
    pages: int
    empty: int  # pages without text

    @property
    def content(self) -> str:
        return f"{self.title.text}\n{self.text.text}" if self.title.text else self.text.text

    def place(self, at: int) -> Place | None:
        """Return where the character stands that `content` has at `at`."""
        before = len(self.title.text) + 1 if self.title.text else 0
        return self.title.place(at) if at < before else self.text.place(at - before)


def read(data: bytes, *, name: str) -> Document:
    with opened_pdf(data, name) as pdf:
        found = read_text(pdf, name)
    if found.empty == found.pages:
        count = found.pages
        what = f"its {count} pages have" if count > 1 else "its page has" if count else "it has no pages and"
        raise InputError(f"{name}: {what} no text, most likely it is a scan; make it searchable (OCR) first")
    metadata = {"pages": found.pages, "pages_without_text": found.empty}
    return Document(id=name, text=found.text.text, title=found.title.text, metadata=metadata)


@contextmanager
def opened_pdf(data: bytes, name: str) -> "Iterator[PdfDocument]":
    """Open a PDF, whose errors become one clear line each; no other thread uses PDFium meanwhile."""
    try:
        import pypdfium2
    except ImportError:
        raise MissingExtra("pypdfium2", "pdf", purpose="reading PDF files") from None
    with LOCK:
        try:
            pdf = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            raise InputError(f"{name}: {_reason(error, data)}") from None
        try:
            if len(pdf) > MOST_PAGES:
                raise InputError(f"{name}: {len(pdf):,} pages; more than {MOST_PAGES:,} are not read")
            yield pdf
        except pypdfium2.PdfiumError as error:
            raise InputError(f"{name}: damaged PDF ({error})") from None
        finally:
            pdf.close()


def _reason(error: Any, data: bytes) -> str:
    code = getattr(error, "err_code", None)
    if code == PASSWORD:
        return "encrypted with a password; save it without one first"
    if code == SECURITY:
        return "encrypted in a way that we cannot read; save it without protection first"
    if b"%PDF-" not in data[:1024]:
        return "not a PDF, despite its name"
    return "damaged PDF; it may not have been copied or downloaded whole"


def read_text(pdf: "PdfDocument", name: str) -> PdfText:
    pages = [*_pages(pdf, name)]
    empty = sum(not any(any(map(str.isalnum, line.text)) for line in page) for page in pages)
    sizes = Counter[float]()
    for line in (line for page in pages for line in page):
        sizes[round(line.size * 2) / 2] += len(line.text)
    body = max(sizes, key=sizes.__getitem__, default=0.0)  # the height in which most characters are set
    kept = _without_running_heads(pages)
    stated = plausible_title(pdf.get_metadata_value("Title"))
    first = kept[0] if kept else []
    title = _lines_of_title(stated, first) or _largest_lines(first, body)
    if title:
        kept[0] = [line for line in first if not any(line is one for one in title)]
    paragraphs = _joined(_paragraphs([block for page in kept for block in _blocks(page)]))
    text = placed([one for one in paragraphs if not _is_label(one, body)] or paragraphs)
    return PdfText(placed([title]) if title else PlacedText(stated), text, len(pages), empty)


def _pages(pdf: "PdfDocument", name: str) -> Iterator[list[PdfLine]]:
    """Yield the lines of each page."""
    length = 0
    for number, page in enumerate(pdf):
        characters = PdfCharacters(page)
        length += len(characters.text)
        if length > LONGEST_TEXT:
            raise InputError(f"{name}: more than {LONGEST_TEXT:,} characters of text; it looks like a bomb")
        yield characters.lines(number)
        characters.close()
        page.close()


def _without_running_heads(pages: list[list[PdfLine]]) -> list[list[PdfLine]]:
    """Return the pages, their lines in the order of the file, without those that recur by their words on three pages or
    more, and without page numbers."""
    starts: dict[int, PdfLine] = {}
    pieces: list[str] = []
    at = 0
    for page in pages:
        for line in sorted(page, key=lambda line: -line.box.top):
            starts[at] = line
            pieces.append(f"{line.text}\n")
            at += len(line.text) + 1
        pieces.append("\f")
        at += 1
    recurring = {id(starts[span.start]) for span in boilerplate("".join(pieces)) if span.start in starts}
    return [[line for line in page if id(line) not in recurring] for page in pages]


# Blocks and paragraphs


def _blocks(lines: Sequence[PdfLine]) -> Iterator[list[PdfLine]]:
    """Yield the blocks of a page: lines of one size below each other, as they follow in the file."""
    block: list[PdfLine] = []
    for line in lines:
        if block and not _is_below(line, block[-1]):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _is_below(line: PdfLine, last: PdfLine) -> bool:
    """Return whether a line stands right below another one of its size."""
    overlap = min(last.box.right, line.box.right) - max(last.box.left, line.box.left)
    step = last.box.bottom - line.box.bottom
    return (
        _same_size(last.size, line.size)
        and overlap >= 0.5 * min(last.box.width, line.box.width)
        and 0 < step <= (1 + FARTHEST) * max(last.size, line.size)
    )


def _same_size(one: float, other: float) -> bool:
    return abs(one - other) <= SAME_SIZE * max(one, other)


def _paragraphs(blocks: Sequence[list[PdfLine]]) -> Iterator[list[PdfLine]]:
    """Yield the paragraphs of blocks.

    A line ends one where the first word of the next line would have fitted on it, where the next one begins an item of
    a list, or where there is more space between them than usual.
    """
    margins: defaultdict[tuple[int, int], float] = defaultdict(float)  # where lines that begin at one place end
    for line in (line for block in blocks for line in block):
        middle = round(line.box.left / ALIGNED)
        for left in range(middle - 1, middle + 2):
            margins[line.page, left] = max(margins[line.page, left], line.box.right)
    for block in blocks:
        margin = margins[block[0].page, round(min(line.box.left for line in block) / ALIGNED)]
        usual = median([before.box.bottom - line.box.bottom for before, line in pairwise(block)] or [0.0])
        paragraph = block[:1]
        for before, line in pairwise(block):
            skips = before.box.bottom - line.box.bottom > SKIP * usual
            if skips or _ends(before, line, margin):
                yield paragraph
                paragraph = []
            paragraph.append(line)
        yield paragraph


def _ends(before: PdfLine, line: PdfLine, margin: float) -> bool:
    """Return whether a paragraph ends between two lines of a block."""
    if BULLET.match(line.text):
        return True
    if line.text[:1].islower() and not SENTENCE_END.search(before.text):
        return False
    return margin - before.box.right > line.first_word + SPACE * line.size


def _joined(paragraphs: Iterable[list[PdfLine]]) -> list[list[PdfLine]]:
    """Return the paragraphs, with one that goes on in the next column or on the next page joined to its rest."""
    found: list[list[PdfLine]] = []
    for paragraph in paragraphs:
        last = found[-1][-1] if found else None
        if (
            last
            and len(last.text) >= NARROWEST
            and paragraph[0].text[:1].islower()
            and not SENTENCE_END.search(last.text)
            and _same_size(last.size, paragraph[0].size)
        ):
            found[-1] += paragraph
        else:
            found.append(paragraph)
    return found


def _is_label(paragraph: list[PdfLine], body: float) -> bool:
    """Return whether a paragraph is no text: a number at an axis, a letter in a drawing, a rule of underscores."""
    text = " ".join(line.text for line in paragraph)
    if not any(map(str.isalnum, text)):
        return True
    return median(line.size for line in paragraph) < SMALLER * body and not SHORTEST_WORD.search(text)


# The title: what metadata states, where the first page has it, else the largest lines at the top of that page


def _lines_of_title(title: str, page: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of the first page that are this title."""
    wanted = bare(title)
    for first in range(len(page) if wanted else 0):
        found = ""
        for last in range(first, min(len(page), first + MOST_TITLE_LINES)):
            found += bare(page[last].text)
            if found == wanted:
                return list(page[first : last + 1])
            if not wanted.startswith(found):
                break
    return []


def _largest_lines(page: Sequence[PdfLine], body: float) -> list[PdfLine]:
    """Return the largest lines in the upper part of the first page, where they look like a title."""
    by_height = sorted(page, key=lambda line: -line.box.top)
    upper = by_height[: max(4, round(UPPER_PART * len(by_height)))]
    sizes = {line.size for line in upper if sum(map(str.isalpha, line.text)) >= FEWEST_LETTERS}
    for size in sorted((size for size in sizes if size >= LEAST_LARGER * body), reverse=True):
        found: list[PdfLine] = []  # the first lines of this size that stand right below each other
        for line in by_height:
            if _same_size(line.size, size):
                if found and found[-1].box.bottom - line.box.top > 1.2 * line.size:
                    break
                found.append(line)
        text = " ".join(line.text for line in found)
        if len(text.split()) > 1 and len(text) <= LONGEST and len(found) <= MOST_TITLE_LINES:
            return found
    return []
