"""A document's topics under a fitted topic model, and how well each word fits them."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import DOUBLES

if cython.compiled:
    from cython.cimports.cpython.array import clone
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from phrasemill.kernels._arrays import clone


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
    for r in range(rounds):
        for z in range(topics):
            following[z] = 1.0 / topics
        for w in range(words):
            total = 0.0
            for z in range(topics):
                total += theta[z] * probability[w * topics + z]
            if total > 0.0:
                scale = count[w] / total
                for z in range(topics):
                    following[z] += scale * theta[z] * probability[w * topics + z]
        total = 0.0
        for z in range(topics):
            total += following[z]
        for z in range(topics):
            theta[z] = following[z] / total
    return thetas


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
