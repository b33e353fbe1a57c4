"""Candidate occurrences: found as n-grams, and grouped by stemmed form."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import BYTES, INTS, LONGS

if cython.compiled:
    from cython.cimports.cpython.array import clone
else:
    from phrasemill.kernels._arrays import clone

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
NUMBER = cython.declare(cython.int, 4)


def ngrams(
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    longest: cython.int,
    inner: cython.bint,
    numbers: cython.bint,
) -> tuple:
    """Return token bounds of all runs of up to `longest` words in one sentence that neither start nor end with a
    stopword: two columns, ordered by start, then by length. `inner` lets stopwords stand inside, `numbers` lets numbers
    stand beside words."""
    count: cython.Py_ssize_t = len(kind)
    allowed: cython.int = WORD | NUMBER if numbers else WORD
    room: cython.Py_ssize_t = 0
    run: cython.Py_ssize_t = 0
    for i in range(count):
        run = run + 1 if kind[i] & allowed else 0
        room += min(run, longest)
    starts = clone(INTS, room, True)
    ends = clone(INTS, room, True)
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    found: cython.Py_ssize_t = 0
    i = 0
    for s in range(len(sentences)):
        limit: cython.Py_ssize_t = sentences[s]
        while i < limit:
            if kind[i] & allowed and not kind[i] & STOPWORD:
                words = False
                for j in range(i, min(i + longest, limit)):
                    if not kind[j] & allowed or (not inner and kind[j] & STOPWORD):
                        break
                    if kind[j] & WORD:
                        words = True
                    if words and not kind[j] & STOPWORD:
                        start[found] = i
                        end[found] = j + 1
                        found += 1
            i += 1
    del start, end
    del starts[found:], ends[found:]
    return starts, ends


def mask(
    tag: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    nominal: cython.const[cython.uchar][::1],
) -> array:
    """Return the tags, but 0 for what is no word or number, and for stopwords with a `nominal` tag."""
    count: cython.Py_ssize_t = len(tag)
    result = clone(BYTES, count, True)
    out: cython.uchar[::1] = result
    for i in range(count):
        if kind[i] & (WORD | NUMBER) and not (kind[i] & STOPWORD and nominal[tag[i]]):
            out[i] = tag[i]
    return result


def noun_phrases(
    tag: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    adjective: cython.const[cython.uchar][::1],
    noun: cython.const[cython.uchar][::1],
    longest: cython.Py_ssize_t,
) -> tuple:
    """Return token bounds of any number of adjectives and then at least one noun, as many as stand together within a
    sentence, but not of more than `longest` tokens: two columns. `adjective` and `noun` have 1 at the codes of tags."""
    count: cython.Py_ssize_t = len(tag)
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
            begin: cython.Py_ssize_t = i
            while i < stop and adjective[tag[i]]:
                i += 1
            nouns: cython.Py_ssize_t = i
            while i < stop and noun[tag[i]]:
                i += 1
            if i > nouns:
                if i - begin <= longest:
                    start[found] = begin
                    end[found] = i
                    found += 1
            elif i == begin:
                i += 1
    del start, end
    del starts[found:], ends[found:]
    return starts, ends


def group(
    stem: cython.const[cython.int][::1], start: cython.const[cython.int][::1], end: cython.const[cython.int][::1]
) -> tuple:
    """Group occurrences with the same stems: `first`, `start` and `end` as `types.Candidates` has them.

    A form is the path of its stems in a trie whose edges (node, stem) sit in one open-addressing table, so that forms
    are compared exactly and no string or tuple is made.
    """
    count: cython.Py_ssize_t = len(start)
    total: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for o in range(count):
        total += end[o] - start[o]
    size: cython.Py_ssize_t = 16
    while size < 2 * total:
        size *= 2
    keys: cython.longlong[::1] = clone(LONGS, size, True)
    nodes: cython.int[::1] = clone(INTS, size, True)
    group_at: cython.int[::1] = clone(INTS, total + 1, True)  # by node, one more than the group; 0 is none
    groups: cython.int[::1] = clone(INTS, count, True)
    made: cython.int = 0  # nodes; 0 is the root
    found: cython.int = 0  # groups
    mask: cython.longlong = size - 1
    for o in range(count):
        node: cython.longlong = 0
        for i in range(start[o], end[o]):
            key: cython.longlong = ((node << 31) | stem[i]) + 1
            slot = (node * 40503 + stem[i] * 9973) & mask
            while keys[slot] != 0 and keys[slot] != key:
                slot = (slot + 1) & mask
            if keys[slot] == 0:
                made += 1
                keys[slot] = key
                nodes[slot] = made
            node = nodes[slot]
        if group_at[node] == 0:
            found += 1
            group_at[node] = found
        groups[o] = group_at[node] - 1
    firsts = clone(INTS, found + 1, True)
    starts = clone(INTS, count, True)
    ends = clone(INTS, count, True)
    first: cython.int[::1] = firsts
    out_start: cython.int[::1] = starts
    out_end: cython.int[::1] = ends
    for o in range(count):
        first[groups[o] + 1] += 1
    for i in range(found):
        first[i + 1] += first[i]
    # A counting sort: `first` is moved on while filling, then moved back.
    for o in range(count):
        g = groups[o]
        out_start[first[g]] = start[o]
        out_end[first[g]] = end[o]
        first[g] += 1
    for i in range(found, 0, -1):
        first[i] = first[i - 1]
    first[0] = 0
    return firsts, starts, ends


def forms(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    stems: list,
) -> list:
    """Return the stemmed form of each candidate: the stems of its first occurrence, joined by spaces."""
    result: list = []
    i: cython.Py_ssize_t
    for c in range(len(first) - 1):
        o: cython.Py_ssize_t = first[c]
        if end[o] - start[o] == 1:
            result.append(stems[stem[start[o]]])
        else:
            parts: list = []
            for i in range(start[o], end[o]):
                parts.append(stems[stem[i]])
            result.append(" ".join(parts))
    return result
