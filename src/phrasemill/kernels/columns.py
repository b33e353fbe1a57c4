"""From tokens to columns: word types looked up once, then numbered within the document."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import BYTES, INTS

if cython.compiled:
    from cython.cimports.cpython.array import clone
else:
    from phrasemill.kernels._arrays import clone


def look_up(
    text: str, start: cython.const[cython.int][::1], end: cython.const[cython.int][::1], known: dict, add: object
) -> array:
    """Return the type of each token: from `known`, or from `add(surface)` for those not met before."""
    count: cython.Py_ssize_t = len(start)
    result = clone(INTS, count, True)
    out: cython.int[::1] = result
    for i in range(count):
        surface: str = text[start[i] : end[i]]
        found = known.get(surface)
        out[i] = add(surface) if found is None else found
    return result


def numbers(strings: list, known: dict) -> tuple:
    """Return the number that `known` has for each of the strings, -1 for none; and the strings that are not in it."""
    count: cython.Py_ssize_t = len(strings)
    result = clone(INTS, count, True)
    out: cython.int[::1] = result
    missing: list = []
    for i in range(count):
        found = known.get(strings[i])
        if found is None:
            missing.append(strings[i])
            out[i] = -1
        else:
            out[i] = found
    return result, missing


def number(
    types: cython.const[cython.int][::1], of_type: cython.const[cython.int][::1], scratch: cython.int[::1]
) -> tuple:
    """Number the ids `of_type[types[i]]` by first occurrence: the column, and the id behind each number.

    `scratch` holds -1 for every id, before and after.
    """
    count: cython.Py_ssize_t = len(types)
    result = clone(INTS, count, True)
    order = clone(INTS, count, True)
    out: cython.int[::1] = result
    ids: cython.int[::1] = order
    found: cython.int = 0
    for i in range(count):
        one = of_type[types[i]]
        if scratch[one] < 0:
            scratch[one] = found
            ids[found] = one
            found += 1
        out[i] = scratch[one]
    for i in range(found):
        scratch[ids[i]] = -1
    del ids
    del order[found:]
    return result, order


def pick(strings: list, ids: cython.const[cython.int][::1]) -> list:
    """Return the strings with these numbers."""
    result: list = []
    for i in range(len(ids)):
        result.append(strings[ids[i]])
    return result


def gather(types: cython.const[cython.int][::1], of_type: cython.const[cython.uchar][::1]) -> array:
    """Return the byte `of_type` of each token."""
    count: cython.Py_ssize_t = len(types)
    result = clone(BYTES, count, True)
    out: cython.uchar[::1] = result
    for i in range(count):
        out[i] = of_type[types[i]]
    return result
