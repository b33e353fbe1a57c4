"""What a word type is at the end of a sentence, and the kernel that splits."""

from cpython.array cimport array

# Roles of a word type, as bits of the lexicon's column (words.pyx).
cdef enum Role:
    TERMINATOR = 1  # . ! ? … 。
    CLOSER = 2  # quotes and closing brackets that still belong to the sentence
    STOPPED = 4  # a word that keeps its full stop: etc. U.S. J.
    BOUND = 8  # … and always leads on to the next word: Dr. Fig. e.g.
    STARTER = 16  # a capitalised function word: The, However
    SMALL = 32  # begins with a small letter
    OPENER = 64  # [ and (
    NUMERAL = 128

cpdef array split(str text, array start, array end, array gap, array types, array roles, Py_ssize_t first=*)
