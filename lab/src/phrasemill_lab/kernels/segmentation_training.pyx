"""Scores and corrections of a structured perceptron over lattices of words (kernels/segmentation.py)."""

import cython

_TAGS = cython.declare(cython.int, 17)
_LABELS = cython.declare(cython.int, 34)


def score(
    ids: cython.const[cython.int][::1],
    width: cython.Py_ssize_t,
    offset: cython.Py_ssize_t,
    weights: cython.const[cython.int][::1],
    out: cython.int[::1],
) -> cython.void:
    """Fill one row of `out` for each `width` of `ids` with the sum of their weights, labels from `offset` on; -1 is
    no feature."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    for r in range(len(ids) // width):
        for t in range(_TAGS):
            out[r * _TAGS + t] = 0
        for k in range(width):
            row: cython.Py_ssize_t = ids[r * width + k]
            if row >= 0:
                row = row * _LABELS + offset
                for t in range(_TAGS):
                    out[r * _TAGS + t] += weights[row + t]


def correct(
    rows: cython.const[cython.int][::1],
    labels: cython.const[cython.uchar][::1],
    width: cython.Py_ssize_t,
    ids: cython.const[cython.int][::1],
    amount: cython.int,
    clock: cython.double,
    weights: cython.int[::1],
    sums: cython.double[::1],
) -> cython.void:
    """Add `amount` to the weights of a label for all features of each of `rows`; `sums` collects what averaging
    needs."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for r in range(len(rows)):
        for k in range(width):
            row: cython.Py_ssize_t = ids[rows[r] * width + k]
            if row >= 0:
                row = row * _LABELS + labels[r]
                weights[row] += amount
                sums[row] += amount * clock
