"""Boosted trees over rows of numbers: the sum of the leaves that a row falls into.

All trees are complete, with DEPTH steps from root to leaf, so that every way is equally long and nothing has to be
decided but left or right: from place p of a tree to 2p where the feature is at most the threshold, else to 2p + 1.
Features and thresholds are compared as whole numbers, which a processor can compare and add in one go.
"""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, DOUBLES, FLOATS, INTS, UINTS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import exp

_LONG = cython.declare(cython.Py_ssize_t, LONG)

DEPTH = 6
NODES = cython.declare(cython.int, 64)  # leaves of a tree, and its inner nodes with a place 0 that is not used
TOGETHER = cython.declare(cython.int, 8)  # trees that rows walk through side by side
SIGN = cython.declare(cython.uint, 0x80000000)
ALL = cython.declare(cython.uint, 0xFFFFFFFF)


def ordered(bits: cython.const[cython.uint][::1]) -> array:
    """Return whole numbers in the order of the floats that `bits` are."""
    result = clone(UINTS, len(bits), False)
    _order(bits, result)
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _order(bits: cython.const[cython.uint][::1], out: cython.uint[::1]) -> cython.void:
    for i in range(len(bits)):
        out[i] = _in_order(bits[i])


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.returns(cython.uint)
def _in_order(bits: cython.uint):
    """Return a whole number in the order of the float that `bits` are."""
    # Below zero the larger is the smaller; -0.0 is 0.0.
    return ALL - bits if bits > SIGN else bits | SIGN


def packed(
    numbers: cython.const[cython.int][::1],
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.uint][::1],
    leaf: cython.const[cython.float][::1],
    stops: cython.const[cython.int][::1],
) -> tuple:
    """Return the trees with these numbers as `predict` takes them, and how many stand there before each of `stops`.

    Thresholds are the bits of floats, and come out `ordered`.
    The inner nodes of a tree are at its places 1 to 63: from place p the way leads to 2p, or to 2p + 1 where the
    feature is above the threshold. Trees without effect fill up the last eight trees before each stop.
    """
    count: cython.Py_ssize_t = len(numbers)
    room: cython.Py_ssize_t = (count + (len(stops) + 1) * TOGETHER) * NODES
    features_of = clone(BYTES, room, True)
    thresholds_of = clone(UINTS, room, True)
    leaves_of = clone(FLOATS, room, True)
    stops_of = clone(INTS, len(stops), True)
    features: cython.uchar[::1] = features_of
    thresholds: cython.uint[::1] = thresholds_of
    leaves: cython.float[::1] = leaves_of
    stopping: cython.int[::1] = stops_of
    t: cython.Py_ssize_t = 0
    made: cython.Py_ssize_t = 0
    p: cython.Py_ssize_t
    for k in range(len(stops) + 1):
        stop: cython.Py_ssize_t = min(stops[k], count) if k < len(stops) else count
        while t < stop:
            for p in range(NODES):
                if p > 0:
                    features[made * NODES + p] = feature[numbers[t] * (NODES - 1) + p - 1]
                    thresholds[made * NODES + p] = _in_order(threshold[numbers[t] * (NODES - 1) + p - 1])
                leaves[made * NODES + p] = leaf[numbers[t] * NODES + p]
            t += 1
            made += 1
        made = (made + TOGETHER - 1) // TOGETHER * TOGETHER
        if k < len(stops):
            stopping[k] = made
    del features, thresholds, leaves, stopping
    del features_of[made * NODES :], thresholds_of[made * NODES :], leaves_of[made * NODES :]
    return features_of, thresholds_of, leaves_of, stops_of


def predict(
    rows: cython.const[cython.uint][::1],
    width: cython.Py_ssize_t,
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.uint][::1],
    leaf: cython.const[cython.float][::1],
    stops: cython.const[cython.int][::1],
    least: cython.const[cython.double][::1],
) -> array:
    """Return the sum of leaves for each row, over trees that are `packed`; rows are the bits of floats. Rows whose sum
    is below `least` after the number of trees in `stops` stop there."""
    keys: cython.uint[::1] = clone(UINTS, len(rows), False)
    count: cython.Py_ssize_t = len(rows) // width
    trees: cython.Py_ssize_t = len(leaf) // NODES
    result = clone(DOUBLES, count, True)
    sums: cython.double[::1] = result
    left: cython.int[::1] = clone(INTS, count, False)  # the rows that go on
    if len(rows) < _LONG:
        _predict(rows, keys, width, count, feature, threshold, leaf, stops, least, left, sums, trees)
    else:
        with cython.nogil:
            _predict(rows, keys, width, count, feature, threshold, leaf, stops, least, left, sums, trees)
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _predict(
    rows: cython.const[cython.uint][::1],
    keys: cython.uint[::1],
    width: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.uint][::1],
    leaf: cython.const[cython.float][::1],
    stops: cython.const[cython.int][::1],
    least: cython.const[cython.double][::1],
    left: cython.int[::1],
    sums: cython.double[::1],
    trees: cython.Py_ssize_t,
) -> cython.void:
    """Do what `predict` does: order the rows as `keys`, and add to `sums`."""
    _order(rows, keys)
    for i in range(count):
        left[i] = i
    done: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t = 0
    while done < trees:
        while k < len(stops) and stops[k] <= done:
            remaining: cython.Py_ssize_t = 0
            for i in range(count):
                if sums[left[i]] >= least[k]:
                    left[remaining] = left[i]
                    remaining += 1
            count = remaining
            k += 1
        a: cython.Py_ssize_t = done * NODES
        b: cython.Py_ssize_t = a + TOGETHER * NODES
        _add(keys, width, feature[a:b], threshold[a:b], leaf[a:b], left, count, sums)
        done += TOGETHER


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _add(
    rows: cython.const[cython.uint][::1],
    width: cython.Py_ssize_t,
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.uint][::1],
    leaf: cython.const[cython.float][::1],
    left: cython.const[cython.int][::1],
    remaining: cython.Py_ssize_t,
    sums: cython.double[::1],
) -> cython.void:
    """Add the leaves of eight trees to the sums of the rows that are `left`."""
    a: cython.size_t
    b: cython.size_t
    c: cython.size_t
    d: cython.size_t
    e: cython.size_t
    f: cython.size_t
    g: cython.size_t
    h: cython.size_t
    for i in range(remaining):
        row: cython.size_t = left[i] * width
        # Each step waits for the one before it, and the waits of eight trees side by side overlap.
        a, b, c, d, e, f, g, h = 1, 65, 129, 193, 257, 321, 385, 449
        for _ in range(6):
            a += a + (threshold[a] < rows[row + feature[a]])
            b += b - 64 + (threshold[b] < rows[row + feature[b]])
            c += c - 128 + (threshold[c] < rows[row + feature[c]])
            d += d - 192 + (threshold[d] < rows[row + feature[d]])
            e += e - 256 + (threshold[e] < rows[row + feature[e]])
            f += f - 320 + (threshold[f] < rows[row + feature[f]])
            g += g - 384 + (threshold[g] < rows[row + feature[g]])
            h += h - 448 + (threshold[h] < rows[row + feature[h]])
        total: cython.double = sums[left[i]]
        total += leaf[a - 64]
        total += leaf[b - 64]
        total += leaf[c - 64]
        total += leaf[d - 64]
        total += leaf[e - 64]
        total += leaf[f - 64]
        total += leaf[g - 64]
        total += leaf[h - 64]
        sums[left[i]] = total


def add_probabilities(
    sums: cython.const[cython.double][::1],
    rows: cython.const[cython.float][::1],
    width: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    slope: cython.double,
    offset: cython.double,
    share: cython.double,
    begin: cython.Py_ssize_t,
    out: cython.double[::1],
) -> None:
    """Add to `out`, from `begin` on, a share of 1 / (1 + exp(-(slope * sum + offset))) for each row; nothing for rows
    that have 0 in `column`."""
    i: cython.Py_ssize_t
    for i in range(len(sums)):
        if rows[i * width + column] != 0:
            out[begin + i] += share * (1 / (1 + exp(-(slope * sums[i] + offset))))
