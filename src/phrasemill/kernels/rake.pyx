"""RAKE: the scores of words, and runs of them that stopwords join again and again."""

from cpython.array cimport array, clone, resize

from phrasemill.kernels.graph cimport Words
from phrasemill.kernels.text cimport STOPWORD, WORD, Text

cdef array INTS = array("i"), DOUBLES = array("d")


def ratios(Words words not None, array starts not None, array ends not None):
    """Return degree over frequency of each word in the runs that have these token bounds."""
    cdef array degrees = clone(DOUBLES, words.count, True), counts = clone(INTS, words.count, True)
    cdef double *degree = degrees.data.as_doubles
    cdef int *count = counts.data.as_ints
    cdef const int *node = words.node.data.as_ints
    cdef const int *start = starts.data.as_ints
    cdef const int *end = ends.data.as_ints
    cdef Py_ssize_t o, i
    for o in range(len(starts)):
        for i in range(start[o], end[o]):
            degree[node[i]] += end[o] - start[o]
            count[node[i]] += 1
    for i in range(words.count):
        if count[i]:
            degree[i] /= count[i]
    return degrees


def adjoining(Text text not None, array starts not None, array ends not None):
    """Return bounds of two runs of one sentence with one to three stopwords alone between them: two columns."""
    cdef Py_ssize_t count = len(starts), found = 0, s = 0, o, i
    cdef array first = clone(INTS, count, False), last = clone(INTS, count, False)
    cdef const int *start = starts.data.as_ints
    cdef const int *end = ends.data.as_ints
    for o in range(count - 1):
        while text.sentences[s] <= start[o]:
            s += 1
        # More function words would be a clause, not a phrase.
        if end[o + 1] > text.sentences[s] or not 1 <= start[o + 1] - end[o] <= 3:
            continue
        for i in range(end[o], start[o + 1]):
            if text.kind[i] & (WORD | STOPWORD) != WORD | STOPWORD:
                break
        else:
            first.data.as_ints[found] = start[o]
            last.data.as_ints[found] = end[o + 1]
            found += 1
    resize(first, found)
    resize(last, found)
    return first, last


def merge(array starts not None, array ends not None, groups, int longest):
    """Return the runs with these bounds and those groups of further bounds (as `spans.group` returns them) that occur
    more than once, in text order, without what has more than `longest` tokens (0: all). Further bounds start where a
    run does, no two at the same."""
    cdef array firsts, more_starts, more_ends
    firsts, more_starts, more_ends = groups
    cdef Py_ssize_t runs = len(starts), found = 0, g, o, times
    cdef const int *first = firsts.data.as_ints
    cdef const int *start = starts.data.as_ints
    cdef array reaches = clone(INTS, start[runs - 1] + 1 if runs else 0, True)  # by start, the further end
    cdef array out_starts = clone(INTS, 2 * runs, False), out_ends = clone(INTS, 2 * runs, False)
    cdef int *reach = reaches.data.as_ints
    cdef int end
    for g in range(len(firsts) - 1):
        if first[g + 1] - first[g] > 1:
            for o in range(first[g], first[g + 1]):
                reach[more_starts.data.as_ints[o]] = more_ends.data.as_ints[o]
    for o in range(runs):
        for times in range(2):
            end = reach[start[o]] if times else ends.data.as_ints[o]
            if end > 0 and (longest == 0 or end - start[o] <= longest):
                out_starts.data.as_ints[found] = start[o]
                out_ends.data.as_ints[found] = end
                found += 1
    resize(out_starts, found)
    resize(out_ends, found)
    return out_starts, out_ends
