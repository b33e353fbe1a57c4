"""Pages of a PDF as pictures, and spans of its text as boxes on them."""

import zlib
from struct import unpack

import pytest

import made_files
from phrasemill.errors import InputError
from phrasemill.readers import read_bytes
from phrasemill.readers.pdf_pages import PageMarks, page_image, page_marks
from phrasemill.types import Document, Span

# Both lines begin at x = 72, with baselines at 720 and 706, on pages of 612 × 792 points.
LINES = ["The survey of wells near the coast measures ground-", "water and salt in every one of them, each spring."]
PDF = made_files.pdf([LINES, ["Salt water moves inland."]])


def document(data: bytes = PDF) -> Document:
    return read_bytes(data, name="a.pdf")


def spans_of(found: Document, phrase: str) -> list[Span]:
    at = found.content.index(phrase)
    return [Span(at, at + len(phrase))]


def on_page(marks: PageMarks) -> list[tuple[int, int, int, int]]:
    """The boxes in points from the top left, without the index."""
    return [
        (round(x0 * marks.width), round(y0 * marks.height), round(x1 * marks.width), round(y1 * marks.height))
        for _, x0, y0, x1, y1 in marks.boxes
    ]


def test_a_word_is_marked_where_it_stands() -> None:
    found = document()
    first, second = page_marks(PDF, found, [spans_of(found, "The survey")])
    assert (first.number, first.width, first.height) == (1, 612, 792)
    ((left, top, right, bottom),) = on_page(first)
    assert left == 72
    assert 120 < right < 140
    assert top < 72 < bottom  # 792 - 720
    assert second == PageMarks(2, 612, 792, ())


def test_a_broken_word_is_marked_on_both_lines() -> None:
    found = document()
    assert "groundwater and salt" in found.text
    first, _ = page_marks(PDF, found, [spans_of(found, "groundwater")])
    upper, lower = on_page(first)
    assert upper[1] < lower[1]
    assert lower[0] == 72
    assert upper[0] > lower[2]


def test_each_box_names_its_list_of_spans() -> None:
    found = document()
    first, second = page_marks(PDF, found, [spans_of(found, "coast"), [], spans_of(found, "Salt water")])
    assert [box[0] for box in first.boxes] == [0]
    assert [box[0] for box in second.boxes] == [2]


def test_fractions_stay_within_the_page() -> None:
    found = document()
    for page in page_marks(PDF, found, [[Span(-5, 10_000)]]):
        assert all(0 <= value <= 1 for box in page.boxes for value in box[1:])
        assert all(x0 < x1 and y0 < y1 for _, x0, y0, x1, y1 in page.boxes)


def test_a_turned_page_is_marked_as_it_is_shown() -> None:
    data = PDF.replace(b"/MediaBox [0 0 612 792]", b"/MediaBox [0 0 612 792] /Rotate 90")
    found = document(data)
    first, _ = page_marks(data, found, [spans_of(found, "The")])
    assert (first.width, first.height) == (792, 612)
    ((left, top, right, bottom),) = on_page(first)
    assert left < 720 < right  # the text runs down the right-hand side
    assert top == 72
    assert bottom > top


def test_a_document_that_is_not_the_one_of_the_pdf() -> None:
    with pytest.raises(InputError, match=r"b\.pdf: the text is not the one that this PDF has"):
        page_marks(PDF, Document("b.pdf", "Another text."), [])


def pixels(png: bytes) -> tuple[int, int, int, bytes]:
    """Return width, height, channels and the lines of pixels of a PNG without filters."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, content, head = 8, b"", b""
    while at < len(png):
        length, kind = unpack(">I4s", png[at : at + 8])
        chunk = png[at + 8 : at + 8 + length]
        assert unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + chunk)
        head = chunk if kind == b"IHDR" else head
        content += chunk if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour = unpack(">IIBB", head[:10])
    assert depth == 8
    return width, height, {0: 1, 2: 3}[colour], zlib.decompress(content)


def test_the_picture_of_a_page() -> None:
    width, height, channels, lines = pixels(page_image(PDF, 1, width=306))
    assert (width, height) == (306, 396)
    assert len(lines) == height * (1 + width * channels)
    stride = 1 + width * channels
    rows = [lines[y * stride + 1 : (y + 1) * stride] for y in range(height)]
    dark = [y for y, row in enumerate(rows) if min(row) < 128]
    assert {y // 10 for y in dark} == {3, 4}  # ink where the two lines are, and nowhere else


@pytest.mark.parametrize(
    ("number", "width", "message"),
    [
        (0, 900, "there is no page 0; the PDF has 2"),
        (3, 900, "there is no page 3; the PDF has 2"),
        (1, 5, "16 to 4,000 pixels"),
    ],
)
def test_pictures_that_cannot_be_had(number: int, width: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        page_image(PDF, number, width=width)
