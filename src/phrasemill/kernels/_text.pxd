"""Characters of a string without the GIL: a string never changes, and its caller holds it."""

cdef extern from "Python.h" nogil:
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index)
    bint Py_UNICODE_ISUPPER(Py_UCS4 character)

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)

ctypedef struct Letters:
    int kind
    const void *data


cdef inline Letters letters(str text):
    return Letters(PyUnicode_KIND(text), PyUnicode_DATA(text))


cdef inline Py_UCS4 at(Letters text, Py_ssize_t i) noexcept nogil:
    return PyUnicode_READ(text.kind, text.data, i)


cdef inline Py_ssize_t code_at(Letters text, Py_ssize_t i) noexcept nogil:
    return PyUnicode_READ(text.kind, text.data, i)


cdef inline bint is_upper_at(Letters text, Py_ssize_t i) noexcept nogil:
    return Py_UNICODE_ISUPPER(PyUnicode_READ(text.kind, text.data, i))
