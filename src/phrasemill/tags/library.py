"""What is known of a collection: its documents with their tags and keyphrases, its tags, and what people decided.

Texts are not kept, but their features (`features.py`), and the stemmed forms of their keyphrases.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from phrasemill.tags.features import NOTHING, Columns, Features

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Entry:
    """A document: what the model reads of it, its tags, those that were refused for it, and the forms of its
    keyphrases."""

    language: str
    features: Features
    tags: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()


class Library:
    """Documents by id, and tags by name.

    `renames` has what each tag became that was accepted to go: one, several, or none. `refused` are keys of proposals,
    and `refused_tags` new tags, folded, that nobody wants. `given` are the tags that feedback gave to documents.
    """

    def __init__(self) -> None:
        self.documents: dict[str, Entry] = {}
        self.synonyms: dict[str, tuple[str, ...]] = {}  # of every tag
        self.wordings: dict[str, str] = {}  # of each form of a keyphrase, as a document writes it
        self.abbreviations: dict[str, str] = {}
        self.renames: dict[str, tuple[str, ...]] = {}
        self.refused: set[str] = set()
        self.refused_tags: set[str] = set()
        self.given: dict[str, tuple[str, ...]] = {}
        self._having: dict[str, set[str]] = {}  # ids of the documents of each tag
        self._support: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self.documents)

    def add(self, id_: str, entry: Entry) -> None:
        """Add a document; one that is known is replaced."""
        old = self.documents.pop(id_, None)
        if old is not None:
            for tag in old.tags:
                self._having[tag].discard(id_)
            self._support.subtract(old.phrases)
        for tag in entry.tags:
            self.declare(tag)
            self._having[tag].add(id_)
        self.documents[id_] = replace(entry, refused=tuple(tag for tag in entry.refused if tag in self.synonyms))
        self._support.update(entry.phrases)

    def declare(self, tag: str, synonyms: Iterable[str] = ()) -> None:
        """Add a tag, which no document needs to have, and other names for it."""
        names = dict.fromkeys([*self.synonyms.get(tag, ()), *synonyms])
        self.synonyms[tag] = tuple(name for name in names if name != tag)
        self._having.setdefault(tag, set())

    def counts(self) -> dict[str, int]:
        """Return how many documents each tag has, the most used first."""
        counts = {tag: len(ids) for tag, ids in self._having.items()}
        return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

    def documents_of(self, tag: str) -> set[str]:
        return self._having.get(tag, set())

    def support(self, form: str, *, without: str = "") -> int:
        """Return how many documents have a keyphrase of this form, not counting `without`."""
        own = without in self.documents and form in self.documents[without].phrases
        return self._support[form] - own

    def profile(self, tag: str) -> Counter[str]:
        """Return in how many documents of a tag each form is a keyphrase."""
        return Counter(form for id_ in self.documents_of(tag) for form in self.documents[id_].phrases)

    def columns(self) -> Columns:
        """Return the features of all documents, side by side."""
        parts = [one.features for one in self.documents.values()]
        first = np.cumsum([0, *(len(one.hashes) for one in parts)], dtype=np.int64)
        return Columns(first, *(np.concatenate(column) for column in zip(NOTHING, *parts, strict=True)))

    def applied(self, tags: Iterable[str]) -> tuple[str, ...]:
        """Return tags as they are called now, each once."""
        return tuple(dict.fromkeys(new for tag in tags for new in self.renames.get(tag, (tag,))))

    def rename(self, old: str, new: Sequence[str]) -> None:
        """Give the documents of `old` other tags: one, several or none; earlier renames to it follow.

        A tag that others become is not itself renamed any more. The last of several gets `old` as a synonym: it is what
        the end of `python/testing` names.
        """
        for tag in new:
            self.renames.pop(tag, None)
        self.renames[old] = tuple(one for one in new if one != old)
        for other, became in self.renames.items():
            if old in became:
                self.renames[other] = self.applied(became)
        ids, names = self._having.pop(old, None), self.synonyms.pop(old, ())
        if ids is None:
            return
        for tag in new:
            self.declare(tag)
            self._having[tag] |= ids
        if new:
            self.declare(new[-1], (old, *names))
        for id_, entry in self.documents.items():
            if id_ in ids or old in entry.refused:
                tags = dict.fromkeys(one for tag in entry.tags for one in (new if tag == old else [tag]))
                refused = dict.fromkeys(one for tag in entry.refused for one in (new[-1:] if tag == old else [tag]))
                self.documents[id_] = replace(entry, tags=tuple(tags), refused=tuple(refused))

    def give(self, id_: str, tags: Iterable[str], *, refused: Iterable[str]) -> None:
        """Keep which tags a document was given, and none that were refused for it."""
        found = dict.fromkeys([*self.given.get(id_, ()), *tags])
        self.given[id_] = tuple(tag for tag in found if tag not in set(refused))

    def record(self) -> dict[str, Any]:
        """Return all but the features for JSON; documents have the numbers of their tags and keyphrases."""
        tags = {tag: number for number, tag in enumerate(self.synonyms)}
        forms = {form: number for number, form in enumerate(self.wordings)}
        documents = [
            [id_, one.language, [tags[t] for t in one.tags], [tags[t] for t in one.refused if t in tags],
             [forms[form] for form in one.phrases]]
            for id_, one in self.documents.items()
        ]  # fmt: skip
        return {
            "documents": documents,
            "tags": list(self.synonyms.items()),
            "wordings": list(self.wordings.items()),
            "abbreviations": self.abbreviations,
            "renames": self.renames,
            "refused": sorted(self.refused),
            "refused tags": sorted(self.refused_tags),
            "given": self.given,
        }

    @classmethod
    def of(cls, record: Mapping[str, Any], columns: Mapping[str, "NDArray[Any]"]) -> "Library":
        """Return the library out of what `record` and `columns` gave."""
        found = cls()
        found.wordings, found.abbreviations = dict(record["wordings"]), record["abbreviations"]
        found.refused, found.refused_tags = set(record["refused"]), set(record["refused tags"])
        found.renames, found.given = ({k: tuple(v) for k, v in record[part].items()} for part in ("renames", "given"))
        for tag, synonyms in record["tags"]:
            found.declare(tag, synonyms)
        names, forms = list(found.synonyms), list(found.wordings)
        first, kept = columns["first"].tolist(), [columns[name] for name in Features._fields]
        for row, (id_, language, tags, refused, phrases) in enumerate(record["documents"]):
            features = Features(*(column[first[row] : first[row + 1]] for column in kept))
            lists = [names[n] for n in tags], [names[n] for n in refused], [forms[n] for n in phrases]
            found.add(id_, Entry(language, features, *map(tuple, lists)))
        return found
