"""Part-of-speech tagging, left to right: a token adds up a few rows of scores and takes the best tag.

What a word contributes comes from its features: itself, its ends, its shape, its classes in a word list. Their hashes
are looked up and their weights added up once per word type. Hashes and weights are whole numbers, so every machine
finds the same. Loops over a row have a constant length, which the C compiler turns into vector instructions.
"""

from array import array as new_array

from cpython.array cimport array, clone, resize_smart
from libc.string cimport memcpy, memset

from phrasemill.kernels.text cimport LONGEST, Letters, at, letters, released, restored

cpdef enum:
    WIDTH = 48  # tags, padded to fill whole vector registers
    POSITIONS = 5  # a word adds to its neighbours' scores, too: two places before to two after
    MANNERS = 4  # ways to write a sentence: normally, as a title, in capitals, without any
    CASES = 10  # ways to write a word
    CONTEXT = 5  # from here on, positions stand for the tag before the word
    AMBIGUOUS = 53  # a feature at this position marks the words that have such features
    LISTED = 54  # the position under which a word list has a word

cdef enum:
    HERE = 2  # the position of the word itself
    ROW = 240  # POSITIONS * WIDTH
    BLOCK = 2304  # WIDTH * WIDTH
    FORMS = 40  # MANNERS * CASES
    GROWTH = 3  # characters that one may have in small letters, at most
    KEYS = 64  # more than a word is looked up under
    COLUMNS = 3  # of a word list, at most
    # Words share endings: the sums of so many are remembered, each at the place that the top bits of its hash name.
    ENDINGS = 1024
    ENDING_SHIFT = 22
    ENDING = 144  # three rows
    NONE = -32768

# How a word is written; a straight quote counts as QUOTE + 1 when it closes.
cdef enum Case:
    LOWER = 1
    CAPITAL
    CAPITALS
    MIXED
    DIGITS
    MARK
    LETTER
    QUOTE

cdef unsigned int SEED = 2166136261, PRIME = 16777619  # FNV-1a, 32 bits
cdef unsigned int MIX = 0x85EBCA6B, REMIX = 0xC2B2AE35  # the last mixing steps of MurmurHash3

cdef array SHORTS = new_array("h"), BYTES = new_array("B"), INTS = new_array("i"), UINTS = new_array("I")
cdef array ULONGS = new_array("Q"), SIGNED = new_array("b")
ctypedef const short *Sums

cdef unsigned char[COLUMNS] UNLISTED = [0, 0, 0]


cdef inline unsigned int step(unsigned int h, unsigned int value) noexcept nogil:
    """Return the next hash; values are code points rather than bytes."""
    return (h ^ value) * PRIME


cdef inline unsigned int hashed(unsigned int kind, const unsigned int *codes, Py_ssize_t count) noexcept nogil:
    cdef unsigned int h = step(SEED, kind)
    cdef Py_ssize_t i
    for i in range(count):
        h = step(h, codes[i])
    return h


cpdef unsigned int placed(unsigned int feature, unsigned int position) noexcept nogil:
    """Return the hash of a feature at a position, mixed for even buckets."""
    cdef unsigned int h = step(feature, 1000 + position)
    h = (h ^ (h >> 16)) * MIX
    h = (h ^ (h >> 13)) * REMIX
    return h ^ (h >> 16)


cdef inline unsigned int folded(unsigned int letter) noexcept:
    """Return the code of a character as features have it: every digit is 0, and every apostrophe is straight."""
    if letter < 0x80:
        return c"0" if c"0" <= letter <= c"9" else letter
    if letter == ord("’") or letter == ord("‘"):
        return c"'"
    return c"0" if (<Py_UCS4>letter).isdigit() else letter


cdef inline unsigned int sort(unsigned int letter) noexcept:
    """Return the kind of a character, as shapes spell it: X, x, d or the character itself."""
    if letter < 0x80:
        if c"a" <= letter <= c"z":
            return c"x"
        if c"A" <= letter <= c"Z":
            return c"X"
        return c"d" if c"0" <= letter <= c"9" else letter
    if (<Py_UCS4>letter).isupper():
        return c"X"
    if (<Py_UCS4>letter).isalpha():
        return c"x"
    return c"d" if (<Py_UCS4>letter).isdigit() else letter


cdef int manner_of(const unsigned char *cases, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t i
    cdef int lower = 0, capital = 0, capitals = 0
    for i in range(count):
        lower += cases[i] == LOWER
        capital += cases[i] == CAPITAL or cases[i] == MIXED
        capitals += cases[i] == CAPITALS
    if capitals >= 2 and not lower and not capital:
        return 2
    if not capital and not capitals:
        return 3
    return 1 if capital + capitals >= 2 and capital + capitals > lower else 0


def manner(bytes cases):
    """Return how a sentence of words so written is written: normally 0, as a title 1, in capitals 2, without any 3."""
    return manner_of(cases, len(cases))


cdef class Word:
    """The features of a word, at the positions where they count; room for one word after the other."""

    cdef readonly int case
    cdef readonly unsigned int name  # the hash of the word in small letters
    cdef unsigned int shape  # the hash of the kinds of its characters, runs of one kind as one
    cdef Py_ssize_t length  # characters as it stands …
    cdef Py_ssize_t size  # … and in small letters
    cdef unsigned int[::1] written
    cdef unsigned int[::1] lower
    cdef unsigned int[KEYS] keys  # what to look up …
    cdef int[KEYS] targets  # … and the row that each adds to
    cdef int count

    def __init__(self, str word=""):
        self.read(word)

    cdef int read(self, str word) except -1:
        """Take another word."""
        cdef Letters small, text = letters(word)
        cdef Py_ssize_t i
        cdef unsigned int c, kind, last = 0xFFFFFFFF, highest = 0
        cdef int upper = 0, lower = 0, digits = 0
        self.length = self.size = len(word)
        if self.written is None or len(self.written) < GROWTH * self.length:
            self.written = clone(UINTS, GROWTH * (self.length + LONGEST), False)
            self.lower = clone(UINTS, GROWTH * (self.length + LONGEST), False)
        self.shape = step(SEED, 3)
        for i in range(self.length):
            c = at(text, i)
            highest |= c
            kind = sort(c)
            upper += kind == c"X"
            lower += kind == c"x"
            digits += kind == c"d"
            if kind != last:
                self.shape = step(self.shape, kind)
            last = kind
            self.written[i] = self.lower[i] = folded(c)
            if c"A" <= c <= c"Z":
                self.lower[i] = c + 32
        if highest > 127:
            word = word.lower()
            small = letters(word)
            self.size = len(word)
            for i in range(self.size):
                self.lower[i] = folded(at(small, i))
        if self.length == 1 and self.written[0] == c'"':
            self.case = QUOTE
        elif digits:
            self.case = DIGITS
        elif not upper:
            self.case = LOWER if lower else MARK
        elif not lower:
            self.case = CAPITALS if upper > 1 else LETTER
        else:
            self.case = CAPITAL if upper == 1 and sort(at(text, 0)) == c"X" else MIXED
        self.name = hashed(2, &self.lower[0], self.size)
        self.count = 0
        return 0

    cdef inline void add_key(self, unsigned int feature, int position, int target) noexcept nogil:
        self.keys[self.count] = placed(feature, position)
        self.targets[self.count] = target
        self.count += 1

    cdef inline void put(self, unsigned int feature, int reach) noexcept nogil:
        """Add the keys of a feature that counts for so many neighbours on each side."""
        cdef int position
        for position in range(HERE - reach, HERE + reach + 1):
            self.add_key(feature, position, position)

    cdef void put_own(self, const unsigned char *classes, Py_ssize_t columns) noexcept nogil:
        """Add the features that few words share: all but those of the ending."""
        cdef const unsigned int *lower = &self.lower[0]
        cdef Py_ssize_t k, size = self.size, hyphen = 0
        self.put(self.name, 2)
        self.put(hashed(1, &self.written[0], self.length), 0)
        for k in range(1, min(5, size)):
            self.put(hashed(20 + k, lower, k), 0)
        for k in range(4, min(6, size)):
            self.put(hashed(10 + k, lower + size - k, k), 0)
        for k in range(1, size - 1):
            if lower[k] == c"-":
                hyphen = k + 1
        if hyphen:
            self.put(hashed(4, lower + hyphen, size - hyphen), 0)
        if size > 3:  # singular and plural have one in common
            self.put(hashed(5, lower, size - 1 if lower[size - 1] == c"s" else size), 0)
        for k in range(columns):
            self.put(step(step(SEED, 30 + k), classes[k]), 1)
            self.put(step(step(self.shape, 40 + k), classes[k]), 0)

    cdef void put_ending(self) noexcept nogil:
        """Add the features of the word's shape and its last three letters."""
        cdef Py_ssize_t k, size = self.size
        cdef const unsigned int *stop = &self.lower[0] + size
        self.put(self.shape, 1)
        self.put(hashed(self.shape, stop - min(2, size), min(2, size)), 0)
        for k in range(1, min(4, size)):
            self.put(hashed(10 + k, stop - k, k), k > 1)

    def features(self, bytes classes=b""):
        """Return the hashes of the word's features at each position, for training; `classes` are of a word list."""
        self.count = 0
        self.put_own(classes, len(classes))
        self.put_ending()
        found = [[] for _ in range(POSITIONS)]
        for i in range(self.count):
            found[self.targets[i]].append(self.keys[i])
        return found


cdef int shift_of(const unsigned int[::1] buckets, Py_ssize_t count) noexcept:
    """Return by how many bits a hash is shifted to give its bucket.

    `buckets` has where each begins, and where the last one ends. 0 if they are not a power of two, or do not divide so
    many entries.
    """
    cdef Py_ssize_t i, size = len(buckets) - 1
    cdef int shift = 32
    if size < 1 or size & (size - 1) or buckets[0] != 0 or buckets[size] != count:
        return 0
    for i in range(size):
        if buckets[i] > buckets[i + 1]:
            return 0
    while size > 1:
        size >>= 1
        shift -= 1
    return shift


cdef class WordList:
    """Classes of words, in up to three columns. A bucket has its first word; a word has 16 bits of its hash."""

    cdef const unsigned int[::1] buckets
    cdef const unsigned short[::1] prints
    cdef const unsigned char[::1] classes
    cdef Py_ssize_t columns
    cdef int shift

    def __init__(self, buckets, prints, classes, Py_ssize_t columns):
        self.buckets, self.prints, self.classes = buckets, prints, classes
        self.columns = columns
        self.shift = shift_of(self.buckets, len(self.prints))
        if not 1 <= columns <= COLUMNS:
            raise ValueError(f"a lexicon of {columns} columns")
        if not self.shift or len(self.classes) != len(self.prints) * columns:
            raise ValueError("the lexicon's tables do not fit together")

    cdef const unsigned char *find(self, unsigned int name) noexcept:
        """Return the classes of the word of this name, zeros where it is not listed."""
        cdef unsigned int key = placed(name, LISTED)
        cdef Py_ssize_t i, bucket = <unsigned long long>key >> self.shift
        for i in range(self.buckets[bucket], self.buckets[bucket + 1]):
            if self.prints[i] == (key & 0xFFFF):
                return &self.classes[i * self.columns]
        return UNLISTED

    def classes_of(self, str word):
        return self.find(Word(word).name)[: self.columns]


cdef class Model:
    """The weights of features, and a word list or none; nothing in it changes.

    A bucket has its first feature and its first entry; a feature has 16 bits of its hash and the number of its entries;
    an entry has a tag and a weight. `transitions` has the weights of a tag after two others, then of one after another
    and how its word and its sentence are written; files have no padding there.
    """

    cdef readonly tuple tagset
    cdef const unsigned int[::1] buckets
    cdef const unsigned int[::1] offsets
    cdef const unsigned short[::1] prints
    cdef const unsigned char[::1] counts
    cdef const unsigned char[::1] tags
    cdef const signed char[::1] weights
    cdef const signed char[::1] transitions
    cdef int shift
    cdef WordList listed

    def __init__(self, buffers, tuple tagset, WordList listed=None):
        self.tagset = tagset
        self.buckets, self.offsets = buffers["buckets"], buffers["offsets"]
        self.prints, self.counts = buffers["prints"], buffers["counts"]
        self.tags, self.weights = buffers["tags"], buffers["weights"]
        self.shift = shift_of(self.buckets, len(self.prints))
        self.listed = listed
        if not 2 <= len(tagset) <= WIDTH:
            raise ValueError("no tags, or too many")
        if not self.sound():
            raise ValueError("the tables do not fit together")
        self.widen(buffers["transitions"], len(tagset))

    cdef bint sound(self) noexcept:
        """Return whether no lookup can leave the tables."""
        cdef Py_ssize_t bucket, i, entry = 0
        cdef unsigned char highest = 0
        if not self.shift or len(self.offsets) != len(self.buckets) or len(self.counts) != len(self.prints):
            return False
        for bucket in range(len(self.buckets) - 1):
            if self.offsets[bucket] != entry:
                return False
            for i in range(self.buckets[bucket], self.buckets[bucket + 1]):
                entry += self.counts[i]
        for i in range(len(self.tags)):
            highest = max(highest, self.tags[i])
        return highest < WIDTH and self.offsets[len(self.offsets) - 1] == entry == len(self.tags) == len(self.weights)

    cdef int widen(self, const signed char[::1] narrow, Py_ssize_t tags) except -1:
        """Take the weights for preceding tags, in rows as wide as WIDTH."""
        cdef Py_ssize_t row, group
        cdef signed char[::1] wide
        if len(narrow) == BLOCK * (WIDTH + FORMS):
            self.transitions = narrow
            return 0
        if len(narrow) != tags * tags * (tags + FORMS):
            raise ValueError("transitions are of another size")
        wide = clone(SIGNED, BLOCK * (WIDTH + FORMS), True)
        for row in range(tags * (tags + FORMS)):
            group = row // tags
            group = group if group < tags else WIDTH + group - tags
            memcpy(&wide[(group * WIDTH + row % tags) * WIDTH], &narrow[row * tags], tags)
        self.transitions = wide
        return 0


cdef class Tagger:
    """A model, and the sums of weights for the word types added so far."""

    cdef readonly tuple tags
    cdef int count  # of tags, with 0 for none
    cdef Model model
    cdef Word word
    # Columns of the word types, of which the first is the boundary: it stands for the places beyond a sentence's ends.
    cdef array rows  # one for each position
    cdef array cases
    cdef array blocks  # the number of the type's rows for the tag before it, or -1
    cdef array contexts  # these rows, one for each tag
    cdef unsigned long long[::1] endings  # the shapes and last letters whose sums are remembered …
    cdef short[::1] sums  # … and these sums, of the three positions from 1 on

    def __init__(self, Model model):
        self.model = model
        self.tags = model.tagset
        self.count = len(self.tags)
        self.word = Word()
        self.rows, self.contexts = clone(SHORTS, 0, False), clone(SHORTS, 0, False)
        self.cases, self.blocks = clone(BYTES, 0, False), clone(INTS, 0, False)
        self.endings = clone(ULONGS, ENDINGS, True)
        self.sums = clone(SHORTS, ENDINGS * ENDING, False)
        self.add_all(["\0"])

    def fresh(self):
        """Return a tagger with the same model and no word types."""
        return Tagger(self.model)

    def add_all(self, list words):
        """Add word types, which are numbered in turn from 0 on; of long ones, the beginning counts."""
        cdef Py_ssize_t first = len(self.cases), end = first + len(words), i
        cdef str word
        resize_smart(self.rows, end * ROW)
        resize_smart(self.cases, end)
        resize_smart(self.blocks, end)
        for i in range(first, end):
            word = words[i - first]
            self.word.read(word if len(word) <= LONGEST else word[:LONGEST])
            self.cases.data.as_uchars[i] = self.word.case
            self.blocks.data.as_ints[i] = -1
            if self.add_row(self.rows.data.as_shorts + i * ROW):
                self.blocks.data.as_ints[i] = self.add_block()

    cdef bint add_row(self, short *row) noexcept:
        """Fill in the sums of the word, one row per position; return whether it has rows for the tag before it, too."""
        cdef WordList listed = self.model.listed
        cdef const short *ending = self.ending()
        memset(row, 0, ROW * sizeof(short))
        self.word.count = 0
        if ending == NULL:
            self.word.put_ending()
        else:
            memcpy(row + WIDTH, ending, ENDING * sizeof(short))
        if listed is None:
            self.word.put_own(UNLISTED, 0)
        else:
            self.word.put_own(listed.find(self.word.name), listed.columns)
        self.word.add_key(self.word.name, AMBIGUOUS, 0)
        return self.add_weights(row)

    cdef const short *ending(self) noexcept:
        """Return the sums of the ending's features, at three positions; NULL for endings that are not kept."""
        cdef Py_ssize_t size = self.word.size, place
        cdef const unsigned int *last
        cdef unsigned long long key
        if size < 4:
            return NULL
        last = &self.word.lower[size - 3]
        if (last[0] | last[1] | last[2]) > 255:
            return NULL
        key = <unsigned long long>self.word.shape << 32 | last[0] << 16 | last[1] << 8 | last[2]
        place = (<unsigned int>((key >> 32) ^ key) * MIX) >> ENDING_SHIFT
        if self.endings[place] != key:
            self.word.count = 0
            self.word.put_ending()
            memset(&self.sums[place * ENDING], 0, ENDING * sizeof(short))
            self.add_weights(&self.sums[place * ENDING] - WIDTH)
            self.endings[place] = key
        return &self.sums[place * ENDING]

    cdef int add_block(self) except -1:
        """Add the sums of the word with each tag before it; return the number of this block."""
        cdef int block = len(self.contexts) // BLOCK
        cdef int before
        resize_smart(self.contexts, (block + 1) * BLOCK)
        self.word.count = 0
        for before in range(WIDTH):
            self.word.add_key(self.word.name, CONTEXT + before, before)
        memset(self.contexts.data.as_shorts + block * BLOCK, 0, BLOCK * sizeof(short))
        self.add_weights(self.contexts.data.as_shorts + block * BLOCK)
        return block

    cdef bint add_weights(self, short *rows) noexcept:
        """Add the weights of the word's keys to their rows; return whether the model has the last key."""
        cdef Model model = self.model
        cdef Word word = self.word
        cdef unsigned int[KEYS] begins, stops, entries
        cdef Py_ssize_t i, k, feature, entry, bucket
        cdef short *row
        cdef bint found = False
        # First where to look for all of them: these places are far apart, and a processor fetches several at once.
        for i in range(word.count):
            bucket = <unsigned long long>word.keys[i] >> model.shift
            begins[i] = model.buckets[bucket]
            stops[i] = model.buckets[bucket + 1]
            entries[i] = model.offsets[bucket]
        for i in range(word.count):
            entry = entries[i]
            row = rows + word.targets[i] * WIDTH
            found = False
            for feature in range(begins[i], stops[i]):
                if model.prints[feature] == (word.keys[i] & 0xFFFF):
                    for k in range(entry, entry + model.counts[feature]):
                        row[model.tags[k]] += model.weights[k]
                    found = True
                    break
                entry += model.counts[feature]
        return found

    def tag(self, const int[::1] types, const int[::1] ends, unsigned char[::1] out):
        """Fill `out` with the tags of tokens, as places in `tags`; sentences end before `ends`."""
        if not self.fits(types, ends, len(out)):
            raise IndexError("a word type or a sentence end that is out of range")
        state = released(len(types))
        self.walk(types, ends, out)
        restored(state)

    cdef bint fits(self, const int[::1] types, const int[::1] ends, Py_ssize_t room) noexcept:
        """Return whether all types are known and sentences lie within the text, so that no loop can leave its buffers."""
        cdef Py_ssize_t i, last = 0, known = len(self.cases) - 1
        for i in range(len(types)):
            if types[i] < 0 or types[i] >= known:
                return False
        for i in range(len(ends)):
            if ends[i] < last or ends[i] > len(types) or ends[i] > room:
                return False
            last = ends[i]
        return True

    cdef void walk(self, const int[::1] types, const int[::1] ends, unsigned char[::1] out) noexcept nogil:
        cdef Sums rows = self.rows.data.as_shorts, contexts = self.contexts.data.as_shorts
        cdef const int *blocks = self.blocks.data.as_ints + 1
        cdef const unsigned char *cases = self.cases.data.as_uchars + 1
        cdef const signed char *transitions = &self.model.transitions[0]
        cdef Sums a, b, c, d, e
        cdef const signed char *pair
        cdef const signed char *form
        cdef short[WIDTH] scores
        cdef short top
        cdef Py_ssize_t sentence, i, k, start = 0, end, before, best
        cdef int mode, written, quoted
        for sentence in range(len(ends)):
            end = ends[sentence]
            for i in range(start, end):
                out[i] = cases[types[i]]
            mode = manner_of(&out[start], end - start)
            quoted = 0
            before = best = 0
            for i in range(start, end):
                written = out[i]
                if written == QUOTE:
                    written += quoted
                    quoted = 1 - quoted
                a = rows + ((types[i - 2] + 1) * ROW if i - 2 >= start else 0)
                b = rows + ((types[i - 1] + 1) * ROW if i - 1 >= start else 0) + WIDTH
                c = rows + (types[i] + 1) * ROW + 2 * WIDTH
                d = rows + ((types[i + 1] + 1) * ROW if i + 1 < end else 0) + 3 * WIDTH
                e = rows + ((types[i + 2] + 1) * ROW if i + 2 < end else 0) + 4 * WIDTH
                pair = transitions + (before * WIDTH + best) * WIDTH
                form = transitions + ((WIDTH + mode * CASES + written) * WIDTH + best) * WIDTH
                for k in range(WIDTH):
                    scores[k] = a[k] + b[k] + c[k] + d[k] + e[k] + pair[k] + form[k]
                if blocks[types[i]] >= 0:
                    a = contexts + blocks[types[i]] * BLOCK + best * WIDTH
                    for k in range(WIDTH):
                        scores[k] += a[k]
                # No tag, and the padding
                scores[0] = NONE
                for k in range(self.count, WIDTH):
                    scores[k] = NONE
                top = NONE
                for k in range(WIDTH):
                    top = max(top, scores[k])
                before = best
                best = 1
                while scores[best] != top:
                    best += 1
                out[i] = best
            start = end
