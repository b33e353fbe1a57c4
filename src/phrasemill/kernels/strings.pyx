"""Many strings in little memory: the words of a text that has hundreds of thousands of them."""

from array import array
from collections.abc import Iterable, Sequence

import cython

from phrasemill.kernels._arrays import BYTES, INTS, UINTS

from cython.cimports.cpython.array import clone, resize_smart
from cython.cimports.cpython.unicode import PyUnicode_DecodeUTF8

OFFSET = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)


@cython.cclass
class Strings:
    """A sequence of strings that are all different, as bytes one after the other; about 12 bytes for a short word."""

    letters: array
    ends: array  # of each string among the letters
    slots: cython.int[::1]  # by hash, one more than the number, 0 for none; while strings are added

    def __init__(self, strings: Iterable[str] = ()) -> None:
        self.letters = clone(BYTES, 0, True)
        self.ends = clone(UINTS, 0, True)
        self.slots = clone(INTS, 1024, True)
        self.numbers(list(strings))

    def close(self) -> object:
        """Free what is needed only while strings are added; return the strings."""
        self.slots = clone(INTS, 0, True)
        return self

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> str:
        count: cython.Py_ssize_t = len(self.ends)
        place: cython.Py_ssize_t = number
        if place < 0:
            place += count
        if place < 0 or place >= count:
            raise IndexError(number)
        ends: cython.const[cython.uint][::1] = self.ends
        letters: cython.const[cython.uchar][::1] = self.letters
        begin: cython.Py_ssize_t = ends[place - 1] if place > 0 else 0
        size: cython.Py_ssize_t = ends[place] - begin
        if size == 0:
            return ""
        return PyUnicode_DecodeUTF8(cython.cast(cython.p_char, cython.address(letters[begin])), size, "surrogatepass")

    def __contains__(self, string: object) -> bool:
        return isinstance(string, str) and self.place(string.encode("utf-8", "surrogatepass")) >= 0

    def __reduce__(self) -> tuple:
        return Strings, (list(self),)

    def index(self, string: str) -> int:
        """Return the number of a string."""
        found: cython.Py_ssize_t = self.place(string.encode("utf-8", "surrogatepass"))
        if found < 0:
            raise ValueError(f"{string!r} is not there")
        return found

    def numbers(self, strings: list) -> array:
        """Return the number of each of the strings; those that are new are added."""
        result = clone(INTS, len(strings), False)
        out: cython.int[::1] = result
        i: cython.Py_ssize_t
        for i in range(len(strings)):
            one: str = strings[i]
            out[i] = self.number(one.encode("utf-8", "surrogatepass"))
        return result

    @cython.cfunc
    def place(self, string: bytes) -> cython.Py_ssize_t:
        """Return the number of a string, -1 where it is not there."""
        ends: cython.const[cython.uint][::1] = self.ends
        letters: cython.const[cython.uchar][::1] = self.letters
        wanted: cython.const[cython.uchar][::1] = string
        begin: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(len(ends)):
            if ends[i] - begin == len(wanted) and _same(letters, begin, wanted):
                return i
            begin = ends[i]
        return -1

    @cython.cfunc
    def number(self, string: bytes) -> cython.Py_ssize_t:
        """Return the number of a string, which is added where it is new."""
        ends: cython.const[cython.uint][::1] = self.ends
        letters: cython.const[cython.uchar][::1] = self.letters
        wanted: cython.const[cython.uchar][::1] = string
        size: cython.Py_ssize_t = len(wanted)
        count: cython.Py_ssize_t = len(ends)
        last: cython.ulonglong = len(self.slots) - 1
        slot: cython.ulonglong = _hash(wanted, 0, size) & last
        i: cython.Py_ssize_t
        while self.slots[slot] != 0:
            found: cython.Py_ssize_t = self.slots[slot] - 1
            begin: cython.Py_ssize_t = ends[found - 1] if found > 0 else 0
            if ends[found] - begin == size and _same(letters, begin, wanted):
                return found
            slot = (slot + 1) & last
        del ends, letters  # views pin the arrays' size
        filled: cython.Py_ssize_t = len(self.letters)
        if filled + size >= 1 << 32:
            raise OverflowError("a text with more than 4 GB of different words")
        resize_smart(self.letters, filled + size)
        resize_smart(self.ends, count + 1)
        added: cython.uchar[::1] = self.letters
        for i in range(size):
            added[filled + i] = wanted[i]
        stops: cython.uint[::1] = self.ends
        stops[count] = filled + size
        self.slots[slot] = count + 1
        if 2 * (count + 1) > len(self.slots):
            self.grow()
        return count

    @cython.cfunc
    def grow(self) -> cython.void:
        """Make the table twice as large."""
        ends: cython.const[cython.uint][::1] = self.ends
        letters: cython.const[cython.uchar][::1] = self.letters
        self.slots = clone(INTS, 2 * len(self.slots), True)
        last: cython.ulonglong = len(self.slots) - 1
        begin: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(len(ends)):
            slot: cython.ulonglong = _hash(letters, begin, ends[i]) & last
            while self.slots[slot] != 0:
                slot = (slot + 1) & last
            self.slots[slot] = i + 1
            begin = ends[i]


Sequence.register(Strings)


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _same(
    letters: cython.const[cython.uchar][::1], begin: cython.Py_ssize_t, wanted: cython.const[cython.uchar][::1]
) -> cython.bint:
    """Return whether these letters stand at a place."""
    i: cython.Py_ssize_t = 0
    while i < len(wanted) and letters[begin + i] == wanted[i]:
        i += 1
    return i == len(wanted)


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _hash(
    letters: cython.const[cython.uchar][::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.ulonglong:
    """Return a hash of the bytes `begin` to `end` (exclusive)."""
    h: cython.ulonglong = OFFSET
    i: cython.Py_ssize_t
    for i in range(begin, end):
        h = (h ^ letters[i]) * PRIME
    return h ^ (h >> 32)
