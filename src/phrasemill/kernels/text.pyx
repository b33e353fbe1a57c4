"""A text and its candidates as kernels see them. Each opens its columns once, for all kernels that walk them."""

from cpython.array cimport array, clone
from cpython.object cimport PyObject_GenericSetAttr as set_field

from phrasemill.kernels.hashing cimport hashed

# The bits for Python: an enum of Python's would be slow to calculate with.
globals().update(WORD=<int>WORD, STOPWORD=<int>STOPWORD, NUMBER=<int>NUMBER, CAPITAL=<int>CAPITAL, UPPER=<int>UPPER)
globals().update(LONGEST=<int>LONGEST)

cdef array BYTES = array("B"), INTS = array("i"), ULONGS = array("Q")
cdef enum:
    TITLE_TOKENS = 40  # a first line that is longer is no title
    HEADING_TOKENS = 9
    # A list of references is looked for in texts of at least so many tokens, in their later part.
    WITH_REFERENCES = 1500
    IN_HEADING = 4  # tokens of its heading, at most
cdef double REFERENCES_AFTER = 0.4
cdef tuple REFERENCES = ("refer", "bibliographi")
# In the same heading.
cdef frozenset BESIDE_REFERENCES = frozenset("cite further list literatur note read select".split())


cdef class Text:
    def __init__(self, analysis):
        self.text = analysis.text
        self.letters = letters(self.text)
        self.start = analysis.start
        self.end = analysis.end
        self.word = analysis.word
        self.stem = analysis.stem
        self.sentences = analysis.sentences
        self.kind = analysis.kind
        self.tag = analysis.tag
        self.word_strings = analysis.words
        self.stem_strings = analysis.stems
        self.count = len(self.start)
        self.words = len(analysis.words)
        self.stems = len(analysis.stems)
        self.sentence, self.hashes = None, None

    def __reduce__(self):
        """Another process opens the columns again."""
        return type(None), ()

    @property
    def bounds(self):
        """The tokens at which the title ends, and the text before a list of references."""
        self.lay_out()
        return self.title, self.body

    cdef unsigned long long[::1] hash_stems(self):
        """Return the hashes of the stems, which short texts keep: a long one may have millions."""
        cdef unsigned long long[::1] made
        if self.hashes is not None:
            return self.hashes
        made = clone(ULONGS, self.stems, False)
        for i in range(self.stems):
            made[i] = hashed(self.stem_strings[i])
        if self.count < LONG:
            self.hashes = made
        return made

    cdef lay_out(self):
        """Find the sentence and the line of each token, headings, title and body."""
        if self.sentence is not None:
            return
        cdef Py_ssize_t i = 0, s
        self.sentence = clone(INTS, self.count, False)
        for s in range(len(self.sentences)):
            while i < self.sentences[s]:
                self.sentence[i] = s
                i += 1
        find_lines(self)
        self.body = body_end(self)
        self.title = title_end(self)


cdef find_lines(Text text):
    """Number the lines. A line break within a sentence, which was wrapped, ends no line. A heading has few tokens,
    no full stop, and something below."""
    cdef Py_ssize_t i, j, s = 0, first = 0
    cdef int current = 0
    cdef Py_UCS4 last
    text.line = clone(INTS, text.count, False)
    for i in range(text.count):
        if s < len(text.sentences) and text.sentences[s] == i:
            s += 1
            for j in range(text.end[i - 1], text.start[i]):
                if at(text.letters, j) == "\n":
                    current += 1
                    break
        text.line[i] = current
    text.heading = clone(BYTES, current + 1, True)
    for i in range(1, text.count):
        if text.line[i] != text.line[i - 1]:
            last = at(text.letters, text.end[i - 1] - 1)
            if i - first <= HEADING_TOKENS and last != "." and last != "," and last != ";":
                text.heading[text.line[i - 1]] = 1
            first = i


cdef Py_ssize_t title_end(Text text):
    """Return the token at which the title ends: the first line, or sentence, if it is short enough, else 0."""
    cdef Py_ssize_t title = 0
    while title < text.body and text.line[title] == 0:
        title += 1
    if title == text.body or title > TITLE_TOKENS:
        title = min(text.sentences[0], text.body) if len(text.sentences) else 0
    return title if title <= TITLE_TOKENS else 0


cdef Py_ssize_t body_end(Text text):
    """Return the token at which a list of references begins, or the number of tokens."""
    cdef Py_ssize_t i, first, last
    cdef int one, other
    if text.count < WITH_REFERENCES:
        return text.count
    wanted = [text.stem_strings.index(stem) for stem in REFERENCES if stem in text.stem_strings]
    if not wanted:
        return text.count
    one, other = wanted[0], wanted[len(wanted) - 1]
    for i in range(text.count - 1, <Py_ssize_t>(text.count * REFERENCES_AFTER), -1):
        if text.stem[i] != one and text.stem[i] != other:
            continue
        # A line that goes on beyond a heading's length is none, however long it is.
        first = last = i
        while first > 0 and text.line[first - 1] == text.line[i] and last - first < IN_HEADING:
            first -= 1
        while (
            last + 1 < text.count
            and text.line[last + 1] == text.line[i]
            and last - first < IN_HEADING
        ):
            last += 1
        if last - first < IN_HEADING and heads_references(text, first, last, one, other):
            return first
    return text.count


cdef bint heads_references(Text text, Py_ssize_t first, Py_ssize_t last, int one, int other):
    """Return whether a line is a heading of references, not one such as `4. Reference implementation`."""
    cdef Py_UCS4 mark = at(text.letters, text.end[last] - 1)
    if mark == "." or mark == ",":
        return False
    for i in range(first, last + 1):
        if text.stem[i] == one or text.stem[i] == other or not text.kind[i] & WORD or text.kind[i] & STOPWORD:
            continue
        if text.stem_strings[text.stem[i]] not in BESIDE_REFERENCES:
            return False
    return True


cdef class Occurrences:
    def __init__(self, candidates):
        self.text = candidates.analysis.view
        self.first = candidates.first
        self.start = candidates.start
        self.end = candidates.end
        self.count = len(self.first) - 1

    def __reduce__(self):
        return type(None), ()


cdef class View:
    """The attribute `view` of a frozen object: what `opened` makes of it on first use. It costs no call in Python."""

    cdef object opened

    def __init__(self, opened):
        self.opened = opened

    def __get__(self, instance, owner):
        if instance is None:
            return self
        view = instance._view
        if view is None:
            view = self.opened(instance)
            set_field(instance, "_view", view)
        return view
