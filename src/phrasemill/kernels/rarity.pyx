"""How rare phrases are in a table of document frequencies, and their counts times that."""

from array import array

import cython

from phrasemill.kernels._arrays import DOUBLES
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import log

_LONG = cython.declare(cython.Py_ssize_t, LONG)


def idfs(forms: list, counts: dict, unseen: cython.double, documents: cython.double) -> array:
    """Return log(documents + 1) - log(count + 1) for each form; `unseen` is the count of those that are not there."""
    # `dict.get` takes microseconds for a missing key of a dictionary of another thread in Python 3.13 without GIL.
    result = clone(DOUBLES, len(forms), False)
    out: cython.double[::1] = result
    for i in range(len(forms)):
        found = counts.get(forms[i])
        out[i] = unseen if found is None else found
    if len(forms) < _LONG:
        _logarithms(out, documents)
    else:
        with cython.nogil:
            _logarithms(out, documents)
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _logarithms(out: cython.double[::1], documents: cython.double) -> cython.void:
    total: cython.double = log(documents + 1)
    for i in range(len(out)):
        out[i] = total - log(out[i] + 1)


def times(first: cython.const[cython.int][::1], weights: cython.const[cython.double][::1]) -> array:
    """Return how often each candidate occurs, times its weight."""
    result = clone(DOUBLES, len(first) - 1, False)
    out: cython.double[::1] = result
    for i in range(len(first) - 1):
        out[i] = (first[i + 1] - first[i]) * weights[i]
    return result
