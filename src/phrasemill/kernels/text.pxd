"""What all kernels share: a text as they see it, its candidates, the bits of a token's kind, and the GIL."""

from cpython.pystate cimport PyThreadState

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index)
    bint Py_UNICODE_ISUPPER(Py_UCS4 character)

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)
    PyThreadState *PyEval_SaveThread()
    void PyEval_RestoreThread(PyThreadState *state)

# What kind of token it is, as bits of `Analysis.kind`; types.py has them for Python.
cdef enum Kind:
    WORD = 1  # has a letter, or a digit among letters; not absurdly long
    STOPWORD = 2
    NUMBER = 4  # begins with a digit or a sign of one, and has no letters
    CAPITAL = 8  # begins with an upper-case letter
    UPPER = 16  # more than one letter, none of them lower-case

# A longer token is data, not a word (base64, sequences, rulers): to stem it is slow and means nothing.
cdef enum:
    LONGEST = 64

# Tokens from which on other threads run meanwhile. A kernel takes 10 to 40 ns per token; to hand over the GIL takes a
# few microseconds, and some tens where another thread has to wake up. Abstracts are shorter than this, papers longer.
cdef enum:
    LONG = 2000


ctypedef struct Letters:
    # The characters of a string without the GIL: a string never changes, and its caller holds it.
    int kind
    const void *data


cdef inline Letters letters(str text):
    return Letters(PyUnicode_KIND(text), PyUnicode_DATA(text))


cdef inline Py_UCS4 at(Letters text, Py_ssize_t i) noexcept nogil:
    return PyUnicode_READ(text.kind, text.data, i)


cdef inline PyThreadState *released(Py_ssize_t size) noexcept:
    """Let other threads run if there is so much to do. Until `restored`, call `nogil` functions only."""
    return PyEval_SaveThread() if size >= LONG else NULL


cdef inline void restored(PyThreadState *state) noexcept:
    if state != NULL:
        PyEval_RestoreThread(state)


cdef class Text:
    """The columns of an `Analysis`, opened once, and columns that follow from them: `Analysis.view`."""

    cdef readonly str text
    cdef object word_strings
    cdef object stem_strings
    cdef readonly Py_ssize_t count  # tokens
    cdef readonly Py_ssize_t words  # different words
    cdef readonly Py_ssize_t stems  # different stems
    cdef Letters letters
    cdef const int[::1] start
    cdef const int[::1] end
    cdef const int[::1] word
    cdef const int[::1] stem
    cdef const int[::1] sentences
    cdef const unsigned char[::1] kind
    cdef const unsigned char[::1] tag

    cdef readonly object classes  # the word class of each token: `methods.learned.shapes.word_classes` makes them
    # Made by `lay_out`, on first use.
    cdef int[::1] sentence  # the number of each token's sentence …
    cdef int[::1] line  # … and of its line
    cdef unsigned char[::1] heading  # whether a line looks like a heading
    cdef Py_ssize_t title  # the token at which the title ends …
    cdef Py_ssize_t body  # … and the text before a list of references
    cdef unsigned long long[::1] hashes  # of the stems, in short texts

    cdef lay_out(self)
    cdef unsigned long long[::1] hash_stems(self)


cdef class Occurrences:
    """The columns of `Candidates`, opened once: `Candidates.view`."""

    cdef readonly Text text
    cdef readonly Py_ssize_t count  # candidates
    cdef const int[::1] first
    cdef const int[::1] start
    cdef const int[::1] end
