"""Hashes of stems and phrases, and tables of small numbers by hash: what the learned method has of other texts.

A table is two columns mapped from disk: fingerprints (32 bits, 0 for a free place) and, for each place, `width` small
numbers. A phrase that is not in the table is mistaken for one that is about once in a thousand million times.
"""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, FLOATS, INTS, ULONGS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# FNV-1a over code points; MIX is a multiplier of SplitMix64. Masks do nothing in C, where 64 bits wrap by themselves.
OFFSET = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
MIX = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LOW = cython.declare(cython.ulonglong, 0xFFFFFFFF)
AHEAD = cython.declare(cython.Py_ssize_t, 2048)  # keys whose places are touched before the first of them is looked at


def stem_hashes(stems: object) -> array:
    """Return one hash of 64 bits for each of the strings."""
    result = clone(ULONGS, len(stems), True)
    out: cython.ulonglong[::1] = result
    for i in range(len(stems)):
        text: str = stems[i]
        h = OFFSET
        for j in range(len(text)):
            h = ((h ^ cython.cast(cython.ulonglong, ord(text[j]))) * PRIME) & ALL
        out[i] = h
    return result


def phrase_counts(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    hashes: cython.const[cython.ulonglong][::1],
    fingerprints: cython.const[cython.uint][::1],
    df: cython.const[cython.uchar][::1],
    chosen: cython.const[cython.uchar][::1],
) -> tuple:
    """Return what a table of phrases has of each candidate: its two columns, 0 where it is not there.

    `hashes` are those of the stems.
    """
    count: cython.Py_ssize_t = len(first) - 1
    df_of = clone(BYTES, count, True)
    chosen_of = clone(BYTES, count, True)
    dfs: cython.uchar[::1] = df_of
    choices: cython.uchar[::1] = chosen_of
    keys: cython.ulonglong[::1] = clone(ULONGS, min(count, AHEAD), False)
    if len(stem) < _LONG:
        _phrase_counts(first, start, end, stem, hashes, fingerprints, df, chosen, count, keys, dfs, choices)
    else:
        with cython.nogil:
            _phrase_counts(first, start, end, stem, hashes, fingerprints, df, chosen, count, keys, dfs, choices)
    return df_of, chosen_of


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _phrase_counts(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    hashes: cython.const[cython.ulonglong][::1],
    fingerprints: cython.const[cython.uint][::1],
    df: cython.const[cython.uchar][::1],
    chosen: cython.const[cython.uchar][::1],
    count: cython.Py_ssize_t,
    keys: cython.ulonglong[::1],
    dfs: cython.uchar[::1],
    choices: cython.uchar[::1],
) -> cython.void:
    """Do what `phrase_counts` does."""
    size: cython.ulonglong = len(fingerprints)
    if size == 0:
        return
    touched: cython.uint = 0
    i: cython.Py_ssize_t
    c: cython.Py_ssize_t
    begin: cython.Py_ssize_t = 0
    while begin < count:
        stop: cython.Py_ssize_t = min(begin + AHEAD, count)
        for c in range(begin, stop):
            h: cython.ulonglong = 0
            for i in range(start[first[c]], end[first[c]]):
                h = _mixed(h, hashes[stem[i]])
            keys[c - begin] = h
            # Every place is touched before any is looked at, so that the waits for memory overlap.
            touched |= fingerprints[((h >> 32) * size) >> 32]
        if touched:  # else all of these places are free
            for c in range(begin, stop):
                place: cython.Py_ssize_t = _place(keys[c - begin], fingerprints)
                if place >= 0:
                    dfs[c] = df[place]
                    choices[c] = chosen[place]
        begin = stop


@cython.cclass
class Remembered:
    """The numbers of hashes that were met before, in the order in which they were added, from 1 on."""

    keys: cython.ulonglong[::1]
    numbers: cython.int[::1]
    count: cython.Py_ssize_t

    def __init__(self) -> None:
        self.keys = clone(ULONGS, 1024, True)
        self.numbers = clone(INTS, 1024, True)
        self.count = 0

    def __len__(self) -> int:
        return self.count

    @cython.cfunc
    @cython.exceptval(check=False)
    def slot(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """Return where a hash is, or would be."""
        last: cython.ulonglong = len(self.keys) - 1
        slot: cython.ulonglong = (key ^ (key >> 32)) & last
        while self.numbers[slot] != 0 and self.keys[slot] != key:
            slot = (slot + 1) & last
        return slot

    def look_up(self, hashes: cython.const[cython.ulonglong][::1]) -> tuple:
        """Return the number of each hash, 0 where it was not added; and those hashes."""
        result = clone(INTS, len(hashes), False)
        missing = clone(ULONGS, len(hashes), False)
        out: cython.int[::1] = result
        lacking: cython.ulonglong[::1] = missing
        found: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(len(hashes)):
            out[i] = self.numbers[self.slot(hashes[i])]
            if out[i] == 0:
                lacking[found] = hashes[i]
                found += 1
        del lacking
        del missing[found:]
        return result, missing

    def add(
        self,
        hashes: cython.const[cython.ulonglong][::1],
        places: cython.const[cython.int][::1],
        listed: cython.const[cython.int][::1],
        vectors: cython.const[cython.int][::1],
    ) -> tuple:
        """Add the hashes that have a place, not -1, in one of three tables; return the three columns of those that are
        new."""
        count: cython.Py_ssize_t = len(hashes)
        added: tuple = (clone(INTS, count, False), clone(INTS, count, False), clone(INTS, count, False))
        first: cython.int[::1] = added[0]
        second: cython.int[::1] = added[1]
        third: cython.int[::1] = added[2]
        found: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(count):
            if places[i] < 0 and listed[i] < 0 and vectors[i] < 0:
                continue
            slot: cython.Py_ssize_t = self.slot(hashes[i])
            if self.numbers[slot] != 0:
                continue
            if 2 * self.count >= len(self.keys):
                self.grow()
                slot = self.slot(hashes[i])
            self.count += 1
            self.keys[slot] = hashes[i]
            self.numbers[slot] = self.count
            first[found], second[found], third[found] = places[i], listed[i], vectors[i]
            found += 1
        del first, second, third
        for column in added:
            del column[found:]
        return added

    @cython.cfunc
    def grow(self) -> cython.void:
        """Make the table twice as large."""
        keys: cython.ulonglong[::1] = self.keys
        numbers: cython.int[::1] = self.numbers
        self.keys = clone(ULONGS, 2 * len(keys), True)
        self.numbers = clone(INTS, 2 * len(keys), True)
        i: cython.Py_ssize_t
        for i in range(len(keys)):
            if numbers[i] != 0:
                slot: cython.Py_ssize_t = self.slot(keys[i])
                self.keys[slot] = keys[i]
                self.numbers[slot] = numbers[i]


def phrase_hashes(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    hashes: cython.const[cython.ulonglong][::1],
) -> array:
    """Return one hash for each candidate, over the hashes of its stems."""
    count: cython.Py_ssize_t = len(first) - 1
    result = clone(ULONGS, count, True)
    out: cython.ulonglong[::1] = result
    i: cython.Py_ssize_t
    for c in range(count):
        h: cython.ulonglong = 0
        for i in range(start[first[c]], end[first[c]]):
            h = _mixed(h, hashes[stem[i]])
        out[c] = h
    return result


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.returns(cython.ulonglong)
def _mixed(h: cython.ulonglong, other: cython.ulonglong):
    """Return the hash of a phrase with one more stem."""
    h = (((h ^ other) & ALL) * MIX) & ALL
    return h ^ (h >> 31)


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.returns(cython.Py_ssize_t)
def _place(key: cython.ulonglong, fingerprints: cython.const[cython.uint][::1]):
    """Return the place of a key in a table that is not empty, -1 where it is not there."""
    size: cython.ulonglong = len(fingerprints)
    slot: cython.ulonglong = ((key >> 32) * size) >> 32
    wanted: cython.uint = key & LOW
    if wanted == 0:
        wanted = 1
    while fingerprints[slot] != 0:
        if fingerprints[slot] == wanted:
            return slot
        slot += 1
        if slot == size:
            slot = 0
    return -1


def find(
    keys: cython.const[cython.ulonglong][::1],
    fingerprints: cython.const[cython.uint][::1],
) -> array:
    """Return the place of each key in the table, -1 where it is not there."""
    count: cython.Py_ssize_t = len(keys)
    size: cython.ulonglong = len(fingerprints)
    result = clone(INTS, count, True)
    out: cython.int[::1] = result
    if size > 0:
        # Every place is touched before any is looked at, so that the waits for memory overlap.
        for i in range(count):
            out[i] = fingerprints[((keys[i] >> 32) * size) >> 32] & 1
    for i in range(count):
        out[i] = _place(keys[i], fingerprints) if size > 0 else -1
    return result


def has_room(fingerprints: cython.const[cython.uint][::1]) -> bool:
    """Return whether some place is free."""
    i: cython.Py_ssize_t = 0
    while i < len(fingerprints) and fingerprints[i] != 0:
        i += 1
    return i < len(fingerprints)


def fill(
    keys: cython.const[cython.ulonglong][::1],
    fingerprints: cython.uint[::1],
) -> array:
    """Put `keys`, all different, into an empty table; return the place of each."""
    count: cython.Py_ssize_t = len(keys)
    size: cython.ulonglong = len(fingerprints)
    result = clone(INTS, count, True)
    out: cython.int[::1] = result
    for i in range(count):
        slot = ((keys[i] >> 32) * size) >> 32
        wanted: cython.uint = keys[i] & LOW
        if wanted == 0:
            wanted = 1
        while fingerprints[slot] != 0:
            slot += 1
            if slot == size:
                slot = 0
        fingerprints[slot] = wanted
        out[i] = slot
    return result


def gather_vectors(
    places: cython.const[cython.int][::1], column: cython.const[cython.schar][::1], dimensions: cython.Py_ssize_t
) -> array:
    """Return the vector at each place, as numbers from -1 to 1; zeros where the place is -1."""
    count: cython.Py_ssize_t = len(places)
    result = clone(FLOATS, count * dimensions, True)
    out: cython.float[::1] = result
    for i in range(count):
        if places[i] >= 0:
            for j in range(dimensions):
                out[i * dimensions + j] = column[places[i] * dimensions + j] / cython.cast(cython.double, 127.0)
    return result
