"""Text made of a PDF's lines, with the way back from each of its characters to the page."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from phrasemill.readers.pdf_lines import PdfLine
from phrasemill.text.repair import Repaired, mended
from phrasemill.types import Span

LONE_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")
IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3001-\u301f"
WITHOUT_SPACE = re.compile(f"(?<=[{IDEOGRAPHS}])\n(?=[{IDEOGRAPHS}])")


class Place(NamedTuple):
    """A character of a PDF: its page and its number there, both from 0."""

    page: int
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class PlacedText:
    """A text and the lines it is made of. Line `i` begins at `starts[i]` of what `repaired` began with."""

    text: str
    repaired: Repaired | None = None
    starts: Sequence[int] = ()
    lines: Sequence[PdfLine] = ()

    def place(self, at: int) -> Place | None:
        """Return where the character at `at` stands; None for one that is not on the pages: a space between lines."""
        if self.repaired is None or not 0 <= at < len(self.text):
            return None
        source = self.repaired.original(Span(at, at + 1)).start
        i = bisect_right(self.starts, source) - 1
        line = self.lines[i]
        inside = source - self.starts[i]
        number = line.places[inside] if inside < len(line.places) else -1
        return Place(line.page, number) if number >= 0 else None


def placed(paragraphs: Iterable[Sequence[PdfLine]]) -> PlacedText:
    """Return the text of paragraphs: lines joined by spaces, broken words whole, an empty line between paragraphs."""
    pieces: list[str] = []
    starts: list[int] = []
    lines: list[PdfLine] = []
    at = 0
    for paragraph in paragraphs:
        for line in paragraph:
            pieces.append(line.text)
            starts.append(at)
            lines.append(line)
            pieces.append("\n")
            at += len(line.text) + 1
        pieces.append("\n")
        at += 1
    text = "".join(pieces).rstrip("\n")
    repaired = mended(text, [Span(*found.span()) for found in WITHOUT_SPACE.finditer(text)])
    return PlacedText(LONE_LINE_END.sub(" ", repaired.text), repaired, starts, lines)
