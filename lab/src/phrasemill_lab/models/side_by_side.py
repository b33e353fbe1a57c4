"""Many runs of recurrent models on one device, each a process of its own.

A small network leaves most of a GPU idle, so several train in the time of one (faster still where NVIDIA's MPS runs).
All runs read the same packed examples (`packed_examples.py`). Each may use an equal share of the memory that all have.
"""

import json
import lzma
import multiprocessing
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import torch

from phrasemill.methods.generator.search import Search
from phrasemill.methods.generator.words import END, SEPARATOR
from phrasemill.methods.writing import Phrases, Words
from phrasemill_lab.models.generation import score
from phrasemill_lab.models.generators import VOCABULARY, load
from phrasemill_lab.models.loop import train_in_folder
from phrasemill_lab.models.packed_examples import unpack
from phrasemill_lab.models.recipes import TrainingRecipe
from phrasemill_lab.models.recurrent import RecurrentInput, RecurrentLearner
from phrasemill_lab.networks.recurrent import MODELS

MEMORY = 0.92  # the part of the GPU's memory that all runs may use together


@dataclass(frozen=True, slots=True)
class Place:
    """Where runs go: a device, how many at once, and the part of the device's memory that these have together."""

    device: str = "cpu"
    at_once: int = 1
    memory: float = MEMORY

    def enter(self) -> None:
        """Take one thread, and an equal share of the memory."""
        torch.set_num_threads(1)
        torch.set_float32_matmul_precision("high")
        if self.device.startswith("cuda"):
            torch.cuda.set_per_process_memory_fraction(self.memory / self.at_once)


@dataclass(frozen=True, slots=True)
class Run:
    """One model to train: a name, which is that of its folder, and a recipe with its seed."""

    name: str
    recipe: TrainingRecipe


@dataclass(frozen=True, slots=True)
class Decoding:
    """Sources to decode, by id, and a search; `name` is that of the file with the lists."""

    name: str
    sources: Mapping[str, Words]
    search: Search


class PackedLearner(RecurrentLearner):
    """A learner whose examples are numbers already: those of one2seq, which one2one takes apart."""

    def encode(self, example: Any) -> RecurrentInput:
        found: RecurrentInput = example
        if self.module.config.paradigm == "one2seq" or len(found.lengths) != 1:
            return found
        phrases = np.split(found.targets, np.flatnonzero(found.targets == SEPARATOR))
        ended = [np.append(one[(one != SEPARATOR) & (one != END)], END) for one in phrases]
        kept = [one for one in ended if 1 < len(one) <= self.module.config.target]
        targets = np.concatenate(kept) if kept else found.targets[:0]
        return RecurrentInput(found.source, targets, np.array([len(one) for one in kept], np.int16))


@dataclass(frozen=True, slots=True)
class CommonEnd:
    """Ends several runs after the same epoch: the last that any of them had begun when the time was over."""

    folder: Path
    name: str
    until: float

    def __call__(self, epochs: int) -> bool:
        (self.folder / f"{self.name}.epochs").write_text(str(epochs), encoding="utf-8")
        end = self.folder / "end"
        if not end.exists() and time.time() > self.until:
            others = [path for path in self.folder.glob("*.epochs") if path.stem != self.name]
            begun = [1 + int(path.read_text(encoding="utf-8") or 0) for path in others]
            own = self.folder / f"{self.name}.end"
            own.write_text(str(max([epochs, *begun])), encoding="utf-8")
            with suppress(FileExistsError):
                end.hardlink_to(own)  # the first one counts, and is never seen half written
        return end.exists() and epochs >= int(end.read_text(encoding="utf-8"))


def train_all(
    runs: Sequence[Run], packed: Path, out: Path, place: Place, *, until: float
) -> Iterator[tuple[str, dict[str, Any] | Exception]]:
    """Train the runs; yield each as it ends, with its summary or its error.

    If the time `until` passes, all end after the same epoch.
    """
    out.mkdir(parents=True, exist_ok=True)
    together = Path(mkdtemp(prefix="together-", dir=out))
    work = {
        one.name: partial(_train, one, packed, out / one.name, place, CommonEnd(together, one.name, until))
        for one in runs
    }
    yield from _in_processes(work, place.at_once)


def decode_all(
    folders: Mapping[str, Path], wanted: Mapping[str, Sequence[Decoding]], place: Place
) -> Iterator[tuple[str, list[str] | Exception]]:
    """Decode what is wanted of each model, by name, into its folder; yield each with the files that it wrote."""
    work = {name: partial(_decode, folder, wanted[name], place) for name, folder in folders.items()}
    yield from _in_processes(work, place.at_once)


def _in_processes(work: Mapping[str, Any], at_once: int) -> Iterator[tuple[str, Any]]:
    """A run that fails does not stop the others."""
    with ProcessPoolExecutor(at_once, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(one): name for name, one in work.items()}
        for future in as_completed(waiting):
            error = future.exception()
            yield waiting[future], future.result() if error is None else error


def _train(run: Run, packed: Path, folder: Path, place: Place, over: CommonEnd) -> dict[str, Any]:
    place.enter()
    examples = unpack(run.recipe, packed)
    settings = {**run.recipe.network, "vocabulary": len(examples.vocabulary)}
    network = asdict(replace(MODELS[run.recipe.model], **settings))
    learner = PackedLearner.restore(network, examples.vocabulary, seed=run.recipe.seed)
    folder.mkdir(parents=True, exist_ok=True)
    learner.vocabulary.save(folder / VOCABULARY)
    with (folder / "log").open("a", encoding="utf-8") as file:

        def log(line: str) -> None:
            print(f"{time.strftime('%H:%M:%S')} {line}", file=file, flush=True)

        return train_in_folder(
            learner,
            run.recipe,
            examples.train,
            examples.valid,
            folder,
            learner.config,
            score=partial(score, search=run.recipe.schedule.search),
            device=place.device,
            resume=False,
            log=log,
            over=over,
        )


def _decode(folder: Path, wanted: Sequence[Decoding], place: Place) -> list[str]:
    place.enter()
    learner = load(folder)
    learner.module.to(place.device)
    done = []
    for one in wanted:
        lists = learner.generate(list(one.sources.values()), one.search)
        write_lists(folder / f"{one.name}.jsonl.xz", one.sources, lists)
        done.append(one.name)
    return done


def write_lists(path: Path, ids: Iterable[str], lists: Iterable[Phrases]) -> None:
    """Write one line per document, with its id and its phrases; the file is there when it is whole."""
    unfinished = path.with_suffix(".unfinished")
    with lzma.open(unfinished, "wt", encoding="utf-8") as file:
        for id_, phrases in zip(ids, lists, strict=True):
            record = {"id": id_, "keyphrases": [" ".join(words) for words, _ in phrases]}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    unfinished.replace(path)
