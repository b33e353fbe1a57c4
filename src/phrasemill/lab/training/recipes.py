"""Recipes: everything that a training run depends on besides the data, in one TOML file a model (`recipes/`)."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TypeVar

from phrasemill.errors import ConfigError, InputError
from phrasemill.lab.training.generation_examples import Example, prepared, read, write
from phrasemill.lab.training.learned_sources import records, squeezed
from phrasemill.lab.training.trainer import Progress, quiet, tracked
from phrasemill.types import Document

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Some of the documents of some files: those whose fields have the values of `where`, `first` to `last`."""

    files: str
    style: str = "author"
    where: Mapping[str, object] = field(default_factory=dict)
    first: int = 0
    last: int | None = None
    part: str = "text"
    gold: str = "keyphrases"
    repeat: int = 1

    def examples(self, data: Path, left_out: frozenset[str], words: int) -> Iterator[Example]:
        for document in self._documents(data, left_out):
            if example := prepared(document, style=self.style, words=words):
                yield example

    def _documents(self, data: Path, left_out: frozenset[str]) -> Iterator[Document]:
        number = 0
        for path in matching(data, self.files):
            for record in records(path):
                if any(record.get(name) != value for name, value in self.where.items()):
                    continue
                number += 1
                if self.last is not None and number > self.last:
                    return
                if number > self.first and record.get(self.part) and squeezed(record) not in left_out:
                    gold = tuple([one if isinstance(one, str) else tuple(one) for one in record[self.gold] if one])
                    yield Document(record["id"], record[self.part], record.get("title", ""), references=gold)


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
    patience: int = 0  # validations without a better F1@O before it stops; 0 for never
    workers: int = 0
    checkpoint: int = 500  # updates between checkpoints


@dataclass(frozen=True, slots=True)
class Recipe:
    """A model, its sizes, its data and its schedule."""

    model: str
    seed: int
    network: Mapping[str, Any]
    train: tuple[Corpus, ...]
    valid: tuple[Corpus, ...]
    held_out: tuple[str, ...]
    schedule: Schedule
    source_words: int = 300
    mask_numbers: bool = True


def load_recipe(path: Path) -> Recipe:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not a recipe ({error})") from None
    try:
        return _recipe(table)
    except (KeyError, TypeError) as error:
        raise ConfigError(f"{path}: not a recipe ({error})") from None


def _recipe(table: dict[str, Any]) -> Recipe:
    data = table["data"]
    return Recipe(
        model=table["model"],
        seed=table.get("seed", 1),
        network=table.get("network", {}),
        train=tuple([checked(Corpus, one) for one in data["train"]]),
        valid=tuple([checked(Corpus, one) for one in data["valid"]]),
        held_out=tuple(data.get("held_out", ())),
        schedule=checked(Schedule, table.get("training", {})),
        source_words=data.get("source_words", 300),
        mask_numbers=data.get("mask_numbers", True),
    )


def checked(kind: type[Made], values: Mapping[str, Any]) -> Made:
    known = [one.name for one in fields(kind)]  # type: ignore[arg-type]
    if unknown := sorted(set(values) - set(known)):
        raise ConfigError(f"unknown setting {unknown[0]!r}; there are {', '.join(known)}")
    return kind(**values)


def titles(data: Path, files: tuple[str, ...]) -> frozenset[str]:
    """The titles in these files, as they are compared; documents that have one of them are not trained on."""
    return frozenset(
        squeezed(record) for name in files for path in matching(data, name) for record in records(path)
    ) - {""}


def matching(data: Path, pattern: str) -> list[Path]:
    """The files of the folder that a pattern such as `keywords/train-*.jsonl.xz` names, in order."""
    folder = data / Path(pattern).parent
    found = (
        sorted(path for path in folder.iterdir() if fnmatch(path.name, Path(pattern).name)) if folder.is_dir() else []
    )
    if not found:
        raise InputError(f"{data}: no file {pattern}")
    return found


def prepare(recipe: Recipe, data: Path, folder: Path, progress: Progress = quiet) -> None:
    """The recipe's examples, one file a corpus, ready for `read_prepared`; files that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    left_out = titles(data, recipe.held_out)
    for part in ("train", "valid"):
        for corpus, path in _files(recipe, folder, part):
            if not path.exists():
                examples = corpus.examples(data, left_out if part == "train" else frozenset(), recipe.source_words)
                unfinished = path.with_suffix(".unfinished")
                write(unfinished, tracked(examples, f"preparing {corpus.files}", progress))
                unfinished.replace(path)


def read_documents(recipe: Recipe, data: Path, part: str) -> Iterator[tuple[Corpus, Iterator[Document]]]:
    """The documents of each corpus of `train` or `valid`, as they are, for models that read texts in their own way."""
    left_out = titles(data, recipe.held_out) if part == "train" else frozenset()
    for corpus in recipe.train if part == "train" else recipe.valid:
        yield corpus, corpus._documents(data, left_out)


def read_prepared(recipe: Recipe, folder: Path, part: str) -> Iterator[tuple[Corpus, list[Example]]]:
    """The examples of each corpus of `train` or `valid`."""
    for corpus, path in _files(recipe, folder, part):
        if not path.exists():
            raise InputError(f"{folder}: {path.name} is missing; prepare the recipe's data first")
        examples = read(path)
        yield corpus, [one.masked() for one in examples] if recipe.mask_numbers else list(examples)


def _files(recipe: Recipe, folder: Path, part: str) -> Iterator[tuple[Corpus, Path]]:
    """Each corpus with its file, which is named after all that decides what is in it; so recipes can share a folder."""
    for corpus in recipe.train if part == "train" else recipe.valid:
        settings = {**asdict(replace(corpus, repeat=1)), "words": recipe.source_words}
        settings["left out"] = sorted(recipe.held_out) if part == "train" else []
        name = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]
        yield corpus, folder / f"{Path(corpus.files).name.split('.')[0].strip('-*')}-{name}.jsonl.gz"
