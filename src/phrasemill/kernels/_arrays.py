"""Empty arrays, one of each type: kernels make those they fill from them, with Cython's `clone`."""

from array import array

BYTES, SHORTS, INTS, UINTS, LONGS, ULONGS = (array(letter) for letter in "BhiIqQ")
FLOATS, DOUBLES = array("f"), array("d")
