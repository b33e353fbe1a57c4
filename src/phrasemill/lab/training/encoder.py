"""The encoder's recipe carried out: pretrained weights → author keywords → everybody's choices, and what trees need.

    OUT/first            the span scorer after all abstracts with author keywords
    OUT/fold-0 …         that, taught every kind of document but a share; OUT/final: but none
    OUT/held             what a scorer that has not seen a document says of its candidates, for the trees to learn from
    OUT/runtime.safetensors   scorer and trees, as the method reads them (`encoder_trees`)

Folds can be trained side by side, each by a call with its own `part`.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.lab.training import checkpoints, learned_sources
from phrasemill.lab.training.generation import WEIGHTS, Run, Say
from phrasemill.lab.training.generators import check_device
from phrasemill.lab.training.learned_examples import chosen, marked_by_crowd
from phrasemill.lab.training.learned_sources import Source
from phrasemill.lab.training.pretrained import bert_pieces, scorer_from_bert
from phrasemill.lab.training.recipes import Recipe as RunRecipe
from phrasemill.lab.training.recipes import Schedule, checked, matching
from phrasemill.lab.training.span_examples import Corpus, corpus
from phrasemill.lab.training.span_scorer import Held, SpanLearner, pooled, r_precision
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.styles import ENCODER_PIECES, NEWS

FIRST, FINAL, HELD, TREES = "first", "final", "held", "trees"


@dataclass(frozen=True, slots=True)
class Repeated:
    """Documents of a kind, and how often an epoch has them."""

    source: Source
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class Recipe:
    seed: int
    first: str
    then: tuple[Repeated, ...]
    valid: tuple[Repeated, ...]
    held_out: tuple[str, ...]
    schedules: Mapping[str, Schedule]
    general: float = 0.2
    lent: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    folds: int = 3
    start: str | None = None  # the folder of a BERT, instead of MiniLM

    def parts(self) -> list[str]:
        return [FIRST, *[f"fold-{number}" for number in range(self.folds)], FINAL, HELD, TREES]

    def sources(self, data: Path) -> Iterator[Source]:
        """Every file that has to be prepared, each part of it once, as a whole."""
        found = {
            (one.file, one.part): replace(one, first=0, last=None, weight=1.0, share=1.0)
            for one in [
                *[Source(f"keywords/{path.name}", "author") for path in matching(data, self.first)],
                *[one.source for one in (*self.then, *self.valid)],
                *stacked(),
            ]
        }
        yield from found.values()


def stacked() -> list[Source]:
    """What the trees learn from and are tried on, all with tags."""
    held = [one for some in learned_sources.HELD_OUT.values() for one in some]
    return [*learned_sources.SCIENCE, *learned_sources.READERS, *learned_sources.CROWD, *held]


def load_recipe(path: Path) -> Recipe:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        data = table["data"]
        teaching = table.get("teaching", {})
        then, valid = (tuple([_repeated(**one) for one in data[name]]) for name in ("then", "valid"))
        return Recipe(
            seed=table.get("seed", 1),
            first=data["first"],
            then=then,
            valid=valid,
            held_out=tuple(data["held_out"]),
            schedules={name: checked(Schedule, table[name]) for name in ("first", "then")},
            general=teaching.get("general", 0.2),
            lent={name: (other, share) for name, (other, share) in teaching.get("lent", {}).items()},
            folds=teaching.get("folds", 3),
            start=table.get("start"),
        )
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: not a recipe for the encoder ({error})") from None


def _repeated(*, repeat: int = 1, **source: Any) -> Repeated:
    return Repeated(Source(**source), repeat)


def prepare(recipe: Recipe, data: Path, folder: Path, say: Say = print) -> None:
    """Windows and candidates of every document, a file for each part of each source; files that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [*recipe.sources(data)]
    for name in (*[one.file for one in wanted], *learned_sources.TEST):
        if not (data / name).exists():
            raise InputError(f"{data}: no file {name}")
    pieces = bert_pieces(recipe.start)
    unseen = learned_sources.test_titles(data) | {
        learned_sources.squeezed(record)
        for name in recipe.held_out
        for path in matching(data, name)
        for record in learned_sources.records(path)
    }
    held = {one.source.file for one in recipe.valid}
    for source in wanted:
        target = folder / f"{name_of(source)}.npz"
        if target.exists():
            continue
        documents = source.documents(data, frozenset() if source.file in held else unseen - {""})
        labels = marked_by_crowd if source.style == NEWS else chosen
        made = corpus(documents, shipped_model(), pieces, labels=labels)
        made.save(target)
        say(f"{target.name}: {made.documents:,} documents, {len(made.columns['document']):,} windows")


def name_of(source: Source) -> str:
    return f"{Path(source.file).name.split('.')[0]}.{source.part}"


def train(
    recipe: Recipe,
    data: Path,
    prepared: Path,
    folder: Path,
    *,
    device: str = "cpu",
    resume: bool = False,
    part: str | None = None,
    say: Say = print,
) -> list[str]:
    """All parts of the training, or one; the parts that were done."""
    parts = [part] if part else recipe.parts()
    if unknown := set(parts) - set(recipe.parts()):
        raise UnknownName("part", unknown.pop(), recipe.parts())
    check_device(device)
    prepare(recipe, data, prepared, say)
    for one in parts:
        if one == TREES:
            from phrasemill.lab.training.encoder_trees import finish

            finish(recipe, data, folder)
        else:
            Training(recipe, prepared, folder, device, say).run(one, resume=resume)
    return parts


def windows(folder: Path, source: Source) -> list[Held]:
    """The windows of a source's documents, which are known by their places in the file."""
    found = Corpus.load(folder / f"{name_of(source)}.npz")
    places = found.columns["place"]
    last = source.last if source.last is not None else 1 << 40
    return [
        Held(int(places[number]), example)
        for number, example in found.examples(ENCODER_PIECES.index(source.style))
        if source.first <= places[number] < last
    ]


def begun(recipe: Recipe) -> SpanLearner:
    """The learner before its first lesson."""
    module = scorer_from_bert(recipe.start)
    return SpanLearner(module, bert_pieces(recipe.start).marks, recipe.general, recipe.lent)


@dataclass(frozen=True, slots=True)
class Training:
    recipe: Recipe
    prepared: Path
    folder: Path
    device: str = "cpu"
    say: Say = print

    def run(self, part: str, *, resume: bool = False) -> None:
        """One part of the work; later ones need the earlier ones."""
        if part == FIRST:
            self._first(resume)
        elif part == HELD:
            self._held()
        else:
            self._then(part, resume)

    def _learner(self, weights: Path | None = None) -> SpanLearner:
        import torch

        torch.manual_seed(self.recipe.seed)
        learner = begun(self.recipe)
        if weights is not None:
            checkpoints.load_weights(weights, learner.module)
        learner.module.to(self.device)
        return learner

    def _first(self, resume: bool) -> None:
        learner = self._learner()
        paths = sorted(self.prepared.glob(Path(self.recipe.first).name.split(".")[0] + ".text.npz"))
        examples = [one.example for path in paths for one in windows(self.prepared, _source(path))]
        self._fit(learner, FIRST, "first", [(1, examples)], resume)

    def _then(self, part: str, resume: bool) -> None:
        learner = self._learner(self.folder / FIRST / WEIGHTS)
        left_out = int(part.removeprefix("fold-")) if part != FINAL else -1
        train = [
            (
                one.repeat,
                [
                    held.example
                    for held in windows(self.prepared, one.source)
                    if held.document % self.recipe.folds != left_out
                ],
            )
            for one in self.recipe.then
        ]
        self._fit(learner, part, "then", train, resume)

    def _fit(self, learner: SpanLearner, part: str, stage: str, train: Sequence[tuple[int, Any]], resume: bool) -> None:
        valid = {name_of(one.source): windows(self.prepared, one.source) for one in self.recipe.valid}
        plan = RunRecipe("encoder", self.recipe.seed, {}, (), (), (), self.recipe.schedules[stage])
        folder = self.folder / part
        run = Run(learner, plan, train, valid, folder, device=self.device, say=self.say, scored_by=r_precision)
        if resume:
            run.resume()
        run.fit()

    def _held(self) -> None:
        """Score what the trees learn from: by the fold that has not seen it, or by the final scorer if none has."""
        target = self.folder / HELD
        target.mkdir(exist_ok=True)
        by_part: dict[str, SpanLearner] = {}
        for part in self.recipe.parts()[1:-2]:
            by_part[part] = self._learner(self.folder / part / WEIGHTS)
        taught = {name_of(one.source) for one in self.recipe.then}
        merged: dict[str, list[Source]] = {}
        for source in stacked():
            merged.setdefault(name_of(source), []).append(source)
        for name, sources in merged.items():
            every = {held.document: None for source in sources for held in windows(self.prepared, source)}
            found: dict[int, Any] = {}
            some = windows(self.prepared, replace(sources[0], first=0, last=None))
            for number in range(self.recipe.folds):
                part = f"fold-{number}" if name in taught else FINAL
                mine = [one for one in some if one.document in every and one.document % self.recipe.folds == number]
                found |= pooled(by_part[part], mine)
            save_scores(target / f"{name}.npz", found)
            self.say(f"{name}: {len(found):,} documents scored")


def _source(path: Path) -> Source:
    return Source(f"{path.name.split('.')[0]}.jsonl.xz", "author")


def save_scores(path: Path, found: Mapping[int, Any]) -> None:
    """Scores of candidates by document, in half precision."""
    places = sorted(found)
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(found[place], name) for place in places] or [np.zeros(0)]).astype(np.float16)
        for name in ("best", "mean", "first")
    }
    counts = np.array([len(found[place].best) for place in places], dtype=np.uint32)
    np.savez(path, place=np.array(places, dtype=np.uint32), count=counts, **columns)
