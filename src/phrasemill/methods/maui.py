"""Maui (Medelyan, "Human-competitive automatic topic indexing", PhD thesis, University of Waikato, 2009).

KEA's candidates, measured more fully: term frequency, inverse document frequency, their product, first and last
occurrence, spread between them, domain keyphraseness (how often the phrase was a keyphrase in the training collection)
and length in words; decision trees over these, bagged, give a probability. With a vocabulary the candidates are its
concepts (all wordings of one counted together), and node degree says with how many other concepts of the text a concept
is linked as broader, narrower or related.

The thesis has four features more, out of Wikipedia (its linkage, its keyphraseness, semantic relatedness and
generality), which cannot be computed without a copy of it: they are left out. Its trees are C4.5; ours split by
information gain and stop at leaves of a minimal size instead of being pruned afterwards. Ties go to the higher TF×IDF.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from phrasemill.candidates import forms, including, ngrams
from phrasemill.errors import ConfigError
from phrasemill.methods import trained_models
from phrasemill.methods.trained_models import CandidateStatistics, by_score, statistics_of
from phrasemill.ranker import Ranked, Ranker
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import NO_PLACES, Analysis, Candidates, Places
from phrasemill.vocabulary import Index, read_vocabulary

NAME = "maui"
FEATURES = ("tf", "idf", "TF×IDF", "first", "last", "spread", "keyphraseness", "length", "node degree")
PRODUCT = FEATURES.index("TF×IDF")
PLAIN = len(FEATURES) - 1  # those that need no vocabulary
LEAF = -1


@dataclass(frozen=True, slots=True)
class DecisionTrees:
    """Decision trees in columns, one entry per node: go `left` where feature ≤ threshold. `feature` is LEAF at leaves,
    whose `share` is the probability. DecisionTrees begin at the nodes `roots`."""

    roots: "array[int]"
    feature: "array[int]"
    threshold: "array[float]"
    left: "array[int]"
    right: "array[int]"
    share: "array[float]"

    def probabilities(self, columns: Sequence[Sequence[float]]) -> "array[float]":
        """Return the mean over the trees for each candidate; features are compared in single precision."""
        import numpy as np

        values = np.stack([np.asarray(column, dtype=np.float32) for column in columns])
        feature, left, right = (np.asarray(one) for one in (self.feature, self.left, self.right))
        threshold, share = np.asarray(self.threshold), np.asarray(self.share)
        count = values.shape[1]
        # All candidates go down all trees at once, one level a round; those at a leaf stay behind.
        node = np.repeat(np.asarray(self.roots, dtype=np.intp), count)
        moving = np.flatnonzero(feature[node] != LEAF)
        while len(moving):
            at = node[moving]
            below = values[feature[at], moving % count] <= threshold[at]
            node[moving] = at = np.where(below, left[at], right[at])
            moving = moving[feature[at] != LEAF]
        return array("d", share[node].reshape(len(self.roots), count).mean(axis=0).tolist())

    def check(self, features: int) -> None:
        """Raise a ValueError if the nodes of a file lead nowhere, or in a circle."""
        nodes = len(self.feature)
        columns = (self.threshold, self.left, self.right, self.share)
        sound = len(self.roots) and all(len(one) == nodes for one in columns)
        sound = sound and all(0 <= root < nodes for root in self.roots)
        for at, feature in enumerate(self.feature if sound else ()):
            inside = at < self.left[at] < nodes and at < self.right[at] < nodes
            sound = sound and (feature == LEAF or (0 <= feature < features and inside))
        if not sound:
            raise ValueError("its trees do not hold together")


@dataclass(frozen=True, slots=True)
class MauiModel:
    """The result of training; `controlled` if its candidates were the concepts of a vocabulary."""

    frequencies: DocumentFrequencies
    keyphraseness: Mapping[str, int]
    trees: DecisionTrees
    controlled: bool = False
    keyphrases: int = 0
    examples: int = 0

    def save(self, path: Path) -> None:
        buffers = {name: getattr(self.trees, name) for name in DecisionTrees.__slots__}
        buffers |= trained_models.counted_buffers(self.keyphraseness, "chosen", "times")
        facts = {"keyphrases": self.keyphrases, "examples": self.examples, "controlled": int(self.controlled)}
        trained_models.save(path, NAME, self.frequencies, buffers, **facts)

    def summary(self) -> dict[str, str]:
        return trained_models.summary(self.frequencies, self.keyphrases, self.examples) | {
            "trees": f"{len(self.trees.roots)}, of {len(self.trees.feature):,} nodes",
            "vocabulary": "its concepts" if self.controlled else "none",
        }

    @classmethod
    def load(cls, path: Path) -> Self:
        with trained_models.reading(path, NAME, {"chosen": "B", "times": "I"}) as (file, frequencies):
            columns: dict[str, Any] = {
                name: array(file[name].format, file[name].tolist()) for name in DecisionTrees.__slots__
            }
            trees, controlled = DecisionTrees(**columns), bool(file.number("controlled"))
            trees.check(len(FEATURES) if controlled else PLAIN)
            keyphraseness = trained_models.counted(file, "chosen", "times")
            counts = file.number("keyphrases"), file.number("examples")
            return cls(frequencies, keyphraseness, trees, controlled, *counts)


@dataclass(frozen=True, slots=True, repr=False)
class Maui(Ranker):
    """Bagged trees over frequency, position, spread and keyphraseness, trained on your documents.

    - `model`: the file written by `phrasemill train maui`.
    - `vocabulary`: the vocabulary that the model was trained with, if any.
    """

    name: ClassVar[str] = NAME
    paper: ClassVar[str] = "Medelyan, 2009"
    scale: ClassVar[str] = "probability"
    reads_tags: ClassVar[bool] = False

    model: str | None = None
    vocabulary: str | None = None

    def propose(self, analysis: Analysis) -> Candidates:
        model = self._model()
        return terms(analysis, model.frequencies.longest, self._index(analysis))

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        # With a vocabulary of its own its candidates are whole concepts, and no others can be added.
        candidates = including(self.propose(analysis), extra if self.vocabulary is None else NO_PLACES)
        if not len(candidates):
            return Ranked(candidates, array("d"))
        model, index = self._model(), self._index(analysis)
        keys = keys_of(candidates, index)
        columns = features(
            statistics_of(candidates),
            model.frequencies.idfs(keys),
            [model.keyphraseness.get(key, 0) for key in keys],
            degrees(keys, index),
        )
        return by_score(candidates, model.trees.probabilities(columns), columns[PRODUCT])

    def _model(self) -> MauiModel:
        model = trained_models.opened(self.model, NAME, MauiModel.load)
        if model.controlled != (self.vocabulary is not None):
            what = "with a vocabulary: write maui(model=…, vocabulary='FILE')" if model.controlled else "without one"
            raise ConfigError(f"{self.model}: this model was trained {what}")
        return model

    def _index(self, analysis: Analysis) -> Index | None:
        return None if self.vocabulary is None else read_vocabulary(self.vocabulary).index(analysis.language)


def terms(analysis: Analysis, longest: int, index: Index | None) -> Candidates:
    """Return the n-grams of a text, or the concepts that occur in it, all wordings of one together."""
    if index is None:
        return ngrams(analysis, longest=longest)
    places: dict[int, list[tuple[int, int]]] = {}
    for match in index.find(analysis):
        places.setdefault(index.concept[match.form], []).append((match.start, match.end))
    first, start, end = array("i", [0]), array("i"), array("i")
    for found_at in places.values():
        start.extend(place[0] for place in found_at)
        end.extend(place[1] for place in found_at)
        first.append(len(start))
    return Candidates(analysis, first, start, end)


def keys_of(candidates: Candidates, index: Index | None) -> list[str]:
    """Return by what each candidate is counted over documents: its form, or the id of its concept."""
    found = forms(candidates)
    return found if index is None else [index.ids[index.concept[form]] for form in found]


def degrees(keys: Sequence[str], index: Index | None) -> list[int] | None:
    """Return with how many of the others each concept is linked."""
    if index is None:
        return None
    numbers = [index.numbers[key] for key in keys]
    present = set(numbers)
    return [sum(1 for other in index.neighbours[number] if other in present) for number in numbers]


def features(
    statistics: CandidateStatistics, idfs: Sequence[float], keyphraseness: Sequence[int], degree: Sequence[int] | None
) -> list[Sequence[float]]:
    """Return a column each, in the order of FEATURES; the last only with a vocabulary."""
    tf = [count / statistics.size for count in statistics.counts]
    tfidf = [one * idf for one, idf in zip(tf, idfs, strict=True)]
    spread = [last - first for first, last in zip(statistics.first, statistics.last, strict=True)]
    columns = [tf, idfs, tfidf, statistics.first, statistics.last, spread, keyphraseness, statistics.words]
    return columns if degree is None else [*columns, degree]
