"""Words that lines break: where lines end with a hyphen, how often the text has a word, and where the tokens of the
mended text lie in the original."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, INTS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.phrasemill.kernels._text import Letters, code_at, letters

_LONG = cython.declare(cython.Py_ssize_t, 5 * LONG)  # characters

_ALL = cython.declare(cython.uint, 0xFFFFFFFF)
_FIRST = cython.declare(cython.uint, 0x9E3779B1)
_MIDDLE = cython.declare(cython.uint, 0x85EBCA6B)
_LAST = cython.declare(cython.uint, 0xC2B2AE35)
_SIZE = cython.declare(cython.uint, 0x27D4EB2F)
_LETTER = cython.declare(cython.int, 1)  # or a digit
_HYPHEN = cython.declare(cython.int, 2)
_KINDS: bytes = bytes([1 if chr(code).isalnum() else 2 if chr(code) == "-" else 0 for code in range(256)])


def hyphens(text: str) -> list:
    """Return the places of the hyphens, or what converters make of soft ones, that end a line; spaces may follow."""
    result: list = []
    line: cython.Py_ssize_t = 0  # where the line begins
    i: cython.Py_ssize_t = text.find("\n")
    while i >= 0:
        j: cython.Py_ssize_t = i - 1
        while j >= line and text[j].isspace():
            j -= 1
        if j >= line:
            c: cython.Py_UCS4 = text[j]
            if c == "-" or c == "\u2010" or c == "\u00ad" or c == "\u00ac":
                result.append(j)
        line = i + 1
        i = text.find("\n", line)
    return result


def half_before(text: str, end: cython.Py_ssize_t, longest: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return where the word starts that ends at `end`: letters and digits with single hyphens inside, and no more than
    `longest` characters."""
    least: cython.Py_ssize_t = max(0, end - longest)
    i: cython.Py_ssize_t = end
    while i > least:
        c: cython.Py_UCS4 = text[i - 1]
        if c.isalnum():
            i -= 1
        elif (c == "-" or c == "\u2010") and i < end and i - 1 > least and text[i - 2].isalnum():
            i -= 2
        else:
            break
    return i


def count_words(text: str, counts: dict, present: dict) -> None:
    """Add to the values of `counts` how often each of its keys is a word of `text`: letters and digits, with single
    hyphens inside. Set the values of `present`, which has other keys, to 1 where the key is a word.

    The keys are in a table of chains, which is sparse, so that most other words meet none and no string is made. A key
    of `present` leaves it when it is met.
    """
    keys: list = [word for word in present if word]
    once: cython.int = len(keys)
    keys += [word for word in counts if word]
    slots: cython.Py_ssize_t = 256
    while slots < 16 * len(keys):
        slots *= 2
    mask: cython.uint = slots - 1
    head: cython.int[::1] = clone(INTS, slots, True)  # one more than the number of a key; 0 is none
    following: cython.int[::1] = clone(INTS, len(keys) + 1, True)
    found: cython.int[::1] = clone(INTS, len(keys) + 1, True)
    joined: str = "".join(keys)
    all_keys: Letters = letters(joined)
    place: cython.int[::1] = clone(INTS, len(keys) + 1, False)  # where keys end among all of them
    place[0] = 0
    word: str
    k: cython.int
    slot: cython.uint
    for k in range(1, len(keys) + 1):
        word = keys[k - 1]
        place[k] = place[k - 1] + len(word)
        slot = _slot(all_keys, place[k - 1], place[k]) & mask
        following[k] = head[slot]
        head[slot] = k
    kind: cython.const[cython.uchar][::1] = _kinds(text)
    view: Letters = letters(text)
    if len(text) < _LONG:
        _count(view, kind, all_keys, place, once, mask, head, following, found)
    else:
        with cython.nogil:
            _count(view, kind, all_keys, place, once, mask, head, following, found)
    for k in range(1, len(keys) + 1):
        if k <= once:
            present[keys[k - 1]] = found[k]
        else:
            counts[keys[k - 1]] += found[k]


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _count(
    text: Letters,
    kind: cython.const[cython.uchar][::1],
    keys: Letters,
    place: cython.const[cython.int][::1],
    once: cython.int,
    mask: cython.uint,
    head: cython.int[::1],
    following: cython.int[::1],
    found: cython.int[::1],
) -> cython.void:
    """Count the words that are keys; the first `once` of them leave the table when they are met."""
    size: cython.Py_ssize_t = len(kind)
    i: cython.Py_ssize_t = 0
    while i < size:
        if kind[i] != _LETTER:
            i += 1
            continue
        begin: cython.Py_ssize_t = i
        i += 1
        while i < size and (kind[i] == _LETTER or (kind[i] == _HYPHEN and i + 1 < size and kind[i + 1] == _LETTER)):
            i += 1
        slot: cython.uint = _slot(text, begin, i) & mask
        k: cython.int = head[slot]
        before: cython.int = 0
        while k > 0:
            if place[k] - place[k - 1] == i - begin and _same(text, begin, i, keys, place[k - 1]):
                found[k] += 1
                if k <= once and before > 0:
                    following[before] = following[k]
                elif k <= once:
                    head[slot] = following[k]
                break
            before = k
            k = following[k]


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _slot(text: Letters, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.uint:
    """Return a number for a word, from its length and three of its characters."""
    length: cython.Py_ssize_t = end - begin
    first: cython.uint = code_at(text, begin)
    middle: cython.uint = code_at(text, begin + (length >> 1))
    last: cython.uint = code_at(text, end - 1)
    size: cython.uint = length & 0xFF
    mixed: cython.uint = (first * _FIRST + middle * _MIDDLE + last * _LAST + size * _SIZE) & _ALL
    return mixed ^ (mixed >> 15)


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _same(
    text: Letters, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, other: Letters, at: cython.Py_ssize_t
) -> cython.bint:
    """Return whether what stands between two places also stands at a place of the other text."""
    i: cython.Py_ssize_t = 0
    while i < end - begin and code_at(text, begin + i) == code_at(other, at + i):
        i += 1
    return i == end - begin


@cython.cfunc
def _kinds(text: str) -> object:
    """Return for each character whether it is a letter or a digit, or a hyphen."""
    try:
        return text.encode("latin-1").translate(_KINDS)
    except UnicodeEncodeError:
        result = clone(BYTES, len(text), False)
        out: cython.uchar[::1] = result
        for i in range(len(text)):
            c: cython.Py_UCS4 = text[i]
            out[i] = _LETTER if c.isalnum() else _HYPHEN if c == "-" else 0
        return result


def moved(
    places: cython.const[cython.int][::1], starts: array, sources: array, size: cython.Py_ssize_t, ends: cython.bint
) -> array:
    """Return where `places`, in order, of a text of `size` characters lie in the original.

    Piece `i` of the text starts at `starts[i]`, and at `sources[i]` in the original. Where two pieces meet, the place
    is in the second, or in the first if places are `ends`.
    """
    count: cython.Py_ssize_t = len(places)
    result = clone(INTS, count, False)
    out: cython.int[::1] = result
    start: cython.const[cython.int][::1] = starts
    source: cython.const[cython.int][::1] = sources
    pieces: cython.Py_ssize_t = len(starts)
    piece: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t = start[1] if pieces > 1 else size + 1
    for i in range(count):
        while places[i] > after or (places[i] == after and not ends):
            piece += 1
            after = start[piece + 1] if piece + 1 < pieces else size + 1
        out[i] = places[i] + source[piece] - start[piece]
    return result
