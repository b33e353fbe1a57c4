"""Word classes; candidates by the shape of their tags: runs of words whose sequence of word classes is one that
keyphrases have; and what recognises the kind of a text."""

from cpython.array cimport array, clone
from libc.math cimport log1p, log2, sqrt

from phrasemill.kernels.hashing cimport find_all
from phrasemill.kernels.text cimport NUMBER, STOPWORD, UPPER, WORD, Text, released, restored

cdef array BYTES = array("B"), INTS = array("i"), DOUBLES = array("d")
cdef enum:
    MOST_MARKS = 3  # before a sentence: 1. The …
    FORM = 2 + CLASSES + 3  # numbers that describe the form of a text

# Roles: what a tag of Penn is for a verb that was tagged as a noun; methods/learned/shapes.py says which tag is what.
cpdef enum:
    OTHER, DETERMINING, MODIFIER, SINGULAR, PLURAL, FINITE, OPENER, PREPOSING, ADVERBIAL, MARK, COMMA


def classify(Text text, const unsigned char[::1] class_of, const unsigned char[::1] tag, frozenset of):
    """Return the word class of each token by its tag, and keep them as `text.classes`: none for punctuation, its own
    for the prepositions `of`."""
    cdef array result = clone(BYTES, text.count, True)
    cdef unsigned char *out = result.data.as_uchars
    for i in range(text.count):
        if text.kind[i] & (WORD | NUMBER):
            out[i] = class_of[tag[i]]
            if (out[i] == PREPOSITION or out[i] == OWNER) and text.stem_strings[text.stem[i]] in of:
                out[i] = OF
    text.classes = result
    return result


cdef class Phrases:
    """The word classes of a text, none for what is in no phrase, and the runs of words among them."""

    cdef Text text
    cdef readonly array classes
    cdef unsigned char *shape

    def __init__(self, Text text, frozenset units, frozenset labels):
        """Leave out each of the `units` after a number (2 cups), and each of the `labels` with its number, which is
        short (Table 2, but Section 230 is a law). Both are stems."""
        cdef const unsigned char[::1] before = text.classes
        cdef Py_ssize_t i
        cdef str number
        self.text = text
        self.classes = array("B", text.classes)
        self.shape = self.classes.data.as_uchars
        for i in range(1, text.count):
            if text.kind[i - 1] & NUMBER or before[i - 1] == CARDINAL:
                if text.stem_strings[text.stem[i]] in units:
                    self.shape[i] = NONE
            if text.kind[i] & NUMBER and text.stem_strings[text.stem[i - 1]] in labels:
                number = text.stem_strings[text.stem[i]]
                if len(number) < 3 or "." in number:
                    self.shape[i - 1] = self.shape[i] = NONE

    def leave_out(self, Py_ssize_t start, Py_ssize_t end):
        """Leave out the tokens that begin in this part of the text."""
        cdef Py_ssize_t low = 0, high = self.text.count, middle
        while low < high:
            middle = (low + high) // 2
            if self.text.start[middle] < start:
                low = middle + 1
            else:
                high = middle
        while low < self.text.count and self.text.start[low] < end:
            self.shape[low] = NONE
            low += 1

    def leave_out_verbs(self, const unsigned char[::1] role_of, frozenset subordinators):
        """Leave out finite verbs and infinitives, which are in no keyphrase, and what is tagged as a plural noun and
        must be the verb: `the app crashes when …`. After a noun and a conjunction, a noun is often taken for a verb and
        stays: `salt and wheat flour`.

        A clause that begins with singular nouns, goes on with a plural noun and then with anything but a noun, and has
        no finite verb up to the next clause, has that one. Without a determiner before it may be a heading (`software
        updates for the shop`), unless an article, an adverb or another clause follows. `role_of` has the role of each
        tag; `subordinators` are prepositions that begin a clause.
        """
        cdef Text text = self.text
        cdef array roles = clone(BYTES, text.count + 1, False)
        cdef unsigned char *role = roles.data.as_uchars
        cdef Py_ssize_t i, s, begin, end, first = 0, last
        cdef bint finite, opened
        for i in range(text.count):
            role[i] = role_of[text.tag[i]]
            if role[i] == PREPOSING and text.word_strings[text.word[i]] in subordinators:
                role[i] = OPENER
            if self.shape[i] == VERB and not (i > 1 and self.shape[i - 1] == AND and NOUN <= self.shape[i - 2] <= NAME):
                self.shape[i] = NONE
        for s in range(len(text.sentences)):
            last = text.sentences[s]
            begin = first
            while begin < last and begin < first + MOST_MARKS and role[begin] == MARK:
                begin += 1
            while begin < last:
                opened = role[begin] == OPENER
                finite = role[begin] == FINITE
                end = begin + 1
                while end < last and role[end] != OPENER:
                    finite = finite or role[end] == FINITE
                    end += 1
                    if opened and role[end - 1] == COMMA:
                        break
                if not finite:
                    self.leave_out_verb(role, begin + opened, last)
                begin = end
            first = last

    cdef leave_out_verb(self, const unsigned char *role, Py_ssize_t i, Py_ssize_t last):
        """Leave out the verb of a clause without a finite one that begins at `i`, if one of its nouns must be it."""
        cdef bint determined = i < last and role[i] == DETERMINING, singular = False
        cdef unsigned char after
        i += determined
        while i < last and (role[i] == MODIFIER or role[i] == SINGULAR):
            singular = role[i] == SINGULAR
            i += 1
        if not singular or i + 1 >= last or role[i] != PLURAL:
            return
        after = role[i + 1]
        if after == PREPOSING:
            if determined and self.text.word_strings[self.text.word[i + 1]] != "of":
                self.shape[i] = NONE
        elif after == DETERMINING or after == OPENER or after == ADVERBIAL:
            self.shape[i] = NONE

    def runs(self, const unsigned char[::1] known, int longest, frozenset dates):
        """Return token bounds of all runs within a sentence, of up to `longest` tokens, whose shape is `known`.

        A shape is the classes of a run as digits to the base 16. No run starts or ends with a stopword, unless it is a
        noun in capitals (IT, WHO), and each has a word. One of the `dates`, which are stems, alone is no run.
        """
        cdef Text text = self.text
        cdef array starts = clone(INTS, text.count * longest, False)  # what is not filled in takes no memory
        cdef array ends = clone(INTS, text.count * longest, False)
        cdef int *start = starts.data.as_ints
        cdef int *end = ends.data.as_ints
        cdef Py_ssize_t o, found, kept = 0
        state = released(text.count)
        found = self.find(known, longest, start, end)
        restored(state)
        for o in range(found):
            if end[o] - start[o] == 1 and text.stem_strings[text.stem[start[o]]] in dates:
                continue
            start[kept] = start[o]
            end[kept] = end[o]
            kept += 1
        del starts[kept:], ends[kept:]
        return starts, ends

    cdef Py_ssize_t find(self, const unsigned char[::1] known, int longest, int *start, int *end) noexcept nogil:
        cdef Py_ssize_t i = 0, j, s, found = 0
        cdef int code
        cdef bint words
        for s in range(len(self.text.sentences)):
            while i < self.text.sentences[s]:
                if self.shape[i] != NONE and self.is_edge(i):
                    code = 0
                    words = False
                    for j in range(i, min(i + longest, self.text.sentences[s])):
                        if self.shape[j] == NONE:
                            break
                        code = code * 16 + self.shape[j]
                        if self.text.kind[j] & WORD:
                            words = True
                        if known[code] and words and self.is_edge(j):
                            start[found] = i
                            end[found] = j + 1
                            found += 1
                i += 1
        return found

    cdef inline bint is_edge(self, Py_ssize_t i) noexcept nogil:
        """Return whether a run may start or end with a token."""
        if not self.text.kind[i] & STOPWORD:
            return True
        return self.text.kind[i] & UPPER != 0 and NOUN <= self.shape[i] <= NAME


def form(Text text, const unsigned char[::1] classes):
    """Return numbers that describe the form of a text, however its letters and lines are written: its length, its
    sentences, the shares of word classes, then of stopwords, numbers and marks."""
    cdef array result = clone(DOUBLES, FORM, True)
    cdef double *out = result.data.as_doubles
    out[0] = log1p(text.count)
    out[1] = log1p(text.count / <double>max(len(text.sentences), 1))
    state = released(text.count)
    fill_shares(text, classes, out + 2)
    restored(state)
    return result


cdef void fill_shares(Text text, const unsigned char[::1] classes, double *out) noexcept nogil:
    for i in range(text.count):
        out[classes[i]] += 1
        out[CLASSES] += text.kind[i] & STOPWORD != 0
        out[CLASSES + 1] += text.kind[i] & NUMBER != 0
        out[CLASSES + 2] += not text.kind[i] & (WORD | NUMBER)
    for i in range(CLASSES + 3):
        out[i] /= max(text.count, 1)


def odds(
    Text text,
    const unsigned int[::1] fingerprints,
    const short[::1] weights,
    double scale,
    const double[::1] form,
    const double[::1] form_weights,
):
    """Return the log-odds of each kind: the weights of the words, in units of 1 / `scale`, times log2(1 + how often
    each occurs), summed and divided by the root of the number of words; and those of the `form`.

    The weights of words, one per kind, are in a table. The weights of the form have an offset at the end of each row.
    """
    cdef Py_ssize_t i, j, width = len(form) + 1, kinds = len(form_weights) // (len(form) + 1)
    cdef double times, norm = scale * sqrt(max(text.stems, 1))
    cdef array result = clone(DOUBLES, kinds, True)
    cdef array counts = clone(INTS, text.stems, True), places = clone(INTS, text.stems, False)
    cdef double *out = result.data.as_doubles
    find_all(text.hash_stems(), fingerprints, places.data.as_ints)
    for i in range(text.count):
        counts.data.as_ints[text.stem[i]] += 1
    for i in range(text.stems):
        if places.data.as_ints[i] >= 0:
            times = log2(1.0 + counts.data.as_ints[i])
            for j in range(kinds):
                out[j] += times * weights[places.data.as_ints[i] * kinds + j]
    for j in range(kinds):
        out[j] = out[j] / norm + form_weights[j * width + width - 1]
        for i in range(width - 1):
            out[j] += form[i] * form_weights[j * width + i]
    return result
