"""Units of text in scripts without spaces: a character of such a script, or a whole token of any other."""

from array import array

import cython

_ENOUGH = cython.declare(cython.int, 200)  # units of one lattice, or a few more to the end of a token …
_MOST = cython.declare(cython.int, 512)  # … unless the token is as long as this

# What a unit is. Characters of unspaced scripts come first.
_HAN = cython.declare(cython.int, 1)
_NUMERAL = cython.declare(cython.int, 2)
_HIRAGANA = cython.declare(cython.int, 3)
_KATA = cython.declare(cython.int, 4)
_DIGITS = cython.declare(cython.int, 5)
_LOWER = cython.declare(cython.int, 6)
_CAPITAL = cython.declare(cython.int, 7)
_MIXED = cython.declare(cython.int, 8)
_MARK = cython.declare(cython.int, 9)


@cython.cfunc
@cython.exceptval(check=False)
def _kind_of_character(c: cython.Py_UCS4) -> cython.int:
    if "\u3041" <= c <= "\u309f":
        return _HIRAGANA
    if "\u30a0" <= c <= "\u30ff" or "\u31f0" <= c <= "\u31ff" or "\uff66" <= c <= "\uff9f":
        return _KATA
    if c in "〇零一二三四五六七八九十百千万亿億兩两":
        return _NUMERAL
    return _HAN


@cython.cfunc
@cython.exceptval(check=False)
def _kind_of_token(text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    digits: cython.int = 0
    letters: cython.int = 0
    for i in range(start, end):
        c: cython.Py_UCS4 = text[i]
        if c.isdigit():
            digits += 1
        elif c.isalpha():
            letters += 1
    if digits:
        return _MIXED if letters else _DIGITS
    if not letters:
        return _MARK
    c = text[start]
    return _CAPITAL if c.isupper() else _LOWER


def units(
    text: str,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    gap: cython.const[cython.uchar][::1],
    table: cython.const[cython.uchar][::1],
    han: cython.int,
    fold: cython.const[cython.ushort][::1],
    token: cython.Py_ssize_t,
    position: cython.Py_ssize_t,
) -> tuple:
    """Return the next units from `position` in `token` on, as six columns, and where the units after them begin.

    The columns are code and kind of each unit, where it starts and ends, what separates it from the next one, and
    whether a word may go on into it. `table` has the class `han` for characters of runs without spaces; `fold` has the
    code of each character.
    """
    columns = (
        array("i", bytes(4 * _MOST)), bytearray(_MOST), array("i", bytes(4 * _MOST)), array("i", bytes(4 * _MOST)),
        bytearray(_MOST), bytearray(_MOST),
    )  # fmt: skip
    code: cython.int[::1] = columns[0]
    kind: cython.uchar[::1] = columns[1]
    begin: cython.int[::1] = columns[2]
    until: cython.int[::1] = columns[3]
    after: cython.uchar[::1] = columns[4]
    joined: cython.uchar[::1] = columns[5]
    n: cython.Py_ssize_t = 0
    while token < len(start) and n < _ENOUGH:
        if position < start[token]:
            position = start[token]
        c: cython.int = ord(text[start[token]])
        # Numbers go on in characters: 20万, 第8
        glued: cython.bint = n > 0 and until[n - 1] == start[token] == position
        if table[c] == han:
            joins: cython.bint = glued and kind[n - 1] == _DIGITS and text[position] in "万亿億多余餘几幾"
            while position < end[token] and n < _MOST:
                c = ord(text[position])
                code[n] = fold[c] if c < 65536 else c
                kind[n] = _kind_of_character(text[position])
                begin[n] = position
                position += 1
                until[n] = position
                after[n] = gap[token] if position == end[token] else 0
                joined[n] = joins
                joins = True
                n += 1
            if position < end[token]:
                break
        else:
            kind[n] = _kind_of_token(text, start[token], end[token])
            code[n] = c if kind[n] == _MARK else kind[n]
            joined[n] = glued and kind[n] == _DIGITS and code[n - 1] == 0x7B2C
            begin[n] = start[token]
            until[n] = end[token]
            after[n] = gap[token]
            n += 1
        token += 1
    del code, kind, begin, until, after, joined  # views pin the arrays' size
    for column in columns:
        del column[n:]
    return columns, token, position
