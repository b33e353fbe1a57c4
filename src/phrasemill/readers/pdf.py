"""PDF, by PDFium: title and paragraphs as people read them.

`pdf_lines` has the lines of a page and where they stand, `pdf_layout` puts them in order and drops running heads,
`pdf_paragraphs` joins them, and `pdf_title` finds the title. Words broken at the ends of lines are whole again. Spans
point into the text of the `Document`; `PdfText` has the way back to the pages. `metadata` has the number of pages, and
of those without text: pictures of pages, most often.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from phrasemill.errors import InputError, MissingExtra
from phrasemill.readers.pdf_layout import blocks, body_size, reading_order, without_running_heads
from phrasemill.readers.pdf_lines import PdfCharacters, PdfLine
from phrasemill.readers.pdf_paragraphs import flowing, is_label, without_page_numbers
from phrasemill.readers.pdf_text import Place, PlacedText, placed
from phrasemill.readers.pdf_title import largest_lines, lines_of_title, plausible_title
from phrasemill.types import Document

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PAGES = 20_000
LONGEST_TEXT = 100_000_000  # characters; the longest novels have ten million
PASSWORD, SECURITY = 4, 5  # PDFium's error codes

# PDFium must not be called from two threads at once.
LOCK = Lock()


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


def read_text(pdf: "PdfDocument", name: str) -> PdfText:
    pages, heights = _pages(pdf, name)
    empty = sum(not any(any(map(str.isalnum, line.text)) for line in page) for page in pages)
    body = body_size(pages)
    kept = without_running_heads(pages, heights)
    stated = plausible_title(pdf.get_metadata_value("Title"))
    first = kept[0] if kept else []
    title = lines_of_title(stated, first) or largest_lines(first, body)
    if title:
        kept[0] = [line for line in first if not any(line is one for one in title)]
    ordered = [block for page in kept for block in reading_order(blocks(without_page_numbers(page)))]
    flow = flowing(ordered, body)
    text = placed([found.lines for found in flow if not is_label(found, body)] or [found.lines for found in flow])
    return PdfText(placed([title]) if title else PlacedText(stated), text, len(pages), empty)


def _pages(pdf: "PdfDocument", name: str) -> tuple[list[list[PdfLine]], list[float]]:
    """Return the lines of each page, and the heights of the pages."""
    pages: list[list[PdfLine]] = []
    heights: list[float] = []
    length = 0
    for page in pdf:
        characters = PdfCharacters(page)
        length += len(characters.text)
        if length > LONGEST_TEXT:
            raise InputError(f"{name}: more than {LONGEST_TEXT:,} characters of text; it looks like a bomb")
        pages.append(characters.lines(len(pages)))
        heights.append(characters.height)
        characters.close()
        page.close()
    return pages, heights


def _reason(error: Any, data: bytes) -> str:
    code = getattr(error, "err_code", None)
    if code == PASSWORD:
        return "encrypted with a password; save it without one first"
    if code == SECURITY:
        return "encrypted in a way that we cannot read; save it without protection first"
    if b"%PDF-" not in data[:1024]:
        return "not a PDF, despite its name"
    return "damaged PDF; it may not have been copied or downloaded whole"
