"""Words that lines break: where lines end with a hyphen, how often the text has a word, and where the tokens of the
mended text lie in the original."""

from cpython.array cimport array, clone

from phrasemill.kernels.text cimport LONG, Letters, PyThreadState, at, letters, released, restored

cdef extern from "Python.h" nogil:
    bint Py_UNICODE_ISALNUM(Py_UCS4 character)

cdef array INTS = array("i")

cdef enum:
    LETTER = 1  # or a digit
    HYPHEN = 2
    PER_TOKEN = 5  # characters

cdef unsigned char[256] KINDS
for _code in range(256):
    KINDS[_code] = LETTER if chr(_code).isalnum() else HYPHEN if chr(_code) == "-" else 0


cdef inline bint breaks(Py_UCS4 c) noexcept nogil:
    """Return whether a line that ends so goes on within a word: with a hyphen, or what converters make of soft ones."""
    return c == u"-" or c == u"\u2010" or c == u"\u00ad" or c == u"\u00ac"


def breaks_words(str text not None) -> bool:
    """Return whether a line may end within a word."""
    cdef Py_ssize_t i = text.find("\n")
    while i > 0:
        if breaks(text[i - 2] if text[i - 1] == u"\r" and i > 1 else text[i - 1]):
            return True
        i = text.find("\n", i + 1)
    return False


def hyphens(str text not None) -> list:
    """Return the places of the hyphens that end a line; spaces may follow."""
    cdef list result = []
    cdef Py_ssize_t line = 0, i = text.find("\n"), j  # where the line begins and ends
    while i >= 0:
        j = i - 1
        while j >= line and text[j].isspace():
            j -= 1
        if j >= line and breaks(text[j]):
            result.append(j)
        line = i + 1
        i = text.find("\n", line)
    return result


def count_words(str text not None, words) -> dict:
    """Return how often each of a few words is one of `text`: letters and digits, with single hyphens inside."""
    cdef Words counted = Words([word for word in words if word])
    cdef Letters view = letters(text)
    state = released(len(text) // PER_TOKEN)
    counted.count(view, len(text))
    restored(state)
    return dict.fromkeys(words, 0) | dict(zip(counted.keys, counted.found, strict=True))


cdef class Words:
    """Words in a table of chains, which is sparse, so that most others meet none and no string is made."""

    cdef list keys
    cdef array found
    cdef str joined
    cdef Letters letters
    cdef int[::1] times, place, head, following
    cdef unsigned int mask

    def __init__(self, keys):
        cdef Py_ssize_t slots = 256
        cdef unsigned int slot
        cdef int k
        while slots < 16 * len(keys):
            slots *= 2
        self.keys, self.joined, self.mask = keys, "".join(keys), slots - 1
        self.letters = letters(self.joined)
        self.found = clone(INTS, len(keys), True)
        self.times = self.found
        self.place = clone(INTS, len(keys) + 1, True)  # where each begins
        self.head = clone(INTS, slots, True)  # one more than the number of a word; 0 is none
        self.following = clone(INTS, len(keys), True)
        for k, key in enumerate(keys):
            self.place[k + 1] = self.place[k] + <int>len(key)
            slot = self.slot(self.letters, self.place[k], self.place[k + 1])
            self.following[k] = self.head[slot]
            self.head[slot] = k + 1

    cdef void count(self, Letters text, Py_ssize_t size) noexcept nogil:
        cdef Py_ssize_t i = 0, begin
        cdef int k
        while i < size:
            if kind(text, i) != LETTER:
                i += 1
                continue
            begin = i
            i += 1
            while i < size and (
                kind(text, i) == LETTER or (kind(text, i) == HYPHEN and i + 1 < size and kind(text, i + 1) == LETTER)
            ):
                i += 1
            k = self.head[self.slot(text, begin, i)]
            while k > 0 and not self.same(k - 1, text, begin, i):
                k = self.following[k - 1]
            if k > 0:
                self.times[k - 1] += 1

    cdef inline unsigned int slot(self, Letters text, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
        """Return where a chain begins, from the length of a word and three of its characters."""
        cdef unsigned int mixed = (
            <unsigned int>at(text, begin) * 0x9E3779B1U + <unsigned int>at(text, (begin + end) >> 1) * 0x85EBCA6BU
            + <unsigned int>at(text, end - 1) * 0xC2B2AE35U + (<unsigned int>(end - begin) & 0xFF) * 0x27D4EB2FU
        )
        return (mixed ^ (mixed >> 15)) & self.mask

    cdef inline bint same(self, int k, Letters text, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
        cdef Py_ssize_t i
        if self.place[k + 1] - self.place[k] != end - begin:
            return False
        for i in range(end - begin):
            if at(text, begin + i) != at(self.letters, self.place[k] + i):
                return False
        return True


cdef inline int kind(Letters text, Py_ssize_t i) noexcept nogil:
    cdef Py_UCS4 c = at(text, i)
    return KINDS[c] if c < 256 else LETTER if Py_UNICODE_ISALNUM(c) else 0


def moved(const int[::1] places not None, array starts not None, array sources not None, Py_ssize_t size, bint ends):
    """Return where `places`, in order, of a text of `size` characters lie in the original.

    Piece `i` of the text starts at `starts[i]`, and at `sources[i]` in the original. Where two pieces meet, the place
    is in the second, or in the first if places are `ends`.
    """
    cdef array result = clone(INTS, len(places), False)
    cdef int[::1] out = result
    cdef const int[::1] start = starts, source = sources
    cdef Py_ssize_t pieces = len(start), piece = 0, after = start[1] if pieces > 1 else size + 1, i
    for i in range(len(places)):
        while places[i] > after or (places[i] == after and not ends):
            piece += 1
            after = start[piece + 1] if piece + 1 < pieces else size + 1
        out[i] = places[i] + source[piece] - start[piece]
    return result
