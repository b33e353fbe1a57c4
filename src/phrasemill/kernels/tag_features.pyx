"""The weights of a word in the tagger's model: its features as hashes, looked up and added up once per word type.

Hashes and weights are whole numbers, so every machine finds the same.
"""

from array import array

import cython

from phrasemill.kernels._arrays import SHORTS, UINTS, ULONGS

from cython.cimports.cpython.array import clone, resize_smart

# Constants in C; the names without an underscore are the same for Python.
_WIDTH = cython.declare(cython.int, 48)  # tags, padded to fill whole vector registers
_POSITIONS = cython.declare(cython.int, 5)  # a word adds to its neighbours' scores, too: two places before to two after
WIDTH, POSITIONS = _WIDTH, _POSITIONS
FEATURES = 24  # more than any word has …
KEYS = 64  # … and more than it is looked up under
_ROOM = cython.declare(cython.int, 64)  # characters of a word, at first
# Words share endings: the sums of so many are remembered, each at the place that the top bits of its hash name.
_ENDINGS = cython.declare(cython.int, 1024)
_ENDING_SHIFT = cython.declare(cython.int, 22)

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
@cython.inline
@cython.exceptval(check=False)
def _folded(letter: cython.Py_UCS4) -> cython.uint:
    """Return the code of a character as features have it: every digit is 0, and every apostrophe is straight."""
    if letter < "\x80":
        return 48 if "0" <= letter and letter <= "9" else ord(letter)
    if letter == "’" or letter == "‘":
        return 39
    return 48 if letter.isdigit() else ord(letter)


@cython.cfunc
@cython.exceptval(check=False)
def _fold(text: str, codes: cython.uint[::1]) -> cython.void:
    """Fill in the codes of a text."""
    for i in range(len(text)):
        codes[i] = _folded(text[i])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _hash(
    kind: cython.ulonglong, codes: cython.const[cython.uint][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.ulonglong:
    """Return the hash of a part of a text."""
    h: cython.ulonglong = _step(_SEED, kind)
    i: cython.Py_ssize_t
    for i in range(start, end):
        h = _step(h, codes[i])
    return h


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _placed(feature: cython.ulonglong, position: cython.ulonglong) -> cython.ulonglong:
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


@cython.cfunc
@cython.exceptval(check=False)
def _shape(word: str) -> cython.ulonglong:
    """Return the hash of a word's shape: the kinds of its characters, runs of one kind as one."""
    shape: cython.ulonglong = _step(_SEED, 3)
    last: cython.int = -1
    for k in range(len(word)):
        sort = _sort(word[k])
        if sort != last:
            shape = _step(shape, sort)
        last = sort
    return shape


@cython.cfunc
@cython.exceptval(check=False)
def _own_features(
    word: cython.const[cython.uint][::1],
    length: cython.Py_ssize_t,
    lower: cython.const[cython.uint][::1],
    size: cython.Py_ssize_t,
    shape: cython.ulonglong,
    classes: bytes,
    hashes: cython.ulonglong[::1],
    places: cython.uchar[::1],
) -> cython.int:
    """Fill in the features that few words share: all but those of the ending. Return their number.

    The first is the word in lower case, the second the word itself. `classes` are those of a lexicon, if there is one.
    """
    n: cython.int = 2
    i: cython.int
    k: cython.Py_ssize_t
    hyphen: cython.Py_ssize_t = 0
    for k in range(1, size - 1):
        if lower[k] == 45:
            hyphen = k + 1
    hashes[0] = _hash(2, lower, 0, size)
    hashes[1] = _hash(1, word, 0, length)
    for k in range(1, 5):
        if k < size:
            hashes[n] = _hash(20 + k, lower, 0, k)
            n += 1
    for k in range(4, 6):
        if k < size:
            hashes[n] = _hash(10 + k, lower, size - k, size)
            n += 1
    if hyphen:
        hashes[n] = _hash(4, lower, hyphen, size)
        n += 1
    if size > 3:  # singular and plural have one in common
        hashes[n] = _hash(5, lower, 0, size - 1 if lower[size - 1] == 115 else size)
        n += 1
    places[0] = _HERE | _NEAR | _FAR
    for i in range(1, n):
        places[i] = _HERE
    for k in range(len(classes)):
        hashes[n] = _step(_step(_SEED, 30 + k), classes[k])
        places[n] = _HERE | _NEAR
        hashes[n + 1] = _step(_step(shape, 40 + k), classes[k])
        places[n + 1] = _HERE
        n += 2
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _ending_features(
    lower: cython.const[cython.uint][::1],
    size: cython.Py_ssize_t,
    shape: cython.ulonglong,
    hashes: cython.ulonglong[::1],
    places: cython.uchar[::1],
    n: cython.int,
) -> cython.int:
    """Fill in the features of a word's shape and its last three letters, from `n` on. Return how many there are now."""
    k: cython.Py_ssize_t
    hashes[n] = shape
    places[n] = _HERE | _NEAR
    hashes[n + 1] = _hash(shape, lower, size - 2 if size > 2 else 0, size)
    places[n + 1] = _HERE
    n += 2
    for k in range(1, 4):
        if k < size:
            hashes[n] = _hash(10 + k, lower, size - k, size)
            places[n] = _HERE if k == 1 else _HERE | _NEAR
            n += 1
    return n


def features(
    word: str, lower: str, classes: bytes, hashes: cython.ulonglong[::1], places: cython.uchar[::1]
) -> cython.int:
    """Fill in the hashes of a word's features, and where each counts; the return value is their number.

    The first is the word in lower case, the second the word itself. `classes` are those of a lexicon, if there is one.
    """
    written: cython.uint[::1] = clone(UINTS, len(word) + 1, False)
    codes: cython.uint[::1] = clone(UINTS, len(lower) + 1, False)
    _fold(word, written)
    _fold(lower, codes)
    shape: cython.ulonglong = _shape(word)
    n: cython.int = _own_features(written, len(word), codes, len(lower), shape, classes, hashes, places)
    return _ending_features(codes, len(lower), shape, hashes, places, n)


def placed(feature: cython.ulonglong, position: cython.ulonglong) -> cython.ulonglong:
    """Return the hash of a feature at a position."""
    return _placed(feature, position)


def word_hash(lower: str) -> cython.ulonglong:
    """Return the hash under which a lexicon has the word."""
    codes: cython.uint[::1] = clone(UINTS, len(lower) + 1, False)
    _fold(lower, codes)
    return _placed(_hash(2, codes, 0, len(lower)), _LISTED)


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
    """The weights of a model by feature, in tables that kernels/tag_tables.py has checked; and room for one word."""

    buckets: cython.const[cython.uint][::1]
    offsets: cython.const[cython.uint][::1]
    prints: cython.const[cython.ushort][::1]
    counts: cython.const[cython.uchar][::1]
    tags: cython.const[cython.uchar][::1]
    weights: cython.const[cython.schar][::1]
    written: cython.uint[::1]  # the codes of the last word, as it stands …
    lower: cython.uint[::1]  # … and in small letters
    hashes: cython.ulonglong[::1]  # its features
    places: cython.uchar[::1]  # their positions, as bits
    keys: cython.ulonglong[::1]  # what to look up …
    targets: cython.int[::1]  # … and the row that each adds to
    begins: cython.uint[::1]  # where its bucket begins and ends …
    stops: cython.uint[::1]
    entries: cython.uint[::1]  # … and its weights
    endings: cython.ulonglong[::1]  # the shapes and last letters whose sums are remembered …
    sums: cython.short[::1]  # … and these sums, three rows each

    def __init__(
        self, buckets: object, offsets: object, prints: object, counts: object, tags: object, weights: object
    ) -> None:
        self.buckets = buckets
        self.offsets = offsets
        self.prints = prints
        self.counts = counts
        self.tags = tags
        self.weights = weights
        self.written, self.lower = (clone(UINTS, _ROOM, True) for _ in range(2))
        self.hashes = array("Q", bytes(8 * FEATURES))
        self.places = array("B", bytes(FEATURES))
        self.keys = array("Q", bytes(8 * KEYS))
        self.targets = array("i", bytes(4 * KEYS))
        self.begins, self.stops, self.entries = (array("I", bytes(4 * KEYS)) for _ in range(3))
        self.endings = clone(ULONGS, _ENDINGS, True)
        self.sums = clone(SHORTS, _ENDINGS * 3 * _WIDTH, False)

    def add_words(
        self,
        words: list,
        longest: cython.Py_ssize_t,
        lexicon_buckets: cython.const[cython.uint][::1],
        lexicon_prints: cython.const[cython.ushort][::1],
        lexicon_classes: cython.const[cython.uchar][::1],
        columns: cython.Py_ssize_t,
        rows: array,
        cases: array,
        blocks: array,
        contexts: array,
    ) -> None:
        """Add words to the columns: the sums of each word's weights, one row per position; its case; and its block of
        sums for the tag before it, one row per tag, -1 where it has none.

        No more than the first `longest` characters of a word count. The lexicon has so many columns of classes; none
        for no lexicon.
        """
        done: cython.Py_ssize_t = len(cases)
        count: cython.Py_ssize_t = len(words)
        known: cython.Py_ssize_t = len(contexts) // (_WIDTH * _WIDTH)
        block: cython.Py_ssize_t = known
        resize_smart(rows, len(rows) + count * _POSITIONS * _WIDTH)
        resize_smart(cases, done + count)
        resize_smart(blocks, done + count)
        row: cython.short[::1] = rows
        case_of: cython.uchar[::1] = cases
        block_of: cython.int[::1] = blocks
        start: cython.Py_ssize_t = len(rows) - count * _POSITIONS * _WIDTH
        names: cython.ulonglong[::1] = clone(ULONGS, count, False)  # of the words that have blocks
        classes: bytes = b""
        i: cython.Py_ssize_t
        for i in range(count):
            word: str = words[i]
            if len(word) > longest:
                word = word[:longest]
            size: cython.Py_ssize_t = self.read(word)
            if columns:
                key: cython.ulonglong = _placed(_hash(2, self.lower, 0, size), _LISTED)
                classes = listed(key, lexicon_buckets, lexicon_prints, lexicon_classes, columns)
            case_of[done + i] = case(word)
            block_of[done + i] = -1
            if self.add_word(word, size, classes, row, start + i * _POSITIONS * _WIDTH):
                names[block - known] = self.hashes[0]
                block_of[done + i] = block
                block += 1
        if block > known:
            resize_smart(contexts, block * _WIDTH * _WIDTH)
            self.add_contexts(names, known, block, contexts)

    @cython.cfunc
    def read(self, word: str) -> cython.Py_ssize_t:
        """Take the codes of a word, as it stands and in small letters; return how many the latter are."""
        size: cython.Py_ssize_t = len(word)
        if size > len(self.written):
            self.written = clone(UINTS, size, False)
            self.lower = clone(UINTS, size, False)
        for i in range(size):
            c: cython.Py_UCS4 = word[i]
            if c >= "\x80":
                break
            self.written[i] = self.lower[i] = _folded(c)
            if "A" <= c and c <= "Z":
                self.lower[i] = ord(c) + 32
        else:
            return size
        lower: str = word.lower()
        if len(lower) > len(self.lower):
            self.lower = clone(UINTS, len(lower), False)
        _fold(word, self.written)
        _fold(lower, self.lower)
        return len(lower)

    @cython.cfunc
    def add_word(
        self,
        word: str,
        size: cython.Py_ssize_t,
        classes: bytes,
        rows: cython.short[::1],
        start: cython.Py_ssize_t,
    ) -> cython.bint:
        """Fill in the sums of the word that was read last, one row per position, from `start` on; return whether it has
        rows for the tag before it, too."""
        k: cython.Py_ssize_t
        shape: cython.ulonglong = _shape(word)
        found: cython.int = _own_features(
            self.written, len(word), self.lower, size, shape, classes, self.hashes, self.places
        )
        ending: cython.Py_ssize_t = self.ending(size, shape, found)
        for k in range(240):
            rows[start + k] = 0
        if ending < 0:
            found = _ending_features(self.lower, size, shape, self.hashes, self.places, found)
        else:
            for k in range(144):
                rows[start + 48 + k] = self.sums[ending + k]
        n: cython.int = self.keyed(0, found)
        self.keys[n] = _placed(self.hashes[0], _AMBIGUOUS)
        self.targets[n] = 0
        return self.add(n + 1, rows, start)

    @cython.cfunc
    def ending(self, size: cython.Py_ssize_t, shape: cython.ulonglong, found: cython.int) -> cython.Py_ssize_t:
        """Return where the sums of the ending's features are, at three positions; -1 for endings that are not kept."""
        k: cython.Py_ssize_t
        if size < 4:
            return -1
        last: cython.ulonglong = self.lower[size - 1]
        middle: cython.ulonglong = self.lower[size - 2]
        first: cython.ulonglong = self.lower[size - 3]
        if (last | middle | first) > 255:
            return -1
        key: cython.ulonglong = shape << 32 | 1 << 24 | first << 16 | middle << 8 | last
        place: cython.Py_ssize_t = ((((key >> 32) ^ key) * _MIX) & _MASK) >> _ENDING_SHIFT
        at: cython.Py_ssize_t = place * 144
        if self.endings[place] != key:
            n: cython.int = _ending_features(self.lower, size, shape, self.hashes, self.places, found)
            for k in range(144):
                self.sums[at + k] = 0
            # The three positions are those from 1 on.
            self.add(self.keyed(found, n), self.sums, at - 48)
            self.endings[place] = key
        return at

    @cython.cfunc
    @cython.exceptval(check=False)
    def keyed(self, first: cython.int, end: cython.int) -> cython.int:
        """Fill in the keys of these features and their rows; return how many there are."""
        n: cython.int = 0
        i: cython.int
        p: cython.int
        for i in range(first, end):
            here: cython.int = self.places[i]
            for p in range(2 - (here >> 3 & 1) - (here >> 4), 3 + (here >> 3 & 1) + (here >> 4)):
                self.keys[n] = _placed(self.hashes[i], p)
                self.targets[n] = p
                n += 1
        return n

    @cython.cfunc
    def add_contexts(
        self,
        names: cython.const[cython.ulonglong][::1],
        block: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        rows: cython.short[::1],
    ) -> cython.void:
        """Fill in blocks: the sums of words, whose hashes these are, with each tag before them."""
        k: cython.Py_ssize_t
        i: cython.Py_ssize_t
        before: cython.int
        for i in range(end - block):
            for before in range(_WIDTH):
                self.keys[before] = _placed(names[i], _CONTEXT + before)
                self.targets[before] = before
            for k in range((block + i) * 2304, (block + i + 1) * 2304):
                rows[k] = 0
            self.add(_WIDTH, rows, (block + i) * 2304)

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
