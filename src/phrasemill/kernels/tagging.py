"""Part-of-speech tagging: a word's features are summed once, a token then adds a few rows and takes the best tag.

Scores are integers, so the compiled and the interpreted form agree to the last bit.
"""

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

WIDTH = 48  # tags, padded so that a row fills whole vector registers
POSITIONS = 5  # a word speaks for the tags of its neighbours too: from two before it to two after it
ROW = 240  # WIDTH * POSITIONS
BLOCK = 2304  # WIDTH * WIDTH
FEATURES = 24  # more than any word has
BITS = 15  # of a feature's hash choose its bucket; the lowest 16 tell it from others there

# Where a feature counts: bit p is for the token that has the word p - 2 places to its right.
HERE = 4
NEAR = 2 | 8
FAR = 1 | 16
CONTEXT = 5  # from here on, positions stand for the tag before the word
AMBIGUOUS = 53  # CONTEXT + WIDTH: a feature there marks the words that have such features

# How a word is written; a straight quote counts as QUOTE + 1 when it closes.
LOWER, CAPITAL, CAPITALS, MIXED, DIGITS, MARK, LETTER, QUOTE = 1, 2, 3, 4, 5, 6, 7, 8
CASES = 10
# How a sentence is written
NORMAL, TITLE, UPPERCASE, LOWERCASE = 0, 1, 2, 3


@cython.cfunc
@cython.inline
def _step(h: cython.ulonglong, value: cython.ulonglong) -> cython.ulonglong:
    """FNV-1a, 32 bits; values are code points rather than bytes."""
    return ((h ^ value) * 16777619) & 0xFFFFFFFF


@cython.cfunc
def _hash(kind: cython.ulonglong, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.ulonglong:
    """The hash of a part of a text, where every digit is 0 and every apostrophe is straight."""
    h: cython.ulonglong = _step(2166136261, kind)
    i: cython.Py_ssize_t
    letter: cython.Py_UCS4
    for i in range(start, end):
        letter = text[i]
        if letter == "’" or letter == "‘":
            letter = "'"
        elif letter.isdigit():
            letter = "0"
        h = _step(h, ord(letter))
    return h


def placed(feature: cython.ulonglong, position: cython.ulonglong) -> cython.ulonglong:
    """The hash of a feature at a position (with the last mixing steps of MurmurHash3, for even buckets)."""
    h: cython.ulonglong = _step(feature, 1000 + position)
    h = ((h ^ (h >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return h ^ (h >> 16)


@cython.cfunc
@cython.inline
def _sort(letter: cython.Py_UCS4) -> cython.int:
    """The kind of a character, as shapes spell it: X, x, d or the character itself."""
    if letter.isupper():
        return 88
    if letter.isalpha():
        return 120
    if letter.isdigit():
        return 100
    return ord(letter)


def case(word: str) -> cython.int:
    """How the word is written: one of the constants above."""
    upper: cython.int = 0
    lower: cython.int = 0
    digits: cython.int = 0
    i: cython.Py_ssize_t
    sort: cython.int
    for i in range(len(word)):
        sort = _sort(word[i])
        upper += sort == 88
        lower += sort == 120
        digits += sort == 100
    if word == '"':
        return QUOTE
    if digits:
        return DIGITS
    if not upper:
        return LOWER if lower else MARK
    if not lower:
        return CAPITALS if upper > 1 else LETTER
    return CAPITAL if upper == 1 and _sort(word[0]) == 88 else MIXED


def features(word: str, lower: str, hashes: cython.ulonglong[::1], places: cython.uchar[::1]) -> cython.int:
    """Fill in the hashes of a word's features, and where each counts; the return value is their number.

    The first is the word in lower case, the second the word itself.
    """
    size: cython.Py_ssize_t = len(lower)
    n: cython.int = 4
    k: cython.Py_ssize_t
    shape: cython.ulonglong = _step(2166136261, 3)
    last: cython.int = -1
    sort: cython.int
    hyphen: cython.Py_ssize_t = 0
    for k in range(len(word)):
        sort = _sort(word[k])
        if sort != last:
            shape = _step(shape, sort)
        last = sort
    for k in range(1, size - 1):
        if lower[k] == "-":
            hyphen = k + 1
    hashes[0] = _hash(2, lower, 0, size)
    places[0] = HERE | NEAR | FAR
    hashes[1] = _hash(1, word, 0, len(word))
    places[1] = HERE
    hashes[2] = shape
    places[2] = HERE | NEAR
    hashes[3] = _hash(shape, lower, size - 2 if size > 2 else 0, size)
    places[3] = HERE
    for k in range(1, 6):
        if k < size:
            hashes[n] = _hash(10 + k, lower, size - k, size)
            places[n] = HERE | NEAR if k == 2 or k == 3 else HERE
            n += 1
        if k < size and k < 5:
            hashes[n] = _hash(20 + k, lower, 0, k)
            places[n] = HERE
            n += 1
    if hyphen:
        hashes[n] = _hash(4, lower, hyphen, size)
        places[n] = HERE
        n += 1
    if size > 3:  # singular and plural have one in common
        hashes[n] = _hash(5, lower, 0, size - 1 if lower[size - 1] == "s" else size)
        places[n] = HERE
        n += 1
    return n


@cython.cfunc
def _collect(
    h: cython.ulonglong,
    buckets: cython.const[cython.uint][::1],
    offsets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    counts: cython.const[cython.uchar][::1],
    tags: cython.const[cython.uchar][::1],
    weights: cython.const[cython.schar][::1],
    rows: cython.short[::1],
    start: cython.Py_ssize_t,
) -> cython.bint:
    """Add the weights of the feature `h`, if the model has it, to the row that begins at `start`."""
    bucket: cython.Py_ssize_t = h >> (32 - BITS)
    entry: cython.Py_ssize_t = offsets[bucket]
    feature: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for feature in range(buckets[bucket], buckets[bucket + 1]):
        if prints[feature] == (h & 0xFFFF):
            for k in range(entry, entry + counts[feature]):
                rows[start + tags[k]] += weights[k]
            return True
        entry += counts[feature]
    return False


def add(
    word: str,
    lower: str,
    buckets: cython.const[cython.uint][::1],
    offsets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    counts: cython.const[cython.uchar][::1],
    tags: cython.const[cython.uchar][::1],
    weights: cython.const[cython.schar][::1],
    hashes: cython.ulonglong[::1],
    places: cython.uchar[::1],
    rows: cython.short[::1],
    start: cython.Py_ssize_t,
) -> cython.bint:
    """Sum the features of a word into its five rows at `start`; whether it has features with the tag before it."""
    n: cython.int = features(word, lower, hashes, places)
    i: cython.int
    p: cython.int
    for i in range(n):
        for p in range(POSITIONS):
            if (places[i] >> p) & 1:
                _collect(
                    placed(hashes[i], p), buckets, offsets, prints, counts, tags, weights, rows, start + p * WIDTH
                )
    return _collect(placed(hashes[0], AMBIGUOUS), buckets, offsets, prints, counts, tags, weights, rows, start)


def add_context(
    buckets: cython.const[cython.uint][::1],
    offsets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    counts: cython.const[cython.uchar][::1],
    tags: cython.const[cython.uchar][::1],
    weights: cython.const[cython.schar][::1],
    hashes: cython.ulonglong[::1],
    rows: cython.short[::1],
    start: cython.Py_ssize_t,
) -> cython.void:
    """Fill in one row for each tag before the word whose features `add` has just left in `hashes`."""
    before: cython.int
    for before in range(WIDTH):
        _collect(
            placed(hashes[0], CONTEXT + before),
            buckets, offsets, prints, counts, tags, weights, rows, start + before * WIDTH,
        )  # fmt: skip


def manner(types: cython.const[cython.int][::1], cases: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
    """How a sentence is written: normally, as a title, in capitals or without any."""
    i: cython.Py_ssize_t
    lower: cython.int = 0
    capital: cython.int = 0
    capitals: cython.int = 0
    written: cython.int
    for i in range(start, end):
        written = cases[types[i]]
        lower += written == LOWER
        capital += written == CAPITAL or written == MIXED
        capitals += written == CAPITALS
    if capitals >= 2 and not lower and not capital:
        return UPPERCASE
    if not capital and not capitals:
        return LOWERCASE
    return TITLE if capital + capitals >= 2 and capital + capitals > lower else NORMAL
