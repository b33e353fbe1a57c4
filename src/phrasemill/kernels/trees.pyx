"""Boosted trees over rows of numbers: the sum of the leaves that a row falls into.

All trees are complete, with DEPTH steps from root to leaf, so that every way is equally long and nothing has to be
decided but left or right: from place p of a tree to 2p where the feature is at most the threshold, else to 2p + 1.
Features and thresholds are compared as whole numbers, which a processor can compare and add in one go.
"""

from cpython.array cimport array, clone
from libc.math cimport exp
from libc.string cimport memcpy

from phrasemill.kernels.text cimport released, restored

cdef enum:
    LEVELS = 6
    NODES = 64  # leaves of a tree, and its inner nodes with a place 0 that is not used
    TOGETHER = 8  # trees that rows walk through side by side
    SIGN = 0x80000000
DEPTH = LEVELS
cdef array BYTES = array("B"), INTS = array("i"), UINTS = array("I"), FLOATS = array("f"), DOUBLES = array("d")


cdef inline unsigned int in_order(float number) noexcept nogil:
    """Return a whole number in the order of floats."""
    cdef unsigned int bits
    memcpy(&bits, &number, sizeof(bits))
    # Below zero the larger is the smaller; -0.0 is 0.0.
    return ~bits if bits > SIGN else bits | SIGN


def ordered(const float[::1] numbers):
    """Return whole numbers in the order of floats."""
    cdef array result = clone(UINTS, len(numbers), False)
    for i in range(len(numbers)):
        result.data.as_uints[i] = in_order(numbers[i])
    return result


cdef class Trees:
    """Some trees, side by side. Rows whose sum is below a bound after some of them stop there: `stops` has the number
    of trees and the bound of each such point.

    The inner nodes of a tree are at its places 1 to 63: from place p the way leads to 2p, or to 2p + 1 where the
    feature is above the threshold. Trees without effect fill up the last eight trees before each stop.
    """

    cdef array feature, threshold, leaf
    cdef array stops, least
    cdef Py_ssize_t count, bounds

    def __init__(
        self, const int[::1] numbers, const unsigned char[::1] feature, const float[::1] threshold,
        const float[::1] leaf, stops,
    ):
        cdef Py_ssize_t t = 0, p, stop, room = (len(numbers) + (len(stops) + 1) * TOGETHER) * NODES
        self.feature, self.threshold = clone(BYTES, room, True), clone(UINTS, room, True)
        self.leaf = clone(FLOATS, room, True)
        self.stops, self.least = array("i"), array("d", [least for _, least in stops])
        self.bounds = len(stops)
        for stop in [*[number for number, _ in stops], len(numbers)]:
            while t < min(stop, len(numbers)):
                self.put(self.count, numbers[t], feature, threshold, leaf)
                t += 1
                self.count += 1
            self.count = (self.count + TOGETHER - 1) // TOGETHER * TOGETHER
            self.stops.append(self.count)

    cdef put(
        self, Py_ssize_t place, Py_ssize_t number, const unsigned char[::1] feature, const float[::1] threshold,
        const float[::1] leaf,
    ):
        """Put the tree with this number at a place."""
        for p in range(NODES):
            if p > 0:
                self.feature.data.as_uchars[place * NODES + p] = feature[number * (NODES - 1) + p - 1]
                self.threshold.data.as_uints[place * NODES + p] = in_order(threshold[number * (NODES - 1) + p - 1])
            self.leaf.data.as_floats[place * NODES + p] = leaf[number * NODES + p]

    def sums(self, const float[::1] rows, Py_ssize_t width):
        """Return the sum of leaves of each row."""
        cdef Py_ssize_t count = len(rows) // width
        cdef array result = clone(DOUBLES, count, False), left = clone(INTS, count, False), keys = ordered(rows)
        state = released(len(rows))
        self.add(keys.data.as_uints, width, count, left.data.as_ints, result.data.as_doubles)
        restored(state)
        return result

    cdef void add(self, const unsigned int *rows, Py_ssize_t width, Py_ssize_t count, int *left, double *sums) noexcept nogil:
        """Fill the sums of rows; `left` takes the numbers of those that go on."""
        cdef Py_ssize_t i, k = 0, done = 0, remaining
        for i in range(count):
            left[i] = i
            sums[i] = 0.0
        while done < self.count:
            while k < self.bounds and self.stops.data.as_ints[k] <= done:
                remaining = 0
                for i in range(count):
                    if sums[left[i]] >= self.least.data.as_doubles[k]:
                        left[remaining] = left[i]
                        remaining += 1
                count = remaining
                k += 1
            self.add_eight(rows, width, done * NODES, left, count, sums)
            done += TOGETHER

    cdef void add_eight(
        self, const unsigned int *rows, Py_ssize_t width, Py_ssize_t begin, const int *left, Py_ssize_t count, double *sums
    ) noexcept nogil:
        """Add the leaves of eight trees to the sums of the rows that are left."""
        cdef const unsigned char *feature = self.feature.data.as_uchars + begin
        cdef const unsigned int *threshold = self.threshold.data.as_uints + begin
        cdef const float *leaf = self.leaf.data.as_floats + begin
        cdef const unsigned int *one
        cdef const unsigned int *other
        cdef size_t[TOGETHER] p, q
        cdef double total, others
        cdef Py_ssize_t i, t
        # Each step waits for the one before it, and the waits of two rows in eight trees overlap. Where the number of
        # rows is odd, the last one goes twice.
        for i in range(0, count, 2):
            one, other = rows + left[i] * width, rows + left[min(i + 1, count - 1)] * width
            for t in range(TOGETHER):
                p[t] = q[t] = 1
            for _ in range(LEVELS):
                for t in range(TOGETHER):
                    p[t] += p[t] + (threshold[NODES * t + p[t]] < one[feature[NODES * t + p[t]]])
                    q[t] += q[t] + (threshold[NODES * t + q[t]] < other[feature[NODES * t + q[t]]])
            total, others = sums[left[i]], sums[left[min(i + 1, count - 1)]]
            for t in range(TOGETHER):
                total += leaf[NODES * t + p[t] - NODES]
                others += leaf[NODES * t + q[t] - NODES]
            sums[left[min(i + 1, count - 1)]] = others
            sums[left[i]] = total


def add_chances(list styles, const float[::1] rows, Py_ssize_t width, Py_ssize_t column, Py_ssize_t begin, double[::1] out):
    """Add to `out`, from `begin` on, the probability of each row in each of the `styles`: trees, the slope and offset
    of the line that makes log-odds of their sums, and the share of the style. Nothing for rows with 0 in `column`."""
    cdef Py_ssize_t i, count = len(rows) // width
    cdef array sums = clone(DOUBLES, count, False), left = clone(INTS, count, False), keys = ordered(rows)
    cdef Trees trees
    cdef double slope, offset, share
    for trees, slope, offset, share in styles:
        state = released(len(rows))
        trees.add(keys.data.as_uints, width, count, left.data.as_ints, sums.data.as_doubles)
        for i in range(count):
            if rows[i * width + column] != 0:
                out[begin + i] += share * (1 / (1 + exp(-(slope * sums.data.as_doubles[i] + offset))))
        restored(state)
