"""The best path through a lattice of words, each with every tag. Scores are whole numbers.

Loops over tags have the literal 17, so that the C compiler sees how long they are and turns them into vectors.
"""

from array import array

import cython

_TAGS = cython.declare(cython.int, 17)
_NONE = cython.declare(cython.int, -1000000000)


def best_path(
    begins: cython.const[cython.int][::1],
    continues: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    words: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][::1],
    contexts: cython.const[cython.int][::1],
    transitions: cython.const[cython.int][::1],
    chosen: cython.int[::1],
    tags: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Fill `chosen` and `tags` with the edges of the best path and their tags; return how many there are, 0 if
    none reaches the end.

    `begins` and `continues` have a row of scores for each unit, `words` for each edge, `contexts` one for each tag
    before the units that have a block there. The last row of `transitions` is for the beginning.
    """
    n: cython.Py_ssize_t = len(blocks)
    edges: cython.Py_ssize_t = len(start)
    into: cython.int[17]
    came: cython.int[17]
    row: cython.int[17]
    into, came, row = [0] * 17, [0] * 17, [0] * 17
    sums: cython.int[::1] = array("i", bytes(4 * (n + 1) * _TAGS))
    best: cython.int[::1] = array("i", bytes(4 * (n + 1) * _TAGS))
    edge: cython.int[::1] = array("i", bytes(4 * (n + 1) * _TAGS))
    before: cython.uchar[::1] = bytearray((n + 1) * _TAGS)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    t: cython.Py_ssize_t
    p: cython.Py_ssize_t
    e: cython.Py_ssize_t = 0
    value: cython.int
    for i in range((n + 1) * _TAGS):
        best[i] = _NONE
    for i in range(n * _TAGS):
        sums[i + _TAGS] = sums[i] + continues[i]
    for i in range(n):
        if i > 0 and best[i * _TAGS] <= _NONE:
            while e < edges and start[e] == i:
                e += 1
            continue
        if i == 0:
            for t in range(17):
                into[t] = transitions[289 + t]
        else:
            for t in range(17):
                into[t] = _NONE
                came[t] = 0
            block: cython.Py_ssize_t = blocks[i]
            for p in range(17):
                for t in range(17):
                    row[t] = best[i * 17 + p] + transitions[p * 17 + t]
                if block >= 0:
                    for t in range(17):
                        row[t] += contexts[(block * 17 + p) * 17 + t]
                for t in range(17):
                    came[t] = p if row[t] > into[t] else came[t]
                    into[t] = row[t] if row[t] > into[t] else into[t]
            for t in range(17):
                before[i * 17 + t] = came[t]
        for t in range(17):
            into[t] = into[t] + begins[i * 17 + t] - sums[(i + 1) * 17 + t]
        while e < edges and start[e] == i:
            j = end[e] * 17
            for t in range(17):
                value = into[t] + sums[j + t] + words[e * 17 + t]
                edge[j + t] = e if value > best[j + t] else edge[j + t]
                best[j + t] = value if value > best[j + t] else best[j + t]
            e += 1
    # Back from the end
    count: cython.Py_ssize_t = 0
    if best[n * _TAGS] <= _NONE:
        return 0
    last: cython.Py_ssize_t = 0
    for t in range(_TAGS):
        if best[n * _TAGS + t] > best[n * _TAGS + last]:
            last = t
    j = n
    while j > 0:
        chosen[count] = edge[j * _TAGS + last]
        tags[count] = last
        j = start[chosen[count]]
        last = before[j * _TAGS + last]
        count += 1
    for i in range(count // 2):
        j = count - 1 - i
        chosen[i], chosen[j] = chosen[j], chosen[i]
        tags[i], tags[j] = tags[j], tags[i]
    return count
