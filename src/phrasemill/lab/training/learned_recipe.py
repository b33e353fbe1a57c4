"""Trains the model of `learned` that ships with the package.

    python -m phrasemill.lab.training.learned_recipe --data DIR --output src/phrasemill/data/learned_en.safetensors

The first trees are trained on scientific documents of all kinds, whoever chose the keyphrases. On top of them each
style has its own, trained on that style's documents alone, and so has `general`, on all documents. `news` has no shared
trees: its own documents are labelled noisily, so it also learns from indexers and readers of science, without the
features that are specific to science. The same data give the same bytes.
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phrasemill.lab.training import learned_sources as sources
from phrasemill.lab.training.boosting import TreeColumns, TreeExamples, boost, calibrate
from phrasemill.lab.training.learned_examples import Labels, MoreColumns, chosen, examples, marked_by_crowd
from phrasemill.lab.training.learned_tables import count_background, mine_shapes
from phrasemill.lab.training.sources import Source
from phrasemill.methods.learned.background import Background
from phrasemill.methods.learned.evidence import GROUPS
from phrasemill.methods.learned.features import FEATURES
from phrasemill.methods.learned.model import LearnedModel
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import AUTHOR, GENERAL, INDEXER, NEWS, READER


class Stage(NamedTuple):
    """How many trees, with how many leaves, at which rate."""

    trees: int
    leaves: int
    rate: float


SHARED = Stage(150, 31, 0.1)
STAGES = {
    GENERAL: Stage(100, 31, 0.08),
    INDEXER: Stage(200, 15, 0.05),
    AUTHOR: Stage(200, 31, 0.08),
    READER: Stage(60, 15, 0.05),
    NEWS: Stage(150, 15, 0.05),
}
# What news must not learn from science: how rare words are, which ones are chosen, how long texts are.
BOUND = {name for group in ("choice", "rarity", "text") for name in GROUPS[group][1]}
BOUND |= {"longer_chosen", "parts_chosen", "tfidf", "tfidf_share", "document_title"}
FOLDS = 4
# The keyphrases of an unknown text are rather a reader's choice than its author's, though authors' are the most here.
AUTHORS_IN_GENERAL, READERS_IN_GENERAL, CROWD_IN_GENERAL = 0.3, 3.0, 0.5
INDEXERS_IN_NEWS, READERS_IN_NEWS = 1 / 3, 3.0
# After the first trees, rows that score below `least` are dropped. It is set so that a share LOST of the FIRST best
# phrases of held-out documents would be dropped.
EARLY, FIRST, LOST = 40, 20, 0.001


def train_shipped(data: Path) -> LearnedModel:
    """Train the model that ships, from the files in `data`."""
    shapes = mine_shapes({one.file: one.numbered_documents(data) for one in sources.SHAPES})
    _log(f"{len(shapes.odds) - 1} shapes")
    unseen = sources.other_titles(data)
    background = count_background((d for one in sources.TABLES for d in one.numbered_documents(data, unseen)), shapes)
    _log(f"tables over {background.documents:,} documents")
    return StyledTraining(data, shapes, background, sources.test_titles(data)).train()


@dataclass(slots=True)
class StyledTraining:
    """The steps of training trees for every style, on one set of tables."""

    data: Path
    shapes: Shapes
    background: Background
    left_out: frozenset[str]
    bare: Sequence[Source] = sources.BARE

    def read(self, wanted: Sequence[Source]) -> TreeExamples:
        """Return the examples of some sources."""
        return TreeExamples.joined([self._read(one) for one in wanted])

    def _read(self, source: Source) -> TreeExamples:
        labels: Labels = marked_by_crowd if source.style == NEWS else chosen
        found = examples(
            source.numbered_documents(self.data, self.left_out),
            self.shapes,
            Background.empty() if source.bare else self.background,
            labels=labels,
            share=source.share,
            tagged=not source.bare,
            weight=source.weight,
            more_columns=self.more_columns(source),
        )
        _log(f"{source.file} {source.part}: {len(found.labels):,} candidates, {int(found.labels.sum()):,} keyphrases")
        return found

    def more_columns(self, source: Source) -> "MoreColumns | None":
        """Return the columns of a source's candidates besides the features."""
        return None

    def train(self) -> LearnedModel:
        science = {one: self._read(one) for one in sources.SCIENCE}
        readers, crowd = self.read(sources.READERS), self.read(sources.CROWD)
        bare = [self.read(self.bare)] if self.bare else []
        indexers = TreeExamples.joined([found for one, found in science.items() if one.style == INDEXER])
        of_style = {
            INDEXER: indexers,
            AUTHOR: TreeExamples.joined([found for one, found in science.items() if one.style == AUTHOR]),
            READER: readers,
            NEWS: unbound(
                TreeExamples.joined([indexers.weighing(INDEXERS_IN_NEWS), readers.weighing(READERS_IN_NEWS), crowd])
            ),
        }
        everything = TreeExamples.joined(list(science.values()))
        shared = self._boost(everything, SHARED)
        authors = of_style[AUTHOR].weighing(AUTHORS_IN_GENERAL)
        of_style[GENERAL] = TreeExamples.joined(
            [of_style[INDEXER], authors, readers.weighing(READERS_IN_GENERAL), crowd.weighing(CROWD_IN_GENERAL), *bare]
        )
        columns = TreeColumns()
        shared_numbers = columns.add(shared)
        styles, calibration = {}, {}
        for style, stage in STAGES.items():
            alone = style == NEWS
            own = self._boost(of_style[style], stage, None if alone else shared)
            held = readers if style == READER else self.read(_held_out(style))
            scores = own.predict(held.rows, raw_score=True) if alone else self._scores(style, held, shared, own)
            first = (own if alone else shared).predict(held.rows, raw_score=True, num_iteration=EARLY)
            least = lowest(first, scores, held)
            numbers = columns.add(own)
            styles[style] = columns.trees(numbers if alone else shared_numbers + numbers, early=EARLY, least=least)
            calibration[style] = calibrate(scores, held.labels, held.weights)
            _log(f"{style}: calibration {calibration[style]}, least {least:.2f}")
        about = {
            "shared": dict(SHARED._asdict()),
            "styles": {style: dict(stage._asdict()) for style, stage in STAGES.items()},
            "examples": {style: len(found.labels) for style, found in of_style.items()},
        }
        trees = StyledTrees(styles, calibration, everything.rows.shape[1])
        return LearnedModel("en", self.shapes, self.background, trees, about)

    def _boost(self, found: TreeExamples, stage: Stage, under: Any = None) -> Any:
        start = None if under is None else under.predict(found.rows, raw_score=True)
        return boost(found, trees=stage.trees, leaves=stage.leaves, rate=stage.rate, start=start)

    def _scores(self, style: str, held: TreeExamples, shared: Any, own: Any) -> NDArray[np.float64]:
        """Return the scores of held-out documents; those of readers, who are few, by folds."""
        if style == READER:
            return self._by_folds(held, shared)
        scores: NDArray[np.float64] = shared.predict(held.rows, raw_score=True) + own.predict(held.rows, raw_score=True)
        return scores

    def _by_folds(self, found: TreeExamples, shared: Any) -> NDArray[np.float64]:
        """Return the scores of documents by trees that have not seen them; both versions of a paper are in one fold."""
        scores = shared.predict(found.rows, raw_score=True)
        papers = (int(found.documents.max()) + 1) // 2
        for fold in range(FOLDS):
            inside = found.documents % papers % FOLDS == fold
            own = self._boost(found.only(~inside), STAGES[READER], shared)
            scores[inside] += own.predict(found.rows[inside], raw_score=True)
        return scores


def unbound(found: TreeExamples) -> TreeExamples:
    """Return the examples with constant values for the features specific to science, so that no tree uses them."""
    rows = found.rows.copy()
    rows[:, [i for i, name in enumerate(FEATURES) if name in BOUND]] = 0
    return replace(found, rows=rows)


def _held_out(style: str) -> Sequence[Source]:
    return sources.held_out() if style == GENERAL else sources.HELD_OUT[style]


def lowest(early: NDArray[np.float64], scores: NDArray[np.float64], held: TreeExamples) -> float:
    """Return the score after the first trees below which a row is dropped."""
    starts = np.flatnonzero(np.diff(held.documents, prepend=-1))
    firsts = [
        early[start:end][np.argsort(-scores[start:end])[:FIRST]]
        for start, end in zip(starts, [*starts[1:], len(scores)], strict=True)
        # In short documents every phrase is among the first.
        if end - start > 2 * FIRST
    ]
    return float(np.quantile(np.concatenate(firsts), LOST)) if firsts else -math.inf


def _log(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    train_shipped(options.data).save(options.output)
    _log(f"{options.output}: {options.output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
