"""PDF, by PDFium: the text of the pages in the order in which PDFium gives it.

Words broken at the ends of lines are joined and what repeats on page after page is dropped (see `text/repair.py`), so
spans point into the text of the `Document`, not into the file. `metadata` has the number of pages, and of those
without text: pictures of pages, most often.
"""

import re
from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any

from phrasemill.errors import InputError, MissingExtra
from phrasemill.text.repair import repair
from phrasemill.types import Document

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PAGES = 20_000
LONGEST_TEXT = 100_000_000  # characters; the longest novels have ten million
PASSWORD, SECURITY = 4, 5  # PDFium's error codes
PAGE_END = re.compile(r"\s*\f\s*")  # no paragraph ends because a page does
HYPHEN = "\x02"  # PDFium's sign for a hyphen at the end of a line, which it drops together with the line's end

# PDFium must not be called from two threads at once.
LOCK = Lock()


def read(data: bytes, *, name: str) -> Document:
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
            pages = list(_pages(pdf, name))
        except pypdfium2.PdfiumError as error:
            raise InputError(f"{name}: damaged PDF ({error})") from None
        finally:
            pdf.close()
    empty = sum(not any(map(str.isalnum, page)) for page in pages)
    if empty == len(pages):
        what = f"its {len(pages)} pages have" if len(pages) > 1 else "its page has" if pages else "it has no pages and"
        raise InputError(f"{name}: {what} no text, most likely it is a scan; make it searchable (OCR) first")
    text = PAGE_END.sub("\n", repair("\f".join(pages)).text).strip()
    return Document(id=name, text=text, metadata={"pages": len(pages), "pages_without_text": empty})


def _pages(pdf: "PdfDocument", name: str) -> Iterator[str]:
    if len(pdf) > MOST_PAGES:
        raise InputError(f"{name}: {len(pdf):,} pages; more than {MOST_PAGES:,} are not read")
    length = 0
    for page in pdf:
        content = page.get_textpage()
        text = _lines(content.get_text_bounded())
        content.close()
        page.close()
        length += len(text)
        if length > LONGEST_TEXT:
            raise InputError(f"{name}: more than {LONGEST_TEXT:,} characters of text; it looks like a bomb")
        yield text


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace(HYPHEN, "-\n").replace("\f", "\n").replace("\0", " ")


def _reason(error: Any, data: bytes) -> str:
    code = getattr(error, "err_code", None)
    if code == PASSWORD:
        return "encrypted with a password; save it without one first"
    if code == SECURITY:
        return "encrypted in a way that we cannot read; save it without protection first"
    if b"%PDF-" not in data[:1024]:
        return "not a PDF, despite its name"
    return "damaged PDF; it may not have been copied or downloaded whole"
