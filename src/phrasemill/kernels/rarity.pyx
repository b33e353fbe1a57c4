"""How rare phrases are in a table of document frequencies, and their counts times that."""

from cpython.array cimport array, clone
from libc.math cimport log

from phrasemill.kernels.text cimport Occurrences

cdef array DOUBLES = array("d")


def idfs(list forms not None, dict counts not None, double unseen, double documents):
    """Return log(documents + 1) - log(count + 1) for each form; `unseen` is the count of those that are not there."""
    cdef array result = clone(DOUBLES, len(forms), False)
    cdef double total = log(documents + 1)
    cdef Py_ssize_t i
    for i in range(len(forms)):
        found = counts.get(forms[i])
        result.data.as_doubles[i] = total - log((unseen if found is None else <double>found) + 1)
    return result


def times(Occurrences candidates not None, array weights not None):
    """Return how often each candidate occurs, times its weight."""
    cdef array result = clone(DOUBLES, candidates.count, False)
    cdef Py_ssize_t c
    for c in range(candidates.count):
        result.data.as_doubles[c] = (candidates.first[c + 1] - candidates.first[c]) * weights.data.as_doubles[c]
    return result
