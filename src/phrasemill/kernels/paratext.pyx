"""Where signs of paratext stand: on which lines, in which sentences, at which characters."""

from cpython.array cimport array, clone

from phrasemill.kernels.text cimport Letters, Text, at, letters

cdef array INTS = array("i")

cdef enum:
    SLOTS = 1 << 13


def prefixes(starts) -> bytes:
    """Return what `lines` takes: three letters each, in small letters."""
    result = bytearray(SLOTS)
    for one in starts:
        result[slot(ord(one[0]), ord(one[1]), ord(one[2]))] = 1
    return bytes(result)


def lines(str text not None, const unsigned char[::1] starts not None) -> tuple:
    """Return where each line with something in it starts and ends, without the space around it; the numbers of those
    that have a colon; and the numbers of those that may begin with one of the `prefixes`: all that do, in large letters
    or small, all with another character than ASCII's among the first three, and a few others. Spaces fill up lines that
    are shorter."""
    cdef list places = [], colons = [], special = []
    cdef Letters view = letters(text)
    cdef Py_ssize_t size = len(text), colon = text.find(":"), start = 0, stop, last
    cdef unsigned int a, b, c
    while start < size:
        stop = text.find("\n", start)
        if stop < 0:
            stop = size
        last = stop
        while start < last and text[start].isspace():
            start += 1
        while start < last and text[last - 1].isspace():
            last -= 1
        if start < last:
            if 0 <= colon < start:
                colon = text.find(":", start)
            if start <= colon < last:
                colons.append(len(places))
            a = small(at(view, start))
            b = small(at(view, start + 1)) if start + 1 < last else 32
            c = small(at(view, start + 2)) if start + 2 < last else 32
            if (a | b | c) > 127 or starts[slot(a, b, c)]:
                special.append(len(places))
            places.append((start, last))
        start = stop + 1
    return places, colons, special


cdef inline unsigned int small(unsigned int code) noexcept nogil:
    return code + 32 if 65 <= code <= 90 else code


cdef inline unsigned int slot(unsigned int a, unsigned int b, unsigned int c) noexcept nogil:
    """Return where three characters of ASCII are among the prefixes; some share a place."""
    return (a * 1089 + b * 33 + c) & (SLOTS - 1)


def places(str text not None, str signs not None) -> list:
    """Return where one of a few characters stands in a text, in order."""
    cdef list result = []
    cdef Py_ssize_t i
    for sign in signs:
        i = text.find(sign)
        while i >= 0:
            result.append(i)
            i = text.find(sign, i + 1)
    result.sort()
    return result


def sentences_with(Text text not None, numbers, int most) -> list:
    """Return where the sentences start and end that have one of these words; one that stands in more than `most` places
    does not count."""
    cdef list result = []
    cdef int[::1] times = clone(INTS, text.words, True)  # one more than how often each of the words stands there
    cdef Py_ssize_t i, s, first = 0
    for number in numbers:
        times[<int>number] = 1
    for i in range(text.count):
        if times[text.word[i]]:
            times[text.word[i]] += 1
    for s in range(len(text.sentences)):
        for i in range(first, text.sentences[s]):
            if 1 < times[text.word[i]] <= most + 1:
                result.append((text.start[first], text.end[text.sentences[s] - 1]))
                break
        first = text.sentences[s]
    return result
