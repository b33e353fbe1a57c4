"""Words that lines break: where lines end with a hyphen, how often the text has a word, and where the tokens of the
mended text lie in the original."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import BYTES, INTS

if cython.compiled:
    from cython.cimports.cpython.array import clone
else:
    from phrasemill.kernels._arrays import clone

_SLOTS = cython.declare(cython.uint, 4096)  # of the filter that rules out most words, so that no string is made

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


def count_words(text: str, counts: dict) -> None:
    """Add to the values of `counts` how often each of its keys is a word of `text`: letters and digits, with single
    hyphens inside."""
    may_count: cython.uchar[::1] = clone(BYTES, _SLOTS, True)
    word: str
    for word in counts:
        if word:
            may_count[_slot(word, 0, len(word))] = 1
    kind: cython.const[cython.uchar][::1] = _kinds(text)
    size: cython.Py_ssize_t = len(text)
    i: cython.Py_ssize_t = 0
    while i < size:
        if kind[i] != _LETTER:
            i += 1
            continue
        begin: cython.Py_ssize_t = i
        i += 1
        while i < size and (kind[i] == _LETTER or (kind[i] == _HYPHEN and i + 1 < size and kind[i + 1] == _LETTER)):
            i += 1
        if may_count[_slot(text, begin, i)]:
            word = text[begin:i]
            if word in counts:
                counts[word] += 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _slot(text: str, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.uint:
    """Return the slot of a word, by its length and three of its characters."""
    length: cython.Py_ssize_t = end - begin
    first: cython.uint = ord(text[begin])
    middle: cython.uint = ord(text[begin + (length >> 1)])
    last: cython.uint = ord(text[end - 1])
    return (first + 31 * middle + 997 * last + 4001 * length) & (_SLOTS - 1)


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
