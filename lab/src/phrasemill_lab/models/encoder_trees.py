"""The encoder's trees: over the features of `learned` and the span scorer's columns, for every style.

Trees learn from the scores of documents that the scorer has not seen. A style's trees see scores that were read in that
style, on top of trees that all styles share; those of `general` see scores that were read in `general`, and the
kind of text that the scorer recognised, so that they rank each kind in its own way.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phrasemill.methods.encoder.scorer import COLUMNS, Pooled, columns
from phrasemill.methods.learned.background import FEATURES
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import AUTHOR, EVERYDAY, GENERAL, INDEXER, NEWS, READER
from phrasemill.training.trees import TreeColumns, calibrate
from phrasemill.types import Document
from phrasemill_lab.models import learned_sources
from phrasemill_lab.models.learned import Stage, boosted, early_stops, report
from phrasemill_lab.models.sources import Source, number_of
from phrasemill_lab.models.tree_examples import TreeExamples, chosen, examples

Part: TypeAlias = tuple[str, str]  # a file, and the field of its records that is the text
Scores: TypeAlias = tuple[Mapping[int, Pooled], Mapping[int, Pooled]]  # of documents in their style, in `general`
# What trees learn from besides the sources of `learned`; the last is held out.
OTHERS = (
    Source("everyday/en_train.jsonl.gz", EVERYDAY),
    Source("multilingual/wikinews_en_rated.jsonl.gz", NEWS),
    Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, share=0.2, last=3000),
    Source("everyday/en_dev.jsonl.gz", EVERYDAY),
)
SEED = 1
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


def tree_sources() -> list[Source]:
    """Return what the trees learn from and are calibrated on, all with tags."""
    science = (*learned_sources.SCIENCE, *learned_sources.READERS, *learned_sources.CROWD)
    return [*science, *learned_sources.held_out(), *OTHERS]


def train_trees(data: Path, scores: Mapping[Part, Scores]) -> StyledTrees:
    """Train the trees of every style, from the files in `data` and the scores of their candidates."""
    left_out = learned_sources.test_titles(data)
    held_sources = [*learned_sources.held_out(), OTHERS[-1]]
    trained_sources = [one for one in tree_sources() if one not in held_sources]
    trained, held = (
        by_style(some, lambda one: read_source(one, data, scores[one.file, one.part], left_out))
        for some in (trained_sources, held_sources)
    )
    held.setdefault(READER, trained[READER])  # readers are few
    held.setdefault(NEWS, held[EVERYDAY])
    columns_ = TreeColumns()
    every = TreeExamples.joined([one.in_style for style, one in trained.items() if style != NEWS])
    shared = boosted(every, SHARED, SEED)
    numbers = columns_.add(shared)
    styles, calibration = {}, {}
    for style, stage in STAGES.items():
        alone = style == GENERAL
        under = None if alone else shared
        own = boosted(_of_style(style, trained), stage, SEED, under)
        known = _mixed(held, {name: 1.0 for name in held if name != NEWS}) if alone else held[style].in_style
        found = own.predict(known.rows, raw_score=True)
        found = found if alone else found + shared.predict(known.rows, raw_score=True)
        stops = early_stops(own, known, found, under)
        added = columns_.add(own)
        styles[style] = columns_.trees(added if alone else numbers + added, stops)
        calibration[style] = calibrate(found, known.labels, known.weights)
        report(f"{style}: calibration {calibration[style]}")
    return StyledTrees(styles, calibration, len(FEATURES) + len(COLUMNS))


def by_style(sources: Sequence[Source], read: Callable[[Source], Readings]) -> dict[str, Readings]:
    """Return the examples of each style."""
    parts: dict[str, list[Readings]] = {}
    for source in sources:
        parts.setdefault(source.style, []).append(read(source))
    return {
        style: Readings(*[TreeExamples.joined(list(some)) for some in zip(*found, strict=True)])
        for style, found in parts.items()
    }


def read_source(source: Source, data: Path, scores: Scores, left_out: frozenset[str]) -> Readings:
    """Return the examples of those documents of a source that have scores."""
    model = shipped_model()
    documents = (one for one in source.numbered_documents(data, left_out) if number_of(one) in scores[0])

    def more(document: Document, count: int) -> NDArray[np.float32]:
        return np.hstack([columns(found[number_of(document)]) for found in scores])

    found = examples(
        documents,
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
