"""Boosted trees over rows of numbers: the sum of the leaves that a row falls into.

All trees are complete, with DEPTH steps from root to leaf, so that every way is equally long and nothing has to be
decided but left or right: from place p of a tree to 2p + 1 where the feature is at most the threshold, else to 2p + 2.
"""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import exp
else:
    from math import exp

COMPILED = cython.compiled

DEPTH = 6
INNER_NODES = cython.declare(cython.int, 63)
LEAF_NODES = cython.declare(cython.int, 64)


def predict(
    rows: cython.const[cython.float][::1],
    width: cython.Py_ssize_t,
    numbers: cython.const[cython.int][::1],
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.float][::1],
    leaf: cython.const[cython.float][::1],
    early: cython.Py_ssize_t,
    least: cython.double,
) -> array:
    """The sum of leaves for each row. Rows whose sum lies below `least` after `early` trees stop there."""
    count: cython.Py_ssize_t = len(rows) // width
    result = array("d", bytes(8 * count))
    sums: cython.double[::1] = result
    left_of = array("i", bytes(4 * count))
    left: cython.int[::1] = left_of  # the rows that go on
    remaining: cython.Py_ssize_t = count
    t: cython.Py_ssize_t
    i: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    row: cython.Py_ssize_t
    inner: cython.Py_ssize_t
    outer: cython.Py_ssize_t
    place: cython.Py_ssize_t
    place_2: cython.Py_ssize_t
    place_3: cython.Py_ssize_t
    place_4: cython.Py_ssize_t
    row_2: cython.Py_ssize_t
    row_3: cython.Py_ssize_t
    row_4: cython.Py_ssize_t
    step: cython.int
    for i in range(count):
        left[i] = i
    for t in range(len(numbers)):
        if t == early:
            kept = 0
            for i in range(remaining):
                if sums[left[i]] >= least:
                    left[kept] = left[i]
                    kept += 1
            remaining = kept
        inner = numbers[t] * INNER_NODES
        outer = numbers[t] * LEAF_NODES - INNER_NODES - inner
        # Four rows side by side: each step waits for the one before it, and the waits overlap.
        for i in range(0, remaining - 3, 4):
            row = left[i] * width
            row_2 = left[i + 1] * width
            row_3 = left[i + 2] * width
            row_4 = left[i + 3] * width
            place = place_2 = place_3 = place_4 = inner
            for step in range(6):
                place += place - inner + 1 + (rows[row + feature[place]] > threshold[place])
                place_2 += place_2 - inner + 1 + (rows[row_2 + feature[place_2]] > threshold[place_2])
                place_3 += place_3 - inner + 1 + (rows[row_3 + feature[place_3]] > threshold[place_3])
                place_4 += place_4 - inner + 1 + (rows[row_4 + feature[place_4]] > threshold[place_4])
            sums[left[i]] += leaf[place + outer]
            sums[left[i + 1]] += leaf[place_2 + outer]
            sums[left[i + 2]] += leaf[place_3 + outer]
            sums[left[i + 3]] += leaf[place_4 + outer]
        for i in range(remaining - remaining % 4, remaining):
            row = left[i] * width
            place = inner
            for step in range(6):
                place += place - inner + 1 + (rows[row + feature[place]] > threshold[place])
            sums[left[i]] += leaf[place + outer]
    return result


def probabilities(
    sums: cython.const[cython.double][::1],
    rows: cython.const[cython.float][::1],
    width: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    slope: cython.double,
    offset: cython.double,
) -> array:
    """1 / (1 + exp(-(slope * sum + offset))) for each row, 0 for rows that have 0 in `column`."""
    count: cython.Py_ssize_t = len(sums)
    result = array("d", bytes(8 * count))
    out: cython.double[::1] = result
    i: cython.Py_ssize_t
    for i in range(count):
        if rows[i * width + column] != 0:
            out[i] = 1 / (1 + exp(-(slope * sums[i] + offset)))
    return result
