"""Near-duplicates: whether a candidate has the words of a better one, or stands only inside better ones."""

import cython

from phrasemill.kernels._arrays import INTS

from cython.cimports.cpython.array import clone

STOPWORD = cython.declare(cython.int, 2)  # a bit of `Analysis.kind` (types.py)


@cython.cclass
class Seen:
    """The candidates of one text that were seen so far, and are no near-duplicates of better ones.

    Columns are those of `Candidates` and `Analysis`. `parts(begin, end)` returns the words of a phrase with hyphens.
    """

    first: cython.int[::1]
    start: cython.int[::1]
    end: cython.int[::1]
    stem: cython.int[::1]
    kind: cython.uchar[::1]
    stems: object
    parts: object
    words: set
    covered: cython.int[::1]  # by token: the last end of the candidates that cover it
    nearest: cython.int[::1]  # by token: the first end of the candidates that begin there; 0 for none

    def __init__(
        self,
        first: cython.int[::1],
        start: cython.int[::1],
        end: cython.int[::1],
        stem: cython.int[::1],
        kind: cython.uchar[::1],
        stems: object,
        parts: object,
    ) -> None:
        self.first = first
        self.start = start
        self.end = end
        self.stem = stem
        self.kind = kind
        self.stems = stems
        self.parts = parts
        self.words = set()
        self.covered = self.nearest = clone(INTS, 0, True)

    @cython.ccall
    def same_words(self, c: cython.Py_ssize_t) -> cython.bint:
        """Return whether a candidate seen before has the same words, in any order; if not, remember this one."""
        begin: cython.Py_ssize_t = self.start[self.first[c]]
        stop: cython.Py_ssize_t = self.end[self.first[c]]
        hyphens: cython.bint = False
        content: list = []
        i: cython.Py_ssize_t
        for i in range(begin, stop):
            stem: str = self.stems[self.stem[i]]
            if "-" in stem or "/" in stem:
                hyphens = True
                break
            if stop - begin == 1 or not self.kind[i] & STOPWORD:
                content.append(stem)
        key: str
        if hyphens:
            key = self.parts(begin, stop)
        elif len(content) == 1:
            key = content[0]
        else:
            content.sort()
            key = " ".join(content)
        if key in self.words:
            return True
        self.words.add(key)
        return False

    @cython.ccall
    def nested(self, c: cython.Py_ssize_t) -> cython.bint:
        """Return whether a candidate repeats those seen before by its words, or by its places: it stands only inside
        them, or once, with one of them inside, and not at the beginning of the text; if not, remember it."""
        i: cython.Py_ssize_t
        o: cython.Py_ssize_t
        if len(self.covered) == 0:
            self.covered = clone(INTS, len(self.stem), True)
            self.nearest = clone(INTS, len(self.stem), True)
        once: cython.bint = self.first[c + 1] - self.first[c] == 1
        inside: cython.bint = True
        for o in range(self.first[c], self.first[c + 1]):
            if self.covered[self.start[o]] < self.end[o]:
                inside = False
                break
        if inside:
            return True
        begin: cython.Py_ssize_t = self.start[self.first[c]]
        stop: cython.Py_ssize_t = self.end[self.first[c]]
        if once and 0 < begin and begin < stop - 1:
            for i in range(begin, stop):
                if 0 < self.nearest[i] and self.nearest[i] <= stop:
                    return True
        if self.same_words(c):
            return True
        for o in range(self.first[c], self.first[c + 1]):
            begin = self.start[o]
            stop = self.end[o]
            if self.nearest[begin] == 0 or stop < self.nearest[begin]:
                self.nearest[begin] = stop
            for i in range(begin, stop):
                if self.covered[i] < stop:
                    self.covered[i] = stop
        return False
