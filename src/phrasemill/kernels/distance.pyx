"""Edit distance between two strings."""

from array import array

import cython


def edit_distance(a: str, b: str) -> cython.int:
    """Return Levenshtein's distance: how many insertions, deletions and substitutions turn `a` into `b`."""
    n: cython.Py_ssize_t = len(a)
    m: cython.Py_ssize_t = len(b)
    row: cython.int[::1] = array("i", range(m + 1))
    for i in range(n):
        diagonal = row[0]
        row[0] = i + 1
        c = a[i]
        for j in range(m):
            above = row[j + 1]
            best: cython.int = diagonal if c == b[j] else diagonal + 1
            best = min(best, above + 1)
            best = min(best, row[j] + 1)
            row[j + 1] = best
            diagonal = above
    return row[m]


def alike(form: str, others: list, limit: cython.double) -> cython.bint:
    """Return whether 1 - distance / length of the longer is at least `limit` between `form` and any of `others`."""
    other: str
    for other in others:
        longer = max(len(form), len(other))
        shorter = min(len(form), len(other))
        # The difference in length is a lower bound of the distance.
        if shorter >= limit * longer and edit_distance(form, other) <= (1.0 - limit) * longer + 1e-9:
            return True
    return False
