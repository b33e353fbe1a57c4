"""What speaks for each tag in a text: whether it is named, and whether documents like this one have it.

For every tag that may fit, a row of numbers; `model_blend.py` turns rows into probabilities. Four ways of looking are
side by side: the nearest documents (Yang and Liu, 1999), the centroid of a tag's documents (Rocchio, 1971), how much
more likely each word makes a tag, and whether the text names it, in which way, and how often documents that name it
have it (the keyphraseness of Frank et al., 1999).
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from phrasemill.tags.model_collection import Collection
from phrasemill.tags.model_features import PLACES, Features, Form
from phrasemill.tags.model_index import Index, ranges
from phrasemill.tags.model_names import Named, TagNames

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
COLUMNS = (
    "prior",
    *(f"neighbours {count}" for count in NEIGHBOURS),
    "nearest",
    "centroid",
    "mean",
    "squares",
    "rank of squares",
    "rank of centroid",
    "closest of all",
    "association",
    "rank of association",
    "strongest word",
    "votes",
    "named",
    "named often",
    "named in title",
    "named late",
    "named saliently",
    "kept when named",
    "named and near",
    "long name",
    "words shared",
    "words shared wholly",
    "words shared and near",
)


class Evidence(NamedTuple):
    """The tags that may fit a text, a row of numbers for each, how it names them, how near each document is, and how
    much more likely each feature of the text makes each tag (in logarithms)."""

    tags: "Integers"
    rows: "Floats"
    named: dict[int, Named]
    nearness: "Floats"
    lifts: "Floats"

    @property
    def on_one_word(self) -> "NDArray[np.bool_]":
        """Which tags have nothing but one word of the text in their favour."""
        lexical = self.rows[:, [COLUMNS.index("named"), COLUMNS.index("words shared")]].any(1)
        return ((self.lifts > 0).sum(1) <= 1) & ~lexical


class Witness:
    """Looks for evidence in one collection, which must not change meanwhile."""

    def __init__(self, collection: Collection, index: Index) -> None:
        self._collection, self._index = collection, index
        self._pairs = collection.pairs()
        self._used = np.bincount(self._pairs.tags, minlength=len(collection.names)).astype(np.float32)
        sizes = np.fromiter(map(len, collection.tags_of), np.int64, len(collection.tags_of))
        self._first = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        self._by_tag = np.argsort(self._pairs.tags, kind="stable")
        self._refused = collection.pairs(collection.refused_of)
        self._names: dict[str, TagNames] = {}
        self._kept: dict[tuple[int, Form], tuple[int, int]] = {}

    def evidence(self, features: Features, language: str, *, leave_out: int | None = None) -> Evidence:
        """Return the evidence in a text; `leave_out` is the row of the document itself, as if it were not there."""
        nearness = self._index.nearness(features)
        own: tuple[int, ...] = ()
        used = self._used
        if leave_out is not None:
            nearness[leave_out] = 0
            own = self._collection.tags_of[leave_out]
            used = used.copy()
            used[list(own)] -= 1
        names = self._of(language)
        named, shared = names.named(features), names.shared(features)
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
        rows = np.zeros((len(tags), len(COLUMNS)), np.float32)
        column = dict(zip(COLUMNS, rows.T, strict=True))
        self._set_near(column, tags, views, orders, used)
        _set_words(column, lifts, shares)
        _set_lexical(column, tags, named, shared)
        self._set_kept(column["kept when named"], tags, named, leave_out, own)
        return Evidence(tags, rows, named, nearness, lifts)

    def decided(self, evidence: Evidence, probabilities: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Return the probabilities after what people decided about this very text or ones nearly the same.

        A tag that such a text has becomes certain, and falls to 0 where it was refused; a refusal also counts for texts
        that are less alike, the nearer the more.
        """
        nearest = np.exp(evidence.rows[:, COLUMNS.index("nearest")].astype(np.float64)) - LEAST["nearest"]
        found = 1 - (1 - probabilities) * (1 - nearest.clip(0, 1) ** SAME)
        if len(self._refused.rows):
            near = np.log1p(-evidence.nearness[self._refused.rows].clip(0, 1 - 1e-6))
            found *= np.exp(np.bincount(self._refused.tags, near, len(self._used))[evidence.tags])
        return found

    def documents(self, tag: int, nearness: "Floats", count: int) -> list[str]:
        """Return the ids of the nearest documents that have a tag."""
        begin, end = np.searchsorted(self._pairs.tags, [tag, tag + 1], sorter=self._by_tag)
        rows = self._pairs.rows[self._by_tag[begin:end]]
        rows = rows[np.argsort(-nearness[rows], kind="stable")]
        return [self._collection.ids[row] for row in rows.tolist() if nearness[row] > 0][:count]

    def _of(self, language: str) -> TagNames:
        found = self._names.get(language)
        if found is None:
            found = self._names[language] = TagNames(self._collection, self._index, language)
        return found

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

    def _set_near(
        self,
        column: "dict[str, Floats]",
        tags: "Integers",
        views: "dict[str, Floats]",
        orders: "list[Integers]",
        used: "Floats",
    ) -> None:
        column["prior"][:] = np.log((used[tags] + 0.5) / max(self._index.documents, 1))
        for number in NEIGHBOURS:
            column[f"neighbours {number}"][:] = np.log(views[f"neighbours {number}"][tags] + 0.02)
        for name, least in LEAST.items():
            column[name][:] = np.log(views[name][tags] + least)
        for name, order in zip(("rank of squares", "rank of centroid"), orders, strict=True):
            rank = np.full(len(used), 2 * NEAREST)
            rank[order] = np.arange(len(order))
            column[name][:] = np.log(rank[tags] + 1)
        column["closest of all"][:] = np.log(max(views["nearest"].max(initial=0), 0.05))

    def _lifts(
        self, tags: "Integers", features: Features, used: "Floats", leave_out: int | None
    ) -> "tuple[Floats, Floats]":
        """Return how much more likely each feature makes each tag, and the share of its documents that have it."""
        df = self._index.frequencies(features.hashes)
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

    def _set_kept(
        self,
        column: "Floats",
        tags: "Integers",
        named: dict[int, Named],
        leave_out: int | None,
        own: tuple[int, ...],
    ) -> None:
        """Set how often documents that name a tag have it, in log-odds."""
        for i, tag in enumerate(tags.tolist()):
            if tag in named:
                naming, both = self._keeping(tag, named[tag].form)
                if leave_out is not None:
                    naming, both = naming - 1, both - (tag in own)
                share = (both + KEPT_WEIGHT * KEPT) / (naming + KEPT_WEIGHT)
                column[i] = np.log(share / (1 - share))

    def _keeping(self, tag: int, form: Form) -> tuple[int, int]:
        """Return how many documents name a tag by a form, and how many of those have it."""
        found = self._kept.get((tag, form))
        if found is None:
            lists = sorted((self._index.rows(feature) for feature in form.features), key=len)
            rows = lists[0]
            for other in lists[1:]:
                rows = rows[np.isin(rows, other)]
            both = sum(tag in self._collection.tags_of[row] for row in rows.tolist())
            found = self._kept[tag, form] = (len(rows), both)
        return found


def _set_words(column: "dict[str, Floats]", lifts: "Floats", shares: "Floats") -> None:
    total = lifts.sum(1) / np.sqrt(max(lifts.shape[1], 1))
    column["association"][:] = np.log(total + 0.1)
    rank = np.empty(len(total))
    rank[np.argsort(-total, kind="stable")] = np.arange(len(total))
    column["rank of association"][:] = np.log(rank + 1)
    column["strongest word"][:] = np.log(shares.max(1, initial=0) + 0.01)
    column["votes"][:] = np.log(shares.sum(1) + 0.01)


def _set_lexical(
    column: "dict[str, Floats]", tags: "Integers", named: dict[int, Named], shared: dict[int, float]
) -> None:
    for i, tag in enumerate(tags.tolist()):
        share = shared.get(tag, 0.0)
        column["words shared"][i] = share
        column["words shared wholly"][i] = share > 0.99
        column["words shared and near"][i] = share * column["squares"][i]
        found = named.get(tag)
        if found is not None:
            column["named"][i] = 1
            column["named often"][i] = np.log(found.times)
            column["named in title"][i] = found.place == 0
            column["named late"][i] = found.place / PLACES
            column["named saliently"][i] = np.log(found.salience + 0.02)
            column["named and near"][i] = column["squares"][i]
            column["long name"][i] = len(found.form.words) > 1
