"""Words and their tags in scripts without spaces: lattice by lattice through a text, then suffixes and names joined."""

from array import array

from phrasemill.kernels.lattice import Lattice, decode
from phrasemill.kernels.lattice_units import units

import cython

# Tags that the code uses, as places in the tagset less one.
_ADJECTIVE = cython.declare(cython.int, 0)
_NOUN = cython.declare(cython.int, 7)
_PARTICLE = cython.declare(cython.int, 9)
_NAME = cython.declare(cython.int, 11)
_VERB = cython.declare(cython.int, 15)


def segment(
    text: str,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    gap: cython.const[cython.uchar][::1],
    table: cython.const[cython.uchar][::1],
    han: cython.int,
    fold: cython.const[cython.ushort][::1],
    words: object,
    model: object,
    joins: cython.bint,
    apart: str,
) -> tuple:
    """Return four columns: start and end of each word, what separates it from the next one, and its tag, from 1 on.

    With `joins`, particles of one character are part of the word before (`者`, `性`, `委员` + `会`), which is a noun
    then, except those in `apart`; and names with a dot between them are one.
    """
    size: cython.Py_ssize_t = len(text)
    columns = array("i", bytes(4 * size)), array("i", bytes(4 * size)), array("B", bytes(size)), array("B", bytes(size))
    starts: cython.int[::1] = columns[0]
    ends: cython.int[::1] = columns[1]
    gaps: cython.uchar[::1] = columns[2]
    tags: cython.uchar[::1] = columns[3]
    token: cython.Py_ssize_t = 0
    position: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    first: cython.Py_ssize_t
    while token < len(start):
        row, token, position = units(text, start, end, gap, table, han, fold, token, position)
        cuts, found = decode(Lattice(row[0], row[1], row[5], words), model)
        begin: cython.const[cython.int][::1] = row[2]
        until: cython.const[cython.int][::1] = row[3]
        after: cython.const[cython.uchar][::1] = row[4]
        cut: cython.const[cython.int][::1] = cuts
        tag: cython.const[cython.uchar][::1] = found
        first = 0
        for i in range(len(cut)):
            if joins and count > 0 and ends[count - 1] == begin[first] and gaps[count - 1] == 0:
                before: cython.int = tags[count - 1] - 1
                if tag[i] == _PARTICLE and cut[i] == first + 1 and text[begin[first]] not in apart:
                    if before == _ADJECTIVE or before == _NOUN or before == _NAME or before == _VERB:
                        ends[count - 1] = until[first]
                        gaps[count - 1] = after[first]
                        tags[count - 1] = (_NAME if before == _NAME else _NOUN) + 1
                        first = cut[i]
                        continue
                elif tag[i] == _NAME and text[starts[count - 1]] == "·" and count > 1 and tags[count - 2] - 1 == _NAME:
                    if gaps[count - 2] == 0:
                        count -= 1
                        ends[count - 1] = until[cut[i] - 1]
                        gaps[count - 1] = after[cut[i] - 1]
                        first = cut[i]
                        continue
            starts[count] = begin[first]
            ends[count] = until[cut[i] - 1]
            gaps[count] = after[cut[i] - 1]
            tags[count] = tag[i] + 1
            first = cut[i]
            count += 1
    del starts, ends, gaps, tags
    for column in columns:
        del column[count:]
    return columns
