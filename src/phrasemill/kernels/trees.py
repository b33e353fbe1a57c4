"""Boosted trees over rows of numbers: the sum of the leaves that a row falls into.

All trees are complete, with DEPTH steps from root to leaf, so that every way is equally long and nothing has to be
decided but left or right: from place p of a tree to 2p where the feature is at most the threshold, else to 2p + 1.
Features and thresholds are compared as whole numbers, which a processor can compare and add in one go.
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

DEPTH = 6
STEPS = cython.declare(cython.int, 6)
NODES = cython.declare(cython.int, 64)  # leaves of a tree, and its inner nodes with a place 0 that is not used
BLOCK = cython.declare(cython.int, 20)  # trees that fit the fastest memory together with some rows
SIGN = cython.declare(cython.uint, 0x80000000)
ALL = cython.declare(cython.uint, 0xFFFFFFFF)


def ordered(bits: cython.const[cython.uint][::1]) -> array:
    """Return whole numbers in the order of the floats that `bits` are."""
    count: cython.Py_ssize_t = len(bits)
    result = array("I", bytes(4 * count))
    out: cython.uint[::1] = result
    for i in range(count):
        # Below zero the larger is the smaller; -0.0 is 0.0.
        out[i] = ALL - bits[i] if bits[i] > SIGN else bits[i] | SIGN
    return result


def packed(
    numbers: cython.const[cython.int][::1],
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.uint][::1],
    leaf: cython.const[cython.float][::1],
) -> tuple:
    """Return the trees with these numbers one after the other, each with its inner nodes from place 1 on: from place p
    the way leads to 2p, or to 2p + 1 where the feature is above the threshold."""
    count: cython.Py_ssize_t = len(numbers)
    features_of = array("B", bytes(64 * count))
    thresholds_of = array("I", bytes(4 * 64 * count))
    leaves_of = array("f", bytes(4 * 64 * count))
    features: cython.uchar[::1] = features_of
    thresholds: cython.uint[::1] = thresholds_of
    leaves: cython.float[::1] = leaves_of
    p: cython.Py_ssize_t
    for t in range(count):
        for p in range(NODES):
            if p > 0:
                features[t * NODES + p] = feature[numbers[t] * (NODES - 1) + p - 1]
                thresholds[t * NODES + p] = threshold[numbers[t] * (NODES - 1) + p - 1]
            leaves[t * NODES + p] = leaf[numbers[t] * NODES + p]
    return features_of, thresholds_of, leaves_of


def predict(
    rows: cython.const[cython.uint][::1],
    width: cython.Py_ssize_t,
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.uint][::1],
    leaf: cython.const[cython.float][::1],
    stops: cython.const[cython.int][::1],
    least: cython.const[cython.double][::1],
) -> array:
    """Return the sum of leaves for each row, over trees that are `packed`; rows and thresholds are `ordered`. Rows
    whose sum is below `least` after the number of trees in `stops` stop there."""
    count: cython.Py_ssize_t = len(rows) // width
    trees: cython.Py_ssize_t = len(leaf) // NODES
    result = array("d", bytes(8 * count))
    sums: cython.double[::1] = result
    left: cython.int[::1] = array("i", range(count))  # the rows that go on
    done: cython.Py_ssize_t = 0
    for k in range(len(stops)):
        stop: cython.Py_ssize_t = min(stops[k], trees)
        _add(rows, width, feature, threshold, leaf, done, stop, left, count, sums)
        remaining: cython.Py_ssize_t = 0
        for i in range(count):
            if sums[left[i]] >= least[k]:
                left[remaining] = left[i]
                remaining += 1
        done, count = stop, remaining
    _add(rows, width, feature, threshold, leaf, done, trees, left, count, sums)
    return result


@cython.cfunc
def _add(
    rows: cython.const[cython.uint][::1],
    width: cython.Py_ssize_t,
    feature: cython.const[cython.uchar][::1],
    threshold: cython.const[cython.uint][::1],
    leaf: cython.const[cython.float][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    left: cython.const[cython.int][::1],
    remaining: cython.Py_ssize_t,
    sums: cython.double[::1],
) -> cython.void:
    """Add the leaves of the trees from `first` to before `last` to the sums of the rows that are `left`."""
    for block in range(first * NODES, last * NODES, BLOCK * NODES):
        end: cython.size_t = min(block + BLOCK * NODES, last * NODES)
        for i in range(remaining):
            row = left[i] * width
            total: cython.double = sums[left[i]]
            t: cython.size_t = block
            # Four trees side by side: each step waits for the one before it, and the waits overlap.
            while t + 256 <= end:
                t_b: cython.size_t = t + 64
                t_c: cython.size_t = t + 128
                t_d: cython.size_t = t + 192
                a: cython.size_t = t + 1
                b: cython.size_t = t_b + 1
                c: cython.size_t = t_c + 1
                d: cython.size_t = t_d + 1
                for step in range(STEPS):
                    a += (a - t) + (threshold[a] < rows[row + feature[a]])
                    b += (b - t_b) + (threshold[b] < rows[row + feature[b]])
                    c += (c - t_c) + (threshold[c] < rows[row + feature[c]])
                    d += (d - t_d) + (threshold[d] < rows[row + feature[d]])
                total += leaf[a - 64]
                total += leaf[b - 64]
                total += leaf[c - 64]
                total += leaf[d - 64]
                t += 256
            while t < end:
                a = t + 1
                for step in range(STEPS):
                    a += (a - t) + (threshold[a] < rows[row + feature[a]])
                total += leaf[a - 64]
                t += 64
            sums[left[i]] = total


def probabilities(
    sums: cython.const[cython.double][::1],
    rows: cython.const[cython.float][::1],
    width: cython.Py_ssize_t,
    column: cython.Py_ssize_t,
    slope: cython.double,
    offset: cython.double,
) -> array:
    """Return 1 / (1 + exp(-(slope * sum + offset))) for each row, 0 for rows that have 0 in `column`."""
    count: cython.Py_ssize_t = len(sums)
    result = array("d", bytes(8 * count))
    out: cython.double[::1] = result
    for i in range(count):
        if rows[i * width + column] != 0:
            out[i] = 1 / (1 + exp(-(slope * sums[i] + offset)))
    return result


def mixed(shares: tuple, columns: tuple) -> array:
    """Return the sum of columns of numbers, each times its share."""
    result = array("d", bytes(8 * len(columns[0])))
    out: cython.double[::1] = result
    for k in range(len(columns)):
        share: cython.double = shares[k]
        column: cython.const[cython.double][::1] = columns[k]
        for i in range(len(column)):
            out[i] += share * column[i]
    return result
