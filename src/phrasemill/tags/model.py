"""A multi-label model of a collection's tags: learns from tagged documents, suggests tags for others.

It keeps the documents (as hashes of words, not their texts) rather than weights per tag, so that a document, a
refusal, a merged tag takes effect at once: `features.py` reads a document, `library.py` keeps it, `index.py` finds
documents like it, `evidence.py` gathers what speaks for each tag, and `blend.py` turns that into one probability.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from phrasemill.errors import ModelError
from phrasemill.tags.blend import Blend, shipped
from phrasemill.tags.evidence import Evidence, Witness
from phrasemill.tags.features import Reading, read
from phrasemill.tags.index import Index
from phrasemill.tags.library import Library
from phrasemill.types import Document, Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMED, SYNONYM, SIMILAR, NEW = "named", "synonym", "similar", "new"
REASONS = {
    NAMED: "named in the text",
    SYNONYM: "a synonym is in the text",
    SIMILAR: "used for documents like this one",
}
SAMPLE = 2000  # documents that the blend is fitted to
# From so many documents on, the blend is fitted to them. All of them are about its tags: fitted to a few, it forgets
# what a text about something else looks like.
LEAST_FITTED = 200
# Of the tags of small collections that one word alone made likely, a third were right.
ON_ONE_WORD = 0.33
GROWN = 1.25  # times as many documents: the blend is fitted again
MOST_EVIDENCE = 3


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A tag for a document.

    `reason` is `named`, `synonym`, `similar` if similar documents have the tag, or `new` for a keyphrase that is no tag
    yet; its `probability` is that of a keyphrase. `support` is the number of documents that have the tag, or the
    keyphrase, and `present` whether this one has it. `spans` are the places where the text names it, `evidence` the
    words that support it, and `documents` the ids of the most similar documents that have it.
    """

    tag: str
    probability: float
    reason: str
    support: int
    present: bool = False
    spans: tuple[Span, ...] = ()
    evidence: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """The reason in words."""
        if self.reason == NEW:
            return f"a keyphrase of {self.support:,} document{'' if self.support == 1 else 's'}"
        return ": ".join(filter(None, [REASONS[self.reason], ", ".join(self.evidence)]))


class TagModel:
    """Suggests tags of a library; `Tags` makes a new model for what is learned."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._index: Index | None = None
        self._witness: Witness | None = None
        self._blend: Blend | None = None
        self._fitted = 0  # documents when the blend was fitted

    def changed(self) -> None:
        """Look at the library again: its documents or tags have changed."""
        self._index = self._witness = None

    def suggest(self, document: Document, *, limit: int) -> list[Suggestion]:
        """Return tags for a document, best first, without those that were refused for it."""
        witness, blend = self._ready()
        if not witness.names:
            return []
        reading = read(document)
        evidence = witness.evidence(reading.features, reading.language)
        probabilities = blend.probabilities(evidence.rows)
        if self._fitted < LEAST_FITTED:
            probabilities[evidence.on_one_word] = probabilities[evidence.on_one_word].clip(max=ON_ONE_WORD)
        probabilities = witness.decided(evidence, probabilities)
        entry = self.library.documents.get(document.id)
        names = [witness.names[tag] for tag in evidence.tags.tolist()]
        allowed = [i for i, name in enumerate(names) if entry is None or name not in entry.refused]
        order = sorted(allowed, key=lambda i: (-probabilities[i], names[i]))[:limit]
        return [self._suggestion(witness, reading, evidence, i, float(probabilities[i])) for i in order]

    def _suggestion(
        self, witness: Witness, reading: Reading, evidence: Evidence, i: int, probability: float
    ) -> Suggestion:
        tag = int(evidence.tags[i])
        name, named = witness.names[tag], evidence.named.get(tag)
        spans = () if named is None else tuple(reading.spans(named.form))
        if spans:
            words = [" ".join(reading.text[start:end].split()) for start, end in spans]
        else:
            strongest = np.argsort(-evidence.lifts[i], kind="stable")[:MOST_EVIDENCE]
            words = [reading.wording(int(reading.features.hashes[f])) for f in strongest if evidence.lifts[i, f] > 0]
        near = witness.documents(tag, evidence.nearness, MOST_EVIDENCE)
        reason = SIMILAR if named is None or not spans else SYNONYM if named.synonym else NAMED
        shown = tuple(filter(None, dict.fromkeys(words)))[:MOST_EVIDENCE]
        support = len(self.library.documents_of(name))
        return Suggestion(name, probability, reason, support, False, spans, shown, tuple(near))

    def _ready(self) -> tuple[Witness, Blend]:
        """Index what is new, and fit the blend where there is none or the collection has outgrown it."""
        if self._index is None:
            self._index = Index.of(self.library.columns())
        if self._witness is None:
            self._witness = Witness(self.library, self._index)
        if self._blend is None or self._index.documents > GROWN * max(self._fitted, 10):
            self._blend = shipped()
            if self._index.documents >= LEAST_FITTED:
                self._blend = self._blend.fitted(*examples(self._witness))
            self._fitted = self._index.documents
        return self._witness, self._blend

    def columns(self) -> "dict[str, NDArray[Any]]":
        """Return the numbers of the library and of its index, as a file has them."""
        self._ready()
        assert self._index is not None
        index = {f"index.{name}": column for name, column in self._index._asdict().items()}
        return self.library.columns()._asdict() | index

    def record(self) -> dict[str, Any]:
        """Return what a file has besides `columns` and the library, for JSON."""
        return {"blend": self._ready()[1].record(), "fitted": self._fitted}

    @classmethod
    def of(cls, library: Library, columns: "Mapping[str, NDArray[Any]]", record: Mapping[str, Any]) -> "TagModel":
        """Return the model out of what `columns` and `record` gave."""
        found = cls(library)
        found._index = Index(*(columns[f"index.{name}"] for name in Index._fields))
        found._blend, found._fitted = Blend.of(record["blend"]), int(record["fitted"])
        if len(found._index.scale) != len(library):
            raise ModelError("its columns do not fit together")
        return found


def examples(witness: Witness) -> "tuple[NDArray[np.float32], NDArray[np.bool_]]":
    """Return rows of evidence for documents of the collection, each as if it were not there, and whether its tags are
    right."""
    rows = [row for row, tags in enumerate(witness.tags_of) if tags]
    if len(rows) > SAMPLE:
        rows = sorted(np.random.default_rng(0).permutation(rows)[:SAMPLE].tolist())
    found, right = [np.zeros((0, len(shipped().mean)), np.float32)], [np.zeros(0, bool)]
    for row in rows:
        entry = witness.entries[row]
        evidence = witness.evidence(entry.features, entry.language, leave_out=row)
        found.append(evidence.rows)
        right.append(np.isin(evidence.tags, witness.tags_of[row]))
    return np.concatenate(found), np.concatenate(right)
