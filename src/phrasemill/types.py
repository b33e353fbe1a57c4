"""The few types that everything passes around: frozen, slotted, without dependencies."""

import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias

from phrasemill.kernels.text import CAPITAL, NUMBER, STOPWORD, UPPER, WORD, Occurrences, Text, View

__all__ = ["CAPITAL", "NUMBER", "STOPWORD", "UPPER", "WORD"]  # bits of `Analysis.kind` (kernels/text.pxd)

Reference: TypeAlias = "str | tuple[str, ...]"
# Keyphrases to return: a count, a fraction of the candidates (a float up to 1), "auto", or "all", also written None.
Top: TypeAlias = "int | float | str | None"

# Where phrases stand in a text: stemmed form → token ranges (first, one past the last).
Places: TypeAlias = "Mapping[str, Sequence[tuple[int, int]]]"
NO_PLACES: Places = MappingProxyType({})

NEVER = sys.maxsize


def significant(number: float) -> float:
    """Return a number as it is printed everywhere: with at most four significant digits."""
    return float(f"{number:.4g}")


class Span(NamedTuple):
    """A place in a text, in code points: `text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its metadata.

    If `language` is empty, it is detected from the text. `references` are gold keyphrases; one may be a tuple of
    interchangeable wordings, the preferred one first.
    """

    id: str
    text: str
    title: str = ""
    language: str = ""
    references: tuple[Reference, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """The text that is analysed, and that spans refer to: the title on a line of its own, then the text."""
        return f"{self.title}\n{self.text}" if self.title else self.text


class Evidence(NamedTuple):
    """One reason for a score: its kind, its wording, and how far it moved the score (in log-odds where scores are
    probabilities; 0 where that is unknown)."""

    about: str
    words: str
    weight: float


@dataclass(frozen=True, slots=True)
class Keyphrase:
    """One result. A higher score is better. A phrase without spans does not occur in the text.

    `phrase, score = keyphrase` works; it is no tuple otherwise. `repr` shows these two, `to_dict` all fields.

    With a vocabulary, `concept` is the id of the concept, and `label` its preferred label. With `explain=True`,
    `evidence` has the reasons for the score, strongest first.
    """

    text: str
    score: float
    spans: tuple[Span, ...] = ()
    sources: tuple[str, ...] = ()
    concept: str = ""
    label: str = ""
    evidence: tuple[Evidence, ...] = ()

    @property
    def present(self) -> bool:
        """Whether the phrase occurs in the text."""
        return bool(self.spans)

    def __repr__(self) -> str:
        """Show text and score."""
        return f"Keyphrase({self.text!r}, {significant(self.score)!r})"

    def to_dict(self) -> dict[str, object]:
        """Return the keyphrase as JSON has it, in the shape that `evaluate` reads."""
        found: dict[str, object] = {
            "text": self.text,
            "score": self.score,
            "present": self.present,
            "spans": [list(span) for span in self.spans],
        }
        if self.concept:
            found |= {"concept": self.concept, "label": self.label}
        if self.evidence:
            found["evidence"] = [one._asdict() for one in self.evidence]
        return found

    def __iter__(self) -> Iterator[Any]:  # no type but a tuple says that a text comes first, then a number
        """Unpack as `text, score = keyphrase`."""
        yield self.text
        yield self.score


class Token(NamedTuple):
    """One token as a value; kernels walk the columns instead."""

    text: str
    span: Span
    tag: str
    word: str
    stem: str
    kind: int


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A text as columns, one entry per token, so that a kernel can walk it without touching a Python object.

    Words and stems are numbered by first occurrence in this document; `words` and `stems` give their strings.
    """

    text: str
    language: str
    start: "array[int]"  # where the token starts in `text` …
    end: "array[int]"  # … and ends
    kind: "array[int]"  # WORD, STOPWORD … as bits
    tag: "array[int]"  # an index into `tagset`, 0 where the language has no tagger
    word: "array[int]"  # an index into `words`
    stem: "array[int]"  # an index into `stems`
    sentences: "array[int]"  # the exclusive token index at which each sentence ends
    words: Sequence[str]
    stems: Sequence[str]
    tagset: tuple[str, ...] = ("",)
    _view: Text | None = field(default=None, init=False, repr=False)
    view: ClassVar[Any] = View(Text)  # the columns as kernels see them

    def __len__(self) -> int:
        return len(self.start)

    @property
    def tagged(self) -> bool:
        """Whether the tokens have part-of-speech tags."""
        return len(self.tagset) > 1

    @property
    def tokens(self) -> Iterator[Token]:
        """The tokens, with their text, tag and stem."""
        for i in range(len(self)):
            span = Span(self.start[i], self.end[i])
            yield Token(
                text=self.text[span.start : span.end],
                span=span,
                tag=self.tagset[self.tag[i]],
                word=self.words[self.word[i]],
                stem=self.stems[self.stem[i]],
                kind=self.kind[i],
            )


class Candidate(NamedTuple):
    """A phrase that may be chosen: its stemmed form, and every place where it occurs."""

    form: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The candidates of one analysis as columns, in order of first occurrence.

    The occurrences of candidate `c` are `first[c]` to `first[c + 1]` (exclusive), in text order; occurrence `o`
    covers the tokens `start[o]` to `end[o]` (exclusive). From the token `absent` on, the analysis has phrases that the
    text lacks, each a sentence of its own (methods/phrase_matching.py).
    """

    analysis: Analysis
    first: "array[int]"
    start: "array[int]"
    end: "array[int]"
    absent: int = NEVER
    _view: Occurrences | None = field(default=None, init=False, repr=False)
    view: ClassVar[Any] = View(Occurrences)

    def __len__(self) -> int:
        return len(self.first) - 1

    def __getitem__(self, c: int) -> Candidate:
        return Candidate(self.form(c), self.spans(c))

    def __iter__(self) -> Iterator[Candidate]:
        return (self[c] for c in range(len(self)))

    def keep(self, chosen: Iterable[int]) -> "Candidates":
        """Return only the candidates with these numbers, in this order."""
        first, start, end = array("i", [0]), array("i"), array("i")
        for c in chosen:
            start += self.start[self.first[c] : self.first[c + 1]]
            end += self.end[self.first[c] : self.first[c + 1]]
            first.append(len(start))
        return Candidates(self.analysis, first, start, end, self.absent)

    def count(self, c: int) -> int:
        """Return how often candidate `c` occurs."""
        return self.first[c + 1] - self.first[c]

    def stem_ids(self, c: int) -> tuple[int, ...]:
        o = self.first[c]
        return tuple(self.analysis.stem[self.start[o] : self.end[o]])

    def form(self, c: int) -> str:
        """Return the stems of candidate `c`, joined by spaces."""
        return " ".join([self.analysis.stems[s] for s in self.stem_ids(c)])

    def spans(self, c: int) -> tuple[Span, ...]:
        start, end = self.analysis.start, self.analysis.end
        begin, stop = self.first[c], self.first[c + 1]
        bounds = zip(self.start[begin:stop], self.end[begin:stop], strict=True)
        return tuple([Span(start[first], end[last - 1]) for first, last in bounds])


class Method(Protocol):
    """Anything that turns a document into keyphrases: parameters in the constructor, data in the call."""

    def extract(
        self,
        source: "Document | Analysis",
        /,
        *,
        top: Top = 10,
        threshold: float | None = None,
        exclude: Iterable[str] = (),
        redundancy: str | None = None,
    ) -> list[Keyphrase]: ...
