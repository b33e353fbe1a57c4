"""A lattice of words in scripts without spaces, scored by a linear model.

A text is a row of units (lattice_units.py). Edges are the words that may stand at a unit (lattice_words.py), each with
every tag. A path (lattice_path.py) adds up the scores of the units that begin a word or continue one, of its edges, and
of neighbouring tags. Hashes and scores are whole numbers, so every machine finds the same.
"""

from array import array

from phrasemill.kernels.lattice_path import best_path
from phrasemill.kernels.lattice_words import edges, look_up, surroundings

import cython

# Constants in C; the names without an underscore are the same for Python.
_TAGS = cython.declare(cython.int, 17)
_LABELS = cython.declare(cython.int, 34)  # a tag for a unit that begins a word, and for one that continues it
_LISTED = cython.declare(cython.int, 8)  # the longest word of a lexicon: lattice_words.py
_NODE_KEYS = cython.declare(cython.int, 12)
_EDGE_KEYS = cython.declare(cython.int, 12)
_BITS = cython.declare(cython.int, 15)  # of a feature's hash choose its bucket; the other 17 identify it there
TAGS, LABELS, NODE_KEYS, EDGE_KEYS, BITS = _TAGS, _LABELS, _NODE_KEYS, _EDGE_KEYS, _BITS

# Where a unit's own score is for or against the beginning of a word by this much, other words are not considered.
_CLEAR = cython.declare(cython.int, 80)
_BEGINS = cython.declare(cython.int, 1)
_CONTINUES = cython.declare(cython.int, 2)

_SEED = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
_PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
_MIX = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_REMIX = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
# Numbers as wide as these are Python's unless they have a name.
_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _step(h: cython.ulonglong, value: cython.ulonglong) -> cython.ulonglong:
    return ((h ^ value) * _PRIME) & _ALL


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _key(template: cython.ulonglong, a: cython.ulonglong, b: cython.ulonglong, c: cython.ulonglong) -> cython.ulonglong:
    """Return the hash of a feature, 32 bits; the three products do not wait for each other."""
    h: cython.ulonglong = (template * _PRIME) & _ALL
    h = h ^ ((a * _MIX) & _ALL) ^ ((b * _REMIX) & _ALL) ^ ((c * _SEED) & _ALL)
    h = ((h ^ (h >> 29)) * _MIX) & _ALL
    h = ((h ^ (h >> 32)) * _REMIX) & _ALL
    return h >> 32


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _mark(bits: cython.uchar[::1], h: cython.uint) -> cython.void:
    """Set the bit for the highest 20 bits of a hash.

    Most of what is looked up is not there; such bits say so within a cache that the tables do not fit in.
    """
    bits[h >> 15] |= 1 << ((h >> 12) & 7)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _marked(bits: cython.uchar[::1], h: cython.uint) -> cython.bint:
    return (bits[h >> 15] >> ((h >> 12) & 7)) & 1


@cython.cclass
class Lattice:
    """The units of a piece of text, with what a lexicon has of them, and the words that may stand there."""

    code: cython.const[cython.int][::1]
    kind: cython.const[cython.uchar][::1]
    listed: cython.const[cython.uchar][::1]
    around: cython.const[cython.uchar][::1]
    keys: cython.ulonglong[::1]
    joined: cython.const[cython.uchar][::1]
    n: cython.Py_ssize_t

    def __init__(self, code: object, kind: object, joined: object, words: object) -> None:
        listed = look_up(code, kind, joined, words)
        self.code = code
        self.kind = kind
        self.listed = listed
        self.around = surroundings(listed)
        self.joined = joined
        self.n = len(code)
        self.keys = array("Q", bytes(8 * (_NODE_KEYS + _EDGE_KEYS)))

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def code_at(self, i: cython.Py_ssize_t) -> cython.int:
        return self.code[i] if 0 <= i < self.n else 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def kind_at(self, i: cython.Py_ssize_t) -> cython.int:
        return self.kind[i] if 0 <= i < self.n else 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def unit(self, i: cython.Py_ssize_t) -> cython.int:
        """Fill `keys` with the features of the unit `i`; return their number."""
        keys: cython.ulonglong[::1] = self.keys
        b: cython.int = self.code_at(i - 1)
        c: cython.int = self.code[i]
        d: cython.int = self.code_at(i + 1)
        kinds: cython.int = self.kind_at(i - 1) * 256 + self.kind[i] * 16 + self.kind_at(i + 1)
        j: cython.Py_ssize_t = 5 * i
        length: cython.int = self.around[j]
        found: cython.int = self.around[j + 1]
        length_before: cython.int = self.around[j + 2]
        found_before: cython.int = self.around[j + 3]
        across: cython.int = self.around[j + 4]
        keys[0] = _key(0, c, 0, 0)
        keys[1] = _key(1, b, 0, 0)
        keys[2] = _key(2, d, 0, 0)
        keys[3] = _key(3, b, c, 0)
        keys[4] = _key(4, c, d, 0)
        keys[5] = _key(5, b, c, d)
        keys[6] = _key(6, kinds, 0, 0)
        keys[7] = _key(7, kinds, self.kind_at(i - 2), self.kind_at(i + 2))
        keys[8] = _key(8, length, length_before, across)
        keys[9] = _key(9, length, found, across)
        keys[10] = _key(10, length_before, found_before, across)
        keys[11] = _key(11, found, found_before, across)
        return _NODE_KEYS

    @cython.cfunc
    @cython.exceptval(check=False)
    def word(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.int:
        """Fill `keys` with the features of the word from unit `i` to before unit `j`; return their number."""
        keys: cython.ulonglong[::1] = self.keys
        k: cython.Py_ssize_t
        word: cython.ulonglong = _SEED
        kinds: cython.ulonglong = _SEED
        for k in range(i, j):
            word = _step(word, self.code[k])
            kinds = _step(kinds, self.kind[k])
        length: cython.int = j - i
        found: cython.int = self.listed[i * _LISTED + length - 1] if length <= _LISTED else 0
        both: cython.int = found * 32 + length
        first: cython.int = self.code[i]
        last: cython.int = self.code[j - 1]
        before: cython.int = self.code_at(i - 1)
        after: cython.int = self.code_at(j)
        keys[0] = _key(20, word, 0, 0)
        keys[1] = _key(21, both, 0, 0)
        keys[2] = _key(22, found, kinds, 0)
        keys[3] = _key(23, first, length, 0)
        keys[4] = _key(24, last, length, 0)
        keys[5] = _key(25, first, self.code[i + 1] if length > 1 else 0, 0)
        keys[6] = _key(26, last, self.code[j - 2] if length > 1 else 0, 0)
        keys[7] = _key(27, both, before, 0)
        keys[8] = _key(28, both, after, 0)
        keys[9] = _key(29, both, self.around[5 * j], self.around[5 * j + 1])
        keys[10] = _key(30, both, self.around[5 * i + 2], self.around[5 * i + 3])
        keys[11] = _key(31, found, last, first)
        return _EDGE_KEYS

    def words(self) -> tuple:
        """Return all the words that may stand here, as `edges` does."""
        return edges(self.kind, self.joined, self.listed, bytearray(self.n))

    def unit_keys(self) -> array:
        """Return the features of all units, for training."""
        result = array("Q")
        for i in range(self.n):
            count: cython.int = self.unit(i)
            for k in range(count):
                result.append(self.keys[k])
        return result

    def word_keys(self, start: object, end: object) -> array:
        """Return the features of the words with these bounds, for training."""
        result = array("Q")
        for i, j in zip(start, end):  # noqa: B905 (Cython's zip takes no keywords)
            count: cython.int = self.word(i, j)
            for k in range(count):
                result.append(self.keys[k])
        return result


@cython.cclass
class Model:
    """The weights of features, and the scores of neighbouring tags: tables whose soundness `sound` has checked.

    A bucket has its first feature and its first entry; a feature 17 bits of its hash and the number of its entries; an
    entry a label and a weight. Features with many entries have one for each label, or each that begins a word, in
    order: 34 or 17, which the C compiler adds up in vectors.
    """

    present: cython.uchar[::1]
    buckets: cython.const[cython.uint][::1]
    features: cython.const[cython.uint][::1]
    entries: cython.const[cython.short][::1]
    transitions: cython.const[cython.int][::1]
    block: cython.const[cython.short][::1]
    contexts: cython.const[cython.int][::1]

    def __init__(
        self, buckets: object, features: object, entries: object, transitions: object, block: object, contexts: object
    ) -> None:
        self.present = bytearray(1 << 17)
        self.buckets = buckets
        self.features = features
        self.entries = entries
        self.transitions = transitions
        self.block = block
        self.contexts = contexts
        for bucket in range(len(self.buckets) // 2 - 1):
            for i in range(self.buckets[2 * bucket], self.buckets[2 * bucket + 2]):
                _mark(self.present, (bucket << (32 - _BITS)) | (self.features[i] >> 8))

    @cython.cfunc
    @cython.exceptval(check=False)
    def add(self, keys: cython.ulonglong[::1], n: cython.Py_ssize_t, row: cython.int[::1]) -> cython.void:
        """Fill `row` with the sums of the weights of `n` features.

        Buckets are read before any feature is looked for, so that the waits for memory overlap.
        """
        wanted: cython.uint[12]
        first: cython.uint[12]
        last: cython.uint[12]
        entries: cython.uint[12]
        wanted, first, last, entries = [0] * 12, [0] * 12, [0] * 12, [0] * 12
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        feature: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for k in range(34):
            row[k] = 0
        for i in range(n):
            if _marked(self.present, keys[i]):
                bucket: cython.Py_ssize_t = (keys[i] >> (32 - _BITS)) * 2
                wanted[count] = keys[i] & 0x1FFFF
                first[count] = self.buckets[bucket]
                entries[count] = self.buckets[bucket + 1]
                last[count] = self.buckets[bucket + 2]
                count += 1
        for i in range(count):
            entry: cython.Py_ssize_t = entries[i]
            for feature in range(first[i], last[i]):
                if self.features[feature] >> 8 == wanted[i]:
                    found: cython.Py_ssize_t = self.features[feature] & 0xFF
                    if found == 17:
                        for k in range(17):
                            row[k] += self.entries[entry + k] >> 8
                    elif found == 34:
                        for k in range(34):
                            row[k] += self.entries[entry + k] >> 8
                    else:
                        for k in range(entry, entry + found):
                            row[self.entries[k] & 0xFF] += self.entries[k] >> 8
                    break
                entry += self.features[feature] & 0xFF


def decode(lattice: Lattice, model: Model) -> tuple:
    """Return the units before which the words of the best path end, and their tags."""
    n: cython.Py_ssize_t = lattice.n
    begins: cython.int[::1] = array("i", bytes(4 * n * _TAGS))
    continues: cython.int[::1] = array("i", bytes(4 * n * _TAGS))
    blocks: cython.int[::1] = array("i", bytes(4 * n))
    row: cython.int[::1] = array("i", bytes(4 * _LABELS))
    decided: cython.uchar[::1] = bytearray(n)
    i: cython.Py_ssize_t
    t: cython.Py_ssize_t
    for i in range(n):
        model.add(lattice.keys, lattice.unit(i), row)
        begin: cython.int = row[0]
        go_on: cython.int = row[_TAGS]
        for t in range(_TAGS):
            begins[i * _TAGS + t] = row[t]
            continues[i * _TAGS + t] = row[_TAGS + t]
            begin = row[t] if row[t] > begin else begin
            go_on = row[_TAGS + t] if row[_TAGS + t] > go_on else go_on
        blocks[i] = model.block[lattice.code[i]] if lattice.code[i] < 65536 else -1
        if lattice.joined[i]:
            decided[i] = _BEGINS if begin - go_on > _CLEAR else _CONTINUES if go_on - begin > _CLEAR else 0
    chosen = array("i", bytes(4 * n))
    tags = bytearray(n)
    starts, ends = edges(lattice.kind, lattice.joined, lattice.listed, decided)
    words = _word_scores(lattice, model, starts, ends)
    count = best_path(begins, continues, starts, ends, words, blocks, model.contexts, model.transitions, chosen, tags)
    if not count:  # too much was decided
        starts, ends = lattice.words()
        words = _word_scores(lattice, model, starts, ends)
        count = best_path(
            begins, continues, starts, ends, words, blocks, model.contexts, model.transitions, chosen, tags
        )
    path: cython.int[::1] = chosen
    end: cython.const[cython.int][::1] = ends
    for i in range(count):
        path[i] = end[path[i]]
    del path
    return chosen[:count], tags[:count]


@cython.cfunc
def _word_scores(lattice: Lattice, model: Model, starts: object, ends: object) -> array:
    """Return a row of scores for each word."""
    start: cython.const[cython.int][::1] = starts
    end: cython.const[cython.int][::1] = ends
    result = array("i", bytes(4 * len(start) * _TAGS))
    out: cython.int[::1] = result
    row: cython.int[::1] = array("i", bytes(4 * _LABELS))
    i: cython.Py_ssize_t
    t: cython.Py_ssize_t
    for i in range(len(start)):
        model.add(lattice.keys, lattice.word(start[i], end[i]), row)
        for t in range(_TAGS):
            out[i * _TAGS + t] = row[t]
    return result


def sound(
    buckets: cython.const[cython.uint][::1],
    features: cython.const[cython.uint][::1],
    entries: cython.const[cython.short][::1],
) -> cython.bint:
    """Return whether the tables of a model fit together, so that no lookup can leave them."""
    size: cython.Py_ssize_t = 1 << _BITS
    feature: cython.Py_ssize_t = 0
    entry: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    if len(buckets) != 2 * (size + 1):
        return False
    for bucket in range(size):
        if buckets[2 * bucket] != feature or buckets[2 * bucket + 1] != entry:
            return False
        if buckets[2 * bucket + 2] < feature or buckets[2 * bucket + 2] > len(features):
            return False
        for i in range(feature, buckets[2 * bucket + 2]):
            entry += features[i] & 0xFF
        feature = buckets[2 * bucket + 2]
    for i in range(len(entries)):
        if entries[i] & 0xFF >= _LABELS:
            return False
    return feature == len(features) and entry == len(entries) and buckets[2 * size + 1] == entry
