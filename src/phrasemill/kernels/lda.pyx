"""A document's topics under a fitted topic model, and how well each word fits them."""

from array import array

import cython

from phrasemill.kernels._arrays import DOUBLES, INTS

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import sqrt


def counts(node: cython.const[cython.int][::1], stem: cython.const[cython.int][::1], nodes: cython.int) -> tuple:
    """Return the stem of each node, and how many tokens it has: two columns. Tokens without a node have -1."""
    stems = clone(INTS, nodes, True)
    tokens = clone(INTS, nodes, True)
    stem_of: cython.int[::1] = stems
    count: cython.int[::1] = tokens
    for i in range(len(node)):
        if node[i] >= 0:
            stem_of[node[i]] = stem[i]
            count[node[i]] += 1
    return stems, tokens


def gathered(
    levels: cython.const[cython.uchar][::1],
    probability: cython.const[cython.double][::1],
    rows: cython.const[cython.int][::1],
    count: cython.const[cython.int][::1],
    topics: cython.Py_ssize_t,
) -> tuple:
    """Return P(word | topic) of the words that have a row of the model, not -1, and the counts of these words.

    The model has a row of `levels` for each word; `probability` is what each level stands for.
    """
    words: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    z: cython.Py_ssize_t
    for i in range(len(rows)):
        words += rows[i] >= 0
    found = clone(DOUBLES, words * topics, False)
    seen = clone(INTS, words, False)
    out: cython.double[::1] = found
    out_count: cython.int[::1] = seen
    w: cython.Py_ssize_t = 0
    for i in range(len(rows)):
        if rows[i] >= 0:
            row: cython.Py_ssize_t = rows[i] * topics
            for z in range(topics):
                out[w * topics + z] = probability[levels[row + z]]
            out_count[w] = count[i]
            w += 1
    return found, seen


def spread(values: cython.const[cython.double][::1], rows: cython.const[cython.int][::1]) -> array:
    """Return one value for each row in turn, and 0 where it is -1."""
    result = clone(DOUBLES, len(rows), True)
    out: cython.double[::1] = result
    w: cython.Py_ssize_t = 0
    for i in range(len(rows)):
        if rows[i] >= 0:
            out[i] = values[w]
            w += 1
    return result


def mixture(
    probability: cython.const[cython.double][::1],
    count: cython.const[cython.int][::1],
    topics: cython.int,
    rounds: cython.int,
) -> array:
    """Return P(topic | document), by expectation maximisation from an even start with one word's worth of smoothing.

    `probability` holds P(word | topic), `topics` entries for each of the document's words; `count` how often each
    occurs.
    """
    words: cython.Py_ssize_t = len(count)
    thetas = array("d", [1.0 / topics]) * topics
    theta: cython.double[::1] = thetas
    following: cython.double[::1] = clone(DOUBLES, topics, True)
    z: cython.Py_ssize_t
    w: cython.Py_ssize_t
    for r in range(rounds):
        for z in range(topics):
            following[z] = 1.0 / topics
        # The sums of four words at a time, each in its order: a sum alone waits for every addition.
        w = 0
        while w + 3 < words:
            row: cython.Py_ssize_t = w * topics
            a: cython.double = 0.0
            b: cython.double = 0.0
            c: cython.double = 0.0
            d: cython.double = 0.0
            for z in range(topics):
                a += theta[z] * probability[row + z]
                b += theta[z] * probability[row + topics + z]
                c += theta[z] * probability[row + 2 * topics + z]
                d += theta[z] * probability[row + 3 * topics + z]
            _add_share(following, theta, probability, row, topics, count[w], a)
            _add_share(following, theta, probability, row + topics, topics, count[w + 1], b)
            _add_share(following, theta, probability, row + 2 * topics, topics, count[w + 2], c)
            _add_share(following, theta, probability, row + 3 * topics, topics, count[w + 3], d)
            w += 4
        while w < words:
            a = 0.0
            for z in range(topics):
                a += theta[z] * probability[w * topics + z]
            _add_share(following, theta, probability, w * topics, topics, count[w], a)
            w += 1
        total = 0.0
        for z in range(topics):
            total += following[z]
        for z in range(topics):
            theta[z] = following[z] / total
    return thetas


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _add_share(
    following: cython.double[::1],
    theta: cython.const[cython.double][::1],
    probability: cython.const[cython.double][::1],
    row: cython.Py_ssize_t,
    topics: cython.Py_ssize_t,
    count: cython.int,
    total: cython.double,
) -> cython.void:
    """Add what the occurrences of one word say about the topics."""
    if total > 0.0:
        scale: cython.double = count / total
        for z in range(topics):
            following[z] += scale * theta[z] * probability[row + z]


def fits(probability: cython.const[cython.double][::1], theta: cython.const[cython.double][::1]) -> array:
    """Return the cosine between P(word | topics) and P(topics | document), for each word."""
    topics: cython.Py_ssize_t = len(theta)
    words: cython.Py_ssize_t = len(probability) // topics
    result = clone(DOUBLES, words, True)
    out: cython.double[::1] = result
    other: cython.double = 0.0
    for z in range(topics):
        other += theta[z] * theta[z]
    for w in range(words):
        dot = 0.0
        own = 0.0
        for z in range(topics):
            dot += probability[w * topics + z] * theta[z]
            own += probability[w * topics + z] * probability[w * topics + z]
        if own > 0.0:
            out[w] = dot / sqrt(own * other)
    return result
