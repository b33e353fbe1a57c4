"""Lattices of sentences for training, and what a structured perceptron over them scores and corrects."""

from array import array as new_array

from cpython.array cimport array

from phrasemill.kernels.segmenter cimport LABELS, TAGS, UNIT_KEYS, WORD_KEYS, Lattice, Trellis, Words


cdef class Example(Lattice):
    """The first piece of a text, with the features of its units and words."""

    def __init__(self, Words lexicon, str text, start, end, gap):
        super().__init__(lexicon, text, start, end, gap)
        self.next()
        self.add_words()

    def columns(self):
        """Return the code of each unit, where it begins, and whether a word may go on into it."""
        return self.code[: self.units], self.begin[: self.units], self.joined[: self.units]

    def pairs(self):
        """Return the units at which words may start and before which they end."""
        return list(zip(self.first[: self.words], self.last[: self.words]))

    def features_of_units(self):
        cdef unsigned int[UNIT_KEYS] keys
        found = []
        for i in range(self.units):
            self.unit_keys(i, keys)
            found += keys
        return found

    def features_of_words(self, pairs):
        cdef unsigned int[WORD_KEYS] keys
        found = []
        for i, j in pairs:
            self.word_keys(i, j, keys)
            found += keys
        return found


cdef void score(const int[::1] ids, Py_ssize_t width, Py_ssize_t labels, const int[::1] weights, int[::1] out) noexcept:
    """Fill one row of `out` for each `width` of `ids` with the sum of their weights; -1 is no feature."""
    cdef Py_ssize_t r, k, t, row
    for r in range(len(ids) // width):
        for t in range(labels):
            out[r * labels + t] = 0
        for k in range(width):
            row = ids[r * width + k]
            if row >= 0:
                for t in range(labels):
                    out[r * labels + t] += weights[row * LABELS + t]


def best_path(
    const int[::1] units,
    const int[::1] words,
    int[::1] first,
    int[::1] last,
    int[::1] blocks,
    const int[::1] right,
    int margin,
    const int[::1] weights,
    const int[::1] transitions,
):
    """Return the words of the best path and their tags, where the right words with their tags have a handicap.

    `units` and `words` are rows of features; `blocks` and `right` point into the rows of weights, and of word scores.
    """
    cdef Trellis made = Trellis(len(blocks), len(first))
    made.units, made.words = len(blocks), len(first)
    made.first, made.last, made.blocks = first, last, blocks
    made.contexts, made.width, made.transitions = weights, LABELS, transitions
    score(units, UNIT_KEYS, LABELS, weights, made.scores)
    score(words, WORD_KEYS, TAGS, weights, made.word_scores)
    for i in range(len(right)):
        made.word_scores[right[i]] -= margin
    made.find()
    return made.chosen[: made.count], made.tags[: made.count]


def correct(
    const int[::1] rows,
    const unsigned char[::1] labels,
    Py_ssize_t width,
    const int[::1] ids,
    int amount,
    double clock,
    int[::1] weights,
    double[::1] sums,
):
    """Add `amount` to the weights of a label for all features of each of `rows`; `sums` collects what averaging
    needs."""
    cdef Py_ssize_t r, k, row
    for r in range(len(rows)):
        for k in range(width):
            row = ids[rows[r] * width + k]
            if row >= 0:
                row = row * LABELS + labels[r]
                weights[row] += amount
                sums[row] += amount * clock
