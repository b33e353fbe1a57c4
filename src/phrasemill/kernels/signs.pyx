"""Which of a few short strings occur in a text: one pass for all of them."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.phrasemill.kernels._text import Letters, code_at, letters

_LONG = cython.declare(cython.Py_ssize_t, 5 * LONG)  # characters
_SLOTS = cython.declare(cython.int, 128)


COMMON = "qzjxkvbywgpfmucdlhrsnioate "  # letters, the most frequent ones of English last


def packed(signs: tuple) -> tuple:
    """Return what `occurring` takes of some strings: their characters, where each begins, where its rarest character
    is, and the first string of each slot, by that character, with the next one of the same slot; -1 for none."""
    codes = array("i")
    begins = array("i", [0])
    rarest = array("i")
    first = array("i", [-1]) * _SLOTS
    after = array("i")
    sign: str
    for number, sign in enumerate(signs):
        codes.extend([ord(letter) for letter in sign])
        begins.append(len(codes))
        rare: str = min(sign, key=COMMON.find)  # -1 for what is no letter
        rarest.append(sign.index(rare))
        slot: cython.int = ord(rare) % _SLOTS
        after.append(first[slot])
        first[slot] = number
    return codes, begins, rarest, first, after


def occurring(
    text: str,
    codes: cython.const[cython.int][::1],
    begins: cython.const[cython.int][::1],
    rarest: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    after: cython.const[cython.int][::1],
) -> array:
    """Return 1 for each of the `packed` strings that occurs in the text, 0 for the others."""
    result = clone(BYTES, len(after), True)
    out: cython.uchar[::1] = result
    view: Letters = letters(text)
    size: cython.Py_ssize_t = len(text)
    if size < _LONG:
        _occurring(view, size, codes, begins, rarest, first, after, out)
    else:
        with cython.nogil:
            _occurring(view, size, codes, begins, rarest, first, after, out)
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _occurring(
    text: Letters,
    size: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    begins: cython.const[cython.int][::1],
    rarest: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    after: cython.const[cython.int][::1],
    out: cython.uchar[::1],
) -> cython.void:
    """Set `out` to 1 where a string occurs."""
    i: cython.Py_ssize_t
    for i in range(size):
        sign: cython.int = first[code_at(text, i) & (_SLOTS - 1)]
        while sign >= 0:
            length: cython.Py_ssize_t = begins[sign + 1] - begins[sign]
            begin: cython.Py_ssize_t = i - rarest[sign]
            same: cython.Py_ssize_t = 0
            if begin >= 0 and begin + length <= size:
                while same < length and code_at(text, begin + same) == codes[begins[sign] + same]:
                    same += 1
                if same == length:
                    out[sign] = 1
            sign = after[sign]
