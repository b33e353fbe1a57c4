"""Trains the model of `learned` for languages other than English by folds, to measure it on texts it has not seen.

The shipped model has learned from all everyday texts there are in these languages. Here the trees of style `everyday`
are trained anew for each fold, without its texts; shapes, calibration, the trees of style `author` and the model of
kinds are the shipped ones.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from phrasemill.methods.learned.background import Background
from phrasemill.methods.learned.model import LearnedModel, multilingual_model
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import EVERYDAY
from phrasemill.training.boosting import TreeColumns, TreeExamples, boost
from phrasemill.training.learned_examples import examples
from phrasemill.types import Document
from phrasemill_lab.models.learned_multilingual import BARE, ENGLISH, PROSE, STAGES
from phrasemill_lab.training.sources import number_of


@dataclass(frozen=True, slots=True)
class Fold:
    """A model, and the documents that it has not seen."""

    model: LearnedModel
    held_out: tuple[Document, ...]


def folded(data: Path, folds: int) -> Iterator[Fold]:
    """Yield one model for each fold of the everyday texts in `data`."""
    shipped = multilingual_model()
    documents: list[list[Document]] = [[] for _ in range(folds)]
    for source in PROSE:
        for document in source.numbered_documents(data):
            documents[number_of(document) % folds].append(document)
    read = [_examples(some, shipped) for some in documents]
    english = examples(ENGLISH.numbered_documents(data), shipped.shapes, Background.empty(), weight=ENGLISH.weight)
    for fold, held_out in enumerate(documents):
        seen = TreeExamples.joined([english, *(some for other, some in enumerate(read) if other != fold)])
        yield Fold(_with_trees(shipped, seen), tuple(held_out))


def _examples(documents: Iterable[Document], model: LearnedModel) -> TreeExamples:
    """Return the examples of documents, read with tags and without."""
    every = list(documents)
    tagged = examples(every, model.shapes, Background.empty())
    return TreeExamples.joined([tagged, examples(every, model.shapes, Background.empty(), weight=BARE, tagged=False)])


def _with_trees(model: LearnedModel, seen: TreeExamples) -> LearnedModel:
    """Return the model with other trees of style `everyday`, trained on the examples."""
    stage = STAGES[EVERYDAY]
    booster = boost(seen, trees=stage.trees, leaves=stage.leaves, rate=stage.rate, least=20)
    columns = TreeColumns.of(next(iter(model.trees.styles.values())))
    numbers = columns.add(booster)
    styles = {style: columns.trees(trees.numbers, trees.stops) for style, trees in model.trees.styles.items()}
    styles[EVERYDAY] = columns.trees(numbers)
    return replace(model, trees=StyledTrees(styles, model.trees.calibration, model.trees.width))
