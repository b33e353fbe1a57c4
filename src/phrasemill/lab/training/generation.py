"""The training loop: batches, updates, checkpoints, validation; models differ in their `Learner`.

Given the seed, everything is decided by the numbers of epoch and batch, so that a run which was interrupted goes on
where its last checkpoint was and ends as if nothing had happened (on a GPU, up to the order of its sums).
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from phrasemill.errors import DataError
from phrasemill.evaluation import evaluate
from phrasemill.lab.training import checkpoints
from phrasemill.lab.training.generation_examples import Example, Words
from phrasemill.lab.training.recipes import Recipe, Schedule
from phrasemill.types import Document

Say = Callable[[str], None]
Score = Callable[[Any, Sequence[Any]], float]  # of a learner on examples, from 0 to 1
METRIC = "F1@O"
CURVES, WEIGHTS = "curves.jsonl", "best.safetensors"
WINDOW = 50  # batches that are filled together, by length
EVALUATION_BATCH = 256


class Learner(Protocol):
    """A model that can be taught: see `training/recurrent.py`, `training/transformer.py`, `training/span_scorer.py`."""

    @property
    def module(self) -> torch.nn.Module: ...

    def encode(self, example: Any) -> Any: ...

    def size(self, encoded: Any) -> int: ...

    def collate(self, batch: Sequence[Any], rng: np.random.Generator) -> dict[str, Tensor]: ...

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]: ...


class Writer(Learner, Protocol):
    """A model that writes keyphrases."""

    def generate(self, sources: Sequence[Words], *, search: str, style: str) -> list[list[tuple[Words, float]]]: ...


@dataclass(slots=True)
class Progress:
    """Where a run stands; what a checkpoint holds besides tensors."""

    epoch: int = 0
    batch: int = 0  # within the epoch
    update: int = 0
    best: float = -1.0
    since_best: int = 0


class Epoch(Dataset[dict[str, Tensor]]):
    """The batches of one epoch: which examples, in which order, varied how, is decided by seed and number."""

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


class Run:
    """One training run, in a folder of its own."""

    def __init__(
        self,
        learner: Learner,
        recipe: Recipe,
        train: Sequence[tuple[int, Iterable[Any]]],  # how often each corpus is repeated, and its examples
        valid: Mapping[str, Sequence[Any]],
        folder: Path,
        *,
        device: str = "cpu",
        say: Say = print,
        scored_by: Score | None = None,
    ) -> None:
        self.scored_by: Score = scored_by or partial(score, search=recipe.schedule.search)
        self.learner, self.recipe, self.schedule, self.folder = learner, recipe, recipe.schedule, folder
        self.device, self.say, self.valid = torch.device(device), say, valid
        self.encoded: list[Any] = []
        self.order: list[int] = []
        for repeat, examples in train:
            first = len(self.encoded)
            self.encoded += map(learner.encode, examples)
            self.order += list(range(first, len(self.encoded))) * repeat
        if not self.order:
            raise DataError("there is nothing to train on")
        learner.module.to(self.device)
        torch.set_float32_matmul_precision("high")
        self.optimizer = self._optimizer()
        self.updates = math.ceil(len(self.order) / self.schedule.batch) * self.schedule.epochs
        self.progress = Progress()
        folder.mkdir(parents=True, exist_ok=True)

    def _optimizer(self) -> torch.optim.AdamW:
        slow = [p for name, p in self.learner.module.named_parameters() if name.startswith("encoder.")]
        slow_ids = set(map(id, slow))
        rest = [p for p in self.learner.module.parameters() if id(p) not in slow_ids]
        rate = self.schedule.rate
        groups = [{"params": rest, "scale": 1.0}, {"params": slow, "scale": self.schedule.encoder_rate}]
        return torch.optim.AdamW(groups, lr=rate, weight_decay=self.schedule.weight_decay)

    def resume(self) -> bool:
        """Go on from the checkpoint in the folder, if there is one."""
        found = checkpoints.load(self.folder, self.learner.module, self.optimizer)
        if found is None:
            return False
        self.progress = Progress(**found)
        self.say(f"resumed at epoch {self.progress.epoch + 1}, update {self.progress.update}")
        return True

    def fit(self) -> Progress:
        """Train to the end of the schedule, or until the score stops rising; the best weights stay in the folder."""
        if self.progress.update == 0:
            torch.manual_seed(self.recipe.seed)
            (self.folder / CURVES).write_text("", encoding="utf-8")
        while self.progress.epoch < self.schedule.epochs and not self._patience_is_over():
            for losses in self._epoch():
                if self.progress.update % 50 == 0:
                    self._note({name: value.item() for name, value in losses.items()})
                if self.progress.update % self.schedule.checkpoint == 0:
                    self._checkpoint()
            self.progress.epoch += 1
            self.progress.batch = 0
            if self.progress.epoch % self.schedule.validate == 0 or self.progress.epoch == self.schedule.epochs:
                self._validate()
            self._checkpoint()
        return self.progress

    def _patience_is_over(self) -> bool:
        return 0 < self.schedule.patience <= self.progress.since_best

    def _epoch(self) -> Iterator[dict[str, Tensor]]:
        epoch = Epoch(self.learner, self.encoded, self.order, self.schedule, [self.recipe.seed, self.progress.epoch])
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
            yield self._update({name: tensor.to(self.device, non_blocking=True) for name, tensor in batch.items()})

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
        """The score on each validation set; the first one decides which weights are best."""
        self.learner.module.eval()
        scores = {name: 100 * self.scored_by(self.learner, examples) for name, examples in self.valid.items()}
        if not scores:  # nothing to choose by: the last weights it is
            checkpoints.save_weights(self.folder / WEIGHTS, self.learner.module)
            return
        self._note(scores)
        value = next(iter(scores.values()))
        if value > self.progress.best:
            self.progress.best, self.progress.since_best = value, 0
            checkpoints.save_weights(self.folder / WEIGHTS, self.learner.module)
        else:
            self.progress.since_best += 1

    def _note(self, values: Mapping[str, float]) -> None:
        point = {"update": self.progress.update, "epoch": self.progress.epoch, "time": round(time.time(), 1), **values}
        with (self.folder / CURVES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(point) + "\n")
        shown = "  ".join([f"{name} {value:.3f}" for name, value in values.items()])
        self.say(f"epoch {self.progress.epoch}  update {self.progress.update}/{self.updates}  {shown}")

    def _checkpoint(self) -> None:
        checkpoints.save(self.folder, self.learner.module, self.optimizer, asdict(self.progress))


def score(learner: Writer, examples: Sequence[Example], *, search: str = "greedy", metric: str = METRIC) -> float:
    """The present phrases' F1@O (or another metric), as Yuan et al. (2020) score."""
    found: dict[str, list[str]] = {}
    generate: Callable[..., list[list[tuple[Words, float]]]] = partial(learner.generate, search=search)
    if examples[0].style != "author":  # models that know no styles are taught by authors only
        generate = partial(generate, style=examples[0].style)
    for start in range(0, len(examples), EVALUATION_BATCH):
        batch = sorted(examples[start : start + EVALUATION_BATCH], key=lambda example: len(example.words))
        lists = generate([example.words for example in batch])
        for example, phrases in zip(batch, lists, strict=True):
            found[example.id] = [" ".join(words) for words, _ in phrases]
    gold = [
        Document(one.id, " ".join(one.words), references=tuple([" ".join(w) for w in (*one.present, *one.absent)]))
        for one in examples
    ]
    wanted = f"{metric}(present='{'absent' if metric.startswith('R@') else 'present'}')"
    return evaluate(found, gold, metrics=[wanted], preset="yuan2020")[wanted]
