"""The features of candidates for the learned method: one row of numbers each, in one pass over a document.

The order of the columns is that of `FEATURES`; methods/learned/features.py says in words what each one means.
"""

import math
from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

COMPILED = cython.compiled

# Bits of `Analysis.kind` (types.py).
WORD = cython.declare(cython.int, 1)
STOPWORD = cython.declare(cython.int, 2)
CAPITAL = cython.declare(cython.int, 8)
UPPER = cython.declare(cython.int, 16)

# Word classes (methods/learned/shapes.py): nouns, names, adjectives, foreign words and -ing forms extend a noun phrase
# to the left, nouns and names to the right.
NAME = cython.declare(cython.int, 3)
ADJECTIVE = cython.declare(cython.int, 4)
FOREIGN = cython.declare(cython.int, 5)
ING = cython.declare(cython.int, 6)
DETERMINER = cython.declare(cython.int, 11)

TITLE_TOKENS = cython.declare(cython.int, 40)  # a first line that is longer is no title
OPENING_TOKENS = cython.declare(cython.int, 250)  # about an abstract
HEADING_TOKENS = cython.declare(cython.int, 9)
EARLY = cython.declare(cython.int, 10)  # a word at place i weighs 1 / (i + EARLY), as in PositionRank

FEATURES = (
    "count",
    "rate",
    "idf",
    "tfidf",
    "tfidf_share",
    "words",
    "characters",
    "first",
    "first_share",
    "last_share",
    "spread",
    "first_sentence",
    "in_title",
    "title_overlap",
    "in_opening",
    "in_headings",
    "shape",
    "whole",
    "extended_left",
    "extended_right",
    "longer_share",
    "longer_kinds",
    "longer_chosen",
    "parts_chosen",
    "parts_share",
    "head_share",
    "word_count",
    "word_count_sum",
    "early_weight",
    "head_count",
    "word_idf_least",
    "word_idf_most",
    "word_idf_mean",
    "head_idf",
    "chosen",
    "chosen_rate",
    "head_rate",
    "first_rate",
    "word_rate",
    "word_rate_least",
    "capitals",
    "upper",
    "digits",
    "hyphens",
    "bracketed",
    "defined",
    "determined",
    "closed",
    "first_class",
    "last_class",
    "class_before",
    "class_after",
    "cohesion",
    "theme",
    "theme_least",
    "document_words",
    "document_candidates",
    "document_title",
    "tables",
)


def lines(text: str, start: cython.const[cython.int][::1], end: cython.const[cython.int][::1]) -> tuple:
    """The line of each token, and for each line 1 where it looks like a heading: few tokens, no full stop, and
    something below."""
    count: cython.Py_ssize_t = len(start)
    line_of = array("i", bytes(4 * count))
    line: cython.int[::1] = line_of
    current: cython.int = 0
    previous: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(count):
        for j in range(previous, start[i]):
            if text[j] == "\n":
                current += 1
                break
        line[i] = current
        previous = end[i]
    heading_of = array("B", bytes(current + 1))
    heading: cython.uchar[::1] = heading_of
    first: cython.Py_ssize_t = 0
    last: cython.Py_UCS4
    for i in range(count):
        if i + 1 < count and line[i + 1] != line[i]:
            last = text[end[i] - 1]
            if i + 1 - first <= HEADING_TOKENS and last != "." and last != "," and last != ";":
                heading[line[i]] = 1
            first = i + 1
    return line_of, heading_of


def table(
    text: str,
    first: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    token_start: cython.const[cython.int][::1],
    token_end: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    stem: cython.const[cython.int][::1],
    shape: cython.const[cython.uchar][::1],
    sentences: cython.const[cython.int][::1],
    line: cython.const[cython.int][::1],
    heading: cython.const[cython.uchar][::1],
    body: cython.Py_ssize_t,
    longest: cython.int,
    shape_odds: cython.const[cython.float][::1],
    known_shapes: cython.const[cython.uchar][::1],
    phrase_df: cython.const[cython.float][::1],
    phrase_chosen: cython.const[cython.float][::1],
    word_df: cython.const[cython.float][::1],
    word_chosen: cython.const[cython.float][::1],
    word_head: cython.const[cython.float][::1],
    word_first: cython.const[cython.float][::1],
    documents: cython.double,
    vectors: cython.const[cython.float][::1],
    dimensions: cython.int,
    out_of: array,
) -> None:
    """Fill `out_of`, a row of `len(FEATURES)` numbers a candidate.

    Tokens from `body` on are the list of references: what stands there is not counted. Document frequencies are
    counts (negative for unknown), by candidate and by stem; `documents` is 0 where there are no tables.
    """
    count: cython.Py_ssize_t = len(first) - 1
    tokens: cython.Py_ssize_t = len(kind)
    width: cython.Py_ssize_t = len(FEATURES)
    out: cython.float[::1] = out_of
    stems: cython.Py_ssize_t = len(word_df)
    c: cython.Py_ssize_t
    d: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    o: cython.Py_ssize_t
    s: cython.Py_ssize_t
    n: cython.Py_ssize_t
    m: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t

    # Of the words: how often each occurs, which of them the title has, in which sentence each token stands.
    word_count_of = array("i", bytes(4 * stems))
    early_of = array("d", bytes(8 * stems))
    early: cython.double[::1] = early_of
    in_title_of = array("B", bytes(stems))
    sentence_of = array("i", bytes(4 * tokens))
    word_count: cython.int[::1] = word_count_of
    in_title: cython.uchar[::1] = in_title_of
    sentence: cython.int[::1] = sentence_of
    i = 0
    for s in range(len(sentences)):
        while i < sentences[s]:
            sentence[i] = s
            i += 1
    for i in range(body):
        word_count[stem[i]] += 1
        early[stem[i]] += 1.0 / (i + EARLY)
    title: cython.Py_ssize_t = 0
    while title < body and line[title] == 0:
        title += 1
    if title == body or title > TITLE_TOKENS:
        title = min(sentences[0], body) if len(sentences) else 0
        if title > TITLE_TOKENS:
            title = 0
    for i in range(title):
        if not kind[i] & STOPWORD:
            in_title[stem[i]] = 1

    # Which candidate starts at a token with so many tokens; how often each occurs in the body.
    at_of = array("i", bytes(4 * tokens * longest))
    at: cython.int[::1] = at_of
    body_count_of = array("i", bytes(4 * count))
    body_count: cython.int[::1] = body_count_of
    for c in range(count):
        for o in range(first[c], first[c + 1]):
            if end[o] - start[o] <= longest:
                at[start[o] * longest + end[o] - start[o] - 1] = c + 1
            if end[o] <= body:
                body_count[c] += 1

    # What the table knows, as logarithms.
    log_documents: cython.double = math.log(documents + 1) if documents > 0 else 0.0
    word_idf_of = array("d", bytes(8 * stems))
    word_idf: cython.double[::1] = word_idf_of
    for s in range(stems):
        if documents > 0:
            word_idf[s] = log_documents - math.log(max(word_df[s], 0.5) + 1)

    # The theme: the mean of the words' vectors, each word by its idf and, to be robust, the root of its count.
    theme_of = array("d", bytes(8 * (dimensions + 1)))
    theme: cython.double[::1] = theme_of
    weight: cython.double
    norm: cython.double = 0.0
    if dimensions > 0:
        for s in range(stems):
            if word_count[s] > 0:
                weight = word_idf[s] * math.sqrt(word_count[s])
                for j in range(dimensions):
                    theme[j] += weight * vectors[s * dimensions + j]
        for j in range(dimensions):
            norm += theme[j] * theme[j]
        norm = math.sqrt(norm)
        if norm > 0:
            for j in range(dimensions):
                theme[j] /= norm
    word_theme_of = array("d", bytes(8 * stems))
    word_theme: cython.double[::1] = word_theme_of
    dot: cython.double
    if dimensions > 0:
        for s in range(stems):
            dot = 0.0
            for j in range(dimensions):
                dot += theme[j] * vectors[s * dimensions + j]
            word_theme[s] = dot

    longer_most_of = array("i", bytes(4 * count))
    longer_kinds_of = array("i", bytes(4 * count))
    longer_chosen_of = array("d", bytes(8 * count))
    longer_most: cython.int[::1] = longer_most_of
    longer_kinds: cython.int[::1] = longer_kinds_of
    longer_chosen: cython.double[::1] = longer_chosen_of
    parts_chosen_of = array("d", bytes(8 * count))
    parts_chosen: cython.double[::1] = parts_chosen_of
    known: cython.double
    for c in range(count):
        a = start[first[c]]
        n = end[first[c]] - a
        known = math.log(1 + max(phrase_chosen[c], 0.0))
        for i in range(n):
            for m in range(1, n - i + 1):
                if m < n and m <= longest and at[(a + i) * longest + m - 1] > 0:
                    d = at[(a + i) * longest + m - 1] - 1
                    longer_kinds[d] += 1
                    longer_most[d] = max(longer_most[d], body_count[c])
                    longer_chosen[d] = max(longer_chosen[d], known)
                    parts_chosen[c] = max(parts_chosen[c], math.log(1 + max(phrase_chosen[d], 0.0)))

    occurrences: cython.Py_ssize_t
    whole: cython.Py_ssize_t
    left: cython.Py_ssize_t
    right: cython.Py_ssize_t
    capitals: cython.Py_ssize_t
    upper: cython.Py_ssize_t
    bracketed: cython.Py_ssize_t
    defined: cython.Py_ssize_t
    determined: cython.Py_ssize_t
    closed: cython.Py_ssize_t
    titled: cython.Py_ssize_t
    opening: cython.Py_ssize_t
    headings: cython.Py_ssize_t
    first_token: cython.Py_ssize_t
    last_token: cython.Py_ssize_t
    code: cython.int
    code_odds: cython.double
    best_odds: cython.double
    more_left: cython.bint
    more_right: cython.bint
    row: cython.Py_ssize_t
    idf: cython.double
    tfidf: cython.double
    tfidf_most: cython.double = 0.0
    least: cython.double
    most: cython.double
    total: cython.double
    rate: cython.double
    rate_least: cython.double
    rate_sum: cython.double
    counts: cython.double
    early_sum: cython.double
    fewest: cython.int
    characters: cython.Py_ssize_t
    digits: cython.bint
    hyphens: cython.bint
    overlap: cython.Py_ssize_t
    content: cython.Py_ssize_t
    theme_sum: cython.double
    theme_least: cython.double
    products: cython.double
    character: cython.Py_UCS4
    for c in range(count):
        row = c * width
        occurrences = body_count[c]
        if occurrences == 0:
            continue
        whole = left = right = capitals = upper = bracketed = defined = determined = closed = 0
        titled = opening = headings = 0
        first_token = -1
        last_token = 0
        best_odds = -100.0
        for o in range(first[c], first[c + 1]):
            a = start[o]
            b = end[o]
            if b > body:
                break
            if first_token < 0:
                first_token = a
            last_token = a
            code = 0
            if b - a <= longest:  # a longer one was asked for by name
                for i in range(a, b):
                    code = code * 16 + shape[i]
            code_odds = shape_odds[known_shapes[code]]
            if code_odds > best_odds:
                best_odds = code_odds
            more_left = False
            more_right = False
            if a > 0 and sentence[a - 1] == sentence[a]:
                more_left = 1 <= shape[a - 1] <= ING and not kind[a - 1] & STOPWORD
                if shape[a - 1] == DETERMINER:
                    determined += 1
            if b < tokens and sentence[b] == sentence[a]:
                more_right = 1 <= shape[b] <= NAME and not kind[b] & STOPWORD
            left += more_left
            right += more_right
            if not more_left and not more_right:
                whole += 1
            if kind[a] & CAPITAL and (a == 0 or sentence[a - 1] == sentence[a]):
                capitals += 1
            if kind[b - 1] & UPPER:
                upper += 1
            if a > 0 and b < tokens and text[token_start[a - 1]] == "(" and text[token_start[b]] == ")":
                bracketed += 1
            elif b + 1 < tokens and text[token_start[b]] == "(" and kind[b + 1] & UPPER:
                defined += 1
            if b >= tokens or sentence[b] != sentence[a] or not kind[b] & WORD:
                closed += 1
            if a < title:
                titled += 1
            elif heading[line[a]]:
                headings += 1
            if a < OPENING_TOKENS:
                opening += 1
        a = start[first[c]]
        n = end[first[c]] - a
        # The words.
        least = 100.0
        most = 0.0
        total = early_sum = rate_sum = counts = theme_sum = products = 0.0
        rate_least = 100.0
        theme_least = 100.0
        fewest = 1 << 30
        characters = n - 1
        digits = hyphens = False
        overlap = content = 0
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
            least = min(least, word_idf[s])
            most = max(most, word_idf[s])
            total += word_idf[s]
            counts += math.log(1 + word_count[s])
            early_sum += early[s]
            fewest = min(fewest, word_count[s])
            theme_sum += word_theme[s]
            theme_least = min(theme_least, word_theme[s])
            if documents > 0:
                rate = math.log((max(word_chosen[s], 0.0) + 0.5) / (max(word_df[s], 0.0) + 5))
                rate_sum += rate
                rate_least = min(rate_least, rate)
                products += math.log((max(word_df[s], 0.0) + 1) / (documents + 1))
        if content == 0:
            content = 1
            least = rate_least = theme_least = 0.0
            fewest = 1
        if documents <= 0:
            rate_least = 0.0
        s = stem[a + n - 1]
        idf = log_documents - math.log(max(phrase_df[c], 0.5) + 1) if documents > 0 else 0.0
        tfidf = occurrences * (idf if documents > 0 else 1.0)
        tfidf_most = max(tfidf_most, tfidf)
        out[row] = math.log(1 + occurrences)
        out[row + 1] = math.log(1 + 1000.0 * occurrences / body)
        out[row + 2] = idf
        out[row + 3] = math.log(1 + tfidf)
        out[row + 4] = tfidf
        out[row + 5] = n
        out[row + 6] = characters
        out[row + 7] = math.log(1 + first_token)
        out[row + 8] = first_token / cython.cast(cython.double, body)
        out[row + 9] = last_token / cython.cast(cython.double, body)
        out[row + 10] = (last_token - first_token) / cython.cast(cython.double, body)
        out[row + 11] = min(sentence[first_token], 100)
        out[row + 12] = titled
        out[row + 13] = overlap / cython.cast(cython.double, content)
        out[row + 14] = math.log(1 + opening)
        out[row + 15] = math.log(1 + headings)
        out[row + 16] = best_odds
        out[row + 17] = whole / cython.cast(cython.double, occurrences)
        out[row + 18] = left / cython.cast(cython.double, occurrences)
        out[row + 19] = right / cython.cast(cython.double, occurrences)
        out[row + 20] = longer_most[c] / cython.cast(cython.double, occurrences)
        out[row + 21] = math.log(1 + longer_kinds[c])
        out[row + 22] = longer_chosen[c]
        out[row + 24] = occurrences / cython.cast(cython.double, max(fewest, 1))
        out[row + 25] = occurrences / cython.cast(cython.double, max(word_count[s], 1))
        out[row + 26] = counts / content
        out[row + 27] = counts
        out[row + 28] = math.log(early_sum + 0.001)
        out[row + 29] = math.log(1 + word_count[s])
        out[row + 30] = least
        out[row + 31] = most
        out[row + 32] = total / content
        out[row + 33] = word_idf[s]
        if documents > 0:
            out[row + 34] = math.log(1 + max(phrase_chosen[c], 0.0))
            out[row + 35] = math.log((max(phrase_chosen[c], 0.0) + 0.1) / (max(phrase_df[c], 0.0) + 1.0))
            out[row + 36] = math.log((max(word_head[s], 0.0) + 0.5) / (max(word_df[s], 0.0) + 5))
            out[row + 37] = math.log((max(word_first[stem[a]], 0.0) + 0.5) / (max(word_df[stem[a]], 0.0) + 5))
            out[row + 38] = rate_sum / content
            out[row + 39] = rate_least
            if content > 1:
                out[row + 52] = math.log((max(phrase_df[c], 0.5)) / (documents + 1)) - products
        out[row + 40] = capitals / cython.cast(cython.double, occurrences)
        out[row + 41] = upper / cython.cast(cython.double, occurrences)
        out[row + 42] = digits
        out[row + 43] = hyphens
        out[row + 44] = bracketed / cython.cast(cython.double, occurrences)
        out[row + 45] = defined / cython.cast(cython.double, occurrences)
        out[row + 46] = determined / cython.cast(cython.double, occurrences)
        out[row + 47] = closed / cython.cast(cython.double, occurrences)
        out[row + 23] = parts_chosen[c]
        out[row + 48] = shape[a]
        out[row + 49] = shape[a + n - 1]
        b = first_token + n
        out[row + 50] = _context(text, token_start, kind, shape, sentence, first_token - 1, first_token)
        out[row + 51] = _context(text, token_start, kind, shape, sentence, b, first_token)
        out[row + 53] = theme_sum / content
        out[row + 54] = theme_least
        out[row + 55] = math.log(1 + body)
        out[row + 56] = math.log(1 + count)
        out[row + 57] = title
        out[row + 58] = documents > 0
    for c in range(count):
        if tfidf_most > 0:
            out[c * width + 4] /= tfidf_most


@cython.cfunc
@cython.inline
@cython.returns(cython.double)
def _context(
    text: str,
    token_start: cython.const[cython.int][::1],
    kind: cython.const[cython.uchar][::1],
    shape: cython.const[cython.uchar][::1],
    sentence: cython.int[::1],
    i: cython.Py_ssize_t,
    inside: cython.Py_ssize_t,
):
    """The class of a neighbouring token; below 0 for marks, and for the end of the sentence."""
    character: cython.Py_UCS4
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
