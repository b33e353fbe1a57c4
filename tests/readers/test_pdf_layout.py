"""PDF pages as people read them: paragraphs, columns, notes, running heads, contents, titles."""

from typing import NamedTuple

import made_files
from phrasemill.readers import read_bytes
from phrasemill.types import Document


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


def read(*pages: list[Line], title: bytes = b"") -> Document:
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
    assert read(column(72, 600, lines)).text == (
        "Pumps draw too much groundwater from the coastal plain, so that salt water moves inland and wells turn salt."
        "\n\nFarmers turn to rain tanks, to deeper wells and to barley."
    )


def test_a_sentence_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    whole = " ".join(LEFT)[:-1] + " ".join(RIGHT)
    assert read(column(60, 600, LEFT) + column(320, 600, RIGHT)).text == whole
    assert read(column(72, 600, LEFT), column(72, 700, RIGHT)).text == whole


def test_what_recurs_on_the_pages_is_dropped() -> None:
    def page(number: int, texts: list[str]) -> list[Line]:
        head, foot = Line(72, 750, "Salt in coastal wells", 8), Line(300, 40, f"Page {number} of 30", 8)
        return [head, *column(72, 700, texts), foot]

    text = read(page(11, LEFT), page(12, RIGHT), page(13, ["The end of it all, then."])).text
    assert text == " ".join(LEFT)[:-1] + " ".join(RIGHT) + "\n\nThe end of it all, then."


def test_the_title_is_the_largest_text_at_the_top() -> None:
    title = [Line(120, 720, "Salt Water Intrusion in", 18), Line(140, 700, "Coastal Wells", 18)]
    found = read([Line(72, 760, "Journal of Wells", 9), *title, *column(72, 600, LEFT + RIGHT)])
    assert found.title == "Salt Water Intrusion in Coastal Wells"
    assert "Intrusion" not in found.text
    assert found.text.startswith("Journal of Wells\n\nPumps")


def test_the_title_of_the_metadata_where_it_is_one() -> None:
    lines = [Line(72, 700, "Salt in coastal wells"), *column(72, 600, LEFT + RIGHT)]
    stated = read(lines, title=b"Salt in Coastal Wells")
    assert stated.title == "Salt in coastal wells"  # as the page has it
    assert stated.text.startswith("Pumps draw")
    assert read(lines, title=b"Microsoft Word - wells3.doc").title == ""


def test_figures_of_an_axis_and_turned_text_are_left_out() -> None:
    labels = [Line(400 + 20 * i, 300, str(i), 6) for i in range(4)]
    stamp = b"\nBT /F1 12 Tf 0 1 -1 0 30 200 Tm (arXiv:2401.00001v1) Tj ET"
    data = made_files.pdf([content(column(72, 600, LEFT + RIGHT) + labels) + stamp])
    assert read_bytes(data, name="a.pdf").text == " ".join(LEFT)[:-1] + " ".join(RIGHT)
