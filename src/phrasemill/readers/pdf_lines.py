"""The lines of a PDF's page as PDFium finds them: their characters, where they stand, and how large they are; and text
made of them, with the way back from each of its characters to the page.

PDFium gives the characters of a page in the order of the file, with line ends of its own between them. Asking for the
box of every character takes longer than everything else, so only the ends of words are asked for.
"""

import ctypes
import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import pi
from statistics import median_high
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from phrasemill.text.repair import Repaired, mended
from phrasemill.types import Span

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

# PDFium's signs for a hyphen at the end of a line, which it drops together with the line's end.
HYPHENS = "\x02\ufffe"
LINE_END = re.compile(f"(?<=[{HYPHENS}])|[\\r\\n\\f\\v]+")
WORD = re.compile(r"\S+")
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
# Bullets of the symbol fonts, which stand in the private area of Unicode, and characters that are no text.
SIGNS = {"\x02": "-", "\uf0b7": "•", "\uf0a7": "•", "\uf0d8": "•", "\ufffe": "-", "\uffff": " ", "\u00a0": " "}
CLEANED = {**LIGATURES, **SIGNS, **{chr(code): " " for code in range(32) if chr(code) not in "\x02\t"}}
ACCENTS = {"´": "\u0301", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "¸": "\u0327", "˚": "\u030a"}
ACCENTS |= {"`": "\u0300", "˘": "\u0306", "˙": "\u0307", "˝": "\u030b", "˛": "\u0328", "¯": "\u0304"}
ACCENT = re.compile(f"[{''.join(map(re.escape, ACCENTS))}]")
DOTLESS = {"ı": "i", "ȷ": "j"}
UNCLEAN = re.compile(f"[{''.join(map(re.escape, [*CLEANED, *ACCENTS]))}]")
STEP = pi / 12  # the angle that two characters must differ by to be turned otherwise
GUTTER = 2.0  # heights of a line between two words that stand in two columns …
CLOSE, SPACE = 1.2, 0.12  # heights between two parts of one line, and between two words
FEWEST_WORDS = 3  # … which have so many words on either side; cells of tables have fewer
LONE_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")
IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3001-\u301f"
WITHOUT_SPACE = re.compile(f"(?<=[{IDEOGRAPHS}])\n(?=[{IDEOGRAPHS}])")


class Box(NamedTuple):
    """A rectangle on a page, in points, from the lower left."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def width(self) -> float:
        return self.right - self.left

    def around(self, other: "Box") -> "Box":
        return Box(
            min(self.left, other.left),
            min(self.bottom, other.bottom),
            max(self.right, other.right),
            max(self.top, other.top),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PdfLine:
    """A line of text: `places` has the number on its page of each character, -1 for one that is not there."""

    page: int
    text: str
    places: "array[int]"
    box: Box
    size: float  # the usual height of its words
    first_word: float  # how wide it is


class _Word(NamedTuple):
    start: int
    end: int
    box: Box


class PdfCharacters:
    """The characters of one page, whose boxes are where one sees them: the page turned, and cut, as it is shown."""

    def __init__(self, page: "PdfPage") -> None:
        import pypdfium2.raw as raw  # type: ignore[import-untyped]

        self._raw, self._text_page = raw, page.get_textpage()
        self._page = self._text_page.raw
        self.width, self.height = page.get_size()
        self._turn = page.get_rotation()
        self._left, self._bottom, right, top = page.get_cropbox()
        self._across, self._up = right - self._left, top - self._bottom
        self._loose, self._sides = raw.FS_RECTF(), [ctypes.c_double() for _ in range(4)]
        self.text = self._characters()

    def _characters(self) -> str:
        """Return one character for each number on the page."""
        count = max(0, self._raw.FPDFText_CountChars(self._page))
        buffer = ctypes.create_string_buffer(2 * count + 2)
        written = self._raw.FPDFText_GetText(self._page, 0, count, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)))
        text = buffer.raw[: 2 * max(0, written - 1)].decode("utf-16-le", "replace")
        if len(text) == count:
            return text
        codes = (self._raw.FPDFText_GetUnicode(self._page, number) for number in range(count))
        return "".join(chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF else " " for code in codes)

    def box(self, number: int) -> Box | None:
        """Return the box of a character: as high as its font, not as its shape, where the font has such a height."""
        found = self._loose
        if self._raw.FPDFText_GetLooseCharBox(self._page, number, found) and found.top > found.bottom:
            return self._shown(Box(found.left, found.bottom, found.right, found.top))
        left, right, bottom, top = self._sides
        if not self._raw.FPDFText_GetCharBox(self._page, number, left, right, bottom, top):
            return None
        return self._shown(Box(left.value, bottom.value, right.value, top.value))

    def close(self) -> None:
        self._text_page.close()

    def _shown(self, box: Box) -> Box:
        """Return a box of the file as it stands on the page that is shown."""
        if not (self._turn or self._left or self._bottom):
            return box
        left, bottom = box.left - self._left, box.bottom - self._bottom
        right, top = box.right - self._left, box.top - self._bottom
        if self._turn == 90:
            return Box(bottom, self._across - right, top, self._across - left)
        if self._turn == 180:
            return Box(self._across - right, self._up - top, self._across - left, self._up - bottom)
        if self._turn == 270:
            return Box(self._up - top, left, self._up - bottom, right)
        return Box(left, bottom, right, top)

    def _angle(self, number: int) -> int:
        """Return by how many steps of 15 degrees a character is turned."""
        return round(self._raw.FPDFText_GetCharAngle(self._page, number) / STEP) % 24

    def runs_down(self, number: int) -> bool:
        """Return whether the text with this character runs up or down the page that is shown."""
        return (self._angle(number) % 12 == 6) != (self._turn % 180 == 90)

    def lines(self, page: int) -> list[PdfLine]:
        """Return the lines of the page in the order of the file, without stamps in its margins and the like: those
        that are turned otherwise than most."""
        angles: list[int] = []
        lines: list[PdfLine] = []
        start = 0
        ends = [*((end.start(), end.end()) for end in LINE_END.finditer(self.text)), (len(self.text),) * 2]
        for end, following in ends:
            for part in _columns(self._words(start, end)):
                lines.append(self._line(part, page))
                angles.append(self._angle(part[0].start))
            start = following
        counts: Counter[int] = Counter()
        for line, angle in zip(lines, angles, strict=True):
            counts[angle] += len(line.text)
        usual = counts.most_common(1)[0][0] if counts else 0
        return merged(line for line, angle in zip(lines, angles, strict=True) if angle == usual)

    def _words(self, start: int, end: int) -> list[_Word]:
        words: list[_Word] = []
        for found in WORD.finditer(self.text, start, end):
            first = self.box(found.start())
            last = self.box(found.end() - 1) if found.end() - found.start() > 1 else first
            if first and last:
                words.append(_Word(found.start(), found.end(), first.around(last)))
        return words

    def _line(self, words: list[_Word], page: int) -> PdfLine:
        start, end = words[0].start, words[-1].end
        text = self.text[start:end]
        places = array("i", range(start, end))
        if UNCLEAN.search(text):
            clean = [CLEANED.get(character, character) for character in text]
            for at in (found.start() for found in ACCENT.finditer(text)):
                self._compose(clean, at, start)
            places = array("i", [at for at, piece in zip(places, clean, strict=True) for _ in piece])
            text = "".join(clean)
        box = words[0].box
        for word in words:
            box = box.around(word.box)
        return PdfLine(page, text, places, box, median_high(word.box.height for word in words), words[0].box.width)

    def _compose(self, characters: list[str], at: int, start: int) -> None:
        """Put an accent on the letter that it is printed over, as old fonts of TeX do: `´e`, or `c¸`."""
        accent = self.box(start + at)
        for beside in (at + 1, at - 1):
            letter = characters[beside] if 0 <= beside < len(characters) else ""
            place = self.box(start + beside) if letter.isalpha() else None
            if accent and place and min(accent.right, place.right) - max(accent.left, place.left) > 0.4 * accent.width:
                whole = normalize("NFC", DOTLESS.get(letter, letter) + ACCENTS[characters[at]])
                if len(whole) == 1:
                    characters[beside], characters[at] = whole, ""
                return


def _columns(words: list[_Word]) -> Iterator[list[_Word]]:
    """Yield the parts of a line that stand in different columns, or in different lines after all."""
    parts: list[list[_Word]] = [[]] if not words else [words[:1]]
    for before, word in pairwise(words):
        height = max(before.box.height, word.box.height, 1.0)
        gap = max(word.box.left - before.box.right, before.box.left - word.box.right)
        apart = word.box.bottom > before.box.top or word.box.top < before.box.bottom
        if apart or gap > GUTTER * height:
            parts.append([])
        parts[-1].append(word)
    waiting: list[_Word] = []
    for part in parts:
        short = len(part) < FEWEST_WORDS or (waiting and len(waiting) < FEWEST_WORDS)
        if waiting and not (short and _side_by_side(waiting[-1], part[0])):
            yield waiting
            waiting = []
        waiting = [*waiting, *part]
    if waiting:
        yield waiting


def _side_by_side(left: _Word, right: _Word) -> bool:
    return right.box.bottom < left.box.top and right.box.top > left.box.bottom


def merged(lines: Iterable[PdfLine]) -> list[PdfLine]:
    """Return the lines with those parts joined that stand side by side and close: PDFium ends lines at superscripts."""
    found: list[PdfLine] = []
    for line in lines:
        before = found[-1] if found else None
        if before and _continues(before.box, line.box):
            found[-1] = _joined(before, line)
        else:
            found.append(line)
    return found


def _continues(left: Box, right: Box) -> bool:
    overlap = min(left.top, right.top) - max(left.bottom, right.bottom)
    gap = right.left - left.right
    lowest = min(left.height, right.height)
    return overlap >= 0.5 * lowest and -0.3 * lowest <= gap < CLOSE * max(left.height, right.height)


def _joined(first: PdfLine, second: PdfLine) -> PdfLine:
    space = " " if second.box.left - first.box.right > SPACE * first.box.height else ""
    places = array("i", [*first.places, *([-1] if space else []), *second.places])
    larger = first if len(first.text) >= len(second.text) else second
    box = first.box.around(second.box)
    return replace(first, text=f"{first.text}{space}{second.text}", places=places, box=box, size=larger.size)


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
        line, inside = self.lines[i], source - self.starts[i]
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
            pieces.append(f"{line.text}\n")
            starts.append(at)
            lines.append(line)
            at += len(line.text) + 1
        pieces.append("\n")
        at += 1
    text = "".join(pieces).rstrip("\n")
    repaired = mended(text, [Span(*found.span()) for found in WITHOUT_SPACE.finditer(text)])
    return PlacedText(LONE_LINE_END.sub(" ", repaired.text), repaired, starts, lines)
