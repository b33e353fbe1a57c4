"""Topics: candidates that share words, clustered by average linkage; and how close topics stand in the text."""

import heapq
from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

COMPILED = cython.compiled


@cython.cfunc
@cython.inline
def _root(parent: cython.int[::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The cluster that has taken in cluster `i`."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def cluster(stem_lists: list, least: cython.double) -> array:
    """The topic of each candidate, numbered by first candidate: average linkage on the Jaccard similarity of stems, cut
    where the best pair of clusters is less alike than `least`.

    Only candidates that share a stem are alike at all, so sums of similarities are kept for those pairs alone; the
    average over a pair of clusters divides by all pairs.
    """
    count: cython.Py_ssize_t = len(stem_lists)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    holders: dict = {}
    sets: list = []
    for i in range(count):
        stems = frozenset(stem_lists[i])
        sets.append(stems)
        for stem in stems:
            holders.setdefault(stem, []).append(i)
    sums: list = [{} for _ in range(count)]
    heap: list = []
    similarity: cython.double
    common: cython.Py_ssize_t
    for i in range(count):
        shared: dict = {}
        for stem in sets[i]:
            for other in holders[stem]:
                if other > i:
                    shared[other] = shared.get(other, 0) + 1
        for other, together in shared.items():
            common = together
            j = other
            similarity = common / cython.cast(cython.double, len(sets[i]) + len(sets[j]) - common)
            sums[i][j] = similarity
            sums[j][i] = similarity
            if similarity >= least:
                heap.append((-similarity, i, j))
    heapq.heapify(heap)
    queued: set = set(heap)
    sizes_of = array("i", [1]) * count
    parents_of = array("i", range(count))
    size: cython.int[::1] = sizes_of
    parent: cython.int[::1] = parents_of
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    bound: cython.double
    # Merging never makes two clusters more alike than the likelier of their parts was, so an entry is an upper bound of
    # what its clusters have become, and is put back with their present similarity when it comes up.
    while heap:
        top: tuple = heapq.heappop(heap)
        bound, a, b = top
        i = _root(parent, a)
        j = _root(parent, b)
        if i == j:
            continue
        if i > j:
            i, j = j, i
        mine: dict = sums[i]
        similarity = mine[j]
        similarity /= size[i] * size[j]
        if similarity < -bound or i != a or j != b:
            entry = (-similarity, i, j)
            if similarity >= least and entry not in queued:
                queued.add(entry)
                heapq.heappush(heap, entry)
            continue
        # The earlier cluster takes in the later one.
        parent[j] = i
        size[i] += size[j]
        del mine[j]
        for other, amount in sums[j].items():
            if other != i:
                theirs: dict = sums[other]
                del theirs[j]
                amount = mine.get(other, 0.0) + amount
                mine[other] = amount
                theirs[i] = amount
        sums[j] = None
    result = array("i", bytes(4 * count))
    topics: cython.int[::1] = result
    found: cython.int = 0
    for i in range(count):
        if parent[i] == i:
            topics[i] = found
            found += 1
        else:
            topics[i] = topics[_root(parent, i)]
    return result


def nearness(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    topic: cython.const[cython.int][::1],
) -> array:
    """A matrix over candidates: the sum, over all pairs of places of two candidates of different topics, of one over
    the tokens from the end of the earlier to the start of the later."""
    count: cython.Py_ssize_t = len(first) - 1
    places: cython.Py_ssize_t = len(start)
    result = array("d", bytes(8 * count * count))
    out: cython.double[::1] = result
    if places == 0:
        return result
    begins, ends, owners = _in_text_order(first, start, end)
    begin: cython.int[::1] = begins
    finish: cython.int[::1] = ends
    owner: cython.int[::1] = owners
    # One over each distance, so that the inner loop has no division.
    over_of = array("d", bytes(8 * (finish[places - 1] + 2)))
    over: cython.double[::1] = over_of
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    row: cython.Py_ssize_t
    last: cython.Py_ssize_t
    for a in range(1, len(over)):
        over[a] = 1.0 / a
    over[0] = 1.0  # places that overlap count as neighbours
    for a in range(places):
        row = owner[a] * count
        last = finish[a] - 1
        for b in range(a + 1, places):
            out[row + owner[b]] += over[max(begin[b] - last, 0)]
    for a in range(count):
        out[a * count + a] = 0.0
        for b in range(a + 1, count):
            if topic[a] == topic[b]:
                out[a * count + b] = 0.0
            else:
                out[a * count + b] += out[b * count + a]
            out[b * count + a] = out[a * count + b]
    return result


@cython.cfunc
def _in_text_order(
    first: cython.const[cython.int][::1], start: cython.const[cython.int][::1], end: cython.const[cython.int][::1]
) -> tuple:
    """Start, end and candidate of every place, by start."""
    places: list = []
    c: cython.Py_ssize_t
    o: cython.Py_ssize_t
    for c in range(len(first) - 1):
        for o in range(first[c], first[c + 1]):
            places.append((start[o], end[o], c))
    places.sort()
    begins = array("i", [place[0] for place in places])
    ends = array("i", [place[1] for place in places])
    return begins, ends, array("i", [place[2] for place in places])


def within(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    members: cython.const[cython.int][::1],
) -> array:
    """The same matrix over the candidates `members` alone, those of one topic, places of one candidate included."""
    count: cython.Py_ssize_t = len(members)
    result = array("d", bytes(8 * count * count))
    out: cython.double[::1] = result
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    gap: cython.int
    total: cython.double
    for a in range(count):
        for b in range(a, count):
            total = 0.0
            for i in range(first[members[a]], first[members[a] + 1]):
                for j in range(first[members[b]], first[members[b] + 1]):
                    if i != j:
                        gap = start[j] - end[i] + 1 if start[i] < start[j] else start[i] - end[j] + 1
                        total += 1.0 / max(gap, 1)
            out[a * count + b] = total
            out[b * count + a] = total
    return result


def merged(matrix: cython.const[cython.double][::1], topic: cython.const[cython.int][::1], topics: cython.int) -> array:
    """The matrix over topics: its entries added up over the candidates of each."""
    count: cython.Py_ssize_t = len(topic)
    result = array("d", bytes(8 * topics * topics))
    out: cython.double[::1] = result
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for a in range(count):
        for b in range(count):
            out[topic[a] * topics + topic[b]] += matrix[a * count + b]
    return result


def boosted(
    matrix: cython.const[cython.double][::1],
    topic: cython.const[cython.int][::1],
    factor: cython.const[cython.double][::1],
) -> array:
    """MultipartiteRank's weights, w[i, j] for the edge from i to j: into the first candidate of a topic goes also,
    times `factor[i]`, what binds i to the topic's other candidates. Candidates are in order of first occurrence."""
    count: cython.Py_ssize_t = len(topic)
    result = array("d", bytes(8 * count * count))
    out: cython.double[::1] = result
    first_of = array("i", [-1]) * (count + 1)
    first: cython.int[::1] = first_of
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for k in range(count):
        if first[topic[k]] < 0:
            first[topic[k]] = k
    # The matrix is symmetric, so what binds i to k is read along row i.
    for i in range(count):
        for k in range(count):
            out[i * count + k] += matrix[i * count + k]
            if first[topic[k]] != k:
                out[i * count + first[topic[k]]] += factor[i] * matrix[i * count + k]
    return result


def random_walk(
    matrix: cython.const[cython.double][::1],
    count: cython.int,
    damping: cython.double,
    tolerance: cython.double,
    most: cython.int,
) -> array:
    """The stationary distribution of a walk from i to j in proportion to `matrix[i, j]`, with even jumps."""
    if count == 0:
        return array("d")
    ranks = array("d", [1.0 / count]) * count
    totals_of = array("d", bytes(8 * count))
    next_of = array("d", bytes(8 * count))
    rank: cython.double[::1] = ranks
    total: cython.double[::1] = totals_of
    following: cython.double[::1] = next_of
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    r: cython.int
    share: cython.double
    base: cython.double
    change: cython.double
    value: cython.double
    for i in range(count):
        for j in range(count):
            total[i] += matrix[i * count + j]
    for r in range(most):
        base = 1.0 - damping
        for j in range(count):
            following[j] = 0.0
        for i in range(count):
            if total[i] > 0.0:
                share = damping * rank[i] / total[i]
                for j in range(count):
                    following[j] += share * matrix[i * count + j]
            else:
                base += damping * rank[i]
        change = 0.0
        for j in range(count):
            value = base / count + following[j]
            change += abs(value - rank[j])
            rank[j] = value
        if change < tolerance:
            break
    return ranks
