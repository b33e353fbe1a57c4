"""`encoder_en` and `encoder_large_en`: pretrained weights → author keywords → everybody's choices; trees over scores.

A teacher, if there is one, goes through the same two stages before: the span scorer learns its scores besides labels.
The trees are those of `learned` with the span scorer's scores as further features. They learn from documents that the
scorer has not seen, otherwise they would rely on it more than it deserves: hence the folds.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from phrasemill.methods.encoder import STYLE_PREFIX
from phrasemill.methods.encoder.scorer import Pooled
from phrasemill.methods.encoder.windows import BertPieces
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import EVERYDAY, GENERAL
from phrasemill_lab.models import learned_sources
from phrasemill_lab.models.encoder_trees import Part, Scores, train_trees, tree_sources
from phrasemill_lab.models.learned_sources import marked_by_crowd
from phrasemill_lab.models.loop import train
from phrasemill_lab.models.pretrained import scorer_from
from phrasemill_lab.models.recipes import Recipe, load, settings, weights_beside
from phrasemill_lab.models.sources import Source, matching, titles
from phrasemill_lab.models.span_scorer import (
    SpanLearner,
    WindowExample,
    in_style,
    pooled,
    r_precision,
    window_scores,
    windows_of,
)
from phrasemill_lab.models.tree_examples import chosen
from phrasemill_lab.networks import span_export


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The table [network] of a recipe."""

    start: str = ""  # the folder of a BERT or an MPNet; by default MiniLM
    teacher: str = ""  # the same of the teacher; by default there is none
    layers: int = 0  # that are kept, and units of each feed-forward network; 0 for all
    inner: int = 0
    folds: int = 3
    taught: float = 0.0  # the share of the loss that is the teacher's
    general: Mapping[str, float] = field(default_factory=dict)  # the share of a style's windows read without it
    lent: Mapping[str, tuple[str, float]] = field(default_factory=dict)  # the share of them that another one reads


class WindowStore:
    """The windows of every document that a recipe names, each file and field of its text read once."""

    def __init__(self, recipe: Recipe, data: Path, pieces: BertPieces) -> None:
        self.data, self.pieces = data, pieces
        self.unseen = learned_sources.test_titles(data) | titles(data, recipe.held_out)
        self.valid = {one.file for one in recipe.sources["valid"]}
        self.first = [
            replace(one, file=str(path.relative_to(data)))
            for one in recipe.sources["first"]
            for path in matching(data, one.file)
        ]
        rest = (recipe.sources[name] for name in ("unlabelled", "then", "more", "valid"))
        self.by_part = by_part((*self.first, *[one for some in rest for one in some], *tree_sources()))
        for file, _ in self.by_part:
            matching(data, file)
        self.read: dict[Part, list[WindowExample]] = {}

    def __call__(self, source: Source) -> list[WindowExample]:
        """Return the windows of a source's documents."""
        last = 1 << 40 if source.last is None else source.last
        every = in_style(self.of_part(source.file, source.part), source.style)
        return [one for one in every if source.first <= one.document < last]

    def of_part(self, file: str, part: str) -> list[WindowExample]:
        """Return the windows of all documents of a file that some source has."""
        if (file, part) not in self.read:
            some = self.by_part[file, part]
            last = None if any(one.last is None for one in some) else max(one.last or 0 for one in some)
            source = replace(some[-1], first=0, last=last, where={}, without={})
            labels = None if source.style == EVERYDAY else marked_by_crowd if "kpcrowd" in file else chosen
            documents = source.numbered_documents(self.data, frozenset() if file in self.valid else self.unseen)
            model, style = shipped_model(), source.style
            self.read[file, part] = [
                window for one in documents for window in windows_of(one, style, model, self.pieces, labels)
            ]
            print(f"{file} {part}: {len(self.read[file, part]):,} windows", flush=True)
        return self.read[file, part]


def by_part(sources: Iterable[Source]) -> dict[Part, list[Source]]:
    found: dict[Part, list[Source]] = {}
    for source in sources:
        found.setdefault((source.file, source.part), []).append(source)
    return found


class EncoderTraining:
    def __init__(self, recipe: Recipe, data: Path, folder: Path) -> None:
        self.recipe, self.folder = recipe, folder
        self.settings = settings(EncoderSettings, recipe.network)
        self.pieces = self.untrained().pieces
        self.windows = WindowStore(recipe, data, self.pieces)
        given = {one.stem: self.windows(one) for one in recipe.sources["valid"]}
        self.valid = {f"{name}, general": in_style(windows, GENERAL) for name, windows in given.items()} | given

    def untrained(self, *, teacher: bool = False) -> SpanLearner:
        torch.manual_seed(self.recipe.seed)
        one = self.settings
        if teacher:
            module, pieces = scorer_from(one.teacher)
        else:
            module, pieces = scorer_from(one.start or None, layers_kept=one.layers, inner=one.inner)
        return SpanLearner(module, pieces, one.general, one.lent)

    def fit(
        self,
        name: str,
        sources: Iterable[tuple[int, list[WindowExample]]],
        after: SpanLearner | None = None,
        *,
        teacher: bool = False,
    ) -> SpanLearner:
        """Train one scorer, `after` another one."""
        learner = self.untrained(teacher=teacher)
        if after is not None:
            learner.module.load_state_dict(after.module.state_dict())
        if self.settings.teacher and not teacher:
            learner.teacher = self.settings.taught
        stage = ("teacher-" if teacher else "") + ("first" if after is None else "then")
        train(
            learner,
            self.recipe.schedules[stage],
            sources,
            self.valid,
            r_precision,
            self.folder / f"{name}.safetensors",
            seed=self.recipe.seed,
            device=self.recipe.device,
            log=lambda line: print(f"{name}: {line}", flush=True),
        )
        return learner

    def abstracts(self) -> list[tuple[int, list[WindowExample]]]:
        return [(1, self.windows(source)) for source in self.windows.first]

    def choices(self, fold: int | None, *, teacher: bool = False) -> list[tuple[int, list[WindowExample]]]:
        """Return the windows of the second stage, without a fold's; a teacher learns from fewer sources."""
        named = self.recipe.sources
        labelled = named["then"] if teacher else (*named["then"], *named["more"])
        found = [(source.repeat, self.windows(source)) for source in labelled]
        if self.settings.teacher and not teacher:
            for source in named["unlabelled"]:
                found.append((source.repeat, [one._replace(labelled=False) for one in self.windows(source)]))
        folds = self.settings.folds
        return [(repeat, [one for one in some if one.document % folds != fold]) for repeat, some in found]

    def teach(self) -> None:
        """Give the windows that the encoder learns from a teacher's scores, of each document by the one that has not
        seen it, in its own style and in `general`."""
        first = self.fit("teacher-first", self.abstracts(), teacher=True)
        teachers = [
            self.fit(f"teacher-{fold}", self.choices(fold, teacher=True), first, teacher=True)
            for fold in range(self.settings.folds)
        ]
        named = self.recipe.sources
        learned_from = (*self.windows.first, *named["then"], *named["more"], *named["unlabelled"])
        for part, sources in by_part(learned_from).items():
            wanted = {one.document for source in sources for one in self.windows(source)}
            windows = in_style(self.windows.of_part(*part), sources[0].style)
            for fold, teacher in enumerate(teachers):
                mine = [n for n, one in enumerate(windows) if one.document in wanted]
                mine = [n for n in mine if windows[n].document % len(teachers) == fold]
                here = [windows[n] for n in mine]
                own, general = (dict(window_scores(teacher, read)) for read in (here, in_style(here, GENERAL)))
                for place, n in enumerate(mine):
                    both = np.array([own[place].spans, general[place].spans], np.float16)
                    windows[n] = windows[n]._replace(taught=both)
            self.windows.read[part] = windows

    def held_out_scores(self, folds: Sequence[SpanLearner], final: SpanLearner) -> dict[Part, Scores]:
        """Score what the trees learn from: by the fold that has not seen it, or by the final scorer if none has."""
        named = self.recipe.sources
        trained_on = {(one.file, one.part) for name in ("then", "more", "unlabelled") for one in named[name]}
        found: dict[Part, Scores] = {}
        for part, sources in by_part(tree_sources()).items():
            wanted = {one.document for source in sources for one in self.windows(source)}
            windows = [one for one in in_style(self.windows.of_part(*part), sources[0].style) if one.document in wanted]
            both: tuple[dict[int, Pooled], dict[int, Pooled]] = ({}, {})
            for scores, read in zip(both, (windows, in_style(windows, GENERAL)), strict=True):
                for number, fold in enumerate(folds):
                    mine = [one for one in read if one.document % len(folds) == number]
                    scores.update(pooled(fold if part in trained_on else final, mine))
            found[part] = both
        return found


def make(data: Path, output: Path, row: Mapping[str, Any]) -> None:
    """Train the encoder of the row's recipe, and write scorer and trees as the method reads them."""
    training = EncoderTraining(load(row, "encoder"), data, weights_beside(output).parent)
    if training.settings.teacher:
        training.teach()
    first = training.fit("first", training.abstracts())
    numbers = range(training.settings.folds)
    folds = [training.fit(f"fold-{number}", training.choices(number), first) for number in numbers]
    final = training.fit("final", training.choices(None), first)
    trees = train_trees(data, training.held_out_scores(folds, final))
    span_export.export(
        final.module.cpu(),
        "\n".join(training.pieces.pieces),
        output,
        metadata={"trees": json.dumps(trees.settings(), sort_keys=True)},
        others={name: np.array(column) for name, column in trees.columns(STYLE_PREFIX).items()},
    )
