"""The keyphrases of a set of documents: phrases with their wordings, and every place that mentions them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from phrasemill.types import Span, significant

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
