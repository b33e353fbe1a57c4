"""The training loop: AdamW, warm-up, a falling rate, clipped gradients; the weights with the best score are kept.

Models differ in their `Learner`. The seed decides everything: on the CPU the same seed gives the same weights.
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from phrasemill.errors import DataError

CLIP = 1.0  # the largest norm of all gradients
WINDOW = 50  # batches that are filled together, by length
ON_CPU = ("lengths",)  # of a batch: what networks read on the CPU, so that they need not wait for the device


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a network is trained; a table of a recipe."""

    epochs: int = 10
    batch: int = 256
    rate: float = 1e-3
    encoder_rate: float = 1.0  # the part of the rate that pretrained weights get
    warmup: int = 0  # updates until the full rate
    decay: str = "none"  # or "cosine", "linear"
    weight_decay: float = 0.0
    precision: str = "float32"  # or "bfloat16"
    search: str = "greedy"  # how validation decodes
    validate: int = 1  # epochs between validations
    workers: int = 0  # processes that make batches

    def rate_at(self, update: int, updates: int) -> float:
        warm = min(1.0, (update + 1) / max(1, self.warmup))
        if self.decay == "cosine":
            return self.rate * warm * 0.5 * (1 + math.cos(math.pi * min(1.0, update / max(1, updates))))
        if self.decay == "linear":
            return self.rate * min(warm, (updates - update) / max(1, updates - self.warmup))
        return self.rate * warm


class Learner(Protocol):
    """A network that can be trained: it makes batches of examples, and losses of batches."""

    @property
    def module(self) -> torch.nn.Module: ...

    def size(self, example: Any) -> int: ...

    def collate(self, batch: Sequence[Any], rng: np.random.Generator) -> dict[str, Tensor]: ...

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]: ...


class EpochBatches(Dataset[dict[str, Tensor]]):
    """The batches of one epoch; the seed and the epoch's number decide which examples, in which order, varied how."""

    def __init__(self, learner: Learner, examples: Sequence[Any], order: Sequence[int], size: int, seed: list[int]):
        self.learner, self.examples, self.seed = learner, examples, seed
        rng = np.random.default_rng(seed)
        shuffled = rng.permutation(np.asarray(order))
        batches: list[list[int]] = []
        for start in range(0, len(shuffled), WINDOW * size):
            window = sorted(shuffled[start : start + WINDOW * size], key=lambda i: learner.size(examples[i]))
            batches += [window[i : i + size] for i in range(0, len(window), size)]
        self.batches = [batches[i] for i in rng.permutation(len(batches))]

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, number: int) -> dict[str, Tensor]:
        rng = np.random.default_rng([*self.seed, number])
        return self.learner.collate([self.examples[i] for i in self.batches[number]], rng)


def train(
    learner: Learner,
    schedule: Schedule,
    sources: Iterable[tuple[int, Iterable[Any]]],  # how often an epoch has the examples of each source, and these
    valid: Mapping[str, Sequence[Any]],  # the first set decides which weights are kept; without sets, the last are
    score: Callable[[Any, Sequence[Any]], float],  # of a learner on a validation set, from 0 to 1
    weights: Path,
    *,
    seed: int = 1,
    device: str = "cpu",
    log: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Train the learner, which ends with its best weights; they are also in the file `weights`. A file beside it that
    ends in `.jsonl` has a line per epoch: the means of the losses, and scores in percent. Return the best score, and
    counts."""
    every: list[Any] = []
    order: list[int] = []
    for repeat, examples in sources:
        first = len(every)
        every += examples
        order += list(range(first, len(every))) * repeat
    if not order:
        raise DataError("no documents to train on")
    place = torch.device(device)
    module = learner.module.to(place)
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(seed)
    pretrained = [p for name, p in module.named_parameters() if name.startswith("encoder.")]
    known = set(map(id, pretrained))
    groups = [{"params": [p for p in module.parameters() if id(p) not in known]}, {"params": pretrained}]
    adam = torch.optim.AdamW(groups, lr=schedule.rate, weight_decay=schedule.weight_decay, fused=place.type == "cuda")
    updates = math.ceil(len(order) / schedule.batch) * schedule.epochs
    weights.parent.mkdir(parents=True, exist_ok=True)
    journal = weights.with_suffix(".jsonl")
    journal.write_text("", encoding="utf-8")
    began, update, best = time.time(), 0, -1.0
    for epoch in range(schedule.epochs):
        batches = EpochBatches(learner, every, order, schedule.batch, [seed, epoch])
        module.train()
        sums: dict[str, Tensor] = {}
        for batch in DataLoader(
            batches, batch_size=None, num_workers=schedule.workers, pin_memory=place.type == "cuda"
        ):
            for group, scale in zip(adam.param_groups, (1.0, schedule.encoder_rate), strict=True):
                group["lr"] = scale * schedule.rate_at(update, updates)
            given = {name: one if name in ON_CPU else one.to(place, non_blocking=True) for name, one in batch.items()}
            with torch.autocast(place.type, torch.bfloat16, enabled=schedule.precision == "bfloat16"):
                loss, parts = learner.loss(given)
            adam.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(module.parameters(), CLIP)
            adam.step()
            update += 1
            for name, part in {"loss": loss, **parts}.items():
                sums[name] = sums.get(name, torch.zeros((), device=place)) + part.detach()
        line: dict[str, Any] = {"epoch": epoch + 1, "updates": update, "seconds": round(time.time() - began)}
        line |= {name: round(float(total) / len(batches), 4) for name, total in sums.items()}
        last = epoch + 1 == schedule.epochs
        if last or (epoch + 1) % schedule.validate == 0:
            module.eval()
            scores = {name: round(100 * score(learner, some), 2) for name, some in valid.items()}
            line |= scores
            value = next(iter(scores.values()), float(update))
            if value > best:
                best = value
                save_weights(weights, module)
        with journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        log("  ".join([f"{name} {value:,}" for name, value in line.items()]))
    module.load_state_dict(load_file(weights))
    module.eval()
    count = sum(p.numel() for p in module.parameters())
    return {"best": best, "updates": update, "documents": len(every), "parameters": count}


def save_weights(path: Path, module: torch.nn.Module) -> None:
    save_file({name: value.detach().cpu().contiguous() for name, value in module.state_dict().items()}, path)
