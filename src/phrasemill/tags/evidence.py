"""What speaks for each tag in a text: whether it is named, and whether documents like this one have it.

For every tag that may fit, a row of numbers; `blend.py` turns rows into probabilities. Four ways of looking are
side by side: the nearest documents (Yang and Liu, 1999), the centroid of a tag's documents (Rocchio, 1971), how much
more likely each word makes a tag, and whether the text names it, in which way, and how often documents that name it
have it (the keyphraseness of Frank et al., 1999).
"""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.tags.features import PLACES, Features, Form
from phrasemill.tags.index import Index, ranges
from phrasemill.tags.library import Library
from phrasemill.tags.names import Named, TagNames

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int64]

NEIGHBOURS = (3, 10, 40)
NEAREST = 60  # tags taken from each way of looking
SHARED = 0.5  # of a tag's words, at least, where nothing else speaks for it
KEPT = 0.2  # of tags that a text names, the share that it has; worth as much as `KEPT_WEIGHT` documents
KEPT_WEIGHT = 3.0
COMMON = 0.1  # features of more documents than this share say little about tags …
MOST_COMMON = 3000  # … nor do those of more documents than this
FEW = 20  # features of up to so many documents always count
SAME = 8  # nearness to this power is how far another text may stand for this one: 0.43 at 0.9, 0.004 at 0.5
LEAST = {"nearest": 0.05, "centroid": 0.02, "mean": 0.005, "squares": 0.002}  # added before the logarithm


class Evidence(NamedTuple):
    """The tags that may fit a text, and a row of numbers for each. Besides: how near its nearest document is, how the
    text names it, how near each document is, and how much more likely each feature of the text makes each tag (in
    logarithms)."""

    tags: "Integers"
    rows: "Floats"
    nearest: "Floats"
    named: dict[int, Named]
    nearness: "Floats"
    lifts: "Floats"
    on_one_word: "NDArray[np.bool_]"  # which tags have nothing but one word of the text in their favour


class _Pairs(NamedTuple):
    """Which document has which tag, as rows and numbers of tags side by side."""

    rows: "NDArray[np.int32]"
    tags: "NDArray[np.int32]"

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> "_Pairs":
        rows = np.repeat(np.arange(len(lists), dtype=np.int32), [len(one) for one in lists])
        return cls(rows, np.fromiter(chain.from_iterable(lists), np.int32, len(rows)))


class Witness:
    """Looks for evidence in one collection, which must not change meanwhile: its documents are rows in the order of the
    library, its tags are numbers."""

    def __init__(self, library: Library, index: Index) -> None:
        self._library, self._index = library, index
        self.ids, self.names = list(library.documents), list(library.synonyms)
        number = {name: i for i, name in enumerate(self.names)}
        self.entries = list(library.documents.values())
        self.tags_of = [tuple(number[tag] for tag in one.tags) for one in self.entries]
        self._pairs = _Pairs.of(self.tags_of)
        self._refused = _Pairs.of([[number[tag] for tag in one.refused if tag in number] for one in self.entries])
        self._used = np.bincount(self._pairs.tags, minlength=len(self.names)).astype(np.float32)
        self._first = np.cumsum([0, *map(len, self.tags_of)], dtype=np.int64)
        self._by_tag = np.argsort(self._pairs.tags, kind="stable")
        self._names: dict[str, TagNames] = {}
        self._kept: dict[tuple[int, Form], tuple[int, int]] = {}

    def evidence(self, features: Features, language: str, *, leave_out: int | None = None) -> Evidence:
        """Return the evidence in a text; `leave_out` is the row of the document itself, as if it were not there."""
        nearness, used = self._index.nearness(features), self._used
        own: tuple[int, ...] = ()
        if leave_out is not None:
            nearness[leave_out] = 0
            own, used = self.tags_of[leave_out], used.copy()
            used[list(own)] -= 1
        if language not in self._names:
            self._names[language] = TagNames(self._library, self._index, language)
        named, shared = self._names[language].named(features), self._names[language].shared(features)
        for tag in own:
            if used[tag] == 0:  # it would not exist without this document
                named.pop(tag, None)
                shared.pop(tag, None)
        views = self._views(nearness, used)
        orders = [np.argsort(-views[name], kind="stable")[: 2 * NEAREST] for name in ("squares", "centroid")]
        lexical = [*named, *(tag for tag, share in shared.items() if share >= SHARED)]
        near = np.concatenate([*(order[:NEAREST] for order in orders), np.flatnonzero(views["nearest"])])
        near = near[views["squares"][near] > 0]
        tags = np.unique(np.concatenate([near, np.asarray(lexical, np.int64)])).astype(np.int64)
        lifts, shares = self._lifts(tags, features, used, leave_out)
        share = np.array([shared.get(tag, 0.0) for tag in tags.tolist()])
        naming = np.array([self._naming(tag, named.get(tag), leave_out, own) for tag in tags.tolist()]).reshape(-1, 7)
        total = lifts.sum(1) / np.sqrt(max(lifts.shape[1], 1))
        squares = np.log(views["squares"][tags] + LEAST["squares"])
        columns = [
            np.log((used[tags] + 0.5) / max(self._index.documents, 1)),  # how usual the tag is
            *(np.log(views[f"neighbours {count}"][tags] + 0.02) for count in NEIGHBOURS),
            *(np.log(views[name][tags] + least) for name, least in LEAST.items()),
            *(_log_ranks(order, len(used), others=2 * NEAREST)[tags] for order in orders),
            np.full(len(tags), np.log(max(views["nearest"].max(initial=0), 0.05))),  # of all tags
            np.log(total + 0.1),  # what its words say together,
            _log_ranks(np.argsort(-total, kind="stable"), len(tags)),
            np.log(shares.max(1, initial=0) + 0.01),  # the most telling one alone,
            np.log(shares.sum(1) + 0.01),  # and their votes
            *naming.T[:6],
            naming[:, 0] * squares,  # named, and near
            naming[:, 6],
            share,
            share > 0.99,
            share * squares,
        ]
        one_word = ((lifts > 0).sum(1) <= 1) & (naming[:, 0] == 0) & (share == 0)
        rows = np.column_stack(columns).astype(np.float32)
        return Evidence(tags, rows, views["nearest"][tags], named, nearness, lifts, one_word)

    def _naming(self, tag: int, named: Named | None, leave_out: int | None, own: tuple[int, ...]) -> tuple[float, ...]:
        """Return whether a text names a tag: once or often, in the title, late, as a keyphrase, how often documents
        that name it have it (in log-odds), and whether its name is long."""
        if named is None:
            return (0.0,) * 7
        naming, both = self._keeping(tag, named.form)
        if leave_out is not None:
            naming, both = naming - 1, both - (tag in own)
        kept = (both + KEPT_WEIGHT * KEPT) / (naming + KEPT_WEIGHT)
        return (
            *(1.0, np.log(named.times), named.place == 0, named.place / PLACES, np.log(named.salience + 0.02)),
            *(np.log(kept / (1 - kept)), len(named.form.words) > 1),
        )

    def decided(self, evidence: Evidence, probabilities: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return the probabilities after what people decided about this very text or ones nearly the same.

        A tag that such a text has becomes certain, and falls to 0 where it was refused; a refusal also counts for texts
        that are less alike, the nearer the more.
        """
        found = 1 - (1 - probabilities) * (1 - evidence.nearest.clip(0, 1) ** SAME)
        if len(self._refused.rows):
            near = np.log1p(-evidence.nearness[self._refused.rows].clip(0, 1 - 1e-6))
            found *= np.exp(np.bincount(self._refused.tags, near, len(self._used))[evidence.tags])
        return found

    def documents(self, tag: int, nearness: "Floats", count: int) -> list[str]:
        """Return the ids of the nearest documents that have a tag."""
        begin, end = np.searchsorted(self._pairs.tags, [tag, tag + 1], sorter=self._by_tag)
        rows = self._pairs.rows[self._by_tag[begin:end]]
        rows = rows[np.argsort(-nearness[rows], kind="stable")]
        return [self.ids[row] for row in rows.tolist() if nearness[row] > 0][:count]

    def _views(self, nearness: "Floats", used: "Floats") -> "dict[str, Floats]":
        """Return for each tag how near the documents that have it are, in several ways."""
        count = len(used)
        of_pair = nearness[self._pairs.rows]
        total = np.bincount(self._pairs.tags, of_pair, count)
        squares = np.bincount(self._pairs.tags, of_pair * of_pair, count)
        found = {
            "centroid": total / np.sqrt(used + 1),
            "mean": total / (used + 0.5),
            "squares": squares / np.sqrt(used + 1),
        }
        most = min(NEIGHBOURS[-1], len(nearness))
        rows = np.argpartition(-nearness, most - 1)[:most] if most else np.zeros(0, np.int64)
        rows = rows[np.lexsort((rows, -nearness[rows]))]
        sizes = self._first[rows + 1] - self._first[rows]
        tags = self._pairs.tags[ranges(self._first[rows], sizes)]
        order = np.repeat(np.arange(len(rows)), sizes)
        near = nearness[rows][order]
        nearest = np.zeros(count)
        np.maximum.at(nearest, tags, near)
        found["nearest"] = nearest
        for number in NEIGHBOURS:
            within = order < number
            whole = float(nearness[rows[:number]].sum()) or 1.0
            found[f"neighbours {number}"] = np.bincount(tags[within], near[within], count) / whole
        return found

    def _lifts(
        self, tags: "Integers", features: Features, used: "Floats", leave_out: int | None
    ) -> "tuple[Floats, Floats]":
        """Return how much more likely each feature makes each tag, and the share of its documents that have it."""
        df = self._index.find(features.hashes)[1]
        documents = max(self._index.documents, 1)
        telling = (df > 0) & (df <= max(FEW, min(COMMON * documents, MOST_COMMON)))
        df = np.where(telling, df, 0)
        rows, which = self._index.occurrences(features.hashes[telling])
        if leave_out is not None:
            which, rows = which[rows != leave_out], rows[rows != leave_out]
            df = np.maximum(df - 1, 0)
        which = np.flatnonzero(telling)[which]
        sizes = self._first[rows + 1] - self._first[rows]
        slots = np.full(len(used), -1)
        slots[tags] = np.arange(len(tags))
        slot = slots[self._pairs.tags[ranges(self._first[rows], sizes)]]
        which = np.repeat(which, sizes)[slot >= 0]
        shape = len(tags), len(features.hashes)
        both = np.bincount(slot[slot >= 0] * shape[1] + which, minlength=shape[0] * shape[1]).reshape(shape)
        prior = np.maximum(used[tags] / documents, 1e-6)[:, None]
        lifts = np.log(np.maximum((both + 2 * prior) / (df + 2) / prior, 1.0)) * (both > 0)
        shares = np.maximum(both - 0.5, 0) / (df + 1)
        return lifts.astype(np.float32), shares.astype(np.float32)

    def _keeping(self, tag: int, form: Form) -> tuple[int, int]:
        """Return how many documents name a tag by a form, and how many of those have it."""
        found = self._kept.get((tag, form))
        if found is None:
            features = np.unique(np.asarray(form.features, np.uint32))
            rows = np.flatnonzero(np.bincount(self._index.occurrences(features)[0]) == len(features))
            both = sum(tag in self.tags_of[row] for row in rows.tolist())
            found = self._kept[tag, form] = (len(rows), both)
        return found


def _log_ranks(order: "Integers", count: int, *, others: int = 0) -> "Floats":
    """Return the logarithm of the place of each number in an order, from 1; `others` is that of those not in it."""
    ranks = np.full(count, others)
    ranks[order] = np.arange(len(order))
    return np.log(ranks + 1)
