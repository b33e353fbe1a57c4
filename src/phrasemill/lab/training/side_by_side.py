"""Many runs of recurrent models on one device, each a process of its own.

A small network leaves most of a GPU idle, so several train in the time of one (faster still where NVIDIA's MPS runs).
All runs read the same packed examples (`packed_examples.py`). Each may use an equal share of the GPU's memory.
"""

import multiprocessing
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from phrasemill.lab.networks.recurrent import MODELS
from phrasemill.lab.training.generation import score
from phrasemill.lab.training.generators import VOCABULARY, load
from phrasemill.lab.training.loop import train_in_folder
from phrasemill.lab.training.packed_examples import unpack
from phrasemill.lab.training.recipes import TrainingRecipe
from phrasemill.lab.training.recurrent import RecurrentInput, RecurrentLearner
from phrasemill.methods.generator.search import Search
from phrasemill.methods.writing import Phrases, Words

MEMORY = 0.92  # the part of the GPU's memory that all runs may use together


@dataclass(frozen=True, slots=True)
class Run:
    """One model to train: a name, which is that of its folder, and a recipe with its seed."""

    name: str
    recipe: TrainingRecipe


class PackedLearner(RecurrentLearner):
    """A learner whose examples are numbers already."""

    def encode(self, example: Any) -> RecurrentInput:
        found: RecurrentInput = example
        return found


def train_all(
    runs: Sequence[Run], packed: Path, out: Path, *, device: str, at_once: int, until: float
) -> Iterator[tuple[str, dict[str, Any] | Exception]]:
    """Train the runs, `at_once` of them at a time; yield each as it ends, with its summary or its error."""
    work = {one.name: partial(_train, one, packed, out / one.name, device, at_once, until) for one in runs}
    yield from _in_processes(work, at_once)


def decode_all(
    folders: Mapping[str, Path],
    sources: Mapping[str, Words],
    searches: Mapping[str, Search],
    *,
    device: str,
    at_once: int,
) -> Iterator[tuple[str, dict[str, list[Phrases]] | Exception]]:
    """Yield the phrases of each model in a folder for each source, by search."""
    texts = list(sources.values())
    work = {name: partial(_decode, folder, texts, searches, device, at_once) for name, folder in folders.items()}
    yield from _in_processes(work, at_once)


def _in_processes(work: Mapping[str, Any], at_once: int) -> Iterator[tuple[str, Any]]:
    """A run that fails does not stop the others."""
    with ProcessPoolExecutor(at_once, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(one): name for name, one in work.items()}
        for future in as_completed(waiting):
            error = future.exception()
            yield waiting[future], future.result() if error is None else error


def _share(device: str, at_once: int) -> None:
    """One thread, and an equal share of the device's memory."""
    torch.set_num_threads(1)
    if device.startswith("cuda"):
        torch.cuda.set_per_process_memory_fraction(MEMORY / at_once)


def _train(run: Run, packed: Path, folder: Path, device: str, at_once: int, until: float) -> dict[str, Any]:
    _share(device, at_once)
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
            device=device,
            resume=False,
            log=log,
            until=until,
        )


def _decode(
    folder: Path, texts: Sequence[Words], searches: Mapping[str, Search], device: str, at_once: int
) -> dict[str, list[Phrases]]:
    _share(device, at_once)
    learner = load(folder)
    learner.module.to(device)
    return {name: learner.generate(texts, search) for name, search in searches.items()}
