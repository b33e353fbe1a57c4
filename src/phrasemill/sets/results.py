"""The keyphrases of a set of documents: phrases with their wordings, and every place that mentions them."""

from collections.abc import Iterator
from dataclasses import dataclass

from phrasemill.types import Span, Unpacked


@dataclass(frozen=True, slots=True)
class Mention:
    """Where one document of the set mentions a phrase, in any of its wordings."""

    document: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """How a phrase marks one set out from another.

    `effect` is the logarithm (base 2) of the ratio of the two document frequencies; `p` the probability of so uneven
    a split by chance, `q` the same corrected for the number of phrases compared.
    """

    effect: float
    p: float
    q: float
    other_documents: int
    other_total: int


@dataclass(frozen=True, slots=True)
class SetKeyphrase(Unpacked):
    """One result. Higher scores are better, always.

    `variants` are the wordings that the documents use for it, the most used first; `mentions` the documents that
    support it and the places in them; `total` is the number of documents in the set.
    """

    text: str
    score: float
    variants: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    total: int = 0
    contrast: Contrast | None = None

    @property
    def documents(self) -> int:
        """How many documents mention it: its document frequency."""
        return len(self.mentions)

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of those documents."""
        return tuple(mention.document for mention in self.mentions)

    @property
    def times(self) -> int:
        """At how many places it is mentioned."""
        return sum(len(mention.spans) for mention in self.mentions)

    def __iter__(self) -> Iterator[str | float]:
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
