"""Documents as methods for sets take them: words that know their language, the phrases that one extractor found, and
where phrases stand.

Sets tell phrases apart by their forms: the stems of their words, each with the language of its document. The English
`pumps` and the German `Pumpen` have the same stem and nothing else in common.

A reading does not depend on the other documents, so a set that grows keeps those it has. Which phrases count at all is
decided here, before anything is merged: a phrase that is ruled out neither takes the place of another nor swallows one.
"""

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

from phrasemill.candidates import without_stopwords
from phrasemill.errors import ConfigError
from phrasemill.extractor import RANKERS_ONLY
from phrasemill.ranker import Ranker
from phrasemill.select import Selection
from phrasemill.statistics import load_frequencies
from phrasemill.text.analyse import analyse, sentence_bounds
from phrasemill.types import NUMBER, STOPWORD, WORD, Analysis, Document, Keyphrase, Method, Span


class Word(NamedTuple):
    """A stem in its language."""

    language: str
    stem: str


Form: TypeAlias = tuple[Word, ...]  # never empty
Pool: TypeAlias = dict[Any, Any]  # words, forms and wordings that many documents share, held once
Shared = TypeVar("Shared")
NOTHING = Word("", "")  # a token that does not count


EVERY = Selection(None)  # phrase of a document counts


class DocumentPhrase(NamedTuple):
    """A keyphrase of one document: its form, its wording there and its score."""

    form: Form
    text: str
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class ReadDocument:
    """A document, its tokens as words, and its keyphrases, best first.

    `text` is what methods read: the content, with spaces in the place of what does not count.
    """

    id: str
    language: str
    content: str
    text: str
    tokens: tuple[Word, ...]
    start: "array[int]"
    end: "array[int]"
    kind: "array[int]"  # WORD, STOPWORD … as bits
    sentences: tuple[tuple[int, int], ...]  # the tokens at which each begins, and before which it ends
    found: tuple[DocumentPhrase, ...]

    @property
    def words(self) -> frozenset[Word]:
        """Its distinct words; not kept, as ten thousand of these take more room than the texts."""
        return frozenset(self.tokens) - {NOTHING}

    @property
    def content_words(self) -> frozenset[Word]:
        """The same without stopwords: the stem of `Andes` is not the `and` that every text has."""
        words = (word for word, kind in zip(self.tokens, self.kind, strict=True) if not kind & STOPWORD)
        return frozenset(words) - {NOTHING}

    @property
    def vector(self) -> dict[Word, float]:
        """TF-IDF of its words, scaled to length 1; words weigh alike where there is no background in the language."""
        counts = Counter(
            word
            for word, kind in zip(self.tokens, self.kind, strict=True)
            if kind & WORD and not kind & STOPWORD and word is not NOTHING
        )
        table = load_frequencies()
        known = table.language == self.language
        weights = table.idfs([word.stem for word in counts]) if known else [1.0] * len(counts)
        vector = {word: count * weight for (word, count), weight in zip(counts.items(), weights, strict=True)}
        length = math.sqrt(sum(value * value for value in vector.values()))
        return {word: value / length for word, value in vector.items()} if length else {}

    def says(self, first: int, last: int) -> Form:
        """Return the words that count from token `first` to before token `last`, without punctuation."""
        some = zip(self.tokens[first:last], self.kind[first:last], strict=True)
        return tuple([word for word, kind in some if kind & (WORD | NUMBER) and word is not NOTHING])

    def span(self, first: int, last: int) -> Span:
        """Return the characters from token `first` to before token `last`."""
        return Span(self.start[first], self.end[last - 1])


def read_document(
    document: Document,
    extractor: Method | None = None,
    *,
    keep: int | None = None,
    pool: Pool,
    counting: Selection = EVERY,
    function_words: bool = False,
) -> ReadDocument:
    """Analyse `document`, and keep the best `keep` phrases that `extractor` finds in it.

    Phrases are within the limits of `counting`, and not those that it excludes. With `function_words`, they may begin
    and end with stopwords.
    """
    tags = extractor is not None and bool(getattr(extractor, "reads_tags", True))
    content = document.content
    analysis = analyse(content, language=document.language, tag=tags)
    known = [_pooled(Word(analysis.language, stem), pool) for stem in analysis.stems]
    tokens = tuple([known[stem] for stem in analysis.stem])
    keyphrases: Iterable[Keyphrase] = ()
    if extractor is not None:
        limits: dict[str, Any] = {"limits": counting.limits} if counting.limits else {}
        if limits and not isinstance(extractor, Ranker):
            raise ConfigError(f"{RANKERS_ONLY} need a method made of Ranker, which {extractor!r} is not")
        keyphrases = extractor.extract(analysis, top=keep, redundancy="none", exclude=counting.exclude, **limits)
    return ReadDocument(
        id=document.id,
        language=analysis.language,
        content=content,
        text=content,
        tokens=tokens,
        start=analysis.start,
        end=analysis.end,
        kind=without_stopwords(analysis.kind) if function_words else analysis.kind,
        sentences=tuple(sentence_bounds(analysis)),
        found=tuple(document_phrases(keyphrases, analysis, tokens, pool)),
    )


def document_phrases(
    keyphrases: Iterable[Keyphrase], analysis: Analysis, tokens: Sequence[Word], pool: Pool
) -> Iterator[DocumentPhrase]:
    """Yield the keyphrases of one document, whose tokens are these words, with their forms."""
    for keyphrase in keyphrases:
        if keyphrase.spans:
            begin, stop = keyphrase.spans[0]
            form = tuple(tokens[bisect_left(analysis.start, begin) : bisect_left(analysis.start, stop)])
        else:
            form = form_of(keyphrase.text, analysis.language)
        if form:
            yield DocumentPhrase(_pooled(form, pool), _pooled(keyphrase.text, pool), keyphrase.score)


def form_of(phrase: str, language: str) -> Form:
    """Return the form of `phrase` in a text in `language`."""
    analysis = analyse(phrase, language=language, tag=False)
    return tuple([Word(language, analysis.stems[stem]) for stem in analysis.stem])


def parts_of(form: Form) -> Form:
    """Return the words of a form, those with hyphens in parts."""
    parts = [Word(word.language, part) for word in form for part in word.stem.split("-") if part]
    return tuple(parts) or form


def _pooled(value: Shared, pool: Pool) -> Shared:
    known: Shared = pool.setdefault(value, value)
    return known


class Place(NamedTuple):
    """Tokens `first` to before `last` of reading number `reading`."""

    reading: int
    first: int
    last: int


def find(forms: Iterable[Form], readings: Sequence[ReadDocument]) -> dict[Form, list[Place]]:
    """Return every place at which the words of each form stand in a row, with no stopword at either end."""
    places: dict[Form, list[Place]] = {form: [] for form in forms}
    beginning: dict[Word, list[tuple[Form, list[Place]]]] = {}
    for form, found in places.items():
        beginning.setdefault(form[0], []).append((form, found))
    for number, reading in enumerate(readings):
        tokens, kind = reading.tokens, reading.kind
        for i, word in enumerate(tokens):
            if word not in beginning or kind[i] & STOPWORD:
                continue
            for form, found in beginning[word]:
                last = i + len(form)
                if tokens[i:last] == form and not kind[last - 1] & STOPWORD:
                    found.append(Place(number, i, last))
    return places


def without(reading: ReadDocument, ranges: Iterable[tuple[int, int]]) -> ReadDocument:
    """Return a reading in which the tokens from one number up to another count for nothing."""
    tokens, letters = list(reading.tokens), list(reading.text)
    for first, last in ranges:
        if first < last:
            tokens[first:last] = [NOTHING] * (last - first)
            start, end = reading.span(first, last)
            letters[start:end] = " " * (end - start)
    left = replace(reading, tokens=tuple(tokens), text="".join(letters))
    places = find({phrase.form for phrase in reading.found}, [left])
    return replace(left, found=tuple([phrase for phrase in reading.found if places[phrase.form]]))


def capitalised(places: Iterable[Place], readings: Sequence[ReadDocument]) -> list[Place]:
    """Return those of `places` that begin with a capital letter."""
    return [p for p in places if readings[p.reading].content[readings[p.reading].start[p.first]].isupper()]
