"""Recipes: everything that a training run depends on besides the data, in one TOML file per model (`recipes/`)."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from phrasemill.errors import ConfigError, InputError
from phrasemill.methods.styles import AUTHOR, EVERYDAY, NEWS
from phrasemill.types import Document
from phrasemill_lab.models import learned_sources
from phrasemill_lab.training.sources import Source, matching, titles

Made = TypeVar("Made")
SOURCE_SETTINGS = ("style", "where", "first", "last", "part", "gold", "repeat")  # besides the files
# What trees learn from besides the sources of `learned`; the last is held out.
OTHERS = (
    Source("everyday/en_train.jsonl.gz", EVERYDAY),
    Source("multilingual/wikinews_en_rated.jsonl.gz", NEWS),
    Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, share=0.2, last=3000),
    Source("everyday/en_dev.jsonl.gz", EVERYDAY),
)
STAGES = ("teacher-first", "teacher-then", "first", "then")  # of the encoder


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a model is trained."""

    epochs: int = 10
    batch: int = 256
    rate: float = 1e-3
    encoder_rate: float = 1.0  # the part of the rate that pretrained weights get
    warmup: int = 0  # updates until the full rate
    decay: str = "none"  # or "cosine", "linear"
    clip: float = 1.0
    weight_decay: float = 0.0
    precision: str = "float32"  # or "bfloat16"
    search: str = "greedy"  # how validation decodes
    validate: int = 1  # epochs between validations
    patience: int = 0  # validations without a better score before training stops; 0 for never
    workers: int = 0
    checkpoint: int = 500  # updates between checkpoints


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """A model, its sizes, its data and its schedule."""

    model: str
    seed: int
    network: Mapping[str, Any]
    train: tuple[Source, ...]
    valid: tuple[Source, ...]
    held_out: tuple[str, ...]
    schedule: Schedule
    source_words: int = 300
    mask_numbers: bool = True

    def documents(self, data: Path, part: str) -> Iterator[tuple[Source, Iterator[Document]]]:
        """Yield the documents of each source of `train` or `valid`."""
        left_out = titles(data, self.held_out) if part == "train" else frozenset()
        for source in self.train if part == "train" else self.valid:
            yield source, source.documents(data, left_out)


@dataclass(frozen=True, slots=True)
class EncoderRecipe:
    """The encoder's two stages, `first` and `then`, and the folds by which its trees see scores of unseen documents.

    With a `teacher`, a larger network goes through both stages before, and the encoder learns from its scores of
    documents that it has not seen, in both stages; in the second one also of `more` documents, which the teacher never
    learns from, and of `unlabelled` ones, from its scores alone.
    """

    seed: int
    first: str
    then: tuple[Source, ...]
    valid: tuple[Source, ...]
    held_out: tuple[str, ...]
    schedules: Mapping[str, Schedule]
    more: tuple[Source, ...] = ()
    unlabelled: tuple[Source, ...] = ()
    general: Mapping[str, float] = field(default_factory=dict)  # the share of a style's windows read without it
    lent: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    folds: int = 3
    start: str | None = None  # the folder of a BERT or an MPNet, instead of MiniLM
    layers: int = 0  # of the encoder that are kept, and units of each feed-forward network; 0 for all
    inner: int = 0
    teacher: str | None = None  # the folder of an MPNet
    taught: float = 0.0  # the share of the loss that is the teacher's

    def sources(self, data: Path) -> list[Source]:
        """Return every file that has to be prepared, each text field of it once, as a whole."""
        first = [Source(f"keywords/{path.name}") for path in matching(data, self.first)]
        labelled = [*first, *self.then, *self.more, *self.valid, *tree_sources()]
        found = {
            (one.file, one.part): replace(one, first=0, last=None, weight=1.0, share=1.0, without={}, where={})
            for one in [*self.unlabelled, *labelled]
        }
        return list(found.values())


def tree_sources() -> list[Source]:
    """Return what the encoder's trees learn from and are calibrated on, all with tags."""
    science = (*learned_sources.SCIENCE, *learned_sources.READERS, *learned_sources.CROWD)
    return [*science, *learned_sources.held_out(), *OTHERS]


def load_recipe(path: Path) -> TrainingRecipe:
    return _load(path, _training_recipe, "a recipe")


def load_encoder_recipe(path: Path) -> EncoderRecipe:
    return _load(path, _encoder_recipe, "a recipe for the encoder")


def _load(path: Path, make: Callable[[dict[str, Any]], Made], what: str) -> Made:
    try:
        return make(_table(path))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: not {what} ({error})") from None


def _table(path: Path) -> dict[str, Any]:
    """Return the content of a recipe over that of the recipe that it names as its `base`, section by section."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    base = table.pop("base", None)
    found = _table(path.with_name(base)) if base else {}
    for name, value in table.items():
        found[name] = {**found.get(name, {}), **value} if isinstance(value, dict) else value
    return found


def _training_recipe(table: dict[str, Any]) -> TrainingRecipe:
    data = table["data"]
    return TrainingRecipe(
        model=table["model"],
        seed=table.get("seed", 1),
        network=table.get("network", {}),
        train=tuple([_source(one, "files") for one in data["train"]]),
        valid=tuple([_source(one, "files") for one in data["valid"]]),
        held_out=tuple(data.get("held_out", ())),
        schedule=_schedule(table.get("training", {})),
        source_words=data.get("source_words", 300),
        mask_numbers=data.get("mask_numbers", True),
    )


def _encoder_recipe(table: dict[str, Any]) -> EncoderRecipe:
    data, teaching, network = table["data"], table.get("teaching", {}), table.get("network", {})
    return EncoderRecipe(
        seed=table.get("seed", 1),
        first=data["first"],
        then=tuple([_source(one, "file") for one in data["then"]]),
        valid=tuple([_source(one, "file") for one in data["valid"]]),
        held_out=tuple(data["held_out"]),
        schedules={name: _schedule(table[name]) for name in STAGES if name in table},
        more=tuple([_source(one, "file") for one in data.get("more", ())]),
        unlabelled=tuple([_source(one, "file") for one in data.get("unlabelled", ())]),
        general=dict(teaching.get("general", {})),
        lent={name: (other, share) for name, (other, share) in teaching.get("lent", {}).items()},
        folds=teaching.get("folds", 3),
        start=table.get("start"),
        layers=network.get("layers", 0),
        inner=network.get("inner", 0),
        teacher=table.get("teacher"),
        taught=teaching.get("taught", 0.0),
    )


def _source(values: Mapping[str, Any], files: str) -> Source:
    """Make a source of the settings in a recipe, in which `files` is the name of the one for its files."""
    _require_known(values, [files, *SOURCE_SETTINGS])
    return Source(values[files], **{name: value for name, value in values.items() if name != files})


def _schedule(values: Mapping[str, Any]) -> Schedule:
    _require_known(values, [one.name for one in fields(Schedule)])
    return Schedule(**values)


def _require_known(values: Mapping[str, Any], known: list[str]) -> None:
    if unknown := sorted(set(values) - set(known)):
        raise ConfigError(f"unknown setting {unknown[0]!r}; choose from {', '.join(known)}")
