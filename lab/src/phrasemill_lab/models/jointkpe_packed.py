"""The examples of JointKPE in numbers, in one small folder: a machine that only trains needs no text and no tokeniser.

FOLDER/train.npz.xz    the beginnings of the training documents, one source after another
FOLDER/valid-0.npz.xz  those of each validation set

A word is its pieces, its number in the document, and a bit for every length at which a candidate begins with it.
Candidates, and which of them are the same phrase, are made again from these.
"""

import io
import lzma
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from phrasemill.errors import InputError
from phrasemill.methods.bertkpe import files
from phrasemill.methods.bertkpe.network import LONGEST, JointInput, JointKPE, strongest
from phrasemill.methods.bertkpe.reader import TextWindow
from phrasemill_lab.models.jointkpe import (
    EncodedBeginning,
    JointLearner,
    batch_loss,
    collated,
    examples_of,
    settings_of,
)
from phrasemill_lab.models.loop import Over, TrainingRun, never_over, train_in_folder
from phrasemill_lab.models.recipes import Schedule, TrainingRecipe

TRAIN, VALID = "train.npz.xz", "valid-{number}.npz.xz"
NUMBER_BITS = 9  # of a word's number: a window has fewer than 512 words
AT_ONCE = 64  # documents that validation reads together
PAD = 0  # of BERT's pieces


@dataclass(frozen=True, slots=True)
class PackedBeginning:
    """A beginning in numbers: `pieces` (P,), per word the count of its pieces, its number and the lengths of the
    candidates that begin with it as bits (W,), and one occurrence of each keyphrase as first word and length."""

    pieces: "npt.NDArray[np.uint16]"
    counts: "npt.NDArray[np.uint8]"
    words: "npt.NDArray[np.uint16]"
    lengths: "npt.NDArray[np.uint8]"
    gold: "npt.NDArray[np.uint16]"


COLUMNS = ("pieces", "counts", "words", "lengths", "gold")


def packed_beginning(encoded: EncodedBeginning, words: Sequence[int]) -> PackedBeginning:
    """Return a beginning in numbers; `words` are the numbers of its words, equal for equal words."""
    part = encoded.part
    ends = [*part.first[1:].tolist(), len(part.pieces) - 1]  # one mark closes a window
    lengths = np.zeros(part.end, np.uint8)
    np.bitwise_or.at(lengths, encoded.start, np.left_shift(1, encoded.size - 1).astype(np.uint8))
    first = np.unique(encoded.phrase, return_index=True)[1][encoded.gold]
    return PackedBeginning(
        part.pieces.astype(np.uint16),
        np.array(np.subtract(ends, part.first), np.uint8),
        np.unique(words, return_inverse=True)[1].astype(np.uint16),
        lengths,
        np.stack((encoded.start[first], encoded.size[first]), axis=1).astype(np.uint16).ravel(),
    )


def beginning_of(packed: PackedBeginning) -> EncodedBeginning:
    """Return the beginning with its candidates; phrases are numbered by length, then by words."""
    words = packed.words.astype(np.int64)
    starts, sizes, keys = [], [], []
    for size in range(1, LONGEST + 1):
        start = np.flatnonzero(packed.lengths >> (size - 1) & 1)
        starts.append(start)
        sizes.append(np.full(len(start), size))
        keys.append(_keys(words, start, size))
    key, phrase = np.unique(np.concatenate(keys), return_inverse=True)
    pairs = packed.gold.reshape(-1, 2).astype(np.int64).tolist()
    wanted = [_keys(words, np.array([start]), size) for start, size in pairs]
    first = np.cumsum([1, *packed.counts[:-1].tolist()]).astype(np.uint16)
    return EncodedBeginning(
        TextWindow(0, len(words), packed.pieces.astype(np.int32), first),
        np.concatenate(starts).astype(np.uint16),
        np.concatenate(sizes).astype(np.uint8),
        phrase.astype(np.uint16),
        np.isin(key, np.concatenate(wanted)) if wanted else np.zeros(len(key), bool),
    )


def _keys(words: "npt.NDArray[np.int64]", start: "npt.NDArray[np.int64]", size: int) -> "npt.NDArray[np.int64]":
    """Return one number per n-gram, which only n-grams of the same words share."""
    key = np.full(len(start), size, np.int64)
    for place in range(size):
        key = key << NUMBER_BITS | words[start + place]
    return key


def pack(recipe: TrainingRecipe, data: Path, folder: Path) -> None:
    """Write the beginnings of the recipe's documents in numbers."""
    learner = JointLearner.create(settings_of(recipe), seed=recipe.seed)
    folder.mkdir(parents=True, exist_ok=True)
    sources = {
        str(number): list(_packed(learner, found)) for number, (_, found) in enumerate(recipe.documents(data, "train"))
    }
    _write(folder / TRAIN, sources)
    for number, (_, found) in enumerate(recipe.documents(data, "valid")):
        _write(folder / VALID.format(number=number), {"0": list(_packed(learner, found))})


def _packed(learner: JointLearner, documents: Iterable[Any]) -> Iterator[PackedBeginning]:
    for example in examples_of(documents):
        encoded = learner.encode(example)
        if encoded.gold.any() and not encoded.gold.all():
            yield packed_beginning(encoded, example.analysis.word[: encoded.part.end])


def _write(path: Path, sources: dict[str, list[PackedBeginning]]) -> None:
    arrays: dict[str, Any] = {}
    for source, packed in sources.items():
        for name in COLUMNS:
            each = [getattr(one, name) for one in packed]
            arrays[f"{source}.{name}"] = np.concatenate(each)
            arrays[f"{source}.{name}.sizes"] = np.array([len(one) for one in each], np.uint16)
    with lzma.open(path, "wb") as file:
        np.savez(file, **arrays)


def read(path: Path) -> list[list[EncodedBeginning]]:
    """Return the beginnings of each source in a file."""
    try:
        with lzma.open(path) as file:
            arrays = dict(np.load(io.BytesIO(file.read())))
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise InputError(f"{path}: no packed examples ({error})") from None
    found = []
    for number in range(len(arrays) // (2 * len(COLUMNS))):
        columns = [
            np.split(arrays[f"{number}.{name}"], np.cumsum(arrays[f"{number}.{name}.sizes"].astype(np.int64))[:-1])
            for name in COLUMNS
        ]
        found.append([beginning_of(PackedBeginning(*one)) for one in zip(*columns, strict=True)])
    return found


class PackedJointLearner:
    """JointKPE over examples that are numbers already."""

    def __init__(self, module: JointKPE) -> None:
        self.module = module

    def encode(self, example: EncodedBeginning) -> EncodedBeginning:
        return example

    def size(self, encoded: EncodedBeginning) -> int:
        return len(encoded.part.pieces)

    def collate(self, batch: Sequence[EncodedBeginning], rng: np.random.Generator) -> dict[str, Tensor]:
        return collated(batch, self.module.longest, PAD)

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        return batch_loss(self.module, batch)


@torch.inference_mode()
def score(learner: PackedJointLearner, examples: Sequence[EncodedBeginning]) -> float:
    """Return the mean share of right phrases among the best n, where n is the number of a document's keyphrases."""
    module = learner.module
    device = next(module.parameters()).device
    shares: list[float] = []
    order = sorted(range(len(examples)), key=lambda number: learner.size(examples[number]))
    for at in range(0, len(order), AT_ONCE):
        batch = collated([examples[number] for number in order[at : at + AT_ONCE]], module.longest, PAD)
        batch = {name: tensor.to(device) for name, tensor in batch.items()}
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            ranked = module.rank(JointInput(*(batch[name] for name in JointInput._fields)))
        values = strongest(ranked.flatten()[batch["place"]], batch["phrase"], len(batch["document"])).cpu()
        gold, document = batch["gold"].cpu(), batch["document"].cpu()
        for number in range(int(document.max()) + 1):
            own = document == number
            count = int(gold[own].sum())
            shares.append(float(gold[own][values[own].topk(count).indices].float().mean()))
    return sum(shares) / len(shares)


class JointRun:
    """Packed examples and an encoder, from which a network is trained."""

    def __init__(self, recipe: TrainingRecipe, packed: Path, encoder: Path, *, device: str = "cpu") -> None:
        self.recipe, self.encoder, self.device = recipe, encoder, device
        self.sources = list(zip(recipe.train, read(packed / TRAIN), strict=True))
        self.valid = [
            (source, read(packed / VALID.format(number=number))[0]) for number, source in enumerate(recipe.valid)
        ]

    def counts(self) -> list[int]:
        return [source.repeat * len(found) for source, found in self.sources]

    def updates(self, source: int | None = None) -> int:
        """Return the updates of an epoch, or of one source in it."""
        counts = self.counts()
        return max(1, (sum(counts) if source is None else counts[source]) // self.recipe.schedule.batch)

    def learner(self) -> PackedJointLearner:
        settings = settings_of(self.recipe)
        torch.manual_seed(self.recipe.seed)
        network = JointKPE(files.pretrained(self.encoder).float(), width=settings.width, dropout=settings.dropout)
        return PackedJointLearner(network)

    def speed(self, updates: int) -> float:
        """Return the seconds per update, measured on a network that is then thrown away."""
        every = cycle(chain.from_iterable(found for _, found in self.sources))
        some = list(islice(every, (updates + 10) * self.recipe.schedule.batch))
        with TemporaryDirectory() as folder:
            run = TrainingRun(
                self.learner(),
                replace(self.recipe.schedule, epochs=1),
                [(1, some)],
                {},
                Path(folder),
                score=score,
                device=self.device,
                log=lambda _: None,
            )
            return run.speed(updates)

    def train(self, folder: Path, schedule: Schedule, *, share: float = 1.0, over: Over = never_over) -> dict[str, Any]:
        """Train with a schedule on everything but the end of the first source; return what `model.json` holds."""
        folder.mkdir(parents=True, exist_ok=True)
        (first, found), *rest = self.sources
        with (folder / "log").open("a", encoding="utf-8") as file:

            def log(line: str) -> None:
                print(f"{time.strftime('%H:%M:%S')} {line}", file=file, flush=True)

            return train_in_folder(
                self.learner(),
                replace(self.recipe, schedule=schedule),
                [(first, found[: int(share * len(found))]), *rest],
                self.valid,
                folder,
                asdict(settings_of(self.recipe)),
                score=score,
                device=self.device,
                resume=False,
                log=log,
                over=over,
            )
