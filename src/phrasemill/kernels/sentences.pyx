"""Sentences: the token at which each one ends.

A sentence ends at a terminator (`.`, `!`, `?` …) unless what follows goes on in lower case; at an abbreviation that
may close a sentence when a capitalised function word follows; at an empty line; and at a line break that looks meant.
"""

from array import array

import cython

from phrasemill.kernels._arrays import INTS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.phrasemill.kernels._text import Letters, at, is_upper_at, letters

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# Roles of a word type, as bits; `text/lexicon.py` sets them.
TERMINATOR = cython.declare(cython.int, 1)  # . ! ? … 。
CLOSER = cython.declare(cython.int, 2)  # quotes and closing brackets that still belong to the sentence
STOPPED = cython.declare(cython.int, 4)  # a word that keeps its full stop: etc. U.S. J.
BOUND = cython.declare(cython.int, 8)  # … and always leads on to the next word: Dr. Fig. e.g.
STARTER = cython.declare(cython.int, 16)  # a capitalised function word: The, However
LOWERCASE = cython.declare(cython.int, 32)  # begins with a lower-case letter
OPENER = cython.declare(cython.int, 64)  # [ and (
NUMBER = cython.declare(cython.int, 128)
ROLES = {
    "terminator": TERMINATOR,
    "closer": CLOSER,
    "stopped": STOPPED,
    "bound": BOUND,
    "starter": STARTER,
    "lowercase": LOWERCASE,
    "opener": OPENER,
    "number": NUMBER,
}

GLUED = cython.declare(cython.int, 0)
NEWLINE = cython.declare(cython.int, 2)
PARAGRAPH = cython.declare(cython.int, 3)

# Text counts as wrapped by hand or by a PDF when its lines end near one width, which lies between these.
NARROWEST = cython.declare(cython.int, 35)
WIDEST = cython.declare(cython.int, 130)
# Text without any punctuation is cut here, so that nothing that works within sentences grows with their square.
LONGEST = cython.declare(cython.int, 1000)


def wrap_width(text: str) -> cython.int:
    """Return the width at which the lines of `text` were wrapped, or 0 where each line is a paragraph of its own."""
    lines: cython.Py_ssize_t = 0
    capitals: cython.Py_ssize_t = 0
    # How many lines have each length; those that are too wide count as one character wider than the widest.
    long: cython.int[::1] = clone(INTS, WIDEST + 2, True)
    size: cython.Py_ssize_t = len(text)
    start: cython.Py_ssize_t = 0
    while start < size:
        stop: cython.Py_ssize_t = text.find("\n", start)
        if stop < 0:
            stop = size
        if stop > start:
            lines += 1
            long[min(stop - start, WIDEST + 1)] += 1
            capitals += text[start].isupper()
        start = stop + 1
    if lines < 4:
        return 0
    width: cython.Py_ssize_t = 0
    shorter: cython.Py_ssize_t = 0
    while shorter <= (lines * 9) // 10:  # nine of ten lines are no wider
        width += 1
        shorter += long[width]
    if width < NARROWEST or width > WIDEST:
        return 0
    full: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t
    for length in range((width * 7 + 9) // 10, WIDEST + 2):
        full += long[length]
    if full * 2 < lines:
        return 0
    return width if capitals * 4 <= lines * 3 else 0  # verses and entries of a list begin with a capital


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _runs_on(
    text: Letters,
    size: cython.Py_ssize_t,
    line: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether the line from `line` to `end` goes on in the next one, which begins in small letters at `start`:
    both are as long as those of wrapped prose, and nothing is indented."""
    length: cython.Py_ssize_t = end - line
    if length < NARROWEST or length > WIDEST or at(text, start - 1) != "\n":
        return False
    after: cython.Py_ssize_t = start
    while after < size and after - start <= WIDEST and at(text, after) != "\n":
        after += 1
    return after - start <= WIDEST


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _closes(
    i: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    gap: cython.const[cython.uchar][::1],
    types: cython.const[cython.int][::1],
    roles: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    """Return the last token of the sentence with a terminator at `i`: past closing quotes and glued citations [12]."""
    j: cython.Py_ssize_t = i
    depth: cython.int = 0
    while j + 1 < count and gap[j] == GLUED:
        role: cython.int = roles[types[j + 1]]
        if role & OPENER:
            depth += 1
        elif role & CLOSER:
            depth -= 1 if depth else 0
        elif not (role & TERMINATOR or (role & NUMBER) or depth):
            break
        j += 1
        if j - i > 12:
            return i
    return j


def split(
    text: str,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    gap: cython.const[cython.uchar][::1],
    types: cython.const[cython.int][::1],
    roles: cython.const[cython.uchar][::1],
    line: cython.Py_ssize_t = 0,
) -> array:
    """Return the exclusive end of each sentence, counted in tokens; the first token stands in the line that begins at
    the character `line`."""
    count: cython.Py_ssize_t = len(start)
    result = clone(INTS, count, True)
    out: cython.int[::1] = result
    view: Letters = letters(text)
    size: cython.Py_ssize_t = len(text)
    i: cython.Py_ssize_t = 0
    while i < count and gap[i] != NEWLINE:
        i += 1
    width: cython.Py_ssize_t = wrap_width(text) if i < count else 0
    small: cython.bint = i < count and width == 0 and text.islower()
    found: cython.Py_ssize_t
    if count < _LONG:
        found = _split(view, size, start, end, gap, types, roles, width, small, line, out)
    else:
        with cython.nogil:
            found = _split(view, size, start, end, gap, types, roles, width, small, line, out)
    del out
    del result[found:]
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _split(
    text: Letters,
    size: cython.Py_ssize_t,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    gap: cython.const[cython.uchar][::1],
    types: cython.const[cython.int][::1],
    roles: cython.const[cython.uchar][::1],
    width: cython.Py_ssize_t,
    small: cython.bint,
    line: cython.Py_ssize_t,
    out: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill `out`, and return how many sentences there are; `width` is the `wrap_width`, `small` whether the text has no
    capitals, and `line` where the current line starts."""
    count: cython.Py_ssize_t = len(start)
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t = 0  # where the current sentence starts
    while i < count:
        role: cython.int = roles[types[i]]
        last = i
        ends: cython.bint = gap[i] == PARAGRAPH
        if not ends and role & TERMINATOR:
            last = _closes(i, count, gap, types, roles)
            next_role: cython.int = roles[types[last + 1]] if last + 1 < count else 0
            if gap[last] == GLUED:
                # No space is needed after 。; after a full stop one is missing where a capital follows.
                ends = at(text, start[i]) > "\u2fff" or (last + 1 < count and is_upper_at(text, start[last + 1]))
            elif gap[last] == PARAGRAPH:
                ends = True
            else:
                # 2. Methods: a number that opens a sentence is a label.
                ends = not next_role & LOWERCASE and not (i == begin + 1 and roles[types[begin]] & NUMBER)
        elif not ends and role & STOPPED and not role & BOUND:
            next_role = roles[types[i + 1]] if i + 1 < count else 0
            ends = next_role & STARTER != 0
        if not ends and gap[last] == NEWLINE:
            next_role = roles[types[last + 1]] if last + 1 < count else 0
            if width == 0:
                # In a text without capitals small letters say nothing.
                ends = small or not (next_role & LOWERCASE and _runs_on(text, size, line, end[last], start[last + 1]))
            else:
                # A break is meant where the next word would still have fitted on the line, by some margin.
                ends = not next_role & LOWERCASE and (
                    (end[last] - line) + 1 + (end[last + 1] - start[last + 1]) < (width * 4) // 5
                )
        if last + 1 - begin >= LONGEST:
            ends = True
        if gap[last] >= NEWLINE and last + 1 < count:
            line = start[last + 1]
        if ends:
            begin = out[found] = last + 1
            found += 1
        i = last + 1
    if found == 0 or out[found - 1] != count:
        if count:
            out[found] = count
            found += 1
    return found
