"""What recognises the kind of a text: sums of the weights of its words, and shares of its word classes."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

CLASSES = cython.declare(cython.int, 16)
# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
NUMBER = cython.declare(cython.int, 4)
CAPITAL = cython.declare(cython.int, 8)
UPPER = cython.declare(cython.int, 16)


def sums(
    places: cython.const[cython.int][::1], weights: cython.const[cython.schar][::1], kinds: cython.Py_ssize_t
) -> array:
    """Return for each kind the sum of the weights at `places`, of which each has one weight per kind; -1 has none."""
    result = array("d", bytes(8 * kinds))
    out: cython.double[::1] = result
    j: cython.Py_ssize_t
    for i in range(len(places)):
        if places[i] >= 0:
            place: cython.Py_ssize_t = places[i]
            for j in range(kinds):
                out[j] += weights[place * kinds + j]
    return result


def shares(classes: cython.const[cython.uchar][::1], kind: cython.const[cython.uchar][::1]) -> array:
    """Return the shares of tokens of each word class, then of stopwords, numbers, capitals and upper case, then of
    marks."""
    count: cython.Py_ssize_t = len(classes)
    result = array("d", bytes(8 * (CLASSES + 5)))
    out: cython.double[::1] = result
    for i in range(count):
        out[classes[i]] += 1
        out[CLASSES] += kind[i] & STOPWORD != 0
        out[CLASSES + 1] += kind[i] & NUMBER != 0
        out[CLASSES + 2] += kind[i] & CAPITAL != 0
        out[CLASSES + 3] += kind[i] & UPPER != 0
        out[CLASSES + 4] += not kind[i] & (WORD | NUMBER)
    for j in range(CLASSES + 5):
        out[j] /= max(count, 1)
    return result
