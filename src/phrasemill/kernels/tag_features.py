"""The weights of a word in the tagger's model: its features as hashes, looked up and added up once per word type.

Hashes and weights are whole numbers, so the compiled and the interpreted form agree to the last bit.
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

# Constants in C; the names without an underscore are the same for Python.
_WIDTH = cython.declare(cython.int, 48)  # tags, padded to fill whole vector registers
_POSITIONS = cython.declare(cython.int, 5)  # a word adds to its neighbours' scores, too: two places before to two after
WIDTH, POSITIONS = _WIDTH, _POSITIONS
FEATURES = 24  # more than any word has …
KEYS = 64  # … and more than it is looked up under

# Numbers as wide as these are Python's unless they have a name.
_MASK = cython.declare(cython.ulonglong, 0xFFFFFFFF)
_PRIME = cython.declare(cython.ulonglong, 16777619)
_SEED = cython.declare(cython.ulonglong, 2166136261)
_MIX = cython.declare(cython.ulonglong, 0x85EBCA6B)
_REMIX = cython.declare(cython.ulonglong, 0xC2B2AE35)

# Where a feature counts: bit p is for the token that has the word p - 2 places to its right.
_HERE = cython.declare(cython.int, 4)
_NEAR = cython.declare(cython.int, 2 | 8)
_FAR = cython.declare(cython.int, 1 | 16)
_CONTEXT = cython.declare(cython.int, 5)  # from here on, positions stand for the tag before the word
_AMBIGUOUS = cython.declare(cython.int, 53)  # a feature at this position marks the words that have such features
_LISTED = cython.declare(cython.int, 54)  # … and at this one those that are in the model's lexicon
CONTEXT, AMBIGUOUS, LISTED = _CONTEXT, _AMBIGUOUS, _LISTED

# How a word is written: kernels/tagging.py reads these.
_LOWER = cython.declare(cython.int, 1)
_CAPITAL = cython.declare(cython.int, 2)
_CAPITALS = cython.declare(cython.int, 3)
_MIXED = cython.declare(cython.int, 4)
_DIGITS = cython.declare(cython.int, 5)
_MARK = cython.declare(cython.int, 6)
_LETTER = cython.declare(cython.int, 7)
_QUOTE = cython.declare(cython.int, 8)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _step(h: cython.ulonglong, value: cython.ulonglong) -> cython.ulonglong:
    """Return the next hash by FNV-1a, 32 bits; values are code points rather than bytes."""
    return ((h ^ value) * _PRIME) & _MASK


@cython.cfunc
@cython.exceptval(check=False)
def _hash(kind: cython.ulonglong, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.ulonglong:
    """Return the hash of a part of a text, where every digit is 0 and every apostrophe is straight."""
    h: cython.ulonglong = _step(_SEED, kind)
    for i in range(start, end):
        letter: cython.Py_UCS4 = text[i]
        if letter < "\x80":
            if "0" <= letter and letter <= "9":
                letter = "0"
        elif letter == "’" or letter == "‘":
            letter = "'"
        elif letter.isdigit():
            letter = "0"
        h = _step(h, ord(letter))
    return h


@cython.ccall
def placed(feature: cython.ulonglong, position: cython.ulonglong) -> cython.ulonglong:
    """Return the hash of a feature at a position (with the last mixing steps of MurmurHash3, for even buckets)."""
    h: cython.ulonglong = _step(feature, 1000 + position)
    h = ((h ^ (h >> 16)) * _MIX) & _MASK
    h = ((h ^ (h >> 13)) * _REMIX) & _MASK
    return h ^ (h >> 16)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _sort(letter: cython.Py_UCS4) -> cython.int:
    """Return the kind of a character, as shapes spell it: X, x, d or the character itself."""
    if letter < "\x80":
        if "a" <= letter and letter <= "z":
            return 120
        if "A" <= letter and letter <= "Z":
            return 88
        return 100 if "0" <= letter and letter <= "9" else ord(letter)
    if letter.isupper():
        return 88
    if letter.isalpha():
        return 120
    if letter.isdigit():
        return 100
    return ord(letter)


@cython.ccall
def case(word: str) -> cython.int:
    """Return how the word is written: one of the constants above."""
    upper: cython.int = 0
    lower: cython.int = 0
    digits: cython.int = 0
    for i in range(len(word)):
        sort = _sort(word[i])
        upper += sort == 88
        lower += sort == 120
        digits += sort == 100
    if word == '"':
        return _QUOTE
    if digits:
        return _DIGITS
    if not upper:
        return _LOWER if lower else _MARK
    if not lower:
        return _CAPITALS if upper > 1 else _LETTER
    return _CAPITAL if upper == 1 and _sort(word[0]) == 88 else _MIXED


@cython.ccall
def features(
    word: str, lower: str, classes: bytes, hashes: cython.ulonglong[::1], places: cython.uchar[::1]
) -> cython.int:
    """Fill in the hashes of a word's features, and where each counts; the return value is their number.

    The first is the word in lower case, the second the word itself. `classes` are those of a lexicon, if there is one.
    """
    size: cython.Py_ssize_t = len(lower)
    n: cython.int = 4
    shape: cython.ulonglong = _step(_SEED, 3)
    last: cython.int = -1
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
    places[0] = _HERE | _NEAR | _FAR
    hashes[1] = _hash(1, word, 0, len(word))
    places[1] = _HERE
    hashes[2] = shape
    places[2] = _HERE | _NEAR
    hashes[3] = _hash(shape, lower, size - 2 if size > 2 else 0, size)
    places[3] = _HERE
    for k in range(1, 6):
        if k < size:
            hashes[n] = _hash(10 + k, lower, size - k, size)
            places[n] = _HERE | _NEAR if k == 2 or k == 3 else _HERE
            n += 1
        if k < size and k < 5:
            hashes[n] = _hash(20 + k, lower, 0, k)
            places[n] = _HERE
            n += 1
    if hyphen:
        hashes[n] = _hash(4, lower, hyphen, size)
        places[n] = _HERE
        n += 1
    if size > 3:  # singular and plural have one in common
        hashes[n] = _hash(5, lower, 0, size - 1 if lower[size - 1] == "s" else size)
        places[n] = _HERE
        n += 1
    for k in range(len(classes)):
        hashes[n] = _step(_step(_SEED, 30 + k), classes[k])
        places[n] = _HERE | _NEAR
        hashes[n + 1] = _step(_step(shape, 40 + k), classes[k])
        places[n + 1] = _HERE
        n += 2
    return n


@cython.ccall
def word_hash(lower: str) -> cython.ulonglong:
    """Return the hash under which a lexicon has the word."""
    return placed(_hash(2, lower, 0, len(lower)), _LISTED)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _shift(buckets: cython.Py_ssize_t) -> cython.int:
    """Return by how many bits a hash is shifted to give one of this many buckets, a power of two."""
    shift: cython.int = 32
    while buckets > 1:
        buckets >>= 1
        shift -= 1
    return shift


@cython.ccall
def listed(
    key: cython.ulonglong,
    buckets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    classes: cython.const[cython.uchar][::1],
    columns: cython.Py_ssize_t,
) -> bytes:
    """Return the classes of the word with this hash, as many as the lexicon has columns; zeros where it is unknown."""
    bucket: cython.Py_ssize_t = key >> _shift(len(buckets) - 1)
    i: cython.Py_ssize_t
    for i in range(buckets[bucket], buckets[bucket + 1]):
        if prints[i] == (key & 0xFFFF):
            return bytes(classes[i * columns : (i + 1) * columns])
    return bytes(columns)


@cython.cclass
class Weights:
    """The weights of a model by feature, in tables whose soundness `sound` has checked; and room for one word."""

    buckets: cython.const[cython.uint][::1]
    offsets: cython.const[cython.uint][::1]
    prints: cython.const[cython.ushort][::1]
    counts: cython.const[cython.uchar][::1]
    tags: cython.const[cython.uchar][::1]
    weights: cython.const[cython.schar][::1]
    hashes: cython.ulonglong[::1]  # of the features of the last word
    places: cython.uchar[::1]  # their positions, as bits
    keys: cython.ulonglong[::1]  # what to look up …
    targets: cython.int[::1]  # … and the row that each adds to
    begins: cython.uint[::1]  # where its bucket begins and ends …
    stops: cython.uint[::1]
    entries: cython.uint[::1]  # … and its weights

    def __init__(
        self, buckets: object, offsets: object, prints: object, counts: object, tags: object, weights: object
    ) -> None:
        self.buckets = buckets
        self.offsets = offsets
        self.prints = prints
        self.counts = counts
        self.tags = tags
        self.weights = weights
        self.hashes = array("Q", bytes(8 * FEATURES))
        self.places = array("B", bytes(FEATURES))
        self.keys = array("Q", bytes(8 * KEYS))
        self.targets = array("i", bytes(4 * KEYS))
        self.begins, self.stops, self.entries = (array("I", bytes(4 * KEYS)) for _ in range(3))

    def add_words(
        self,
        words: list,
        lexicon_buckets: cython.const[cython.uint][::1],
        lexicon_prints: cython.const[cython.ushort][::1],
        lexicon_classes: cython.const[cython.uchar][::1],
        columns: cython.Py_ssize_t,
        rows: cython.short[::1],
        start: cython.Py_ssize_t,
    ) -> tuple:
        """Add the weights of words to their rows, one per position and word, from `start` on. Return two columns: the
        case of each word, and whether it has rows for the tag before it, too.

        The lexicon has so many columns of classes; none for no lexicon.
        """
        count: cython.Py_ssize_t = len(words)
        cases = clone(BYTES, count, False)
        flags = clone(BYTES, count, False)
        case_of: cython.uchar[::1] = cases
        ambiguous: cython.uchar[::1] = flags
        classes: bytes = b""
        i: cython.Py_ssize_t
        for i in range(count):
            word: str = words[i]
            lower: str = word.lower()
            if columns:
                classes = listed(word_hash(lower), lexicon_buckets, lexicon_prints, lexicon_classes, columns)
            case_of[i] = case(word)
            ambiguous[i] = self.add_word(word, lower, classes, rows, start + i * _POSITIONS * _WIDTH)
        return cases, flags

    @cython.cfunc
    def add_word(
        self, word: str, lower: str, classes: bytes, rows: cython.short[::1], start: cython.Py_ssize_t
    ) -> cython.bint:
        """Add the weights of a word to its rows, one per position, from `start` on; return whether it has rows for the
        tag before it, too."""
        found: cython.int = features(word, lower, classes, self.hashes, self.places)
        n: cython.int = 0
        for i in range(found):
            for p in range(_POSITIONS):
                if (self.places[i] >> p) & 1:
                    self.keys[n] = placed(self.hashes[i], p)
                    self.targets[n] = p
                    n += 1
        self.keys[n] = placed(self.hashes[0], _AMBIGUOUS)
        self.targets[n] = 0
        return self.add(n + 1, rows, start)

    def add_contexts(
        self, words: list, ambiguous: cython.const[cython.uchar][::1], rows: cython.short[::1], block: cython.int
    ) -> array:
        """Add the weights of the ambiguous words with the tag before them to blocks of rows, one row per such tag, from
        `block` on; return the block of each word, -1 for those that have none."""
        count: cython.Py_ssize_t = len(words)
        result = clone(INTS, count, False)
        out: cython.int[::1] = result
        i: cython.Py_ssize_t
        before: cython.int
        for i in range(count):
            if not ambiguous[i]:
                out[i] = -1
                continue
            lower: str = words[i].lower()
            whole: cython.ulonglong = _hash(2, lower, 0, len(lower))
            for before in range(_WIDTH):
                self.keys[before] = placed(whole, _CONTEXT + before)
                self.targets[before] = before
            self.add(_WIDTH, rows, cython.cast(cython.Py_ssize_t, block) * _WIDTH * _WIDTH)
            out[i] = block
            block += 1
        return result

    @cython.cfunc
    def add(self, n: cython.int, rows: cython.short[::1], start: cython.Py_ssize_t) -> cython.bint:
        """Add the weights of the first `n` keys to their rows; return whether the model has the last one."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        feature: cython.Py_ssize_t
        found: cython.bint = False
        shift: cython.int = _shift(len(self.buckets) - 1)
        # First where to look for all of them: these places are far apart, and a processor fetches several at once.
        for i in range(n):
            bucket: cython.Py_ssize_t = self.keys[i] >> shift
            self.begins[i] = self.buckets[bucket]
            self.stops[i] = self.buckets[bucket + 1]
            self.entries[i] = self.offsets[bucket]
        for i in range(n):
            entry: cython.Py_ssize_t = self.entries[i]
            row: cython.Py_ssize_t = start + self.targets[i] * 48
            found = False
            for feature in range(self.begins[i], self.stops[i]):
                if self.prints[feature] == (self.keys[i] & 0xFFFF):
                    for k in range(entry, entry + self.counts[feature]):
                        rows[row + self.tags[k]] += self.weights[k]
                    found = True
                    break
                entry += self.counts[feature]
        return found


def sound(
    buckets: cython.const[cython.uint][::1],
    offsets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    counts: cython.const[cython.uchar][::1],
    tags: cython.const[cython.uchar][::1],
    weights: cython.const[cython.schar][::1],
) -> cython.bint:
    """Return whether the tables fit together, so that no lookup can leave them."""
    feature: cython.Py_ssize_t = 0
    entry: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(buckets) - 1
    highest: cython.uchar = 0
    if (
        size < 1
        or size & (size - 1)
        or len(offsets) != size + 1
        or len(prints) != len(counts)
        or len(tags) != len(weights)
    ):
        return False
    for bucket in range(size):
        if buckets[bucket] != feature or offsets[bucket] != entry:
            return False
        if buckets[bucket + 1] < feature or buckets[bucket + 1] > len(counts):
            return False
        for i in range(feature, buckets[bucket + 1]):
            entry += counts[i]
        feature = buckets[bucket + 1]
    for i in range(len(tags)):
        highest = tags[i] if tags[i] > highest else highest
    return highest < _WIDTH and feature == len(counts) and entry == len(tags) and offsets[size] == entry


def sound_lexicon(
    buckets: cython.const[cython.uint][::1],
    prints: cython.const[cython.ushort][::1],
    classes: cython.const[cython.uchar][::1],
    columns: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether the tables of a lexicon fit together, so that no lookup can leave them."""
    size: cython.Py_ssize_t = len(buckets) - 1
    if size < 1 or size & (size - 1) or buckets[0] != 0 or buckets[size] != len(prints):
        return False
    for bucket in range(size):
        if buckets[bucket + 1] < buckets[bucket]:
            return False
    return len(classes) == len(prints) * columns
