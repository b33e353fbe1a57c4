"""Tokens: where each one starts and ends in the text, and what separates it from the next.

One pass over the characters. A token is a maximal run of letters, digits and marks, joined across the connectors
that people write inside words (`IL-2`, `U.S.`, `3.14`, `AT&T`, `user@host.org`); everything else that is not space
is punctuation. `text/tokenise.py` documents the rules a user can see, and owns the tables that come in here.
"""

from array import array

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

COMPILED = cython.compiled

# Character classes; the table maps code points to them, and 0 is "not looked up yet". Order matters: all classes
# from MARK on continue a word.
SPACE = cython.declare(cython.int, 1)
PUNCTUATION = cython.declare(cython.int, 2)
SYMBOL = cython.declare(cython.int, 3)  # emoji, arrows …: one token each
CURRENCY = cython.declare(cython.int, 4)
FORMAT = cython.declare(cython.int, 5)  # zero-width: inside a word or nowhere
HAN = cython.declare(cython.int, 6)
KANA = cython.declare(cython.int, 7)  # hiragana: function words and endings, a run of its own
UNSPACED = cython.declare(cython.int, 8)  # Thai, Lao, Khmer, Burmese: runs are kept whole
MARK = cython.declare(cython.int, 9)
DIGIT = cython.declare(cython.int, 10)
LOWER = cython.declare(cython.int, 11)
UPPER = cython.declare(cython.int, 12)
OTHER_LETTER = cython.declare(cython.int, 13)  # letters without case

# What stands between a token and the next one.
GLUED = cython.declare(cython.int, 0)
SPACED = cython.declare(cython.int, 1)
NEWLINE = cython.declare(cython.int, 2)
PARAGRAPH = cython.declare(cython.int, 3)

# A word of one to this many characters may end in plus signs: C++, Na+, Ca2+, CD4+.
PLUS_LIMIT = cython.declare(cython.int, 5)

# The same for Python: C constants are not attributes of a compiled module.
CLASSES = {
    "space": SPACE,
    "punctuation": PUNCTUATION,
    "symbol": SYMBOL,
    "currency": CURRENCY,
    "format": FORMAT,
    "han": HAN,
    "kana": KANA,
    "unspaced": UNSPACED,
    "mark": MARK,
    "digit": DIGIT,
    "lower": LOWER,
    "upper": UPPER,
    "letter": OTHER_LETTER,
}


@cython.cfunc
@cython.inline
def _class(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t, table: cython.uchar[::1], classify: object) -> cython.int:
    """The class of the character at `i`, SPACE beyond either end."""
    if i < 0 or i >= n:
        return 1
    code: cython.Py_ssize_t = ord(text[i])
    found: cython.int = table[code]
    if found == 0:
        found = classify(text[i])
        table[code] = found
    return found


@cython.cfunc
@cython.inline
def _is_hyphen(c: cython.Py_UCS4) -> cython.bint:
    return c == "-" or c == "\u2010" or c == "\u2011"


@cython.cfunc
@cython.inline
def _is_apostrophe(c: cython.Py_UCS4) -> cython.bint:
    return c == "'" or c == "\u2019" or c == "\u02bc" or c == "\uff07"


@cython.cfunc
def _url_end(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t, table: cython.uchar[::1], classify: object) -> cython.Py_ssize_t:
    """The end of the address that goes on at `i`: up to a space, less the punctuation that closes a sentence."""
    j: cython.Py_ssize_t = i
    while j < n and _class(text, j, n, table, classify) != SPACE and text[j] not in "<>\"\u201c\u201d":
        j += 1
    while j > i and text[j - 1] in ".,;:!?)]}'\u2019":
        j -= 1
    return j


@cython.cfunc
def _clitic(text: str, i: cython.Py_ssize_t, n: cython.Py_ssize_t, table: cython.uchar[::1], classify: object) -> cython.int:
    """Length of the English clitic after the apostrophe at `i` ('s, 'll, 're, 've, 'd, 'm, 't), or 0."""
    a: cython.Py_UCS4 = text[i + 1] if i + 1 < n else " "
    length: cython.int = 0
    if a in "sSdDmMtT":
        length = 1
    elif i + 2 < n:
        b: cython.Py_UCS4 = text[i + 2]
        if (a in "lL" and b in "lL") or (a in "rRvV" and b in "eE"):
            length = 2
    if length and _class(text, i + 1 + length, n, table, classify) >= MARK:
        return 0
    return length


@cython.cfunc
def _connects(
    text: str,
    start: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    table: cython.uchar[::1],
    classify: object,
    address: cython.bint,
) -> cython.bint:
    """Whether the character at `j`, between a word character and whatever comes next, stays inside the word."""
    c: cython.Py_UCS4 = text[j]
    before: cython.int = _class(text, j - 1, n, table, classify)
    after: cython.int = _class(text, j + 1, n, table, classify)
    if after < MARK:
        # Five-prime and three-prime ends: 5'-UTR, 3′-end.
        if before == DIGIT and (_is_apostrophe(c) or c == "\u2032"):
            return j + 1 < n and _is_hyphen(text[j + 1]) and _class(text, j + 2, n, table, classify) >= MARK
        if after == CURRENCY or after == FORMAT:
            return False
        return address and c in "-_/" and after != SPACE
    if _is_hyphen(c) or c == "&" or c == "/" or c == "\u00b7" or c == "\u2032":
        return True
    if c == ".":
        if address or after == DIGIT or after == LOWER:
            return before == DIGIT or after != DIGIT or address
        # U.S.A, Ph.D: short segments between stops; end.Next is two sentences with a space missing.
        segment: cython.Py_ssize_t = j - 1
        while segment >= start and text[segment] != ".":
            segment -= 1
        return j - 1 - segment <= 1 or (j - 1 - segment == 2 and _class(text, j + 2, n, table, classify) < MARK)
    if c == ",":
        if before == DIGIT and after == DIGIT:
            # 1,000 but not 3,4; chemical locants go on with a hyphen: 1,2-dichloroethane.
            third: cython.int = _class(text, j + 3, n, table, classify)
            if _class(text, j + 2, n, table, classify) == DIGIT and third == DIGIT:
                return _class(text, j + 4, n, table, classify) != DIGIT
        return (
            j + 2 < n
            and _is_hyphen(text[j + 2])
            and _class(text, j + 3, n, table, classify) >= MARK
            and (j - 1 == start or _class(text, j - 2, n, table, classify) < MARK)
        )
    if c == ":":
        return before == DIGIT and after == DIGIT
    if c == "\u2013":  # Michaelis–Menten, but not pages 12–15
        return before >= LOWER and after >= LOWER
    if c == "@":
        return True
    return _is_apostrophe(c) and before >= LOWER and after >= LOWER


@cython.cfunc
def _word_end(
    text: str,
    start: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    table: cython.uchar[::1],
    classify: object,
) -> cython.Py_ssize_t:
    """The end of the word that starts at `start` and whose first word character is at `first`."""
    j: cython.Py_ssize_t = first
    k: cython.Py_ssize_t
    c: cython.Py_UCS4
    kind: cython.int
    address: cython.bint = False
    while True:
        while j < n and _class(text, j, n, table, classify) >= MARK:
            j += 1
        if j >= n:
            return j
        kind = _class(text, j, n, table, classify)
        if kind == SPACE or (HAN <= kind and kind <= UNSPACED) or kind == SYMBOL:
            return j
        if kind == FORMAT:
            k = j
            while k < n and _class(text, k, n, table, classify) == FORMAT:
                k += 1
            if _class(text, k, n, table, classify) < MARK:
                return j
            j = k
            continue
        c = text[j]
        if kind == CURRENCY:  # US$5
            if j - start > 3 or _class(text, j + 1, n, table, classify) != DIGIT:
                return j
        elif c == ":" and j + 2 < n and text[j + 1] == "/" and text[j + 2] == "/":
            return _url_end(text, j + 3, n, table, classify)
        elif _is_apostrophe(c):
            kind = _clitic(text, j, n, table, classify)
            if kind:
                if text[j + 1] not in "tT":
                    return j
                if text[j - 1] in "nN" and j - 1 > start:
                    return j - 1  # do + n't
            if not _connects(text, start, j, n, table, classify, address):
                return j
        elif c == "+" or c == "#":
            k = j
            while k < n and text[k] == c:
                k += 1
            if j - start > PLUS_LIMIT or _class(text, k, n, table, classify) >= MARK or k - j > 2:
                return j
            if c == "#" and (j - start != 1 or k - j != 1):
                return j
            return k
        elif c == "%":
            return j + 1 if _class(text, j - 1, n, table, classify) == DIGIT else j
        else:
            if not _connects(text, start, j, n, table, classify, address):
                return j
            if c == "@":
                address = True
        j += 1


@cython.cfunc
def _takes_stop(
    text: str,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    table: cython.uchar[::1],
    classify: object,
    abbreviations: object,
) -> cython.bint:
    """Whether the full stop at `end` belongs to the word before it: an abbreviation, an initial or an acronym."""
    after: cython.int = _class(text, end + 1, n, table, classify)
    if after >= MARK:
        return False
    length: cython.Py_ssize_t = end - start
    if length == 1:
        # J. Smith, but not "5." nor "x." at the end of a formula.
        return _class(text, start, n, table, classify) == UPPER and after == SPACE
    # U.S. and e.g.: every other character is a stop.
    if text[end - 2] == "." and _class(text, end - 1, n, table, classify) >= LOWER and length <= 9:
        return True
    return length <= 8 and text[start:end].lower() in abbreviations


def tokenise(text: str, table: cython.uchar[::1], classify: object, abbreviations: object) -> tuple:
    """Three columns for `text`: start and end of each token, and what separates it from the next one."""
    n: cython.Py_ssize_t = len(text)
    starts = array("i", bytes(4 * (n + 1)))
    ends = array("i", bytes(4 * (n + 1)))
    gaps = array("B", bytes(n + 1))
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    gap: cython.uchar[::1] = gaps
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t
    kind: cython.int
    after: cython.int
    c: cython.Py_UCS4
    newlines: cython.int
    while i < n:
        kind = _class(text, i, n, table, classify)
        if kind == SPACE or kind == FORMAT:
            newlines = 0
            j = i
            while j < n:
                kind = _class(text, j, n, table, classify)
                if kind == SPACE:
                    c = text[j]
                    if c == "\n" or (c == "\r" and not (j + 1 < n and text[j + 1] == "\n")) or c == "\x85" or c == "\u2028":
                        newlines += 1
                    elif c == "\x0c" or c == "\u2029":
                        newlines += 2
                elif kind != FORMAT:
                    break
                j += 1
            if count:
                gap[count - 1] = SPACED if newlines == 0 else NEWLINE if newlines == 1 else PARAGRAPH
            i = j
            continue
        c = text[i]
        after = _class(text, i + 1, n, table, classify)
        j = i + 1
        if kind >= MARK:
            j = _word_end(text, i, i, n, table, classify)
            if j < n and text[j] == "." and _takes_stop(text, i, j, n, table, classify, abbreviations):
                j += 1
        elif kind == HAN or kind == KANA or kind == UNSPACED:
            # Function characters of Chinese stand alone, and so cut the run of a clause into its content words.
            if not (kind == HAN and text[i] in abbreviations):
                while j < n and (
                    _class(text, j, n, table, classify) == kind or _class(text, j, n, table, classify) == MARK
                ):
                    if kind == HAN and text[j] in abbreviations:
                        break
                    j += 1
        elif kind == CURRENCY and after == DIGIT:
            j = _word_end(text, i, i + 1, n, table, classify)
        elif _is_apostrophe(c) and count and gap[count - 1] == GLUED and end[count - 1] == i and _clitic(text, i, n, table, classify):
            j = i + 1 + _clitic(text, i, n, table, classify)
        elif (
            after >= DIGIT
            and (count == 0 or end[count - 1] != i)
            and (
                (c == "." and (after == DIGIT or after == UPPER or after == LOWER))
                or (after == DIGIT and (c == "-" or c == "\u2212"))
                or (after >= LOWER and (c == "#" or c == "@"))
            )
        ):
            j = _word_end(text, i, i + 1, n, table, classify)
        elif kind == PUNCTUATION:
            while j < n and text[j] == c:
                j += 1
        else:
            # Emoji are joined by marks and zero-width joiners.
            while _class(text, j, n, table, classify) == MARK or _class(text, j, n, table, classify) == FORMAT:
                j += 1
                if text[j - 1] == "\u200d" and _class(text, j, n, table, classify) == SYMBOL:
                    j += 1
        start[count] = i
        end[count] = j
        gap[count] = GLUED
        count += 1
        i = j
    del start, end, gap  # views pin the arrays' size
    del starts[count:], ends[count:], gaps[count:]
    if count:
        gaps[count - 1] = PARAGRAPH
    return starts, ends, gaps
