"""From tokens to columns: word types looked up once, then numbered within the document."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, INTS, ULONGS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# What `look_up` remembers of recent words: sets of two entries, each of up to 24 characters of 8 bits in three whole
# numbers, and the type and the length in a fourth. A set fills a cache line.
_ENTRY = cython.declare(cython.int, 4)
_SET = cython.declare(cython.int, 8)
_WINDOW = cython.declare(cython.Py_ssize_t, 1 << 20)  # characters that `look_up` has as bytes
_LONGEST = cython.declare(cython.int, 24)
_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_LOW = cython.declare(cython.ulonglong, 0xFFFFFFFF)
_FIRST = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_SECOND = cython.declare(cython.ulonglong, 0xC2B2AE3D27D4EB4F)
_THIRD = cython.declare(cython.ulonglong, 0x165667B19E3779F9)


def recent_words(sets: int) -> array:
    """Return room for the words that `look_up` remembers; `sets` is a power of two."""
    return clone(ULONGS, _SET * sets, True)


def look_up(
    text: str,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    known: dict,
    fresh: list,
    recent: cython.ulonglong[::1],
    first: cython.Py_ssize_t,
    least: cython.Py_ssize_t,
    most: cython.Py_ssize_t,
    room: cython.Py_ssize_t,
) -> array:
    """Return the type of each token from `first` on, from `known`; those not met before are added to it, with the next
    number each, and to the list `fresh`. Ends early where more than `most` types would be known or the new ones have
    more than `room` characters, but not within the first `least` tokens.

    Short words are looked for among the `recent` ones first, which takes no string and no look-up in a dictionary.
    """
    count: cython.Py_ssize_t = len(start)
    last_set: cython.ulonglong = len(recent) // _SET - 1
    result = clone(INTS, count - first, False)
    out: cython.int[::1] = result
    raw: cython.const[cython.uchar][::1] = b""
    base: cython.Py_ssize_t = 0  # the characters from here …
    upto: cython.Py_ssize_t = 0  # … to here are in `raw`
    of_bytes: cython.bint = False
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for i in range(first, count):
        a: cython.ulonglong = 0
        b: cython.ulonglong = 0
        c: cython.ulonglong = 0
        shift: cython.int = 0
        begin: cython.Py_ssize_t = start[i]
        length: cython.Py_ssize_t = end[i] - begin
        if end[i] > upto or begin < base:
            base = begin if begin > _WINDOW else 0
            upto = max(min(base + _WINDOW, len(text)), end[i])
            raw = _bytes(text[base:upto])
            of_bytes = len(raw) > 0
        size: cython.ulonglong = length
        short: cython.bint = 0 < length and length <= _LONGEST
        if short and of_bytes:
            a = _eight(raw, begin - base, length)
            if length > 8:
                b = _eight(raw, begin - base + 8, length - 8)
                if length > 16:
                    c = _eight(raw, begin - base + 16, length - 16)
        elif short:
            for j in range(begin, end[i]):
                code: cython.ulonglong = ord(text[j])
                if code > 255:
                    short = False
                    break
                if shift < 64:
                    a |= code << shift
                elif shift < 128:
                    b |= code << (shift - 64)
                else:
                    c |= code << (shift - 128)
                shift += 8
        if short:
            h: cython.ulonglong = ((a * _FIRST) & _ALL) ^ ((b * _SECOND) & _ALL) ^ ((c * _THIRD) & _ALL)
            h ^= h >> 32
            at = ((h ^ (h >> 16)) & last_set) * _SET
            if recent[at] == a and recent[at + 1] == b and recent[at + 2] == c and recent[at + 3] >> 32 == size:
                out[i - first] = recent[at + 3] & _LOW
                continue
            if recent[at + 4] == a and recent[at + 5] == b and recent[at + 6] == c and recent[at + 7] >> 32 == size:
                out[i - first] = recent[at + 7] & _LOW
                continue
        surface: str = text[begin : end[i]]
        found = known.get(surface)
        if found is None:
            if i - first >= least and (len(known) > most or room < 0):
                del out
                del result[i - first :]
                return result
            room -= length
            found = len(known)
            known[surface] = found
            fresh.append(surface)
        number: cython.int = found
        out[i - first] = number
        if short:
            for k in range(at, at + _ENTRY):
                recent[k + _ENTRY] = recent[k]
            recent[at] = a
            recent[at + 1] = b
            recent[at + 2] = c
            recent[at + 3] = size << 32 | number
    return result


@cython.cfunc
def _bytes(text: str) -> bytes:
    """Return the characters as bytes, and eight more; nothing where one does not fit into a byte."""
    try:
        return text.encode("latin-1") + b"\0\0\0\0\0\0\0\0"
    except UnicodeEncodeError:
        return b""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _eight(raw: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, length: cython.Py_ssize_t) -> cython.ulonglong:
    """Return the bytes at a place, `length` of them and at most eight, as one number."""
    # Written out so that compilers make one load of it.
    low: cython.ulonglong = raw[at]
    value: cython.ulonglong = low
    low = raw[at + 1]
    value |= low << 8
    low = raw[at + 2]
    value |= low << 16
    low = raw[at + 3]
    value |= low << 24
    low = raw[at + 4]
    value |= low << 32
    low = raw[at + 5]
    value |= low << 40
    low = raw[at + 6]
    value |= low << 48
    low = raw[at + 7]
    value |= low << 56
    return value if length >= 8 else value & (_ALL >> (64 - 8 * length))


def numbers(strings: list, known: dict) -> tuple:
    """Return the number that `known` has for each of the strings, -1 for none; and the strings that are not in it."""
    count: cython.Py_ssize_t = len(strings)
    result = clone(INTS, count, True)
    out: cython.int[::1] = result
    missing: list = []
    for i in range(count):
        found = known.get(strings[i])
        if found is None:
            missing.append(strings[i])
            out[i] = -1
        else:
            out[i] = found
    return result, missing


def renumbered(column: cython.const[cython.int][::1], number: cython.const[cython.int][::1]) -> array:
    """Return the column with each number replaced by what `number` has for it."""
    result = clone(INTS, len(column), False)
    out: cython.int[::1] = result
    for i in range(len(column)):
        out[i] = number[column[i]]
    return result


def grouped(column: cython.const[cython.int][::1], groups: cython.Py_ssize_t) -> tuple:
    """Return the places of each number below `groups` in a column, the places of 0 first; and before how many of them
    those of each number begin, with one more entry for the end."""
    firsts = clone(INTS, groups + 1, True)
    places = clone(INTS, len(column), False)
    first: cython.int[::1] = firsts
    out: cython.int[::1] = places
    i: cython.Py_ssize_t
    for i in range(len(column)):
        first[column[i]] += 1
    for i in range(groups):
        first[i + 1] += first[i]
    for i in range(len(column) - 1, -1, -1):
        first[column[i]] -= 1
        out[first[column[i]]] = i
    return firsts, places


def places(column: cython.const[cython.int][::1], number: cython.int, most: cython.Py_ssize_t) -> list:
    """Return the first places of a number in a column, at most so many."""
    result: list = []
    i: cython.Py_ssize_t
    for i in range(len(column)):
        if column[i] == number:
            if len(result) == most:
                break
            result.append(i)
    return result


def within_document(
    types: cython.const[cython.int][::1],
    word_of: cython.const[cython.int][::1],
    stem_of: cython.const[cython.int][::1],
    kind_of: cython.const[cython.uchar][::1],
    words: list,
    stems: list,
    scratch: cython.int[::1],
) -> tuple:
    """Return the kind, the word and the stem of each token, as three columns, then the words and the stems.

    Words and stems are numbered by their first occurrence in the document. `word_of`, `stem_of` and `kind_of` are those
    of each type, `words` and `stems` all that are known. `scratch` holds -1 for each of them, before and after.
    """
    count: cython.Py_ssize_t = len(types)
    kinds = clone(BYTES, count, False)
    word = clone(INTS, count, False)
    stem = clone(INTS, count, False)
    kind: cython.uchar[::1] = kinds
    ids: cython.int[::1] = clone(INTS, count, False)
    for i in range(count):
        kind[i] = kind_of[types[i]]
    found_words = _numbered(types, word_of, words, scratch, word, ids)
    found_stems = _numbered(types, stem_of, stems, scratch, stem, ids)
    return kinds, word, stem, found_words, found_stems


@cython.cfunc
def _numbered(
    types: cython.const[cython.int][::1],
    of_type: cython.const[cython.int][::1],
    strings: list,
    scratch: cython.int[::1],
    out: cython.int[::1],
    ids: cython.int[::1],
) -> list:
    """Number the strings `of_type[types[i]]` by first occurrence: fill the column, and return the strings in order."""
    found: cython.int
    if len(types) < _LONG:
        found = _number(types, of_type, scratch, out, ids)
    else:
        with cython.nogil:
            found = _number(types, of_type, scratch, out, ids)
    result: list = []
    for i in range(found):
        scratch[ids[i]] = -1
        result.append(strings[ids[i]])
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _number(
    types: cython.const[cython.int][::1],
    of_type: cython.const[cython.int][::1],
    scratch: cython.int[::1],
    out: cython.int[::1],
    ids: cython.int[::1],
) -> cython.int:
    """Fill the column `out`, and `ids` with the strings in order; return how many there are."""
    found: cython.int = 0
    for i in range(len(types)):
        one = of_type[types[i]]
        if scratch[one] < 0:
            scratch[one] = found
            ids[found] = one
            found += 1
        out[i] = scratch[one]
    return found
