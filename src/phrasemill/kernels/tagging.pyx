"""Part-of-speech tagging, left to right: a token adds up a few rows of scores and takes the best tag.

Scores are whole numbers, so every machine finds the same. Loops over a row have the
literal 48, so that the C compiler sees how long they are and turns them into vector instructions.
"""

import cython

from phrasemill.kernels._gil import LONG

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# How a word is written (kernels/tag_features.py); a straight quote counts as _QUOTE + 1 when it closes.
_LOWER = cython.declare(cython.int, 1)
_CAPITAL = cython.declare(cython.int, 2)
_CAPITALS = cython.declare(cython.int, 3)
_MIXED = cython.declare(cython.int, 4)
_QUOTE = cython.declare(cython.int, 8)
_CASES = cython.declare(cython.int, 10)
CASES = _CASES
MANNERS = 4  # ways to write a sentence: normally, as a title, in capitals, without any


@cython.nogil
@cython.ccall
@cython.exceptval(check=False)
def manner(
    types: cython.const[cython.int][::1],
    cases: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.int:
    """Return how a sentence is written: normally 0, as a title 1, in capitals 2, without any 3."""
    lower: cython.int = 0
    capital: cython.int = 0
    capitals: cython.int = 0
    for i in range(start, end):
        written: cython.int = cases[types[i]]
        lower += written == _LOWER
        capital += written == _CAPITAL or written == _MIXED
        capitals += written == _CAPITALS
    if capitals >= 2 and not lower and not capital:
        return 2
    if not capital and not capitals:
        return 3
    return 1 if capital + capitals >= 2 and capital + capitals > lower else 0


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _check(
    types: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    known: cython.Py_ssize_t,
    room: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether all types are known and sentences lie within the text, so that no loop can leave its buffers."""
    last: cython.Py_ssize_t = 0
    for i in range(len(types)):
        if types[i] < 0 or types[i] >= known:
            return False
    for i in range(len(ends)):
        if ends[i] < last or ends[i] > len(types) or ends[i] > room:
            return False
        last = ends[i]
    return True


def tag(
    types: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    rows: cython.const[cython.short][::1],
    cases: cython.const[cython.uchar][::1],
    blocks: cython.const[cython.int][::1],
    contexts: cython.const[cython.short][::1],
    transitions: cython.const[cython.schar][::1],
    scores: cython.short[::1],
    last: cython.Py_ssize_t,
    out: cython.uchar[::1],
) -> cython.void:
    """Tag sentences from left to right, with tags from 1 to `last`.

    Row 0 is for the places beyond a sentence's ends; type t has row t + 1.
    """
    if last < 1 or last > 47 or not _check(types, ends, len(cases), len(out)):
        raise IndexError("a word type or a sentence end that is out of range")
    if len(types) < _LONG:
        _tag(types, ends, rows, cases, blocks, contexts, transitions, scores, last, out)
    else:
        with cython.nogil:
            _tag(types, ends, rows, cases, blocks, contexts, transitions, scores, last, out)


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _tag(
    types: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    rows: cython.const[cython.short][::1],
    cases: cython.const[cython.uchar][::1],
    blocks: cython.const[cython.int][::1],
    contexts: cython.const[cython.short][::1],
    transitions: cython.const[cython.schar][::1],
    scores: cython.short[::1],
    last: cython.Py_ssize_t,
    out: cython.uchar[::1],
) -> cython.void:
    """Do what `tag` does, on what it has checked."""
    k: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    for sentence in range(len(ends)):
        end: cython.Py_ssize_t = ends[sentence]
        mode = manner(types, cases, start, end)
        quoted: cython.int = 0
        before: cython.Py_ssize_t = 0
        best: cython.Py_ssize_t = 0
        for i in range(start, end):
            written: cython.int = cases[types[i]]
            if written == _QUOTE:
                written += quoted
                quoted = 1 - quoted
            a: cython.Py_ssize_t = (types[i - 2] + 1) * 240 if i - 2 >= start else 0
            b: cython.Py_ssize_t = (types[i - 1] + 1) * 240 + 48 if i - 1 >= start else 48
            c: cython.Py_ssize_t = (types[i] + 1) * 240 + 96
            d: cython.Py_ssize_t = (types[i + 1] + 1) * 240 + 144 if i + 1 < end else 144
            e: cython.Py_ssize_t = (types[i + 2] + 1) * 240 + 192 if i + 2 < end else 192
            pair: cython.Py_ssize_t = (before * 48 + best) * 48
            form: cython.Py_ssize_t = (2304 + (mode * _CASES + written) * 48 + best) * 48
            for k in range(48):
                scores[k] = (
                    rows[a + k] + rows[b + k] + rows[c + k] + rows[d + k] + rows[e + k]
                    + transitions[pair + k] + transitions[form + k]
                )  # fmt: skip
            if blocks[types[i]] >= 0:
                a = blocks[types[i]] * 2304 + best * 48
                for k in range(48):
                    scores[k] = scores[k] + contexts[a + k]
            # No tag, and the padding
            scores[0] = -32768
            for k in range(last + 1, 48):
                scores[k] = -32768
            top: cython.short = -32768
            for k in range(48):
                top = scores[k] if scores[k] > top else top
            before = best
            best = 1
            while scores[best] != top:
                best += 1
            out[i] = best
        start = end
