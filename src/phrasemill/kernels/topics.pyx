"""How close topics stand in the text, and walks over them."""

from array import array

import cython

from phrasemill.kernels._arrays import DOUBLES, INTS

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import exp

_BLOCK = cython.declare(cython.Py_ssize_t, 32)


def nearness(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    topic: cython.const[cython.int][::1],
    widest: cython.Py_ssize_t,
    room: array,
) -> None:
    """Fill `room`, which grows if it is too short, with a matrix over candidates: the sum, over all pairs of places of
    two candidates of different topics, of one over the tokens from the end of the earlier to the start of the later.

    Places that start more than `widest` tokens apart do not count.
    """
    count: cython.Py_ssize_t = len(first) - 1
    places: cython.Py_ssize_t = len(start)
    missing: cython.Py_ssize_t = count * count - len(room)
    if missing > 0:
        room.extend(clone(DOUBLES, missing, False))
    out: cython.double[::1] = room
    a: cython.Py_ssize_t
    for a in range(count * count):
        out[a] = 0.0
    if places == 0:
        return
    begin: cython.int[::1] = clone(INTS, places, True)
    finish: cython.int[::1] = clone(INTS, places, True)
    owner: cython.int[::1] = clone(INTS, places, True)
    furthest: cython.Py_ssize_t = min(_in_text_order(first, start, end, begin, finish, owner), widest)
    # One over each distance, so that the inner loop has no division.
    over: cython.double[::1] = clone(DOUBLES, furthest + 2, True)
    for a in range(1, furthest + 2):
        over[a] = 1.0 / a
    stop: cython.Py_ssize_t = 0
    a = 0
    while a < places:
        while stop < places and begin[stop] - begin[a] <= widest:
            stop += 1
        if a + 1 < places and owner[a] != owner[a + 1] and widest >= begin[places - 1]:
            _add_two_places(out, begin, finish, owner, over, a, count)
            a += 2
        else:
            _add_place(out, begin, finish, owner, over, a, a + 1, stop, count)
            a += 1
    _mirror(out, topic, count)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _add_place(
    out: cython.double[::1],
    begin: cython.const[cython.int][::1],
    finish: cython.const[cython.int][::1],
    owner: cython.const[cython.int][::1],
    over: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    after: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.void:
    """Add what place `a` has with the places from `after` to `stop`."""
    row: cython.Py_ssize_t = owner[a] * count
    last: cython.Py_ssize_t = finish[a] - 1
    b: cython.Py_ssize_t = after
    while b < stop and begin[b] <= last:  # places that overlap count as neighbours
        out[row + owner[b]] += 1.0
        b += 1
    while b < stop:
        out[row + owner[b]] += over[begin[b] - last]
        b += 1


@cython.cfunc
@cython.exceptval(check=False)
def _add_two_places(
    out: cython.double[::1],
    begin: cython.const[cython.int][::1],
    finish: cython.const[cython.int][::1],
    owner: cython.const[cython.int][::1],
    over: cython.const[cython.double][::1],
    a: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.void:
    """Add what places `a` and `a + 1`, of different candidates, have with all after them; in one pass, which is faster
    than two."""
    places: cython.Py_ssize_t = len(begin)
    last: cython.Py_ssize_t = finish[a] - 1
    last_of_next: cython.Py_ssize_t = finish[a + 1] - 1
    apart: cython.Py_ssize_t = a + 2
    while apart < places and (begin[apart] <= last or begin[apart] <= last_of_next):
        apart += 1
    _add_place(out, begin, finish, owner, over, a, a + 1, apart, count)
    _add_place(out, begin, finish, owner, over, a + 1, a + 2, apart, count)
    row: cython.Py_ssize_t = owner[a] * count
    next_row: cython.Py_ssize_t = owner[a + 1] * count
    b: cython.Py_ssize_t
    for b in range(apart, places):
        at: cython.Py_ssize_t = begin[b]
        column: cython.Py_ssize_t = owner[b]
        out[row + column] += over[at - last]
        out[next_row + column] += over[at - last_of_next]


@cython.cfunc
@cython.exceptval(check=False)
def _mirror(out: cython.double[::1], topic: cython.const[cython.int][::1], count: cython.Py_ssize_t) -> cython.void:
    """Add the two halves of a square matrix, each to the other; candidates of one topic get nothing.

    By blocks that a cache holds: along whole columns nearly every step would miss it.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for i in range(0, count, _BLOCK):
        for j in range(i, count, _BLOCK):
            for a in range(i, min(i + _BLOCK, count)):
                for b in range(max(j, a), min(j + _BLOCK, count)):
                    both: cython.double = 0.0
                    if topic[a] != topic[b]:
                        both = out[a * count + b] + out[b * count + a]
                    out[a * count + b] = both
                    out[b * count + a] = both


@cython.cfunc
def _in_text_order(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    begin: cython.int[::1],
    finish: cython.int[::1],
    owner: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill columns of zeros with start, end and candidate of every place, by start, then end; return the greatest
    end."""
    places: cython.Py_ssize_t = len(start)
    furthest: cython.Py_ssize_t = 0
    o: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for o in range(places):
        furthest = max(furthest, end[o])
    slot: cython.int[::1] = clone(INTS, furthest + 2, True)
    for o in range(places):
        slot[start[o] + 1] += 1
    for at in range(furthest + 1):
        slot[at + 1] += slot[at]
    for c in range(len(first) - 1):
        for o in range(first[c], first[c + 1]):
            at = slot[start[o]]
            slot[start[o]] += 1
            while at > 0 and begin[at - 1] == start[o] and finish[at - 1] > end[o]:
                begin[at] = begin[at - 1]
                finish[at] = finish[at - 1]
                owner[at] = owner[at - 1]
                at -= 1
            begin[at] = start[o]
            finish[at] = end[o]
            owner[at] = c
    return furthest


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


def factors(first: cython.const[cython.int][::1], start: cython.const[cython.int][::1], alpha: cython.double) -> array:
    """Return alpha * exp(1 / (1 + position)) for each candidate, by its first place."""
    count: cython.Py_ssize_t = len(first) - 1
    result = clone(DOUBLES, count, False)
    out: cython.double[::1] = result
    c: cython.Py_ssize_t
    for c in range(count):
        position: cython.double = start[first[c]]
        out[c] = alpha * exp(1.0 / (1.0 + position))
    return result


def boost(
    matrix: cython.double[::1],
    topic: cython.const[cython.int][::1],
    factor: cython.const[cython.double][::1],
) -> None:
    """Turn `matrix` into MultipartiteRank's weights, w[i, j] for the edge from i to j: into the first candidate of a
    topic goes also, times `factor[i]`, what binds i to the topic's other candidates. Candidates are in order of first
    occurrence. In place, since the matrix is too large for a cache."""
    count: cython.Py_ssize_t = len(topic)
    first_of: cython.int[::1] = array("i", [-1]) * (count + 1)  # by topic
    other: cython.int[::1] = clone(INTS, count, False)
    target: cython.int[::1] = clone(INTS, count, False)
    others: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for k in range(count):
        if first_of[topic[k]] < 0:
            first_of[topic[k]] = k
        else:
            other[others] = k
            target[others] = first_of[topic[k]]
            others += 1
    # The matrix is symmetric, so what binds i to k is read along row i; no row reads what it writes.
    for i in range(count):
        row: cython.Py_ssize_t = i * count
        for k in range(others):
            matrix[row + target[k]] += factor[i] * matrix[row + other[k]]


@cython.cfunc
@cython.exceptval(check=False)
def _add_rows(
    matrix: cython.const[cython.double][::1], total: cython.double[::1], count: cython.Py_ssize_t
) -> cython.void:
    """Add up each row of a square matrix; four rows at a time, since a sum alone waits for every addition."""
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    while i + 3 < count:
        row: cython.Py_ssize_t = i * count
        a: cython.double = 0.0
        b: cython.double = 0.0
        c: cython.double = 0.0
        d: cython.double = 0.0
        for j in range(count):
            a += matrix[row + j]
            b += matrix[row + count + j]
            c += matrix[row + 2 * count + j]
            d += matrix[row + 3 * count + j]
        total[i] = a
        total[i + 1] = b
        total[i + 2] = c
        total[i + 3] = d
        i += 4
    while i < count:
        for j in range(count):
            total[i] += matrix[i * count + j]
        i += 1


@cython.cfunc
@cython.exceptval(check=False)
def _add_shares(
    matrix: cython.const[cython.double][::1],
    share: cython.const[cython.double][::1],
    row: cython.const[cython.int][::1],
    rows: cython.Py_ssize_t,
    out: cython.double[::1],
) -> cython.void:
    """Add `share` times the rows of a square matrix to `out`, in the order of the rows; four in one pass over it."""
    count: cython.Py_ssize_t = len(out)
    k: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    while k + 3 < rows:
        a: cython.Py_ssize_t = row[k] * count
        b: cython.Py_ssize_t = row[k + 1] * count
        c: cython.Py_ssize_t = row[k + 2] * count
        d: cython.Py_ssize_t = row[k + 3] * count
        of_a: cython.double = share[k]
        of_b: cython.double = share[k + 1]
        of_c: cython.double = share[k + 2]
        of_d: cython.double = share[k + 3]
        for j in range(count):
            value: cython.double = out[j] + of_a * matrix[a + j]
            value = value + of_b * matrix[b + j]
            value = value + of_c * matrix[c + j]
            out[j] = value + of_d * matrix[d + j]
        k += 4
    while k < rows:
        a = row[k] * count
        of_a = share[k]
        for j in range(count):
            out[j] += of_a * matrix[a + j]
        k += 1


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
    share: cython.double[::1] = clone(DOUBLES, count, False)
    row: cython.int[::1] = clone(INTS, count, False)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    _add_rows(matrix, total, count)
    for r in range(most):
        base = 1.0 - damping
        for j in range(count):
            following[j] = 0.0
        linked: cython.Py_ssize_t = 0
        for i in range(count):
            if total[i] > 0.0:
                share[linked] = damping * rank[i] / total[i]
                row[linked] = i
                linked += 1
            else:
                base += damping * rank[i]
        _add_shares(matrix, share, row, linked, following)
        change: cython.double = 0.0
        for j in range(count):
            value = base / count + following[j]
            change += abs(value - rank[j])
            rank[j] = value
        if change < tolerance:
            break
    return ranks
