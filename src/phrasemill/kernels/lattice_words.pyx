"""Words that may stand in a text without spaces: those that a lexicon has, and short runs that it does not have."""

from array import array

import cython

_LISTED = cython.declare(cython.int, 8)  # the longest word of a lexicon
_UNLISTED = cython.declare(cython.int, 6)  # the longest other word …
_RUN = cython.declare(cython.int, 16)  # … unless it is all katakana
LISTED = _LISTED
_KATAKANA = cython.declare(cython.int, 4)  # a kind of unit (lattice_units.py); those of other tokens are higher
_BEGINS = cython.declare(cython.int, 1)
_CONTINUES = cython.declare(cython.int, 2)

_SEED = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
_PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
_MIX = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
# Numbers as wide as these are Python's unless they have a name.
_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_LOW = cython.declare(cython.ulonglong, 0xFFFFFFFF)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _step(h: cython.ulonglong, value: cython.ulonglong) -> cython.ulonglong:
    return ((h ^ value) * _PRIME) & _ALL


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _mark(bits: cython.uchar[::1], h: cython.uint) -> cython.void:
    """Set the bit for the highest 20 bits of a hash.

    Most of what is looked up is not there; such bits say so within a cache that the tables do not fit in.
    """
    bits[h >> 15] |= 1 << ((h >> 12) & 7)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _marked(bits: cython.uchar[::1], h: cython.uint) -> cython.bint:
    return (bits[h >> 15] >> ((h >> 12) & 7)) & 1


@cython.ccall
@cython.exceptval(check=False)
def word_key(word: str) -> cython.ulonglong:
    """Return the hash of a word of characters, as in a lexicon: 64 bits, for kernels/hashing.py."""
    h: cython.ulonglong = _SEED
    for i in range(len(word)):
        h = _step(h, ord(word[i]))
    h = ((h ^ (h >> 30)) * _MIX) & _ALL
    return h ^ (h >> 27)


@cython.cclass
class Words:
    """A lexicon: fingerprints of words in a table that has room (kernels/hashing.py), and the class of each."""

    fingerprints: cython.const[cython.uint][::1]
    classes: cython.const[cython.uchar][::1]
    present: cython.uchar[::1]

    def __init__(self, fingerprints: object, classes: object) -> None:
        self.fingerprints = fingerprints
        self.classes = classes
        self.present = bytearray(1 << 17)
        for i in range(len(self.fingerprints)):
            _mark(self.present, self.fingerprints[i])

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, h: cython.ulonglong) -> cython.int:
        """Return the class of the word with this hash, 0 if it is not there."""
        size: cython.ulonglong = len(self.fingerprints)
        h = ((h ^ (h >> 30)) * _MIX) & _ALL
        h = h ^ (h >> 27)
        wanted: cython.uint = h & _LOW
        if wanted == 0:
            wanted = 1
        if not _marked(self.present, wanted):
            return 0
        slot: cython.ulonglong = ((h >> 32) * size) >> 32
        while self.fingerprints[slot] != 0:
            if self.fingerprints[slot] == wanted:
                return self.classes[slot]
            slot += 1
            if slot == size:
                slot = 0
        return 0


def look_up(
    code: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    joined: cython.const[cython.uchar][::1],
    words: Words,
) -> array:
    """Return the lexicon's class of each run of one to _LISTED units, _LISTED entries per unit, 0 if it has none."""
    n: cython.Py_ssize_t = len(code)
    result = array("B", bytes(n * _LISTED))
    out: cython.uchar[::1] = result
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    last: cython.Py_ssize_t
    for i in range(n):
        if kind[i] > _KATAKANA:
            continue
        h: cython.ulonglong = _SEED
        last = i + _LISTED if i + _LISTED < n else n
        for j in range(i, last):
            if j > i and not joined[j]:
                break
            h = _step(h, code[j])
            out[i * _LISTED + j - i] = words.find(h)
    return result


def edges(
    kind: cython.const[cython.uchar][::1],
    joined: cython.const[cython.uchar][::1],
    listed: cython.const[cython.uchar][::1],
    decided: cython.const[cython.uchar][::1],
) -> tuple:
    """Return the units at which words may start and before which they end, in order of their starts.

    `decided` is _BEGINS for units that a word must begin at, _CONTINUES for those it must not, else 0.
    """
    n: cython.Py_ssize_t = len(kind)
    starts = array("i", bytes(4 * n * _RUN))
    ends = array("i", bytes(4 * n * _RUN))
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    last: cython.Py_ssize_t
    for i in range(n):
        if decided[i] == _CONTINUES:
            continue
        katakana: cython.bint = True
        last = i
        while last < n and last - i < _RUN:
            if last > i and (not joined[last] or decided[last] == _BEGINS):
                break
            katakana = katakana and kind[last] == _KATAKANA
            last += 1
            if last - i > _LISTED and not katakana:
                break
            if last < n and decided[last] == _CONTINUES:
                continue
            if last - i <= _UNLISTED or katakana or listed[i * _LISTED + last - i - 1]:
                start[count] = i
                end[count] = last
                count += 1
    del start, end  # views pin the arrays' size
    del starts[count:], ends[count:]
    return starts, ends


def surroundings(listed: cython.const[cython.uchar][::1]) -> array:
    """Return five columns, as entries 5 i to 5 i + 4, for the unit i: length and class of the longest listed word that
    starts there, the same for the longest that ends before it, and the length of the longest that spans both."""
    n: cython.Py_ssize_t = len(listed) // _LISTED
    result = array("B", bytes(5 * (n + 1)))
    out: cython.uchar[::1] = result
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    length: cython.Py_ssize_t
    for i in range(n):
        for length in range(1, _LISTED + 1):
            found: cython.int = listed[i * _LISTED + length - 1]
            if found and i + length <= n:
                out[5 * i] = length
                out[5 * i + 1] = found
                j = 5 * (i + length)
                if length > out[j + 2]:
                    out[j + 2] = length
                    out[j + 3] = found
                for j in range(i + 1, i + length):
                    if length > out[5 * j + 4]:
                        out[5 * j + 4] = length
    return result
