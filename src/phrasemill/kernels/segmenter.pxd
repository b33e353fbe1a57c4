"""What training in the laboratory shares with the segmenter: lattices of words, and the best path through one."""

from phrasemill.kernels.text cimport Letters

cpdef enum:
    TAGS = 17
    LABELS = 34  # a tag for a unit that begins a word, and for one that continues it
    LISTED = 8  # units of a lexicon's longest word
    UNIT_KEYS = 12  # features of a unit …
    WORD_KEYS = 12  # … and of a word
    BITS = 15  # of a feature's hash choose its bucket; the other 17 identify it there


cdef class Trellis:
    """Units, the words that may stand there with their scores, and the best path through them."""

    cdef Py_ssize_t units
    cdef int[::1] scores  # of each unit, for each label
    cdef Py_ssize_t words
    cdef int[::1] first  # the unit that a word begins with …
    cdef int[::1] last  # … and the one before which it ends; in order of `first`
    cdef int[::1] word_scores  # of each word, for each tag
    cdef int[::1] blocks  # of each unit: the first of its rows in `contexts`, one for each tag before it; or -1
    cdef const int[::1] contexts
    cdef Py_ssize_t width  # of these rows
    cdef const int[::1] transitions  # a row for each tag, and one for the beginning
    cdef Py_ssize_t count
    cdef int[::1] chosen  # the words of the best path …
    cdef unsigned char[::1] tags  # … and their tags
    cdef int[::1] sums
    cdef int[::1] best
    cdef int[::1] word
    cdef unsigned char[::1] before

    cdef void find(self) noexcept nogil


cdef class Words:
    """A lexicon: fingerprints of words in a table that has room, the class of each, and characters read as others."""

    cdef const unsigned int[::1] fingerprints
    cdef const unsigned char[::1] classes
    cdef unsigned char[131072] present
    cdef unsigned short[65536] fold
    cdef const unsigned char[::1] table  # the classes of characters: kernels/tokens.pxd

    cdef int find(self, unsigned long long h) noexcept nogil


cdef class Lattice(Trellis):
    """A text, piece by piece: its units, and the words that may stand there."""

    cdef Words lexicon
    cdef object text
    cdef Letters letters
    cdef const int[::1] start  # of tokens
    cdef const int[::1] end
    cdef const unsigned char[::1] gap
    cdef Py_ssize_t token  # where the next piece begins
    cdef Py_ssize_t position
    # Columns of the units
    cdef int[::1] code
    cdef unsigned char[::1] kind
    cdef int[::1] begin
    cdef int[::1] until
    cdef unsigned char[::1] after  # what separates it from the next one
    cdef unsigned char[::1] joined  # whether a word may go on into it
    cdef unsigned char[::1] listed  # the lexicon's class of each run from here, LISTED entries; 0 if it has none
    cdef unsigned char[::1] around  # see `look_around`
    cdef unsigned char[::1] decided  # BEGINS where a word must begin, CONTINUES where none may, else 0

    cdef bint next(self) noexcept nogil
    cdef int kind_of_token(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil
    cdef void look_up(self) noexcept nogil
    cdef void look_around(self) noexcept nogil
    cdef void add_words(self) noexcept nogil
    cdef int code_at(self, Py_ssize_t i) noexcept nogil
    cdef int kind_at(self, Py_ssize_t i) noexcept nogil
    cdef void unit_keys(self, Py_ssize_t i, unsigned int *keys) noexcept nogil
    cdef void word_keys(self, Py_ssize_t i, Py_ssize_t j, unsigned int *keys) noexcept nogil
