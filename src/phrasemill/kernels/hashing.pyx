"""Hashes of stems and phrases, and tables of small numbers by hash: what the learned method has of other texts.

A table is two columns mapped from disk: fingerprints (32 bits, 0 for a free place) and, for each place, some small
numbers. A phrase that is not in the table is mistaken for one that is about once in a thousand million times.
"""

from cpython.array cimport array, clone

cdef enum: AHEAD = 2048  # keys whose places are touched before the first of them is looked at
cdef array INTS = array("i"), ULONGS = array("Q")


def stem_hashes(stems):
    """Return the hash of each of the strings."""
    cdef array result = clone(ULONGS, len(stems), False)
    for i in range(len(stems)):
        result.data.as_ulonglongs[i] = hashed(stems[i])
    return result


def phrase_hashes(
    const int[::1] first, const int[::1] start, const int[::1] end, const int[::1] stem, const unsigned long long[::1] hashes
):
    """Return one hash for each candidate, over the `hashes` of its stems."""
    cdef array result = clone(ULONGS, len(first) - 1, False)
    cdef unsigned long long h
    cdef Py_ssize_t c, i
    for c in range(len(first) - 1):
        h = 0
        for i in range(start[first[c]], end[first[c]]):
            h = mixed(h, hashes[stem[i]])
        result.data.as_ulonglongs[c] = h
    return result


def find(const unsigned long long[::1] keys, const unsigned int[::1] fingerprints):
    """Return the place of each key in the table, -1 where it is not there."""
    cdef array result = clone(INTS, len(keys), False)
    find_all(keys, fingerprints, result.data.as_ints)
    return result


cdef void find_all(const unsigned long long[::1] keys, const unsigned int[::1] table, int *out) noexcept nogil:
    cdef unsigned int touched = 0
    cdef Py_ssize_t i, begin, stop = 0
    while stop < len(keys):
        begin, stop = stop, min(stop + AHEAD, len(keys))
        if len(table):
            # Every place is touched before any is looked at, so that the waits for memory overlap.
            for i in range(begin, stop):
                touched |= table[slot_of(keys[i], len(table))]
        for i in range(begin, stop):
            out[i] = place_of(keys[i], table) if touched else -1  # else all of these places are free


def has_room(const unsigned int[::1] fingerprints):
    """Return whether some place is free."""
    cdef Py_ssize_t i
    for i in range(len(fingerprints)):
        if fingerprints[i] == 0:
            return True
    return False


def fill(const unsigned long long[::1] keys, unsigned int[::1] fingerprints):
    """Put `keys`, all different, into an empty table; return the place of each."""
    cdef array result = clone(INTS, len(keys), False)
    cdef Py_ssize_t i, slot
    for i in range(len(keys)):
        slot = slot_of(keys[i], len(fingerprints))
        while fingerprints[slot] != 0:
            slot = (slot + 1) % len(fingerprints)
        fingerprints[slot] = fingerprint(keys[i])
        result.data.as_ints[i] = slot
    return result
