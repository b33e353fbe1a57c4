"""A text and its candidates as kernels see them. Each opens its columns once, for all kernels that walk them."""

from cpython.object cimport PyObject_GenericSetAttr as set_field

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
