"""From scores to phrases: the best candidates without near-duplicates of better ones, their wording and places."""

from array import array

from cpython.array cimport clone
from cpython.object cimport PyObject_GenericSetAttr as set_field

from phrasemill.kernels.text cimport STOPWORD, Occurrences

cdef object INTS = array("i")
cdef enum:
    FIRST = 32  # candidates that are sorted at first; most callers need no more


cdef class Ranking:
    """Yields the numbers of the scores, the highest first, of equals the earlier; all are sorted only if it must."""

    cdef const double[::1] scores
    cdef int[::1] order
    cdef Py_ssize_t place

    def __init__(self, const double[::1] scores):
        self.scores = scores
        self.order = clone(INTS, min(len(scores), <Py_ssize_t>FIRST), False)
        self.place = 0
        self.find_first()

    def __iter__(self):
        return self

    def __next__(self):
        if self.place == len(self.order):
            if self.place == len(self.scores):
                raise StopIteration
            self.sort()
        self.place += 1
        return self.order[self.place - 1]

    cdef void find_first(self) noexcept:
        cdef Py_ssize_t most = len(self.order), found = 0, place
        cdef int i
        for i in range(<int>len(self.scores)):
            if found == most:
                if not self.scores[i] > self.scores[self.order[most - 1]]:
                    continue
                found -= 1
            place = found
            while place > 0 and self.scores[i] > self.scores[self.order[place - 1]]:
                self.order[place] = self.order[place - 1]
                place -= 1
            self.order[place] = i
            found += 1

    cdef sort(self):
        """Sort all scores: runs of a size are in order, and merged two by two."""
        cdef Py_ssize_t count = len(self.scores), size = 1, begin, middle, end, a, b, i
        cdef int[::1] done = clone(INTS, count, False), out = clone(INTS, count, False)
        for i in range(count):
            done[i] = i
        while size < count:
            begin = 0
            while begin < count:
                middle = min(begin + size, count)
                end = min(middle + size, count)
                a, b = begin, middle
                for i in range(begin, end):
                    if a < middle and (b == end or self.scores[done[a]] >= self.scores[done[b]]):
                        out[i] = done[a]
                        a += 1
                    else:
                        out[i] = done[b]
                        b += 1
                begin = end
            done, out = out, done
            size *= 2
        self.order = done


cdef class Variants:
    """Tells whether a candidate has the words of one that was asked for before, in any order; if not, remembers it.

    `parts(word, language)` returns the stems in a word with hyphens.
    """

    cdef Occurrences all
    cdef object parts
    cdef object stems
    cdef object words
    cdef str language
    cdef set known

    def __init__(self, parts, candidates):
        self.all = candidates.view
        self.parts = parts
        analysis = candidates.analysis
        self.stems, self.words, self.language = analysis.stems, analysis.words, analysis.language
        self.known = set()

    def __call__(self, Py_ssize_t c):
        return self.repeats(c)

    cpdef list content(self, Py_ssize_t c):
        """Return the stems of a phrase without function words, hyphenated words in parts, in alphabetical order."""
        cdef Py_ssize_t begin = self.all.start[self.all.first[c]], stop = self.all.end[self.all.first[c]], i
        cdef list content = []
        cdef str stem
        for i in range(begin, stop):
            stem = self.stems[self.all.text.stem[i]]
            if "-" in stem or "/" in stem:
                content.extend(self.parts(self.words[self.all.text.word[i]], self.language))
            elif stop - begin == 1 or not self.all.text.kind[i] & STOPWORD:
                content.append(stem)
        if len(content) > 1:
            content.sort()
        return content

    cdef bint repeats(self, Py_ssize_t c) except? True:
        cdef list content = self.content(c)
        cdef str key = content[0] if len(content) == 1 else " ".join(content)
        if key in self.known:
            return True
        self.known.add(key)
        return False


cdef class Nested(Variants):
    """The same, and whether a candidate stands only inside those before, or once, with one of them inside, and not at
    the beginning of the text."""

    cdef int[::1] covered  # by token: the last end of the candidates that cover it
    cdef int[::1] nearest  # by token: the first end of the candidates that begin there; 0 for none

    def __init__(self, parts, candidates):
        Variants.__init__(self, parts, candidates)
        self.covered = clone(INTS, self.all.text.count, True)
        self.nearest = clone(INTS, self.all.text.count, True)

    cdef bint repeats(self, Py_ssize_t c) except? True:
        cdef const int[::1] first = self.all.first, start = self.all.start, end = self.all.end
        cdef Py_ssize_t begin = start[first[c]], stop = end[first[c]], i, o
        cdef bint inside = True
        for o in range(first[c], first[c + 1]):
            if self.covered[start[o]] < end[o]:
                inside = False
                break
        if inside:
            return True
        if first[c + 1] - first[c] == 1 and 0 < begin < stop - 1:
            for i in range(begin, stop):
                if 0 < self.nearest[i] <= stop:
                    return True
        if Variants.repeats(self, c):
            return True
        for o in range(first[c], first[c + 1]):
            begin, stop = start[o], end[o]
            if self.nearest[begin] == 0 or stop < self.nearest[begin]:
                self.nearest[begin] = <int>stop
            for i in range(begin, stop):
                if self.covered[i] < stop:
                    self.covered[i] = <int>stop
        return False


def phrases(Occurrences candidates, list chosen, scores, Py_ssize_t absent, span, keyphrase, dict defaults):
    """Return the `chosen` candidates as objects of the type `keyphrase`: their wording, their scores, and their places
    before the token `absent`, each a `span` of two numbers; `defaults` are the other fields. The constructor of a
    frozen type is slow. Return also which of them are in capitals or have a hyphen before a space, and may have a better
    wording."""
    cdef list result = [], doubtful = [], spans, pieces
    cdef Py_ssize_t c, o, a, b
    cdef str written
    make, new = tuple.__new__, object.__new__
    for c in chosen:
        spans, pieces = [], []
        for o in range(candidates.first[c], candidates.first[c + 1]):
            a = candidates.text.start[candidates.start[o]]
            b = candidates.text.end[candidates.end[o] - 1]
            pieces.append(candidates.text.text[a:b])
            if candidates.start[o] < absent:
                spans.append(make(span, (a, b)))
        written = wording(pieces)
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


cpdef str wording(list pieces):
    """Return the most frequent of the pieces, the earliest on a tie, on one line."""
    cdef dict counts = {}, folded = {}
    cdef str piece
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
    return " ".join(piece.split()) if has_breaks(piece) else piece


cdef inline bint has_breaks(str piece):
    """Return whether there is other white space than single spaces."""
    cdef bint after_space = True
    cdef Py_UCS4 c
    for c in piece:
        if c == " ":
            if after_space:
                return True
            after_space = True
        elif c.isspace():
            return True
        else:
            after_space = False
    return after_space


cpdef int edit_distance(str a, str b):
    """Return Levenshtein's distance: how many insertions, deletions and substitutions turn `a` into `b`."""
    cdef int[::1] row = array("i", range(len(b) + 1))
    cdef Py_ssize_t i, j, n = len(a), m = len(b)
    cdef int diagonal, above, best
    for i in range(n):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(m):
            above = row[j + 1]
            best = diagonal if a[i] == b[j] else diagonal + 1
            row[j + 1] = min(best, above + 1, row[j] + 1)
            diagonal = above
    return row[m]


def alike(str form, list others, double limit):
    """Return whether 1 - distance / length of the longer is at least `limit` between `form` and any of `others`."""
    cdef str other
    cdef Py_ssize_t longer, shorter
    for other in others:
        longer = max(len(form), len(other))
        shorter = min(len(form), len(other))
        # The difference in length is a lower bound of the distance.
        if shorter >= limit * longer and edit_distance(form, other) <= (1.0 - limit) * longer + 1e-9:
            return True
    return False
