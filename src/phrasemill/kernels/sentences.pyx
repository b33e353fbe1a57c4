"""Sentences: the token at which each one ends.

A sentence ends at a terminator (`.`, `!`, `?` …) unless what follows goes on in small letters; at an abbreviation that
may close a sentence when a capitalised function word follows; at an empty line; and at a line break that looks meant.
"""

from cpython.array cimport array, clone, resize
from libc.string cimport memchr, memset

from phrasemill.kernels.text cimport Letters, Py_UNICODE_ISUPPER, at, letters, released, restored
from phrasemill.kernels.tokens cimport GLUED, NEWLINE, PARAGRAPH

cdef enum:
    # Text counts as wrapped by hand or by a PDF when its lines end near one width, which lies between these.
    NARROWEST = 35
    WIDEST = 130
    # Text without any punctuation is cut here, so that nothing that works within sentences grows with their square.
    MOST_TOKENS = 1000
    MOST_CLOSERS = 12  # tokens behind a terminator that still belong to its sentence

cdef array INTS = array("i")


cpdef array split(str text, array start, array end, array gap, array types, array roles, Py_ssize_t first=0):
    """Return the exclusive end of each sentence, counted in tokens from the `first` one on, at which one begins.

    `start`, `end` and `gap` are the columns of the whole text, `types` those of its tokens from `first` on, whose roles
    are in `roles`.
    """
    return Splitter(text, start, end, gap, types, roles, first).ends()


cdef class Splitter:
    """The tokens of a text from one on, and how its lines end."""

    cdef str text
    cdef Letters letters
    cdef Py_ssize_t size
    cdef Py_ssize_t count
    cdef const int *start
    cdef const int *end
    cdef const unsigned char *gap
    cdef const int *types
    cdef const unsigned char *roles
    cdef Py_ssize_t line  # where the current line starts
    cdef Py_ssize_t width  # at which lines were wrapped, 0 where each is a paragraph of its own
    cdef bint small  # whether the text has no capitals

    def __init__(
        self, str text, array start, array end, array gap, array types, array roles, Py_ssize_t first
    ):
        self.text, self.letters, self.size, self.count = text, letters(text), len(text), len(types)
        self.start, self.end = start.data.as_ints + first, end.data.as_ints + first
        self.gap, self.types, self.roles = gap.data.as_uchars + first, types.data.as_ints, roles.data.as_uchars
        while first > 0 and gap.data.as_uchars[first - 1] < NEWLINE:
            first -= 1
        self.line = start.data.as_ints[first] if first else 0
        if memchr(self.gap, NEWLINE, self.count) != NULL:
            self.width = wrap_width(text)
            self.small = self.width == 0 and text.islower()

    cdef array ends(self):
        cdef array found = clone(INTS, self.count, False)
        state = released(self.count)
        cdef Py_ssize_t sentences = self.walk(found.data.as_ints)
        restored(state)
        resize(found, sentences)
        return found

    cdef int role(self, Py_ssize_t i) noexcept nogil:
        """Return the role of a token, none beyond the end."""
        return self.roles[self.types[i]] if i < self.count else 0

    cdef Py_ssize_t walk(self, int *out) noexcept nogil:
        """Fill `out` with the ends of the sentences; return how many there are."""
        cdef Py_ssize_t found = 0, i = 0, begin = 0, last  # `begin` is where the current sentence starts
        cdef bint ends
        while i < self.count:
            last = self.closes(i) if self.role(i) & TERMINATOR and self.gap[i] != PARAGRAPH else i
            ends = self.gap[last] == PARAGRAPH or self.ends_with(i, last, begin) or last + 1 - begin >= MOST_TOKENS
            if not ends and self.gap[last] == NEWLINE:
                ends = self.breaks_after(last)
            if self.gap[last] >= NEWLINE and last + 1 < self.count:
                self.line = self.start[last + 1]
            i = last + 1
            if ends or i == self.count:
                begin = out[found] = i
                found += 1
        return found

    cdef Py_ssize_t closes(self, Py_ssize_t i) noexcept nogil:
        """Return the last token of the sentence with a terminator at `i`: past closing quotes and glued citations [12]."""
        cdef Py_ssize_t j = i
        cdef int depth = 0, role
        while j + 1 < self.count and self.gap[j] == GLUED:
            role = self.role(j + 1)
            if role & OPENER:
                depth += 1
            elif role & CLOSER:
                depth -= depth > 0
            elif not role & (TERMINATOR | NUMERAL) and not depth:
                break
            j += 1
            if j - i > MOST_CLOSERS:
                return i
        return j

    cdef bint ends_with(self, Py_ssize_t i, Py_ssize_t last, Py_ssize_t begin) noexcept nogil:
        """Return whether the token at `i`, behind which the sentence goes on to `last`, ends it."""
        cdef int after = self.role(last + 1)
        if self.role(i) & TERMINATOR:
            if self.gap[last] == GLUED:
                # No space is needed after 。; after a full stop one is missing where a capital follows.
                return at(self.letters, self.start[i]) > "\u2fff" or (
                    last + 1 < self.count and Py_UNICODE_ISUPPER(at(self.letters, self.start[last + 1]))
                )
            # 2. Methods: a number that opens a sentence is a label.
            return not after & SMALL and not (i == begin + 1 and self.role(begin) & NUMERAL)
        return self.role(i) & (STOPPED | BOUND) == STOPPED and after & STARTER

    cdef bint breaks_after(self, Py_ssize_t last) noexcept nogil:
        """Return whether the line break after a token is meant."""
        cdef bint goes_on = self.role(last + 1) & SMALL
        cdef Py_ssize_t length = self.end[last] - self.line
        if self.width == 0:
            # In a text without capitals small letters say nothing.
            return self.small or not (goes_on and self.runs_on(length, self.start[last + 1]))
        # It is where the next word would still have fitted on the line, by some margin.
        return not goes_on and length + 1 + self.end[last + 1] - self.start[last + 1] < self.width * 4 // 5

    cdef bint runs_on(self, Py_ssize_t length, Py_ssize_t start) noexcept nogil:
        """Return whether a line of this length goes on in the next one, which begins in small letters at `start`: both
        are as long as those of wrapped prose, and nothing is indented."""
        if length < NARROWEST or length > WIDEST or at(self.letters, start - 1) != "\n":
            return False
        cdef Py_ssize_t after = start
        while after < self.size and after - start <= WIDEST and at(self.letters, after) != "\n":
            after += 1
        return after - start <= WIDEST


cdef Py_ssize_t wrap_width(str text):
    """Return the width at which the lines of `text` were wrapped, or 0 where each line is a paragraph of its own."""
    cdef Py_ssize_t lines = 0, capitals = 0, width = 0, shorter = 0, full = 0, start = 0, stop, length
    # How many lines have each length; those that are too wide count as one character wider than the widest.
    cdef Py_ssize_t[WIDEST + 2] long_lines
    memset(long_lines, 0, sizeof(long_lines))
    while start < len(text):
        stop = text.find("\n", start)
        if stop < 0:
            stop = len(text)
        if stop > start:
            lines += 1
            long_lines[min(stop - start, WIDEST + 1)] += 1
            capitals += text[start].isupper()
        start = stop + 1
    if lines < 4 or capitals * 4 > lines * 3:  # verses and entries of a list begin with a capital
        return 0
    while shorter <= lines * 9 // 10:  # nine of ten lines are no wider
        width += 1
        shorter += long_lines[width]
    for length in range((width * 7 + 9) // 10, WIDEST + 2):
        full += long_lines[length]
    return width if NARROWEST <= width <= WIDEST and full * 2 >= lines else 0
