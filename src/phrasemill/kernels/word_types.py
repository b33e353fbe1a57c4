"""What a word type is: its kind and its role at a sentence end; and numbers for words and stems.

Nearly all words are of ASCII letters, some with hyphens inside. They are described here, the others by
`text/lexicon.py`.
"""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import BYTES, INTS

if cython.compiled:
    from cython.cimports.cpython.array import clone
else:
    from phrasemill.kernels._arrays import clone

# Bits of `Analysis.kind` (types.py), and roles of kernels/sentences.py.
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
CAPITAL = cython.declare(cython.int, 8)
UPPER = cython.declare(cython.int, 16)
STARTER = cython.declare(cython.int, 16)
LOWERCASE = cython.declare(cython.int, 32)
LONGEST = cython.declare(cython.int, 64)  # what is longer is data, not a word


def described(seen: list, words: list, stopwords: frozenset, terms: frozenset, other: object) -> tuple:
    """Return the kind and the role of each type: two columns. `words` are the types in small letters; `terms` are no
    stopwords as they stand. `other(type, word)` returns both for what is not of ASCII letters and hyphens alone."""
    count: cython.Py_ssize_t = len(seen)
    kinds = clone(BYTES, count, False)
    roles = clone(BYTES, count, False)
    kind_of: cython.uchar[::1] = kinds
    role_of: cython.uchar[::1] = roles
    i: cython.Py_ssize_t
    for i in range(count):
        one: str = seen[i]
        letters: cython.int = _letters(one)
        if letters < 0:
            kind_of[i], role_of[i] = other(one, words[i])
            continue
        capitals: cython.int = letters >> 8
        kind: cython.int = WORD
        if capitals:
            if one[0] <= "Z":
                kind |= CAPITAL
            if capitals > 1 and letters & 255 == 0:
                kind |= UPPER
        if words[i] in stopwords and not (capitals and one in terms):
            kind |= STOPWORD
        kind_of[i] = kind
        role_of[i] = LOWERCASE if not kind & CAPITAL else STARTER if kind & STOPWORD else 0
    return kinds, roles


@cython.cfunc
@cython.exceptval(check=False)
def _letters(word: str) -> cython.int:
    """Return how many letters are small, and 256 for each that is a capital; -1 for a word that has anything else but
    hyphens inside, or is too long."""
    size: cython.Py_ssize_t = len(word)
    if size == 0 or size > LONGEST:
        return -1
    found: cython.int = 0
    for i in range(size):
        c: cython.Py_UCS4 = word[i]
        if "a" <= c and c <= "z":
            found += 1
        elif "A" <= c and c <= "Z":
            found += 256
        elif c != "-" or i == 0 or i == size - 1:
            return -1
    return found


def numbered(texts: list, numbers: dict, known: list) -> array:
    """Return the number of each text in `known`; those that are new are added there and to `numbers`."""
    count: cython.Py_ssize_t = len(texts)
    result = clone(INTS, count, False)
    out: cython.int[::1] = result
    for i in range(count):
        text: str = texts[i]
        found = numbers.get(text)
        if found is None:
            found = len(known)
            numbers[text] = found
            known.append(text)
        out[i] = found
    return result
