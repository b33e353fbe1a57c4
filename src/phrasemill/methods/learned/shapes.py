"""Candidates by shape: runs of words whose sequence of word classes is one that keyphrases were seen to have.

A word class stands for several tags, Penn's or universal ones (`CLASSES`), and the classes of a run, as digits to the
base 16, are its shape: 0x41 is an adjective and a noun. A model lists known shapes, with the log-odds that a run of
that shape is a keyphrase. Where a language has no tagger, words are nouns and stopwords prepositions.
"""

from array import array
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from phrasemill.kernels import shapes as kernel
from phrasemill.kernels import spans
from phrasemill.text.languages import profile
from phrasemill.text.paratext import defined_words, paratext
from phrasemill.text.stem import default_stemmer, stemmer
from phrasemill.types import STOPWORD, Analysis, Candidates

LONGEST = 5
MOST = 255
(
    NOUN,
    NOUNS,
    NAME,
    ADJECTIVE,
    FOREIGN,
    ING,
    PARTICIPLE,
    VERB,
    PREPOSITION,
    OF,
    DETERMINER,
    ADVERB,
    AND,
    NUMBER,
    OWNER,
) = range(1, 16)
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
    NUMBER: ("CD", "LS", "NUM"),
    OWNER: ("POS", "PART"),
}

# What the tags of Penn are for a verb that was tagged as a noun: kernels/shapes.py has their numbers.
ROLES = (
    ("DT", "PRP$"),
    ("JJ", "CD", "VBN", "VBG"),
    ("NN", "NNP"),
    ("NNS",),
    ("VB", "VBP", "VBZ", "VBD", "MD"),
    ("WRB",),
    ("IN", "TO"),
    ("RB", "PRP"),
    (".", ":", "LS", "-LRB-"),
    (",",),
)
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

    def propose(self, analysis: Analysis, classes: "array[int] | None" = None) -> Candidates:
        """Return the runs of known shape, without units after numbers, labels such as `Table 2`, paratext, and
        the parties of a contract alone.

        `classes` are the `word_classes`, where the caller has them.
        """
        language, kind, stem, stems = analysis.language, analysis.kind, analysis.stem, analysis.stems
        units, labels, dates = _left_out(language)
        classes = kernel.phrase_classes(classes or word_classes(analysis), kind, stem, stems, units, labels)
        if (roles := _roles(analysis.tagset)) is not None and not analysis.text.islower():  # there, tags are less sure
            words = (analysis.word, roles, analysis.words, SUBORDINATORS)
            kernel.hide_verbs(classes, analysis.tag, *words, analysis.sentences)
        for span in paratext(analysis):
            first, last = bisect_left(analysis.start, span.start), bisect_left(analysis.start, span.end)
            classes[first:last] = array("B", bytes(last - first))
        defined = defined_words(analysis)
        never_alone = dates | defined if defined else dates
        start, end = kernel.runs(classes, kind, stem, stems, never_alone, analysis.sentences, self.known, LONGEST)
        return Candidates(analysis, *spans.group(analysis.stem, start, end))


def word_classes(analysis: Analysis) -> "array[int]":
    """Return the word class of each token of `analysis`."""
    if analysis.tagged:
        tags, class_of, of = analysis.tag, _class_of(analysis.tagset), _stems(analysis.language, "joins")
    else:
        tags = array("B", [PREPOSITION if kind & STOPWORD else NOUN for kind in analysis.kind])
        class_of, of = bytes(range(256)), frozenset()
    return kernel.classes(tags, analysis.kind, analysis.stem, class_of, analysis.stems, of)


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
    by_tag = {tag: role for role, tags in enumerate(ROLES, start=1) for tag in tags}
    return bytes(by_tag.get(tagset[code], 0) if code < len(tagset) else 0 for code in range(256))


@cache
def _class_of(tagset: tuple[str, ...]) -> bytes:
    by_tag = {tag: number for number, tags in CLASSES.items() for tag in tags}
    return bytes(by_tag.get(tagset[code], 0) if code < len(tagset) else 0 for code in range(256))
