"""The features of candidates for the learned method: one row of numbers each.

Four passes fill the rows of some candidates at a time: `places` from the occurrences, `words` (word_features.py) from
the words, `containment` from longer and shorter candidates, `document` with what is the same for all candidates of a
text. A feature is a column, by its number; methods/learned/evidence.py explains each in words.
"""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, FLOATS, INTS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import log
from cython.cimports.phrasemill.kernels._text import Letters, at, letters

_LONG = cython.declare(cython.Py_ssize_t, LONG)

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
IS_CAPITAL = cython.declare(cython.int, 8)
IS_UPPER = cython.declare(cython.int, 16)

# Word classes (methods/learned/shapes.py). The first six (nouns, names, adjectives, foreign words, -ing forms) extend
# a noun phrase to the left; the first three (nouns and names) to the right.
LAST_LEFT = cython.declare(cython.int, 6)
LAST_RIGHT = cython.declare(cython.int, 3)
NAME = cython.declare(cython.int, 3)
PARTICIPLE = cython.declare(cython.int, 7)
VERB = cython.declare(cython.int, 8)
PREPOSITION = cython.declare(cython.int, 9)
OF = cython.declare(cython.int, 10)
DETERMINER = cython.declare(cython.int, 11)
NUMERAL = cython.declare(cython.int, 14)

OPENING_TOKENS = cython.declare(cython.int, 250)  # about an abstract

LAST_SENTENCE = cython.declare(cython.int, 100)  # beyond it all sentences are alike

# The columns of a row by name, and those of this module by number.
FEATURES = tuple(
    """
count rate idf tfidf tfidf_share words characters first first_share last_share spread first_sentence in_title
title_overlap in_opening in_headings shape whole extended_left extended_right longer_share longer_kinds
longer_chosen parts_chosen parts_share head_share word_count word_count_sum early_weight head_count word_idf_least
word_idf_most word_idf_mean head_idf chosen chosen_rate head_rate first_rate word_rate word_rate_least capitals
upper digits hyphens bracketed defined determined closed first_class last_class class_before class_after cohesion
theme theme_least document_words document_candidates document_title tables
rare_least rare_most rare_mean rare_head keyness keyness_least named before_verb after_preposition starts_sentence
document_names document_verbs document_numbers document_sentences listed
""".split()
)
COUNT = cython.declare(cython.int, 0)
RATE = cython.declare(cython.int, 1)
FIRST = cython.declare(cython.int, 7)
FIRST_SHARE = cython.declare(cython.int, 8)
LAST_SHARE = cython.declare(cython.int, 9)
SPREAD = cython.declare(cython.int, 10)
FIRST_SENTENCE = cython.declare(cython.int, 11)
IN_TITLE = cython.declare(cython.int, 12)
IN_OPENING = cython.declare(cython.int, 14)
IN_HEADINGS = cython.declare(cython.int, 15)
SHAPE = cython.declare(cython.int, 16)
WHOLE = cython.declare(cython.int, 17)
EXTENDED_LEFT = cython.declare(cython.int, 18)
EXTENDED_RIGHT = cython.declare(cython.int, 19)
LONGER_SHARE = cython.declare(cython.int, 20)
LONGER_KINDS = cython.declare(cython.int, 21)
LONGER_CHOSEN = cython.declare(cython.int, 22)
PARTS_CHOSEN = cython.declare(cython.int, 23)
CAPITALS = cython.declare(cython.int, 40)
UPPER = cython.declare(cython.int, 41)
BRACKETED = cython.declare(cython.int, 44)
DEFINED = cython.declare(cython.int, 45)
DETERMINED = cython.declare(cython.int, 46)
CLOSED = cython.declare(cython.int, 47)
FIRST_CLASS = cython.declare(cython.int, 48)
LAST_CLASS = cython.declare(cython.int, 49)
CLASS_BEFORE = cython.declare(cython.int, 50)
CLASS_AFTER = cython.declare(cython.int, 51)
DOCUMENT_WORDS = cython.declare(cython.int, 55)
DOCUMENT_CANDIDATES = cython.declare(cython.int, 56)
DOCUMENT_TITLE = cython.declare(cython.int, 57)
TABLES = cython.declare(cython.int, 58)
NAMED = cython.declare(cython.int, 65)
BEFORE_VERB = cython.declare(cython.int, 66)
AFTER_PREPOSITION = cython.declare(cython.int, 67)
STARTS_SENTENCE = cython.declare(cython.int, 68)
DOCUMENT_NAMES = cython.declare(cython.int, 69)
DOCUMENT_VERBS = cython.declare(cython.int, 70)
DOCUMENT_NUMBERS = cython.declare(cython.int, 71)
DOCUMENT_SENTENCES = cython.declare(cython.int, 72)
LISTED = cython.declare(cython.int, 73)
WIDTH = cython.declare(cython.int, 74)


def places(
    text: str,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    shape: cython.const[cython.uchar][::1],
    sentence: cython.const[cython.int][::1],
    line: cython.const[cython.int][::1],
    heading: cython.const[cython.uchar][::1],
    title: cython.Py_ssize_t,
    body: cython.Py_ssize_t,
    longest: cython.int,
    shape_odds: cython.const[cython.float][::1],
    known_shapes: cython.const[cython.uchar][::1],
    same: cython.const[cython.float][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    out: cython.float[::1],
) -> array:
    """Fill the columns of where the candidates `begin` to `stop` (exclusive) stand, and among what; tokens from `body`
    on, the references, do not count. `same` is the row of `document`.

    Returns how often each of them occurs; rows of those that occur nowhere else stay empty.
    """
    tokens: cython.Py_ssize_t = len(kind)
    counts = clone(INTS, stop - begin, True)
    occurs: cython.int[::1] = counts
    view: Letters = letters(text)
    if tokens < _LONG:
        _places(
            view, first, start, end, token_start, kind, shape, sentence, line, heading, title, body, longest,
            shape_odds, known_shapes, same, begin, stop, out, tokens, occurs,
        )  # fmt: skip
    else:
        with cython.nogil:
            _places(
                view, first, start, end, token_start, kind, shape, sentence, line, heading, title, body,
                longest, shape_odds, known_shapes, same, begin, stop, out, tokens, occurs,
            )  # fmt: skip
    return counts


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _places(
    view: Letters,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    shape: cython.const[cython.uchar][::1],
    sentence: cython.const[cython.int][::1],
    line: cython.const[cython.int][::1],
    heading: cython.const[cython.uchar][::1],
    title: cython.Py_ssize_t,
    body: cython.Py_ssize_t,
    longest: cython.int,
    shape_odds: cython.const[cython.float][::1],
    known_shapes: cython.const[cython.uchar][::1],
    same: cython.const[cython.float][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    out: cython.float[::1],
    tokens: cython.Py_ssize_t,
    occurs: cython.int[::1],
) -> cython.void:
    """Do what `places` does, and fill `occurs`."""
    i: cython.Py_ssize_t
    o: cython.Py_ssize_t
    left: cython.bint
    right: cython.bint
    lefts: cython.double
    rights: cython.double
    capitals: cython.double
    uppers: cython.double
    determined: cython.double
    closed: cython.double
    named: cython.double
    acting: cython.double
    governed: cython.double
    starting: cython.double
    titled: cython.int
    opening: cython.int
    headings: cython.int
    c: cython.Py_ssize_t
    for c in range(begin, stop):
        whole = lefts = rights = capitals = uppers = bracketed = defined = determined = closed = 0.0
        named = acting = governed = starting = 0.0
        titled = opening = headings = 0
        began: cython.Py_ssize_t = -1
        ended: cython.Py_ssize_t = 0
        odds = -100.0
        times = 0.0
        for o in range(first[c], first[c + 1]):
            a: cython.Py_ssize_t = start[o]
            b: cython.Py_ssize_t = end[o]
            if b > body:
                break
            times += 1
            if began < 0:
                began = a
            ended = a
            code: cython.int = 0
            if b - a <= longest:  # longer ones are candidates of the caller
                for i in range(a, b):
                    code = code * 16 + shape[i]
            odds = max(odds, shape_odds[known_shapes[code]])
            left = right = False
            if a > 0 and sentence[a - 1] == sentence[a]:
                left = 1 <= shape[a - 1] <= LAST_LEFT and not kind[a - 1] & STOPWORD
                determined += shape[a - 1] == DETERMINER
                governed += shape[a - 1] == PREPOSITION or shape[a - 1] == OF
            else:
                starting += 1
            if b < tokens and sentence[b] == sentence[a]:
                right = 1 <= shape[b] <= LAST_RIGHT and not kind[b] & STOPWORD
                acting += shape[b] == VERB or shape[b] == PARTICIPLE
            lefts += left
            rights += right
            whole += not left and not right
            capitals += kind[a] & IS_CAPITAL != 0 and (a == 0 or sentence[a - 1] == sentence[a])
            uppers += kind[b - 1] & IS_UPPER != 0
            named += shape[a] == NAME and shape[b - 1] == NAME
            if a > 0 and b < tokens and at(view, token_start[a - 1]) == "(" and at(view, token_start[b]) == ")":
                bracketed += 1
            elif b + 1 < tokens and at(view, token_start[b]) == "(" and kind[b + 1] & IS_UPPER:
                defined += 1
            closed += b >= tokens or sentence[b] != sentence[a] or not kind[b] & WORD
            if a < title:
                titled += 1
            elif heading[line[a]]:
                headings += 1
            opening += a < OPENING_TOKENS
        if began < 0:
            continue
        occurs[c - begin] = cython.cast(cython.int, times)
        row = (c - begin) * WIDTH
        b = began + end[first[c]] - start[first[c]]
        for i in range(WIDTH):
            out[row + i] = same[i]
        out[row + COUNT] = log(1 + times)
        out[row + RATE] = log(1 + 1000.0 * times / body)
        out[row + FIRST] = log(1 + began)
        out[row + FIRST_SHARE] = began / cython.cast(cython.double, body)
        out[row + LAST_SHARE] = ended / cython.cast(cython.double, body)
        out[row + SPREAD] = (ended - began) / cython.cast(cython.double, body)
        out[row + FIRST_SENTENCE] = min(sentence[began], LAST_SENTENCE)
        out[row + IN_TITLE] = titled
        out[row + IN_OPENING] = log(1 + opening)
        out[row + IN_HEADINGS] = log(1 + headings)
        out[row + SHAPE] = odds
        out[row + WHOLE] = whole / times
        out[row + EXTENDED_LEFT] = lefts / times
        out[row + EXTENDED_RIGHT] = rights / times
        out[row + CAPITALS] = capitals / times
        out[row + UPPER] = uppers / times
        out[row + BRACKETED] = bracketed / times
        out[row + DEFINED] = defined / times
        out[row + DETERMINED] = determined / times
        out[row + CLOSED] = closed / times
        out[row + NAMED] = named / times
        out[row + BEFORE_VERB] = acting / times
        out[row + AFTER_PREPOSITION] = governed / times
        out[row + STARTS_SENTENCE] = starting / times
        out[row + FIRST_CLASS] = shape[start[first[c]]]
        out[row + LAST_CLASS] = shape[end[first[c]] - 1]
        out[row + CLASS_BEFORE] = _neighbour(view, token_start, kind, shape, sentence, began - 1, began)
        out[row + CLASS_AFTER] = _neighbour(view, token_start, kind, shape, sentence, b, began)


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.returns(cython.double)
def _neighbour(
    view: Letters,
    token_start: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    shape: cython.const[cython.uchar][::1],
    sentence: cython.const[cython.int][::1],
    i: cython.Py_ssize_t,
    inside: cython.Py_ssize_t,
):
    """Return the class of token `i`; below 0 for marks, and beyond the sentence of the token `inside`."""
    if i < 0 or i >= len(kind) or sentence[i] != sentence[inside]:
        return -5.0
    if kind[i] & WORD:
        return shape[i]
    character: cython.Py_UCS4 = at(view, token_start[i])
    if character == ",":
        return -1.0
    if character == "(" or character == "[":
        return -2.0
    if character == ")" or character == "]":
        return -3.0
    return -4.0


def runs(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    tokens: cython.Py_ssize_t,
    longest: cython.int,
) -> tuple:
    """Return what `containment` looks candidates up in: by first token and length up to `longest`, one more than the
    candidate that stands there, 0 for none; by first token, bits for the lengths of those that stand there for the
    first time; and the candidates that are longer."""
    count: cython.Py_ssize_t = len(first) - 1
    of_run = clone(INTS, tokens * longest, True)
    news = clone(BYTES, tokens, True)
    longer: list = []
    at: cython.int[::1] = of_run
    new: cython.uchar[::1] = news
    c: cython.Py_ssize_t
    if tokens < _LONG:
        _fill_runs(first, start, end, longest, at, new, count)
    else:
        with cython.nogil:
            _fill_runs(first, start, end, longest, at, new, count)
    for c in range(count):
        if end[first[c]] - start[first[c]] > longest:
            longer.append(c)
    return of_run, news, array("i", longer)


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _fill_runs(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    longest: cython.int,
    at: cython.int[::1],
    new: cython.uchar[::1],
    count: cython.Py_ssize_t,
) -> cython.void:
    """Fill the first two of what `runs` returns."""
    c: cython.Py_ssize_t
    o: cython.Py_ssize_t
    for c in range(count):
        for o in range(first[c], first[c + 1]):
            if end[o] - start[o] <= longest:
                at[start[o] * longest + end[o] - start[o] - 1] = c + 1
                if o == first[c]:
                    new[start[o]] |= 1 << (end[o] - start[o] - 1)


def containment(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    body: cython.Py_ssize_t,
    longest: cython.int,
    of_run: cython.const[cython.int][::1],
    new: cython.const[cython.uchar][::1],
    longer: cython.const[cython.int][::1],
    chosen: cython.const[cython.uchar][::1],
    decoded: cython.const[cython.float][::1],
    begin: cython.Py_ssize_t,
    occurs: cython.const[cython.int][::1],
    out: cython.float[::1],
) -> None:
    """Fill the columns of longer and shorter candidates: how frequent they are, and how often `chosen` elsewhere, as
    codes that stand for numbers. A phrase is part of those at whose first occurrence it stands."""
    if len(new) < _LONG:
        _containment(first, start, end, body, longest, of_run, new, longer, chosen, decoded, begin, occurs, out)
    else:
        with cython.nogil:
            _containment(first, start, end, body, longest, of_run, new, longer, chosen, decoded, begin, occurs, out)


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.returns(cython.Py_ssize_t)
def _occurring(
    first: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    c: cython.Py_ssize_t,
    body: cython.Py_ssize_t,
):
    """Return how often a candidate stands before `body`."""
    last: cython.Py_ssize_t = first[c + 1]
    while last > first[c] and end[last - 1] > body:
        last -= 1
    return last - first[c]


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _containment(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    body: cython.Py_ssize_t,
    longest: cython.int,
    of_run: cython.const[cython.int][::1],
    new: cython.const[cython.uchar][::1],
    longer: cython.const[cython.int][::1],
    chosen: cython.const[cython.uchar][::1],
    decoded: cython.const[cython.float][::1],
    begin: cython.Py_ssize_t,
    occurs: cython.const[cython.int][::1],
    out: cython.float[::1],
) -> cython.void:
    """Do what `containment` does."""
    c: cython.Py_ssize_t
    d: cython.Py_ssize_t
    i: cython.Py_ssize_t
    m: cython.Py_ssize_t
    o: cython.Py_ssize_t
    times: cython.Py_ssize_t
    stop: cython.Py_ssize_t = begin + len(occurs)
    for d in range(begin, stop):
        row: cython.Py_ssize_t = (d - begin) * WIDTH
        if occurs[d - begin] == 0:
            continue
        a: cython.Py_ssize_t = start[first[d]]
        n: cython.Py_ssize_t = end[first[d]] - a
        best: cython.int = 0
        if n > 1:
            for i in range(n):
                for m in range(1, min(n - i, n - 1, longest) + 1):
                    c = of_run[(a + i) * longest + m - 1] - 1
                    if c >= 0 and chosen[c] > best and _occurring(first, end, c, body) > 0:
                        best = chosen[c]
            if best > 0:
                out[row + PARTS_CHOSEN] = log(1 + cython.cast(cython.double, decoded[best]))
        kinds: cython.int = 0
        most: cython.Py_ssize_t = 0
        best = 0
        if n < longest:
            for o in range(first[d], first[d + 1]):
                a = start[o]
                for i in range(max(a + n - longest, 0), a + 1):
                    if new[i] >> n == 0:
                        continue
                    for m in range(max(a - i, 1) + n, longest + 1):
                        if new[i] >> (m - 1) & 1:
                            c = of_run[i * longest + m - 1] - 1
                            kinds += 1
                            times = _occurring(first, end, c, body)
                            most = max(most, times)
                            best = max(best, cython.cast(cython.int, chosen[c]))
        if len(longer) > 0 and n <= longest:
            for i in range(len(longer)):
                c = longer[i]
                a = start[first[c]]
                for o in range(a, end[first[c]] - n + 1):
                    if of_run[o * longest + n - 1] == d + 1:
                        kinds += 1
                        times = _occurring(first, end, c, body)
                        most = max(most, times)
                        best = max(best, cython.cast(cython.int, chosen[c]))
        if kinds > 0:
            out[row + LONGER_KINDS] = log(1 + kinds)
            out[row + LONGER_SHARE] = most / cython.cast(cython.double, occurs[d - begin])
            out[row + LONGER_CHOSEN] = log(1 + cython.cast(cython.double, decoded[best]))


def document(
    shape: cython.const[cython.uchar][::1],
    sentences: cython.Py_ssize_t,
    candidates: cython.Py_ssize_t,
    title: cython.Py_ssize_t,
    body: cython.Py_ssize_t,
    documents: cython.double,
    listed: cython.bint,
) -> array:
    """Return a row with the columns that are the same for all candidates: lengths, number of candidates, shares of
    names, verbs and numbers, and which tables there are."""
    names: cython.int = 0
    verbs: cython.int = 0
    numbers: cython.int = 0
    i: cython.Py_ssize_t
    for i in range(body):
        names += shape[i] == NAME
        verbs += shape[i] == VERB
        numbers += shape[i] == NUMERAL
    tokens: cython.double = max(body, 1)
    result = clone(FLOATS, WIDTH, True)
    out: cython.float[::1] = result
    out[DOCUMENT_WORDS] = log(1 + body)
    out[DOCUMENT_CANDIDATES] = log(1 + candidates)
    out[DOCUMENT_TITLE] = title
    out[TABLES] = documents > 0
    out[DOCUMENT_NAMES] = names / tokens
    out[DOCUMENT_VERBS] = verbs / tokens
    out[DOCUMENT_NUMBERS] = numbers / tokens
    out[DOCUMENT_SENTENCES] = len(shape) / cython.cast(cython.double, max(sentences, 1))
    out[LISTED] = listed
    return result
