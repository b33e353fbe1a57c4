"""Words and their tags in scripts without spaces, by the best path through a lattice that a linear model scores.

A unit is a character of such a script, or a whole token of any other. A path adds up the scores of the units that begin
a word or continue one, of its words, and of neighbouring tags. Hashes and scores are whole numbers, so every machine
finds the same. Loops over tags have a constant length, which the C compiler turns into vector instructions.
"""

from array import array as new_array

from cpython.array cimport array, clone, resize
from libc.string cimport memset

from phrasemill.kernels.tokens cimport Class
from phrasemill.kernels.text cimport Letters, Py_UNICODE_ISUPPER, at, letters, released, restored

cdef extern from "Python.h" nogil:
    bint Py_UNICODE_ISDIGIT(Py_UCS4 character)
    bint Py_UNICODE_ISALPHA(Py_UCS4 character)

# What a unit is. Characters of unspaced scripts come first.
cdef enum Kind:
    HAN = 1
    NUMERAL
    HIRAGANA
    KATAKANA
    DIGITS
    LOWER
    CAPITAL
    MIXED
    MARK

# Tags that the code uses, as places in the tagset.
cdef enum Tag:
    ADJECTIVE = 1
    NOUN = 8
    PARTICLE = 10
    NAME = 12
    VERB = 16

cdef enum:
    ENOUGH = 200  # units of one piece, or a few more to the end of a token …
    MOST = 512  # … unless the token is as long as this
    UNLISTED = 6  # units of the longest word that no lexicon has …
    RUN = 16  # … unless it is all katakana
    # Where a unit's own score is for or against the beginning of a word by this much, other words are not considered.
    CLEAR = 80
    BEGINS = 1
    CONTINUES = 2
    NONE = -1000000000
    EIGHTH = 0x7B2C  # 第, which makes ordinals of numbers

cdef unsigned long long SEED = 0xCBF29CE484222325, PRIME = 0x100000001B3  # FNV-1a, 64 bits
cdef unsigned long long MIX = 0xBF58476D1CE4E5B9, REMIX = 0x94D049BB133111EB  # of SplitMix64

cdef array INTS = new_array("i"), BYTES = new_array("B")


cdef inline unsigned long long step(unsigned long long h, unsigned long long value) noexcept nogil:
    return (h ^ value) * PRIME


cdef inline unsigned long long mixed(unsigned long long h) noexcept nogil:
    h = (h ^ (h >> 30)) * MIX
    return h ^ (h >> 27)


cdef inline unsigned int key(
    unsigned long long template, unsigned long long a, unsigned long long b=0, unsigned long long c=0
) noexcept nogil:
    """Return the hash of a feature; the three products do not wait for each other."""
    cdef unsigned long long h = template * PRIME ^ a * MIX ^ b * REMIX ^ c * SEED
    h = (h ^ (h >> 29)) * MIX
    h = (h ^ (h >> 32)) * REMIX
    return h >> 32


cdef inline void mark(unsigned char *present, unsigned int h) noexcept nogil:
    """Set the bit for the highest 20 bits of a hash.

    Most of what is looked up is not there; such bits say so within a cache that the tables do not fit in.
    """
    present[h >> 15] |= 1 << ((h >> 12) & 7)


cdef inline bint marked(const unsigned char *present, unsigned int h) noexcept nogil:
    return (present[h >> 15] >> ((h >> 12) & 7)) & 1


def word_key(str word):
    """Return the hash of a word, as in a lexicon."""
    cdef unsigned long long h = SEED
    for character in word:
        h = step(h, ord(character))
    return mixed(h)


cdef class Trellis:
    def __init__(self, Py_ssize_t units, Py_ssize_t words):
        """Make room for so many."""
        self.scores = clone(INTS, units * LABELS, False)
        self.blocks, self.chosen = clone(INTS, units, False), clone(INTS, units, False)
        self.tags = clone(BYTES, units, False)
        self.first, self.last = clone(INTS, words, False), clone(INTS, words, False)
        self.word_scores = clone(INTS, words * TAGS, False)
        units = (units + 1) * TAGS
        self.sums, self.best, self.word = clone(INTS, units, False), clone(INTS, units, False), clone(INTS, units, False)
        self.before = clone(BYTES, units, False)

    cdef void find(self) noexcept nogil:
        """Find the best path; its `count` is 0 if none reaches the end."""
        cdef const int *scores = &self.scores[0]
        cdef const int *words = &self.word_scores[0]
        cdef const int *first = &self.first[0]
        cdef const int *transitions = &self.transitions[0]
        cdef const int *context
        cdef int *sums = &self.sums[0]
        cdef int *best = &self.best[0]
        cdef int *word = &self.word[0]
        cdef int[TAGS] into, came, row
        cdef int value
        cdef Py_ssize_t i, j, t, p, w = 0, last = 0, n = self.units
        for t in range(TAGS):
            sums[t] = 0
        for i in range(n):
            for t in range(TAGS):
                sums[(i + 1) * TAGS + t] = sums[i * TAGS + t] + scores[i * LABELS + TAGS + t]
        for i in range((n + 1) * TAGS):
            best[i] = NONE
        for i in range(n):
            if i > 0 and best[i * TAGS] <= NONE:
                while w < self.words and first[w] == i:
                    w += 1
                continue
            for t in range(TAGS):
                into[t] = NONE if i else transitions[TAGS * TAGS + t]
                came[t] = 0
            if i:
                for p in range(TAGS):
                    for t in range(TAGS):
                        row[t] = best[i * TAGS + p] + transitions[p * TAGS + t]
                    if self.blocks[i] >= 0:
                        context = &self.contexts[(self.blocks[i] + p) * self.width]
                        for t in range(TAGS):
                            row[t] += context[t]
                    for t in range(TAGS):
                        came[t] = p if row[t] > into[t] else came[t]
                        into[t] = row[t] if row[t] > into[t] else into[t]
                for t in range(TAGS):
                    self.before[i * TAGS + t] = came[t]
            for t in range(TAGS):
                into[t] += scores[i * LABELS + t] - sums[(i + 1) * TAGS + t]
            while w < self.words and first[w] == i:
                j = self.last[w] * TAGS
                for t in range(TAGS):
                    value = into[t] + sums[j + t] + words[w * TAGS + t]
                    word[j + t] = w if value > best[j + t] else word[j + t]
                    best[j + t] = value if value > best[j + t] else best[j + t]
                w += 1
        # Back from the end
        self.count = 0
        if best[n * TAGS] <= NONE:
            return
        for t in range(TAGS):
            if best[n * TAGS + t] > best[n * TAGS + last]:
                last = t
        while n > 0:
            self.chosen[self.count] = word[n * TAGS + last]
            self.tags[self.count] = last
            n = first[self.chosen[self.count]]
            last = self.before[n * TAGS + last]
            self.count += 1
        for i in range(self.count // 2):
            j = self.count - 1 - i
            self.chosen[i], self.chosen[j] = self.chosen[j], self.chosen[i]
            self.tags[i], self.tags[j] = self.tags[j], self.tags[i]


cdef class Words:
    def __init__(
        self, fingerprints, classes, const unsigned short[::1] variants, const unsigned short[::1] usual, table
    ):
        cdef Py_ssize_t i
        cdef bint room = False
        self.fingerprints, self.classes = fingerprints, classes
        self.table = table
        if len(variants) != len(usual):
            raise ValueError("a table is of another size")
        for i in range(65536):
            self.fold[i] = i
        for i in range(len(variants)):
            self.fold[variants[i]] = usual[i]
        for i in range(len(self.fingerprints)):
            mark(self.present, self.fingerprints[i])
            room = room or not self.fingerprints[i]
        if not room or len(self.classes) != len(self.fingerprints):
            raise ValueError("the lexicon is damaged")

    cdef int find(self, unsigned long long h) noexcept nogil:
        """Return the class of the word with this hash, 0 if it is not there."""
        cdef unsigned long long slot, size = len(self.fingerprints)
        cdef unsigned int wanted
        h = mixed(h)
        wanted = <unsigned int>h or 1
        if not marked(self.present, wanted):
            return 0
        slot = ((h >> 32) * size) >> 32
        while self.fingerprints[slot] != 0:
            if self.fingerprints[slot] == wanted:
                return self.classes[slot]
            slot += 1
            if slot == size:
                slot = 0
        return 0


cdef class Weights:
    """The weights of features, and the scores of neighbouring tags; nothing in it changes.

    A bucket has its first feature and its first entry; a feature has 17 bits of its hash and the number of its entries;
    an entry has a label and a weight. Features with many entries have one for each label, or each that begins a word,
    in order, which are added up as vectors.
    """

    cdef unsigned char[131072] present
    cdef const unsigned int[::1] buckets
    cdef const unsigned int[::1] features
    cdef const short[::1] entries
    cdef const int[::1] transitions
    cdef int[::1] block  # of a character, -1 for none
    cdef const int[::1] contexts

    def __init__(self, buckets, features, entries, transitions, codes, contexts):
        cdef Py_ssize_t bucket, i
        cdef const signed char[::1] narrow = contexts
        self.buckets, self.features, self.entries, self.transitions = buckets, features, entries, transitions
        if len(self.transitions) != TAGS * (TAGS + 1) or len(narrow) != TAGS * TAGS * len(codes):
            raise ValueError("a table is of another size")
        if not self.sound():
            raise ValueError("the tables do not fit together")
        for bucket in range(1 << BITS):
            for i in range(self.buckets[2 * bucket], self.buckets[2 * bucket + 2]):
                mark(self.present, bucket << (32 - BITS) | self.features[i] >> 8)
        self.contexts = new_array("i", contexts)
        self.block = new_array("i", [-1]) * 0x10000
        for i in range(len(codes)):
            self.block[<Py_ssize_t>codes[i]] = TAGS * i

    cdef bint sound(self) noexcept:
        """Return whether no lookup can leave the tables."""
        cdef Py_ssize_t bucket, i, feature = 0, entry = 0, size = 1 << BITS
        if len(self.buckets) != 2 * (size + 1):
            return False
        for bucket in range(size):
            if self.buckets[2 * bucket] != feature or self.buckets[2 * bucket + 1] != entry:
                return False
            if self.buckets[2 * bucket + 2] < feature or self.buckets[2 * bucket + 2] > len(self.features):
                return False
            for i in range(feature, self.buckets[2 * bucket + 2]):
                entry += self.features[i] & 0xFF
            feature = self.buckets[2 * bucket + 2]
        for i in range(len(self.entries)):
            if self.entries[i] & 0xFF >= LABELS:
                return False
        return feature == len(self.features) and entry == len(self.entries) and self.buckets[2 * size + 1] == entry

    cdef void add(self, const unsigned int *keys, Py_ssize_t n, int *row) noexcept nogil:
        """Fill `row` with the sums of the weights of `n` features.

        Buckets are read before any feature is looked for, so that the waits for memory overlap.
        """
        cdef const unsigned int *features = &self.features[0]
        cdef const short *entry
        cdef unsigned int[WORD_KEYS] wanted, first, last, entries
        cdef Py_ssize_t i, k, feature, found, bucket, count = 0
        memset(row, 0, LABELS * sizeof(int))
        for i in range(n):
            if marked(self.present, keys[i]):
                bucket = keys[i] >> (32 - BITS) << 1
                wanted[count] = keys[i] & 0x1FFFF
                first[count] = self.buckets[bucket]
                entries[count] = self.buckets[bucket + 1]
                last[count] = self.buckets[bucket + 2]
                count += 1
        for i in range(count):
            entry = &self.entries[entries[i]]
            for feature in range(first[i], last[i]):
                found = features[feature] & 0xFF
                if features[feature] >> 8 == wanted[i]:
                    if found == TAGS:
                        for k in range(TAGS):
                            row[k] += entry[k] >> 8
                    elif found == LABELS:
                        for k in range(LABELS):
                            row[k] += entry[k] >> 8
                    else:
                        for k in range(found):
                            row[entry[k] & 0xFF] += entry[k] >> 8
                    break
                entry += found


cdef int kind_of_character(Py_UCS4 c) noexcept nogil:
    if u"\u3041" <= c <= u"\u309f":
        return HIRAGANA
    if u"\u30a0" <= c <= u"\u30ff" or u"\u31f0" <= c <= u"\u31ff" or u"\uff66" <= c <= u"\uff9f":
        return KATAKANA
    return NUMERAL if c in u"〇零一二三四五六七八九十百千万亿億兩两" else HAN


cdef class Lattice(Trellis):
    def __init__(self, Words lexicon, str text, start, end, gap):
        cdef Py_ssize_t most = min(len(text), MOST)
        super().__init__(most, most * RUN)
        self.lexicon, self.text, self.letters = lexicon, text, letters(text)
        self.start, self.end, self.gap = start, end, gap
        self.token = self.position = 0
        self.code, self.begin, self.until = clone(INTS, most, False), clone(INTS, most, False), clone(INTS, most, False)
        self.kind, self.after, self.joined = clone(BYTES, most, False), clone(BYTES, most, False), clone(BYTES, most, False)
        self.listed, self.around = clone(BYTES, LISTED * most, False), clone(BYTES, 5 * (most + 1), False)
        self.decided = clone(BYTES, most, True)

    cdef bint next(self) noexcept nogil:
        """Read the units of the next piece; return whether there is one."""
        cdef Py_ssize_t n = 0, start, end
        cdef Py_UCS4 c
        cdef bint glued, joins
        while self.token < len(self.start) and n < ENOUGH:
            start, end = self.start[self.token], self.end[self.token]
            self.position = max(self.position, start)
            # Numbers go on in characters: 20万, 第8
            glued = n > 0 and self.until[n - 1] == start == self.position
            c = at(self.letters, start)
            if self.lexicon.table[c] == Class.HAN:
                c = at(self.letters, self.position)
                joins = glued and self.kind[n - 1] == DIGITS and c in u"万亿億多余餘几幾"
                while self.position < end and n < MOST:
                    c = at(self.letters, self.position)
                    self.code[n] = self.lexicon.fold[c] if c < 65536 else c
                    self.kind[n] = kind_of_character(c)
                    self.begin[n] = self.position
                    self.position += 1
                    self.until[n] = self.position
                    self.after[n] = self.gap[self.token] if self.position == end else 0
                    self.joined[n] = joins
                    joins = True
                    n += 1
                if self.position < end:
                    break
            else:
                self.kind[n] = self.kind_of_token(start, end)
                self.code[n] = c if self.kind[n] == MARK else self.kind[n]
                self.joined[n] = glued and self.kind[n] == DIGITS and self.code[n - 1] == EIGHTH
                self.begin[n], self.until[n], self.after[n] = start, end, self.gap[self.token]
                n += 1
            self.token += 1
        self.units = n
        if n:
            self.look_up()
            self.look_around()
        return n > 0

    cdef int kind_of_token(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        cdef bint digits = False, alphabetic = False
        cdef Py_ssize_t i
        cdef Py_UCS4 c
        for i in range(start, end):
            c = at(self.letters, i)
            if Py_UNICODE_ISDIGIT(c):
                digits = True
            elif Py_UNICODE_ISALPHA(c):
                alphabetic = True
        if digits:
            return MIXED if alphabetic else DIGITS
        if not alphabetic:
            return MARK
        return CAPITAL if Py_UNICODE_ISUPPER(at(self.letters, start)) else LOWER

    cdef void look_up(self) noexcept nogil:
        """Find the lexicon's class of each run of units."""
        cdef Py_ssize_t i, j
        cdef unsigned long long h
        memset(&self.listed[0], 0, LISTED * self.units)
        for i in range(self.units):
            if self.kind[i] > KATAKANA:
                continue
            h = SEED
            for j in range(i, min(i + LISTED, self.units)):
                if j > i and not self.joined[j]:
                    break
                h = step(h, self.code[j])
                self.listed[LISTED * i + j - i] = self.lexicon.find(h)

    cdef void look_around(self) noexcept nogil:
        """Note in five columns, as entries 5 i to 5 i + 4, for the unit i: length and class of the longest listed word
        that starts there, the same for the longest that ends before it, and the length of the longest that spans both.
        """
        cdef Py_ssize_t i, j, length
        cdef unsigned char *around = &self.around[0]
        cdef unsigned char found
        memset(around, 0, 5 * (self.units + 1))
        for i in range(self.units):
            for length in range(1, LISTED + 1):
                found = self.listed[LISTED * i + length - 1]
                if found and i + length <= self.units:
                    around[5 * i], around[5 * i + 1] = length, found
                    j = 5 * (i + length)
                    if length > around[j + 2]:
                        around[j + 2], around[j + 3] = length, found
                    for j in range(i + 1, i + length):
                        around[5 * j + 4] = max(around[5 * j + 4], length)

    cdef void add_words(self) noexcept nogil:
        """Add the words that may stand here: those listed, and short runs that are not."""
        cdef Py_ssize_t i, last
        cdef bint katakana
        self.words = 0
        for i in range(self.units):
            if self.decided[i] == CONTINUES:
                continue
            katakana = True
            last = i
            while last < self.units and last - i < RUN:
                if last > i and (not self.joined[last] or self.decided[last] == BEGINS):
                    break
                katakana = katakana and self.kind[last] == KATAKANA
                last += 1
                if last - i > LISTED and not katakana:
                    break
                if last < self.units and self.decided[last] == CONTINUES:
                    continue
                if last - i <= UNLISTED or katakana or self.listed[LISTED * i + last - i - 1]:
                    self.first[self.words], self.last[self.words] = i, last
                    self.words += 1

    cdef int code_at(self, Py_ssize_t i) noexcept nogil:
        return self.code[i] if 0 <= i < self.units else 0

    cdef int kind_at(self, Py_ssize_t i) noexcept nogil:
        return self.kind[i] if 0 <= i < self.units else 0

    cdef void unit_keys(self, Py_ssize_t i, unsigned int *keys) noexcept nogil:
        cdef int b = self.code_at(i - 1), c = self.code[i], d = self.code_at(i + 1)
        cdef int kinds = self.kind_at(i - 1) * 256 + self.kind[i] * 16 + self.kind_at(i + 1)
        cdef const unsigned char *around = &self.around[5 * i]
        keys[0] = key(0, c)
        keys[1] = key(1, b)
        keys[2] = key(2, d)
        keys[3] = key(3, b, c)
        keys[4] = key(4, c, d)
        keys[5] = key(5, b, c, d)
        keys[6] = key(6, kinds)
        keys[7] = key(7, kinds, self.kind_at(i - 2), self.kind_at(i + 2))
        keys[8] = key(8, around[0], around[2], around[4])
        keys[9] = key(9, around[0], around[1], around[4])
        keys[10] = key(10, around[2], around[3], around[4])
        keys[11] = key(11, around[1], around[3], around[4])

    cdef void word_keys(self, Py_ssize_t i, Py_ssize_t j, unsigned int *keys) noexcept nogil:
        """Take the features of the word from unit `i` to before unit `j`."""
        cdef unsigned long long word = SEED, kinds = SEED
        cdef Py_ssize_t k
        cdef int length = j - i, first = self.code[i], last = self.code[j - 1]
        cdef int found = self.listed[LISTED * i + length - 1] if length <= LISTED else 0
        cdef int both = found * 32 + length
        for k in range(i, j):
            word = step(word, self.code[k])
            kinds = step(kinds, self.kind[k])
        keys[0] = key(20, word)
        keys[1] = key(21, both)
        keys[2] = key(22, found, kinds)
        keys[3] = key(23, first, length)
        keys[4] = key(24, last, length)
        keys[5] = key(25, first, self.code[i + 1] if length > 1 else 0)
        keys[6] = key(26, last, self.code[j - 2] if length > 1 else 0)
        keys[7] = key(27, both, self.code_at(i - 1))
        keys[8] = key(28, both, self.code_at(j))
        keys[9] = key(29, both, self.around[5 * j], self.around[5 * j + 1])
        keys[10] = key(30, both, self.around[5 * i + 2], self.around[5 * i + 3])
        keys[11] = key(31, found, last, first)


cdef class Segmenter(Lattice):
    """A text on its way to words: cut and tagged piece by piece, then suffixes and names joined."""

    cdef Weights weights
    cdef bint joins
    # Columns of the words
    cdef int *starts
    cdef int *ends
    cdef unsigned char *gaps
    cdef unsigned char *found
    cdef Py_ssize_t done

    def __init__(self, Words lexicon, Weights weights, str text, start, end, gap, bint joins):
        super().__init__(lexicon, text, start, end, gap)
        self.weights, self.transitions = weights, weights.transitions
        self.contexts, self.width = weights.contexts, TAGS
        self.joins = joins

    cdef void walk(self) noexcept nogil:
        while self.next():
            self.decode()
            self.take()

    cdef void decode(self) noexcept nogil:
        """Find the words of a piece and their tags."""
        cdef unsigned int[UNIT_KEYS] keys
        cdef int *row
        cdef int begin, go_on
        cdef Py_ssize_t i, t
        for i in range(self.units):
            row = &self.scores[LABELS * i]
            self.unit_keys(i, keys)
            self.weights.add(keys, UNIT_KEYS, row)
            self.blocks[i] = self.weights.block[self.code[i]] if self.code[i] < 65536 else -1
            begin, go_on = row[0], row[TAGS]
            for t in range(TAGS):
                begin = max(begin, row[t])
                go_on = max(go_on, row[TAGS + t])
            self.decided[i] = 0
            if self.joined[i]:
                self.decided[i] = BEGINS if begin - go_on > CLEAR else CONTINUES if go_on - begin > CLEAR else 0
        self.search()
        if not self.count:  # too much was decided
            memset(&self.decided[0], 0, self.units)
            self.search()

    cdef void search(self) noexcept nogil:
        cdef unsigned int[WORD_KEYS] keys
        cdef int[LABELS] row
        cdef Py_ssize_t w, t
        self.add_words()
        for w in range(self.words):
            self.word_keys(self.first[w], self.last[w], keys)
            self.weights.add(keys, WORD_KEYS, row)
            for t in range(TAGS):
                self.word_scores[TAGS * w + t] = row[t]
        self.find()

    cdef void take(self) noexcept nogil:
        """Add the words of a piece to the columns; suffixes, and names after a dot, to the word before."""
        cdef Py_ssize_t i, stop, first = 0, n = self.done
        cdef int tag, before
        for i in range(self.count):
            stop = self.last[self.chosen[i]]
            tag = self.tags[i] + 1
            before = 0
            if self.joins and n and self.ends[n - 1] == self.begin[first] and not self.gaps[n - 1]:
                before = self.found[n - 1]
            if (
                tag == PARTICLE
                and before in (ADJECTIVE, NOUN, NAME, VERB)
                and stop == first + 1
                and not stands_apart(at(self.letters, self.begin[first]))
            ):
                n -= 1
                tag = NAME if before == NAME else NOUN
            elif (
                tag == NAME
                and before
                and at(self.letters, self.starts[n - 1]) == u"·"
                and n > 1
                and self.found[n - 2] == NAME
                and not self.gaps[n - 2]
            ):
                n -= 2
            else:
                self.starts[n] = self.begin[first]
            self.ends[n], self.gaps[n], self.found[n] = self.until[stop - 1], self.after[stop - 1], tag
            n += 1
            first = stop
        self.done = n


cdef inline bint stands_apart(Py_UCS4 c) noexcept nogil:
    """Return whether a Chinese particle is no suffix: function words, and prefixes."""
    return c in u"的之地得了着过们吗呢吧啊等所因大总新副原小古正低非前老准反超"


def segment(Words lexicon, Weights weights, str text, start, end, gap, bint joins):
    """Return four columns: start and end of each word, what separates it from the next one, and its tag, from 1 on.

    With `joins`, suffixes are part of the word before (`者`, `性`, `委员` + `会`), which is a noun then; and names with a
    dot between them are one.
    """
    cdef array starts = clone(INTS, len(text), False), ends = clone(INTS, len(text), False)
    cdef array gaps = clone(BYTES, len(text), False), tags = clone(BYTES, len(text), False)
    cdef Segmenter made = Segmenter(lexicon, weights, text, start, end, gap, joins)
    made.starts, made.ends = starts.data.as_ints, ends.data.as_ints
    made.gaps, made.found = gaps.data.as_uchars, tags.data.as_uchars
    state = released(len(text))
    made.walk()
    restored(state)
    for column in (starts, ends, gaps, tags):
        resize(column, made.done)
    return starts, ends, gaps, tags
