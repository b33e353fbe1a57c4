"""Makes the model of `learned` for English, the default.

The first trees are trained on scientific documents of all kinds, whoever chose the keyphrases. On top of them each
style of science has its own, trained on that style's documents alone. `everyday` and `news` have no shared trees. The
same data give the same bytes.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phrasemill.methods.learned.background import Background
from phrasemill.methods.learned.kinds import KindModel
from phrasemill.methods.learned.model import LearnedModel
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import AUTHOR, EVERYDAY, INDEXER, NEWS, READER
from phrasemill.text.analyse import analyse
from phrasemill.training.trees import SETTINGS, TreeColumns, calibrate, lightgbm
from phrasemill.types import STOPWORD, Document
from phrasemill_lab.models import learned_sources as sources
from phrasemill_lab.models.kinds import train_kinds
from phrasemill_lab.models.learned_tables import count_background, mine_shapes
from phrasemill_lab.models.sources import Source
from phrasemill_lab.models.tree_examples import Labels, TreeExamples, chosen, examples


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


def make(data: Path, output: Path, row: Mapping[str, Any]) -> None:
    """Write the model that is trained from the files in `data`, which learned_sources.py names."""
    with one_thread():
        train(data, row.get("seed", 1)).save(output)


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which linear algebra has one thread: its sums depend on the number of threads."""
    import sklearn.linear_model  # noqa: F401  (brings its own linear algebra; only what is loaded can be limited)
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, "blas")


def train(data: Path, seed: int) -> LearnedModel:
    shapes = mine_shapes({one.file: one.numbered_documents(data) for one in sources.SHAPES})
    report(f"{len(shapes.odds) - 1} shapes")
    unseen = sources.other_titles(data)
    background = count_background((d for one in sources.TABLES for d in one.numbered_documents(data, unseen)), shapes)
    report(f"tables over {background.documents:,} documents")
    trees, about = train_trees(ExampleReader(data, shapes, background, sources.test_titles(data)), seed)
    return LearnedModel("en", shapes, background, trees, kinds(data), about)


@dataclass(frozen=True, slots=True)
class ExampleReader:
    """Reads sources as examples, without the documents whose title is `left_out`."""

    data: Path
    shapes: Shapes
    background: Background
    left_out: frozenset[str]

    def read(
        self, some: Sequence[Source], *, labels: Labels = chosen, tagged: bool = True, weight: float = 1.0
    ) -> TreeExamples:
        parts = []
        for one in some:
            documents = one.numbered_documents(self.data, self.left_out)
            how: dict[str, Any] = {"share": one.share, "weight": weight * one.weight, "tagged": tagged}
            found = examples(documents, self.shapes, self.background, labels=labels, **how)
            parts.append(found)
            report(f"{one.file} {one.part}: {len(found.labels):,} candidates, {int(found.labels.sum()):,} keyphrases")
        return TreeExamples.joined(parts)


def train_trees(reader: ExampleReader, seed: int) -> tuple[StyledTrees, dict[str, Any]]:
    """Return the trees of all styles, and what to say of them."""
    science = {one: reader.read([one]) for one in sources.SCIENCE}
    other, news = reader.read(sources.PROSE_OTHER), reader.read(sources.PROSE_NEWS)
    crowd = reader.read(sources.CROWD, labels=sources.marked_by_crowd)
    of_style = {
        INDEXER: TreeExamples.joined([found for one, found in science.items() if one.style == INDEXER]),
        AUTHOR: TreeExamples.joined([found for one, found in science.items() if one.style == AUTHOR]),
        READER: reader.read(sources.READERS),
        EVERYDAY: TreeExamples.joined([other, news]),
        NEWS: TreeExamples.joined([other, news.weighing(NEWS_IN_NEWS), crowd.weighing(CROWD_IN_NEWS)]),
    }
    everything = TreeExamples.joined(list(science.values()))
    shared = boosted(everything, SHARED, seed)
    columns = TreeColumns()
    shared_numbers = columns.add(shared)
    styles, calibration = {}, {}
    for style, stage in STAGES.items():
        under = None if style in ALONE else shared
        own = boosted(of_style[style], stage, seed, under)
        if style in sources.HELD_OUT:
            held = reader.read(sources.HELD_OUT[style])
            scores = own.predict(held.rows, raw_score=True)
            scores = scores if under is None else scores + under.predict(held.rows, raw_score=True)
        else:
            held = of_style[style]
            scores = _by_folds(held, style, seed, under)
        numbers = columns.add(own)
        stops = early_stops(own, held, scores, under)
        styles[style] = columns.trees(numbers if under is None else shared_numbers + numbers, stops)
        calibration[style] = calibrate(scores, held.labels, held.weights)
        report(f"{style}: calibration {calibration[style]}, stops {stops}")
    about = {
        "shared": dict(SHARED._asdict()),
        "styles": {style: dict(stage._asdict()) for style, stage in STAGES.items()},
        "examples": {style: len(found.labels) for style, found in of_style.items()},
    }
    return StyledTrees(styles, calibration, everything.rows.shape[1]), about


def boosted(found: TreeExamples, stage: Stage, seed: int, under: Any = None, *, least: int = 60) -> Any:
    """Return the trees of a stage, on top of those `under` it; leaves have `least` examples."""
    start = None if under is None else under.predict(found.rows, raw_score=True)
    data = lightgbm().Dataset(found.rows, found.labels, weight=found.weights, init_score=start)
    how = {"seed": seed, "learning_rate": stage.rate, "num_leaves": stage.leaves, "min_data_in_leaf": least}
    return lightgbm().train(SETTINGS | how, data, stage.trees)


def _by_folds(found: TreeExamples, style: str, seed: int, under: Any) -> NDArray[np.float64]:
    """Return the scores of documents by trees that have not seen them; both versions of a paper are in one fold."""
    scores = np.zeros(len(found.labels)) if under is None else under.predict(found.rows, raw_score=True)
    documents = int(found.documents.max()) + 1
    papers = documents // 2 if style == READER else documents
    for fold in range(FOLDS):
        inside = found.documents % papers % FOLDS == fold
        own = boosted(found.only(~inside), STAGES[style], seed, under)
        scores[inside] += own.predict(found.rows[inside], raw_score=True)
    return scores


def early_stops(
    own: Any, held: TreeExamples, scores: NDArray[np.float64], under: Any = None
) -> tuple[tuple[int, float], ...]:
    """Return numbers of trees, and below which score after so many a row is dropped, given the `scores` after all."""
    starts = np.flatnonzero(np.diff(held.documents, prepend=-1))
    # In short documents every phrase is among the first.
    documents = [
        slice(start, end)
        for start, end in zip(starts, [*starts[1:], len(scores)], strict=True)
        if end - start > 2 * FIRST
    ]
    stops = []
    for number in STOPS:
        below = 0 if under is None else min(number, under.num_trees())
        early = np.zeros(len(held.labels))
        if below:
            early += under.predict(held.rows, raw_score=True, num_iteration=below)
        if number > below:
            early += own.predict(held.rows, raw_score=True, num_iteration=number - below)
        firsts = [early[one][np.argsort(-scores[one])[:FIRST]] for one in documents]
        stops.append((number, float(np.quantile(np.concatenate(firsts), LOST)) if firsts else -math.inf))
    return tuple(stops)


def kinds(data: Path) -> KindModel:
    """Train the model that recognises the kind of a text: from whole texts; from the openings of prose, without which
    short texts look like abstracts; from prose without stopwords, without which lists do; and from copies of all
    these."""
    left_out = sources.test_titles(data)
    whole = [(one, source.style) for source in sources.KINDS for one in source.numbered_documents(data, left_out)]
    prose = [(number, document, style) for number, (document, style) in enumerate(whole) if style in ALONE]
    annotated = {one.file for one in (*sources.PROSE_OTHER, *sources.PROSE_NEWS)}
    terse = [(telegram(one), style) for _, one, style in prose if one.id.split(":")[0] in annotated]
    openings = [(opening(one, number), style) for number, one, style in prose]
    every = [*whole, *openings, *terse]
    return train_kinds(every, strength=CLOSENESS, weights=KIND_WEIGHTS, smoothing=SMOOTHING)


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


def report(line: str) -> None:
    print(line, flush=True)
