"""The features of candidates for the learned method: one row of numbers each.

Four passes fill the rows: `places` from the occurrences, `words` from the words, `containment` from longer and shorter
candidates, `document` with what is the same for all candidates of a text. A feature is a column, by its number;
methods/learned/evidence.py explains each in words.
"""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import BYTES, DOUBLES, INTS

if cython.compiled:
    from cython.cimports.cpython.array import clone
    from cython.cimports.libc.math import log, sqrt
else:
    from math import log, sqrt

    from phrasemill.kernels._arrays import clone

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
EARLY = cython.declare(cython.int, 10)  # a word at place i weighs 1 / (i + EARLY), as in PositionRank

# The columns of `word_statistics`.
RARITY = cython.declare(cython.int, 0)
SHARE = cython.declare(cython.int, 1)
RATE_ANYWHERE = cython.declare(cython.int, 2)
RATE_LAST = cython.declare(cython.int, 3)
RATE_FIRST = cython.declare(cython.int, 4)
EVERYDAY_RARITY = cython.declare(cython.int, 5)
STATISTICS = cython.declare(cython.int, 6)
UNHEARD = cython.declare(cython.double, 20.0)  # the everyday rarity of words that the language's list does not have

LAST_SENTENCE = cython.declare(cython.int, 100)  # beyond it all sentences are alike

# The columns of a row, by name and below by number.
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
IDF = cython.declare(cython.int, 2)
TFIDF = cython.declare(cython.int, 3)
TFIDF_SHARE = cython.declare(cython.int, 4)
WORDS = cython.declare(cython.int, 5)
CHARACTERS = cython.declare(cython.int, 6)
FIRST = cython.declare(cython.int, 7)
FIRST_SHARE = cython.declare(cython.int, 8)
LAST_SHARE = cython.declare(cython.int, 9)
SPREAD = cython.declare(cython.int, 10)
FIRST_SENTENCE = cython.declare(cython.int, 11)
IN_TITLE = cython.declare(cython.int, 12)
TITLE_OVERLAP = cython.declare(cython.int, 13)
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
PARTS_SHARE = cython.declare(cython.int, 24)
HEAD_SHARE = cython.declare(cython.int, 25)
WORD_COUNT = cython.declare(cython.int, 26)
WORD_COUNT_SUM = cython.declare(cython.int, 27)
EARLY_WEIGHT = cython.declare(cython.int, 28)
HEAD_COUNT = cython.declare(cython.int, 29)
WORD_IDF_LEAST = cython.declare(cython.int, 30)
WORD_IDF_MOST = cython.declare(cython.int, 31)
WORD_IDF_MEAN = cython.declare(cython.int, 32)
HEAD_IDF = cython.declare(cython.int, 33)
CHOSEN = cython.declare(cython.int, 34)
CHOSEN_RATE = cython.declare(cython.int, 35)
HEAD_RATE = cython.declare(cython.int, 36)
FIRST_RATE = cython.declare(cython.int, 37)
WORD_RATE = cython.declare(cython.int, 38)
WORD_RATE_LEAST = cython.declare(cython.int, 39)
CAPITALS = cython.declare(cython.int, 40)
UPPER = cython.declare(cython.int, 41)
DIGITS = cython.declare(cython.int, 42)
HYPHENS = cython.declare(cython.int, 43)
BRACKETED = cython.declare(cython.int, 44)
DEFINED = cython.declare(cython.int, 45)
DETERMINED = cython.declare(cython.int, 46)
CLOSED = cython.declare(cython.int, 47)
FIRST_CLASS = cython.declare(cython.int, 48)
LAST_CLASS = cython.declare(cython.int, 49)
CLASS_BEFORE = cython.declare(cython.int, 50)
CLASS_AFTER = cython.declare(cython.int, 51)
COHESION = cython.declare(cython.int, 52)
THEME = cython.declare(cython.int, 53)
THEME_LEAST = cython.declare(cython.int, 54)
DOCUMENT_WORDS = cython.declare(cython.int, 55)
DOCUMENT_CANDIDATES = cython.declare(cython.int, 56)
DOCUMENT_TITLE = cython.declare(cython.int, 57)
TABLES = cython.declare(cython.int, 58)
RARE_LEAST = cython.declare(cython.int, 59)
RARE_MOST = cython.declare(cython.int, 60)
RARE_MEAN = cython.declare(cython.int, 61)
RARE_HEAD = cython.declare(cython.int, 62)
KEYNESS = cython.declare(cython.int, 63)
KEYNESS_LEAST = cython.declare(cython.int, 64)
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
    out: cython.float[::1],
) -> array:
    """Fill the columns of where candidates stand, and among what; tokens from `body` on, the references, do not count.

    Returns how often each candidate occurs; rows of those that occur nowhere else stay empty.
    """
    count: cython.Py_ssize_t = len(first) - 1
    tokens: cython.Py_ssize_t = len(kind)
    counts = clone(INTS, count, True)
    occurs: cython.int[::1] = counts
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
    for c in range(count):
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
            if a > 0 and b < tokens and text[token_start[a - 1]] == "(" and text[token_start[b]] == ")":
                bracketed += 1
            elif b + 1 < tokens and text[token_start[b]] == "(" and kind[b + 1] & IS_UPPER:
                defined += 1
            closed += b >= tokens or sentence[b] != sentence[a] or not kind[b] & WORD
            if a < title:
                titled += 1
            elif heading[line[a]]:
                headings += 1
            opening += a < OPENING_TOKENS
        if began < 0:
            continue
        occurs[c] = cython.cast(cython.int, times)
        row = c * WIDTH
        b = began + end[first[c]] - start[first[c]]
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
        out[row + CLASS_BEFORE] = _neighbour(text, token_start, kind, shape, sentence, began - 1, began)
        out[row + CLASS_AFTER] = _neighbour(text, token_start, kind, shape, sentence, b, began)
    return counts


@cython.cfunc
@cython.inline
@cython.returns(cython.double)
def _neighbour(
    text: str,
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
    character = text[token_start[i]]
    if character == ",":
        return -1.0
    if character == "(" or character == "[":
        return -2.0
    if character == ")" or character == "]":
        return -3.0
    return -4.0


def words(
    text: str,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    token_end: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    title: cython.Py_ssize_t,
    body: cython.Py_ssize_t,
    occurs: cython.const[cython.int][::1],
    phrase_df: cython.const[cython.float][::1],
    phrase_chosen: cython.const[cython.float][::1],
    number: cython.const[cython.int][::1],
    known_of: cython.const[cython.double][::1],
    documents: cython.double,
    vectors: cython.const[cython.float][::1],
    dimensions: cython.int,
    listed: cython.bint,
    out: cython.float[::1],
) -> None:
    """Fill the columns that depend on the words of candidates and on the tables of other texts: for candidates in how
    many documents they occur and how often they were chosen, below 0 for unknown; for words `word_statistics` and
    vectors, by the `number` of each stem. `documents` is 0 where there are no tables, `listed` is False where the
    language has no list of frequencies."""
    count: cython.Py_ssize_t = len(first) - 1
    stems: cython.Py_ssize_t = len(number)
    known: cython.bint = documents > 0
    word_count_of = clone(INTS, stems, True)
    word_count: cython.int[::1] = word_count_of
    early: cython.double[::1] = clone(DOUBLES, stems, True)
    in_title: cython.uchar[::1] = clone(BYTES, stems, True)
    log_count: cython.double[::1] = clone(DOUBLES, stems, True)
    log_rate: cython.double[::1] = clone(DOUBLES, stems, True)
    j: cython.Py_ssize_t
    for i in range(body):
        word_count[stem[i]] += 1
        early[stem[i]] += 1.0 / (i + EARLY)
        if i < title and not kind[i] & STOPWORD:
            in_title[stem[i]] = 1
    for s in range(stems):
        log_count[s] = log(1 + word_count[s])
        log_rate[s] = log((word_count[s] + 0.1) / body)
    closeness: cython.double[::1] = themes(vectors, dimensions, number, word_count_of, known_of)
    content: cython.int
    overlap: cython.int
    most: cython.double = 0.0
    for c in range(count):
        if occurs[c] == 0:
            continue
        row = c * WIDTH
        a: cython.Py_ssize_t = start[first[c]]
        n: cython.Py_ssize_t = end[first[c]] - a
        content = overlap = 0
        characters: cython.Py_ssize_t = n - 1
        digits = hyphens = False
        fewest: cython.int = 1 << 30
        rarest = rarities = counts = earliness = near = rates = together = rare_most = rare_sum = keyness = 0.0
        commonest = least_near = least_rate = rare_least = least_key = 100.0
        for i in range(a, a + n):
            s = stem[i]
            characters += token_end[i] - token_start[i]
            for j in range(token_start[i], token_end[i]):
                character = text[j]
                if "0" <= character <= "9":
                    digits = True
                elif character == "-" or character == "/":
                    hyphens = True
            if kind[i] & STOPWORD and n > 1:
                continue
            content += 1
            overlap += in_title[s]
            fewest = min(fewest, word_count[s])
            counts += log_count[s]
            earliness += early[s]
            k: cython.Py_ssize_t = number[s] * STATISTICS
            commonest = min(commonest, known_of[k + RARITY])
            rarest = max(rarest, known_of[k + RARITY])
            rarities += known_of[k + RARITY]
            if listed:
                rare = known_of[k + EVERYDAY_RARITY]
                rare_least = min(rare_least, rare)
                rare_most = max(rare_most, rare)
                rare_sum += rare
                key = log_rate[s] + rare
                keyness += key
                least_key = min(least_key, key)
            near += closeness[s]
            least_near = min(least_near, closeness[s])
            if known:
                rates += known_of[k + RATE_ANYWHERE]
                least_rate = min(least_rate, known_of[k + RATE_ANYWHERE])
                together += known_of[k + SHARE]
        if content == 0:
            content = fewest = 1
            commonest = least_near = rare_least = least_key = 0.0
        s = stem[a + n - 1]
        k = number[s] * STATISTICS
        idf = log(documents + 1) - log(max(phrase_df[c], 0.5) + 1) if known else 0.0
        tfidf = occurs[c] * (idf if known else 1.0)
        most = max(most, tfidf)
        out[row + IDF] = idf
        out[row + TFIDF] = log(1 + tfidf)
        out[row + TFIDF_SHARE] = tfidf
        out[row + WORDS] = n
        out[row + CHARACTERS] = characters
        out[row + DIGITS] = digits
        out[row + HYPHENS] = hyphens
        out[row + TITLE_OVERLAP] = overlap / cython.cast(cython.double, content)
        out[row + PARTS_SHARE] = occurs[c] / cython.cast(cython.double, max(fewest, 1))
        out[row + HEAD_SHARE] = occurs[c] / cython.cast(cython.double, max(word_count[s], 1))
        out[row + WORD_COUNT] = counts / content
        out[row + WORD_COUNT_SUM] = counts
        out[row + HEAD_COUNT] = log_count[s]
        out[row + EARLY_WEIGHT] = log(earliness + 0.001)
        out[row + WORD_IDF_LEAST] = commonest
        out[row + WORD_IDF_MOST] = rarest
        out[row + WORD_IDF_MEAN] = rarities / content
        out[row + HEAD_IDF] = known_of[k + RARITY]
        out[row + THEME] = near / content
        out[row + THEME_LEAST] = least_near
        if listed:
            out[row + RARE_LEAST] = rare_least
            out[row + RARE_MOST] = rare_most
            out[row + RARE_MEAN] = rare_sum / content
            out[row + RARE_HEAD] = known_of[k + EVERYDAY_RARITY]
            out[row + KEYNESS] = keyness / content
            out[row + KEYNESS_LEAST] = least_key
        if known:
            out[row + CHOSEN] = log(1 + max(phrase_chosen[c], 0.0))
            out[row + CHOSEN_RATE] = log((max(phrase_chosen[c], 0.0) + 0.1) / (max(phrase_df[c], 0.0) + 1.0))
            out[row + HEAD_RATE] = known_of[k + RATE_LAST]
            out[row + FIRST_RATE] = known_of[number[stem[a]] * STATISTICS + RATE_FIRST]
            out[row + WORD_RATE] = rates / content
            out[row + WORD_RATE_LEAST] = least_rate if rates != 0 else 0.0
            if content > 1:
                out[row + COHESION] = log(max(phrase_df[c], 0.5) / (documents + 1)) - together
    for c in range(count):
        if most > 0:
            out[c * WIDTH + TFIDF_SHARE] /= most


def word_statistics(
    places: cython.const[cython.int][::1],
    df: cython.const[cython.uchar][::1],
    chosen: cython.const[cython.uchar][::1],
    head: cython.const[cython.uchar][::1],
    first: cython.const[cython.uchar][::1],
    decoded: cython.const[cython.float][::1],
    documents: cython.double,
    listed: cython.const[cython.int][::1],
    rarity: cython.const[cython.uchar][::1],
    scale: cython.double,
) -> array:
    """Return one row per word, as `words` takes them: its rarity, the logarithm of its share of documents, how often it
    was chosen anywhere in a phrase, as the last word and as the first, and its rarity in the language at large.
    `places` are those in a table's columns, `listed` those in a language's list of `rarity` in units of 1 / `scale`;
    -1 for unknown words. Zeros where there are no tables."""
    count: cython.Py_ssize_t = len(places)
    result = clone(DOUBLES, STATISTICS * count, True)
    out: cython.double[::1] = result
    if documents > 0:
        for i in range(count):
            place: cython.Py_ssize_t = places[i]
            seen = decoded[df[place]] if place >= 0 else -1.0
            out[i * STATISTICS + RARITY] = log(documents + 1) - log(max(seen, 0.5) + 1)
            out[i * STATISTICS + SHARE] = log((max(seen, 0.0) + 1) / (documents + 1))
            out[i * STATISTICS + RATE_ANYWHERE] = _rate(decoded[chosen[place]] if place >= 0 else -1.0, seen)
            out[i * STATISTICS + RATE_LAST] = _rate(decoded[head[place]] if place >= 0 else -1.0, seen)
            out[i * STATISTICS + RATE_FIRST] = _rate(decoded[first[place]] if place >= 0 else -1.0, seen)
    for i in range(count):
        place = listed[i]
        out[i * STATISTICS + EVERYDAY_RARITY] = rarity[place] / scale if place >= 0 else UNHEARD
    return result


@cython.cfunc
@cython.inline
@cython.returns(cython.double)
def _rate(chosen: cython.double, df: cython.double):
    """Return how often a word was chosen where it occurs, as a logarithm, lower for rare ones."""
    return log((max(chosen, 0.0) + 0.5) / (max(df, 0.0) + 5))


def themes(
    vectors: cython.const[cython.float][::1],
    dimensions: cython.int,
    number: cython.const[cython.int][::1],
    word_count: cython.const[cython.int][::1],
    known_of: cython.const[cython.double][::1],
) -> array:
    """Return how close each word is to the theme: the mean vector of all words, by rarity and the root of counts."""
    stems: cython.Py_ssize_t = len(word_count)
    result = clone(DOUBLES, stems, True)
    closeness: cython.double[::1] = result
    s: cython.Py_ssize_t
    theme: cython.double[::1] = clone(DOUBLES, max(dimensions, 1), True)
    norm: cython.double = 0.0
    j: cython.Py_ssize_t
    for s in range(stems):
        if word_count[s] > 0:
            weight = known_of[number[s] * STATISTICS + RARITY] * sqrt(word_count[s])
            for j in range(dimensions):
                theme[j] += weight * vectors[number[s] * dimensions + j]
    for j in range(dimensions):
        norm += theme[j] * theme[j]
    if norm > 0:
        norm = sqrt(norm)
        for j in range(dimensions):
            theme[j] /= norm
    # Four words side by side: each sum waits for the one before it, and the waits overlap.
    s = 0
    while s + 4 <= stems:
        a: cython.Py_ssize_t = number[s] * dimensions
        b: cython.Py_ssize_t = number[s + 1] * dimensions
        c: cython.Py_ssize_t = number[s + 2] * dimensions
        d: cython.Py_ssize_t = number[s + 3] * dimensions
        near_a = near_b = near_c = near_d = 0.0
        for j in range(dimensions):
            near_a += theme[j] * vectors[a + j]
            near_b += theme[j] * vectors[b + j]
            near_c += theme[j] * vectors[c + j]
            near_d += theme[j] * vectors[d + j]
        closeness[s] = near_a
        closeness[s + 1] = near_b
        closeness[s + 2] = near_c
        closeness[s + 3] = near_d
        s += 4
    while s < stems:
        near = 0.0
        for j in range(dimensions):
            near += theme[j] * vectors[number[s] * dimensions + j]
        closeness[s] = near
        s += 1
    return result


def containment(
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    tokens: cython.Py_ssize_t,
    longest: cython.int,
    occurs: cython.const[cython.int][::1],
    phrase_chosen: cython.const[cython.float][::1],
    out: cython.float[::1],
) -> None:
    """Fill the columns of longer and shorter candidates: how frequent they are, and how often chosen elsewhere."""
    count: cython.Py_ssize_t = len(first) - 1
    # By first token and length: one more than the candidate, 0 for none.
    at: cython.int[::1] = clone(INTS, tokens * longest, True)
    kinds: cython.int[::1] = clone(INTS, count, True)
    i: cython.Py_ssize_t
    m: cython.Py_ssize_t
    o: cython.Py_ssize_t
    for c in range(count):
        for o in range(first[c], first[c + 1]):
            if end[o] - start[o] <= longest:
                at[start[o] * longest + end[o] - start[o] - 1] = c + 1
    for c in range(count):
        a: cython.Py_ssize_t = start[first[c]]
        n: cython.Py_ssize_t = end[first[c]] - a
        for i in range(n):
            for m in range(1, min(n - i, n - 1, longest) + 1):
                d: cython.Py_ssize_t = at[(a + i) * longest + m - 1] - 1
                if d >= 0 and occurs[d] > 0:
                    kinds[d] += 1
                    out[d * WIDTH + LONGER_KINDS] = log(1 + kinds[d])
                    out[d * WIDTH + LONGER_SHARE] = max(
                        out[d * WIDTH + LONGER_SHARE], occurs[c] / cython.cast(cython.double, occurs[d])
                    )
                    out[d * WIDTH + LONGER_CHOSEN] = max(
                        out[d * WIDTH + LONGER_CHOSEN], log(1 + max(phrase_chosen[c], 0.0))
                    )
                    if occurs[c] > 0:
                        out[c * WIDTH + PARTS_CHOSEN] = max(
                            out[c * WIDTH + PARTS_CHOSEN], log(1 + max(phrase_chosen[d], 0.0))
                        )


def document(
    occurs: cython.const[cython.int][::1],
    shape: cython.const[cython.uchar][::1],
    sentences: cython.Py_ssize_t,
    title: cython.Py_ssize_t,
    body: cython.Py_ssize_t,
    documents: cython.double,
    listed: cython.bint,
    out: cython.float[::1],
) -> None:
    """Fill the columns that are the same for all candidates: lengths, number of candidates, shares of names, verbs and
    numbers, and which tables there are."""
    names: cython.int = 0
    verbs: cython.int = 0
    numbers: cython.int = 0
    for i in range(body):
        names += shape[i] == NAME
        verbs += shape[i] == VERB
        numbers += shape[i] == NUMERAL
    tokens: cython.double = max(body, 1)
    for c in range(len(occurs)):
        if occurs[c] > 0:
            row = c * WIDTH
            out[row + DOCUMENT_WORDS] = log(1 + body)
            out[row + DOCUMENT_CANDIDATES] = log(1 + len(occurs))
            out[row + DOCUMENT_TITLE] = title
            out[row + TABLES] = documents > 0
            out[row + DOCUMENT_NAMES] = names / tokens
            out[row + DOCUMENT_VERBS] = verbs / tokens
            out[row + DOCUMENT_NUMBERS] = numbers / tokens
            out[row + DOCUMENT_SENTENCES] = len(shape) / cython.cast(cython.double, max(sentences, 1))
            out[row + LISTED] = listed
