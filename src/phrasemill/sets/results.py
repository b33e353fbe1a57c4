"""The keyphrases of a set: what methods for sets choose, with the wordings, and every place that mentions them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from phrasemill.select import Selection
from phrasemill.sets.reading import Form, Place, ReadDocument, capitalised, find
from phrasemill.specs import Specified
from phrasemill.types import Method, Span, significant

SIGNIFICANT = 0.05  # the largest q of a difference that is called significant


@dataclass(frozen=True, slots=True)
class Mention:
    """The places where one document of the set mentions a phrase, in any wording."""

    document: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """How strongly a phrase distinguishes one set from another.

    `effect` is the base-2 logarithm of `ratio`: how many times as common the phrase is in the documents of the first
    set. `p` is the probability of so uneven a split by chance, and `q` is `p` corrected for the number of phrases.
    """

    effect: float
    p: float
    q: float
    other_documents: int
    other_total: int

    @property
    def ratio(self) -> float:
        """How many times as common the phrase is as in the other set."""
        return float(2**self.effect)

    @property
    def significant(self) -> bool:
        """Whether `q` is at most 0.05, so that chance hardly explains the difference."""
        return self.q <= SIGNIFICANT


@dataclass(frozen=True, slots=True)
class SetKeyphrase:
    """One result. A higher score is better. Of a set compared with another, the score is how many times as common the
    phrase is at least: the lower end of the 95 % interval of the ratio. `phrase, score = keyphrase` works; `to_dict`
    has all fields.

    `variants` are its wordings in the documents, most used first. `mentions` are the documents that support it, with
    the places in them. `total` is the number of documents in the set.
    """

    text: str
    score: float
    variants: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    total: int = 0
    contrast: Contrast | None = None

    @property
    def documents(self) -> int:
        """The number of documents that mention it (document frequency)."""
        return len(self.mentions)

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of those documents."""
        return tuple(mention.document for mention in self.mentions)

    @property
    def times(self) -> int:
        """The number of places where it is mentioned."""
        return sum(len(mention.spans) for mention in self.mentions)

    def __repr__(self) -> str:
        """Show text, score and number of documents."""
        return f"SetKeyphrase({self.text!r}, {significant(self.score)!r}, documents={self.documents})"

    def __iter__(self) -> Iterator[Any]:
        """Unpack as `text, score = keyphrase`."""
        yield self.text
        yield self.score

    def to_dict(self) -> dict[str, object]:
        """Return the result for JSON."""
        record: dict[str, object] = {
            "text": self.text,
            "score": self.score,
            "documents": self.documents,
            "total": self.total,
            "variants": list(self.variants),
            "mentions": [{"document": m.document, "spans": [list(span) for span in m.spans]} for m in self.mentions],
        }
        if self.contrast is not None:
            c = self.contrast
            record |= {"effect": c.effect, "p": c.p, "q": c.q, "significant": c.significant}
            record |= {"other_documents": c.other_documents, "other_total": c.other_total}
        return record


class SetKeyphrases(list[SetKeyphrase]):
    """The keyphrases of a set, best first. `notes` are sentences on what the list does not show: how many documents are
    duplicates, whether any difference is significant, why there is no phrase."""

    def __init__(self, keyphrases: Iterable[SetKeyphrase] = (), *, notes: Iterable[str] = ()) -> None:
        super().__init__(keyphrases)
        self.notes = tuple(notes)


class ChosenPhrase(NamedTuple):
    """A phrase to return: its wording, its score and all forms that count as mentions of it, the preferred one first.

    Those in `names` count only where they begin with a capital letter. `contrast` is how two sets differ in the phrase,
    where they are compared.
    """

    text: str
    score: float
    forms: tuple[Form, ...]
    names: frozenset[Form] = frozenset()
    contrast: Contrast | None = None

    def joined(self, other: "ChosenPhrase") -> "ChosenPhrase":
        """Return this phrase with the forms of `other` as further ones."""
        forms = tuple(dict.fromkeys((*self.forms, *other.forms)))
        return self._replace(forms=forms, names=self.names | other.names)


class SetMethod(Specified):
    """A method that finds the keyphrases of a set: it chooses among the phrases of all documents after each was read.

    Subclasses are frozen dataclasses whose fields are the parameters; `SET_METHODS.describe()` shows the first line of
    their docstring.
    """

    __slots__ = ()
    needs: ClassVar[str] = "several documents"
    # How many phrases of each document are kept; a parameter of some methods.
    keep: int | None = None

    @property
    def function_words(self) -> bool:
        """Whether phrases may begin and end with function words: where the method for single documents returns such."""
        return bool(getattr(getattr(self, "method", None), "function_words", False))

    def extractor(self, language: str) -> Method | None:
        """Return what is run over each document by itself; None where nothing is."""
        return None

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None, counting: Selection) -> list[ChosenPhrase]:
        """Return phrases, best first: at least `wanted` if there are as many, all of them for None.

        In `readings` are phrases that count by `counting`; a method that looks for phrases itself must keep to it.
        """
        raise NotImplementedError


def places_of(one: ChosenPhrase, places: Mapping[Form, list[Place]], readings: Sequence[ReadDocument]) -> list[Place]:
    """Return every place that mentions the phrase, in order, without those inside a longer wording of it."""
    every = [
        place
        for form in one.forms
        for place in (capitalised(places[form], readings) if form in one.names else places[form])
    ]
    outer: list[Place] = []
    for place in sorted(every, key=lambda p: (p.reading, p.first, p.first - p.last)):
        if not outer or place.reading != outer[-1].reading or place.first >= outer[-1].last:
            outer.append(place)
    return outer


def results(chosen: Sequence[ChosenPhrase], readings: Sequence[ReadDocument]) -> list[SetKeyphrase]:
    """Return the chosen phrases with their wordings and the places that mention them.

    A phrase without any is left out: read in the wrong language, function words look like phrases.
    """
    found = []
    places = find(dict.fromkeys(form for one in chosen for form in one.forms), readings)
    for one in chosen:
        own = places_of(one, places, readings)
        spans: dict[str, list[Place]] = {}
        for place in own:
            spans.setdefault(readings[place.reading].id, []).append(place)
        mentions = [
            Mention(id_, tuple([readings[p.reading].span(p.first, p.last) for p in inside]))
            for id_, inside in spans.items()
        ]
        preferred = set(places[one.forms[0]])
        first = _wordings([place for place in own if place in preferred], readings)
        variants = dict.fromkeys([*(first[:1] or [one.text]), *_wordings(own, readings)])
        if mentions:
            text = next(iter(variants))
            found.append(SetKeyphrase(text, one.score, tuple(variants), tuple(mentions), len(readings), one.contrast))
    return found


def _wordings(places: Iterable[Place], readings: Sequence[ReadDocument]) -> list[str]:
    """Return what stands at these places, the most used first; what only lines in capitals have comes last."""
    written: Counter[str] = Counter()
    in_capitals: Counter[str] = Counter()
    for place in places:
        reading = readings[place.reading]
        start, end = reading.span(place.first, place.last)
        counts = in_capitals if in_capital_line(reading.content, start, end) else written
        counts[" ".join(reading.content[start:end].split())] += 1
    return list(dict.fromkeys(text for counts in (written, in_capitals) for text, _ in counts.most_common()))


def in_capital_line(content: str, start: int, end: int) -> bool:
    """Return whether a phrase is in capitals because its line is, as in a headline, and not because it is written so.

    Several words in capitals are a headline by themselves; one may be an acronym, unless the words around it are in
    capitals, too.
    """
    text = content[start:end]
    if not text.isupper():
        return False
    if len(text.split()) > 1:
        return True
    begin, stop = content.rfind("\n", 0, start) + 1, content.find("\n", end)
    line = content[begin:start] + " " + content[end : None if stop < 0 else stop]
    return line.isupper() and sum(character.isalpha() for character in line) > 1
