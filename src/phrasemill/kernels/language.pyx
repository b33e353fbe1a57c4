"""The evidence for each language in a text: weights of the parts of its words, added up.

A part of a word is the whole word, three letters of it, or the first or last three; its hash is the row of its weights.
All of it is whole numbers, so every machine finds the same.
"""

from array import array

import cython

from phrasemill.kernels._arrays import INTS, SHORTS

from cython.cimports.cpython.array import clone

_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_FIRST = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_SECOND = cython.declare(cython.ulonglong, 0xC2B2AE3D27D4EB4F)
_THIRD = cython.declare(cython.ulonglong, 0x165667B19E3779F9)
_MIX = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_WORD = cython.declare(cython.ulonglong, 0x1000000)
_PREFIX = cython.declare(cython.ulonglong, 0x2000000)
_SUFFIX = cython.declare(cython.ulonglong, 0x3000000)
_PAGE = cython.declare(cython.int, 7)  # bits of a code point within its page
_MARKS = cython.declare(cython.int, 0x590)  # from here on, signs that are no letters belong to words
_LONGEST = cython.declare(cython.int, 32)  # longer words are data
PAGE = _PAGE


@cython.cfunc
@cython.inline
def _hash(kind: cython.ulonglong, a: cython.ulonglong, b: cython.ulonglong, c: cython.ulonglong) -> cython.ulonglong:
    h: cython.ulonglong = (((a + kind) * _FIRST) & _ALL) ^ ((b * _SECOND) & _ALL) ^ ((c * _THIRD) & _ALL)
    return ((h ^ (h >> 32)) * _MIX) & _ALL


def letters(text: str, pages: cython.const[cython.uchar][::1], scripts: cython.int) -> array:
    """Return how many letters of each script are in `text`; `pages` has the script of every 128 code points."""
    result = clone(INTS, scripts, True)
    counts: cython.int[::1] = result
    size: cython.Py_ssize_t = len(pages)
    for i in range(len(text)):
        c: cython.Py_UCS4 = text[i]
        page: cython.Py_ssize_t = ord(c) >> _PAGE
        if page < size and c.isalpha():
            counts[pages[page]] += 1
    return result


def parts(text: str, pages: cython.const[cython.uchar][::1], script: cython.int, bits: cython.int) -> tuple:
    """Return the rows of all parts of the words in `script` (hashes of so many bits), and how many words differ, as far
    as 64 bits can tell.

    `text` is in lower case.
    """
    result = clone(INTS, _room(text), False)
    used, words = _parts(text, pages, script, bits, result)
    return result[:used], words


def recognised(
    text: str,
    pages: cython.const[cython.uchar][::1],
    script: cython.int,
    bits: cython.int,
    weights: cython.const[cython.schar][::1],
    bias: cython.const[cython.int][::1],
    default: cython.Py_ssize_t,
) -> tuple:
    """Return what `best` returns for the `parts` of the words in `script`, and how many words differ."""
    rows: cython.int[::1] = clone(INTS, _room(text), False)
    used, words = _parts(text, pages, script, bits, rows)
    first, ahead, ahead_of_default = _best(rows, used, weights, bias, default)
    return first, ahead, ahead_of_default, words


@cython.cfunc
@cython.inline
@cython.returns(cython.Py_ssize_t)
def _room(text: str):
    """Return the most parts that the words of a text may have: n + 3 for one of n letters, and something follows it."""
    return 3 * len(text) + 8


@cython.cfunc
@cython.returns((cython.Py_ssize_t, cython.int))
def _parts(
    text: str,
    pages: cython.const[cython.uchar][::1],
    script: cython.int,
    bits: cython.int,
    out: cython.int[::1],
):
    """Fill `out` with the rows of all parts; return how many there are, and how many words differ."""
    shift: cython.int = 64 - bits
    size: cython.Py_ssize_t = len(text)
    used: cython.Py_ssize_t = 0
    seen: cython.ulonglong = 0
    one: cython.ulonglong = 1
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    while i < size:
        start: cython.Py_ssize_t = i
        while i < size and _belongs(text[i], pages, script):
            i += 1
        length: cython.Py_ssize_t = i - start
        if length == 0:
            i += 1
            continue
        if length > _LONGEST:
            continue
        whole: cython.ulonglong = _WORD
        before: cython.ulonglong = 32
        here: cython.ulonglong = 32
        after: cython.ulonglong = ord(text[start])
        for j in range(start, i):
            before, here = here, after
            after = ord(text[j + 1]) if j + 1 < i else 32
            whole = ((whole ^ here) * _MIX) & _ALL
            out[used] = _hash(0, before, here, after) >> shift
            used += 1
        seen |= one << (whole >> 58)
        if length > 1:
            out[used] = whole >> shift
            used += 1
        if length > 3:
            out[used] = _hash(_PREFIX, ord(text[start]), ord(text[start + 1]), ord(text[start + 2])) >> shift
            out[used + 1] = _hash(_SUFFIX, ord(text[i - 3]), ord(text[i - 2]), ord(text[i - 1])) >> shift
            used += 2
    words: cython.int = 0
    while seen:
        words += seen & 1
        seen >>= 1
    return used, words


@cython.cfunc
@cython.inline
def _belongs(c: cython.Py_UCS4, pages: cython.const[cython.uchar][::1], script: cython.int) -> cython.bint:
    """Return whether `c` continues a word in `script`."""
    code: cython.Py_ssize_t = ord(c)
    if code < 128:
        return 97 <= code <= 122 and script == 0
    page: cython.Py_ssize_t = code >> _PAGE
    return page < len(pages) and pages[page] == script and (c.isalpha() or code >= _MARKS)


def best(
    rows: cython.const[cython.int][::1],
    weights: cython.const[cython.schar][::1],
    bias: cython.const[cython.int][::1],
    default: cython.Py_ssize_t,
) -> tuple:
    """Return the language whose weights of `rows` sum up highest, on top of its `bias`, and how far it is ahead: of the
    second, and of the language `default`."""
    return _best(rows, len(rows), weights, bias, default)


@cython.cfunc
@cython.returns((cython.Py_ssize_t, cython.int, cython.int))
def _best(
    rows: cython.const[cython.int][::1],
    count: cython.Py_ssize_t,
    weights: cython.const[cython.schar][::1],
    bias: cython.const[cython.int][::1],
    default: cython.Py_ssize_t,
):
    """Do what `best` does, for the first `count` rows."""
    languages: cython.Py_ssize_t = len(bias)
    out: cython.int[::1] = array("i", bias)
    part: cython.short[::1] = clone(SHORTS, languages, True)
    begin: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    while begin < count:
        end: cython.Py_ssize_t = min(begin + 256, count)  # the sum of so many weights fits 16 bits
        for i in range(begin, end):
            at: cython.Py_ssize_t = rows[i] * languages
            for k in range(languages):
                part[k] = part[k] + weights[at + k]
        for k in range(languages):
            out[k] += part[k]
            part[k] = 0
        begin = end
    first: cython.Py_ssize_t = 0
    second: cython.Py_ssize_t = 1
    if out[1] > out[0]:
        first, second = 1, 0
    for k in range(2, languages):
        if out[k] > out[first]:
            second = first
            first = k
        elif out[k] > out[second]:
            second = k
    return first, out[first] - out[second], out[first] - out[default]
