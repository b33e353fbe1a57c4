"""YAKE's statistics: one pass over the words, then one weight per word."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, DOUBLES, INTS, LONGS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import log, sqrt

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
CAPITAL = cython.declare(cython.int, 8)
UPPER = cython.declare(cython.int, 16)


def neighbours(
    word: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    words: cython.int,
    window: cython.int,
) -> tuple:
    """Return for each word how many words, and how many different ones, stand up to `window` places left and right of
    it.

    Punctuation and numbers end a neighbourhood. Also the count of each pair of neighbours: open addressing, by key
    (left << 31 | right) + 1.
    """
    count: cython.Py_ssize_t = len(word)
    room: cython.Py_ssize_t = 0
    run: cython.Py_ssize_t = 0
    for i in range(count):
        run = run + 1 if kind[i] & WORD else 0
        room += min(run, window)
    size: cython.Py_ssize_t = 64
    while size < 2 * room:
        size *= 2
    mask: cython.longlong = size - 1
    keys_of = clone(LONGS, size, True)
    pairs_of = clone(INTS, size, True)
    left_of = clone(INTS, words, True)
    right_of = clone(INTS, words, True)
    left_kinds_of = clone(INTS, words, True)
    right_kinds_of = clone(INTS, words, True)
    keys: cython.longlong[::1] = keys_of
    pairs: cython.int[::1] = pairs_of
    left: cython.int[::1] = left_of
    right: cython.int[::1] = right_of
    left_kinds: cython.int[::1] = left_kinds_of
    right_kinds: cython.int[::1] = right_kinds_of
    if count < _LONG:
        _neighbours(word, kind, sentences, window, mask, keys, pairs, left, right, left_kinds, right_kinds)
    else:
        with cython.nogil:
            _neighbours(word, kind, sentences, window, mask, keys, pairs, left, right, left_kinds, right_kinds)
    return left_of, right_of, left_kinds_of, right_kinds_of, keys_of, pairs_of


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _neighbours(
    word: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    window: cython.int,
    mask: cython.longlong,
    keys: cython.longlong[::1],
    pairs: cython.int[::1],
    left: cython.int[::1],
    right: cython.int[::1],
    left_kinds: cython.int[::1],
    right_kinds: cython.int[::1],
) -> cython.void:
    """Do what `neighbours` does."""
    i: cython.Py_ssize_t
    begin: cython.Py_ssize_t = 0  # of the run of words
    i = 0
    for s in range(len(sentences)):
        begin = i
        while i < sentences[s]:
            if not kind[i] & WORD:
                begin = i + 1
            else:
                for j in range(max(begin, i - window), i):
                    key = ((cython.cast(cython.longlong, word[j]) << 31) | word[i]) + 1
                    slot = (
                        word[j] * cython.cast(cython.longlong, 40503) + word[i] * cython.cast(cython.longlong, 9973)
                    ) & mask
                    while keys[slot] != 0 and keys[slot] != key:
                        slot = (slot + 1) & mask
                    if keys[slot] == 0:
                        keys[slot] = key
                        right_kinds[word[j]] += 1
                        left_kinds[word[i]] += 1
                    if j == i - 1:
                        pairs[slot] += 1
                    right[word[j]] += 1
                    left[word[i]] += 1
            i += 1


def occurrences(
    word: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    words: cython.int,
) -> tuple:
    """Return for each word: its count, how often in capitals, how often with a capital inside a sentence, in how many
    sentences it stands, the median of their numbers, and whether it is ever more than a stopword."""
    counts_of = clone(INTS, words, True)
    uppers_of = clone(INTS, words, True)
    capitals_of = clone(INTS, words, True)
    spreads_of = clone(INTS, words + 1, True)
    content_of = clone(BYTES, words, True)
    content: cython.uchar[::1] = content_of
    counts: cython.int[::1] = counts_of
    uppers: cython.int[::1] = uppers_of
    capitals: cython.int[::1] = capitals_of
    spread: cython.int[::1] = spreads_of
    last: cython.int[::1] = array("i", [-1]) * words
    total: cython.Py_ssize_t
    if len(word) < _LONG:
        total = _counts(word, kind, sentences, content, counts, uppers, capitals, spread, last)
    else:
        with cython.nogil:
            total = _counts(word, kind, sentences, content, counts, uppers, capitals, spread, last)
    # The numbers of each word's sentences, in order, one word after the other.
    medians_of = clone(DOUBLES, words, True)
    at: cython.int[::1] = clone(INTS, words + 1, True)
    lists: cython.int[::1] = clone(INTS, total, True)
    medians: cython.double[::1] = medians_of
    if len(word) < _LONG:
        _medians(word, kind, sentences, words, spread, last, at, lists, medians)
    else:
        with cython.nogil:
            _medians(word, kind, sentences, words, spread, last, at, lists, medians)
    return counts_of, uppers_of, capitals_of, spreads_of, medians_of, content_of


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _medians(
    word: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    words: cython.int,
    spread: cython.int[::1],
    last: cython.int[::1],
    at: cython.int[::1],
    lists: cython.int[::1],
    medians: cython.double[::1],
) -> cython.void:
    """Fill the medians of the numbers of sentences."""
    i: cython.Py_ssize_t
    w: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    for w in range(words):
        at[w + 1] = at[w] + spread[w]
        last[w] = -1
    i = 0
    for s in range(len(sentences)):
        while i < sentences[s]:
            w = word[i]
            if kind[i] & WORD and last[w] != s:
                last[w] = s
                lists[at[w]] = s
                at[w] += 1
            i += 1
    for w in range(words):
        if spread[w]:
            begin = at[w] - spread[w]
            medians[w] = (lists[begin + (spread[w] - 1) // 2] + lists[begin + spread[w] // 2]) / 2.0


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _counts(
    word: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    content: cython.uchar[::1],
    counts: cython.int[::1],
    uppers: cython.int[::1],
    capitals: cython.int[::1],
    spread: cython.int[::1],
    last: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill the counts of words, and return how many sentences they stand in, all together."""
    total: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    for s in range(len(sentences)):
        begin = i
        while i < sentences[s]:
            if kind[i] & WORD:
                w: cython.Py_ssize_t = word[i]
                counts[w] += 1
                if not kind[i] & STOPWORD:
                    content[w] = 1
                if kind[i] & UPPER:
                    uppers[w] += 1
                elif kind[i] & CAPITAL and i > begin:
                    capitals[w] += 1
                if last[w] != s:
                    last[w] = s
                    spread[w] += 1
                    total += 1
            i += 1
    return total


def weights(
    counts: cython.const[cython.int][::1],
    uppers: cython.const[cython.int][::1],
    capitals: cython.const[cython.int][::1],
    spread: cython.const[cython.int][::1],
    medians: cython.const[cython.double][::1],
    left: cython.const[cython.int][::1],
    right: cython.const[cython.int][::1],
    left_kinds: cython.const[cython.int][::1],
    right_kinds: cython.const[cython.int][::1],
    content: cython.const[cython.uchar][::1],
    sentences: cython.int,
) -> array:
    """Return S(t) of the paper for each word; `content` has 1 for words whose counts set the scale: no stopwords."""
    words: cython.Py_ssize_t = len(medians)
    result = clone(DOUBLES, words, True)
    out: cython.double[::1] = result
    if words * 5 < _LONG:
        _weights(
            counts, uppers, capitals, spread, medians, left, right, left_kinds, right_kinds, content,
            sentences, words, out,
        )  # fmt: skip
    else:
        with cython.nogil:
            _weights(
                counts, uppers, capitals, spread, medians, left, right, left_kinds, right_kinds, content,
                sentences, words, out,
            )  # fmt: skip
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _weights(
    counts: cython.const[cython.int][::1],
    uppers: cython.const[cython.int][::1],
    capitals: cython.const[cython.int][::1],
    spread: cython.const[cython.int][::1],
    medians: cython.const[cython.double][::1],
    left: cython.const[cython.int][::1],
    right: cython.const[cython.int][::1],
    left_kinds: cython.const[cython.int][::1],
    right_kinds: cython.const[cython.int][::1],
    content: cython.const[cython.uchar][::1],
    sentences: cython.int,
    words: cython.Py_ssize_t,
    out: cython.double[::1],
) -> cython.void:
    """Do what `weights` does."""
    n: cython.int = 0
    highest: cython.int = 1
    mean: cython.double = 0.0
    deviation: cython.double = 0.0
    for w in range(words):
        if content[w]:
            n += 1
            mean += counts[w]
        highest = max(highest, counts[w])
    if n == 0:
        return
    mean /= n
    for w in range(words):
        if content[w]:
            deviation += (counts[w] - mean) * (counts[w] - mean)
    deviation = sqrt(deviation / n)
    for w in range(words):
        if counts[w] == 0:
            continue
        casing = max(uppers[w], capitals[w]) / (1.0 + log(counts[w]))
        position = log(log(3.0 + medians[w]))
        frequency = counts[w] / (mean + deviation)
        relatedness = 0.0
        if left[w]:
            relatedness += left_kinds[w] / cython.cast(cython.double, left[w])
        if right[w]:
            relatedness += right_kinds[w] / cython.cast(cython.double, right[w])
        relatedness = 1.0 + relatedness * counts[w] / highest
        different = spread[w] / cython.cast(cython.double, sentences)
        out[w] = position * relatedness / (casing + frequency / relatedness + different / relatedness)


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _pairs(
    a: cython.longlong,
    b: cython.longlong,
    keys: cython.const[cython.longlong][::1],
    pairs: cython.const[cython.int][::1],
) -> cython.double:
    """Return how often word `b` follows word `a`."""
    mask: cython.longlong = len(keys) - 1
    key: cython.longlong = ((a << 31) | b) + 1
    slot: cython.longlong = (a * 40503 + b * 9973) & mask
    while keys[slot] != 0:
        if keys[slot] == key:
            return pairs[slot]
        slot = (slot + 1) & mask
    return 0.0


def scores(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    word: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    counts: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    keys: cython.const[cython.longlong][::1],
    pairs: cython.const[cython.int][::1],
) -> array:
    """Return 1 / (1 + S(kw)) of each candidate; a stopword inside counts by how firmly it belongs to its neighbours."""
    count: cython.Py_ssize_t = len(first) - 1
    result = clone(DOUBLES, count, True)
    out: cython.double[::1] = result
    if len(word) < _LONG:
        _scores(first, start, end, word, kind, counts, weight, keys, pairs, count, out)
    else:
        with cython.nogil:
            _scores(first, start, end, word, kind, counts, weight, keys, pairs, count, out)
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _scores(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    word: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    counts: cython.const[cython.int][::1],
    weight: cython.const[cython.double][::1],
    keys: cython.const[cython.longlong][::1],
    pairs: cython.const[cython.int][::1],
    count: cython.Py_ssize_t,
    out: cython.double[::1],
) -> cython.void:
    """Do what `scores` does."""
    i: cython.Py_ssize_t
    for c in range(count):
        o: cython.Py_ssize_t = first[c]
        product = 1.0
        total = 0.0
        worst = 0.0
        for i in range(start[o], end[o]):
            if kind[i] & STOPWORD and i > start[o] and i + 1 < end[o]:
                loose = 1.0 - (
                    _pairs(word[i - 1], word[i], keys, pairs)
                    / counts[word[i - 1]]
                    * _pairs(word[i], word[i + 1], keys, pairs)
                    / counts[word[i + 1]]
                )
                product *= 1.0 + loose
                worst = max(worst, loose)
            else:
                product *= weight[word[i]]
                total += weight[word[i]]
        out[c] = 1.0 / (1.0 + product / ((first[c + 1] - first[c]) * (1.0 + total - worst)))
