"""One document as methods for sets take it: its stems in order, and the phrases that one extractor found in it.

A reading does not depend on the other documents, so a set that grows or shrinks keeps those it has.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from phrasemill.selection import form_of
from phrasemill.text.analyse import analyse
from phrasemill.types import STOPWORD, Analysis, Document, Keyphrase, Method, Span


class DocumentPhrase(NamedTuple):
    """A keyphrase of one document: its stemmed form, its wording there and its score."""

    form: str
    text: str
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class ReadDocument:
    """A document, its tokens as stems, and its keyphrases, best first."""

    document: Document
    stems: tuple[str, ...]
    start: "array[int]"
    end: "array[int]"
    kind: "array[int]"  # WORD, STOPWORD … as bits
    found: tuple[DocumentPhrase, ...]

    @property
    def words(self) -> frozenset[str]:
        """Its distinct stems; not kept, as ten thousand of these take more room than the texts."""
        return frozenset(self.stems)

    @property
    def content_words(self) -> frozenset[str]:
        """The same without stopwords: the stem of `Andes` is not the `and` that every text has."""
        return frozenset([stem for stem, kind in zip(self.stems, self.kind, strict=True) if not kind & STOPWORD])

    def span(self, first: int, last: int) -> Span:
        """Return the characters from token `first` to before token `last`."""
        return Span(self.start[first], self.end[last - 1])


def read_document(
    document: Document, extractor: Method | None, *, keep: int | None, pool: "SharedStrings"
) -> ReadDocument:
    """Analyse `document` and keep the best `keep` phrases that `extractor` finds in it."""
    tags = extractor is not None and bool(getattr(extractor, "reads_tags", True))
    analysis = analyse(document.content, language=document.language, tag=tags)
    known = [pool.string(stem) for stem in analysis.stems]
    stems = tuple([known[stem] for stem in analysis.stem])
    keyphrases = [] if extractor is None else extractor.extract(analysis, top=keep, redundancy="none")
    found = tuple(_found(keyphrases, analysis, stems, pool))
    return ReadDocument(document, stems, analysis.start, analysis.end, analysis.kind, found)


def _found(
    keyphrases: Iterable[Keyphrase], analysis: Analysis, stems: Sequence[str], pool: "SharedStrings"
) -> Iterable[DocumentPhrase]:
    for keyphrase in keyphrases:
        if keyphrase.spans:
            begin, stop = keyphrase.spans[0]
            first = bisect_left(analysis.start, begin)
            last = bisect_left(analysis.start, stop)
            form = " ".join(stems[first:last])
        else:
            form = form_of(keyphrase.text, analysis.language)
        if form:
            yield DocumentPhrase(pool.string(form), pool.string(keyphrase.text), keyphrase.score)


class SharedStrings:
    """Strings that many documents share, held once; emptied when it grows beyond a limit, so that it cannot leak."""

    LIMIT = 500_000

    def __init__(self) -> None:
        self._strings: dict[str, str] = {}

    def string(self, text: str) -> str:
        if len(self._strings) > self.LIMIT:
            self._strings.clear()
        return self._strings.setdefault(text, text)
