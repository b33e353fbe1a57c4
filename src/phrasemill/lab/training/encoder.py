"""The encoder's recipe carried out: pretrained weights → author keywords → everybody's choices, and what trees need.

    OUT/first            the span scorer after all abstracts with author keywords
    OUT/fold-0 …         that, trained on every kind of document but a fold; OUT/final: on all
    OUT/held             the scores of candidates, each by a scorer that has not seen the document, for the trees
    OUT/runtime.safetensors   scorer and trees, as the method reads them

Folds can be trained side by side, each by a call with its own `part`. The trees are those of `learned`, trained with
the span scorer's scores as further features, and from documents that the scorer has not seen: otherwise they would rely
on it more than it deserves.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from phrasemill.errors import DataError, InputError, UnknownName
from phrasemill.lab.networks import span_export
from phrasemill.lab.training import checkpoints, learned_sources
from phrasemill.lab.training.learned_examples import MoreColumns, chosen, marked_by_crowd
from phrasemill.lab.training.learned_recipe import StyledTraining
from phrasemill.lab.training.loop import WEIGHTS, Log, TrainingRun, check_device
from phrasemill.lab.training.pretrained import bert_pieces, scorer_from_bert
from phrasemill.lab.training.recipes import EncoderRecipe, tree_sources
from phrasemill.lab.training.sources import Source, number_of, titles
from phrasemill.lab.training.span_examples import WindowExample, file_of, load_windows, save_windows
from phrasemill.lab.training.span_scorer import SpanLearner, pooled, r_precision
from phrasemill.methods.encoder import STYLE_PREFIX
from phrasemill.methods.encoder.scorer import NEVER, Pooled, columns
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import NEWS
from phrasemill.methods.writing import RUNTIME
from phrasemill.types import Document

FIRST, FINAL, HELD, TREES = "first", "final", "held", "trees"


def parts_of(recipe: EncoderRecipe) -> list[str]:
    return [FIRST, *[f"fold-{number}" for number in range(recipe.folds)], FINAL, HELD, TREES]


def prepare(recipe: EncoderRecipe, data: Path, folder: Path, log: Log = print) -> None:
    """Write windows and candidates of every document, a file per text field of each source; keep files that exist."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = recipe.sources(data)
    for name in (*[one.file for one in wanted], *learned_sources.TEST):
        if not (data / name).exists():
            raise InputError(f"{data}: no file {name}")
    pieces = bert_pieces(recipe.start)
    unseen = learned_sources.test_titles(data) | titles(data, recipe.held_out)
    valid = {one.file for one in recipe.valid}
    for source in wanted:
        target = folder / f"{file_of(source)}.npz"
        if not target.exists():
            documents = source.numbered_documents(data, frozenset() if source.file in valid else unseen)
            labels = marked_by_crowd if source.style == NEWS else chosen
            count, windows = save_windows(target, documents, shipped_model(), pieces, labels=labels)
            log(f"{target.name}: {count:,} documents, {windows:,} windows")


def train(
    recipe: EncoderRecipe,
    data: Path,
    prepared: Path,
    folder: Path,
    *,
    device: str = "cpu",
    resume: bool = False,
    part: str | None = None,
    log: Log = print,
) -> list[str]:
    """Run all parts of the training, or one; return their names."""
    parts = [part] if part else parts_of(recipe)
    if unknown := set(parts) - set(parts_of(recipe)):
        raise UnknownName("part", unknown.pop(), parts_of(recipe))
    check_device(device)
    prepare(recipe, data, prepared, log)
    training = EncoderTraining(recipe, prepared, folder, device, log)
    for one in parts:
        if one == TREES:
            training.write_model(data)
        elif one == HELD:
            training.score_held_out()
        else:
            training.fit(one, resume=resume)
    return parts


def untrained(recipe: EncoderRecipe) -> SpanLearner:
    module = scorer_from_bert(recipe.start)
    return SpanLearner(module, bert_pieces(recipe.start).marks, recipe.general, recipe.lent)


@dataclass(frozen=True, slots=True)
class EncoderTraining:
    recipe: EncoderRecipe
    prepared: Path
    folder: Path
    device: str = "cpu"
    log: Log = print

    def learner(self, part: str | None = None) -> SpanLearner:
        """Return an untrained learner, or one with the weights of a part."""
        torch.manual_seed(self.recipe.seed)
        learner = untrained(self.recipe)
        if part is not None:
            checkpoints.load_weights(self.folder / part / WEIGHTS, learner.module)
        learner.module.to(self.device)
        return learner

    def fit(self, part: str, *, resume: bool = False) -> None:
        """Train one scorer; all but the first need the first."""
        stage = FIRST if part == FIRST else "then"
        run = TrainingRun(
            self.learner(None if part == FIRST else FIRST),
            self.recipe.schedules[stage],
            self._abstracts() if part == FIRST else self._all_but(part),
            {file_of(one): load_windows(self.prepared, one) for one in self.recipe.valid},
            self.folder / part,
            score=r_precision,
            seed=self.recipe.seed,
            device=self.device,
            log=self.log,
        )
        if resume:
            run.resume()
        run.fit()

    def _abstracts(self) -> Iterable[tuple[int, list[WindowExample]]]:
        pattern = Path(self.recipe.first).name.split(".")[0] + ".text.npz"
        sources = [Source(f"{path.name.split('.')[0]}.jsonl.xz") for path in sorted(self.prepared.glob(pattern))]
        return [(1, load_windows(self.prepared, source)) for source in sources]

    def _all_but(self, part: str) -> Iterable[tuple[int, list[WindowExample]]]:
        left_out = int(part.removeprefix("fold-")) if part != FINAL else -1
        for source in self.recipe.then:
            windows = load_windows(self.prepared, source)
            yield source.repeat, [one for one in windows if one.document % self.recipe.folds != left_out]

    def score_held_out(self) -> None:
        """Score what the trees learn from: by the fold that has not seen it, or by the final scorer if none has."""
        target = self.folder / HELD
        target.mkdir(exist_ok=True)
        learners = {part: self.learner(part) for part in parts_of(self.recipe)[1:-2]}
        trained_on = {file_of(one) for one in self.recipe.then}
        by_file: dict[str, list[Source]] = {}
        for source in tree_sources():
            by_file.setdefault(file_of(source), []).append(source)
        for name, sources in by_file.items():
            wanted = {one.document for source in sources for one in load_windows(self.prepared, source)}
            windows = load_windows(self.prepared, replace(sources[0], first=0, last=None))
            found: dict[int, Pooled] = {}
            for number in range(self.recipe.folds):
                part = f"fold-{number}" if name in trained_on else FINAL
                mine = [one for one in windows if one.document in wanted and one.document % self.recipe.folds == number]
                found |= pooled(learners[part], mine)
            save_scores(target / f"{name}.npz", found)
            self.log(f"{name}: {len(found):,} documents scored")

    def write_model(self, data: Path) -> None:
        """Train the trees, and write scorer and trees as the method reads them."""
        known = shipped_model()
        left_out = learned_sources.test_titles(data)
        model = EncoderTreeTraining(
            data, known.shapes, known.background, left_out, bare=(), scores=self.folder / HELD
        ).train()
        trees = model.trees
        span_export.export(
            self.learner(FINAL).module.cpu(),
            "\n".join(bert_pieces(self.recipe.start).pieces),
            self.folder / RUNTIME,
            metadata={"trees": json.dumps(trees.settings(), sort_keys=True)},
            others={name: np.array(column) for name, column in trees.columns(STYLE_PREFIX).items()},
        )


@dataclass(slots=True)
class EncoderTreeTraining(StyledTraining):
    """The training of `learned`, with more columns; texts without tags are left to `learned` itself."""

    scores: Path = Path()

    def more_columns(self, source: Source) -> MoreColumns:
        found = read_scores(self.scores / f"{file_of(source)}.npz")

        def of(document: Document, count: int) -> NDArray[np.float32]:
            pooled = found.get(number_of(document), Pooled(*[np.full(count, NEVER, np.float32)] * 3))
            if len(pooled.best) != count:
                scored = len(pooled.best)
                raise DataError(f"{document.id}: {count} candidates, but {scored} scores; delete the prepared files")
            return columns(pooled)

        return of


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
            parts = {
                name: np.split(file[name].astype(np.float32), np.cumsum(file["count"])[:-1]) for name in Pooled._fields
            }
            places = file["place"].tolist()
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    return {place: Pooled(*row) for place, *row in zip(places, *parts.values(), strict=True)}
