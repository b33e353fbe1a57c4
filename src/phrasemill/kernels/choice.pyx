"""From scores to phrases: the best few candidates, their wording and their places in the text."""

from array import array

import cython

from phrasemill.kernels._arrays import INTS

from cython.cimports.cpython.array import clone
from cython.cimports.cpython.object import PyObject_GenericSetAttr as set_field


def best(scores: cython.const[cython.double][::1], most: cython.Py_ssize_t) -> array:
    """Return the numbers of the `most` highest scores, the highest first; of equals the earlier first."""
    count: cython.Py_ssize_t = len(scores)
    most = min(most, count)
    result = clone(INTS, most, True)
    chosen: cython.int[::1] = result
    found: cython.Py_ssize_t = 0
    if most == 0:
        return result
    for i in range(count):
        if found == most:
            if not scores[i] > scores[chosen[most - 1]]:
                continue
            found -= 1
        place = found
        while place > 0 and scores[i] > scores[chosen[place - 1]]:
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = i
        found += 1
    return result


def ranked(scores: cython.const[cython.double][::1]) -> array:
    """Return the numbers of all scores, the highest first; of equals the earlier first."""
    count: cython.Py_ssize_t = len(scores)
    result = clone(INTS, count, False)
    other = clone(INTS, count, False)
    done: cython.int[::1] = result
    out: cython.int[::1] = other
    i: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for i in range(count):
        done[i] = i
    size: cython.Py_ssize_t = 1
    while size < count:  # runs of this size are in order, and merged two by two
        begin: cython.Py_ssize_t = 0
        while begin < count:
            middle: cython.Py_ssize_t = min(begin + size, count)
            end: cython.Py_ssize_t = min(middle + size, count)
            a = begin
            b = middle
            for i in range(begin, end):
                if a < middle and (b == end or scores[done[a]] >= scores[done[b]]):
                    out[i] = done[a]
                    a += 1
                else:
                    out[i] = done[b]
                    b += 1
            begin = end
        result, other = other, result
        done, out = out, done
        size *= 2
    return result


def phrases(
    text: str,
    chosen: list,
    scores: object,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    token_end: cython.const[cython.int][::1],
    span: type,
    keyphrase: type,
    defaults: dict,
) -> tuple:
    """Return the `chosen` candidates as objects of the type `keyphrase`: their wording, their scores, and their places,
    each a `span` of two numbers; `defaults` are the other fields. The constructor of a frozen type is slow. Return also
    which of them are in capitals or have a hyphen before a space, and may have a better wording."""
    result: list = []
    doubtful: list = []
    make = tuple.__new__
    new = object.__new__
    c: cython.Py_ssize_t
    o: cython.Py_ssize_t
    for c in chosen:
        spans: list = []
        pieces: list = []
        for o in range(first[c], first[c + 1]):
            a: cython.Py_ssize_t = token_start[start[o]]
            b: cython.Py_ssize_t = token_end[end[o] - 1]
            spans.append(make(span, (a, b)))
            pieces.append(text[a:b])
        written: str = wording(pieces)
        if written.isupper() or "- " in written or "\u00ac " in written or "\u00ad " in written or "\u2010 " in written:
            doubtful.append(len(result))
        one = new(keyphrase)
        set_field(one, "text", written)
        set_field(one, "score", float(scores[c]))
        set_field(one, "spans", tuple(spans))
        for name, value in defaults.items():
            set_field(one, name, value)
        result.append(one)
    return result, doubtful


@cython.ccall
def wording(pieces: list) -> str:
    """Return the most frequent of the pieces, the earliest on a tie, on one line."""
    counts: dict = {}
    folded: dict = {}
    piece: str
    if len(pieces) > 1:
        for piece in pieces:
            counts[piece] = counts.get(piece, 0) + 1
        if len(counts) > 1:
            # White space is folded only now: line breaks within phrases are rare.
            for piece, count in counts.items():
                piece = " ".join(piece.split())
                folded[piece] = folded.get(piece, 0) + count
            counts = folded
        piece = max(counts, key=counts.__getitem__)
    else:
        piece = pieces[0]
    return " ".join(piece.split()) if _has_breaks(piece) else piece


@cython.cfunc
@cython.inline
@cython.returns(cython.bint)
def _has_breaks(piece: str):
    """Return whether there is other white space than single spaces."""
    after_space: cython.bint = True
    for i in range(len(piece)):
        c: cython.Py_UCS4 = piece[i]
        if c == " ":
            if after_space:
                return True
            after_space = True
        elif c.isspace():
            return True
        else:
            after_space = False
    return after_space
