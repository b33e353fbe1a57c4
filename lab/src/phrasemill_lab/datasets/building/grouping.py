"""Documents into sets: by the topic they name, or around a keyphrase that several of them share.

The sets of `by_keyphrase` stand in for topics where a dataset has none: each is made of documents whose authors chose
the same keyphrase. They are disjoint, and the same for the same documents, options and seed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from phrasemill.errors import ConfigError, DataError
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser
from phrasemill.types import Document, Reference

TOPIC = "topic"


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
    index = _Index(documents)
    made: list[DocumentSet] = []
    for phrase in index.topics(size, words, Random(seed)):
        if sets is not None and len(made) == sets:
            break
        chosen = index.take(phrase, size)
        if chosen:
            made.append(DocumentSet(index.wording(phrase, chosen[0]), tuple(index.documents[i] for i in chosen)))
    if not made:
        raise DataError(f"no keyphrase of {words} words or more is shared by {size} documents; try a smaller size")
    return made


class _Index:
    """Which documents have which gold keyphrase, stemmed."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.documents: Sequence[Document] = tuple(documents)
        self._key = normaliser("porter").key
        self._keys = [frozenset(map(self._key, _wordings(document))) for document in self.documents]
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for number, keys in enumerate(self._keys):
            for key in keys:
                self._holders[key].append(number)
        self._used: set[int] = set()

    def topics(self, size: int, words: int, random: Random) -> list[str]:
        keys = sorted(k for k, held in self._holders.items() if len(held) >= size and len(k.split()) >= words)
        random.shuffle(keys)
        return sorted(keys, key=lambda key: len(self._holders[key]))

    def take(self, phrase: str, size: int) -> list[int]:
        """Return the `size` free documents of `phrase` with most in common, in corpus order; none if too few."""
        free = [number for number in self._holders[phrase] if number not in self._used]
        if len(free) < size:
            return []
        shared = Counter(key for number in free for key in self._keys[number])
        closeness = {number: sum(shared[key] > 1 for key in self._keys[number]) for number in free}
        chosen = sorted(sorted(free, key=lambda number: (-closeness[number], number))[:size])
        self._used.update(chosen)
        return chosen

    def wording(self, phrase: str, number: int) -> str:
        return next(wording for wording in _wordings(self.documents[number]) if self._key(wording) == phrase)


def _wordings(document: Document) -> Iterator[str]:
    return chain.from_iterable(map(clustered, document.references))
