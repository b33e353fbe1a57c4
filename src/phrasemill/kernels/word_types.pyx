"""What a word type is: its kind and its role at a sentence end; and numbers for words and stems.

Nearly all words are of ASCII letters, some with hyphens inside. They are described here, the others by
`text/lexicon.py`.
"""

from array import array

import cython

from cython.cimports.cpython.array import resize_smart

# Bits of `Analysis.kind` (types.py), and roles of kernels/sentences.py.
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
CAPITAL = cython.declare(cython.int, 8)
UPPER = cython.declare(cython.int, 16)
STARTER = cython.declare(cython.int, 16)
LOWERCASE = cython.declare(cython.int, 32)
LONGEST = cython.declare(cython.int, 64)  # what is longer is data, not a word


def described(
    surfaces: list, stopwords: frozenset, terms: frozenset, normalise: object, other: object, kinds: array, roles: array
) -> tuple:
    """Add the kind and the role of each type to two columns. Return the types in their normal form, the same in small
    letters, those of the latter that have a stem, and how many characters there are.

    `terms` are no stopwords as they stand. `normalise(type)` returns the normal form, and `other(type, word)` the kind
    and the role, of what is not of ASCII letters and hyphens alone.
    """
    count: cython.Py_ssize_t = len(surfaces)
    done: cython.Py_ssize_t = len(kinds)
    resize_smart(kinds, done + count)
    resize_smart(roles, done + count)
    kind_of: cython.uchar[::1] = kinds
    role_of: cython.uchar[::1] = roles
    seen: list = surfaces
    words: list = []
    stemmed: list = []
    characters: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for i in range(count):
        one: str = surfaces[i]
        characters += len(one)
        letters: cython.int = _letters(one)
        if letters < 0:
            normal: str = normalise(one)
            if normal is not one:
                if seen is surfaces:
                    seen = list(surfaces)
                seen[i] = one = normal
                letters = _letters(one)
        word: str = one if 0 <= letters and letters < 256 else one.lower()
        words.append(word)
        if letters < 0:
            kind_of[done + i], role_of[done + i] = other(one, word)
        else:
            kind: cython.int = _kind(one, word, letters, stopwords, terms)
            kind_of[done + i] = kind
            role_of[done + i] = LOWERCASE if not kind & CAPITAL else STARTER if kind & STOPWORD else 0
        if kind_of[done + i] & WORD:
            stemmed.append(word)
    return seen, words, stemmed, characters


@cython.cfunc
def _kind(one: str, word: str, letters: cython.int, stopwords: frozenset, terms: frozenset) -> cython.int:
    """Return the kind of a type with so many letters."""
    capitals: cython.int = letters >> 8
    kind: cython.int = WORD
    if capitals:
        if one[0] <= "Z":
            kind |= CAPITAL
        if capitals > 1 and letters & 255 == 0:
            kind |= UPPER
    if word in stopwords and not (capitals and one in terms):
        kind |= STOPWORD
    return kind


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


def numbered(
    words: list,
    stemmed: list,
    kinds: cython.const[cython.uchar][::1],
    numbers: dict,
    known: list,
    word_of: array,
    stem_of: array,
    scratch: array,
) -> None:
    """Add the numbers of types' words and of their stems in `known` to two columns; texts that are new are added there
    and to `numbers`, with -1 in `scratch` each.

    `stemmed` has the stems of those that `described` gave to be stemmed; what has no stem, or an empty one, is its own.
    The last of the `kinds` are those of the words.
    """
    count: cython.Py_ssize_t = len(words)
    done: cython.Py_ssize_t = len(word_of)
    resize_smart(word_of, done + count)
    resize_smart(stem_of, done + count)
    words_out: cython.int[::1] = word_of
    stems_out: cython.int[::1] = stem_of
    next_stem: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for i in range(count):
        word: str = words[i]
        number: cython.int = _number(word, numbers, known)
        words_out[done + i] = number
        if kinds[done + i] & WORD:
            stem: str = stemmed[next_stem]
            next_stem += 1
            if stem is not word and len(stem) > 0:
                number = _number(stem, numbers, known)
        stems_out[done + i] = number
    filled: cython.Py_ssize_t = len(scratch)
    resize_smart(scratch, len(known))
    free: cython.int[::1] = scratch
    for i in range(filled, len(known)):
        free[i] = -1


@cython.cfunc
def _number(text: str, numbers: dict, known: list) -> cython.int:
    """Return the number of a text, which is added where it is new."""
    found = numbers.get(text)
    if found is None:
        found = len(known)
        numbers[text] = found
        known.append(text)
    return found
