"""The encoder's trees: over the features of `learned` and the span scorer's columns, for every style.

Trees learn from the scores of documents that the scorer has not seen. A style's trees see scores that were read in that
style, on top of trees that all styles share; those of `general` see scores that were read in `general`, and the
kind of text that the scorer recognised, so that they rank each kind in its own way.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phrasemill.errors import DataError, InputError
from phrasemill.methods.encoder.scorer import COLUMNS, Pooled, columns
from phrasemill.methods.learned.features import FEATURES
from phrasemill.methods.learned.model import LearnedModel, shipped_model
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import AUTHOR, EVERYDAY, GENERAL, INDEXER, NEWS, READER
from phrasemill.training.boosting import TreeColumns, TreeExamples, boost, calibrate
from phrasemill.training.learned_examples import chosen, examples
from phrasemill.types import Document
from phrasemill_lab.models import learned_sources
from phrasemill_lab.models.learned import STOPS, Stage, lowest, partial_scores
from phrasemill_lab.training.recipes import OTHERS, tree_sources
from phrasemill_lab.training.sources import Source, number_of
from phrasemill_lab.training.span_examples import file_of

IN_GENERAL_FILE = ".general"  # ends the name of a file with scores in that style
SHARED = Stage(100, 31, 0.1)
STAGES = {
    AUTHOR: Stage(120, 31, 0.08),
    INDEXER: Stage(100, 15, 0.05),
    READER: Stage(50, 15, 0.05),
    NEWS: Stage(80, 15, 0.05),
    EVERYDAY: Stage(80, 15, 0.05),
    GENERAL: Stage(300, 15, 0.06),
}
# How much each style's documents weigh in `general`, without what crowds marked, and in `news`, which has few of its
# own with reliable labels.
IN_GENERAL = {INDEXER: 1.0, AUTHOR: 0.3, READER: 1.0, EVERYDAY: 4.0}
IN_NEWS = {EVERYDAY: 2.0, NEWS: 0.5, INDEXER: 0.3}


class Readings(NamedTuple):
    """The examples of a source, read as its style and in `general`."""

    in_style: TreeExamples
    in_general: TreeExamples


def train_trees(data: Path, scores: Path, log: Callable[[str], None] = print) -> StyledTrees:
    """Train the trees of every style, from the files in `data` and the scores of their candidates in `scores`."""
    left_out = learned_sources.test_titles(data)
    held_sources = [*learned_sources.held_out(), OTHERS[-1]]

    def read(source: Source) -> Readings:
        found = read_source(source, data, scores, shipped_model(), left_out)
        log(f"{source.file} {source.part}: {len(found.in_style.labels):,} candidates")
        return found

    trained = by_style([one for one in tree_sources() if one not in held_sources], read)
    held = by_style(held_sources, read)
    held.setdefault(READER, trained[READER])  # readers are few
    held.setdefault(NEWS, held[EVERYDAY])
    return fit(trained, held, log)


def by_style(sources: Sequence[Source], read: Callable[[Source], Readings]) -> dict[str, Readings]:
    """Return the examples of each style."""
    parts: dict[str, list[Readings]] = {}
    for source in sources:
        parts.setdefault(source.style, []).append(read(source))
    return {
        style: Readings(*[TreeExamples.joined(list(some)) for some in zip(*found, strict=True)])
        for style, found in parts.items()
    }


def read_source(
    source: Source, data: Path, scores: Path, model: LearnedModel, left_out: frozenset[str] = frozenset()
) -> Readings:
    """Return the examples of those documents of a source that have scores."""
    in_style, in_general = (read_scores(scores / f"{file_of(source)}{ending}.npz") for ending in ("", IN_GENERAL_FILE))

    def known() -> Iterator[Document]:
        return (one for one in source.numbered_documents(data, left_out) if number_of(one) in in_style)

    def more(document: Document, count: int) -> NDArray[np.float32]:
        both = [found[number_of(document)] for found in (in_style, in_general)]
        if scored := next((len(one.best) for one in both if len(one.best) != count), 0):
            raise DataError(f"{document.id}: {count} candidates, but {scored} scores; delete the prepared files")
        return np.hstack([columns(one) for one in both])

    found = examples(
        known(),
        model.shapes,
        model.background,
        labels=learned_sources.marked_by_crowd if "kpcrowd" in source.file else chosen,
        share=source.share,
        weight=source.weight,
        more_columns=more,
    )
    rows, width, own = found.rows, len(FEATURES), len(COLUMNS)
    general_rows = np.hstack([rows[:, :width], rows[:, width + own :]])
    return Readings(replace(found, rows=rows[:, : width + own]), replace(found, rows=general_rows))


def fit(trained: Mapping[str, Readings], held: Mapping[str, Readings], log: Callable[[str], None]) -> StyledTrees:
    """Train and calibrate the trees of every style."""
    columns_ = TreeColumns()
    shared = _boost(TreeExamples.joined([one.in_style for style, one in trained.items() if style != NEWS]), SHARED)
    numbers = columns_.add(shared)
    styles, calibration = {}, {}
    for style, stage in STAGES.items():
        alone = style == GENERAL
        own = _boost(_of_style(style, trained), stage, None if alone else shared)
        known = _mixed(held, {name: 1.0 for name in held if name != NEWS}) if alone else held[style].in_style
        scores = own.predict(known.rows, raw_score=True)
        scores = scores if alone else scores + shared.predict(known.rows, raw_score=True)
        under = None if alone else shared
        stops = tuple([(n, lowest(partial_scores(under, own, known, n), scores, known)) for n in STOPS])
        added = columns_.add(own)
        styles[style] = columns_.trees(added if alone else numbers + added, stops)
        calibration[style] = calibrate(scores, known.labels, known.weights)
        log(f"{style}: calibration {calibration[style]}")
    return StyledTrees(styles, calibration, len(FEATURES) + len(COLUMNS))


def _of_style(style: str, trained: Mapping[str, Readings]) -> TreeExamples:
    if style == GENERAL:
        return _mixed(trained, IN_GENERAL)
    if style == NEWS:
        parts = [trained[name].in_style.weighing(weight) for name, weight in IN_NEWS.items()]
        return TreeExamples.joined(parts)
    return trained[style].in_style


def _mixed(found: Mapping[str, Readings], weights: Mapping[str, float]) -> TreeExamples:
    """Return the examples of several styles, read in `general`."""
    return TreeExamples.joined([found[name].in_general.weighing(weight) for name, weight in weights.items()])


def _boost(found: TreeExamples, stage: Stage, under: Any = None) -> Any:
    start = None if under is None else under.predict(found.rows, raw_score=True)
    return boost(found, trees=stage.trees, leaves=stage.leaves, rate=stage.rate, start=start)


def save_scores(path: Path, found: Mapping[int, Pooled]) -> None:
    """Write the scores of candidates per document, in half precision."""
    places = sorted(found)
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(found[place], name) for place in places] or [np.zeros(0)]).astype(np.float16)
        for name in Pooled._fields
    }
    counts = np.array([len(found[place].best) for place in places], dtype=np.uint32)
    np.savez(path, place=np.array(places, dtype=np.uint32), count=counts, **columns)


def read_scores(path: Path) -> dict[int, Pooled]:
    """Read what `save_scores` wrote."""
    try:
        with np.load(path) as file:
            places, ends = file["place"].tolist(), np.cumsum(file["count"])[:-1]
            *scores, kinds = (file[name].astype(np.float32) for name in Pooled._fields)
            rows = zip(places, *[np.split(one, ends) for one in scores], kinds.reshape(len(places), -1), strict=True)
            return {place: Pooled(*row) for place, *row in rows}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
