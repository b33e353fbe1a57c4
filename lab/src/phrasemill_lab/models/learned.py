"""Trains the model of `learned` that ships with the package.

    python -m phrasemill_lab.models.learned --data DIR --output src/phrasemill/data/learned_en.safetensors
    python -m phrasemill_lab.models.learned --data DIR --output NEW.safetensors --kinds-for OLD.safetensors

The second keeps the trees and tables of a model and trains only what recognises the kind of a text.

The first trees are trained on scientific documents of all kinds, whoever chose the keyphrases. On top of them each
style of science has its own, trained on that style's documents alone. `everyday` and `news` have no shared trees. The
same data give the same bytes.
"""

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phrasemill.methods.learned.background import Background
from phrasemill.methods.learned.kinds import KindModel
from phrasemill.methods.learned.model import LearnedModel, load_model
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import AUTHOR, EVERYDAY, INDEXER, NEWS, READER
from phrasemill.text.analyse import analyse
from phrasemill.training.boosting import TreeColumns, TreeExamples, boost, calibrate
from phrasemill.training.learned_examples import Labels, MoreColumns, chosen, examples, marked_by_crowd
from phrasemill.types import STOPWORD, Document
from phrasemill_lab.models import learned_sources as sources
from phrasemill_lab.models.kinds import train_kinds
from phrasemill_lab.models.learned_tables import count_background, mine_shapes
from phrasemill_lab.training.sources import Source


class Stage(NamedTuple):
    """How many trees, with how many leaves, at which rate."""

    trees: int
    leaves: int
    rate: float


SHARED = Stage(150, 31, 0.1)
STAGES = {
    INDEXER: Stage(200, 15, 0.05),
    AUTHOR: Stage(300, 31, 0.08),
    READER: Stage(60, 15, 0.05),
    EVERYDAY: Stage(360, 31, 0.05),
    NEWS: Stage(360, 31, 0.05),
}
ALONE = (EVERYDAY, NEWS)  # without the shared trees
FOLDS = 4
# How closely the recognition of kinds fits; how much more than abstracts and papers other styles weigh in it, for there
# are few such texts to learn from; and the share that every style has in a text of any kind. Chosen on development
# splits, the share for what it gains where the kind is mistaken: as much again costs authors' keywords more than that.
CLOSENESS = 0.04
KIND_WEIGHTS = {INDEXER: 1.5, EVERYDAY: 2.5, NEWS: 2.5}
SMOOTHING = 0.01
NEWS_IN_NEWS, CROWD_IN_NEWS = 2.0, 0.2  # the weights besides all everyday texts
# After these numbers of trees, rows with a low score are dropped. The bounds are set so that each drops a share LOST of
# the FIRST best phrases of held-out documents.
STOPS, FIRST, LOST = (16, 40, 80, 140, 220), 12, 0.003


def train_shipped(data: Path) -> LearnedModel:
    """Train the model that ships, from the files in `data`."""
    with one_thread():
        return _train(data)


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which linear algebra has one thread: its sums depend on the number of threads."""
    import sklearn.linear_model  # noqa: F401  (brings its own linear algebra; only what is loaded can be limited)
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, "blas")


def retrain_kinds(data: Path, model: Path) -> LearnedModel:
    """Return a model with another recognition of kinds, trained from the files in `data`."""
    found = load_model(model)
    training = StyledTraining(data, found.shapes, found.background, sources.test_titles(data))
    with one_thread():
        return replace(found, kinds=training.kinds())


def _train(data: Path) -> LearnedModel:
    shapes = mine_shapes({one.file: one.numbered_documents(data) for one in sources.SHAPES})
    report(f"{len(shapes.odds) - 1} shapes")
    unseen = sources.other_titles(data)
    background = count_background((d for one in sources.TABLES for d in one.numbered_documents(data, unseen)), shapes)
    report(f"tables over {background.documents:,} documents")
    return StyledTraining(data, shapes, background, sources.test_titles(data)).train()


@dataclass(slots=True)
class StyledTraining:
    """The steps of training trees for every style, on one set of tables."""

    data: Path
    shapes: Shapes
    background: Background
    left_out: frozenset[str]

    def read(self, wanted: Sequence[Source]) -> TreeExamples:
        """Return the examples of some sources."""
        return TreeExamples.joined([self._read(one) for one in wanted])

    def _read(self, source: Source) -> TreeExamples:
        labels: Labels = marked_by_crowd if source in sources.CROWD else chosen
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
        report(f"{source.file} {source.part}: {len(found.labels):,} candidates, {int(found.labels.sum()):,} keyphrases")
        return found

    def more_columns(self, source: Source) -> "MoreColumns | None":
        """Return the columns of a source's candidates besides the features."""
        return None

    def train(self) -> LearnedModel:
        science = {one: self._read(one) for one in sources.SCIENCE}
        other, news = self.read(sources.PROSE_OTHER), self.read(sources.PROSE_NEWS)
        prose, crowd = TreeExamples.joined([other, news]), self.read(sources.CROWD)
        of_style = {
            INDEXER: TreeExamples.joined([found for one, found in science.items() if one.style == INDEXER]),
            AUTHOR: TreeExamples.joined([found for one, found in science.items() if one.style == AUTHOR]),
            READER: self.read(sources.READERS),
            EVERYDAY: prose,
            NEWS: TreeExamples.joined([other, news.weighing(NEWS_IN_NEWS), crowd.weighing(CROWD_IN_NEWS)]),
        }
        everything = TreeExamples.joined(list(science.values()))
        shared = self._boost(everything, SHARED)
        columns = TreeColumns()
        shared_numbers = columns.add(shared)
        styles, calibration = {}, {}
        for style, stage in STAGES.items():
            under = None if style in ALONE else shared
            own = self._boost(of_style[style], stage, under)
            held, scores = self._held_out(style, of_style, under, own)
            numbers = columns.add(own)
            stops = tuple(
                [(number, lowest(partial_scores(under, own, held, number), scores, held)) for number in STOPS]
            )
            styles[style] = columns.trees(numbers if under is None else shared_numbers + numbers, stops)
            calibration[style] = calibrate(scores, held.labels, held.weights)
            report(f"{style}: calibration {calibration[style]}, stops {stops}")
        about = {
            "shared": dict(SHARED._asdict()),
            "styles": {style: dict(stage._asdict()) for style, stage in STAGES.items()},
            "examples": {style: len(found.labels) for style, found in of_style.items()},
        }
        trees = StyledTrees(styles, calibration, everything.rows.shape[1])
        return LearnedModel("en", self.shapes, self.background, trees, self.kinds(), about)

    def kinds(self) -> KindModel:
        """Train the model that recognises the kind of a text: from whole texts; from the openings of prose, without
        which short texts look like abstracts; from prose without stopwords, without which lists do; and from copies of
        all these."""
        whole = [
            (document, source.style)
            for source in sources.KINDS
            for document in source.numbered_documents(self.data, self.left_out)
        ]
        prose = [(number, document, style) for number, (document, style) in enumerate(whole) if style in ALONE]
        annotated = {one.file for one in (*sources.PROSE_OTHER, *sources.PROSE_NEWS)}
        terse = [(telegram(one), style) for _, one, style in prose if one.id.split(":")[0] in annotated]
        openings = [(opening(one, number), style) for number, one, style in prose]
        every = [*whole, *openings, *terse]
        return train_kinds(every, strength=CLOSENESS, weights=KIND_WEIGHTS, smoothing=SMOOTHING)

    def _held_out(
        self, style: str, of_style: Mapping[str, TreeExamples], under: Any, own: Any
    ) -> tuple[TreeExamples, NDArray[np.float64]]:
        """Return documents that a style's trees have not seen, and their scores; by folds where there are few."""
        if style in sources.HELD_OUT:
            held = self.read(sources.HELD_OUT[style])
            scores: NDArray[np.float64] = own.predict(held.rows, raw_score=True)
            return held, scores if under is None else scores + under.predict(held.rows, raw_score=True)
        return of_style[style], self._by_folds(of_style[style], style, under)

    def _boost(self, found: TreeExamples, stage: Stage, under: Any = None) -> Any:
        start = None if under is None else under.predict(found.rows, raw_score=True)
        return boost(found, trees=stage.trees, leaves=stage.leaves, rate=stage.rate, start=start)

    def _by_folds(self, found: TreeExamples, style: str, under: Any) -> NDArray[np.float64]:
        """Return the scores of documents by trees that have not seen them; both versions of a paper are in one fold."""
        scores = np.zeros(len(found.labels)) if under is None else under.predict(found.rows, raw_score=True)
        documents = int(found.documents.max()) + 1
        papers = documents // 2 if style == READER else documents
        for fold in range(FOLDS):
            inside = found.documents % papers % FOLDS == fold
            own = self._boost(found.only(~inside), STAGES[style], under)
            scores[inside] += own.predict(found.rows[inside], raw_score=True)
        return scores


def opening(document: Document, number: int) -> Document:
    """Return the first 60 to 180 words of a document, without its title."""
    words = document.text.split()
    return replace(document, title="", text=" ".join(words[: 60 + number * 37 % 121]))


def telegram(document: Document) -> Document:
    """Return the first 220 words of a document without its stopwords, at most 120 of them."""
    analysis = analyse(" ".join(document.content.split()[:220]), language=document.language)
    words = [
        analysis.text[start:end]
        for start, end, kind in zip(analysis.start, analysis.end, analysis.kind, strict=True)
        if not kind & STOPWORD
    ]
    return replace(document, title="", text=" ".join(words[:120]))


def partial_scores(under: Any, own: Any, held: TreeExamples, number: int) -> NDArray[np.float64]:
    """Return the scores of documents after the first trees."""
    below = 0 if under is None else min(number, under.num_trees())
    scores = np.zeros(len(held.labels))
    if below:
        scores += under.predict(held.rows, raw_score=True, num_iteration=below)
    if number > below:
        scores += own.predict(held.rows, raw_score=True, num_iteration=number - below)
    return scores


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


def report(line: str) -> None:
    print(line, flush=True)


def command(
    train: Callable[[Path], LearnedModel],
    about: str | None,
    with_kinds: Callable[[Path, Path], LearnedModel] | None = None,
) -> None:
    """Train a model from the folder of data that the command line names, and write it; or, `with_kinds`, train anew
    what recognises the kind of a text."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    if with_kinds is not None:
        parser.add_argument("--kinds-for", type=Path, metavar="MODEL", help="keep this model's trees and tables")
    options = parser.parse_args()
    if with_kinds is not None and options.kinds_for:
        with_kinds(options.data, options.kinds_for).save(options.output)
    else:
        train(options.data).save(options.output)
    report(f"{options.output}: {options.output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    command(train_shipped, __doc__, retrain_kinds)
