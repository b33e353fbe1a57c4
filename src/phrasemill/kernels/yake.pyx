"""YAKE: two passes over the words of a text, then one weight per word, and the scores of candidates."""

from cpython.array cimport array, clone
from libc.math cimport log, sqrt

from phrasemill.kernels.graph cimport Pairs, add, let_go, make_room, slot_of
from phrasemill.kernels.text cimport CAPITAL, STOPWORD, UPPER, WORD, Occurrences, Text, released, restored

cdef array BYTES = array("B"), DOUBLES = array("d")


cdef struct Word:
    int count
    int upper  # how often in capitals …
    int capital  # … and with a capital inside a sentence
    int spread  # in how many sentences
    int seen  # in how many so far, in the second pass
    int last  # one more than the last of them
    int left  # how many words stand before it within the window …
    int right
    int left_kinds  # … and how many different ones
    int right_kinds
    bint content  # whether it is ever more than a stopword
    double middle  # twice the median of the numbers of its sentences
    double weight  # S(t) of the paper


def scores(Occurrences candidates not None, Py_ssize_t window):
    """Return 1 / (1 + S(kw)) of each candidate. Words that stand up to `window` places from each other are neighbours;
    punctuation and numbers end a neighbourhood."""
    cdef array result = clone(DOUBLES, candidates.count, False)
    cdef double *out = result.data.as_doubles
    cdef Text text = candidates.text
    cdef array room = clone(BYTES, text.words * sizeof(Word), True)
    cdef Word *words = <Word *>room.data.as_voidptr
    cdef Pairs pairs
    state = released(text.count)
    cdef bint made = make_room(&pairs, text.count) and _count(text, window, words, &pairs)
    if made:
        _find_middles(text, words)
        _weigh(words, text.words, text.sentences.shape[0])
        _score(candidates, text, words, &pairs, out)
    restored(state)
    let_go(&pairs)
    if not made:
        raise MemoryError
    return result


cdef bint _count(Text text, Py_ssize_t window, Word *words, Pairs *pairs) noexcept nogil:
    """Fill all counts; return whether memory sufficed for the pairs, of which those side by side are counted."""
    cdef Py_ssize_t i = 0, s, begin, run, j, slot
    cdef Word *word
    cdef Word *other
    for s in range(text.sentences.shape[0]):
        begin = run = i  # of the sentence, and of the run of words
        while i < text.sentences[s]:
            if not text.kind[i] & WORD:
                i += 1
                run = i
                continue
            word = &words[text.word[i]]
            word.count += 1
            if not text.kind[i] & STOPWORD:
                word.content = True
            if text.kind[i] & UPPER:
                word.upper += 1
            elif text.kind[i] & CAPITAL and i > begin:
                word.capital += 1
            if word.last != s + 1:
                word.last = s + 1
                word.spread += 1
            for j in range(max(run, i - window), i):
                other = &words[text.word[j]]
                other.right += 1
                word.left += 1
                slot = slot_of(pairs, text.word[j], text.word[i])
                pairs.count[slot] += j == i - 1
                if pairs.key[slot] == 0:
                    other.right_kinds += 1
                    word.left_kinds += 1
                    if not add(pairs, slot, text.word[j], text.word[i]):
                        return False
            i += 1
    return True


cdef void _find_middles(Text text, Word *words) noexcept nogil:
    cdef Py_ssize_t i = 0, s
    cdef Word *word
    for i in range(text.words):
        words[i].last = 0
    i = 0
    for s in range(text.sentences.shape[0]):
        while i < text.sentences[s]:
            word = &words[text.word[i]]
            if text.kind[i] & WORD and word.last != s + 1:
                word.last = s + 1
                word.middle += s * ((word.seen == (word.spread - 1) // 2) + (word.seen == word.spread // 2))
                word.seen += 1
            i += 1


cdef void _weigh(Word *words, Py_ssize_t count, Py_ssize_t sentences) noexcept nogil:
    """Fill the weights; the counts of words that are not always stopwords set the scale."""
    cdef int n = 0, highest = 1
    cdef double mean = 0.0, deviation = 0.0, casing, position, frequency, relatedness, different
    cdef Py_ssize_t w
    cdef Word *word
    for w in range(count):
        if words[w].content:
            n += 1
            mean += words[w].count
        highest = max(highest, words[w].count)
    if n == 0:
        return
    mean /= n
    for w in range(count):
        if words[w].content:
            deviation += (words[w].count - mean) * (words[w].count - mean)
    deviation = sqrt(deviation / n)
    for w in range(count):
        word = &words[w]
        if word.count == 0:
            continue
        casing = max(word.upper, word.capital) / (1.0 + log(word.count))
        position = log(log(3.0 + word.middle / 2.0))
        frequency = word.count / (mean + deviation)
        relatedness = 0.0
        if word.left:
            relatedness += word.left_kinds / <double>word.left
        if word.right:
            relatedness += word.right_kinds / <double>word.right
        relatedness = 1.0 + relatedness * word.count / highest
        different = word.spread / <double>sentences
        word.weight = position * relatedness / (casing + frequency / relatedness + different / relatedness)


cdef void _score(
    Occurrences candidates, Text text, const Word *words, const Pairs *pairs, double *out
) noexcept nogil:
    """Fill `out`; a stopword inside counts by how firmly it belongs to its neighbours."""
    cdef Py_ssize_t c, o, i
    cdef double product, total, worst, loose, before, after
    for c in range(candidates.count):
        o = candidates.first[c]
        product = 1.0
        total = worst = 0.0
        for i in range(candidates.start[o], candidates.end[o]):
            if text.kind[i] & STOPWORD and i > candidates.start[o] and i + 1 < candidates.end[o]:
                before = pairs.count[slot_of(pairs, text.word[i - 1], text.word[i])]
                after = pairs.count[slot_of(pairs, text.word[i], text.word[i + 1])]
                loose = 1.0 - before / words[text.word[i - 1]].count * after / words[text.word[i + 1]].count
                product *= 1.0 + loose
                worst = max(worst, loose)
            else:
                product *= words[text.word[i]].weight
                total += words[text.word[i]].weight
        out[c] = 1.0 / (1.0 + product / ((candidates.first[c + 1] - candidates.first[c]) * (1.0 + total - worst)))
