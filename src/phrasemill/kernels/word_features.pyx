"""The features of candidates that depend on their words, and on how these are used in other texts.

One of the passes that fill the rows of features.py, which names the columns.
"""

from array import array

import cython

from phrasemill.kernels._arrays import BYTES, DOUBLES, INTS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.libc.math import log, sqrt
from cython.cimports.phrasemill.kernels._text import Letters, at, letters

_LONG = cython.declare(cython.Py_ssize_t, LONG)

STOPWORD = cython.declare(cython.int, 2)  # a bit of `Analysis.kind` (types.py)
EARLY = cython.declare(cython.int, 10)  # a word at place i weighs 1 / (i + EARLY), as in PositionRank

# The columns of `word_statistics`.
RARITY = cython.declare(cython.int, 0)
SHARE = cython.declare(cython.int, 1)
RATE_ANYWHERE = cython.declare(cython.int, 2)
RATE_LAST = cython.declare(cython.int, 3)
RATE_FIRST = cython.declare(cython.int, 4)
EVERYDAY_RARITY = cython.declare(cython.int, 5)
STATISTICS = cython.declare(cython.int, 6)
MOST_COUNTED = cython.declare(cython.int, 1000)
UNHEARD = cython.declare(cython.double, 20.0)  # the everyday rarity of words that the language's list does not have

# The columns of a row that this module fills, and their number in all.
IDF = cython.declare(cython.int, 2)
TFIDF = cython.declare(cython.int, 3)
TFIDF_SHARE = cython.declare(cython.int, 4)
WORDS = cython.declare(cython.int, 5)
CHARACTERS = cython.declare(cython.int, 6)
TITLE_OVERLAP = cython.declare(cython.int, 13)
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
DIGITS = cython.declare(cython.int, 42)
HYPHENS = cython.declare(cython.int, 43)
COHESION = cython.declare(cython.int, 52)
THEME = cython.declare(cython.int, 53)
THEME_LEAST = cython.declare(cython.int, 54)
RARE_LEAST = cython.declare(cython.int, 59)
RARE_MOST = cython.declare(cython.int, 60)
RARE_MEAN = cython.declare(cython.int, 61)
RARE_HEAD = cython.declare(cython.int, 62)
KEYNESS = cython.declare(cython.int, 63)
KEYNESS_LEAST = cython.declare(cython.int, 64)
WIDTH = cython.declare(cython.int, 74)


def counts(
    stem: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    stems: cython.Py_ssize_t,
    title: cython.Py_ssize_t,
    body: cython.Py_ssize_t,
) -> tuple:
    """Return three columns over stems: how often each occurs, the sum of the weights of its places, and whether it is
    in the title and no stopword."""
    counted = clone(INTS, stems, True)
    weights = clone(DOUBLES, stems, True)
    titles = clone(BYTES, stems, True)
    word_count: cython.int[::1] = counted
    early: cython.double[::1] = weights
    in_title: cython.uchar[::1] = titles
    i: cython.Py_ssize_t
    for i in range(body):
        word_count[stem[i]] += 1
        early[stem[i]] += 1.0 / (i + EARLY)
        if i < title and not kind[i] & STOPWORD:
            in_title[stem[i]] = 1
    return counted, weights, titles


def logarithms(word_count: cython.const[cython.int][::1], body: cython.Py_ssize_t) -> tuple:
    """Return the logarithms of the counts that words have, from 0 on, and of the shares in `body` tokens; most counts
    are small, and those beyond MOST_COUNTED are left out."""
    most: cython.int = 0
    s: cython.Py_ssize_t
    for s in range(len(word_count)):
        most = max(most, word_count[s])
    most = min(most, MOST_COUNTED) + 1
    of_counts = clone(DOUBLES, most, False)
    of_rates = clone(DOUBLES, most, False)
    log_count: cython.double[::1] = of_counts
    log_rate: cython.double[::1] = of_rates
    for s in range(most):
        log_count[s] = log(1 + s)
        log_rate[s] = log((s + 0.1) / body)
    return of_counts, of_rates


def rarities(decoded: cython.const[cython.float][::1], documents: cython.double) -> array:
    """Return how rare a phrase is for each code of its number of documents; zeros where there are no tables."""
    result = clone(DOUBLES, len(decoded), True)
    out: cython.double[::1] = result
    i: cython.Py_ssize_t
    if documents > 0:
        for i in range(len(decoded)):
            out[i] = log(documents + 1) - log(max(decoded[i], 0.5) + 1)
    return result


def most_frequent(
    first: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    body: cython.Py_ssize_t,
    phrase_df: cython.const[cython.uchar][::1],
    idf_of: cython.const[cython.double][::1],
    known: cython.bint,
) -> float:
    """Return the highest count of a candidate before `body`, times its rarity where tables are `known`."""
    most: cython.double = 0.0
    c: cython.Py_ssize_t
    for c in range(len(first) - 1):
        last: cython.Py_ssize_t = first[c + 1]
        while last > first[c] and end[last - 1] > body:
            last -= 1
        most = max(most, (last - first[c]) * (idf_of[phrase_df[c]] if known else 1.0))
    return most


def words(
    text: str,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    token_end: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    body: cython.Py_ssize_t,
    word_count: cython.const[cython.int][::1],
    early: cython.const[cython.double][::1],
    in_title: cython.const[cython.uchar][::1],
    log_count: cython.const[cython.double][::1],
    log_rate: cython.const[cython.double][::1],
    closeness: cython.const[cython.double][::1],
    number: cython.const[cython.int][::1],
    known_of: cython.const[cython.double][::1],
    phrase_df: cython.const[cython.uchar][::1],
    phrase_chosen: cython.const[cython.uchar][::1],
    decoded: cython.const[cython.float][::1],
    idf_of: cython.const[cython.double][::1],
    most: cython.double,
    documents: cython.double,
    listed: cython.bint,
    begin: cython.Py_ssize_t,
    occurs: cython.const[cython.int][::1],
    out: cython.float[::1],
) -> None:
    """Fill the columns that depend on the words of candidates and on the tables of other texts, for as many candidates
    from `begin` on as `occurs` has counts of.

    Stems have their `counts`, their `closeness` and the `number` of their row in `word_statistics`; candidates have
    codes for in how many documents they occur and how often they were chosen, and `most` is the highest product of
    their counts and rarities. `documents` is 0 where there are no tables, `listed` is False where the language has no
    list of frequencies."""
    view: Letters = letters(text)
    if len(kind) < _LONG:
        _words(
            view, first, start, end, token_start, token_end, kind, stem, body, word_count, early, in_title, log_count,
            log_rate, closeness, number, known_of, phrase_df, phrase_chosen, decoded, idf_of, most, documents, listed,
            begin, occurs, out,
        )  # fmt: skip
    else:
        with cython.nogil:
            _words(
                view, first, start, end, token_start, token_end, kind, stem, body, word_count, early, in_title,
                log_count, log_rate, closeness, number, known_of, phrase_df, phrase_chosen, decoded, idf_of, most,
                documents, listed, begin, occurs, out,
            )  # fmt: skip


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _words(
    view: Letters,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    token_end: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    body: cython.Py_ssize_t,
    word_count: cython.const[cython.int][::1],
    early: cython.const[cython.double][::1],
    in_title: cython.const[cython.uchar][::1],
    log_count: cython.const[cython.double][::1],
    log_rate: cython.const[cython.double][::1],
    closeness: cython.const[cython.double][::1],
    number: cython.const[cython.int][::1],
    known_of: cython.const[cython.double][::1],
    phrase_df: cython.const[cython.uchar][::1],
    phrase_chosen: cython.const[cython.uchar][::1],
    decoded: cython.const[cython.float][::1],
    idf_of: cython.const[cython.double][::1],
    most: cython.double,
    documents: cython.double,
    listed: cython.bint,
    begin: cython.Py_ssize_t,
    occurs: cython.const[cython.int][::1],
    out: cython.float[::1],
) -> cython.void:
    """Do what `words` does."""
    content: cython.int
    overlap: cython.int
    known: cython.bint = documents > 0
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    for c in range(begin, begin + len(occurs)):
        times: cython.int = occurs[c - begin]
        if times == 0:
            continue
        row = (c - begin) * WIDTH
        a: cython.Py_ssize_t = start[first[c]]
        n: cython.Py_ssize_t = end[first[c]] - a
        content = overlap = 0
        characters: cython.Py_ssize_t = n - 1
        digits = hyphens = False
        fewest: cython.int = 1 << 30
        rarest = rarity_sum = summed = earliness = near = rates = together = rare_most = rare_sum = keyness = 0.0
        commonest = least_near = least_rate = rare_least = least_key = 100.0
        for i in range(a, a + n):
            s = stem[i]
            characters += token_end[i] - token_start[i]
            for j in range(token_start[i], token_end[i]):
                character: cython.Py_UCS4 = at(view, j)
                if "0" <= character <= "9":
                    digits = True
                elif character == "-" or character == "/":
                    hyphens = True
            if kind[i] & STOPWORD and n > 1:
                continue
            content += 1
            overlap += in_title[s]
            often: cython.int = word_count[s]
            fewest = min(fewest, often)
            summed += log_count[often] if often < len(log_count) else log(1 + often)
            earliness += early[s]
            k: cython.Py_ssize_t = number[s] * STATISTICS
            commonest = min(commonest, known_of[k + RARITY])
            rarest = max(rarest, known_of[k + RARITY])
            rarity_sum += known_of[k + RARITY]
            if listed:
                rare = known_of[k + EVERYDAY_RARITY]
                rare_least = min(rare_least, rare)
                rare_most = max(rare_most, rare)
                rare_sum += rare
                key = (log_rate[often] if often < len(log_rate) else log((often + 0.1) / body)) + rare
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
        idf = idf_of[phrase_df[c]]
        tfidf = times * (idf if known else 1.0)
        df = cython.cast(cython.double, decoded[phrase_df[c]])
        chosen = cython.cast(cython.double, decoded[phrase_chosen[c]])
        out[row + IDF] = idf
        out[row + TFIDF] = log(1 + tfidf)
        out[row + TFIDF_SHARE] = tfidf
        if most > 0:
            out[row + TFIDF_SHARE] /= most
        out[row + WORDS] = n
        out[row + CHARACTERS] = characters
        out[row + DIGITS] = digits
        out[row + HYPHENS] = hyphens
        out[row + TITLE_OVERLAP] = overlap / cython.cast(cython.double, content)
        out[row + PARTS_SHARE] = times / cython.cast(cython.double, max(fewest, 1))
        out[row + HEAD_SHARE] = times / cython.cast(cython.double, max(word_count[s], 1))
        out[row + WORD_COUNT] = summed / content
        out[row + WORD_COUNT_SUM] = summed
        out[row + HEAD_COUNT] = log_count[word_count[s]] if word_count[s] < len(log_count) else log(1 + word_count[s])
        out[row + EARLY_WEIGHT] = log(earliness + 0.001)
        out[row + WORD_IDF_LEAST] = commonest
        out[row + WORD_IDF_MOST] = rarest
        out[row + WORD_IDF_MEAN] = rarity_sum / content
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
            out[row + CHOSEN] = log(1 + chosen)
            out[row + CHOSEN_RATE] = log((chosen + 0.1) / (df + 1.0))
            out[row + HEAD_RATE] = known_of[k + RATE_LAST]
            out[row + FIRST_RATE] = known_of[number[stem[a]] * STATISTICS + RATE_FIRST]
            out[row + WORD_RATE] = rates / content
            out[row + WORD_RATE_LEAST] = least_rate if rates != 0 else 0.0
            if content > 1:
                out[row + COHESION] = log(max(df, 0.5) / (documents + 1)) - together


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


def gathered(number: cython.const[cython.int][::1], known_of: cython.const[cython.double][::1]) -> tuple:
    """Return the rows of some words, by their numbers, in a table of their own: the row of each, and the table, which
    begins with the row of number 0."""
    rows: cython.Py_ssize_t = 1
    s: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for s in range(len(number)):
        rows += number[s] != 0
    places = clone(INTS, len(number), True)
    table = clone(DOUBLES, rows * STATISTICS, False)
    place: cython.int[::1] = places
    out: cython.double[::1] = table
    rows = 1
    for j in range(STATISTICS):
        out[j] = known_of[j]
    for s in range(len(number)):
        if number[s] != 0:
            for j in range(STATISTICS):
                out[rows * STATISTICS + j] = known_of[number[s] * STATISTICS + j]
            place[s] = rows
            rows += 1
    return places, table


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
    result = clone(DOUBLES, len(word_count), True)
    theme: cython.double[::1] = clone(DOUBLES, max(dimensions, 1), True)
    _themes(vectors, dimensions, number, word_count, known_of, theme, result)
    return result


@cython.nogil
@cython.cfunc
@cython.exceptval(check=False)
def _themes(
    vectors: cython.const[cython.float][::1],
    dimensions: cython.int,
    number: cython.const[cython.int][::1],
    word_count: cython.const[cython.int][::1],
    known_of: cython.const[cython.double][::1],
    theme: cython.double[::1],
    closeness: cython.double[::1],
) -> cython.void:
    """Fill `closeness` as `themes` returns it; `theme` has a zero for each dimension."""
    stems: cython.Py_ssize_t = len(word_count)
    s: cython.Py_ssize_t
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
