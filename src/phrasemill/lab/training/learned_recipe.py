"""Trains the model of `learned` that ships with the package.

    python -m phrasemill.lab.training.learned_recipe --data DIR --output src/phrasemill/data/learned_en.safetensors

The first trees are trained on scientific documents of all kinds, whoever chose the keyphrases. On top of them each
style has its own, trained on that style's documents alone, and so has `general`, on everything there is. `news` stands
alone: of news there is a noisy teacher only, so it also learns from indexers and readers of science, and without the
features that are bound to science. The same data give the same bytes.
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from phrasemill.lab.training import learned_sources as sources
from phrasemill.lab.training.boosting import Columns, Examples, boost, calibrate
from phrasemill.lab.training.learned_examples import Beside, Labels, chosen, examples, marked_by_crowd
from phrasemill.lab.training.learned_sources import HELD_OUT, Source
from phrasemill.lab.training.learned_tables import count_background, mine_shapes
from phrasemill.methods.learned.background import Background
from phrasemill.methods.learned.evidence import GROUPS
from phrasemill.methods.learned.features import FEATURES
from phrasemill.methods.learned.model import LearnedModel
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import AUTHOR, GENERAL, INDEXER, NEWS, READER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
# What news must not learn from science: how rare words are there, what is chosen there, how long texts are.
BOUND = {name for group in ("choice", "rarity", "text") for name in GROUPS[group][1]}
BOUND |= {"longer_chosen", "parts_chosen", "tfidf", "tfidf_share", "document_title"}
FOLDS = 4
# Who chose the keyphrases of an unknown text? Rather a reader than its author, of whom there are the most documents.
AUTHORS_IN_GENERAL, READERS_IN_GENERAL, CROWD_IN_GENERAL = 0.3, 3.0, 0.5
INDEXERS_IN_NEWS, READERS_IN_NEWS = 1 / 3, 3.0
# After the first trees, rows with less than `least` go no further: on held-out documents so many of the phrases that
# came out among the first of a document had less.
EARLY, FIRST, LOST = 40, 20, 0.001


def train_shipped(data: Path) -> LearnedModel:
    """The model that ships, from the files in `data`."""
    shapes = mine_shapes({one.file: one.documents(data) for one in sources.SHAPES})
    _say(f"{len(shapes.odds) - 1} shapes")
    unseen = sources.other_titles(data)
    background = count_background((d for one in sources.TABLES for d in one.documents(data, unseen)), shapes)
    _say(f"tables over {background.documents:,} documents")
    recipe = Recipe(data, shapes, background, sources.test_titles(data))
    return recipe.train()


@dataclass(slots=True)
class Recipe:
    """The steps of training, on one set of tables."""

    data: Path
    shapes: Shapes
    background: Background
    left_out: frozenset[str]
    threads: int = 2
    bare: Sequence[Source] = sources.BARE

    def read(self, wanted: Sequence[Source]) -> Examples:
        """The examples of some sources."""
        return Examples.joined([self._read(one) for one in wanted])

    def _read(self, source: Source) -> Examples:
        labels: Labels = marked_by_crowd if source.style == NEWS else chosen
        found = examples(
            source.documents(self.data, self.left_out),
            self.shapes,
            Background.empty() if source.bare else self.background,
            labels=labels,
            share=source.share,
            tagged=not source.bare,
            weight=source.weight,
            beside=self.beside(source),
        )
        _say(f"{source.file} {source.part}: {len(found.labels):,} candidates, {int(found.labels.sum()):,} keyphrases")
        return found

    def beside(self, source: Source) -> "Beside | None":
        """What there is to know of a source's candidates besides the features."""
        return None

    def train(self) -> LearnedModel:
        science = {one: self._read(one) for one in sources.SCIENCE}
        readers, crowd = self.read(sources.READERS), self.read(sources.CROWD)
        bare = [self.read(self.bare)] if self.bare else []
        indexers = Examples.joined([found for one, found in science.items() if one.style == INDEXER])
        of_style = {
            INDEXER: indexers,
            AUTHOR: Examples.joined([found for one, found in science.items() if one.style == AUTHOR]),
            READER: readers,
            NEWS: unbound(
                Examples.joined([indexers.weighing(INDEXERS_IN_NEWS), readers.weighing(READERS_IN_NEWS), crowd])
            ),
        }
        everything = Examples.joined(list(science.values()))
        shared = self._boost(everything, SHARED)
        authors = of_style[AUTHOR].weighing(AUTHORS_IN_GENERAL)
        of_style[GENERAL] = Examples.joined(
            [of_style[INDEXER], authors, readers.weighing(READERS_IN_GENERAL), crowd.weighing(CROWD_IN_GENERAL), *bare]
        )
        columns = Columns()
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
            _say(f"{style}: calibration {calibration[style]}, least {least:.2f}")
        about = {
            "shared": dict(SHARED._asdict()),
            "styles": {style: dict(stage._asdict()) for style, stage in STAGES.items()},
            "examples": {style: len(found.labels) for style, found in of_style.items()},
        }
        trees = StyledTrees(styles, calibration, everything.rows.shape[1])
        return LearnedModel("en", self.shapes, self.background, trees, about)

    def _boost(self, found: Examples, stage: Stage, under: Any = None) -> Any:
        start = None if under is None else under.predict(found.rows, raw_score=True)
        return boost(found, trees=stage.trees, leaves=stage.leaves, rate=stage.rate, start=start, threads=self.threads)

    def _scores(self, style: str, held: Examples, shared: Any, own: Any) -> "NDArray[np.float64]":
        """The scores of documents that were kept out; of readers, who are few, by folds."""
        if style == READER:
            return self._by_folds(held, shared)
        scores: NDArray[np.float64] = shared.predict(held.rows, raw_score=True) + own.predict(held.rows, raw_score=True)
        return scores

    def _by_folds(self, found: Examples, shared: Any) -> "NDArray[np.float64]":
        """The scores that documents get from trees which have not seen them; both versions of a paper in one fold."""
        scores = shared.predict(found.rows, raw_score=True)
        papers = (int(found.documents.max()) + 1) // 2
        for fold in range(FOLDS):
            inside = found.documents % papers % FOLDS == fold
            own = self._boost(found.only(~inside), STAGES[READER], shared)
            scores[inside] += own.predict(found.rows[inside], raw_score=True)
        return scores


def unbound(found: Examples) -> Examples:
    """The examples without the features that are bound to science: all the same, so that no tree asks for them."""
    rows = found.rows.copy()
    rows[:, [i for i, name in enumerate(FEATURES) if name in BOUND]] = 0
    return replace(found, rows=rows)


def _held_out(style: str) -> Sequence[Source]:
    return [one for held in HELD_OUT.values() for one in held] if style == GENERAL else HELD_OUT[style]


def lowest(early: "NDArray[np.float64]", scores: "NDArray[np.float64]", held: Examples) -> float:
    """What a row needs after the first trees to be worth the others."""
    import numpy as np

    starts = np.flatnonzero(np.diff(held.documents, prepend=-1))
    firsts = [
        early[start:end][np.argsort(-scores[start:end])[:FIRST]]
        for start, end in zip(starts, [*starts[1:], len(scores)], strict=True)
        # In short documents everything is among the first.
        if end - start > 2 * FIRST
    ]
    return float(np.quantile(np.concatenate(firsts), LOST)) if firsts else -math.inf


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    train_shipped(options.data).save(options.output)
    _say(f"{options.output}: {options.output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
