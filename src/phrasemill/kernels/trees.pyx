"""Boosted trees over rows of numbers: the sum of the leaves that a row falls into.

All trees are complete, with DEPTH steps from root to leaf, so that every way is equally long and nothing has to be
decided but left or right: from place p of a tree to 2p where the feature is at most the threshold, else to 2p + 1.
Features and thresholds are compared as whole numbers, which a processor can compare and add in one go.
"""

from cpython.array cimport array, clone
from libc.math cimport NAN, exp, isnan
from libc.string cimport memcpy, memmove

from phrasemill.kernels.text cimport released, restored

cdef enum:
    LEVELS = 6
    NODES = 64  # leaves of a tree, and its inner nodes with a place 0 that is not used
    TOGETHER = 8  # trees that rows walk through side by side
    MARKED = 20  # blocks of eight trees after which sums are marked; the English styles share 19
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
    """Some trees of a model, side by side. Rows whose sum is below a bound after some of them stop there: `stops` has
    the number of trees and the bound of each such point.

    The inner nodes of a tree are at its places 1 to 63: from place p the way leads to 2p, or to 2p + 1 where the
    feature is above the threshold. Trees without effect fill up the last block of eight before each stop.
    """

    cdef array feature, threshold, leaf
    cdef array numbers  # of the trees in the model, -1 for those without effect
    cdef array stops, least  # blocks, and the bounds there
    cdef Py_ssize_t blocks, bounds

    def __init__(
        self, numbers, const unsigned char[::1] feature, const float[::1] threshold, const float[::1] leaf, stops
    ):
        cdef Py_ssize_t begin = 0, t, p, number
        self.numbers, self.stops = array("i"), array("i")
        self.least, self.bounds = array("d", [least for _, least in stops]), len(stops)
        for stop in [*[min(stop, len(numbers)) for stop, _ in stops], len(numbers)]:
            self.numbers.extend(numbers[begin:stop])
            self.numbers.extend([-1] * ((TOGETHER - len(self.numbers) % TOGETHER) % TOGETHER))
            self.stops.append(len(self.numbers) // TOGETHER)
            begin = stop
        self.blocks = len(self.numbers) // TOGETHER
        self.feature = clone(BYTES, len(self.numbers) * NODES, True)
        self.threshold = clone(UINTS, len(self.numbers) * NODES, True)
        self.leaf = clone(FLOATS, len(self.numbers) * NODES, True)
        for t in range(len(self.numbers)):
            number = self.numbers.data.as_ints[t]
            for p in range(NODES if number >= 0 else 0):
                self.leaf.data.as_floats[t * NODES + p] = leaf[number * NODES + p]
                if p > 0:
                    self.feature.data.as_uchars[t * NODES + p] = feature[number * (NODES - 1) + p - 1]
                    self.threshold.data.as_uints[t * NODES + p] = in_order(threshold[number * (NODES - 1) + p - 1])

    def sums(self, rows, Py_ssize_t width):
        """Return the sum of leaves of each row."""
        return Walkers(rows, width).walk(self)

    cdef Py_ssize_t alike(self, Trees other):
        """Return with how many blocks both begin, up to MARKED; `other` are trees of the same model."""
        cdef Py_ssize_t t = 0, most = min(self.blocks, other.blocks, <Py_ssize_t>MARKED) * TOGETHER
        while t < most and self.numbers.data.as_ints[t] == other.numbers.data.as_ints[t]:
            t += 1
        return t // TOGETHER

    cdef void add(self, Py_ssize_t block, const Walker *left, Py_ssize_t count) noexcept nogil:
        """Add the leaves of eight trees to the sums of the rows that are left."""
        cdef const unsigned char *feature = self.feature.data.as_uchars + block * TOGETHER * NODES
        cdef const unsigned int *threshold = self.threshold.data.as_uints + block * TOGETHER * NODES
        cdef const float *leaf = self.leaf.data.as_floats + block * TOGETHER * NODES
        cdef Walker one, other
        cdef size_t[TOGETHER] p, q
        cdef double total, others
        cdef Py_ssize_t i, t
        # Each step waits for the one before it, and the waits of two rows in eight trees overlap. Where the number of
        # rows is odd, the last one goes twice.
        for i in range(0, count, 2):
            one, other = left[i], left[min(i + 1, count - 1)]
            for t in range(TOGETHER):
                p[t] = q[t] = 1
            for _ in range(LEVELS):
                for t in range(TOGETHER):
                    p[t] += p[t] + (threshold[NODES * t + p[t]] < one.row[feature[NODES * t + p[t]]])
                    q[t] += q[t] + (threshold[NODES * t + q[t]] < other.row[feature[NODES * t + q[t]]])
            total, others = one.sum[0], other.sum[0]
            for t in range(TOGETHER):
                total += leaf[NODES * t + p[t] - NODES]
                others += leaf[NODES * t + q[t] - NODES]
            one.sum[0], other.sum[0] = total, others


cdef struct Walker:
    const unsigned int *row  # whole numbers
    double *sum  # of its leaves


cdef class Walkers:
    """Rows that walk through the trees of one model, a style after the other. Styles may begin with the same trees:
    the sums there are marked, and the next style goes on from them."""

    cdef array keys  # the rows as whole numbers
    cdef Py_ssize_t width, count
    cdef array left  # the rows that still walk
    cdef list known, marks  # trees, and for each row the sums after their first blocks, as far as it came

    def __init__(self, const float[::1] rows, Py_ssize_t width):
        self.keys, self.width, self.count = ordered(rows), width, len(rows) // width
        self.left = clone(BYTES, self.count * sizeof(Walker), False)
        self.known, self.marks = [], []

    def only(self, list numbers):
        """Return the rows with these numbers."""
        cdef Walkers made = Walkers.__new__(Walkers)
        cdef Py_ssize_t i, number, size = self.width * sizeof(int), marked = MARKED * sizeof(double)
        cdef array marks, others
        made.width, made.count, made.known, made.marks = self.width, len(numbers), self.known[:], []
        made.keys = clone(UINTS, made.count * self.width, False)
        made.left = clone(BYTES, made.count * sizeof(Walker), False)
        for i, number in enumerate(numbers):
            memcpy(made.keys.data.as_uchars + i * size, self.keys.data.as_uchars + number * size, size)
        for marks in self.marks:
            others = clone(DOUBLES, made.count * MARKED, False)
            for i, number in enumerate(numbers):
                memcpy(others.data.as_uchars + i * marked, marks.data.as_uchars + number * marked, marked)
            made.marks.append(others)
        return made

    def add_chances(self, list styles, Py_ssize_t column, Py_ssize_t begin, double[::1] out):
        """Add to `out`, from `begin` on, the probability of each row in each of the `styles`: trees, the slope and
        offset of the line that makes log-odds of their sums, and the share of the style. Nothing for rows with 0 in
        `column`."""
        cdef array sums
        cdef double slope, offset, share
        cdef Py_ssize_t i
        for trees, slope, offset, share in styles:
            sums = self.walk(trees)
            for i in range(self.count):
                if self.keys.data.as_uints[i * self.width + column] != SIGN:
                    out[begin + i] += share * (1 / (1 + exp(-(slope * sums.data.as_doubles[i] + offset))))

    cdef array walk(self, Trees trees):
        """Return the sum of leaves of each row."""
        cdef array sums = clone(DOUBLES, self.count, True), marks
        cdef Py_ssize_t i, alike = 0
        for known, marks in zip(self.known, self.marks):
            alike = trees.alike(known)
            if alike > 0:
                break
        else:
            marks = clone(DOUBLES, self.count * MARKED, False)
            for i in range(self.count * MARKED):
                marks.data.as_doubles[i] = NAN
            self.known.append(trees)
            self.marks.append(marks)
        state = released(self.count * self.width)
        self.go(trees, alike, marks.data.as_doubles, sums.data.as_doubles)
        restored(state)
        return sums

    cdef void go(self, Trees trees, Py_ssize_t alike, double *marks, double *sums) noexcept nogil:
        """Walk; rows whose sums after the first blocks are known join there."""
        cdef Walker *left = <Walker *>self.left.data.as_uchars
        cdef Py_ssize_t i, block, count = 0, waiting = 0, remaining, k = 0
        for i in range(self.count):
            if alike > 0 and not isnan(marks[i * MARKED + alike - 1]):
                if not self.joins(trees, alike, marks + i * MARKED, sums + i):
                    continue
                waiting += 1
                remaining = self.count - waiting
            else:
                remaining = count
                count += 1
            left[remaining] = Walker(self.keys.data.as_uints + i * self.width, sums + i)
        for block in range(trees.blocks):
            while k < trees.bounds and trees.stops.data.as_ints[k] <= block:
                remaining = 0
                for i in range(count):
                    if left[i].sum[0] >= trees.least.data.as_doubles[k]:
                        left[remaining] = left[i]
                        remaining += 1
                count = remaining
                k += 1
            if block == alike and waiting > 0:
                memmove(left + count, left + self.count - waiting, waiting * sizeof(Walker))
                count += waiting
            trees.add(block, left, count)
            if alike == 0 and block < MARKED:
                for i in range(count):
                    marks[(left[i].sum - sums) * MARKED + block] = left[i].sum[0]

    cdef inline bint joins(self, Trees trees, Py_ssize_t alike, const double *marks, double *sum) noexcept nogil:
        """Return whether a row with these sums comes through the first blocks, and fill the sum there."""
        cdef Py_ssize_t k
        for k in range(trees.bounds):
            if trees.stops.data.as_ints[k] > alike:
                break
            sum[0] = marks[trees.stops.data.as_ints[k] - 1] if trees.stops.data.as_ints[k] > 0 else 0.0
            if sum[0] < trees.least.data.as_doubles[k]:
                return False
        sum[0] = marks[alike - 1]
        return True
