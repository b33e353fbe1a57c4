"""PDF: title and paragraphs as people read them, pages as pictures, and spans of the text as boxes on them."""

import sys
import zlib
from pathlib import Path
from struct import unpack
from threading import Thread
from typing import NamedTuple

import pytest

import made_files
from phrasemill import extract
from phrasemill.errors import InputError, MissingExtra
from phrasemill.readers import pdf as reader
from phrasemill.readers import read, read_bytes
from phrasemill.readers.pdf_pages import PageMarks, page_image, page_marks
from phrasemill.types import Document, Span


def pdf(*texts: list[str] | bytes, trailer: bytes = b"") -> bytes:
    return made_files.pdf(list(texts), trailer=trailer)


def test_the_pages_in_order(tmp_path: Path) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(pdf(["Salt in wells", "Pumps draw groundwater."], ["Salt water moves (inland)."]))
    document = read(path)
    assert document.id == str(path)
    assert document.text == "Salt in wells\n\nPumps draw groundwater.\n\nSalt water moves (inland)."
    assert document.metadata == {"pages": 2, "pages_without_text": 0}


def test_broken_words_are_joined_and_spans_point_into_the_text() -> None:
    document = read_bytes(pdf(["Pumps draw ground-", "water. The groundwater is salt."]), name="a.pdf")
    assert document.text == "Pumps draw groundwater. The groundwater is salt."
    for keyphrase in extract(document):
        for span in keyphrase.spans:
            assert document.content[span.start : span.end].lower() == keyphrase.text.lower()


def test_a_page_that_is_a_picture_among_others() -> None:
    document = read_bytes(pdf(made_files.PICTURE, ["Wells."]), name="a.pdf")
    assert document.text == "Wells."
    assert document.metadata["pages_without_text"] == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pdf(made_files.PICTURE), "a.pdf: its page has no text, most likely it is a scan; make it searchable"),
        (pdf(made_files.PICTURE, b""), "a.pdf: its 2 pages have no text"),
        (pdf(["Wells."], trailer=made_files.PASSWORD), "a.pdf: encrypted with a password; save it without one"),
        (pdf(["Wells."], trailer=made_files.UNKNOWN_SCHEME), "a.pdf: encrypted in a way that we cannot read"),
        (b"%PDF-1.4\n", "a.pdf: damaged PDF"),
        (pdf(["Wells."])[:200], "a.pdf: damaged PDF"),
        (b"<html><p>Please log in", "a.pdf: not a PDF, despite its name"),
        (b"", "a.pdf: not a PDF"),
    ],
)
def test_files_without_text_for_us(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        read_bytes(data, name="a.pdf")


def test_the_content_tells_a_pdf_of_another_name() -> None:
    for name in ("download", "paper.txt", "-"):
        assert read_bytes(pdf(["Wells."]), name=name).text == "Wells."
    assert read_bytes(b"\n\n" + pdf(["Wells."]), name="download").text == "Wells."


def test_too_many_pages_or_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pdf(["Wells."], ["Pumps."], ["Salt."])
    monkeypatch.setattr(reader, "MOST_PAGES", 2)
    with pytest.raises(InputError, match=r"a\.pdf: 3 pages; more than 2 are not read"):
        read_bytes(data, name="a.pdf")
    monkeypatch.setattr(reader, "MOST_PAGES", 3)
    monkeypatch.setattr(reader, "LONGEST_TEXT", 10)
    with pytest.raises(InputError, match="more than 10 characters"):
        read_bytes(data, name="a.pdf")


def test_threads_take_turns() -> None:
    data = pdf(*[["Wells and pumps."]] * 20)
    texts: list[str] = []
    threads = [Thread(target=lambda: texts.append(read_bytes(data, name="a.pdf").text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 8
    assert len(set(texts)) == 1


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtra, match=r"reading PDF files needs pypdfium2: pip install 'phrasemill\[pdf\]'"):
        read_bytes(pdf(["Wells."]), name="a.pdf")


# Layout


class Line(NamedTuple):
    """A line of text at a place of the page, in points from the lower left."""

    x: int
    y: int
    text: str
    size: int = 10


def content(lines: list[Line]) -> bytes:
    pieces = []
    for x, y, text, size in lines:
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode("cp1252")
        pieces.append(b"BT /F1 %d Tf %d %d Td (%s) Tj ET" % (size, x, y, escaped))
    return b"\n".join(pieces)


def laid_out(*pages: list[Line], title: bytes = b"") -> Document:
    return read_bytes(made_files.pdf([content(page) for page in pages], title=title), name="a.pdf")


def column(x: int, y: int, texts: list[str], size: int = 10) -> list[Line]:
    return [Line(x, y - 12 * i, text, size) for i, text in enumerate(texts)]


LEFT = [
    "Pumps draw too much groundwater from the",
    "coastal plain, so that salt water moves inland",
    "and the wells of many farms turn brack-",
]
RIGHT = [
    "ish within years. Farmers then dig deeper wells",
    "or turn to crops that tolerate brackish water,",
    "such as barley.",
]


def test_lines_become_paragraphs() -> None:
    lines = [*LEFT[:2], "and wells turn salt.", "Farmers turn to rain tanks, to deeper wells", "and to barley."]
    assert laid_out(column(72, 600, lines)).text == (
        "Pumps draw too much groundwater from the coastal plain, so that salt water moves inland and wells turn salt."
        "\n\nFarmers turn to rain tanks, to deeper wells and to barley."
    )


def test_a_sentence_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    whole = " ".join(LEFT)[:-1] + " ".join(RIGHT)
    assert laid_out(column(60, 600, LEFT) + column(320, 600, RIGHT)).text == whole
    assert laid_out(column(72, 600, LEFT), column(72, 700, RIGHT)).text == whole
    ended = [*LEFT[:2], "and the wells of many farms turn brackish."]
    assert laid_out(column(72, 600, ended), column(72, 700, RIGHT)).text.split("\n\n") == [
        " ".join(ended),
        " ".join(RIGHT),
    ]


def test_what_recurs_on_the_pages_is_dropped() -> None:
    def page(number: int, texts: list[str]) -> list[Line]:
        head, foot = Line(72, 750, "Salt in coastal wells", 8), Line(300, 40, f"Page {number} of 30", 8)
        return [head, *column(72, 700, texts), foot]

    text = laid_out(page(11, LEFT), page(12, RIGHT), page(13, ["The end of it all, then."])).text
    assert text == " ".join(LEFT)[:-1] + " ".join(RIGHT) + "\n\nThe end of it all, then."


def test_the_title_is_the_largest_text_at_the_top() -> None:
    title = [Line(120, 720, "Salt Water Intrusion in", 18), Line(140, 700, "Coastal Wells", 18)]
    found = laid_out([Line(72, 760, "Journal of Wells", 9), *title, *column(72, 600, LEFT + RIGHT)])
    assert found.title == "Salt Water Intrusion in Coastal Wells"
    assert "Intrusion" not in found.text
    assert found.text.startswith("Journal of Wells\n\nPumps")


def test_the_title_of_the_metadata_where_it_is_one() -> None:
    lines = [Line(72, 700, "Salt in coastal wells"), *column(72, 600, LEFT + RIGHT)]
    stated = laid_out(lines, title=b"Salt in Coastal Wells")
    assert stated.title == "Salt in coastal wells"  # as the page has it
    assert stated.text.startswith("Pumps draw")
    assert laid_out(lines, title=b"Microsoft Word - wells3.doc").title == ""


def test_figures_of_an_axis_and_turned_text_are_left_out() -> None:
    labels = [Line(400 + 20 * i, 300, str(i), 6) for i in range(4)]
    stamp = b"\nBT /F1 12 Tf 0 1 -1 0 30 200 Tm (arXiv:2401.00001v1) Tj ET"
    data = made_files.pdf([content(column(72, 600, LEFT + RIGHT) + labels) + stamp])
    assert read_bytes(data, name="a.pdf").text == " ".join(LEFT)[:-1] + " ".join(RIGHT)


# Pages

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
