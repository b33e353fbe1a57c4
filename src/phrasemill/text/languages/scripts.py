"""Scripts: which one a character belongs to, and the languages that are written in each."""

from typing import NamedTuple

from phrasemill.kernels.language import PAGE


class Script(NamedTuple):
    """A script: its name, its blocks of code points (first, last), and its languages by code.

    A script of one language decides at once. `weight` is what a letter counts for beside Latin ones: those stand in
    texts of all languages, as names, terms and program code, and one character of some scripts is half a word.
    """

    name: str
    blocks: tuple[tuple[int, int], ...]
    languages: tuple[str, ...]
    weight: float = 1.5


OTHER = "other"
SCRIPTS = (
    Script("Latin", ((0x0, 0x24F), (0x1E00, 0x1EFF)), (), 1.0),
    Script("Cyrillic", ((0x400, 0x4FF),), ()),
    Script("Arabic", ((0x600, 0x6FF), (0x750, 0x77F), (0xFB80, 0xFDFF), (0xFE80, 0xFEFF)), ()),
    Script("Devanagari", ((0x900, 0x97F),), ()),
    Script("Hebrew", ((0x580, 0x5FF),), ()),
    Script("Greek", ((0x380, 0x3FF), (0x1F00, 0x1FFF)), ("el",), 1.0),  # no more than Latin: formulas
    Script("Armenian", ((0x500, 0x57F),), ("hy",)),
    Script("Bengali", ((0x980, 0x9FF),), ("bn",)),
    Script("Gujarati", ((0xA80, 0xAFF),), ("gu",)),
    Script("Tamil", ((0xB80, 0xBFF),), ("ta",)),
    Script("Thai", ((0xE00, 0xE7F),), ("th",)),
    Script("Hangul", ((0x1100, 0x11FF), (0x3100, 0x317F), (0xAC00, 0xD7FF)), ("ko",), 3.0),
    Script("Kana", ((0x3000, 0x30FF),), ("ja",), 3.0),
    Script("Han", ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)), ("zh",), 3.0),
    Script(OTHER, (), ("und",)),  # Georgian, Telugu, Khmer …, whose languages have neither stopwords nor a stemmer
)
NUMBER = {script.name: number for number, script in enumerate(SCRIPTS)}


def _pages() -> bytes:
    """Return the script of every 128 code points, by number."""
    pages = bytearray([NUMBER[OTHER]]) * (0x40000 >> PAGE)
    for number, script in enumerate(SCRIPTS):
        for first, last in script.blocks:
            for page in range(first >> PAGE, (last >> PAGE) + 1):
                pages[page] = number
    return bytes(pages)


PAGES = _pages()
