"""Topics: candidates that share words, clustered by average linkage; and how close topics stand in the text."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import DOUBLES, INTS

if cython.compiled:
    from cython.cimports.cpython.array import clone
else:
    from phrasemill.kernels._arrays import clone


@cython.cfunc
@cython.inline
def _root(parent: cython.int[::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the cluster that has taken in cluster `i`."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@cython.cfunc
@cython.inline
def _before(
    alike: cython.double[::1], pair: cython.longlong[::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t
) -> cython.bint:
    """Return whether heap entry `a` comes before entry `b`: more alike, or as much and earlier in the text."""
    return alike[a] > alike[b] or (alike[a] == alike[b] and pair[a] < pair[b])


@cython.cfunc
def _sink(
    alike: cython.double[::1], pair: cython.longlong[::1], at: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.bint:
    """Move heap entry `at` down to where it belongs."""
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and _before(alike, pair, child + 1, child):
            child += 1
        if not _before(alike, pair, child, at):
            return True
        alike[at], alike[child] = alike[child], alike[at]
        pair[at], pair[child] = pair[child], pair[at]
        at = child
    return True


@cython.cfunc
def _similarities(stem_lists: list) -> list:
    """Return for each candidate the Jaccard similarity of its stems to those of later ones that share a stem with
    it."""
    count: cython.Py_ssize_t = len(stem_lists)
    sets: list = [frozenset(stems) for stems in stem_lists]
    holders: dict = {}
    found: list = [None] * count
    # Backwards, so that the holders of a stem that are known are those after the candidate.
    for i in range(count - 1, -1, -1):
        shared: dict = {}
        for stem in sets[i]:
            known = holders.get(stem)
            if known is None:
                holders[stem] = [i]
                continue
            for other in known:
                shared[other] = shared.get(other, 0) + 1
            known.append(i)
        for other, together in shared.items():
            common: cython.Py_ssize_t = together
            shared[other] = common / cython.cast(cython.double, len(sets[i]) + len(sets[other]) - common)
        found[i] = shared
    return found


def cluster(stem_lists: list, least: cython.double) -> array:
    """Return the topic of each candidate, numbered by first candidate: average linkage on the Jaccard similarity of
    stems, cut where the best pair of clusters is less alike than `least`.

    Only candidates that share a stem are alike at all, so sums of similarities are kept for those pairs alone; the
    average over a pair of clusters divides by all pairs.
    """
    count: cython.Py_ssize_t = len(stem_lists)
    later: list = _similarities(stem_lists)
    sums: list = [dict(pairs) for pairs in later]
    alikes_of = array("d")
    pairs_of = array("q")
    for i in range(count):
        for other, amount in later[i].items():
            sums[other][i] = amount
            if amount >= least:
                alikes_of.append(amount)
                pairs_of.append((i << 32) | other)
    waiting: cython.Py_ssize_t = len(alikes_of)
    alike: cython.double[::1] = alikes_of
    pair: cython.longlong[::1] = pairs_of
    for i in range(waiting // 2 - 1, -1, -1):
        _sink(alike, pair, i, waiting)
    size: cython.int[::1] = array("i", [1]) * count
    parent: cython.int[::1] = array("i", range(count))
    # Merging never makes two clusters more alike than the likelier of their parts was, so an entry is an upper bound of
    # what its clusters have become, and stays with their present similarity when it comes up.
    while waiting:
        key = pair[0]
        i = _root(parent, key >> 32)
        j = _root(parent, key & 0xFFFFFFFF)
        similarity: cython.double = 0.0
        if i > j:
            i, j = j, i
        mine: dict = sums[i]
        if i != j:
            similarity = mine[j]
            similarity /= size[i] * size[j]
        if i != j and (similarity < alike[0] or pair[0] != ((i << 32) | j)) and similarity >= least:
            alike[0] = similarity
            pair[0] = (i << 32) | j
            _sink(alike, pair, 0, waiting)
            continue
        waiting -= 1
        alike[0] = alike[waiting]
        pair[0] = pair[waiting]
        _sink(alike, pair, 0, waiting)
        if similarity < least:
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


def nearness(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    topic: cython.const[cython.int][::1],
) -> array:
    """Return a matrix over candidates: the sum, over all pairs of places of two candidates of different topics, of one
    over the tokens from the end of the earlier to the start of the later."""
    count: cython.Py_ssize_t = len(first) - 1
    places: cython.Py_ssize_t = len(start)
    result = clone(DOUBLES, count * count, True)
    out: cython.double[::1] = result
    if places == 0:
        return result
    begins, ends, owners = _in_text_order(first, start, end)
    begin: cython.int[::1] = begins
    finish: cython.int[::1] = ends
    owner: cython.int[::1] = owners
    # One over each distance, so that the inner loop has no division.
    over: cython.double[::1] = clone(DOUBLES, finish[places - 1] + 2, True)
    for a in range(1, len(over)):
        over[a] = 1.0 / a
    over[0] = 1.0  # places that overlap count as neighbours
    for a in range(places):
        row = owner[a] * count
        last: cython.Py_ssize_t = finish[a] - 1
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
    """Return start, end and candidate of every place, by start."""
    places: list = []
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
    """Return the same matrix over the `members` of one topic alone, places of one candidate included."""
    count: cython.Py_ssize_t = len(members)
    result = clone(DOUBLES, count * count, True)
    out: cython.double[::1] = result
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for a in range(count):
        for b in range(a, count):
            total = 0.0
            for i in range(first[members[a]], first[members[a] + 1]):
                for j in range(first[members[b]], first[members[b] + 1]):
                    if i != j:
                        gap: cython.int = start[j] - end[i] + 1 if start[i] < start[j] else start[i] - end[j] + 1
                        total += 1.0 / max(gap, 1)
            out[a * count + b] = total
            out[b * count + a] = total
    return result


def merged(matrix: cython.const[cython.double][::1], topic: cython.const[cython.int][::1], topics: cython.int) -> array:
    """Return the matrix over topics: its entries added up over the candidates of each."""
    count: cython.Py_ssize_t = len(topic)
    result = clone(DOUBLES, topics * topics, True)
    out: cython.double[::1] = result
    for a in range(count):
        for b in range(count):
            out[topic[a] * topics + topic[b]] += matrix[a * count + b]
    return result


def boosted(
    matrix: cython.const[cython.double][::1],
    topic: cython.const[cython.int][::1],
    factor: cython.const[cython.double][::1],
) -> array:
    """Return MultipartiteRank's weights, w[i, j] for the edge from i to j: into the first candidate of a topic goes
    also, times `factor[i]`, what binds i to the topic's other candidates. Candidates are in order of first
    occurrence."""
    count: cython.Py_ssize_t = len(topic)
    result = clone(DOUBLES, count * count, True)
    out: cython.double[::1] = result
    first_of: cython.int[::1] = array("i", [-1]) * (count + 1)  # by topic
    others_of = array("i")
    for k in range(count):
        if first_of[topic[k]] < 0:
            first_of[topic[k]] = k
        else:
            others_of.append(k)
    other: cython.int[::1] = others_of
    # The matrix is symmetric, so what binds i to k is read along row i.
    for i in range(count):
        row = i * count
        for k in range(count):
            out[row + k] = matrix[row + k]
        for k in range(len(other)):
            out[row + first_of[topic[other[k]]]] += factor[i] * matrix[row + other[k]]
    return result


def random_walk(
    matrix: cython.const[cython.double][::1],
    count: cython.int,
    damping: cython.double,
    tolerance: cython.double,
    most: cython.int,
) -> array:
    """Return the stationary distribution of a walk from i to j in proportion to `matrix[i, j]`, with even jumps."""
    if count == 0:
        return array("d")
    ranks = array("d", [1.0 / count]) * count
    rank: cython.double[::1] = ranks
    total: cython.double[::1] = clone(DOUBLES, count, True)
    following: cython.double[::1] = clone(DOUBLES, count, True)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
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
        change: cython.double = 0.0
        for j in range(count):
            value = base / count + following[j]
            change += abs(value - rank[j])
            rank[j] = value
        if change < tolerance:
            break
    return ranks
