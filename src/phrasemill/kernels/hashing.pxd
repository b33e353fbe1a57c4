"""Hashes of 64 bits, and where they are in a table: kernels/hashing.pyx."""

# FNV-1a over code points, and a multiplier of SplitMix64.
cdef extern from *:
    """
    #define FNV_OFFSET 0xCBF29CE484222325ULL
    #define FNV_PRIME 0x100000001B3ULL
    #define SPLIT_MIX 0xBF58476D1CE4E5B9ULL
    """
    const unsigned long long FNV_OFFSET, FNV_PRIME, SPLIT_MIX


cdef inline unsigned long long hashed(str text):
    """Return the hash of a stem."""
    cdef unsigned long long h = FNV_OFFSET
    cdef Py_UCS4 character
    for character in text:
        h = (h ^ <unsigned long long>character) * FNV_PRIME
    return h


cdef inline unsigned long long mixed(unsigned long long h, unsigned long long stem) noexcept nogil:
    """Return the hash of a phrase with one more stem."""
    h = (h ^ stem) * SPLIT_MIX
    return h ^ (h >> 31)


cdef inline Py_ssize_t slot_of(unsigned long long key, Py_ssize_t size) noexcept nogil:
    """Return the place in a table of this size from which on a key is looked for."""
    return ((key >> 32) * <unsigned long long>size) >> 32


cdef inline unsigned int fingerprint(unsigned long long key) noexcept nogil:
    cdef unsigned int low = <unsigned int>key
    return low if low != 0 else 1


cdef inline Py_ssize_t place_of(unsigned long long key, const unsigned int[::1] table) noexcept nogil:
    """Return the place of a key in a table, -1 where it is not there."""
    cdef Py_ssize_t size = len(table), slot
    if size == 0:
        return -1
    slot = slot_of(key, size)
    while table[slot] != 0:
        if table[slot] == fingerprint(key):
            return slot
        slot += 1
        if slot == size:
            slot = 0
    return -1


cdef void find_all(const unsigned long long[::1] keys, const unsigned int[::1] table, int *out) noexcept nogil
