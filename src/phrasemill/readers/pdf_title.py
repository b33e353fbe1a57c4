"""The title of a PDF: what its metadata states, where that is one, else the largest lines at the top of page one."""

import re
from collections.abc import Sequence

from phrasemill.readers.pdf_layout import same_size
from phrasemill.readers.pdf_lines import PdfLine

LARGEST = 1.15  # times the height of the body, at least
FEWEST_LETTERS = 4
LONGEST = 300  # characters
MOST_LINES = 6
UPPER_PART = 0.45  # the share of the lines, from the top, among which a title stands
# What programs put where a title should be: names of files, of programs, of templates.
NO_TITLE = re.compile(
    r"(?i)\.(?:docx?|pdf|tex|dvi|ps|rtf|odt|indd|qxd|pptx?|xlsx?|pages|fm|p65|wpd)\b|^(?:untitled|title|document|slide"
    r"|microsoft|powerpoint|word|template|manuscript|paper|article|test|unknown|layout|full ?text|doi|pii)\b.{0,12}$"
    r"|^microsoft word|^\W*$|^[\w/\\:.-]*\d[\w/\\:.-]*$|^\S+$"
)
NOT_ALNUM = re.compile(r"[\W_]+")


def plausible_title(stated: str | None) -> str:
    """Return the title that metadata states, or nothing where a program put it there."""
    title = " ".join((stated or "").replace("\0", " ").split())
    return "" if len(title) > LONGEST or NO_TITLE.search(title) else title


def lines_of_title(title: str, page: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of the first page that are this title."""
    wanted = _bare(title)
    if not wanted:
        return []
    bare = [_bare(line.text) for line in page]
    for first in range(len(page)):
        found = ""
        for last in range(first, min(len(page), first + MOST_LINES)):
            found += bare[last]
            if found == wanted:
                return list(page[first : last + 1])
            if not wanted.startswith(found):
                break
    return []


def largest_lines(page: Sequence[PdfLine], body: float) -> list[PdfLine]:
    """Return the largest lines in the upper part of the first page, where they look like a title."""
    by_height = sorted(page, key=lambda line: -line.box.top)
    upper = by_height[: max(4, round(UPPER_PART * len(by_height)))]
    candidates = [line for line in upper if sum(map(str.isalpha, line.text)) >= FEWEST_LETTERS]
    for size in sorted({line.size for line in candidates if line.size >= LARGEST * body}, reverse=True):
        found = _run([line for line in by_height if same_size(line.size, size)])
        text = " ".join(line.text for line in found)
        if len(text.split()) > 1 and len(text) <= LONGEST and len(found) <= MOST_LINES:
            return found
    return []


def _run(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the first of these lines and those that stand right below each other after it."""
    run = list(lines[:1])
    for line in lines[1:]:
        if run[-1].box.bottom - line.box.top > 1.2 * line.size:
            break
        run.append(line)
    return run


def _bare(text: str) -> str:
    return NOT_ALNUM.sub("", text).casefold()
