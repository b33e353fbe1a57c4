"""Words and their tags in scripts without spaces: the best path through a lattice of words, by a linear model.

A text is a row of units: a character of an unspaced script, or a whole token of any other. Edges are the words that
may stand at a unit, each with every tag. A path adds up the scores of the units that begin a word or continue one, of
its edges, and of neighbouring tags. Hashes and scores are whole numbers, so the compiled and the interpreted form
agree to the last bit.
"""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

# Constants in C; the names without an underscore are the same for Python.
_TAGS = cython.declare(cython.int, 17)
_LABELS = cython.declare(cython.int, 34)  # a tag for a unit that begins a word, and for one that continues it
_LISTED = cython.declare(cython.int, 8)  # the longest word of a lexicon
_UNLISTED = cython.declare(cython.int, 6)  # the longest other word …
_KATAKANA = cython.declare(cython.int, 16)  # … unless it is all katakana
_NODE_KEYS = cython.declare(cython.int, 12)
_EDGE_KEYS = cython.declare(cython.int, 12)
_BITS = cython.declare(cython.int, 15)  # of a feature's hash choose its bucket; the other 17 identify it there
TAGS, LABELS, LISTED, NODE_KEYS, EDGE_KEYS, BITS = _TAGS, _LABELS, _LISTED, _NODE_KEYS, _EDGE_KEYS, _BITS
_ENOUGH = cython.declare(cython.int, 200)  # units of one lattice, or a few more to the end of a token …
_MOST = cython.declare(cython.int, 512)  # … unless the token is as long as this
_NONE = cython.declare(cython.int, -1000000000)

# Where a unit's own score is for or against the beginning of a word by this much, other words are not considered.
_CLEAR = cython.declare(cython.int, 80)
_BEGINS = cython.declare(cython.int, 1)
_CONTINUES = cython.declare(cython.int, 2)

# Tags that the code uses, as places in the tagset less one.
_ADJECTIVE = cython.declare(cython.int, 0)
_NOUN = cython.declare(cython.int, 7)
_PARTICLE = cython.declare(cython.int, 9)
_NAME = cython.declare(cython.int, 11)
_VERB = cython.declare(cython.int, 15)

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

_SEED = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
_PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
_MIX = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_REMIX = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
# Numbers as wide as these are Python's unless they have a name.
_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_LOW = cython.declare(cython.ulonglong, 0xFFFFFFFF)


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


@cython.ccall
@cython.exceptval(check=False)
def word_key(word: str) -> cython.ulonglong:
    """Return the hash of a word of characters, as in a lexicon: 64 bits, for kernels/hashing.py."""
    h: cython.ulonglong = _SEED
    for i in range(len(word)):
        h = _step(h, ord(word[i]))
    h = ((h ^ (h >> 30)) * _MIX) & _ALL
    return h ^ (h >> 27)


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
    whether a word may go on into it. `table` has the class `han` for characters of runs without spaces. Where a table
    of variants is given, `fold`, the code is the usual character.
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


@cython.cclass
class Words:
    """A lexicon: fingerprints of words in a table that has room (kernels/hashing.py), and the class of each."""

    fingerprints: cython.const[cython.uint][::1]
    classes: cython.const[cython.uchar][::1]
    present: cython.uchar[::1]

    def __init__(self, fingerprints: object, classes: object) -> None:
        self.fingerprints = fingerprints
        self.classes = classes
        self.present = bytearray(1 << 17)
        for i in range(len(self.fingerprints)):
            _mark(self.present, self.fingerprints[i])

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, h: cython.ulonglong) -> cython.int:
        """Return the class of the word with this hash, 0 if it is not there."""
        size: cython.ulonglong = len(self.fingerprints)
        h = ((h ^ (h >> 30)) * _MIX) & _ALL
        h = h ^ (h >> 27)
        wanted: cython.uint = h & _LOW
        if wanted == 0:
            wanted = 1
        if not _marked(self.present, wanted):
            return 0
        slot: cython.ulonglong = ((h >> 32) * size) >> 32
        while self.fingerprints[slot] != 0:
            if self.fingerprints[slot] == wanted:
                return self.classes[slot]
            slot += 1
            if slot == size:
                slot = 0
        return 0


def look_up(
    code: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    joined: cython.const[cython.uchar][::1],
    words: Words,
) -> array:
    """Return the lexicon's class of each run of one to _LISTED units, _LISTED entries per unit, 0 if it has none."""
    n: cython.Py_ssize_t = len(code)
    result = array("B", bytes(n * _LISTED))
    out: cython.uchar[::1] = result
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    last: cython.Py_ssize_t
    for i in range(n):
        if kind[i] > _KATA:
            continue
        h: cython.ulonglong = _SEED
        last = i + _LISTED if i + _LISTED < n else n
        for j in range(i, last):
            if j > i and not joined[j]:
                break
            h = _step(h, code[j])
            out[i * _LISTED + j - i] = words.find(h)
    return result


def edges(
    kind: cython.const[cython.uchar][::1],
    joined: cython.const[cython.uchar][::1],
    listed: cython.const[cython.uchar][::1],
    decided: cython.const[cython.uchar][::1],
) -> tuple:
    """Return the units at which words may start and before which they end, in order of their starts.

    `decided` is _BEGINS for units that a word must begin at, _CONTINUES for those it must not, else 0.
    """
    n: cython.Py_ssize_t = len(kind)
    starts = array("i", bytes(4 * n * _KATAKANA))
    ends = array("i", bytes(4 * n * _KATAKANA))
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    last: cython.Py_ssize_t
    for i in range(n):
        if decided[i] == _CONTINUES:
            continue
        katakana: cython.bint = True
        last = i
        while last < n and last - i < _KATAKANA:
            if last > i and (not joined[last] or decided[last] == _BEGINS):
                break
            katakana = katakana and kind[last] == _KATA
            last += 1
            if last - i > _LISTED and not katakana:
                break
            if last < n and decided[last] == _CONTINUES:
                continue
            if last - i <= _UNLISTED or katakana or listed[i * _LISTED + last - i - 1]:
                start[count] = i
                end[count] = last
                count += 1
    del start, end  # views pin the arrays' size
    del starts[count:], ends[count:]
    return starts, ends


def surroundings(listed: cython.const[cython.uchar][::1]) -> array:
    """Return five columns, as entries 5 i to 5 i + 4, for the unit i: length and class of the longest listed word that
    starts there, the same for the longest that ends before it, and the length of the longest that spans both."""
    n: cython.Py_ssize_t = len(listed) // _LISTED
    result = array("B", bytes(5 * (n + 1)))
    out: cython.uchar[::1] = result
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    length: cython.Py_ssize_t
    for i in range(n):
        for length in range(1, _LISTED + 1):
            found: cython.int = listed[i * _LISTED + length - 1]
            if found and i + length <= n:
                out[5 * i] = length
                out[5 * i + 1] = found
                j = 5 * (i + length)
                if length > out[j + 2]:
                    out[j + 2] = length
                    out[j + 3] = found
                for j in range(i + 1, i + length):
                    if length > out[5 * j + 4]:
                        out[5 * j + 4] = length
    return result


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

    def __init__(self, code: object, kind: object, joined: object, words: Words) -> None:
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


@cython.ccall
def best_path(
    begins: cython.const[cython.int][::1],
    continues: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    words: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][::1],
    contexts: cython.const[cython.int][::1],
    transitions: cython.const[cython.int][::1],
    chosen: cython.int[::1],
    tags: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Fill `chosen` and `tags` with the edges of the best path and their tags; return how many there are.

    `begins` and `continues` have a row of scores for each unit, `words` for each edge, `contexts` one for each tag
    before the units that have a block there. The last row of `transitions` is for the beginning.
    """
    n: cython.Py_ssize_t = len(blocks)
    edges: cython.Py_ssize_t = len(start)
    into: cython.int[17]
    came: cython.int[17]
    row: cython.int[17]
    into, came, row = [0] * 17, [0] * 17, [0] * 17
    sums: cython.int[::1] = array("i", bytes(4 * (n + 1) * _TAGS))
    best: cython.int[::1] = array("i", bytes(4 * (n + 1) * _TAGS))
    edge: cython.int[::1] = array("i", bytes(4 * (n + 1) * _TAGS))
    before: cython.uchar[::1] = bytearray((n + 1) * _TAGS)
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    t: cython.Py_ssize_t
    p: cython.Py_ssize_t
    e: cython.Py_ssize_t = 0
    value: cython.int
    for i in range((n + 1) * _TAGS):
        best[i] = _NONE
    for i in range(n * _TAGS):
        sums[i + _TAGS] = sums[i] + continues[i]
    for i in range(n):
        if i > 0 and best[i * _TAGS] <= _NONE:
            while e < edges and start[e] == i:
                e += 1
            continue
        if i == 0:
            for t in range(17):
                into[t] = transitions[289 + t]
        else:
            for t in range(17):
                into[t] = _NONE
                came[t] = 0
            block: cython.Py_ssize_t = blocks[i]
            for p in range(17):
                for t in range(17):
                    row[t] = best[i * 17 + p] + transitions[p * 17 + t]
                if block >= 0:
                    for t in range(17):
                        row[t] += contexts[(block * 17 + p) * 17 + t]
                for t in range(17):
                    came[t] = p if row[t] > into[t] else came[t]
                    into[t] = row[t] if row[t] > into[t] else into[t]
            for t in range(17):
                before[i * 17 + t] = came[t]
        for t in range(17):
            into[t] = into[t] + begins[i * 17 + t] - sums[(i + 1) * 17 + t]
        while e < edges and start[e] == i:
            j = end[e] * 17
            for t in range(17):
                value = into[t] + sums[j + t] + words[e * 17 + t]
                edge[j + t] = e if value > best[j + t] else edge[j + t]
                best[j + t] = value if value > best[j + t] else best[j + t]
            e += 1
    # Back from the end
    count: cython.Py_ssize_t = 0
    if best[n * _TAGS] <= _NONE:
        return 0
    last: cython.Py_ssize_t = 0
    for t in range(_TAGS):
        if best[n * _TAGS + t] > best[n * _TAGS + last]:
            last = t
    j = n
    while j > 0:
        chosen[count] = edge[j * _TAGS + last]
        tags[count] = last
        j = start[chosen[count]]
        last = before[j * _TAGS + last]
        count += 1
    for i in range(count // 2):
        j = count - 1 - i
        chosen[i], chosen[j] = chosen[j], chosen[i]
        tags[i], tags[j] = tags[j], tags[i]
    return count


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


def segment(
    text: str,
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    gap: cython.const[cython.uchar][::1],
    table: cython.const[cython.uchar][::1],
    han: cython.int,
    fold: cython.const[cython.ushort][::1],
    words: Words,
    model: Model,
    joins: cython.bint,
    apart: str,
) -> tuple:
    """Return four columns: start and end of each word, what separates it from the next one, and its tag, from 1 on.

    With `joins`, particles of one character are part of the word before (`者`, `性`, `委员` + `会`), which is a noun
    then, except those in `apart`; and names with a dot between them are one.
    """
    size: cython.Py_ssize_t = len(text)
    columns = array("i", bytes(4 * size)), array("i", bytes(4 * size)), array("B", bytes(size)), array("B", bytes(size))
    starts: cython.int[::1] = columns[0]
    ends: cython.int[::1] = columns[1]
    gaps: cython.uchar[::1] = columns[2]
    tags: cython.uchar[::1] = columns[3]
    token: cython.Py_ssize_t = 0
    position: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    first: cython.Py_ssize_t
    while token < len(start):
        row, token, position = units(text, start, end, gap, table, han, fold, token, position)
        cuts, found = decode(Lattice(row[0], row[1], row[5], words), model)
        begin: cython.const[cython.int][::1] = row[2]
        until: cython.const[cython.int][::1] = row[3]
        after: cython.const[cython.uchar][::1] = row[4]
        cut: cython.const[cython.int][::1] = cuts
        tag: cython.const[cython.uchar][::1] = found
        first = 0
        for i in range(len(cut)):
            if joins and count > 0 and ends[count - 1] == begin[first] and gaps[count - 1] == 0:
                before: cython.int = tags[count - 1] - 1
                if tag[i] == _PARTICLE and cut[i] == first + 1 and text[begin[first]] not in apart:
                    if before == _ADJECTIVE or before == _NOUN or before == _NAME or before == _VERB:
                        ends[count - 1] = until[first]
                        gaps[count - 1] = after[first]
                        tags[count - 1] = (_NAME if before == _NAME else _NOUN) + 1
                        first = cut[i]
                        continue
                elif tag[i] == _NAME and text[starts[count - 1]] == "·" and count > 1 and tags[count - 2] - 1 == _NAME:
                    if gaps[count - 2] == 0:
                        count -= 1
                        ends[count - 1] = until[cut[i] - 1]
                        gaps[count - 1] = after[cut[i] - 1]
                        first = cut[i]
                        continue
            starts[count] = begin[first]
            ends[count] = until[cut[i] - 1]
            gaps[count] = after[cut[i] - 1]
            tags[count] = tag[i] + 1
            first = cut[i]
            count += 1
    del starts, ends, gaps, tags
    for column in columns:
        del column[count:]
    return columns


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
