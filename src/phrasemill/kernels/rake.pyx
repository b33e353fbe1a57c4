"""RAKE's loops: the scores of words, and runs of them that are joined by stopwords again and again."""

from array import array

import cython

from phrasemill.kernels._arrays import DOUBLES, INTS

from cython.cimports.cpython.array import clone

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)


def runs(kind: cython.const[cython.uchar][::1], sentences: cython.const[cython.int][::1]) -> tuple:
    """Return token bounds of the maximal runs of words within sentences that are no stopwords: two columns."""
    count: cython.Py_ssize_t = len(kind)
    starts = clone(INTS, count, False)
    ends = clone(INTS, count, False)
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    s: cython.Py_ssize_t
    for s in range(len(sentences)):
        stop: cython.Py_ssize_t = sentences[s]
        while i < stop:
            if kind[i] & (WORD | STOPWORD) != WORD:
                i += 1
                continue
            start[found] = i
            while i < stop and kind[i] & (WORD | STOPWORD) == WORD:
                i += 1
            end[found] = i
            found += 1
    del start, end
    del starts[found:], ends[found:]
    return starts, ends


def word_scores(
    stem: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stems: cython.Py_ssize_t,
) -> array:
    """Return degree over frequency of each of the `stems` in the runs between `start` and `end`."""
    degrees = clone(DOUBLES, stems, True)
    degree: cython.double[::1] = degrees
    count: cython.int[::1] = clone(INTS, stems, True)
    i: cython.Py_ssize_t
    for o in range(len(start)):
        for i in range(start[o], end[o]):
            degree[stem[i]] += end[o] - start[o]
            count[stem[i]] += 1
    for i in range(stems):
        if count[i]:
            degree[i] /= count[i]
    return degrees


def sums(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    score: cython.const[cython.double][::1],
) -> array:
    """Return for each candidate the sum of the scores of the words of its first occurrence, stopwords left out."""
    count: cython.Py_ssize_t = len(first) - 1
    result = clone(DOUBLES, count, True)
    out: cython.double[::1] = result
    i: cython.Py_ssize_t
    for c in range(count):
        for i in range(start[first[c]], end[first[c]]):
            if kind[i] & (WORD | STOPWORD) == WORD:
                out[c] += score[stem[i]]
    return result


def adjoining(
    kind: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    sentences: cython.const[cython.int][::1],
) -> tuple:
    """Return bounds of two runs of one sentence with one to three stopwords alone between them: two columns."""
    count: cython.Py_ssize_t = len(start)
    starts = clone(INTS, count, True)
    ends = clone(INTS, count, True)
    out_start: cython.int[::1] = starts
    out_end: cython.int[::1] = ends
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    s: cython.Py_ssize_t = 0
    for o in range(count - 1):
        while sentences[s] <= start[o]:
            s += 1
        # More function words would be a clause, not a phrase.
        joined: cython.bint = end[o + 1] <= sentences[s] and end[o] < start[o + 1] and start[o + 1] - end[o] <= 3
        if joined:
            for i in range(end[o], start[o + 1]):
                if not kind[i] & STOPWORD or not kind[i] & WORD:
                    joined = False
                    break
        if joined:
            out_start[found] = start[o]
            out_end[found] = end[o + 1]
            found += 1
    del out_start, out_end
    del starts[found:], ends[found:]
    return starts, ends


def merge(
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    more_start: cython.const[cython.int][::1],
    more_end: cython.const[cython.int][::1],
    longest: cython.int,
) -> tuple:
    """Return the runs at `start` and `end` and those groups of further bounds that occur more than once, in text order,
    without what has more than `longest` tokens (0: all). Further bounds start where a run does, no two at the same."""
    runs: cython.Py_ssize_t = len(start)
    reach: cython.int[::1] = clone(INTS, start[runs - 1] + 1 if runs else 0, True)  # by start, the further end
    further: cython.Py_ssize_t = 0
    o: cython.Py_ssize_t
    for g in range(len(first) - 1):
        if first[g + 1] - first[g] > 1:
            for o in range(first[g], first[g + 1]):
                if longest == 0 or more_end[o] - more_start[o] <= longest:
                    reach[more_start[o]] = more_end[o]
                    further += 1
    starts = clone(INTS, runs + further, False)
    ends = clone(INTS, runs + further, False)
    out_start: cython.int[::1] = starts
    out_end: cython.int[::1] = ends
    found: cython.Py_ssize_t = 0
    for o in range(runs):
        begin: cython.int = start[o]
        if longest == 0 or end[o] - begin <= longest:
            out_start[found] = begin
            out_end[found] = end[o]
            found += 1
        if reach[begin] > 0:
            out_start[found] = begin
            out_end[found] = reach[begin]
            found += 1
    del out_start, out_end
    del starts[found:], ends[found:]
    return starts, ends
