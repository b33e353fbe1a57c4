"""The evidence for each language in a text: weights of the parts of its words, added up.

A part of a word is the whole word, three letters of it, or the first or last three; its hash is the row of its weights.
All of it is whole numbers, so every machine finds the same.
"""

from cpython.array cimport array, clone, resize
from libc.stdint cimport uint64_t

from phrasemill.kernels.text cimport Letters, at, letters

cdef enum:
    PAGE_BITS = 7  # of a code point within its page
    MARKS = 0x590  # from here on, signs that are no letters belong to words
    LONGEST = 32  # longer words are data
    AT_ONCE = 256  # the sum of so many weights fits 16 bits
    # Kinds of parts: what is added to their first character
    INNER = 0
    WHOLE = 0x1000000
    PREFIX = 0x2000000
    SUFFIX = 0x3000000

cdef uint64_t MIX = 0xBF58476D1CE4E5B9ULL
cdef array INTS = array("i"), SHORTS = array("h")
PAGE = <int> PAGE_BITS


cdef inline uint64_t hashed(uint64_t a, uint64_t b, uint64_t c) noexcept nogil:
    cdef uint64_t found = (
        (a * 0x9E3779B97F4A7C15ULL) ^ (b * 0xC2B2AE3D27D4EB4FULL) ^ (c * 0x165667B19E3779F9ULL)
    )
    return (found ^ (found >> 32)) * MIX


def letters_by_script(str text, const unsigned char[::1] pages, int scripts):
    """Return how many letters of each script are in `text`; `pages` has the script of every 128 code points."""
    cdef array counts = clone(INTS, scripts, True)
    cdef Py_UCS4 c
    for c in text:
        if <Py_ssize_t> c >> PAGE_BITS < len(pages) and c.isalpha():
            counts.data.as_ints[pages[<Py_ssize_t> c >> PAGE_BITS]] += 1
    return counts


cdef class Parts:
    """The parts of a text's words in one script."""

    cdef readonly array rows  # of all parts, as often as they occur
    cdef readonly int words  # how many words differ, as far as 64 bits can tell
    cdef const unsigned char[::1] pages
    cdef int script
    cdef int shift
    cdef Letters letters

    def __init__(self, str text, const unsigned char[::1] pages, int script, int bits):
        """`text` is in small letters, and rows are hashes of so many bits; `letters_by_script` has `pages`."""
        cdef Py_ssize_t size = len(text), used = 0, start, i = 0
        cdef uint64_t seen = 0
        self.pages, self.script, self.shift, self.letters = pages, script, 64 - bits, letters(text)
        # The most: n + 3 for a word of n letters, and something follows it
        self.rows = clone(INTS, 3 * size + 8, False)
        while i < size:
            start = i
            while i < size and self.belongs(at(self.letters, i)):
                i += 1
            if start == i:
                i += 1
            elif i - start <= LONGEST:
                used = self.add(start, i, used, &seen)
        resize(self.rows, used)
        while seen:
            self.words += seen & 1
            seen >>= 1

    cdef bint belongs(self, Py_UCS4 c) noexcept:
        """Return whether `c` continues a word in the script."""
        cdef Py_ssize_t code = c
        if code < 128:
            return "a" <= c <= "z" and self.script == 0
        return (
            code >> PAGE_BITS < len(self.pages)
            and self.pages[code >> PAGE_BITS] == self.script
            and (c.isalpha() or code >= MARKS)
        )

    cdef Py_ssize_t add(self, Py_ssize_t start, Py_ssize_t end, Py_ssize_t used, uint64_t *seen) noexcept nogil:
        """Add the parts of a word behind so many rows; return how many there are now."""
        cdef int *rows = self.rows.data.as_ints
        cdef uint64_t whole = WHOLE, before = 32, here = 32, after = at(self.letters, start)
        cdef Py_ssize_t i
        for i in range(start, end):
            before, here = here, after
            after = at(self.letters, i + 1) if i + 1 < end else 32
            whole = (whole ^ here) * MIX
            rows[used] = hashed(INNER + before, here, after) >> self.shift
            used += 1
        seen[0] |= <uint64_t> 1 << (whole >> 58)
        if end - start > 1:
            rows[used] = whole >> self.shift
            used += 1
        if end - start > 3:
            rows[used] = self.three(PREFIX, start)
            rows[used + 1] = self.three(SUFFIX, end - 3)
            used += 2
        return used

    cdef int three(self, uint64_t kind, Py_ssize_t i) noexcept nogil:
        """Return the row of three letters of a word from a place on."""
        cdef uint64_t a = at(self.letters, i), b = at(self.letters, i + 1), c = at(self.letters, i + 2)
        return hashed(kind + a, b, c) >> self.shift

    def best(self, const signed char[::1] weights, const int[::1] bias, Py_ssize_t default):
        """Return the language whose weights of the rows sum up highest, on top of its `bias`, and how far it is ahead:
        of the second, and of the language `default`."""
        cdef Py_ssize_t languages = len(bias), begin, i, k, first = 0, second = 1
        cdef array sums = array("i", bias), part = clone(SHORTS, languages, True)
        cdef int *out = sums.data.as_ints
        cdef short *some = part.data.as_shorts
        cdef const signed char *row
        for begin in range(0, len(self.rows), AT_ONCE):
            for i in range(begin, min(begin + AT_ONCE, len(self.rows))):
                row = &weights[self.rows.data.as_ints[i] * languages]
                for k in range(languages):
                    some[k] += row[k]
            for k in range(languages):
                out[k] += some[k]
                some[k] = 0
        if out[1] > out[0]:
            first, second = 1, 0
        for k in range(2, languages):
            if out[k] > out[first]:
                first, second = k, first
            elif out[k] > out[second]:
                second = k
        return first, out[first] - out[second], out[first] - out[default]
