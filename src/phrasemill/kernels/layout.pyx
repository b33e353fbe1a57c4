"""Lines, headings, title and sentences: what follows from the layout of a text."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, INTS

from cython.cimports.cpython.array import clone
from cython.cimports.phrasemill.kernels._text import Letters, code_at, letters

TITLE_TOKENS = cython.declare(cython.int, 40)  # a first line that is longer is no title
HEADING_TOKENS = cython.declare(cython.int, 9)
_SLOTS = cython.declare(cython.uint, 1 << 13)


def breaks_words(text: str) -> bool:
    """Return whether a line may end within a word: with a hyphen, or what converters make of a soft one."""
    at: cython.Py_ssize_t = text.find("\n")
    while at > 0:
        last = text[at - 1]
        if last == "\r" and at > 1:
            last = text[at - 2]
        if last == "-" or last == "\u2010" or last == "\u00ad" or last == "\u00ac":
            return True
        at = text.find("\n", at + 1)
    return False


def line_places(text: str) -> list:
    """Return where each line with something in it starts and ends, without the space around it."""
    result: list = []
    size: cython.Py_ssize_t = len(text)
    start: cython.Py_ssize_t = 0
    while start < size:
        stop: cython.Py_ssize_t = text.find("\n", start)
        if stop < 0:
            stop = size
        last: cython.Py_ssize_t = stop
        while start < last and text[start].isspace():
            start += 1
        while start < last and text[last - 1].isspace():
            last -= 1
        if start < last:
            result.append((start, last))
        start = stop + 1
    return result


def prefixes(starts: frozenset) -> bytes:
    """Return what `beginning` takes: three letters each, in small letters."""
    result = bytearray(_SLOTS)
    one: str
    for one in starts:
        result[_slot(ord(one[0]), ord(one[1]), ord(one[2]))] = 1
    return bytes(result)


def beginning(text: str, lines: list, starts: cython.const[cython.uchar][::1]) -> list:
    """Return the numbers of the lines that may begin with one of the `prefixes`: all that do, in large letters or
    small, all with another character than ASCII's among the first three, and a few others. Spaces fill up lines that
    are shorter."""
    result: list = []
    view: Letters = letters(text)
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    for i in range(len(lines)):
        first, last = lines[i]
        a: cython.uint = _small(code_at(view, first))
        b: cython.uint = _small(code_at(view, first + 1)) if first + 1 < last else 32
        c: cython.uint = _small(code_at(view, first + 2)) if first + 2 < last else 32
        if (a | b | c) > 127 or starts[_slot(a, b, c)]:
            result.append(i)
    return result


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _small(code: cython.uint) -> cython.uint:
    return code + 32 if 65 <= code and code <= 90 else code


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _slot(a: cython.uint, b: cython.uint, c: cython.uint) -> cython.uint:
    """Return where three characters of ASCII are among the prefixes; some share a place."""
    return (a * 1089 + b * 33 + c) & (_SLOTS - 1)


def last_place(
    stem: cython.const[cython.int][::1],
    one: cython.int,
    other: cython.int,
    before: cython.Py_ssize_t,
    after: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the last token between two places, `after` not included, that has one of two stems; -1 for none."""
    i: cython.Py_ssize_t
    for i in range(before - 1, after, -1):
        if stem[i] == one or stem[i] == other:
            return i
    return -1


def lines(
    text: str,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    sentences: cython.const[cython.int][::1],
) -> tuple:
    """Return the line of each token, and for each line 1 where it looks like a heading: few tokens, no full stop, and
    something below. A line break within a sentence, which was wrapped, ends no line."""
    count: cython.Py_ssize_t = len(start)
    line_of = clone(INTS, count, True)
    line: cython.int[::1] = line_of
    current: cython.int = 0
    s: cython.Py_ssize_t = 0
    for i in range(count):
        if s < len(sentences) and sentences[s] == i:
            s += 1
            for j in range(end[i - 1], start[i]):
                if text[j] == "\n":
                    current += 1
                    break
        line[i] = current
    heading_of = clone(BYTES, current + 1, True)
    heading: cython.uchar[::1] = heading_of
    first: cython.Py_ssize_t = 0
    for i in range(count):
        if i + 1 < count and line[i + 1] != line[i]:
            last = text[end[i] - 1]
            if i + 1 - first <= HEADING_TOKENS and last != "." and last != "," and last != ";":
                heading[line[i]] = 1
            first = i + 1
    return line_of, heading_of


def sentence_numbers(sentences: cython.const[cython.int][::1], tokens: cython.Py_ssize_t) -> array:
    """Return the number of the sentence that each token stands in."""
    result = clone(INTS, tokens, True)
    out: cython.int[::1] = result
    i: cython.Py_ssize_t = 0
    for s in range(len(sentences)):
        while i < sentences[s]:
            out[i] = s
            i += 1
    return result


def title_end(
    line: cython.const[cython.int][::1], sentences: cython.const[cython.int][::1], body: cython.Py_ssize_t
) -> int:
    """Return the token at which the title ends: the first line, or sentence, where it is short enough, else none."""
    title: cython.Py_ssize_t = 0
    while title < body and line[title] == 0:
        title += 1
    if title == body or title > TITLE_TOKENS:
        title = min(sentences[0], body) if len(sentences) else 0
    return title if title <= TITLE_TOKENS else 0
