"""Candidates that share words, clustered by average linkage.

Only candidates that share a stem are alike at all, so sums of similarities are kept for those pairs alone, as edges.
When one cluster takes in another, their edges to the same third cluster become one with the sum of both.
"""

from array import array

import cython

from phrasemill.kernels._arrays import DOUBLES, INTS, LONGS

from cython.cimports.cpython.array import clone


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _root(parent: cython.int[::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the cluster that has taken in cluster `i`, or the edge that has taken in edge `i`."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@cython.cclass
class Heap:
    """Edges, the most alike first; as alike, the earlier pair of clusters first."""

    alike: cython.double[::1]
    pair: cython.longlong[::1]
    edge: cython.int[::1]
    size: cython.Py_ssize_t

    def __init__(self, most: cython.Py_ssize_t) -> None:
        self.alike = clone(DOUBLES, most, False)
        self.pair = clone(LONGS, most, False)
        self.edge = clone(INTS, most, False)
        self.size = 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def before(self, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
        return self.alike[a] > self.alike[b] or (self.alike[a] == self.alike[b] and self.pair[a] < self.pair[b])

    @cython.cfunc
    @cython.exceptval(check=False)
    def sink(self, at: cython.Py_ssize_t) -> cython.void:
        """Move entry `at` down to where it belongs."""
        child: cython.Py_ssize_t
        while 2 * at + 1 < self.size:
            child = 2 * at + 1
            if child + 1 < self.size and self.before(child + 1, child):
                child += 1
            if not self.before(child, at):
                return
            self.alike[at], self.alike[child] = self.alike[child], self.alike[at]
            self.pair[at], self.pair[child] = self.pair[child], self.pair[at]
            self.edge[at], self.edge[child] = self.edge[child], self.edge[at]
            at = child

    @cython.cfunc
    @cython.exceptval(check=False)
    def drop(self) -> cython.void:
        """Remove the first entry."""
        self.size -= 1
        self.alike[0] = self.alike[self.size]
        self.pair[0] = self.pair[self.size]
        self.edge[0] = self.edge[self.size]
        self.sink(0)


@cython.cclass
class Edges:
    """Pairs of candidates with a stem in common, and the Jaccard similarity of their stems.

    Edge `e` is the pair `low[e]` < `high[e]`. Each cluster has a list of its edges: entry 2e is in the list of
    `low[e]`, entry 2e + 1 in that of `high[e]`; `following` leads from an entry to the next.
    """

    low: cython.int[::1]
    high: cython.int[::1]
    total: cython.double[::1]
    head: cython.int[::1]
    following: cython.int[::1]
    count: cython.Py_ssize_t

    def __init__(self, first: object, start: object, end: object, stem: object) -> None:
        count: cython.Py_ssize_t = len(first) - 1
        stems: cython.Py_ssize_t = _stems(stem)
        none, nothing = array("i"), array("d")
        self.count = _pairs(first, start, end, stem, stems, none, none, nothing, False)
        self.low = clone(INTS, self.count, False)
        self.high = clone(INTS, self.count, False)
        self.total = clone(DOUBLES, self.count, False)
        _pairs(first, start, end, stem, stems, self.low, self.high, self.total, True)
        self.head = array("i", [-1]) * count
        self.following = clone(INTS, 2 * self.count, False)
        e: cython.Py_ssize_t
        for e in range(self.count):
            self.following[2 * e] = self.head[self.low[e]]
            self.head[self.low[e]] = 2 * e
            self.following[2 * e + 1] = self.head[self.high[e]]
            self.head[self.high[e]] = 2 * e + 1


@cython.cfunc
def _stems(stem: cython.const[cython.int][::1]) -> cython.Py_ssize_t:
    """Return one more than the highest number of a stem."""
    highest: cython.int = -1
    for i in range(len(stem)):
        highest = max(highest, stem[i])
    return highest + 1


@cython.cfunc
def _counting(count: cython.Py_ssize_t) -> array:
    """Return the whole numbers below `count`."""
    result = clone(INTS, count, False)
    out: cython.int[::1] = result
    i: cython.Py_ssize_t
    for i in range(count):
        out[i] = i
    return result


@cython.cfunc
def _pairs(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    stems: cython.Py_ssize_t,
    low: cython.int[::1],
    high: cython.int[::1],
    total: cython.double[::1],
    fill: cython.bint,
) -> cython.Py_ssize_t:
    """Return how many pairs of candidates share a stem; with `fill`, write them and their similarities."""
    count: cython.Py_ssize_t = len(first) - 1
    words: cython.Py_ssize_t = 0
    c: cython.Py_ssize_t
    for c in range(count):
        words += end[first[c]] - start[first[c]]
    holder: cython.int[::1] = clone(INTS, words, False)  # by entry: which candidate has the stem …
    earlier: cython.int[::1] = clone(INTS, words, False)  # … and the entry of the same stem before it
    last: cython.int[::1] = array("i", [-1]) * stems
    seen: cython.int[::1] = array("i", [-1]) * stems
    size: cython.int[::1] = clone(INTS, count, True)
    shared: cython.int[::1] = clone(INTS, count, True)
    touched: cython.int[::1] = clone(INTS, count, False)
    found: cython.Py_ssize_t = 0
    entries: cython.Py_ssize_t = 0
    t: cython.Py_ssize_t
    k: cython.Py_ssize_t
    # Backwards, so that the holders of a stem that are met are those after the candidate.
    for c in range(count - 1, -1, -1):
        others: cython.Py_ssize_t = 0
        for t in range(start[first[c]], end[first[c]]):
            s: cython.Py_ssize_t = stem[t]
            if seen[s] == c:
                continue
            seen[s] = c
            size[c] += 1
            at: cython.Py_ssize_t = last[s]
            while at >= 0:
                other: cython.Py_ssize_t = holder[at]
                if shared[other] == 0:
                    touched[others] = other
                    others += 1
                shared[other] += 1
                at = earlier[at]
            holder[entries] = c
            earlier[entries] = last[s]
            last[s] = entries
            entries += 1
        for k in range(others):
            other = touched[k]
            if fill:
                low[found] = c
                high[found] = other
                together: cython.double = shared[other]
                total[found] = together / (size[c] + size[other] - shared[other])
            shared[other] = 0
            found += 1
    return found


def cluster(first: object, start: object, end: object, stem: object, least: cython.double) -> array:
    """Return the topic of each candidate, numbered by first candidate: average linkage on the Jaccard similarity of
    stems, cut where the best pair of clusters is less alike than `least`.

    The columns are those of `Candidates`, and the stems of the tokens.
    """
    count: cython.Py_ssize_t = len(first) - 1
    edges: Edges = Edges(first, start, end, stem)
    heap: Heap = _heap(edges, least)
    size: cython.int[::1] = array("i", [1]) * count
    parent: cython.int[::1] = _counting(count)
    into: cython.int[::1] = _counting(edges.count)  # the edge that an edge has become a part of
    mark: cython.int[::1] = clone(INTS, count, False)  # by cluster: its edge to the one that is growing …
    stamp: cython.int[::1] = array("i", [-1]) * count  # … where this is the number of the merge
    merges: cython.int = 0
    # Merging never makes two clusters more alike than the likelier of their parts was, so an entry is an upper bound of
    # what its clusters have become, and stays with their present similarity when it comes up.
    while heap.size:
        e: cython.Py_ssize_t = _root(into, heap.edge[0])
        i: cython.Py_ssize_t = _root(parent, edges.low[e])
        j: cython.Py_ssize_t = _root(parent, edges.high[e])
        if i == j:
            heap.drop()
            continue
        if i > j:
            i, j = j, i
        key: cython.longlong = (cython.cast(cython.longlong, i) << 32) | j
        similarity: cython.double = edges.total[e]
        similarity /= size[i] * size[j]
        if similarity < least:
            heap.drop()
            continue
        if similarity < heap.alike[0] or heap.pair[0] != key:
            heap.alike[0] = similarity
            heap.pair[0] = key
            heap.sink(0)
            continue
        heap.drop()
        _merge(edges, parent, into, mark, stamp, merges, i, j)
        parent[j] = i  # the earlier cluster takes in the later one
        size[i] += size[j]
        merges += 1
    return _numbered(parent)


@cython.cfunc
def _heap(edges: Edges, least: cython.double) -> Heap:
    heap: Heap = Heap(edges.count)
    e: cython.Py_ssize_t
    for e in range(edges.count):
        if edges.total[e] >= least:
            heap.alike[heap.size] = edges.total[e]
            heap.pair[heap.size] = (cython.cast(cython.longlong, edges.low[e]) << 32) | edges.high[e]
            heap.edge[heap.size] = e
            heap.size += 1
    for e in range(heap.size // 2 - 1, -1, -1):
        heap.sink(e)
    return heap


@cython.cfunc
@cython.exceptval(check=False)
def _merge(
    edges: Edges,
    parent: cython.int[::1],
    into: cython.int[::1],
    mark: cython.int[::1],
    stamp: cython.int[::1],
    number: cython.int,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.void:
    """Give cluster `i` the edges of cluster `j`; those to the same other cluster become one."""
    kept: cython.int = -1
    side: cython.Py_ssize_t
    for side in range(2):
        entry: cython.int = edges.head[i] if side == 0 else edges.head[j]
        while entry >= 0:
            following: cython.int = edges.following[entry]
            e: cython.Py_ssize_t = entry >> 1
            if into[e] == e:
                other: cython.Py_ssize_t = _root(parent, edges.low[e] if entry & 1 else edges.high[e])
                if other != i and other != j:
                    if stamp[other] == number:
                        edges.total[mark[other]] += edges.total[e]
                        into[e] = mark[other]
                    else:
                        stamp[other] = number
                        mark[other] = e
                        edges.following[entry] = kept
                        kept = entry
            entry = following
    edges.head[i] = kept


@cython.cfunc
def _numbered(parent: cython.int[::1]) -> array:
    """Return the number of each candidate's cluster, in the order of the clusters' first candidates."""
    count: cython.Py_ssize_t = len(parent)
    result = clone(INTS, count, True)
    topics: cython.int[::1] = result
    found: cython.int = 0
    for i in range(count):
        if parent[i] == i:
            topics[i] = found
            found += 1
        else:
            topics[i] = topics[_root(parent, i)]
    return result
