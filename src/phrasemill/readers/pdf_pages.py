"""The pages of a PDF as pictures, and where spans of its text stand on them.

The text of a PDF has other characters than its pages: lines are joined, hyphens and running heads are gone. So the PDF
is read once more, and each character of a span is followed back to the page. Pages are numbered from 1.
"""

import zlib
from collections.abc import Iterable, Sequence
from struct import pack
from typing import TYPE_CHECKING, NamedTuple

from phrasemill.errors import InputError
from phrasemill.readers.pdf import PdfText, opened_pdf, read_text
from phrasemill.readers.pdf_lines import Box, PdfCharacters
from phrasemill.types import Document, Span

if TYPE_CHECKING:
    from pypdfium2 import PdfBitmap, PdfDocument

NARROWEST, WIDEST = 16, 4_000  # pixels of a picture
MOST_PIXELS = 40_000_000  # of a picture, whose height follows from the page
PNG = b"\x89PNG\r\n\x1a\n"
TRUE_COLOUR, GREY = 2, 0
COMPRESSION = 6


class PageMarks(NamedTuple):
    """A page of `width` × `height` points, and the boxes on it: `(index, x0, y0, x1, y1)`, fractions from the top left.

    `index` is the place in the list of spans that the box belongs to.
    """

    number: int
    width: float
    height: float
    boxes: tuple[tuple[int, float, float, float, float], ...]


def page_image(data: bytes, number: int, *, width: int = 900) -> bytes:
    """Return page `number` of a PDF, counted from 1, as a PNG that is `width` pixels wide."""
    if not NARROWEST <= width <= WIDEST:
        raise InputError(f"a page can be {NARROWEST} to {WIDEST:,} pixels wide, not {width}")
    with opened_pdf(data, "the PDF") as pdf:
        if not 1 <= number <= len(pdf):
            raise InputError(f"there is no page {number}; the PDF has {len(pdf)}")
        page = pdf[number - 1]
        across, up = page.get_size()
        scale = min(width / max(across, 1.0), (MOST_PIXELS / max(across * up, 1.0)) ** 0.5)
        bitmap = page.render(scale=scale, rev_byteorder=True, maybe_alpha=False, prefer_bgrx=False)
        try:
            return _png(bitmap)
        finally:
            bitmap.close()
            page.close()


def page_marks(data: bytes, document: Document, spans: Sequence[Sequence[Span]]) -> list[PageMarks]:
    """Return all pages of a PDF, with boxes around `spans` of `document.content`, one list of spans per index.

    `document` is what the reader returned for `data`; a span that runs over several lines or pages has a box on each.
    """
    with opened_pdf(data, document.id) as pdf:
        found = read_text(pdf, document.id)
        if found.content != document.content:
            raise InputError(f"{document.id}: the text is not the one that this PDF has; read it again")
        wanted = _wanted(found, spans)
        return [_marks(pdf, page, wanted.get(page, {})) for page in range(len(pdf))]


def _wanted(found: PdfText, spans: Sequence[Sequence[Span]]) -> dict[int, dict[int, list[list[int]]]]:
    """Return for each page and each index the characters to mark, one list per span."""
    pages: dict[int, dict[int, list[list[int]]]] = {}
    for index, places in enumerate(spans):
        for start, end in places:
            here: dict[int, list[int]] = {}
            for at in range(max(0, start), end):
                place = found.place(at)
                if place is not None:
                    here.setdefault(place.page, []).append(place.number)
            for page, numbers in here.items():
                pages.setdefault(page, {}).setdefault(index, []).append(numbers)
    return pages


def _marks(pdf: "PdfDocument", number: int, wanted: dict[int, list[list[int]]]) -> PageMarks:
    page = pdf[number]
    width, height = page.get_size()
    boxes: list[tuple[int, float, float, float, float]] = []
    if wanted:
        characters = PdfCharacters(page)
        for index, places in wanted.items():
            for numbers in places:
                upright = not characters.runs_down(numbers[0])
                for box in _lines(filter(None, map(characters.box, numbers)), upright=upright):
                    left, right = _fraction(box.left / width), _fraction(box.right / width)
                    top, bottom = _fraction(1 - box.top / height), _fraction(1 - box.bottom / height)
                    boxes.append((index, left, top, right, bottom))
        characters.close()
    page.close()
    return PageMarks(number + 1, width, height, tuple(boxes))


def _fraction(value: float) -> float:
    return round(min(1.0, max(0.0, value)), 5)


def _lines(boxes: Iterable[Box], *, upright: bool) -> list[Box]:
    """Return one box for each line that these boxes of characters, in order, stand on."""
    lines: list[Box] = []
    for box in boxes:
        if not box.width or not box.height:  # a space that PDFium adds
            continue
        line = lines[-1] if lines else None
        if line and (_side_by_side(line, box) if upright else _below_each_other(line, box)):
            lines[-1] = line.around(box)
        else:
            lines.append(box)
    return lines


def _side_by_side(one: Box, other: Box) -> bool:
    return min(one.top, other.top) - max(one.bottom, other.bottom) > 0.3 * min(one.height, other.height)


def _below_each_other(one: Box, other: Box) -> bool:
    return min(one.right, other.right) - max(one.left, other.left) > 0.3 * min(one.width, other.width)


def _png(bitmap: "PdfBitmap") -> bytes:
    """Return a bitmap as a PNG: RGB, or shades of grey where PDFium renders so."""
    width, height, stride, channels = bitmap.width, bitmap.height, bitmap.stride, bitmap.n_channels
    pixels = memoryview(bitmap.buffer).cast("B")
    row = width * channels
    # Each line of pixels has a byte before it that names its filter: 0, none.
    lines = b"".join(b"\0" + bytes(pixels[y * stride : y * stride + row]) for y in range(height))
    kind = GREY if channels == 1 else TRUE_COLOUR
    head = pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return PNG + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines, COMPRESSION)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return pack(">I", len(content)) + kind + content + pack(">I", zlib.crc32(kind + content))
