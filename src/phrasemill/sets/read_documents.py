"""One document as methods for sets take it: its stems in order, and the phrases that one extractor found in it.

A reading does not depend on the other documents, so a set that grows or shrinks keeps those it has. `Bounds` say which
phrases count at all. They apply here, before anything is merged: a phrase that is ruled out neither takes the place of
another nor swallows one.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from phrasemill.errors import ConfigError
from phrasemill.extractor import RANKERS_ONLY
from phrasemill.ranker import Ranker
from phrasemill.select import NO_LIMITS, Limits
from phrasemill.sets.forms import Form, Word
from phrasemill.text.analyse import analyse
from phrasemill.types import STOPWORD, Analysis, Document, Keyphrase, Method, Span

Shared = TypeVar("Shared", str, Form)


class Bounds(NamedTuple):
    """Which phrases count: the limits to their words, and phrases to leave out."""

    limits: Limits = NO_LIMITS
    exclude: frozenset[str] = frozenset()

    def options(self, extractor: Method) -> dict[str, Any]:
        """Return these bounds as options of the extractor of single documents."""
        if self.limits and not isinstance(extractor, Ranker):
            raise ConfigError(f"{RANKERS_ONLY} need a method made of Ranker, which {extractor!r} is not")
        return {"exclude": self.exclude, **({"limits": self.limits} if self.limits else {})}


NO_BOUNDS = Bounds()


class DocumentPhrase(NamedTuple):
    """A keyphrase of one document: its form, its wording there and its score."""

    form: Form
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
    def language(self) -> str:
        return self.document.language

    @property
    def words(self) -> frozenset[Word]:
        """Its distinct stems; not kept, as ten thousand of these take more room than the texts."""
        return frozenset([(self.language, stem) for stem in set(self.stems)])

    @property
    def content_words(self) -> frozenset[Word]:
        """The same without stopwords: the stem of `Andes` is not the `and` that every text has."""
        stems = {stem for stem, kind in zip(self.stems, self.kind, strict=True) if not kind & STOPWORD}
        return frozenset([(self.language, stem) for stem in stems])

    def span(self, first: int, last: int) -> Span:
        """Return the characters from token `first` to before token `last`."""
        return Span(self.start[first], self.end[last - 1])


def read_document(
    document: Document,
    extractor: Method | None,
    *,
    keep: int | None,
    pool: "SharedStrings",
    bounds: Bounds = NO_BOUNDS,
) -> ReadDocument:
    """Analyse `document` and keep the best `keep` phrases within `bounds` that `extractor` finds in it."""
    tags = extractor is not None and bool(getattr(extractor, "reads_tags", True))
    analysis = analyse(document.content, language=document.language, tag=tags)
    known = [pool.one(stem) for stem in analysis.stems]
    stems = tuple([known[stem] for stem in analysis.stem])
    keyphrases: Iterable[Keyphrase] = ()
    if extractor is not None:
        keyphrases = extractor.extract(analysis, top=keep, redundancy="none", **bounds.options(extractor))
    found = tuple(document_phrases(keyphrases, analysis, pool))
    return ReadDocument(document, stems, analysis.start, analysis.end, analysis.kind, found)


def document_phrases(
    keyphrases: Iterable[Keyphrase], analysis: Analysis, pool: "SharedStrings"
) -> Iterable[DocumentPhrase]:
    """Yield the keyphrases of one document with their forms."""
    for keyphrase in keyphrases:
        if keyphrase.spans:
            begin, stop = keyphrase.spans[0]
            first = bisect_left(analysis.start, begin)
            last = bisect_left(analysis.start, stop)
            stems = [pool.one(analysis.stems[stem]) for stem in analysis.stem[first:last]]
            form = Form(analysis.language, tuple(stems))
        else:
            form = Form.of(keyphrase.text, analysis.language)
        if form.stems:
            yield DocumentPhrase(pool.one(form), pool.one(keyphrase.text), keyphrase.score)


class SharedStrings:
    """Strings and forms that many documents share, held once; emptied when it grows beyond a limit, so that it cannot
    leak."""

    LIMIT = 500_000

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}

    def one(self, value: Shared) -> Shared:
        if len(self._known) > self.LIMIT:
            self._known.clear()
        found: Shared = self._known.setdefault(value, value)
        return found
