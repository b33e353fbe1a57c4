"""Arrays of any length from an empty one of their type; compiled kernels have Cython's `clone`, which is faster."""

from array import array
from typing import Any

BYTES, SHORTS, INTS, UINTS, LONGS, ULONGS = (array(letter) for letter in "BhiIqQ")
FLOATS, DOUBLES = array("f"), array("d")


def clone(template: "array[Any]", length: int, zero: bool) -> "array[Any]":
    """Return an array of `length` zeros; where `zero` is False, compiled kernels may leave it unset."""
    return array(template.typecode, bytes(template.itemsize * length))


def resize_smart(column: "array[Any]", length: int) -> None:
    """Make a column longer; compiled kernels leave the new part unset, and have room for more."""
    column.frombytes(bytes(column.itemsize * (length - len(column))))
