"""Lines, headings, title and sentences: what follows from the layout of a text."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, INTS

from cython.cimports.cpython.array import clone

TITLE_TOKENS = cython.declare(cython.int, 40)  # a first line that is longer is no title
HEADING_TOKENS = cython.declare(cython.int, 9)


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
