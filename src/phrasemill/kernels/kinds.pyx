"""What recognises the kind of a text: sums of the weights of its words, and shares of its word classes."""

from array import array

import cython

from phrasemill.kernels._arrays import DOUBLES, INTS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import log2

_LONG = cython.declare(cython.Py_ssize_t, LONG)

CLASSES = cython.declare(cython.int, 16)
# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
NUMBER = cython.declare(cython.int, 4)


def odds(
    stem: cython.const[cython.int][::1],
    places: cython.const[cython.int][::1],
    weights: cython.const[cython.short][::1],
    norm: cython.double,
    form: cython.const[cython.double][::1],
    form_weights: cython.const[cython.double][::1],
) -> array:
    """Return the log-odds of each kind: the weights of the words times log2(1 + how often each occurs), summed and
    divided by `norm`; and those of the `form`.

    `stem` has the number of each token's word, `places` where that word's weights are, one per kind (-1 if it has
    none). The weights of the form have an offset at the end of each row.
    """
    width: cython.Py_ssize_t = len(form) + 1
    kinds: cython.Py_ssize_t = len(form_weights) // width
    result = clone(DOUBLES, kinds, True)
    out: cython.double[::1] = result
    counts_of = clone(INTS, len(places), True)
    counts: cython.int[::1] = counts_of
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(len(stem)):
        counts[stem[i]] += 1
    for i in range(len(places)):
        if places[i] >= 0:
            place: cython.Py_ssize_t = places[i]
            times: cython.double = log2(1.0 + counts[i])
            for j in range(kinds):
                out[j] += times * weights[place * kinds + j]
    for j in range(kinds):
        out[j] = out[j] / norm + form_weights[j * width + width - 1]
        for i in range(width - 1):
            out[j] += form[i] * form_weights[j * width + i]
    return result


def shares(classes: cython.const[cython.uchar][::1], kind: cython.const[cython.uchar][::1]) -> array:
    """Return the shares of tokens of each word class, then of stopwords, numbers and marks."""
    count: cython.Py_ssize_t = len(classes)
    result = clone(DOUBLES, CLASSES + 3, True)
    out: cython.double[::1] = result
    if count < _LONG:
        _shares(classes, kind, count, out)
    else:
        with cython.nogil:
            _shares(classes, kind, count, out)
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _shares(
    classes: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    count: cython.Py_ssize_t,
    out: cython.double[::1],
) -> cython.void:
    """Do what `shares` does."""
    for i in range(count):
        out[classes[i]] += 1
        out[CLASSES] += kind[i] & STOPWORD != 0
        out[CLASSES + 1] += kind[i] & NUMBER != 0
        out[CLASSES + 2] += not kind[i] & (WORD | NUMBER)
    for j in range(CLASSES + 3):
        out[j] /= max(count, 1)
