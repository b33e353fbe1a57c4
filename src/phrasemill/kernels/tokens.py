"""Tokens: where each one starts and ends in the text, and what separates it from the next.

One pass over the characters. A token is a maximal run of letters, digits and marks, joined across the connectors
that people write inside words (`IL-2`, `U.S.`, `3.14`, `AT&T`, `user@host.org`); everything else that is not space
is punctuation. `text/tokenise.py` documents the rules a user can see, and owns the tables that come in here.
"""

try:
    import cython
except ImportError:
    from phrasemill.kernels import _cython as cython

from phrasemill.kernels._arrays import BYTES, INTS

if cython.compiled:
    from cython.cimports.cpython.array import clone
else:
    from phrasemill.kernels._arrays import clone

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
LONGEST_ABBREVIATION = cython.declare(cython.int, 8)

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
@cython.exceptval(check=False)
def _is_hyphen(c: cython.Py_UCS4) -> cython.bint:
    return c == "-" or c == "\u2010" or c == "\u2011"


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_apostrophe(c: cython.Py_UCS4) -> cython.bint:
    return c == "'" or c == "\u2019" or c == "\u02bc" or c == "\uff07"


@cython.cclass
class Scanner:
    """One text with the tables that say what its characters are."""

    text: str
    size: cython.Py_ssize_t
    classes: cython.uchar[::1]  # of the characters
    abbreviations: object
    english: cython.bint
    apostrophes: object
    ordinals: cython.bint

    def __init__(
        self,
        text: str,
        table: bytearray,
        classify: object,
        abbreviations: object,
        apostrophes: object,
        ordinals: cython.bint,
    ) -> None:
        self.text = text
        self.size = len(text)
        classes: cython.uchar[::1] = clone(BYTES, self.size, False)
        known: cython.uchar[::1] = table
        i: cython.Py_ssize_t
        for i in range(self.size):
            code: cython.Py_ssize_t = ord(text[i])
            if known[code] == 0:
                known[code] = classify(text[i])
            classes[i] = known[code]
        self.classes = classes
        self.abbreviations = abbreviations
        self.english = apostrophes is None
        self.apostrophes = apostrophes
        self.ordinals = ordinals

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def kind(self, i: cython.Py_ssize_t) -> cython.int:
        """Return the class of the character at `i`, SPACE beyond either end."""
        return self.classes[i] if 0 <= i and i < self.size else 1

    @cython.cfunc
    def url_end(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the address that continues at `i`: up to a space, less punctuation that closes a
        sentence."""
        text: str = self.text
        j: cython.Py_ssize_t = i
        while j < self.size and self.kind(j) != SPACE and text[j] not in '<>"\u201c\u201d':
            j += 1
        while j > i and text[j - 1] in ".,;:!?)]}'\u2019":
            j -= 1
        return j

    @cython.cfunc
    def clitic(self, i: cython.Py_ssize_t) -> cython.int:
        """Return the length of the English clitic after the apostrophe at `i` ('s, 'll, 're, 've, 'd, 'm, 't), or 0."""
        if not self.english:
            return 0
        text: str = self.text
        a: cython.Py_UCS4 = text[i + 1] if i + 1 < self.size else " "
        length: cython.int = 0
        if a in "sSdDmMtT":
            length = 1
        elif i + 2 < self.size:
            b: cython.Py_UCS4 = text[i + 2]
            if (a in "lL" and b in "lL") or (a in "rRvV" and b in "eE"):
                length = 2
        if length and self.kind(i + 1 + length) >= MARK:
            return 0
        return length

    @cython.cfunc
    def elides(self, start: cython.Py_ssize_t, i: cython.Py_ssize_t) -> cython.bint:
        """Return whether the word from `start` to the apostrophe at `i` is one that ends with it: l', dell', po'."""
        if self.english or i - start > LONGEST_ABBREVIATION:
            return False
        return self.text[start:i].lower() + "'" in self.apostrophes

    @cython.cfunc
    def leading(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the word that begins with the apostrophe at `i` ('s, 't), or 0."""
        if self.english or self.kind(i - 1) != SPACE or self.kind(i + 1) < LOWER:
            return 0
        end: cython.Py_ssize_t = self.word_end(i + 1, i + 1)
        return end if "'" + self.text[i + 1 : end].lower() in self.apostrophes else 0

    @cython.cfunc
    def connects(self, start: cython.Py_ssize_t, j: cython.Py_ssize_t, address: cython.bint) -> cython.bint:
        """Return whether the character at `j`, which follows a word character, stays inside the word."""
        text: str = self.text
        c: cython.Py_UCS4 = text[j]
        before: cython.int = self.kind(j - 1)
        after: cython.int = self.kind(j + 1)
        if after < MARK:
            # Five-prime and three-prime ends: 5'-UTR, 3′-end.
            if before == DIGIT and (_is_apostrophe(c) or c == "\u2032"):
                return j + 1 < self.size and _is_hyphen(text[j + 1]) and self.kind(j + 2) >= MARK
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
            return j - 1 - segment <= 1 or (j - 1 - segment == 2 and self.kind(j + 2) < MARK)
        if c == ",":
            if before == DIGIT and after == DIGIT:
                # 1,000 but not 3,4; chemical locants go on with a hyphen: 1,2-dichloroethane.
                third: cython.int = self.kind(j + 3)
                if self.kind(j + 2) == DIGIT and third == DIGIT:
                    return self.kind(j + 4) != DIGIT
            return (
                j + 2 < self.size
                and _is_hyphen(text[j + 2])
                and self.kind(j + 3) >= MARK
                and (j - 1 == start or self.kind(j - 2) < MARK)
            )
        if c == ":":
            return before == DIGIT and after == DIGIT
        if c == "\u2013":  # Michaelis–Menten, but not pages 12–15
            return before >= LOWER and after >= LOWER
        if c == "@":
            return True
        return _is_apostrophe(c) and before >= LOWER and after >= LOWER

    @cython.cfunc
    def word_end(self, start: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the word that starts at `start` and whose first word character is at `first`."""
        text: str = self.text
        j: cython.Py_ssize_t = first
        address: cython.bint = False
        while True:
            while j < self.size and self.kind(j) >= MARK:
                j += 1
            if j >= self.size:
                return j
            kind = self.kind(j)
            if kind == SPACE or (HAN <= kind and kind <= UNSPACED) or kind == SYMBOL:
                return j
            if kind == FORMAT:
                k = j
                while k < self.size and self.kind(k) == FORMAT:
                    k += 1
                if self.kind(k) < MARK:
                    return j
                j = k
                continue
            c = text[j]
            if kind == CURRENCY:  # US$5
                if j - start > 3 or self.kind(j + 1) != DIGIT:
                    return j
            elif c == ":" and j + 2 < self.size and text[j + 1] == "/" and text[j + 2] == "/":
                return self.url_end(j + 3)
            elif _is_apostrophe(c):
                kind = self.clitic(j)
                if kind:
                    if text[j + 1] not in "tT":
                        return j
                    if text[j - 1] in "nN" and j - 1 > start:
                        return j - 1  # do + n't
                if self.elides(start, j):
                    return j + 1
                if not self.connects(start, j, address):
                    return j
            elif c == "+" or c == "#":
                k = j
                while k < self.size and text[k] == c:
                    k += 1
                if j - start > PLUS_LIMIT or self.kind(k) >= MARK or k - j > 2:
                    return j
                if c == "#" and (j - start != 1 or k - j != 1):
                    return j
                return k
            elif c == "%":
                return j + 1 if self.kind(j - 1) == DIGIT else j
            else:
                if not self.connects(start, j, address):
                    return j
                if c == "@":
                    address = True
            j += 1

    @cython.cfunc
    def takes_stop(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Return whether the full stop at `end` belongs to the word before it: abbreviation, initial or acronym."""
        text: str = self.text
        after: cython.int = self.kind(end + 1)
        if after >= MARK:
            return False
        length: cython.Py_ssize_t = end - start
        if self.ordinals and length <= 2 and self.kind(start) == DIGIT and self.kind(end - 1) == DIGIT:
            return after == SPACE and self.kind(end + 2) >= LOWER  # 3. Oktober
        if length == 1 and (self.english or self.kind(start) == UPPER):
            # J. Smith, but not "5." nor "x." at the end of a formula.
            return self.kind(start) == UPPER and after == SPACE
        # U.S. and e.g.: every other character is a stop.
        if length > 1 and text[end - 2] == "." and self.kind(end - 1) >= LOWER and length <= 9:
            return True
        if length > LONGEST_ABBREVIATION:
            return False
        found = self.abbreviations.get(text[start:end]) or self.abbreviations.get(text[start:end].lower())
        if found == 2:  # "no. 5", but not "she said no."
            while end + 1 < self.size and self.kind(end + 1) == SPACE:
                end += 1
            return self.kind(end + 1) == DIGIT
        return found == 1


def tokenise(
    text: str,
    table: bytearray,
    classify: object,
    abbreviations: object,
    apostrophes: object = None,
    ordinals: cython.bint = False,
) -> tuple:
    """Return three columns for `text`: start and end of each token, and what separates it from the next one.

    `apostrophes` are the words of a language that end or begin with one, None for English and its clitics; `ordinals`
    are numbers of one or two digits that keep a full stop before a word.
    """
    scan: Scanner = Scanner(text, table, classify, abbreviations, apostrophes, ordinals)
    n: cython.Py_ssize_t = len(text)
    starts = clone(INTS, n + 1, False)
    ends = clone(INTS, n + 1, False)
    gaps = clone(BYTES, n + 1, True)
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    gap: cython.uchar[::1] = gaps
    count: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    while i < n:
        kind = scan.kind(i)
        if kind == SPACE or kind == FORMAT:
            newlines: cython.int = 0
            j = i
            while j < n:
                kind = scan.kind(j)
                if kind == SPACE:
                    c = text[j]
                    if (
                        c == "\n"
                        or (c == "\r" and not (j + 1 < n and text[j + 1] == "\n"))
                        or c == "\x85"
                        or c == "\u2028"
                    ):
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
        after = scan.kind(i + 1)
        j = i + 1
        if kind >= MARK:
            j = scan.word_end(i, i)
            if j < n and text[j] == "." and scan.takes_stop(i, j):
                j += 1
        elif kind == HAN or kind == KANA or kind == UNSPACED:
            # Function characters of Chinese stand alone, and so cut the run of a clause into its content words.
            if not (kind == HAN and text[i] in abbreviations):
                while j < n and (scan.kind(j) == kind or scan.kind(j) == MARK):
                    if kind == HAN and text[j] in abbreviations:
                        break
                    j += 1
        elif kind == CURRENCY and after == DIGIT:
            j = scan.word_end(i, i + 1)
        elif _is_apostrophe(c) and count and gap[count - 1] == GLUED and end[count - 1] == i and scan.clitic(i):
            j = i + 1 + scan.clitic(i)
        elif _is_apostrophe(c) and scan.leading(i):
            j = scan.leading(i)
        elif (
            after >= DIGIT
            and (count == 0 or end[count - 1] != i)
            and (
                (c == "." and (after == DIGIT or after == UPPER or after == LOWER))
                or (after == DIGIT and (c == "-" or c == "\u2212"))
                or (after >= LOWER and (c == "#" or c == "@"))
            )
        ):
            j = scan.word_end(i, i + 1)
        elif kind == PUNCTUATION:
            while j < n and text[j] == c:
                j += 1
        else:
            # Emoji are joined by marks and zero-width joiners.
            while scan.kind(j) == MARK or scan.kind(j) == FORMAT:
                j += 1
                if text[j - 1] == "\u200d" and scan.kind(j) == SYMBOL:
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
