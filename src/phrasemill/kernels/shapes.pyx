"""Candidates by the shape of their tags: runs of words whose sequence of word classes is one that keyphrases have."""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, INTS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
NUMBER = cython.declare(cython.int, 4)
UPPER = cython.declare(cython.int, 16)

# Word classes that the code uses; methods/learned/shapes.py names all sixteen.
NONE = cython.declare(cython.int, 0)
NOUN = cython.declare(cython.int, 1)
NOUNS = cython.declare(cython.int, 2)
NAME = cython.declare(cython.int, 3)
VERB = cython.declare(cython.int, 8)
PREPOSITION = cython.declare(cython.int, 9)
OF = cython.declare(cython.int, 10)
CARDINAL = cython.declare(cython.int, 14)
OWNER = cython.declare(cython.int, 15)
AND = cython.declare(cython.int, 13)

# Roles of tags in `hide_verbs`; methods/learned/shapes.py says which tag has which.
DETERMINER_ROLE = cython.declare(cython.int, 1)
MODIFIER = cython.declare(cython.int, 2)
SINGULAR = cython.declare(cython.int, 3)
PLURAL = cython.declare(cython.int, 4)
FINITE = cython.declare(cython.int, 5)
OPENER = cython.declare(cython.int, 6)
PREPOSITION_ROLE = cython.declare(cython.int, 7)
ADVERB_ROLE = cython.declare(cython.int, 8)
MARK_ROLE = cython.declare(cython.int, 9)
COMMA = cython.declare(cython.int, 10)
MOST_MARKS = cython.declare(cython.int, 3)


def classes(
    tag: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    class_of: cython.const[cython.uchar][::1],
    stems: object,
    of: frozenset,
) -> array:
    """Return the word class of each token by its tag: none for punctuation, its own for the prepositions `of`."""
    count: cython.Py_ssize_t = len(tag)
    result = clone(BYTES, count, True)
    out: cython.uchar[::1] = result
    for i in range(count):
        if kind[i] & (WORD | NUMBER):
            out[i] = class_of[tag[i]]
            if (out[i] == PREPOSITION or out[i] == OWNER) and stems[stem[i]] in of:
                out[i] = OF
    return result


def phrase_classes(
    shape: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    stems: object,
    units: frozenset,
    labels: frozenset,
) -> array:
    """Return the word classes as `runs` takes them: none for one of the `units` after a number (2 cups), and for one of
    the `labels` with its number, which is short (Table 2, but Section 230 is a law). Both are stems."""
    count: cython.Py_ssize_t = len(shape)
    result = clone(BYTES, count, True)
    out: cython.uchar[::1] = result
    for i in range(count):
        out[i] = shape[i]
        if i == 0:
            continue
        if kind[i - 1] & NUMBER or shape[i - 1] == CARDINAL:
            if stems[stem[i]] in units:
                out[i] = NONE
        if kind[i] & NUMBER and stems[stem[i - 1]] in labels:
            number: str = stems[stem[i]]
            if len(number) < 3 or "." in number:
                out[i - 1] = NONE
                out[i] = NONE
    return result


def runs(
    shape: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    stems: object,
    dates: frozenset,
    sentences: cython.const[cython.int][::1],
    known: cython.const[cython.uchar][::1],
    longest: cython.int,
) -> tuple:
    """Return token bounds of all runs within a sentence, of up to `longest` tokens, whose shape is `known`.

    A shape is the classes of a run as digits to the base 16. No run starts or ends with a stopword, unless it is a noun
    in capitals (IT, WHO), and each has a word. One of the `dates`, which are stems, alone is no run.
    """
    count: cython.Py_ssize_t = len(shape)
    starts = clone(INTS, count * longest, False)
    ends = clone(INTS, count * longest, False)
    start: cython.int[::1] = starts  # what is not filled in takes no memory
    end: cython.int[::1] = ends
    dated: cython.uchar[::1] = clone(BYTES, len(stems), False)
    one: cython.Py_ssize_t
    for one in range(len(stems)):
        dated[one] = stems[one] in dates
    found: cython.Py_ssize_t
    if count < _LONG:
        found = _runs(shape, kind, stem, dated, sentences, known, longest, start, end)
    else:
        with cython.nogil:
            found = _runs(shape, kind, stem, dated, sentences, known, longest, start, end)
    del start, end
    del starts[found:], ends[found:]
    return starts, ends


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _runs(
    shape: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    dated: cython.uchar[::1],
    sentences: cython.const[cython.int][::1],
    known: cython.const[cython.uchar][::1],
    longest: cython.int,
    start: cython.int[::1],
    end: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill `start` and `end`, and return how many there are."""
    found: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    for s in range(len(sentences)):
        limit: cython.Py_ssize_t = sentences[s]
        while i < limit:
            if shape[i] != NONE and _edge(kind[i], shape[i]):
                code: cython.int = 0
                words = False
                for j in range(i, min(i + longest, limit)):
                    if shape[j] == NONE:
                        break
                    code = code * 16 + shape[j]
                    if kind[j] & WORD:
                        words = True
                    if known[code] == 0 or not words or not _edge(kind[j], shape[j]):
                        continue
                    if i < j or not dated[stem[i]]:
                        start[found] = i
                        end[found] = j + 1
                        found += 1
            i += 1
    return found


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.returns(cython.bint)
def _edge(kind: cython.int, shape: cython.int):
    """Return whether a run may start or end with such a token."""
    if not kind & STOPWORD:
        return True
    return kind & UPPER != 0 and (shape == NOUN or shape == NOUNS or shape == NAME)


def hide_verbs(
    shape: cython.uchar[::1],
    tag: cython.const[cython.uchar][::1],
    word: cython.const[cython.int][::1],
    role_of: cython.const[cython.uchar][::1],
    words: object,
    subordinators: frozenset,
    sentences: cython.const[cython.int][::1],
) -> None:
    """Set to none the class of finite verbs and infinitives, which are in no keyphrase, and of what is tagged as a
    plural noun and must be the verb: `the app crashes when …`. After a noun and a conjunction, a noun is often taken
    for a verb and stays: `salt and wheat flour`.

    A clause that begins with singular nouns, goes on with a plural noun and then with anything but a noun, and has no
    finite verb up to the next clause, has that one. Without a determiner before it may be a heading (`software updates
    for the shop`), unless an article, an adverb or another clause follows. `role_of` has the role of each tag.
    """
    first: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    for i in range(len(shape)):
        if shape[i] == VERB and not (i > 1 and shape[i - 1] == AND and NOUN <= shape[i - 2] <= NAME):
            shape[i] = NONE
    for s in range(len(sentences)):
        last: cython.Py_ssize_t = sentences[s]
        begin: cython.Py_ssize_t = first
        while begin < last and begin < first + MOST_MARKS and role_of[tag[begin]] == MARK_ROLE:
            begin += 1  # 1. The …
        while begin < last:
            opened: cython.bint = _opens(role_of[tag[begin]], words, word[begin], subordinators)
            finite: cython.bint = role_of[tag[begin]] == FINITE
            end: cython.Py_ssize_t = begin + 1
            while end < last and not _opens(role_of[tag[end]], words, word[end], subordinators):
                finite = finite or role_of[tag[end]] == FINITE
                end += 1
                if opened and role_of[tag[end - 1]] == COMMA:
                    break
            i = begin + 1 if opened else begin
            if not finite and i < last:
                determined: cython.bint = role_of[tag[i]] == DETERMINER_ROLE
                if determined:
                    i += 1
                singular: cython.bint = False
                while i < last and (role_of[tag[i]] == MODIFIER or role_of[tag[i]] == SINGULAR):
                    singular = role_of[tag[i]] == SINGULAR
                    i += 1
                if singular and i + 1 < last and role_of[tag[i]] == PLURAL and _follows_verb(role_of[tag[i + 1]]):
                    after: str = words[word[i + 1]]
                    other: cython.bint = role_of[tag[i + 1]] != PREPOSITION_ROLE or after in subordinators
                    if other or (determined and after != "of"):
                        shape[i] = NONE
            begin = end
        first = last


@cython.cfunc
@cython.inline
@cython.returns(cython.bint)
def _opens(role: cython.int, words: object, word: cython.int, subordinators: frozenset):
    """Return whether a clause begins with such a word, which is no part of it: when, if."""
    return role == OPENER or (role == PREPOSITION_ROLE and words[word] in subordinators)


@cython.cfunc
@cython.inline
@cython.returns(cython.bint)
def _follows_verb(role: cython.int):
    return role == PREPOSITION_ROLE or role == DETERMINER_ROLE or role == OPENER or role == ADVERB_ROLE
