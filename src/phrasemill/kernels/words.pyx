"""Words: what depends on a token's surface alone, computed once and kept for later texts; and the columns of a text.

A word type is a token's exact surface. Documents repeat few of them, so a token costs little more than a look-up.
"""

import re
import unicodedata
from array import array as new_array
from bisect import bisect_right
from collections.abc import Sequence

from cpython.array cimport array, clone, resize, resize_smart
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy

from phrasemill.kernels.sentences cimport BOUND, CLOSER, NUMERAL, OPENER, SMALL, STARTER, STOPPED, TERMINATOR, split
from phrasemill.kernels.text cimport (
    CAPITAL, LONGEST, NUMBER, STOPWORD, UPPER, WORD, Letters, Py_UNICODE_ISUPPER, at, letters, released, restored
)

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    # Tokens of a text that a lexicon takes, however full it is. More than a few sentences: those at the end of a part,
    # of which the last AHEAD tokens are not seen yet, are left for the next lexicon.
    LEAST = 8192
    AHEAD = 32
    # A lexicon beyond either size is not used again, so that a stream of odd tokens cannot fill memory.
    MOST_TYPES = 100_000
    MOST_CHARACTERS = 4_000_000
    SETS = 8192  # of two recent words: half a megabyte
    SHORT = 24  # characters of words that are among the recent ones

cdef array BYTES = new_array("B"), INTS = new_array("i"), UINTS = new_array("I")

# Terms in capitals, function words otherwise.
cdef frozenset CAPITAL_TERMS = frozenset({"IT", "US", "WHO"})
# Mail and web addresses, handles, hashtags and paths: they are tokens, and no words.
cdef object ADDRESS = re.compile(r"\w@\w+\.\w|^[@#]\w|://|^www\.|/[\w.-]+\.[a-z]{1,4}$").search
cdef dict SAME = str.maketrans({"’": "'", "ʼ": "'", "＇": "'", "‐": "-", "‑": "-", "–": "-", "ſ": "s"})
cdef object INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)


cpdef str normalise(str surface):
    """Return the surface without compatibility forms, zero-width characters and curly apostrophes.

    `ﬁeld` is `field`, `naı̈ve` and `naïve` are one word, and case is left alone.
    """
    if PyUnicode_IS_ASCII(surface):
        return surface
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", surface)).translate(SAME)


cdef bint is_small(str word) noexcept:
    """Return whether a word has small letters of ASCII, digits and signs alone, and so is its own lower case."""
    cdef Py_UCS4 c
    for c in word:
        if c > 127 or "A" <= c <= "Z":
            return False
    return True


cdef struct Recent:
    # A short word whose characters are bytes, and its type.
    unsigned long long[3] word
    int size
    int type


cdef class Lexicon:
    """The word types met so far under one language, stemmer, list of stopwords and tagger; it only grows.

    It belongs to one analysis at a time.
    """

    cdef object stem_all
    cdef frozenset stopwords
    cdef frozenset bound
    cdef object tagger
    cdef Py_ssize_t most
    cdef Py_ssize_t least
    cdef Py_ssize_t characters
    cdef dict types  # by surface
    cdef dict numbers  # of the texts
    cdef list texts  # words and stems
    # One entry per type; words and stems are numbers of texts.
    cdef array word
    cdef array stem
    cdef array kind
    cdef array role
    cdef array place  # of each text among those of the document that is read, -1 between documents
    cdef Recent *recent

    def __init__(
        self, stem_all, frozenset stopwords, frozenset bound, tagger, Py_ssize_t most=MOST_TYPES, Py_ssize_t least=LEAST
    ):
        """`stem_all` stems the words of a list, and `bound` are abbreviations that never end a sentence."""
        self.stem_all, self.stopwords, self.bound, self.tagger = stem_all, stopwords, bound, tagger
        self.most, self.least = most, least
        self.types, self.numbers, self.texts = {}, {}, []
        self.kind, self.role = clone(BYTES, 0, False), clone(BYTES, 0, False)
        self.word, self.stem, self.place = clone(INTS, 0, False), clone(INTS, 0, False), clone(INTS, 0, False)
        self.recent = <Recent *> calloc(2 * SETS, sizeof(Recent))
        if self.recent == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.recent)

    @property
    def full(self):
        """Whether it is too large to be used again."""
        return len(self.types) > self.most or self.characters > MOST_CHARACTERS

    def read(self, Reading text):
        """Read a text on: to its end, or until the lexicon is full."""
        cdef Py_ssize_t begin = text.done
        cdef array types = self.looked_up(text, self.least)
        cdef array ends = split(text.text, text.start, text.end, text.gap, types, self.role, begin)
        if begin + len(types) < len(text.start):
            resize(ends, bisect_right(ends, len(types) - AHEAD))
            resize(types, ends.data.as_ints[len(ends) - 1])
        if self.tagger is not None:
            self.tagger.tag(types, ends, memoryview(text.tag)[begin:] if begin else text.tag)
        self.fill(text, types, ends)

    def adopt(self, Reading text, array ends):
        """Read a text that was tagged elsewhere, and whose sentences have these ends."""
        self.fill(text, self.looked_up(text, len(text.start)), ends)

    cdef array looked_up(self, Reading text, Py_ssize_t least):
        """Return the types of the tokens that are not read yet. Ends early, but not before so many, where the lexicon
        is full.

        Short words are looked for among the recent ones first, which takes no string and no look-up in a dictionary.
        """
        cdef Letters characters = letters(text.text)
        cdef Py_ssize_t count = len(text.start) - text.done, i, begin
        cdef const int *start = text.start.data.as_ints + text.done
        cdef const int *end = text.end.data.as_ints + text.done
        cdef array types = clone(INTS, count, False)
        cdef list fresh = []
        cdef Recent one
        cdef Recent *entry
        cdef str surface
        for i in range(count):
            begin = start[i]
            entry = NULL
            if packed(characters, begin, end[i] - begin, &one):
                entry = self.recent + 2 * slot(one.word)
                if same(entry, &one):
                    types.data.as_ints[i] = entry.type
                    continue
                if same(entry + 1, &one):
                    types.data.as_ints[i] = entry[1].type
                    continue
            surface = text.text[begin : end[i]]
            found = self.types.get(surface)
            if found is None:
                if i >= least and self.full:
                    resize(types, i)
                    break
                found = self.types[surface] = len(self.types)
                fresh.append(surface)
                self.characters += len(surface)
            types.data.as_ints[i] = found
            if entry != NULL:
                one.type = found
                entry[1] = entry[0]
                entry[0] = one
        if fresh:
            self.add(fresh)
        return types

    cdef add(self, list surfaces):
        """Describe types that have their numbers already; all of a text at once, which is faster."""
        cdef Py_ssize_t done = len(self.kind), i, k = 0
        cdef list seen = [], words = [], to_stem = [], stems
        cdef str one, word, stem
        cdef int kind
        for column in (self.kind, self.role, self.word, self.stem):
            resize_smart(column, done + len(surfaces))
        for i in range(len(surfaces)):
            one = normalise(surfaces[i])
            word = one if is_small(one) else one.lower()
            kind = self.kind_of(one, word)
            self.kind.data.as_uchars[done + i] = kind
            self.role.data.as_uchars[done + i] = self.role_of(one, word, kind)
            seen.append(one)
            words.append(word)
            if kind & WORD:
                to_stem.append(word)
        stems = self.stem_all(to_stem)
        for i in range(len(words)):
            word = words[i]
            self.word.data.as_ints[done + i] = self.stem.data.as_ints[done + i] = self.number(word)
            if self.kind.data.as_uchars[done + i] & WORD:
                stem = stems[k]
                k += 1
                if stem:
                    self.stem.data.as_ints[done + i] = self.number(stem)
        done = len(self.place)
        resize_smart(self.place, len(self.texts))
        for i in range(done, len(self.texts)):
            self.place.data.as_ints[i] = -1
        if self.tagger is not None:
            self.tagger.add_all(seen)

    cdef int kind_of(self, str seen, str word) except -1:
        """Return the bits of `Analysis.kind` of a type, by its normal form."""
        cdef Py_ssize_t with_letter = 0, small = 0, digits = 0
        cdef bint signs = False
        cdef int kind = STOPWORD if word in self.stopwords and seen not in CAPITAL_TERMS else 0
        cdef Py_UCS4 c
        for c in seen:
            if c.isalpha():
                with_letter += 1
                small += c.islower()
            elif c == "_" or c.isalnum():
                digits += 1
            elif c == "." or c == "/" or c == "@" or c == "#":
                signs = True
        if with_letter + digits == 0 or len(seen) > LONGEST or (signs and ADDRESS(seen) is not None):
            return kind
        if with_letter == 0:
            return kind | NUMBER
        if Py_UNICODE_ISUPPER(seen[0]):
            kind |= CAPITAL
        if with_letter > 1 and small == 0 and seen != word:
            kind |= UPPER
        return kind | WORD

    cdef int role_of(self, str seen, str word, int kind) except -1:
        """Return what a type is at the end of a sentence, as bits of `Role`."""
        cdef int role = 0
        cdef Py_UCS4 first
        if not seen:
            return role
        first = seen[0]
        if first in ".!?…。！？।؟" and not kind & (WORD | NUMBER):
            role = TERMINATOR
        elif len(seen) == 1 and first in "\"'”’»›)]}」』】）":
            role = CLOSER
        elif len(seen) == 1 and first in "([（【":
            role = OPENER
        if kind & NUMBER:
            role |= NUMERAL
        if kind & (WORD | NUMBER) and len(word) > 1 and word[len(word) - 1] == ".":
            role |= STOPPED
            if word[: len(word) - 1] in self.bound:
                role |= BOUND
        if kind & STOPWORD and kind & CAPITAL and "." not in word:
            role |= STARTER
        if "a" <= first <= "z" or (first > "\x7f" and unicodedata.category(seen[0]) == "Ll"):
            role |= SMALL
        return role

    cdef int number(self, str text) except -1:
        """Return the number of a word or stem, which is added where it is new."""
        found = self.numbers.get(text)
        if found is None:
            found = self.numbers[text] = len(self.texts)
            self.texts.append(text)
        return found

    cdef fill(self, Reading text, array types, array ends):
        """Add to a text the columns of its next tokens, which have these types."""
        cdef Py_ssize_t count = len(types), i
        cdef array kind = clone(BYTES, count, False), word = clone(INTS, count, False), stem = clone(INTS, count, False)
        for i in range(count):
            kind.data.as_uchars[i] = self.kind.data.as_uchars[types.data.as_ints[i]]
        text.add(ends, kind, word, stem, self.numbered(types, self.word, word), self.numbered(types, self.stem, stem))

    cdef list numbered(self, array types, array text_of, array out):
        """Number the texts of types by their first occurrence: fill the column, and return them in order."""
        cdef array ids = clone(INTS, len(types), False)
        cdef Py_ssize_t i
        cdef list found = []
        state = released(len(types))
        cdef int count = numbers_of(
            types.data.as_ints, len(types), text_of.data.as_ints, self.place.data.as_ints, out.data.as_ints,
            ids.data.as_ints,
        )
        restored(state)
        for i in range(count):
            self.place.data.as_ints[ids.data.as_ints[i]] = -1
            found.append(self.texts[ids.data.as_ints[i]])
        return found


cdef int numbers_of(
    const int *types, Py_ssize_t count, const int *text_of, int *place, int *out, int *ids
) noexcept nogil:
    """Do what `numbered` does; fill `ids` with the texts in order, and return how many there are."""
    cdef int found = 0, text
    cdef Py_ssize_t i
    for i in range(count):
        text = text_of[types[i]]
        if place[text] < 0:
            place[text] = found
            ids[found] = text
            found += 1
        out[i] = place[text]
    return found


cdef inline bint packed(Letters text, Py_ssize_t begin, Py_ssize_t size, Recent *out) noexcept nogil:
    """Fill in a word's characters and their number; return whether it is short, and all are bytes."""
    cdef Py_ssize_t i
    cdef Py_UCS4 c
    if size < 1 or size > SHORT:
        return False
    out.size = size
    out.word[0] = out.word[1] = out.word[2] = 0
    if text.kind == 1:
        memcpy(out.word, <const unsigned char *> text.data + begin, size)
        return True
    for i in range(size):
        c = at(text, begin + i)
        if c > 255:
            return False
        (<unsigned char *> out.word)[i] = c
    return True


cdef inline Py_ssize_t slot(const unsigned long long *word) noexcept nogil:
    """Return the place of a word among the sets of recent ones."""
    cdef unsigned long long hashed = (
        (word[0] * 0x9E3779B97F4A7C15ULL) ^ (word[1] * 0xC2B2AE3D27D4EB4FULL) ^ (word[2] * 0x165667B19E3779F9ULL)
    )
    hashed ^= hashed >> 32
    return (hashed ^ (hashed >> 16)) & (SETS - 1)


cdef inline bint same(const Recent *a, const Recent *b) noexcept nogil:
    return a.word[0] == b.word[0] and a.word[1] == b.word[1] and a.word[2] == b.word[2] and a.size == b.size


cdef class Reading:
    """A text cut into tokens, and its columns, which one lexicon fills, or several, one after the other."""

    cdef readonly str text
    cdef readonly array start
    cdef readonly array end
    cdef array gap
    cdef array tag
    cdef array sentences
    cdef array kind
    cdef array word
    cdef array stem
    cdef object words  # a list; `Strings` where several lexicons were needed
    cdef object stems
    cdef Py_ssize_t done  # tokens that were read

    def __init__(self, str text, array start, array end, array gap, array tag=None):
        self.text, self.start, self.end, self.gap = text, start, end, gap
        self.tag = clone(BYTES, len(start), True) if tag is None else tag

    def columns(self, tuple tagset):
        """Return what an `Analysis` has behind the ends of tokens."""
        return self.kind, self.tag, self.word, self.stem, self.sentences, self.words, self.stems, tagset

    @property
    def ends_early(self):
        """Whether the lexicons were too full for the rest of the text."""
        return self.done < len(self.start)

    cdef add(self, array ends, array kind, array word, array stem, list words, list stems):
        """Add the columns of the next tokens, which are numbered within themselves."""
        cdef Py_ssize_t begin = self.done
        self.done += len(kind)
        if len(kind) == len(self.start):
            self.sentences, self.kind, self.word, self.stem = ends, kind, word, stem
            self.words, self.stems = words, stems
            return
        if begin == 0:
            self.sentences, self.kind = clone(INTS, 0, False), clone(BYTES, 0, False)
            self.word, self.stem = clone(INTS, 0, False), clone(INTS, 0, False)
            self.words, self.stems = Strings(), Strings()
        self.sentences.extend(new_array("i", [begin + one for one in ends]))
        self.kind.extend(kind)
        self.word.extend(renumbered(word, self.words.numbers(words)))
        self.stem.extend(renumbered(stem, self.stems.numbers(stems)))
        if self.done == len(self.start):
            self.words.close()
            self.stems.close()


cdef array renumbered(array column, array numbers):
    """Return the column with each number replaced by what `numbers` has for it."""
    cdef array result = clone(INTS, len(column), False)
    cdef Py_ssize_t i
    for i in range(len(column)):
        result.data.as_ints[i] = numbers.data.as_ints[column.data.as_ints[i]]
    return result


cdef class Strings:
    """A sequence of strings that are all different, as UTF-8, one after the other: about 12 bytes for a short word."""

    cdef array letters
    cdef array ends  # of each string among the letters
    cdef array slots  # by hash, one more than the number, 0 for none; while strings are added

    def __init__(self, strings=()):
        self.letters, self.ends, self.slots = clone(BYTES, 0, False), clone(UINTS, 0, False), clone(INTS, 1024, True)
        self.numbers(list(strings))

    def close(self):
        """Free what is needed only while strings are added."""
        self.slots = clone(INTS, 0, False)

    def __len__(self):
        return len(self.ends)

    def __getitem__(self, Py_ssize_t number):
        if number < 0:
            number += len(self.ends)
        if number < 0 or number >= len(self.ends):
            raise IndexError(number)
        return PyUnicode_DecodeUTF8(
            <const char *> self.letters.data.as_chars + self.begin(number), self.size(number), "surrogatepass"
        )

    def __contains__(self, string):
        return isinstance(string, str) and self.place(string) >= 0

    def __reduce__(self):
        return Strings, (list(self),)

    def index(self, str string):
        """Return the number of a string."""
        cdef Py_ssize_t found = self.place(string)
        if found < 0:
            raise ValueError(f"{string!r} is not there")
        return found

    def numbers(self, list strings):
        """Return the number of each of the strings; those that are new are added."""
        cdef array result = clone(INTS, len(strings), False)
        cdef Py_ssize_t i
        cdef str one
        for i in range(len(strings)):
            one = strings[i]
            result.data.as_ints[i] = self.number(one.encode("utf-8", "surrogatepass"))
        return result

    cdef Py_ssize_t begin(self, Py_ssize_t number) noexcept:
        return self.ends.data.as_uints[number - 1] if number > 0 else 0

    cdef Py_ssize_t size(self, Py_ssize_t number) noexcept:
        return self.ends.data.as_uints[number] - self.begin(number)

    cdef bint has(self, Py_ssize_t number, bytes string) noexcept:
        return self.size(number) == len(string) and not memcmp(
            self.letters.data.as_chars + self.begin(number), <const char *> string, len(string)
        )

    cdef Py_ssize_t place(self, str string) except -2:
        """Return the number of a string, -1 where it is not there."""
        cdef bytes wanted = string.encode("utf-8", "surrogatepass")
        cdef Py_ssize_t i
        for i in range(len(self.ends)):
            if self.has(i, wanted):
                return i
        return -1

    cdef Py_ssize_t number(self, bytes string) except -1:
        """Return the number of a string, which is added where it is new."""
        cdef Py_ssize_t count = len(self.ends), filled = len(self.letters), last = len(self.slots) - 1
        cdef Py_ssize_t place = hashed(<const unsigned char *> <const char *> string, len(string)) & last
        cdef int *slots = self.slots.data.as_ints
        while slots[place] != 0:
            if self.has(slots[place] - 1, string):
                return slots[place] - 1
            place = (place + 1) & last
        if filled + len(string) > 0xFFFFFFFF:
            raise OverflowError("a text with more than 4 GB of different words")
        resize_smart(self.letters, filled + len(string))
        resize_smart(self.ends, count + 1)
        memcpy(self.letters.data.as_chars + filled, <const char *> string, len(string))
        self.ends.data.as_uints[count] = filled + len(string)
        slots[place] = count + 1
        if 2 * count > last:
            self.grow()
        return count

    cdef grow(self):
        """Make the table twice as large."""
        cdef Py_ssize_t last = 2 * len(self.slots) - 1, i, place
        self.slots = clone(INTS, last + 1, True)
        for i in range(len(self.ends)):
            place = hashed(self.letters.data.as_uchars + self.begin(i), self.size(i)) & last
            while self.slots.data.as_ints[place] != 0:
                place = (place + 1) & last
            self.slots.data.as_ints[place] = i + 1


Sequence.register(Strings)


cdef unsigned long long hashed(const unsigned char *string, Py_ssize_t size) noexcept:
    """Return a hash of bytes: FNV's."""
    cdef unsigned long long found = 0xCBF29CE484222325ULL
    cdef Py_ssize_t i
    for i in range(size):
        found = (found ^ string[i]) * 0x100000001B3ULL
    return found ^ (found >> 32)


def first_places(array column, int number, Py_ssize_t most):
    """Return the first places of a number in a column, at most so many."""
    cdef list found = []
    cdef Py_ssize_t i
    for i in range(len(column)):
        if column.data.as_ints[i] == number:
            if len(found) == most:
                break
            found.append(i)
    return found


def grouped(array column, Py_ssize_t groups):
    """Return the places of each number below `groups` in a column, the places of 0 first; and before how many of them
    those of each number begin, with one more entry for the end."""
    cdef array firsts = clone(INTS, groups + 1, True), places = clone(INTS, len(column), False)
    cdef int *first = firsts.data.as_ints
    cdef Py_ssize_t i
    for i in range(len(column)):
        first[column.data.as_ints[i]] += 1
    for i in range(groups):
        first[i + 1] += first[i]
    for i in range(len(column) - 1, -1, -1):
        first[column.data.as_ints[i]] -= 1
        places.data.as_ints[first[column.data.as_ints[i]]] = i
    return firsts, places
