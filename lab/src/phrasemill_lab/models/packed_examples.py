"""The examples of a recurrent model in numbers, in one small folder, which many runs read at once in a few seconds.

FOLDER/vocabulary.txt    one word per line
FOLDER/train.npz.xz      sources and targets, one after another, and how long each is
FOLDER/valid-0.jsonl.gz  the examples of each validation set, in words
"""

import io
import lzma
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from phrasemill.errors import DataError, InputError, ModelError
from phrasemill.methods.generator.words import WordVocabulary
from phrasemill_lab.models.generation_examples import GenerationExample, read_examples, read_prepared, write_examples
from phrasemill_lab.models.recipes import TrainingRecipe
from phrasemill_lab.models.recurrent import RecurrentInput, RecurrentLearner
from phrasemill_lab.models.sources import Source
from phrasemill_lab.networks.recurrent import MODELS

VOCABULARY, TRAIN, VALID = "vocabulary.txt", "train.npz.xz", "valid-{number}.jsonl.gz"
Number = TypeVar("Number", bound=np.generic)
COLUMNS = ("source", "source_lengths", "targets", "target_lengths", "target_counts")


@dataclass(frozen=True, slots=True)
class PackedExamples:
    """What runs of recipes with the same data and paradigm share."""

    vocabulary: WordVocabulary
    train: list[tuple[Source, list[RecurrentInput]]]
    valid: list[tuple[Source, list[GenerationExample]]]


def pack(recipe: TrainingRecipe, prepared: Path, folder: Path) -> None:
    """Write the prepared examples of a recipe in numbers."""
    sources = list(read_prepared(recipe, prepared, "train"))
    config = replace(MODELS[recipe.model], **recipe.network)
    learner = RecurrentLearner.create(chain.from_iterable(examples for _, examples in sources), config)
    arrays: dict[str, Any] = {
        f"{number}.{name}": values
        for number, (_, examples) in enumerate(sources)
        for name, values in _columns([learner.encode(example) for example in examples]).items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    learner.vocabulary.save(folder / VOCABULARY)
    with lzma.open(folder / TRAIN, "wb") as file:
        np.savez(file, **arrays)
    for number, (_, examples) in enumerate(read_prepared(recipe, prepared, "valid")):
        write_examples(folder / VALID.format(number=number), examples)


def unpack(recipe: TrainingRecipe, folder: Path) -> PackedExamples:
    """Read what `pack` wrote for a recipe with the same data."""
    try:
        vocabulary = WordVocabulary.load(folder / VOCABULARY)
        with lzma.open(folder / TRAIN) as file:
            arrays = dict(np.load(io.BytesIO(file.read())))
        train = [
            (source, _inputs({name: arrays[f"{number}.{name}"] for name in COLUMNS}))
            for number, source in enumerate(recipe.train)
        ]
        valid = [
            (source, list(read_examples(folder / VALID.format(number=number))))
            for number, source in enumerate(recipe.valid)
        ]
    except (OSError, KeyError, ValueError, lzma.LZMAError, ModelError) as error:
        raise InputError(f"{folder}: no packed examples of this recipe ({error})") from None
    return PackedExamples(vocabulary, train, valid)


def _columns(inputs: list[RecurrentInput]) -> dict[str, npt.NDArray[np.uint16]]:
    columns = {
        "source": np.concatenate([one.source for one in inputs]),
        "source_lengths": np.array([len(one.source) for one in inputs]),
        "targets": np.concatenate([one.targets for one in inputs]),
        "target_lengths": np.concatenate([one.lengths for one in inputs]),
        "target_counts": np.array([len(one.lengths) for one in inputs]),
    }
    if any(values.max(initial=0) > np.iinfo(np.uint16).max for values in columns.values()):
        raise DataError("packed examples have room for numbers up to 65,535: choose a smaller vocabulary")
    return {name: values.astype(np.uint16) for name, values in columns.items()}


def _inputs(columns: dict[str, npt.NDArray[np.uint16]]) -> list[RecurrentInput]:
    counts = columns["target_counts"].astype(np.int64)
    lengths = _cut(columns["target_lengths"].astype(np.int16), counts)
    targets = _cut(columns["targets"].astype(np.int32), np.array([one.sum() for one in lengths], np.int64))
    sources = _cut(columns["source"].astype(np.int32), columns["source_lengths"].astype(np.int64))
    return [RecurrentInput(*one) for one in zip(sources, targets, lengths, strict=True)]


def _cut(values: npt.NDArray[Number], lengths: npt.NDArray[np.int64]) -> list[npt.NDArray[Number]]:
    return np.split(values, np.cumsum(lengths)[:-1])
