"""Trains Maui: the measures of phrases, and bagged decision trees over them (requires scikit-learn)."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.errors import ConfigError, MissingExtra
from phrasemill.methods.maui import LEAF, DecisionTrees, Maui, MauiModel, degrees, features, keys_of, terms
from phrasemill.training.examples import CandidateExample, collect, gold_forms
from phrasemill.training.trainer import Progress, quiet, tracked
from phrasemill.types import Analysis, Candidates, Document
from phrasemill.vocabulary import Index, read_vocabulary


@dataclass(frozen=True, slots=True)
class MauiTrainer:
    """`longest` is the most words of a phrase, `trees` how many are bagged, `leaf` the least examples in a leaf;
    `vocabulary` is a file whose concepts are the candidates, `frequencies` a table of document frequencies over a
    larger collection."""

    longest: int = 3
    trees: int = 10
    leaf: int = 50
    vocabulary: str | None = None
    seed: int = 0
    frequencies: str | None = None

    def __post_init__(self) -> None:
        for name in ("longest", "trees", "leaf"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.seed < 0:
            raise ConfigError(f"seed must be at least 0, got {self.seed}")
        if self.frequencies is not None and self.vocabulary is not None:
            raise ConfigError("frequencies count phrases, but a vocabulary's candidates are concepts; leave one out")

    def fit(
        self, documents: Iterable[Document], *, dev: Iterable[Document] = (), progress: Progress = quiet
    ) -> MauiModel:
        """Learn from documents with references; Maui has nothing to tune on `dev`."""
        try:
            from sklearn.tree import DecisionTreeClassifier
        except ImportError:
            raise MissingExtra("scikit-learn", "train", purpose="training maui") from None

        @cache
        def index_of(language: str) -> Index | None:
            return None if self.vocabulary is None else read_vocabulary(self.vocabulary).index(language)

        def propose(analysis: Analysis) -> Candidates:
            return terms(analysis, self.longest, index_of(analysis.language))

        def keys(candidates: Candidates) -> list[str]:
            return keys_of(candidates, index_of(candidates.analysis.language))

        def gold(document: Document) -> frozenset[str]:
            """Return the forms of the keyphrases; or the concepts that they are, if there is a vocabulary."""
            forms, index = gold_forms(document), index_of(document.language)
            return (
                forms if index is None else frozenset(index.ids[index.concept[f]] for f in forms if f in index.concept)
            )

        how: dict[str, Any] = {"longest": self.longest, "progress": progress, "frequencies": self.frequencies}
        collection = collect(documents, propose, keys_of=keys, gold_of=gold, **how)
        index = index_of(collection.frequencies.language)

        def measured(example: CandidateExample) -> Sequence[Sequence[float]]:
            counted = (collection.idfs(example), collection.elsewhere(example))
            return features(example.statistics, *counted, degrees(example.keys, index))

        columns, labels = collection.table(measured, progress)
        values = columns.T.astype("float32")
        rng = np.random.default_rng(self.seed)
        trees = DecisionTrees(array("i"), array("h"), array("d"), array("i"), array("i"), array("d"))
        for number in tracked(range(self.trees), "growing trees", progress, total=self.trees):
            drawn = _bootstrap(labels, rng)
            tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=self.leaf, random_state=number)
            _append(trees, tree.fit(values[drawn], labels[drawn]))
        tables = (collection.frequencies, collection.keyphraseness)
        return MauiModel(*tables, trees, index is not None, int(labels.sum()), len(labels))

    def spec(self, model: Path) -> str:
        return repr(Maui(str(model), self.vocabulary))


def _bootstrap(labels: np.ndarray[Any, Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Draw as many examples as there are, with replacement, until both kinds are among them."""
    while True:
        drawn = rng.integers(len(labels), size=len(labels))
        if labels[drawn].any() and not labels[drawn].all():
            return drawn


def _append(forest: DecisionTrees, grown: Any) -> None:
    """Add the nodes of a scikit-learn tree, whose children always come after their parent."""
    nodes, base = grown.tree_, len(forest.feature)
    forest.roots.append(base)
    shares = nodes.value[:, 0, list(grown.classes_).index(True)] / nodes.value[:, 0, :].sum(axis=1)
    for at in range(nodes.node_count):
        leaf = nodes.children_left[at] < 0
        forest.feature.append(LEAF if leaf else int(nodes.feature[at]))
        forest.threshold.append(0.0 if leaf else float(nodes.threshold[at]))
        forest.left.append(0 if leaf else base + int(nodes.children_left[at]))
        forest.right.append(0 if leaf else base + int(nodes.children_right[at]))
        # An m-estimate with m = 1: small leaves lean towards the share of keyphrases overall, and none is 0.
        size = int(nodes.n_node_samples[at])
        forest.share.append(float((shares[at] * size + shares[0]) / (size + 1)))
