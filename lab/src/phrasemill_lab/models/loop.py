"""The training loop: batches, updates, checkpoints, validation; models differ in their `Learner`.

Given the seed, everything is decided by the numbers of epoch and batch, so that an interrupted run resumes at its last
checkpoint and ends with the same weights as an uninterrupted one (on a GPU, up to the order of its sums).

OUT/model.json        what it is: kind, settings, recipe, scores
OUT/best.safetensors  the weights with the best score on the first validation set
OUT/curves.jsonl      losses and scores over the updates, and curves.svg, their picture
OUT/checkpoint.safetensors   to resume an interrupted run
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from phrasemill.errors import ConfigError, DataError, InputError
from phrasemill_lab.models import checkpoints, curves
from phrasemill_lab.models.recipes import Schedule, TrainingRecipe
from phrasemill_lab.models.sources import Source

Log = Callable[[str], None]
Score = Callable[[Any, Sequence[Any]], float]  # of a learner on examples, from 0 to 1
Over = Callable[[int], bool]  # whether a run ends after this many epochs, though its schedule has more
MODEL, CURVES, WEIGHTS = "model.json", "curves.jsonl", "best.safetensors"
WINDOW = 50  # batches that are filled together, by length
ON_CPU = ("lengths",)  # of a batch: what networks read on the CPU, so that they need not wait for the device


def never_over(epochs: int) -> bool:
    return False


class Learner(Protocol):
    """A network that can be trained: `recurrent.py`, `transformer.py`, `span_scorer.py` and `jointkpe.py` have one."""

    @property
    def module(self) -> torch.nn.Module: ...

    def encode(self, example: Any) -> Any: ...

    def size(self, encoded: Any) -> int: ...

    def collate(self, batch: Sequence[Any], rng: np.random.Generator) -> dict[str, Tensor]: ...

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]: ...


@dataclass(slots=True)
class TrainingProgress:
    """How far a run is; what a checkpoint holds besides tensors."""

    epoch: int = 0
    batch: int = 0  # within the epoch
    update: int = 0
    best: float = -1.0
    since_best: int = 0


class EpochBatches(Dataset[dict[str, Tensor]]):
    """The batches of one epoch; the seed and its number decide which examples, in which order, varied how."""

    def __init__(
        self, learner: Learner, encoded: Sequence[Any], order: Sequence[int], schedule: Schedule, seed: list[int]
    ):
        self.learner, self.encoded, self.seed = learner, encoded, seed
        rng = np.random.default_rng(seed)
        shuffled = rng.permutation(np.asarray(order))
        self.batches: list[list[int]] = []
        for start in range(0, len(shuffled), WINDOW * schedule.batch):
            window = sorted(shuffled[start : start + WINDOW * schedule.batch], key=lambda i: learner.size(encoded[i]))
            self.batches += [window[i : i + schedule.batch] for i in range(0, len(window), schedule.batch)]
        self.batches = [self.batches[i] for i in rng.permutation(len(self.batches))]

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, number: int) -> dict[str, Tensor]:
        rng = np.random.default_rng([*self.seed, number])
        return self.learner.collate([self.encoded[i] for i in self.batches[number]], rng)


class TrainingRun:
    """One training run, in a folder of its own."""

    def __init__(
        self,
        learner: Learner,
        schedule: Schedule,
        train: Iterable[tuple[int, Iterable[Any]]],  # how often the examples of each source are repeated, and these
        valid: Mapping[str, Sequence[Any]],
        folder: Path,
        *,
        score: Score,
        seed: int = 1,
        device: str = "cpu",
        over: Over = never_over,
        log: Log = print,
    ) -> None:
        self.learner, self.schedule, self.folder, self.seed, self.over = learner, schedule, folder, seed, over
        self.device, self.score, self.log, self.valid = torch.device(device), score, log, valid
        self.encoded: list[Any] = []
        self.order: list[int] = []
        for repeat, examples in train:
            first = len(self.encoded)
            self.encoded += map(learner.encode, examples)
            self.order += list(range(first, len(self.encoded))) * repeat
        if not self.order:
            raise DataError("no documents to train on")
        learner.module.to(self.device)
        torch.set_float32_matmul_precision("high")
        self.optimizer = self._optimizer()
        self.updates = math.ceil(len(self.order) / self.schedule.batch) * self.schedule.epochs
        self.progress = TrainingProgress()
        folder.mkdir(parents=True, exist_ok=True)

    def _optimizer(self) -> torch.optim.AdamW:
        slow = [p for name, p in self.learner.module.named_parameters() if name.startswith("encoder.")]
        slow_ids = set(map(id, slow))
        rest = [p for p in self.learner.module.parameters() if id(p) not in slow_ids]
        rate, on_gpu = self.schedule.rate, self.device.type == "cuda"
        groups = [{"params": rest, "scale": 1.0}, {"params": slow, "scale": self.schedule.encoder_rate}]
        return torch.optim.AdamW(groups, lr=rate, weight_decay=self.schedule.weight_decay, fused=on_gpu)

    def resume(self) -> bool:
        """Continue from the checkpoint in the folder, if there is one."""
        found = checkpoints.load(self.folder, self.learner.module, self.optimizer)
        if found is None:
            return False
        self.progress = TrainingProgress(**found)
        self.log(f"resumed at epoch {self.progress.epoch + 1}, update {self.progress.update}")
        return True

    def fit(self) -> TrainingProgress:
        """Train to the end of the schedule, until the score stops rising, or until `over`; keep the best weights."""
        if self.progress.update == 0:
            torch.manual_seed(self.seed)
            (self.folder / CURVES).write_text("", encoding="utf-8")
        while self.progress.epoch < self.schedule.epochs and not self._patience_is_over():
            for losses in self._epoch():
                if self.progress.update % 50 == 0:
                    self._add_point({name: value.item() for name, value in losses.items()})
                if self.progress.update % self.schedule.checkpoint == 0:
                    self._checkpoint()
            self.progress.epoch += 1
            self.progress.batch = 0
            over = self.over(self.progress.epoch)
            if over or self.progress.epoch % self.schedule.validate == 0 or self.progress.epoch == self.schedule.epochs:
                self._validate()
            self._checkpoint()
            if over:
                break
        return self.progress

    def speed(self, updates: int, warm: int = 5) -> float:
        """Return the seconds per update over the next ones; the first few do not count."""
        began = 0.0
        for number, losses in enumerate(islice(self._epoch(), warm + updates), start=1):
            if number in (warm, warm + updates):
                losses["loss"].item()  # the device has to be waited for
                began = time.perf_counter() - began
        return began / updates

    def _patience_is_over(self) -> bool:
        return 0 < self.schedule.patience <= self.progress.since_best

    def _epoch(self) -> Iterator[dict[str, Tensor]]:
        epoch = EpochBatches(self.learner, self.encoded, self.order, self.schedule, [self.seed, self.progress.epoch])
        loader = DataLoader(
            epoch,
            batch_size=None,
            sampler=range(self.progress.batch, len(epoch)),
            num_workers=self.schedule.workers,
            prefetch_factor=8 if self.schedule.workers else None,
            pin_memory=self.device.type == "cuda",
        )
        self.learner.module.train()
        for batch in loader:
            yield self._update(
                {
                    name: tensor if name in ON_CPU else tensor.to(self.device, non_blocking=True)
                    for name, tensor in batch.items()
                }
            )

    def _update(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        for group in self.optimizer.param_groups:
            group["lr"] = group["scale"] * self._rate()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.schedule.precision == "bfloat16"):
            loss, parts = self.learner.loss(batch)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.learner.module.parameters(), self.schedule.clip)
        self.optimizer.step()
        self.progress.update += 1
        self.progress.batch += 1
        return {"loss": loss.detach(), **parts}

    def _rate(self) -> float:
        update, schedule = self.progress.update, self.schedule
        warm = min(1.0, (update + 1) / max(1, schedule.warmup))
        if schedule.decay == "cosine":
            share = min(1.0, update / max(1, self.updates))
            return schedule.rate * warm * 0.5 * (1 + math.cos(math.pi * share))
        if schedule.decay == "linear":
            return schedule.rate * min(warm, (self.updates - update) / max(1, self.updates - schedule.warmup))
        return schedule.rate * warm

    def _validate(self) -> None:
        """Score each validation set; the first one decides which weights are best."""
        self.learner.module.eval()
        scores = {name: 100 * self.score(self.learner, examples) for name, examples in self.valid.items()}
        if not scores:  # nothing to choose by: keep the last weights
            checkpoints.save_weights(self.folder / WEIGHTS, self.learner.module)
            return
        self._add_point(scores)
        value = next(iter(scores.values()))
        if value > self.progress.best:
            self.progress.best, self.progress.since_best = value, 0
            checkpoints.save_weights(self.folder / WEIGHTS, self.learner.module)
        else:
            self.progress.since_best += 1

    def _add_point(self, values: Mapping[str, float]) -> None:
        point = {"update": self.progress.update, "epoch": self.progress.epoch, "time": round(time.time(), 1), **values}
        with (self.folder / CURVES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(point) + "\n")
        shown = "  ".join([f"{name} {value:.3f}" for name, value in values.items()])
        self.log(f"epoch {self.progress.epoch}  update {self.progress.update}/{self.updates}  {shown}")

    def _checkpoint(self) -> None:
        checkpoints.save(self.folder, self.learner.module, self.optimizer, asdict(self.progress))


def train_in_folder(
    learner: Learner,
    recipe: TrainingRecipe,
    train: Iterable[tuple[Source, Iterable[Any]]],
    valid: Iterable[tuple[Source, Iterable[Any]]],
    folder: Path,
    network: Mapping[str, Any],
    *,
    score: Score,
    device: str,
    resume: bool,
    log: Log,
    over: Over = never_over,
) -> dict[str, Any]:
    """Train by a recipe, draw the curves, and write and return what `model.json` holds."""
    began = time.time()
    run = TrainingRun(
        learner,
        recipe.schedule,
        [(source.repeat, examples) for source, examples in train],
        {f"{source.stem}:{number}": list(examples) for number, (source, examples) in enumerate(valid)},
        folder,
        score=score,
        seed=recipe.seed,
        device=device,
        over=over,
        log=log,
    )
    count = sum(p.numel() for p in learner.module.parameters())
    log(f"{recipe.model}: {count / 1e6:.1f} M parameters, {len(run.encoded):,} documents")
    if resume:
        run.resume()
    progress = run.fit()
    summary = {
        "model": recipe.model,
        "network": dict(network),
        "recipe": asdict(recipe),
        "parameters": count,
        "updates": progress.update,
        "best F1@O": round(progress.best, 2),
        "seconds": round(time.time() - began),
        "device": torch.cuda.get_device_name() if device.startswith("cuda") else device,
    }
    (folder / MODEL).write_text(json.dumps(summary, indent=1, default=str), encoding="utf-8")
    picture = curves.picture(curves.read_curves(folder / CURVES), f"Training of {recipe.model}")
    (folder / "curves.svg").write_text(picture, encoding="utf-8")
    return summary


def require_untrained(folder: Path, *, resume: bool) -> None:
    if (folder / MODEL).exists() and not resume:
        raise InputError(f"{folder}: a model was trained here already; choose another folder, or resume")


def check_device(device: str) -> None:
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ConfigError(f"device {device!r} is not available: {str(error).splitlines()[0]}") from None
