"""Porter's stemmer of 1980 over bytes, with the results of Snowball's `porter`.

A word is [C](VC)^m[V], with runs of consonants C and of vowels V. Most rules ask whether the part before a suffix has
m > 0 or m > 1. As in Snowball's description of the algorithm, the ends of the first and of the second VC are found once
(`first` and `second`), and a suffix that begins at or after them has m > 0 or m > 1 before it.
"""

from array import array

import cython

_LONGEST = cython.declare(cython.int, 64)  # what is longer is data


@cython.final
@cython.cclass
class Porter:
    """Stems lists of words; an instance has working space for one word, so threads need one each."""

    letters: cython.uchar[::1]  # the word, as the steps change it
    vowels: cython.uchar[::1]  # whether each is a vowel; y is one after a consonant
    size: cython.Py_ssize_t
    before: cython.Py_ssize_t  # where the suffix begins that was found last
    first: cython.Py_ssize_t
    second: cython.Py_ssize_t

    def __init__(self) -> None:
        self.letters = array("B", bytes(_LONGEST + 8))
        self.vowels = array("B", bytes(_LONGEST + 8))

    def stem_all(self, words: list, other: object) -> list:
        """Return the stem of each of the words, which are in lower case; `other(word)` returns that of words which are
        not ASCII, or are too long."""
        result: list = []
        for i in range(len(words)):
            word: str = words[i]
            if not self.read(word):
                result.append(other(word))
                continue
            self.stem()
            result.append(self.written(word))
        return result

    @cython.cfunc
    @cython.exceptval(check=False)
    def read(self, word: str) -> cython.bint:
        """Take a word, and find its vowels and regions; return whether it can be stemmed here."""
        size: cython.Py_ssize_t = len(word)
        if size > _LONGEST:
            return False
        vowel: cython.bint = False
        regions: cython.int = 0
        self.size = self.first = self.second = size
        i: cython.Py_ssize_t
        for i in range(size):
            c: cython.Py_UCS4 = word[i]
            if c >= "\x80":
                return False
            after: cython.bint = vowel
            vowel = c == "a" or c == "e" or c == "i" or c == "o" or c == "u" or (c == "y" and i > 0 and not after)
            self.letters[i] = ord(c)
            self.vowels[i] = vowel
            if after and not vowel:
                if regions == 0:
                    self.first = i + 1
                elif regions == 1:
                    self.second = i + 1
                regions += 1
        return True

    @cython.cfunc
    def written(self, word: str) -> str:
        """Return the stem: the word itself, its beginning, or that and other letters."""
        same: cython.Py_ssize_t = 0
        while same < self.size and same < len(word) and self.letters[same] == ord(word[same]):
            same += 1
        if same == len(word):
            return word
        stem: str = word[:same]
        for i in range(same, self.size):
            stem = stem + chr(self.letters[i])
        return stem

    @cython.cfunc
    @cython.exceptval(check=False)
    def stem(self) -> cython.void:
        """Apply the steps of the algorithm to the word."""
        if self.size == 0:
            return
        self.plural()
        self.past()
        last: cython.Py_ssize_t = self.size - 1
        if last >= 0 and self.letters[last] == 121 and self.has_vowel(last):  # y
            self.letters[last] = 105  # i
            self.vowels[last] = True
        self.double_suffix()
        self.suffix()
        self.residue()
        self.final_e()

    @cython.cfunc
    @cython.exceptval(check=False)
    def ends(self, suffix: bytes) -> cython.bint:
        """Return whether the word ends with a suffix, whose beginning becomes `before`."""
        length: cython.Py_ssize_t = len(suffix)
        at: cython.Py_ssize_t = self.size - length
        if at < 0:
            return False
        i: cython.Py_ssize_t
        for i in range(length):
            if self.letters[at + i] != cython.cast(cython.uchar, suffix[i]):
                return False
        self.before = at
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_vowel(self, end: cython.Py_ssize_t) -> cython.bint:
        """Return whether there is a vowel before a place."""
        i: cython.Py_ssize_t
        found: cython.bint = False
        for i in range(end):
            found |= self.vowels[i]
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_short(self, end: cython.Py_ssize_t) -> cython.bint:
        """Return whether the part before a place ends consonant, vowel, consonant, the last of them not w, x or y."""
        if end < 3 or self.vowels[end - 1] or not self.vowels[end - 2] or self.vowels[end - 3]:
            return False
        last: cython.int = self.letters[end - 1]
        return last != 119 and last != 120 and last != 121

    @cython.cfunc
    @cython.exceptval(check=False)
    def replace(self, suffix: bytes) -> cython.void:
        """Put a suffix in place of the one that was found last."""
        i: cython.Py_ssize_t
        for i in range(len(suffix)):
            letter: cython.uchar = suffix[i]
            self.letters[self.before + i] = letter
            self.vowels[self.before + i] = letter == 97 or letter == 101 or letter == 105 or letter == 111
        self.size = self.before + len(suffix)

    @cython.cfunc
    @cython.exceptval(check=False)
    def plural(self) -> cython.void:
        """Apply step 1a."""
        if self.letters[self.size - 1] != 115:  # s
            return
        if self.ends(b"sses") or self.ends(b"ies"):
            self.size -= 2
        elif not self.ends(b"ss"):
            self.size -= 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def past(self) -> cython.void:
        """Apply step 1b."""
        if self.ends(b"eed"):
            if self.before >= self.first:
                self.size -= 1
            return
        if not ((self.ends(b"ed") or self.ends(b"ing")) and self.has_vowel(self.before)):
            return
        self.size = self.before
        if self.ends(b"at") or self.ends(b"bl") or self.ends(b"iz"):
            self.before = self.size
            self.replace(b"e")
            return
        last: cython.int = self.letters[self.size - 1]
        if self.size > 1 and last == self.letters[self.size - 2]:
            if (
                last == 98 or last == 100 or last == 102 or last == 103 or last == 109
                or last == 110 or last == 112 or last == 114 or last == 116
            ):  # fmt: skip
                self.size -= 1
                return
        if self.size == self.first and self.is_short(self.size):
            self.before = self.size
            self.replace(b"e")

    @cython.cfunc
    @cython.exceptval(check=False)
    def swap(self, suffix: bytes, other: bytes) -> cython.bint:
        """Return whether the word ends with a suffix; put the other one in its place where m > 0 before it."""
        if not self.ends(suffix):
            return False
        if self.before >= self.first:
            self.replace(other)
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def double_suffix(self) -> cython.bint:
        """Apply step 2, by the last letter but one; longer suffixes come first."""
        if self.size < 3:
            return False
        at: cython.int = self.letters[self.size - 2]
        if at == 97:  # a
            return self.swap(b"ational", b"ate") or self.swap(b"tional", b"tion")
        if at == 99:  # c
            return self.swap(b"enci", b"ence") or self.swap(b"anci", b"ance")
        if at == 101:  # e
            return self.swap(b"izer", b"ize")
        if at == 108:  # l
            return (
                self.swap(b"abli", b"able") or self.swap(b"entli", b"ent") or self.swap(b"eli", b"e")
                or self.swap(b"alli", b"al") or self.swap(b"ousli", b"ous")
            )  # fmt: skip
        if at == 111:  # o
            return self.swap(b"ization", b"ize") or self.swap(b"ation", b"ate") or self.swap(b"ator", b"ate")
        if at == 115:  # s
            return (
                self.swap(b"alism", b"al") or self.swap(b"iveness", b"ive") or self.swap(b"fulness", b"ful")
                or self.swap(b"ousness", b"ous")
            )  # fmt: skip
        if at == 116:  # t
            return self.swap(b"aliti", b"al") or self.swap(b"iviti", b"ive") or self.swap(b"biliti", b"ble")
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def suffix(self) -> cython.bint:
        """Apply step 3, by the last letter."""
        if self.size < 3:
            return False
        last: cython.int = self.letters[self.size - 1]
        if last == 101:  # e
            return self.swap(b"icate", b"ic") or self.swap(b"ative", b"") or self.swap(b"alize", b"al")
        if last == 105:  # i
            return self.swap(b"iciti", b"ic")
        if last == 108:  # l
            return self.swap(b"ical", b"ic") or self.swap(b"ful", b"")
        return last == 115 and self.swap(b"ness", b"")  # s

    @cython.cfunc
    @cython.exceptval(check=False)
    def has_residue(self) -> cython.bint:
        """Return whether the word ends with a suffix of step 4, by the last letter but one; longer ones come first."""
        at: cython.int = self.letters[self.size - 2]
        if at == 97:  # a
            return self.ends(b"al")
        if at == 99:  # c
            return self.ends(b"ance") or self.ends(b"ence")
        if at == 101:  # e
            return self.ends(b"er")
        if at == 105:  # i
            return self.ends(b"ic")
        if at == 108:  # l
            return self.ends(b"able") or self.ends(b"ible")
        if at == 110:  # n
            return self.ends(b"ant") or self.ends(b"ement") or self.ends(b"ment") or self.ends(b"ent")
        if at == 111:  # o
            return self.ends(b"ion") or self.ends(b"ou")
        if at == 115:  # s
            return self.ends(b"ism")
        if at == 116:  # t
            return self.ends(b"ate") or self.ends(b"iti")
        if at == 117:  # u
            return self.ends(b"ous")
        if at == 118:  # v
            return self.ends(b"ive")
        return at == 122 and self.ends(b"ize")  # z

    @cython.cfunc
    @cython.exceptval(check=False)
    def residue(self) -> cython.void:
        """Apply step 4."""
        if self.size < 3 or not self.has_residue() or self.before < self.second:
            return
        if self.ends(b"ion"):
            last: cython.int = self.letters[self.before - 1] if self.before else 0
            if last != 115 and last != 116:  # s, t
                return
        self.size = self.before

    @cython.cfunc
    @cython.exceptval(check=False)
    def final_e(self) -> cython.void:
        """Apply step 5: a final e, and one of two final l."""
        last: cython.Py_ssize_t = self.size - 1
        if last >= 0 and self.letters[last] == 101:  # e
            if last >= self.second or (last >= self.first and not self.is_short(last)):
                self.size = last
        last = self.size - 1
        if last > 0 and last >= self.second and self.letters[last] == 108 and self.letters[last - 1] == 108:  # l
            self.size = last
