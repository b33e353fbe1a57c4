"""Tokens: where each one starts and ends in the text, and what separates it from the next.

One pass over the characters. A token is a maximal run of letters, digits and marks, joined across the connectors
that people write inside words (`IL-2`, `U.S.`, `3.14`, `AT&T`, `user@host.org`); everything else that is not space
is punctuation. `text/tokenise.py` documents the rules a user can see, and owns the tables that come in here.
"""

import cython

from phrasemill.kernels._arrays import BYTES, INTS, ULONGS
from phrasemill.kernels._gil import LONG

from cython.cimports.cpython.array import clone
from cython.cimports.phrasemill.kernels._text import Letters, at, code_at, letters

_LONG = cython.declare(cython.Py_ssize_t, 5 * LONG)  # characters

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
_ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_MIX = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_CJK = cython.declare(cython.int, 0x2E80)

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


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_hyphen(c: cython.Py_UCS4) -> cython.bint:
    return c == "-" or c == "\u2010" or c == "\u2011"


@cython.nogil
@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_apostrophe(c: cython.Py_UCS4) -> cython.bint:
    return c == "'" or c == "\u2019" or c == "\u02bc" or c == "\uff07"


@cython.cclass
class Abbreviations:
    """Words that keep their full stop, and the Chinese characters that stand alone, for a search without the GIL."""

    words: dict
    shift: cython.int
    keys: cython.ulonglong[::1]  # open addressing: words of ASCII characters, eight at most, one byte each
    values: cython.uchar[::1]
    alone: cython.int[::1]

    def __init__(self, words: dict) -> None:
        self.words = words
        self.shift = 60
        while 1 << (64 - self.shift) < 4 * len(words):
            self.shift -= 1
        size: cython.Py_ssize_t = 1 << (64 - self.shift)
        self.keys = clone(ULONGS, size, True)
        self.values = clone(BYTES, size, True)
        single: list = [ord(word) for word in words if len(word) == 1 and ord(word) >= _CJK]
        self.alone = clone(INTS, len(single), False)
        for i in range(len(single)):
            self.alone[i] = single[i]
        word: str
        for word in words:
            if word and len(word) <= LONGEST_ABBREVIATION and word.isascii():
                key: cython.ulonglong = 0
                for i in range(len(word)):
                    key |= cython.cast(cython.ulonglong, ord(word[i])) << (8 * i)
                place: cython.Py_ssize_t = self.place(key)
                self.keys[place] = key
                self.values[place] = words[word]

    @cython.nogil
    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def place(self, key: cython.ulonglong) -> cython.Py_ssize_t:
        """Return where a word is, or would be."""
        last: cython.Py_ssize_t = len(self.keys) - 1
        slot: cython.Py_ssize_t = ((key * _MIX) & _ALL) >> self.shift
        while self.keys[slot] != 0 and self.keys[slot] != key:
            slot = (slot + 1) & last
        return slot

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(check=False)
    def stands_alone(self, code: cython.Py_ssize_t) -> cython.bint:
        """Return whether a Chinese character is a function word."""
        i: cython.Py_ssize_t = 0
        while i < len(self.alone) and self.alone[i] != code:
            i += 1
        return i < len(self.alone)


@cython.cclass
class Scanner:
    """One text with the tables that say what its characters are."""

    text: str
    view: Letters
    size: cython.Py_ssize_t
    classes: cython.uchar[::1]  # of the characters
    abbreviations: Abbreviations
    english: cython.bint
    apostrophes: object
    ordinals: cython.bint

    def __init__(
        self,
        text: str,
        table: cython.uchar[::1],
        classify: object,
        abbreviations: Abbreviations,
        apostrophes: object,
        ordinals: cython.bint,
    ) -> None:
        self.text = text
        self.view = letters(text)
        self.size = len(text)
        self.classes = clone(BYTES, self.size, False)
        known: cython.uchar[::1] = table
        i: cython.Py_ssize_t = 0
        while i < self.size:
            if self.size < _LONG:
                i = self.classified(known, i)
            else:
                with cython.nogil:
                    i = self.classified(known, i)
            if i < self.size:
                known[ord(text[i])] = classify(text[i])
        self.abbreviations = abbreviations
        self.english = apostrophes is None
        self.apostrophes = apostrophes
        self.ordinals = ordinals

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(check=False)
    def classified(self, known: cython.uchar[::1], first: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Look up the classes of the characters from `first` on; return where one is that is not known yet."""
        i: cython.Py_ssize_t
        for i in range(first, self.size):
            code: cython.Py_ssize_t = code_at(self.view, i)
            if known[code] == 0:
                return i
            self.classes[i] = known[code]
        return self.size

    @cython.nogil
    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def kind(self, i: cython.Py_ssize_t) -> cython.int:
        """Return the class of the character at `i`, SPACE beyond either end."""
        return self.classes[i] if 0 <= i and i < self.size else 1

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(check=False)
    def url_end(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the address that continues at `i`: up to a space, less punctuation that closes a
        sentence."""
        j: cython.Py_ssize_t = i
        while j < self.size and self.kind(j) != SPACE and at(self.view, j) not in '<>"\u201c\u201d':
            j += 1
        while j > i and at(self.view, j - 1) in ".,;:!?)]}'\u2019":
            j -= 1
        return j

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(check=False)
    def clitic(self, i: cython.Py_ssize_t) -> cython.int:
        """Return the length of the English clitic after the apostrophe at `i` ('s, 'll, 're, 've, 'd, 'm, 't), or 0."""
        if not self.english:
            return 0
        a: cython.Py_UCS4 = at(self.view, i + 1) if i + 1 < self.size else " "
        length: cython.int = 0
        if a in "sSdDmMtT":
            length = 1
        elif i + 2 < self.size:
            b: cython.Py_UCS4 = at(self.view, i + 2)
            if (a in "lL" and b in "lL") or (a in "rRvV" and b in "eE"):
                length = 2
        if length and self.kind(i + 1 + length) >= MARK:
            return 0
        return length

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(-1)
    def elides(self, start: cython.Py_ssize_t, i: cython.Py_ssize_t) -> cython.bint:
        """Return whether the word from `start` to the apostrophe at `i` is one that ends with it: l', dell', po'."""
        if self.english or i - start > LONGEST_ABBREVIATION:
            return False
        with cython.gil:
            return self.text[start:i].lower() + "'" in self.apostrophes

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(-1)
    def leading(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the word that begins with the apostrophe at `i` ('s, 't), or 0."""
        if self.english or self.kind(i - 1) != SPACE or self.kind(i + 1) < LOWER:
            return 0
        end: cython.Py_ssize_t = self.word_end(i + 1, i + 1)
        with cython.gil:
            return end if "'" + self.text[i + 1 : end].lower() in self.apostrophes else 0

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(check=False)
    def connects(self, start: cython.Py_ssize_t, j: cython.Py_ssize_t, address: cython.bint) -> cython.bint:
        """Return whether the character at `j`, which follows a word character, stays inside the word."""
        c: cython.Py_UCS4 = at(self.view, j)
        before: cython.int = self.kind(j - 1)
        after: cython.int = self.kind(j + 1)
        if after < MARK:
            # Five-prime and three-prime ends: 5'-UTR, 3′-end.
            if before == DIGIT and (_is_apostrophe(c) or c == "\u2032"):
                return j + 1 < self.size and _is_hyphen(at(self.view, j + 1)) and self.kind(j + 2) >= MARK
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
            while segment >= start and at(self.view, segment) != ".":
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
                and _is_hyphen(at(self.view, j + 2))
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

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(-1)
    def word_end(self, start: cython.Py_ssize_t, first: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the word that starts at `start` and whose first word character is at `first`."""
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
            c = at(self.view, j)
            if kind == CURRENCY:  # US$5
                if j - start > 3 or self.kind(j + 1) != DIGIT:
                    return j
            elif c == ":" and j + 2 < self.size and at(self.view, j + 1) == "/" and at(self.view, j + 2) == "/":
                return self.url_end(j + 3)
            elif _is_apostrophe(c):
                kind = self.clitic(j)
                if kind:
                    if at(self.view, j + 1) not in "tT":
                        return j
                    if at(self.view, j - 1) in "nN" and j - 1 > start:
                        return j - 1  # do + n't
                if self.elides(start, j):
                    return j + 1
                if not self.connects(start, j, address):
                    return j
            elif c == "+" or c == "#":
                k = j
                while k < self.size and at(self.view, k) == c:
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

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(-1)
    def takes_stop(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Return whether the full stop at `end` belongs to the word before it: abbreviation, initial or acronym."""
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
        if length > 1 and at(self.view, end - 2) == "." and self.kind(end - 1) >= LOWER and length <= 9:
            return True
        if length > LONGEST_ABBREVIATION:
            return False
        found: cython.int = self.abbreviation(start, end)
        if found == 2:  # "no. 5", but not "she said no."
            while end + 1 < self.size and self.kind(end + 1) == SPACE:
                end += 1
            return self.kind(end + 1) == DIGIT
        return found == 1

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(-1)
    def abbreviation(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Return what the table of abbreviations has of a word of at most eight characters, as it stands or in small
        letters; 0 for nothing."""
        key: cython.ulonglong = 0
        small: cython.ulonglong = 0
        shift: cython.int = 0
        i: cython.Py_ssize_t
        for i in range(start, end):
            code: cython.ulonglong = code_at(self.view, i)
            if code > 127:  # rare, and not one character each in small letters
                with cython.gil:
                    word: str = self.text[start:end]
                    return self.abbreviations.words.get(word) or self.abbreviations.words.get(word.lower()) or 0
            key |= code << shift
            small |= (code + 32 if 65 <= code and code <= 90 else code) << shift
            shift += 8
        found: cython.int = self.abbreviations.values[self.abbreviations.place(key)]
        return found or self.abbreviations.values[self.abbreviations.place(small)]

    @cython.nogil
    @cython.cfunc
    @cython.exceptval(-1)
    def scan(self, start: cython.int[::1], end: cython.int[::1], gap: cython.uchar[::1]) -> cython.Py_ssize_t:
        """Fill the columns that `tokenise` returns; return how many tokens there are."""
        n: cython.Py_ssize_t = self.size
        count: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t = 0
        while i < n:
            kind = self.kind(i)
            if kind == SPACE or kind == FORMAT:
                newlines: cython.int = 0
                j = i
                while j < n:
                    kind = self.kind(j)
                    if kind == SPACE:
                        c = at(self.view, j)
                        if (
                            c == "\n"
                            or (c == "\r" and not (j + 1 < n and at(self.view, j + 1) == "\n"))
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
            c = at(self.view, i)
            after = self.kind(i + 1)
            j = i + 1
            if kind >= MARK:
                j = self.word_end(i, i)
                if j < n and at(self.view, j) == "." and self.takes_stop(i, j):
                    j += 1
            elif kind == HAN or kind == KANA or kind == UNSPACED:
                # Function characters of Chinese stand alone, and so cut the run of a clause into its content words.
                if not (kind == HAN and self.abbreviations.stands_alone(code_at(self.view, i))):
                    while j < n and (self.kind(j) == kind or self.kind(j) == MARK):
                        if kind == HAN and self.abbreviations.stands_alone(code_at(self.view, j)):
                            break
                        j += 1
            elif kind == CURRENCY and after == DIGIT:
                j = self.word_end(i, i + 1)
            elif _is_apostrophe(c) and count and gap[count - 1] == GLUED and end[count - 1] == i and self.clitic(i):
                j = i + 1 + self.clitic(i)
            elif _is_apostrophe(c) and self.leading(i):
                j = self.leading(i)
            elif (
                after >= DIGIT
                and (count == 0 or end[count - 1] != i)
                and (
                    (c == "." and (after == DIGIT or after == UPPER or after == LOWER))
                    or (after == DIGIT and (c == "-" or c == "\u2212"))
                    or (after >= LOWER and (c == "#" or c == "@"))
                )
            ):
                j = self.word_end(i, i + 1)
            elif kind == PUNCTUATION:
                while j < n and at(self.view, j) == c:
                    j += 1
            else:
                # Emoji are joined by marks and zero-width joiners.
                while self.kind(j) == MARK or self.kind(j) == FORMAT:
                    j += 1
                    if at(self.view, j - 1) == "\u200d" and self.kind(j) == SYMBOL:
                        j += 1
            start[count] = i
            end[count] = j
            gap[count] = GLUED
            count += 1
            i = j
        return count


def tokenise(
    text: str,
    table: cython.uchar[::1],
    classify: object,
    abbreviations: object,
    apostrophes: object = None,
    ordinals: cython.bint = False,
) -> tuple:
    """Return three columns for `text`: start and end of each token, and what separates it from the next one.

    `abbreviations` are `Abbreviations`, or what they are made of. `apostrophes` are the words of a language that end
    or begin with one, None for English and its clitics; `ordinals` are numbers of one or two digits that keep a full
    stop before a word.
    """
    known: Abbreviations = abbreviations if isinstance(abbreviations, Abbreviations) else Abbreviations(abbreviations)
    scanner: Scanner = Scanner(text, table, classify, known, apostrophes, ordinals)
    n: cython.Py_ssize_t = len(text)
    starts = clone(INTS, n + 1, False)
    ends = clone(INTS, n + 1, False)
    gaps = clone(BYTES, n + 1, True)
    start: cython.int[::1] = starts
    end: cython.int[::1] = ends
    gap: cython.uchar[::1] = gaps
    count: cython.Py_ssize_t
    if n < _LONG:
        count = scanner.scan(start, end, gap)
    else:
        with cython.nogil:
            count = scanner.scan(start, end, gap)
    del start, end, gap  # views pin the arrays' size
    del starts[count:], ends[count:], gaps[count:]
    if count:
        gaps[count - 1] = PARAGRAPH
    return starts, ends, gaps
