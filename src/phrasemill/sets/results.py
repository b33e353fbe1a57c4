"""The keyphrases of a set of documents: phrases with their wordings, and every place that mentions them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from phrasemill.types import Span, significant


@dataclass(frozen=True, slots=True)
class Mention:
    """The places where one document of the set mentions a phrase, in any wording."""

    document: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """How strongly a phrase distinguishes one set from another.

    `effect` is the base-2 logarithm of the ratio of the two document frequencies. `p` is the probability of so uneven a
    split by chance, and `q` is `p` corrected for the number of phrases.
    """

    effect: float
    p: float
    q: float
    other_documents: int
    other_total: int


@dataclass(frozen=True, slots=True)
class SetKeyphrase:
    """One result. A higher score is better. `phrase, score = keyphrase` works; `to_dict` has all fields.

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
            record |= {"effect": c.effect, "p": c.p, "q": c.q, "other_documents": c.other_documents}
            record["other_total"] = c.other_total
        return record
