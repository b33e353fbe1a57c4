"""A multi-label model of a collection's tags: learns from tagged documents, suggests tags for others.

It keeps the documents (as hashes of words, not their texts) rather than weights per tag, so that a document, a
refusal, a merged tag takes effect at once: `model_features.py` reads a document, `model_collection.py` keeps it,
`model_index.py` finds documents like it, `model_evidence.py` gathers what speaks for each tag, and `model_blend.py`
turns that into one probability.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from phrasemill.errors import InputError, ModelError
from phrasemill.tags.model_blend import Blend, shipped
from phrasemill.tags.model_collection import Collection
from phrasemill.tags.model_evidence import Evidence, Witness
from phrasemill.tags.model_features import Reading, read
from phrasemill.tags.model_index import Index
from phrasemill.types import Document, Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMED, SYNONYM, SIMILAR = "named", "synonym", "similar"
VERSION = 1
SAMPLE = 2000  # documents that the blend is fitted to
# From so many documents on, the blend is fitted to them. All of them are about its tags: fitted to a few, it forgets
# what a text about something else looks like.
LEAST_FITTED = 200
# Of the tags of small collections that one word alone made likely, a third were right.
ON_ONE_WORD = 0.33
GROWN = 1.25  # times as many documents: the blend is fitted again
MOST_EVIDENCE = 3
TYPECODES = {"uint8": "B", "int32": "i", "uint32": "I", "int64": "q", "float32": "f", "float64": "d"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A tag for a document. `reason` is `named`, `synonym`, or `similar` if similar documents have the tag.

    `spans` are the places where the text names it, `evidence` the words that support it, and `documents` the ids of the
    most similar documents that have it.
    """

    tag: str
    probability: float
    reason: str
    spans: tuple[Span, ...] = ()
    evidence: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


class TagModel:
    """Learns which tags documents have, and suggests tags for others; what it suggests depends only on the documents,
    not on how many calls of `learn` they came in."""

    def __init__(self) -> None:
        self._collection = Collection()
        self._blend: Blend | None = None
        self._fitted = 0  # documents when the blend was fitted
        self._index: Index | None = None
        self._witness: Witness | None = None

    @property
    def tags(self) -> dict[str, int]:
        """How many documents have each tag."""
        return dict(self._collection.counts())

    def learn(self, documents: Iterable[tuple[Document, Sequence[str]]]) -> None:
        """Learn from documents and the tags they have; one that was learned before, by its id, is replaced."""
        for document, tags in documents:
            wanted = _clean(tags)
            if wanted:
                self._add(document, read(document), wanted, ())
        self._index = self._witness = self._blend = None

    def add_tags(self, tags: Iterable[str], synonyms: Mapping[str, Iterable[str]] | None = None) -> None:
        """Add tags that no document has yet, as those of a vocabulary, and other names of tags."""
        for tag in _clean(tags):
            self._collection.number(tag)
        for tag, names in (synonyms or {}).items():
            self._collection.add_synonyms(self._collection.number(tag), _clean(names))
        self._witness = None

    def suggest(self, document: Document, *, limit: int = 20) -> list[Suggestion]:
        """Return tags for a document, best first."""
        if limit < 1:
            raise InputError(f"limit must be at least 1, got {limit}")
        witness, blend = self._ready()
        if not self._collection.numbers:
            return []
        reading = read(document)
        evidence = witness.evidence(reading.features, reading.language)
        probabilities = blend.probabilities(evidence.rows)
        if self._fitted < LEAST_FITTED:
            probabilities[evidence.on_one_word] = probabilities[evidence.on_one_word].clip(max=ON_ONE_WORD)
        probabilities = witness.decided(evidence, probabilities)
        refused = set(self._known(document.id)[1])
        names = [self._collection.names[tag] for tag in evidence.tags.tolist()]
        allowed = [i for i, name in enumerate(names) if name not in refused]
        order = sorted(allowed, key=lambda i: (-probabilities[i], names[i]))[:limit]
        return [self._suggestion(reading, evidence, i, float(probabilities[i])) for i in order]

    def feedback(
        self,
        document: Document,
        *,
        accepted: Iterable[str] = (),
        refused: Iterable[str] = (),
        added: Iterable[str] = (),
    ) -> None:
        """Learn what a person decided about a document's tags; the next suggestions follow it."""
        turned_down = _clean(refused)
        old, refusals = self._known(document.id)
        kept = [tag for tag in dict.fromkeys([*old, *_clean(accepted), *_clean(added)]) if tag not in turned_down]
        refusals = [tag for tag in dict.fromkeys([*refusals, *turned_down]) if tag not in kept]
        self._add(document, read(document), kept, refusals)
        if self._index is not None:
            self._index.extend(self._collection.columns())
        self._witness = None

    def rename(self, old: str, new: str) -> None:
        """Merge `old` into `new`, which need not exist yet; texts that say `old` still name the tag."""
        self._check(old)
        new = " ".join(new.split())
        if not new:
            raise InputError(f"a tag needs a name, to rename {old!r}")
        if old != new:
            self._collection.rename(old, new)
            self._witness = None

    def remove(self, tag: str) -> None:
        """Remove a tag from all documents; it is not suggested again."""
        self._check(tag)
        self._collection.remove(tag)
        self._witness = None

    def to_tensors(self) -> "tuple[dict[str, array[Any]], dict[str, Any]]":
        """Return the model as columns, for `phrasemill.models`, and metadata for JSON."""
        _, blend = self._ready()
        assert self._index is not None
        columns = self._collection.to_tensors() | self._index.to_tensors()
        metadata = {"version": VERSION, "documents": self._index.documents, "fitted": self._fitted}
        return {name: _as_array(column) for name, column in columns.items()}, metadata | {"blend": blend.record()}

    @classmethod
    def from_tensors(cls, columns: Mapping[str, Any], metadata: Mapping[str, Any]) -> "TagModel":
        """Return the model that `to_tensors` gave; columns may be mapped from a file."""
        if metadata.get("version") != VERSION:
            raise ModelError(f"a tag model of version {metadata.get('version')!r}, not {VERSION}; learn it again")
        arrays = {name: _as_numpy(column) for name, column in columns.items()}
        model = cls()
        try:
            model._collection = Collection.from_tensors(arrays)
            model._index = Index.from_tensors(arrays, int(metadata["documents"]))
            model._blend, model._fitted = Blend.of(metadata["blend"]), int(metadata["fitted"])
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise ModelError(f"a damaged tag model ({error!r}); learn it again") from None
        return model

    def _add(self, document: Document, reading: Reading, tags: Sequence[str], refused: Sequence[str]) -> None:
        old = self._collection.row(document.id)
        if old is not None and self._index is not None:
            self._index.drop(old)
        self._collection.add(document.id, reading.language, reading.features, tags, refused)

    def _known(self, id_: str) -> tuple[list[str], list[str]]:
        """Return the tags that a document has, and those that were refused for it."""
        row, names = self._collection.row(id_), self._collection.names
        if row is None:
            return [], []
        return [names[tag] for tag in self._collection.tags_of[row]], [
            names[tag] for tag in self._collection.refused_of[row]
        ]

    def _check(self, tag: str) -> None:
        if tag not in self._collection.numbers:
            raise InputError(f"no such tag: {tag!r}")

    def _ready(self) -> tuple[Witness, Blend]:
        """Index what is new, and fit the blend where there is none or the collection has outgrown it."""
        if self._index is None:
            self._collection.pack()
            self._index = Index.of(self._collection.columns())
            self._witness = None
        if self._witness is None:
            self._witness = Witness(self._collection, self._index)
        if self._blend is None or self._index.documents > GROWN * max(self._fitted, 10):
            self._blend = shipped()
            if self._index.documents >= LEAST_FITTED:
                self._blend = self._blend.fitted(*examples(self._collection, self._witness))
            self._fitted = self._index.documents
        return self._witness, self._blend

    def _suggestion(self, reading: Reading, evidence: Evidence, i: int, probability: float) -> Suggestion:
        tag = int(evidence.tags[i])
        name, named = self._collection.names[tag], evidence.named.get(tag)
        spans = () if named is None else tuple(reading.spans(named.form))
        words: list[str] = []
        if spans:
            words = [" ".join(reading.text[spans[0].start : spans[0].end].split())]
        else:
            strongest = np.argsort(-evidence.lifts[i], kind="stable")[:MOST_EVIDENCE]
            words = [reading.wording(int(reading.features.hashes[f])) for f in strongest if evidence.lifts[i, f] > 0]
        assert self._witness is not None
        near = self._witness.documents(tag, evidence.nearness, MOST_EVIDENCE)
        reason = SIMILAR if named is None or not spans else SYNONYM if named.synonym else NAMED
        documents = tuple(id_ for id_ in near if id_)
        return Suggestion(name, probability, reason, spans, tuple(filter(None, words)), documents)


def examples(collection: Collection, witness: Witness) -> "tuple[NDArray[np.float32], NDArray[np.bool_]]":
    """Return rows of evidence for documents of the collection, each as if it were not there, and whether its tags are
    right."""
    rows = [row for row, tags in enumerate(collection.tags_of) if tags]
    if len(rows) > SAMPLE:
        rows = sorted(np.random.default_rng(0).permutation(rows)[:SAMPLE].tolist())
    columns = collection.columns()
    found, right = [], []
    for row in rows:
        evidence = witness.evidence(columns.row(row), collection.languages[row], leave_out=row)
        found.append(evidence.rows)
        right.append(np.isin(evidence.tags, collection.tags_of[row]))
    if not found:
        return np.zeros((0, 0), np.float32), np.zeros(0, bool)
    return np.concatenate(found), np.concatenate(right)


def _clean(tags: Iterable[str]) -> list[str]:
    """Return tags without the space around and inside them that nobody sees, each once."""
    if isinstance(tags, str):
        raise InputError(f"tags must be a list, got the string {tags!r}")
    return [tag for tag in dict.fromkeys(" ".join(tag.split()) for tag in tags) if tag]


def _as_array(column: "NDArray[np.generic]") -> "array[Any]":
    found = array(TYPECODES[column.dtype.name])
    found.frombytes(np.ascontiguousarray(column).tobytes())
    return found


def _as_numpy(column: Any) -> "NDArray[np.generic]":
    kind = np.dtype(memoryview(column).format)
    return np.frombuffer(column, kind) if len(column) else np.zeros(0, kind)
