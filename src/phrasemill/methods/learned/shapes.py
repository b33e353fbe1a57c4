"""Candidates by shape: runs of words whose sequence of word classes is one that keyphrases were seen to have.

A word class stands for several tags, Penn's or universal ones (`CLASSES`), and the classes of a run, as digits to the
base 16, are its shape: 0x41 is an adjective and a noun. A model lists known shapes, with the log-odds that a run of
that shape is a keyphrase. Where a language has no tagger, words are nouns and stopwords prepositions.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from phrasemill.kernels import shapes as kernel
from phrasemill.kernels import spans
from phrasemill.kernels.shapes import (
    ADJECTIVE,
    ADVERB,
    AND,
    CARDINAL,
    DETERMINER,
    FOREIGN,
    ING,
    NAME,
    NOUN,
    NOUNS,
    OWNER,
    PARTICIPLE,
    PREPOSITION,
    VERB,
)
from phrasemill.text.languages import profile
from phrasemill.text.paratext import defined_words, paratext
from phrasemill.text.paratext_patterns import DEFINING
from phrasemill.text.stem import default_stemmer, stemmer
from phrasemill.types import STOPWORD, Analysis, Candidates

LONGEST = 5
MOST = 255
CLASSES = {
    NOUN: ("NN", "NOUN"),
    NOUNS: ("NNS",),
    NAME: ("NNP", "NNPS", "PROPN"),
    ADJECTIVE: ("JJ", "JJR", "JJS", "ADJ"),
    FOREIGN: ("FW", "X"),
    ING: ("VBG",),
    PARTICIPLE: ("VBN", "VBD"),
    VERB: ("VB", "VBP", "VBZ", "VERB", "AUX"),
    PREPOSITION: ("IN", "TO", "ADP", "SCONJ"),
    DETERMINER: ("DT", "DET"),
    ADVERB: ("RB", "RBR", "RBS", "ADV"),
    AND: ("CC", "CCONJ"),
    CARDINAL: ("CD", "LS", "NUM"),
    OWNER: ("POS", "PART"),
}

# What the tags of Penn are for a verb that was tagged as a noun.
ROLES = {
    kernel.DETERMINING: ("DT", "PRP$"),
    kernel.MODIFIER: ("JJ", "CD", "VBN", "VBG"),
    kernel.SINGULAR: ("NN", "NNP"),
    kernel.PLURAL: ("NNS",),
    kernel.FINITE: ("VB", "VBP", "VBZ", "VBD", "MD"),
    kernel.OPENER: ("WRB",),
    kernel.PREPOSING: ("IN", "TO"),
    kernel.ADVERBIAL: ("RB", "PRP"),
    kernel.MARK: (".", ":", "LS", "-LRB-"),
    kernel.COMMA: (",",),
}
SUBORDINATORS = frozenset("although as because if that though unless whereas while".split())


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """The shapes that candidates may have: `known` has the row of `odds` for each shape, 0 for those unknown."""

    known: memoryview
    odds: "array[float]"

    @classmethod
    def of(cls, odds: Mapping[int, float]) -> "Shapes":
        """Return the shapes with these log-odds; the first MOST of them."""
        known = memoryview(
            bytearray(16**LONGEST)
        )  # memory that is not touched costs nothing; a view, as in tokenise.py
        column = array("f", [0.0])
        for shape in sorted(odds)[:MOST]:
            known[shape] = len(column)
            column.append(odds[shape])
        return cls(known, column)

    def propose(self, analysis: Analysis) -> Candidates:
        """Return the runs of known shape, without units after numbers, labels such as `Table 2`, paratext, and
        the parties of a contract alone."""
        units, labels, dates = _left_out(analysis.language)
        word_classes(analysis)
        phrases = kernel.Phrases(analysis.view, units, labels)
        if (roles := _roles(analysis.tagset)) is not None and not analysis.text.islower():  # there, tags are less sure
            phrases.leave_out_verbs(roles, SUBORDINATORS)
        for span in paratext(analysis):
            phrases.leave_out(*span)
        if any(map(analysis.text.__contains__, DEFINING)):
            dates |= defined_words(analysis)
        start, end = phrases.runs(self.known, LONGEST, dates)
        return Candidates(analysis, *spans.group(analysis.stem, start, end))


def word_classes(analysis: Analysis) -> "array[int]":
    """Return the word class of each token of `analysis`, which remembers them."""
    view = analysis.view
    if view.classes is None:
        if len(analysis.tagset) > 1:
            kernel.classify(view, _class_of(analysis.tagset), analysis.tag, _stems(analysis.language, "joins"))
        else:
            tags = bytes([PREPOSITION if kind & STOPWORD else NOUN for kind in analysis.kind])
            kernel.classify(view, bytes(range(256)), tags, frozenset())
    return view.classes


@cache
def _left_out(language: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return units, labels and dates, as stems."""
    return _stems(language, "units"), _stems(language, "labels"), _stems(language, "dates")


@cache
def _stems(language: str, kind: str) -> frozenset[str]:
    """Return the words of one kind in the profile of a language, as they are and stemmed."""
    words: frozenset[str] = getattr(profile(language), kind)
    return words | frozenset(map(stemmer(default_stemmer(language)), words))


@cache
def _roles(tagset: tuple[str, ...]) -> bytes | None:
    """Return the role of each tag; none where tags do not tell finite verbs."""
    if "VBZ" not in tagset:
        return None
    return _by_code(ROLES, tagset)


@cache
def _class_of(tagset: tuple[str, ...]) -> bytes:
    return _by_code(CLASSES, tagset)


def _by_code(tags: Mapping[int, Sequence[str]], tagset: tuple[str, ...]) -> bytes:
    """Return the number of each tag by its code, 0 where it has none."""
    numbers = {tag: number for number, some in tags.items() for tag in some}
    return bytes([numbers.get(tag, 0) for tag in tagset]).ljust(256, b"\0")
