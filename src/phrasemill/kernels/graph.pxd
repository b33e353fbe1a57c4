"""The words of a text as nodes, a table that counts pairs of them, and products with a matrix."""

from cpython.array cimport array

from phrasemill.kernels.text cimport Text

cdef enum:
    MOST_ROUNDS = 100  # of a walk …
cdef double TOLERANCE  # … which ends when all changes of a round together are below this


cdef struct Pairs:
    # Open addressing, in C memory because it grows without the GIL. `key` is (a << 31 | b) + 1 for the pair in a slot,
    # 0 in a free one.
    long long mask
    Py_ssize_t used
    long long *key
    int *count


cdef bint make_room(Pairs *pairs, Py_ssize_t words) noexcept nogil
cdef bint add(Pairs *pairs, Py_ssize_t slot, long long a, long long b) noexcept nogil
cdef void let_go(Pairs *pairs) noexcept nogil


cdef inline Py_ssize_t slot_of(const Pairs *pairs, long long a, long long b) noexcept nogil:
    """Return the slot of a pair, or the free one where it belongs."""
    cdef long long key = ((a << 31) | b) + 1
    cdef long long slot = (a * 40503 + (b + 1) * 9973) & pairs.mask
    while pairs.key[slot] != 0 and pairs.key[slot] != key:
        slot = (slot + 1) & pairs.mask
    return slot


cdef inline void products(
    const double *matrix, Py_ssize_t rows, Py_ssize_t columns, const double *vector, double *out
) noexcept nogil:
    """Fill `out` with the product of each row and `vector`; four rows at a time, as a sum waits for every addition."""
    cdef Py_ssize_t i, j
    cdef double a, b, c, d
    for i in range(0, rows - 3, 4):
        a = b = c = d = 0.0
        for j in range(columns):
            a += matrix[j] * vector[j]
            b += matrix[columns + j] * vector[j]
            c += matrix[2 * columns + j] * vector[j]
            d += matrix[3 * columns + j] * vector[j]
        out[i], out[i + 1], out[i + 2], out[i + 3] = a, b, c, d
        matrix += 4 * columns
    for i in range(rows - rows % 4, rows):
        out[i] = 0.0
        for j in range(columns):
            out[i] += matrix[j] * vector[j]
        matrix += columns


cdef class Words:
    cdef readonly Text text
    cdef readonly array node
    cdef readonly int count
