"""A text and its candidates as kernels see them. Each opens its columns once, for all kernels that walk them."""

# The bits for Python: an enum of Python's would be slow to calculate with.
globals().update(WORD=<int>WORD, STOPWORD=<int>STOPWORD, NUMBER=<int>NUMBER, CAPITAL=<int>CAPITAL, UPPER=<int>UPPER)
globals().update(LONGEST=<int>LONGEST)


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
        self.count = len(self.start)
        self.words = len(analysis.words)
        self.stems = len(analysis.stems)

    def __reduce__(self):
        """Another process opens the columns again."""
        return type(None), ()


cdef class Occurrences:
    def __init__(self, candidates):
        self.text = candidates.analysis.view
        self.first = candidates.first
        self.start = candidates.start
        self.end = candidates.end
        self.count = len(self.first) - 1

    def __reduce__(self):
        return type(None), ()
