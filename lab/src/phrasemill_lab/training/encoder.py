"""The encoder's recipe carried out: pretrained weights → author keywords → everybody's choices, and what trees need.

    OUT/teacher-first, teacher-fold-0 …   the same two stages for a larger span scorer, if there is a teacher
    OUT/taught           its scores of what the span scorer learns from
    OUT/first            the span scorer after all abstracts with author keywords, taught as well
    OUT/fold-0 …         that, trained on every kind of document but a fold; OUT/final: on all
    OUT/held             the scores of candidates, each by a scorer that has not seen the document, for the trees
    OUT/runtime.safetensors   scorer and trees, as the method reads them

Folds can be trained side by side, each by a call with its own `part`. The trees are those of `learned`, trained with
the span scorer's scores as further features, and from documents that the scorer has not seen: otherwise they would rely
on it more than it deserves.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from phrasemill.errors import InputError, UnknownName
from phrasemill.methods.encoder import STYLE_PREFIX
from phrasemill.methods.encoder.scorer import Pooled
from phrasemill.methods.encoder.windows import BertPieces
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import EVERYDAY, GENERAL
from phrasemill.methods.writing import RUNTIME
from phrasemill.training.learned_examples import Labels, chosen
from phrasemill_lab.models import learned_sources
from phrasemill_lab.networks import span_export
from phrasemill_lab.networks.span_scorer import SpanScorer
from phrasemill_lab.training import checkpoints
from phrasemill_lab.training.encoder_trees import IN_GENERAL_FILE, save_scores, train_trees
from phrasemill_lab.training.loop import WEIGHTS, Log, TrainingRun, check_device
from phrasemill_lab.training.pretrained import bert_pieces, scorer_from, scorer_from_mpnet
from phrasemill_lab.training.recipes import EncoderRecipe, tree_sources
from phrasemill_lab.training.sources import Source, titles
from phrasemill_lab.training.span_examples import WindowExample, file_of, load_windows, save_windows
from phrasemill_lab.training.span_scorer import SpanLearner, in_style, pooled, r_precision, window_scores

FIRST, FINAL, HELD, TREES, TAUGHT = "first", "final", "held", "trees", "taught"
CROWD_FILES = ("500n_kpcrowd_train.jsonl.gz", "500n_kpcrowd_test.jsonl.gz")
TEACHER = "teacher-"  # before the names of its parts


def parts_of(recipe: EncoderRecipe) -> list[str]:
    folds = [f"fold-{number}" for number in range(recipe.folds)]
    teacher = [*[TEACHER + name for name in (FIRST, *folds)], TAUGHT] if recipe.teacher else []
    return [*teacher, FIRST, *folds, FINAL, HELD, TREES]


def labels_of(source: Source) -> Labels | None:
    """Return how a source's candidates are labelled; None where its keyphrases are in order of importance."""
    if source.style == EVERYDAY:
        return None
    return learned_sources.marked_by_crowd if source.file in CROWD_FILES else chosen


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
            count, windows = save_windows(target, documents, shipped_model(), pieces, labels=labels_of(source))
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
        elif one == TAUGHT:
            training.teach()
        else:
            training.fit(one, resume=resume)
    return parts


def untrained(recipe: EncoderRecipe, *, teacher: bool = False) -> SpanLearner:
    pieces = bert_pieces(recipe.start)
    if teacher:
        module = scorer_from_mpnet(Path(recipe.teacher or ""), pieces)
    else:
        module = scorer_from(recipe.start, layers_kept=recipe.layers, inner=recipe.inner)
    return SpanLearner(module, pieces.marks, recipe.general, recipe.lent)


@dataclass(frozen=True, slots=True)
class EncoderTraining:
    recipe: EncoderRecipe
    prepared: Path
    folder: Path
    device: str = "cpu"
    log: Log = print

    def learner(self, part: str | None = None, *, teacher: bool = False) -> SpanLearner:
        """Return an untrained learner, or one with the weights of a part."""
        torch.manual_seed(self.recipe.seed)
        learner = untrained(self.recipe, teacher=teacher)
        if part is not None:
            checkpoints.load_weights(self.folder / part / WEIGHTS, learner.module)
        learner.module.to(self.device)
        return learner

    def fit(self, part: str, *, resume: bool = False) -> None:
        """Train one scorer; all but the first need the first."""
        teacher = part.startswith(TEACHER)
        before = TEACHER if teacher else ""
        first = part == before + FIRST
        learner = self.learner(None if first else before + FIRST, teacher=teacher)
        if self.recipe.teacher and not teacher:
            learner.teacher = self.recipe.taught
        run = TrainingRun(
            learner,
            self.recipe.schedules[before + (FIRST if first else "then")],
            self._abstracts(part) if first else self._all_but(part),
            self._valid(),
            self.folder / part,
            score=r_precision,
            seed=self.recipe.seed,
            device=self.device,
            log=self.log,
        )
        if resume:
            run.resume()
        run.fit()

    def _valid(self) -> dict[str, list[WindowExample]]:
        """Return the validation sets as the default reads them, and as one does that knows the style."""
        given = {file_of(one): load_windows(self.prepared, one) for one in self.recipe.valid}
        return {f"{name}, general": in_style(windows, GENERAL) for name, windows in given.items()} | given

    def _first(self) -> list[Source]:
        pattern = Path(self.recipe.first).name.split(".")[0] + ".text.npz"
        return [Source(f"{path.name.split('.')[0]}.jsonl.xz") for path in sorted(self.prepared.glob(pattern))]

    def _scores_for(self, part: str) -> Path | None:
        """Return the folder of the teacher's scores that a part learns from."""
        return self.folder / TAUGHT if self.recipe.teacher and not part.startswith(TEACHER) else None

    def _abstracts(self, part: str) -> Iterable[tuple[int, list[WindowExample]]]:
        taught = self._scores_for(part)
        return [(1, load_windows(self.prepared, source, taught)) for source in self._first()]

    def _all_but(self, part: str) -> Iterable[tuple[int, list[WindowExample]]]:
        """Yield the windows of the second stage, without a fold's."""
        name = part.removeprefix(TEACHER)
        left_out = int(name.removeprefix("fold-")) if name != FINAL else -1
        taught = self._scores_for(part)
        for source in self.recipe.then if part != name else (*self.recipe.then, *self.recipe.more):
            windows = load_windows(self.prepared, source, taught)
            yield source.repeat, [one for one in windows if one.document % self.recipe.folds != left_out]
        for source in self.recipe.unlabelled if taught else ():
            windows = [one._replace(labelled=False) for one in load_windows(self.prepared, source, taught)]
            yield source.repeat, [one for one in windows if one.document % self.recipe.folds != left_out]

    def teach(self) -> None:
        """Write the teachers' scores of what the encoder learns from, of each document by the one that has not seen it,
        in its own style and in `general`."""
        target = self.folder / TAUGHT
        target.mkdir(exist_ok=True)
        teachers = [self.learner(f"{TEACHER}fold-{number}", teacher=True) for number in range(self.recipe.folds)]
        by_file: dict[str, list[Source]] = {}
        for source in (*self._first(), *self.recipe.then, *self.recipe.more, *self.recipe.unlabelled):
            by_file.setdefault(file_of(source), []).append(source)
        for name, sources in by_file.items():
            windows = load_windows(self.prepared, replace(sources[0], first=0, last=None))
            wanted = {one.document for source in sources for one in load_windows(self.prepared, source)}
            np.save(target / f"{name}.npy", self._taught(teachers, windows, wanted))
            self.log(f"{name}: {len(windows):,} windows taught")

    def _taught(
        self, teachers: Sequence[SpanLearner], windows: Sequence[WindowExample], wanted: set[int]
    ) -> NDArray[np.float16]:
        """Return the scores (2, all occurrences) of the windows of wanted documents."""
        ends = np.cumsum([len(one.first) for one in windows])
        scores = np.full((2, int(ends[-1]) if len(ends) else 0), np.nan, np.float16)
        for fold, teacher in enumerate(teachers):
            mine = [
                n for n, one in enumerate(windows) if one.document in wanted and one.document % len(teachers) == fold
            ]
            chosen = [windows[n] for n in mine]
            for row, read in enumerate((chosen, in_style(chosen, GENERAL))):
                for number, found in window_scores(teacher, read):
                    end = ends[mine[number]]
                    scores[row, end - len(found.spans) : end] = found.spans
        return scores

    def score_held_out(self) -> None:
        """Score what the trees learn from: by the fold that has not seen it, or by the final scorer if none has; in
        its style, and in `general`."""
        target = self.folder / HELD
        target.mkdir(exist_ok=True)
        folds = [self.learner(f"fold-{number}") for number in range(self.recipe.folds)]
        final = self.learner(FINAL)
        trained_on = {file_of(one) for one in (*self.recipe.then, *self.recipe.more, *self.recipe.unlabelled)}
        by_file: dict[str, list[Source]] = {}
        for source in tree_sources():
            by_file.setdefault(file_of(source), []).append(source)
        for name, sources in by_file.items():
            wanted = {one.document for source in sources for one in load_windows(self.prepared, source)}
            windows = load_windows(self.prepared, replace(sources[0], first=0, last=None))
            windows = [one for one in windows if one.document in wanted]
            for ending, read in (("", windows), (IN_GENERAL_FILE, in_style(windows, GENERAL))):
                found: dict[int, Pooled] = {}
                for number, fold in enumerate(folds):
                    mine = [one for one in read if one.document % len(folds) == number]
                    found |= pooled(fold if name in trained_on else final, mine)
                save_scores(target / f"{name}{ending}.npz", found)
            self.log(f"{name}: {len(found):,} documents scored")

    def write_model(self, data: Path) -> None:
        """Train the trees, and write scorer and trees as the method reads them."""
        trees = train_trees(data, self.folder / HELD, self.log)
        module = self.learner(FINAL).module.cpu()
        write_runtime(module, bert_pieces(self.recipe.start), trees, self.folder / RUNTIME)


def write_runtime(module: SpanScorer, pieces: BertPieces, trees: StyledTrees, path: Path) -> None:
    span_export.export(
        module,
        "\n".join(pieces.pieces),
        path,
        metadata={"trees": json.dumps(trees.settings(), sort_keys=True)},
        others={name: np.array(column) for name, column in trees.columns(STYLE_PREFIX).items()},
    )
