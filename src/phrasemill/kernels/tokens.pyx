"""Tokens: where each one starts and ends in the text, and what separates it from the next.

One pass over the characters. A token is a maximal run of letters, digits and marks, joined across the connectors
that people write inside words (`IL-2`, `U.S.`, `3.14`, `AT&T`, `user@host.org`); everything else that is not space
is punctuation. `text/tokenise.py` documents the rules a user can see, and owns the tables that come in here.
"""

from cpython.array cimport array, clone, resize
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from phrasemill.kernels.text cimport Letters, at, letters, released, restored

cdef extern from "Python.h" nogil:
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 character)

cdef enum:
    BEFORE_NUMBER = 2  # text/tokenise.py: an abbreviation keeps a full stop before a number …
    STOP = 3  # … or always: the bits of both
    APOSTROPHE = 4  # the bit of words that begin or end with one
    PLUS_LIMIT = 5  # a word of one to this many characters may end in plus signs: C++, Na+, Ca2+, CD4+
    LONGEST_ABBREVIATION = 8
    PER_TOKEN = 5  # characters of a text per token, about
    PADDING = 8  # no rule looks so far ahead

cdef array BYTES = array("B"), INTS = array("i")


cdef inline bint is_hyphen(Py_UCS4 c) noexcept nogil:
    return c == "-" or c == "\u2010" or c == "\u2011"


cdef inline bint is_apostrophe(Py_UCS4 c) noexcept nogil:
    return c == "'" or c == "\u2019" or c == "\u02bc" or c == "\uff07"


cdef inline unsigned long long added(unsigned long long key, Py_UCS4 c) noexcept nogil:
    """Return the hash of a word with one more character: FNV's, over code points."""
    return (key ^ <unsigned int> c) * 0x100000001B3ULL


cdef unsigned long long NOTHING = 0xCBF29CE484222325ULL


cdef unsigned long long hashed(
    Letters text, Py_ssize_t start, Py_ssize_t end, bint small, unsigned long long key=NOTHING
) noexcept nogil:
    """Return the hash of a word, as it stands or in small letters, behind what `key` is the hash of."""
    cdef Py_ssize_t i
    cdef Py_UCS4 c
    for i in range(start, end):
        c = at(text, i)
        if small and c == "\u0130":  # İ is two characters in small letters
            key = added(key, "i")
            c = "\u0307"
        elif small and c == "\u03a3" and start < i == end - 1:
            c = "\u03c2"  # a final sigma
        elif small:
            c = Py_UNICODE_TOLOWER(c)
        key = added(key, c)
    return key


cdef class Rules:
    """How texts of a language are cut into tokens."""

    cdef unsigned char[::1] table
    cdef object classify
    cdef bint english
    cdef bint ordinals
    cdef unsigned long long[::1] keys  # hashes of words, in order, …
    cdef unsigned char[::1] rules  # … and what each does

    def __init__(self, table, classify, abbreviations, apostrophes=None, bint ordinals=False):
        """`table` has the class of each character that was met, and `classify` says that of others. `abbreviations` has
        what each does with a full stop, and the Chinese characters that stand alone. `apostrophes` are the words of a
        language that end or begin with one, None for English and its clitics; `ordinals` are numbers of one or two
        digits that keep a full stop before a word."""
        cdef str word
        cdef dict rules = {hashed(letters(word), 0, len(word), False): rule for word, rule in abbreviations.items()}
        for word in apostrophes or ():
            key = hashed(letters(word), 0, len(word), False)
            rules[key] = rules.get(key, 0) | APOSTROPHE
        self.table, self.classify = table, classify
        self.english, self.ordinals = apostrophes is None, ordinals
        self.keys = array("Q", sorted(rules))
        self.rules = array("B", [rules[one] for one in sorted(rules)])

    def tokenise(self, str text):
        """Return three columns: start and end of each token, and what separates it from the next one."""
        return Scanner(self, text).columns()

    cdef int rule(self, unsigned long long key) noexcept nogil:
        """Return what a word does, 0 for nothing."""
        cdef Py_ssize_t low = 0, high = len(self.keys), middle
        while low < high:
            middle = (low + high) // 2
            if self.keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return self.rules[low] if low < len(self.keys) and self.keys[low] == key else 0


cdef class Scanner:
    """One text with the classes of its characters."""

    cdef Rules rules
    cdef str text
    cdef Letters letters
    cdef Py_ssize_t size
    cdef unsigned char *room
    cdef unsigned char *kind  # the class of each character, SPACE beyond either end
    cdef int *start
    cdef int *end
    cdef unsigned char *gap

    def __init__(self, Rules rules, str text):
        self.rules, self.text, self.letters, self.size = rules, text, letters(text), len(text)
        self.room = <unsigned char *> malloc(self.size + 1 + PADDING)
        if self.room == NULL:
            raise MemoryError
        self.kind = self.room + 1
        self.room[0] = SPACE
        memset(self.kind + self.size, SPACE, PADDING)
        cdef Py_ssize_t i = 0
        cdef unsigned char *table = &rules.table[0]
        while i < self.size:
            state = released(self.size // PER_TOKEN)
            i = self.classified(table, i)
            restored(state)
            if i < self.size:
                table[<Py_ssize_t> at(self.letters, i)] = rules.classify(text[i])

    def __dealloc__(self):
        free(self.room)

    cdef tuple columns(self):
        cdef array starts = clone(INTS, self.size, False), ends = clone(INTS, self.size, False)
        cdef array gaps = clone(BYTES, self.size, False)
        self.start, self.end, self.gap = starts.data.as_ints, ends.data.as_ints, gaps.data.as_uchars
        state = released(self.size // PER_TOKEN)
        cdef Py_ssize_t count = self.scan()
        restored(state)
        if count:
            self.gap[count - 1] = PARAGRAPH
        resize(starts, count)
        resize(ends, count)
        resize(gaps, count)
        return starts, ends, gaps

    cdef Py_ssize_t classified(self, const unsigned char *table, Py_ssize_t first) noexcept nogil:
        """Look up the classes of the characters from `first` on; return where one is that is not known yet."""
        cdef Py_ssize_t i
        for i in range(first, self.size):
            self.kind[i] = table[<Py_ssize_t> at(self.letters, i)]
            if self.kind[i] == 0:
                return i
        return self.size

    cdef inline bint is_at(self, Py_ssize_t i, Py_UCS4 c) noexcept nogil:
        return i < self.size and at(self.letters, i) == c

    cdef inline bint hyphen_at(self, Py_ssize_t i) noexcept nogil:
        return i < self.size and is_hyphen(at(self.letters, i))

    cdef Py_ssize_t scan(self) noexcept nogil:
        """Fill the columns; return how many tokens there are."""
        cdef Py_ssize_t count = 0, i = 0, end
        while i < self.size:
            if self.kind[i] == SPACE or self.kind[i] == FORMAT:
                end = self.gap_end(i, count)
            else:
                self.start[count] = i
                self.end[count] = end = self.token_end(i, count)
                self.gap[count] = GLUED
                count += 1
            i = end
        return count

    cdef Py_ssize_t gap_end(self, Py_ssize_t i, Py_ssize_t count) noexcept nogil:
        """Return the end of the space at `i`, and say in the column what it is."""
        cdef int newlines = 0
        cdef Py_UCS4 c
        while i < self.size and (self.kind[i] == SPACE or self.kind[i] == FORMAT):
            c = at(self.letters, i)
            if c == "\n" or (c == "\r" and not self.is_at(i + 1, "\n")) or c == "\x85" or c == "\u2028":
                newlines += 1
            elif c == "\x0c" or c == "\u2029":
                newlines += 2
            i += 1
        if count:
            self.gap[count - 1] = SPACED if newlines == 0 else NEWLINE if newlines == 1 else PARAGRAPH
        return i

    cdef Py_ssize_t token_end(self, Py_ssize_t i, Py_ssize_t count) noexcept nogil:
        """Return the end of the token that starts at `i`, the one with this number."""
        cdef Py_UCS4 c = at(self.letters, i)
        cdef int kind = self.kind[i], after = self.kind[i + 1]
        cdef bint glued = count > 0 and self.end[count - 1] == i
        cdef Py_ssize_t j = i + 1
        if kind >= MARK:
            j = self.word_end(i, i)
            return j + 1 if self.is_at(j, ".") and self.takes_stop(i, j) else j
        if kind == HAN or kind == KANA or kind == UNSPACED:
            # Function characters of Chinese stand alone, and so cut the run of a clause into its content words.
            if not self.stands_alone(i):
                while (self.kind[j] == kind and not self.stands_alone(j)) or self.kind[j] == MARK:
                    j += 1
            return j
        if kind == CURRENCY and after == DIGIT:
            return self.word_end(i, j)
        if is_apostrophe(c):
            if glued and self.clitic(i):
                return j + self.clitic(i)
            end = self.leading(i)
            if end:
                return end
        if after >= DIGIT and not glued and (
            (c == "." and after <= UPPER)
            or (after == DIGIT and (c == "-" or c == "\u2212"))
            or (after >= LOWER and (c == "#" or c == "@"))
        ):
            return self.word_end(i, j)
        if kind == PUNCTUATION:
            while self.is_at(j, c):
                j += 1
            return j
        # Emoji are joined by marks and zero-width joiners.
        while self.kind[j] == MARK or self.kind[j] == FORMAT:
            j += 1
            if at(self.letters, j - 1) == "\u200d" and self.kind[j] == SYMBOL:
                j += 1
        return j

    cdef bint stands_alone(self, Py_ssize_t i) noexcept nogil:
        """Return whether there is a function word of one Chinese character."""
        return self.kind[i] == HAN and self.rules.rule(added(NOTHING, at(self.letters, i))) & STOP

    cdef Py_ssize_t word_end(self, Py_ssize_t start, Py_ssize_t first) noexcept nogil:
        """Return the end of the word that starts at `start` and whose first word character is at `first`."""
        cdef Py_ssize_t j = first, k
        cdef bint address = False
        cdef int kind, length
        cdef Py_UCS4 c
        while True:
            while self.kind[j] >= MARK:
                j += 1
            kind = self.kind[j]
            if kind == SPACE or (HAN <= kind and kind <= UNSPACED) or kind == SYMBOL:
                return j
            if kind == FORMAT:
                k = j
                while self.kind[k] == FORMAT:
                    k += 1
                if self.kind[k] < MARK:
                    return j
                j = k
                continue
            c = at(self.letters, j)
            if kind == CURRENCY:  # US$5
                if j - start > 3 or self.kind[j + 1] != DIGIT:
                    return j
            elif c == ":" and self.is_at(j + 1, "/") and self.is_at(j + 2, "/"):
                return self.url_end(j + 3)
            elif is_apostrophe(c):
                if self.clitic(j):
                    if at(self.letters, j + 1) not in "tT":
                        return j
                    if at(self.letters, j - 1) in "nN" and j - 1 > start:
                        return j - 1  # do + n't
                if self.elides(start, j):
                    return j + 1
                if not self.connects(start, j, address):
                    return j
            elif c == "+" or c == "#":
                k = j
                while self.is_at(k, c):
                    k += 1
                if j - start > PLUS_LIMIT or self.kind[k] >= MARK or k - j > 2:
                    return j
                return j if c == "#" and (j - start != 1 or k - j != 1) else k
            elif c == "%":
                return j + 1 if self.kind[j - 1] == DIGIT else j
            else:
                if not self.connects(start, j, address):
                    return j
                if c == "@":
                    address = True
            j += 1

    cdef Py_ssize_t url_end(self, Py_ssize_t first) noexcept nogil:
        """Return the end of the address that continues at `first`: up to a space, less punctuation that closes a
        sentence."""
        cdef Py_ssize_t j = first
        while self.kind[j] != SPACE and at(self.letters, j) not in '<>"\u201c\u201d':
            j += 1
        while j > first and at(self.letters, j - 1) in ".,;:!?)]}'\u2019":
            j -= 1
        return j

    cdef int clitic(self, Py_ssize_t i) noexcept nogil:
        """Return the length of the English clitic after the apostrophe at `i` ('s, 'll, 're, 've, 'd, 'm, 't), or 0."""
        if not self.rules.english:
            return 0
        cdef Py_UCS4 a = at(self.letters, i + 1) if i + 1 < self.size else " "
        cdef Py_UCS4 b
        cdef int length = 0
        if a in "sSdDmMtT":
            length = 1
        elif i + 2 < self.size:
            b = at(self.letters, i + 2)
            if (a in "lL" and b in "lL") or (a in "rRvV" and b in "eE"):
                length = 2
        return length if self.kind[i + 1 + length] < MARK else 0

    cdef bint elides(self, Py_ssize_t start, Py_ssize_t i) noexcept nogil:
        """Return whether the word from `start` to the apostrophe at `i` is one that ends with it: l', dell', po'."""
        if self.rules.english or i - start > LONGEST_ABBREVIATION:
            return False
        return self.rules.rule(added(hashed(self.letters, start, i, True), "'")) & APOSTROPHE

    cdef Py_ssize_t leading(self, Py_ssize_t i) noexcept nogil:
        """Return the end of the word that begins with the apostrophe at `i` ('s, 't), or 0."""
        if self.rules.english or self.kind[i - 1] != SPACE or self.kind[i + 1] < LOWER:
            return 0
        cdef Py_ssize_t end = self.word_end(i + 1, i + 1)
        word = hashed(self.letters, i + 1, end, True, added(NOTHING, "'"))
        return end if self.rules.rule(word) & APOSTROPHE else 0

    cdef bint connects(self, Py_ssize_t start, Py_ssize_t j, bint address) noexcept nogil:
        """Return whether the character at `j`, which follows a word character, stays inside the word."""
        cdef Py_UCS4 c = at(self.letters, j)
        cdef int before = self.kind[j - 1], after = self.kind[j + 1]
        if after < MARK:
            # Five-prime and three-prime ends: 5'-UTR, 3′-end.
            if before == DIGIT and (is_apostrophe(c) or c == "\u2032"):
                return self.hyphen_at(j + 1) and self.kind[j + 2] >= MARK
            if after == CURRENCY or after == FORMAT:
                return False
            return address and c in "-_/" and after != SPACE
        if is_hyphen(c) or c == "&" or c == "/" or c == "\u00b7" or c == "\u2032" or c == "@":
            return True
        if c == ".":
            if address or after == DIGIT or after == LOWER:
                return before == DIGIT or after != DIGIT or address
            # U.S.A, Ph.D: short segments between stops; end.Next is two sentences with a space missing.
            segment = j - 1
            while segment >= start and at(self.letters, segment) != ".":
                segment -= 1
            return j - 1 - segment <= 1 or (j - 1 - segment == 2 and self.kind[j + 2] < MARK)
        if c == ",":
            # 1,000 but not 3,4; chemical locants go on with a hyphen: 1,2-dichloroethane.
            if before == DIGIT and after == DIGIT and self.kind[j + 2] == DIGIT and self.kind[j + 3] == DIGIT:
                return self.kind[j + 4] != DIGIT
            return (
                self.hyphen_at(j + 2) and self.kind[j + 3] >= MARK and (j - 1 == start or self.kind[j - 2] < MARK)
            )
        if c == ":":
            return before == DIGIT and after == DIGIT
        # Michaelis–Menten, but not pages 12–15.
        return (c == "\u2013" or is_apostrophe(c)) and before >= LOWER and after >= LOWER

    cdef bint takes_stop(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """Return whether the full stop at `end` belongs to the word before it: abbreviation, initial or acronym."""
        cdef int after = self.kind[end + 1], first = self.kind[start], last = self.kind[end - 1], rule
        cdef Py_ssize_t length = end - start
        if after >= MARK:
            return False
        if self.rules.ordinals and length <= 2 and first == DIGIT and last == DIGIT:
            return after == SPACE and self.kind[end + 2] >= LOWER  # 3. Oktober
        if length == 1 and (self.rules.english or first == UPPER):
            # J. Smith, but not "5." nor "x." at the end of a formula.
            return first == UPPER and after == SPACE
        # U.S. and e.g.: every other character is a stop.
        if 1 < length <= 9 and at(self.letters, end - 2) == "." and last >= LOWER:
            return True
        if length > LONGEST_ABBREVIATION:
            return False
        rule = self.rules.rule(hashed(self.letters, start, end, False)) & STOP
        if not rule:
            rule = self.rules.rule(hashed(self.letters, start, end, True)) & STOP
        if rule == BEFORE_NUMBER:  # "no. 5", but not "she said no."
            while end + 1 < self.size and self.kind[end + 1] == SPACE:
                end += 1
            return self.kind[end + 1] == DIGIT
        return rule != 0
