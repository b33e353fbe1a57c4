"""Documents into sets: by the topic they name, or around a keyphrase that several of them share.

The sets of `by_keyphrase` stand in for topics where a dataset has none: each is made of documents whose authors chose
the same keyphrase. They are disjoint, and the same for the same documents, options and seed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from random import Random

from phrasemill.errors import ConfigError, DataError
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser
from phrasemill.types import Document, Reference
from phrasemill_lab.datasets.duc import DOCUMENTS, TOPIC


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Documents that belong together, and the gold keyphrases of the whole, where known."""

    id: str
    documents: tuple[Document, ...]
    references: tuple[Reference, ...] = ()

    def without_titles(self) -> "DocumentSet":
        bodies = [Document(one.id, one.text, language=one.language) for one in self.documents]
        return DocumentSet(self.id, tuple(bodies), self.references)


def by_topic(documents: Iterable[Document], *, field: str = TOPIC) -> list[DocumentSet]:
    """Return sets of the documents that name the same topic in their metadata, in order of first mention."""
    topics: dict[str, list[Document]] = {}
    for document in documents:
        topic = document.metadata.get(field)
        if topic is None or isinstance(topic, list | tuple | Mapping):
            raise DataError(f"document {document.id}: no {field!r} to group it by")
        topics.setdefault(str(topic), []).append(document)
    return [DocumentSet(topic, tuple(members)) for topic, members in topics.items()]


def with_topics(documents: Iterable[Document], dataset: Iterable[Document]) -> tuple[list[Document], list[str]]:
    """Return the documents with the topics that a dataset names, in its order, and the ids that are missing.

    It has topics with `doc_ids`, as MK-DUC-01, or documents with their `topic`, as DUC-2001.
    """
    by_id = {document.id: document for document in documents}
    named: dict[str, object] = {}
    for record in dataset:
        listed = record.metadata.get(DOCUMENTS)
        named |= (
            dict.fromkeys(listed, record.id) if isinstance(listed, list) else {record.id: record.metadata.get(TOPIC)}
        )
    if not named.keys() & by_id.keys():
        raise DataError(f"no topic names a document; give topics with {DOCUMENTS!r}, or documents with {TOPIC!r}")
    found = [replace(by_id[id_], metadata={TOPIC: topic}) for id_, topic in named.items() if id_ in by_id]
    return found, sorted(named.keys() - by_id.keys())


def by_keyphrase(
    documents: Iterable[Document], *, size: int = 10, sets: int | None = None, words: int = 2, seed: int = 1
) -> list[DocumentSet]:
    """Return disjoint sets of `size` documents that share a gold keyphrase of `words` words or more, at most `sets`.

    Phrases are tried from the rarest that suffices to the most common, those of equal rarity in random order: rare
    ones are narrow topics. Where more documents share a phrase than a set takes, those that share most of their other
    keyphrases with the rest are taken. A set is called after its phrase, as the first of its documents writes it.
    """
    for name, value, least in (("size", size, 2), ("words", words, 1), ("sets", sets, 1)):
        if value is not None and value < least:
            raise ConfigError(f"{name} must be at least {least}, got {value}")
    every = tuple(documents)
    key = normaliser("porter").key
    keys = [frozenset(key(wording) for wording in _wordings(document)) for document in every]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for number, held in enumerate(keys):
        for phrase in held:
            holders[phrase].append(number)
    phrases = sorted(k for k, held in holders.items() if len(held) >= size and len(k.split()) >= words)
    Random(seed).shuffle(phrases)
    used: set[int] = set()
    made: list[DocumentSet] = []
    for phrase in sorted(phrases, key=lambda phrase: len(holders[phrase])):
        free = [number for number in holders[phrase] if number not in used]
        if len(free) < size or len(made) == sets:
            continue
        shared = Counter(other for number in free for other in keys[number])
        closeness = {number: sum(shared[other] > 1 for other in keys[number]) for number in free}
        chosen = sorted(sorted(free, key=lambda number: (-closeness[number], number))[:size])
        used.update(chosen)
        name = next(wording for wording in _wordings(every[chosen[0]]) if key(wording) == phrase)
        made.append(DocumentSet(name, tuple(every[number] for number in chosen)))
    if not made:
        raise DataError(f"no keyphrase of {words} words or more is shared by {size} documents; try a smaller size")
    return made


def _wordings(document: Document) -> Iterator[str]:
    return chain.from_iterable(map(clustered, document.references))
