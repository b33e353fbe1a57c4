"""Topics: candidates that share words, clustered by average linkage; and how close topics stand in the text."""

import heapq
from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

COMPILED = cython.compiled


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
    size: list = [1] * count
    parent: list = list(range(count))
    alive: list = [True] * count
    while heap:
        negative, i, j = heapq.heappop(heap)
        if not alive[i] or not alive[j] or sums[i].get(j, 0.0) / (size[i] * size[j]) != -negative:
            continue
        # The earlier cluster takes in the later one.
        alive[j] = False
        parent[j] = i
        size[i] = size[i] + size[j]
        mine: dict = sums[i]
        del mine[j]
        for other, amount in sums[j].items():
            if other == i:
                continue
            mine[other] = mine.get(other, 0.0) + amount
            theirs: dict = sums[other]
            del theirs[j]
        sums[j] = None
        for other, amount in mine.items():
            sums[other][i] = amount
            similarity = amount / (size[i] * size[other])
            if similarity >= least:
                heapq.heappush(heap, (-similarity, min(i, other), max(i, other)))
    result = array("i", bytes(4 * count))
    topics: cython.int[::1] = result
    found: cython.int = 0
    for i in range(count):
        if parent[i] == i:
            topics[i] = found
            found += 1
        else:
            topics[i] = topics[parent[i]]
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
    result = array("d", bytes(8 * count * count))
    out: cython.double[::1] = result
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    gap: cython.int
    total: cython.double
    for a in range(count):
        for b in range(a + 1, count):
            if topic[a] == topic[b]:
                continue
            total = 0.0
            for i in range(first[a], first[a + 1]):
                for j in range(first[b], first[b + 1]):
                    gap = start[j] - end[i] + 1 if start[i] < start[j] else start[i] - end[j] + 1
                    total += 1.0 / max(gap, 1)
            out[a * count + b] = total
            out[b * count + a] = total
    return result


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
    result = array("d", matrix)
    out: cython.double[::1] = result
    first_of = array("i", [-1]) * (count + 1)
    first: cython.int[::1] = first_of
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for k in range(count):
        if first[topic[k]] < 0:
            first[topic[k]] = k
    for k in range(count):
        if first[topic[k]] != k:
            for i in range(count):
                out[i * count + first[topic[k]]] += factor[i] * matrix[k * count + i]
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
