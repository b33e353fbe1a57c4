"""RAKE's loops: runs of content words, their scores, and runs that are joined by stopwords again and again."""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

COMPILED = cython.compiled

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)


def content_runs(kind: cython.const[cython.uchar][::1], sentences: cython.const[cython.int][::1]) -> tuple:
    """Token bounds of the maximal runs of words that are no stopwords, within sentences: two columns."""
    count: cython.Py_ssize_t = len(kind)
    starts = array("i", bytes(4 * count))
    ends = array("i", bytes(4 * count))
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    s: cython.Py_ssize_t
    for s in range(len(sentences)):
        while i < sentences[s]:
            if kind[i] & (WORD | STOPWORD) != WORD:
                i += 1
                continue
            start[found] = i
            while i < sentences[s] and kind[i] & (WORD | STOPWORD) == WORD:
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
    stems: cython.int,
) -> array:
    """Degree over frequency of each stem; 0 for those in no run."""
    degrees = array("d", bytes(8 * stems))
    counts = array("i", bytes(4 * stems))
    degree: cython.double[::1] = degrees
    count: cython.int[::1] = counts
    o: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for o in range(len(start)):
        for i in range(start[o], end[o]):
            degree[stem[i]] += end[o] - start[o]
            count[stem[i]] += 1
    for i in range(stems):
        if count[i]:
            degree[i] /= count[i]
    return degrees


def adjoining(
    stem: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    sentences: cython.const[cython.int][::1],
) -> tuple:
    """Bounds of two runs with nothing but stopwords between them, where that wording occurs at least twice."""
    seen: dict = {}
    order: list = []
    o: cython.Py_ssize_t
    i: cython.Py_ssize_t
    joined: cython.bint
    s: cython.Py_ssize_t = 0
    for o in range(len(start) - 1):
        # Function words between two runs are one to three; more would be a clause, not a phrase.
        while sentences[s] <= start[o]:
            s += 1
        joined = end[o + 1] <= sentences[s] and 1 <= start[o + 1] - end[o] and start[o + 1] - end[o] <= 3
        if joined:
            for i in range(end[o], start[o + 1]):
                if not kind[i] & STOPWORD or not kind[i] & WORD:
                    joined = False
                    break
        if joined:
            form = tuple([stem[i] for i in range(start[o], end[o + 1])])
            if form not in seen:
                seen[form] = []
                order.append(form)
            seen[form].append((start[o], end[o + 1]))
    starts = array("i")
    ends = array("i")
    for form in order:
        places: list = seen[form]
        if len(places) > 1:
            for place in places:
                starts.append(place[0])
                ends.append(place[1])
    return starts, ends


def within(starts: array, ends: array, longest: cython.int) -> tuple:
    """The bounds in text order, without those of more than `longest` tokens (0: all)."""
    kept: list = sorted([(s, e) for s, e in zip(starts, ends) if longest == 0 or e - s <= longest])  # noqa: B905
    return array("i", [s for s, _ in kept]), array("i", [e for _, e in kept])


def sums(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    stem: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    scores: cython.const[cython.double][::1],
) -> array:
    """For each candidate the scores of its content words, added up."""
    count: cython.Py_ssize_t = len(first) - 1
    result = array("d", bytes(8 * count))
    out: cython.double[::1] = result
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for c in range(count):
        for i in range(start[first[c]], end[first[c]]):
            if not kind[i] & STOPWORD:
                out[c] += scores[stem[i]]
    return result
