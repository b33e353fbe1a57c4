"""Candidate occurrences: found as n-grams or noun phrases, grouped by stemmed form; and how rare forms are."""

from cpython.array cimport array, clone
from libc.math cimport log

from phrasemill.kernels.text cimport NUMBER, STOPWORD, WORD, Occurrences, released, restored

cdef array BYTES = array("B"), INTS = array("i"), ULONGS = array("Q"), DOUBLES = array("d")
cdef extern from *:
    """
    #define SPREAD 0x9E3779B97F4A7C15ULL
    #define LOW 0xFFFFFFFFULL
    """
    const unsigned long long SPREAD, LOW


cdef tuple shortened(array starts, array ends, Py_ssize_t found):
    """Return the first of the bounds; the rest has never been touched, and took no memory."""
    del starts[found:], ends[found:]
    return starts, ends


def ngrams(const unsigned char[::1] kind, const int[::1] sentences, int longest, bint inner, bint numbers):
    """Return token bounds of all runs of up to `longest` words in one sentence that neither start nor end with a
    stopword: two columns, ordered by start, then by length. `inner` lets stopwords stand inside, `numbers` lets numbers
    stand beside words."""
    cdef int allowed = WORD | NUMBER if numbers else WORD
    cdef Py_ssize_t i, room = 0, run = 0, found
    for i in range(len(kind)):
        run = run + 1 if kind[i] & allowed else 0
        room += min(run, longest)
    cdef array starts = clone(INTS, room, False), ends = clone(INTS, room, False)
    state = released(len(kind))
    found = find_ngrams(kind, sentences, longest, inner, allowed, starts.data.as_ints, ends.data.as_ints)
    restored(state)
    return shortened(starts, ends, found)


cdef Py_ssize_t find_ngrams(
    const unsigned char[::1] kind, const int[::1] sentences, int longest, bint inner, int allowed, int *start, int *end
) noexcept nogil:
    cdef Py_ssize_t i = 0, j, s, found = 0
    cdef bint words
    for s in range(len(sentences)):
        while i < sentences[s]:
            if kind[i] & allowed and not kind[i] & STOPWORD:
                words = False
                for j in range(i, min(i + longest, sentences[s])):
                    if not kind[j] & allowed or (not inner and kind[j] & STOPWORD):
                        break
                    if kind[j] & WORD:
                        words = True
                    if words and not kind[j] & STOPWORD:
                        start[found] = i
                        end[found] = j + 1
                        found += 1
            i += 1
    return found


def mask(const unsigned char[::1] tag, const unsigned char[::1] kind, const unsigned char[::1] nominal):
    """Return the tags, but 0 for what is no word or number, and for stopwords with a `nominal` tag."""
    cdef array result = clone(BYTES, len(tag), True)
    for i in range(len(tag)):
        if kind[i] & (WORD | NUMBER) and not (kind[i] & STOPWORD and nominal[tag[i]]):
            result.data.as_uchars[i] = tag[i]
    return result


def noun_phrases(
    const unsigned char[::1] tag,
    const int[::1] sentences,
    const unsigned char[::1] adjective,
    const unsigned char[::1] noun,
    Py_ssize_t longest,
):
    """Return token bounds of any number of adjectives and then at least one noun, as many as stand together within a
    sentence, but not of more than `longest` tokens: two columns. `adjective` and `noun` have 1 at the codes of tags."""
    cdef array starts = clone(INTS, len(tag), False), ends = clone(INTS, len(tag), False)
    cdef Py_ssize_t found = 0, i = 0, begin, nouns, s
    for s in range(len(sentences)):
        while i < sentences[s]:
            begin = i
            while i < sentences[s] and adjective[tag[i]]:
                i += 1
            nouns = i
            while i < sentences[s] and noun[tag[i]]:
                i += 1
            if i > nouns:
                if i - begin <= longest:
                    starts.data.as_ints[found] = begin
                    ends.data.as_ints[found] = i
                    found += 1
            elif i == begin:
                i += 1
    return shortened(starts, ends, found)


cdef class Groups:
    """Occurrences with the same stems, numbered.

    A form of one stem is found in a column over stems. All others are found by their hash in an open-addressing table,
    and compared stem by stem with the first of their group, so that no string or tuple is made.
    """

    cdef const int[::1] stem, start, end
    cdef int[::1] group  # of each occurrence
    cdef int[::1] of_stem  # one more than the group of a form of one stem
    cdef unsigned long long[::1] slots  # the upper half of a hash, and one more than its first occurrence; 0 if free
    cdef int found

    cdef void number(self) noexcept nogil:
        cdef unsigned long long key, slot, mask = len(self.slots) - 1
        cdef Py_ssize_t i, o
        for o in range(len(self.start)):
            if self.end[o] - self.start[o] == 1:
                i = self.stem[self.start[o]]
                if self.of_stem[i] == 0:
                    self.found += 1
                    self.of_stem[i] = self.found
                self.group[o] = self.of_stem[i] - 1
                continue
            key = 0
            for i in range(self.start[o], self.end[o]):
                key = (key ^ (key >> 29) ^ <unsigned long long>(self.stem[i] + 1)) * SPREAD
            slot = (key ^ (key >> 32)) & mask
            while self.slots[slot] != 0:
                if (self.slots[slot] ^ key) >> 32 == 0 and self.same(o, (self.slots[slot] & LOW) - 1):
                    break
                slot = (slot + 1) & mask
            if self.slots[slot] == 0:
                self.slots[slot] = (key & ~LOW) | <unsigned long long>(o + 1)
                self.group[o] = self.found
                self.found += 1
            else:
                self.group[o] = self.group[(self.slots[slot] & LOW) - 1]

    cdef inline bint same(self, Py_ssize_t a, Py_ssize_t b) noexcept nogil:
        """Return whether two occurrences have the same stems."""
        cdef Py_ssize_t i = 0, length = self.end[a] - self.start[a]
        if self.end[b] - self.start[b] != length:
            return False
        while i < length and self.stem[self.start[a] + i] == self.stem[self.start[b] + i]:
            i += 1
        return i == length


def group(const int[::1] stem, const int[::1] start, const int[::1] end):
    """Group occurrences with the same stems: `first`, `start` and `end` as `types.Candidates` has them."""
    cdef Groups groups = Groups()
    cdef Py_ssize_t o, i, g, count = len(start), longer = 0, size = 16
    cdef int highest = -1
    for o in range(count):
        longer += end[o] - start[o] != 1
    for i in range(len(stem)):
        highest = max(highest, stem[i])
    while 2 * size < 3 * longer:
        size *= 2
    groups.stem, groups.start, groups.end = stem, start, end
    groups.group = clone(INTS, count, False)
    groups.of_stem = clone(INTS, highest + 1, True)
    groups.slots = clone(ULONGS, size, True)
    state = released(count)
    groups.number()
    restored(state)
    groups.slots, groups.of_stem = None, None  # before there are more columns
    cdef array firsts = clone(INTS, groups.found + 1, True)
    cdef array starts = clone(INTS, count, False), ends = clone(INTS, count, False)
    cdef int *first = firsts.data.as_ints
    # A counting sort: `first` is moved on while filling, so that it begins one place too early.
    for o in range(count):
        if groups.group[o] + 2 <= groups.found:
            first[groups.group[o] + 2] += 1
    for g in range(2, groups.found + 1):
        first[g] += first[g - 1]
    for o in range(count):
        g = groups.group[o] + 1
        starts.data.as_ints[first[g]] = start[o]
        ends.data.as_ints[first[g]] = end[o]
        first[g] += 1
    return firsts, starts, ends


def forms(const int[::1] first, const int[::1] start, const int[::1] end, const int[::1] stem, list stems):
    """Return the stemmed form of each candidate: the stems of its first occurrence, joined by spaces."""
    cdef list result = []
    cdef Py_ssize_t c, i
    for c in range(len(first) - 1):
        if end[first[c]] - start[first[c]] == 1:
            result.append(stems[stem[start[first[c]]]])
        else:
            result.append(" ".join([stems[stem[i]] for i in range(start[first[c]], end[first[c]])]))
    return result


def idfs(list forms not None, dict counts not None, double unseen, double documents):
    """Return log(documents + 1) - log(count + 1) for each form; `unseen` is the count of those that are not there."""
    cdef array result = clone(DOUBLES, len(forms), False)
    cdef double total = log(documents + 1)
    cdef Py_ssize_t i
    for i in range(len(forms)):
        found = counts.get(forms[i])
        result.data.as_doubles[i] = total - log((unseen if found is None else <double>found) + 1)
    return result


def times(Occurrences candidates not None, array weights not None):
    """Return how often each candidate occurs, times its weight."""
    cdef array result = clone(DOUBLES, candidates.count, False)
    cdef Py_ssize_t c
    for c in range(candidates.count):
        result.data.as_doubles[c] = (candidates.first[c + 1] - candidates.first[c]) * weights.data.as_doubles[c]
    return result
