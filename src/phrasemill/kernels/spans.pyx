"""Candidate occurrences: found as n-grams, and grouped by stemmed form."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, INTS, ULONGS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
NUMBER = cython.declare(cython.int, 4)

_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_LOW = cython.declare(cython.ulonglong, 0xFFFFFFFF)
_FACTOR = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)


def ngrams(
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    longest: cython.int,
    inner: cython.bint,
    numbers: cython.bint,
) -> tuple:
    """Return token bounds of all runs of up to `longest` words in one sentence that neither start nor end with a
    stopword: two columns, ordered by start, then by length. `inner` lets stopwords stand inside, `numbers` lets numbers
    stand beside words."""
    count: cython.Py_ssize_t = len(kind)
    allowed: cython.int = WORD | NUMBER if numbers else WORD
    room: cython.Py_ssize_t = 0
    run: cython.Py_ssize_t = 0
    for i in range(count):
        run = run + 1 if kind[i] & allowed else 0
        room += min(run, longest)
    starts = clone(INTS, room, True)
    ends = clone(INTS, room, True)
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    found: cython.Py_ssize_t
    if count < _LONG:
        found = _ngrams(kind, sentences, longest, inner, allowed, start, end)
    else:
        with cython.nogil:
            found = _ngrams(kind, sentences, longest, inner, allowed, start, end)
    del start, end
    del starts[found:], ends[found:]
    return starts, ends


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _ngrams(
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    longest: cython.int,
    inner: cython.bint,
    allowed: cython.int,
    start: cython.int[::1],
    end: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill `start` and `end`, and return how many there are."""
    i: cython.Py_ssize_t
    found: cython.Py_ssize_t = 0
    i = 0
    for s in range(len(sentences)):
        limit: cython.Py_ssize_t = sentences[s]
        while i < limit:
            if kind[i] & allowed and not kind[i] & STOPWORD:
                words = False
                for j in range(i, min(i + longest, limit)):
                    if not kind[j] & allowed or (not inner and kind[j] & STOPWORD):
                        break
                    if kind[j] & WORD:
                        words = True
                    if words and not kind[j] & STOPWORD:
                        start[found] = i
                        end[found] = j + 1
                        found += 1
            i += 1
    return found


def mask(
    tag: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    nominal: cython.const[cython.uchar][::1],
) -> array:
    """Return the tags, but 0 for what is no word or number, and for stopwords with a `nominal` tag."""
    count: cython.Py_ssize_t = len(tag)
    result = clone(BYTES, count, True)
    out: cython.uchar[::1] = result
    for i in range(count):
        if kind[i] & (WORD | NUMBER) and not (kind[i] & STOPWORD and nominal[tag[i]]):
            out[i] = tag[i]
    return result


def noun_phrases(
    tag: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    adjective: cython.const[cython.uchar][::1],
    noun: cython.const[cython.uchar][::1],
    longest: cython.Py_ssize_t,
) -> tuple:
    """Return token bounds of any number of adjectives and then at least one noun, as many as stand together within a
    sentence, but not of more than `longest` tokens: two columns. `adjective` and `noun` have 1 at the codes of tags."""
    count: cython.Py_ssize_t = len(tag)
    starts = clone(INTS, count, False)
    ends = clone(INTS, count, False)
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    s: cython.Py_ssize_t
    for s in range(len(sentences)):
        stop: cython.Py_ssize_t = sentences[s]
        while i < stop:
            begin: cython.Py_ssize_t = i
            while i < stop and adjective[tag[i]]:
                i += 1
            nouns: cython.Py_ssize_t = i
            while i < stop and noun[tag[i]]:
                i += 1
            if i > nouns:
                if i - begin <= longest:
                    start[found] = begin
                    end[found] = i
                    found += 1
            elif i == begin:
                i += 1
    del start, end
    del starts[found:], ends[found:]
    return starts, ends


@cython.cfunc
@cython.exceptval(check=False)
def _highest(stem: cython.const[cython.int][::1]) -> cython.int:
    """Return the highest number of a stem, -1 for none."""
    highest: cython.int = -1
    i: cython.Py_ssize_t
    for i in range(len(stem)):
        highest = max(highest, stem[i])
    return highest


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _same(
    stem: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether two occurrences have the same stems."""
    length: cython.Py_ssize_t = end[a] - start[a]
    if end[b] - start[b] != length:
        return False
    i: cython.Py_ssize_t = 0
    while i < length and stem[start[a] + i] == stem[start[b] + i]:
        i += 1
    return i == length


def group(
    stem: cython.const[cython.int][::1], start: cython.const[cython.int][::1], end: cython.const[cython.int][::1]
) -> tuple:
    """Group occurrences with the same stems: `first`, `start` and `end` as `types.Candidates` has them.

    A form of one stem is found in a column over stems. All others are found by their hash in an open-addressing table,
    and compared stem by stem with the first of their group, so that no string or tuple is made.
    """
    count: cython.Py_ssize_t = len(start)
    longer: cython.Py_ssize_t = 0
    o: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for o in range(count):
        longer += end[o] - start[o] != 1
    size: cython.Py_ssize_t = 16
    while 2 * size < 3 * longer:
        size *= 2
    groups: cython.int[::1] = clone(INTS, count, False)
    slots: cython.ulonglong[::1] = clone(ULONGS, size, True)
    group_of: cython.int[::1] = clone(INTS, _highest(stem) + 1, True)
    found: cython.int
    if count < _LONG:
        found = _numbered(stem, start, end, slots, group_of, groups)
    else:
        with cython.nogil:
            found = _numbered(stem, start, end, slots, group_of, groups)
    del slots, group_of  # before there are more columns
    firsts = clone(INTS, found + 1, True)
    starts = clone(INTS, count, True)
    ends = clone(INTS, count, True)
    first: cython.int[::1] = firsts
    out_start: cython.int[::1] = starts
    out_end: cython.int[::1] = ends
    for o in range(count):
        first[groups[o] + 1] += 1
    for i in range(found):
        first[i + 1] += first[i]
    # A counting sort: `first` is moved on while filling, then moved back.
    for o in range(count):
        g = groups[o]
        out_start[first[g]] = start[o]
        out_end[first[g]] = end[o]
        first[g] += 1
    for i in range(found, 0, -1):
        first[i] = first[i - 1]
    first[0] = 0
    return firsts, starts, ends


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _numbered(
    stem: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    slots: cython.ulonglong[::1],
    group_of: cython.int[::1],
    groups: cython.int[::1],
) -> cython.int:
    """Fill `groups` with the group of each occurrence, and return how many there are.

    `slots` are the table: the upper half of a hash, and one more than the first occurrence; 0 for a free one.
    `group_of` has one more than the group by stem, for forms of one.
    """
    mask: cython.ulonglong = len(slots) - 1
    found: cython.int = 0
    o: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for o in range(len(start)):
        if end[o] - start[o] == 1:
            i = stem[start[o]]
            if group_of[i] == 0:
                found += 1
                group_of[i] = found
            groups[o] = group_of[i] - 1
            continue
        key: cython.ulonglong = 0
        for i in range(start[o], end[o]):
            one: cython.ulonglong = stem[i]
            key = ((key ^ (key >> 29) ^ (one + 1)) * _FACTOR) & _ALL
        slot: cython.ulonglong = (key ^ (key >> 32)) & mask
        while slots[slot] != 0:
            if (slots[slot] ^ key) >> 32 == 0 and _same(stem, start, end, o, (slots[slot] & _LOW) - 1):
                break
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            slots[slot] = (key & ~_LOW) | (o + 1)
            groups[o] = found
            found += 1
        else:
            groups[o] = groups[(slots[slot] & _LOW) - 1]
    return found


def forms(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    stems: list,
) -> list:
    """Return the stemmed form of each candidate: the stems of its first occurrence, joined by spaces."""
    result: list = []
    i: cython.Py_ssize_t
    for c in range(len(first) - 1):
        o: cython.Py_ssize_t = first[c]
        if end[o] - start[o] == 1:
            result.append(stems[stem[start[o]]])
        else:
            parts: list = []
            for i in range(start[o], end[o]):
                parts.append(stems[stem[i]])
            result.append(" ".join(parts))
    return result
