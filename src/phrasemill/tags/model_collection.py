"""The tagged documents that a tag model has learned: their features, their tags, and what was refused."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.tags.model_features import Features

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Columns(NamedTuple):
    """The features of all documents, one after the other; those of row `d` are at `first[d]` to `first[d + 1]`."""

    first: "NDArray[np.int64]"
    hashes: "NDArray[np.uint32]"
    counts: "NDArray[np.uint8]"
    places: "NDArray[np.uint8]"
    salience: "NDArray[np.uint8]"

    def row(self, row: int) -> Features:
        part = slice(int(self.first[row]), int(self.first[row + 1]))
        return Features(self.hashes[part], self.counts[part], self.places[part], self.salience[part])

    def since(self, row: int) -> Features:
        """Return the features of this row and all after it, together."""
        part = slice(int(self.first[row]), None)
        return Features(self.hashes[part], self.counts[part], self.places[part], self.salience[part])


EMPTY = Columns(
    np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.uint8), np.zeros(0, np.uint8), np.zeros(0, np.uint8)
)


class Pairs(NamedTuple):
    """Which document has which tag, as rows and numbers of tags side by side."""

    rows: "NDArray[np.int32]"
    tags: "NDArray[np.int32]"


class Collection:
    """Documents by row, tags by number. A document that comes again, by its id, takes the place of what was there."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.languages: list[str] = []
        self.tags_of: list[tuple[int, ...]] = []
        self.refused_of: list[tuple[int, ...]] = []
        self.names: list[str] = []  # of tags; empty for one that is gone
        self.numbers: dict[str, int] = {}
        self.synonyms: dict[int, tuple[str, ...]] = {}
        self._rows: dict[str, int] = {}
        self._columns = EMPTY
        self._recent: list[Features] = []
        self._gone: list[int] = []  # rows of documents that were replaced

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, tag: str) -> int:
        """Return the number of a tag, a new one where there is none."""
        found = self.numbers.get(tag)
        if found is None:
            found = self.numbers[tag] = len(self.names)
            self.names.append(tag)
        return found

    def row(self, id_: str) -> int | None:
        return self._rows.get(id_) if id_ else None

    def add(
        self, id_: str, language: str, features: Features, tags: Iterable[str], refused: Iterable[str] = ()
    ) -> None:
        """Add a document, or replace the one with the same id."""
        old = self.row(id_)
        if old is not None:
            self._forget(old)
        if id_:
            self._rows[id_] = len(self.ids)
        self.ids.append(id_)
        self.languages.append(language)
        self.tags_of.append(tuple(dict.fromkeys(map(self.number, tags))))
        self.refused_of.append(tuple(dict.fromkeys(self.numbers[tag] for tag in refused if tag in self.numbers)))
        self._recent.append(features)

    def _forget(self, row: int) -> None:
        """Take a document out; its row stays empty until the collection is packed."""
        self._gone.append(row)
        self.ids[row] = self.languages[row] = ""
        self.tags_of[row] = self.refused_of[row] = ()
        columns = self.columns()
        counts = columns.counts.copy()
        counts[int(columns.first[row]) : int(columns.first[row + 1])] = 0
        self._columns = columns._replace(counts=counts)

    def columns(self) -> Columns:
        """Return the features of all rows."""
        if self._recent:
            sizes = np.cumsum([len(one.hashes) for one in self._recent], dtype=np.int64)
            first = np.concatenate([self._columns.first, self._columns.first[-1] + sizes])
            joined = [np.concatenate([old, *new]) for old, *new in zip(self._columns[1:], *self._recent, strict=True)]
            self._columns, self._recent = Columns(first, *joined), []
        return self._columns

    def pairs(self, of: Sequence[tuple[int, ...]] | None = None) -> Pairs:
        """Return which rows have which tags; `of` is `tags_of` unless it is `refused_of`."""
        lists = self.tags_of if of is None else of
        rows = np.repeat(np.arange(len(lists), dtype=np.int32), [len(one) for one in lists])
        return Pairs(rows, np.fromiter(chain.from_iterable(lists), np.int32, len(rows)))

    def rename(self, old: str, new: str) -> None:
        """Give the documents of `old` the tag `new`; `old` becomes a synonym of it."""
        gone, kept = self.numbers.pop(old), self.number(new)
        for lists in (self.tags_of, self.refused_of):
            for row, numbers in enumerate(lists):
                if gone in numbers:
                    lists[row] = tuple(dict.fromkeys(kept if one == gone else one for one in numbers))
        self.names[gone] = ""
        self.add_synonyms(kept, (old, *self.synonyms.pop(gone, ())))

    def remove(self, tag: str) -> None:
        gone = self.numbers.pop(tag)
        for lists in (self.tags_of, self.refused_of):
            for row, numbers in enumerate(lists):
                if gone in numbers:
                    lists[row] = tuple(one for one in numbers if one != gone)
        self.names[gone] = ""
        self.synonyms.pop(gone, None)

    def add_synonyms(self, number: int, names: Iterable[str]) -> None:
        known = (*self.synonyms.get(number, ()), *names)
        others = tuple(dict.fromkeys(name for name in known if name != self.names[number]))
        if others:
            self.synonyms[number] = others

    def pack(self) -> None:
        """Drop the rows of documents that were replaced, and the numbers of tags that are gone."""
        columns = self.columns()
        sizes = np.diff(columns.first)
        emptied = np.zeros(len(self), bool)
        emptied[self._gone] = True
        if emptied.any():
            kept = ~np.repeat(emptied, sizes)
            first = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[~emptied])])
            self._columns = Columns(first, *(column[kept] for column in columns[1:]))
            for name in ("ids", "languages", "tags_of", "refused_of"):
                setattr(self, name, [one for one, gone in zip(getattr(self, name), emptied, strict=True) if not gone])
            self._rows = {id_: row for row, id_ in enumerate(self.ids) if id_}
            self._gone = []
        if "" in self.names:
            new = {number: i for i, number in enumerate(n for n, name in enumerate(self.names) if name)}
            self.names = [name for name in self.names if name]
            self.numbers = {name: i for i, name in enumerate(self.names)}
            self.tags_of = [tuple(new[one] for one in numbers) for numbers in self.tags_of]
            self.refused_of = [tuple(new[one] for one in numbers) for numbers in self.refused_of]
            self.synonyms = {new[number]: names for number, names in self.synonyms.items()}

    def to_tensors(self) -> dict[str, "NDArray[np.generic]"]:
        """Return the collection as columns; strings are JSON, as bytes."""
        found: dict[str, NDArray[np.generic]] = {f"features.{name}": c for name, c in self.columns()._asdict().items()}
        for name, lists in (("tags", self.tags_of), ("refused", self.refused_of)):
            pairs = self.pairs(lists)
            found |= {f"{name}.rows": pairs.rows, f"{name}.tags": pairs.tags}
        strings = [self.ids, self.languages, self.names, sorted(self.synonyms.items()), self._gone]
        found["strings"] = np.frombuffer(json.dumps(strings, ensure_ascii=False).encode("utf-8"), np.uint8)
        return found

    @classmethod
    def from_tensors(cls, columns: Mapping[str, "NDArray[np.generic]"]) -> "Collection":
        found = cls()
        found._columns = Columns(
            *(columns[f"features.{name}"].astype(old.dtype, copy=False) for name, old in EMPTY._asdict().items())
        )
        strings = json.loads(columns["strings"].tobytes())
        found.ids, found.languages, found.names, synonyms, found._gone = strings
        found.synonyms = {number: tuple(names) for number, names in synonyms}
        found.numbers = {name: number for number, name in enumerate(found.names) if name}
        found._rows = {id_: row for row, id_ in enumerate(found.ids) if id_}
        for name in ("tags", "refused"):
            lists: list[list[int]] = [[] for _ in found.ids]
            for row, tag in zip(columns[f"{name}.rows"].tolist(), columns[f"{name}.tags"].tolist(), strict=True):
                lists[row].append(tag)
            setattr(found, f"{name}_of", [tuple(one) for one in lists])
        return found

    def counts(self) -> Counter[str]:
        """Return how many documents have each tag."""
        found = Counter(dict.fromkeys(self.numbers, 0))
        found.update(self.names[number] for numbers in self.tags_of for number in numbers)
        return found
