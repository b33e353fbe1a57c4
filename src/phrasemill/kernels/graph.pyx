"""Word graphs: co-occurrence counted within a window, and the random walk over them."""

from array import array

import cython

from phrasemill.kernels._arrays import DOUBLES, INTS, LONGS

from cython.cimports.cpython.array import clone


def words(
    stem: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    tag: cython.const[cython.uchar][::1],
    allowed: cython.const[cython.uchar][::1],
    stems: cython.int,
) -> tuple:
    """Return the graph node of each token, numbered by first occurrence, and how many nodes there are.

    Words (not stopwords) whose tag is `allowed` are nodes, one per stem; other tokens have -1.
    """
    count: cython.Py_ssize_t = len(stem)
    nodes_of = clone(INTS, count, True)
    node: cython.int[::1] = nodes_of
    number: cython.int[::1] = clone(INTS, stems, True)  # one more than the node of a stem; 0 is none yet
    found: cython.int = 0
    for i in range(count):
        node[i] = -1
        if kind[i] & 1 and not kind[i] & 2 and allowed[tag[i]]:
            if number[stem[i]] == 0:
                found += 1
                number[stem[i]] = found
            node[i] = number[stem[i]] - 1
    return nodes_of, found


def runs(
    node: cython.const[cython.int][::1], kept: cython.const[cython.uchar][::1], sentences: cython.const[cython.int][::1]
) -> tuple:
    """Return token bounds of the maximal runs of kept nodes within sentences: two columns."""
    count: cython.Py_ssize_t = len(node)
    starts = clone(INTS, count, True)
    ends = clone(INTS, count, True)
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    for s in range(len(sentences)):
        while i < sentences[s]:
            if node[i] < 0 or not kept[node[i]]:
                i += 1
                continue
            start[found] = i
            while i < sentences[s] and node[i] >= 0 and kept[node[i]]:
                i += 1
            end[found] = i
            found += 1
    del start, end
    del starts[found:], ends[found:]
    return starts, ends


def sums(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    node: cython.const[cython.int][::1],
    rank: cython.const[cython.double][::1],
) -> array:
    """Return for each candidate the sum of the ranks of the words of its first occurrence."""
    count: cython.Py_ssize_t = len(first) - 1
    result = clone(DOUBLES, count, True)
    out: cython.double[::1] = result
    i: cython.Py_ssize_t
    for c in range(count):
        for i in range(start[first[c]], end[first[c]]):
            if node[i] >= 0:
                out[c] += rank[node[i]]
    return result


def earliness(node: cython.const[cython.int][::1], nodes: cython.Py_ssize_t) -> array:
    """Return for each node the sum of one over the positions of its tokens, which count from 1."""
    result = clone(DOUBLES, nodes, True)
    out: cython.double[::1] = result
    position: cython.double = 0.0
    for i in range(len(node)):
        position += 1.0
        if node[i] >= 0:
            out[node[i]] += 1.0 / position
    return result


@cython.cfunc
def _grown(keys: cython.const[cython.longlong][::1], weights: cython.const[cython.int][::1]) -> tuple:
    """Return the pair table at twice the size."""
    size: cython.Py_ssize_t = 2 * len(keys)
    mask: cython.longlong = size - 1
    keys_of = clone(LONGS, size, True)
    weights_of = clone(INTS, size, True)
    new_keys: cython.longlong[::1] = keys_of
    new_weights: cython.int[::1] = weights_of
    for i in range(len(keys)):
        if keys[i] != 0:
            slot = _slot(keys[i], mask)
            while new_keys[slot] != 0:
                slot = (slot + 1) & mask
            new_keys[slot] = keys[i]
            new_weights[slot] = weights[i]
    return keys_of, weights_of


@cython.cfunc
@cython.inline
def _slot(key: cython.longlong, mask: cython.longlong) -> cython.longlong:
    return ((key >> 31) * 40503 + (key & 0x7FFFFFFF) * 9973) & mask


def cooccurrences(node: cython.const[cython.int][::1], nodes: cython.int, window: cython.int) -> tuple:
    """Return the undirected graph of `nodes` words that stand within `window` positions of each other.

    `node` gives the word at each position, -1 where there is none; a window of 2 joins neighbours. Returns the graph
    in compressed rows: the neighbours of word `v` are `neighbour[first[v]:first[v + 1]]`, and `weight` counts how
    often each pair met.
    """
    count: cython.Py_ssize_t = len(node)
    pairs: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = 64
    while size < 2 * nodes:
        size *= 2
    mask: cython.longlong = size - 1
    keys_of = clone(LONGS, size, True)
    weights_of = clone(INTS, size, True)
    degrees = clone(INTS, nodes + 1, True)
    keys: cython.longlong[::1] = keys_of
    weights: cython.int[::1] = weights_of
    first: cython.int[::1] = degrees
    for i in range(count):
        if node[i] < 0:
            continue
        for j in range(i + 1, min(i + window, count)):
            if node[j] < 0 or node[i] == node[j]:
                continue
            a: cython.longlong = min(node[i], node[j])
            b: cython.longlong = max(node[i], node[j])
            key = ((a << 31) | b) + 1
            slot = _slot(key, mask)
            while keys[slot] != 0 and keys[slot] != key:
                slot = (slot + 1) & mask
            if keys[slot] == 0:
                keys[slot] = key
                first[a + 1] += 1
                first[b + 1] += 1
                pairs += 1
            weights[slot] += 1
            if 2 * pairs > size:
                keys_of, weights_of = _grown(keys, weights)
                keys = keys_of
                weights = weights_of
                size *= 2
                mask = size - 1
    for i in range(nodes):
        first[i + 1] += first[i]
    neighbours = clone(INTS, first[nodes], True)
    counts = clone(INTS, first[nodes], True)
    neighbour: cython.int[::1] = neighbours
    weight: cython.int[::1] = counts
    at: cython.int[::1] = array("i", degrees)
    for i in range(size):
        if keys[i] != 0:
            key = keys[i] - 1
            a = key >> 31
            b = key & 0x7FFFFFFF
            neighbour[at[a]] = b
            weight[at[a]] = weights[i]
            at[a] += 1
            neighbour[at[b]] = a
            weight[at[b]] = weights[i]
            at[b] += 1
    return degrees, neighbours, counts


def random_walk(
    first: cython.const[cython.int][::1],
    neighbour: cython.const[cython.int][::1],
    weight: cython.const[cython.int][::1],
    jump: cython.const[cython.double][::1],
    damping: cython.double,
    tolerance: cython.double,
    most: cython.int,
) -> array:
    """Return the stationary distribution of a walk that follows edges by weight, and jumps with 1 - `damping`.

    `jump` says where to, and sums to 1; empty means anywhere alike. Nodes without edges always jump. Stops when the
    change, summed over nodes, is below `tolerance`, or after `most` rounds.
    """
    nodes: cython.Py_ssize_t = len(first) - 1
    if nodes == 0:
        return array("d")
    even: cython.double = 1.0 / nodes
    biased: cython.bint = len(jump) > 0
    ranks = array("d", [even]) * nodes
    rank: cython.double[::1] = ranks
    share: cython.double[::1] = clone(DOUBLES, nodes, True)
    total: cython.double[::1] = clone(DOUBLES, nodes, True)
    e: cython.Py_ssize_t
    r: cython.Py_ssize_t
    for v in range(nodes):
        for e in range(first[v], first[v + 1]):
            total[v] += weight[e]
    for r in range(most):
        loose = 0.0
        for v in range(nodes):
            if total[v] > 0.0:
                share[v] = rank[v] / total[v]
            else:
                share[v] = 0.0
                loose += rank[v]
        base = 1.0 - damping + damping * loose
        change: cython.double = 0.0
        for v in range(nodes):
            incoming = 0.0
            for e in range(first[v], first[v + 1]):
                incoming += share[neighbour[e]] * weight[e]
            incoming = base * (jump[v] if biased else even) + damping * incoming
            change += abs(incoming - rank[v])
            rank[v] = incoming
        if change < tolerance:
            break
    return ranks
