"""Teaching the span scorer: what a batch is made of, and how well it tells keyphrases from other candidates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from phrasemill.lab.networks.span_scorer import Chosen, Spans, SpanScorer, best, losses
from phrasemill.lab.training.span_examples import Array, Example
from phrasemill.methods.encoder.pool import Pooled, pool
from phrasemill.methods.encoder.windows import Marks
from phrasemill.methods.styles import ENCODER_PIECES, GENERAL

GENERAL_PIECE = ENCODER_PIECES.index(GENERAL)
SCORED_TOGETHER = 128


class Held(NamedTuple):
    """A window of a document that is kept out of training."""

    document: int
    example: Example


@dataclass(slots=True)
class SpanLearner:
    """The span scorer, as the training loop drives it.

    So that `general` is learned from everybody, a share of windows is read in that style whoever chose; `lent` says
    which other style learns from a style's windows, too, and from what share of them.
    """

    module: SpanScorer
    marks: Marks
    general: float = 0.2
    lent: Mapping[str, tuple[str, float]] | None = None

    def encode(self, example: Example) -> Example:
        return example

    def size(self, example: Example) -> int:
        return len(example.pieces)

    def collate(self, batch: Sequence[Example], rng: np.random.Generator) -> dict[str, Tensor]:
        return collate([one._replace(style=self._style(one.style, rng)) for one in batch], self.marks)

    def _style(self, style: int, rng: np.random.Generator) -> int:
        chance = rng.random()
        if chance < self.general:
            return GENERAL_PIECE
        other, share = (self.lent or {}).get(ENCODER_PIECES[style], ("", 0.0))
        return ENCODER_PIECES.index(other) if chance < self.general + share else style

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        chosen = Chosen(*[batch[f"chosen_{name}"] for name in Chosen._fields])
        scores = best(self.module(batch["pieces"], _spans(batch)), chosen.candidate, len(chosen.label))
        alone, against = losses(scores, chosen, len(batch["pieces"]))
        return alone + against, {"alone": alone.detach(), "against": against.detach()}


def _spans(batch: Mapping[str, Tensor]) -> Spans:
    return Spans(*[batch[name] for name in Spans._fields])


def collate(batch: Sequence[Example], marks: Marks) -> dict[str, Tensor]:
    """A batch as tensors; candidates are numbered through it, windows of one document apart."""
    longest = max([len(one.pieces) for one in batch]) + 2
    pieces = np.zeros((len(batch), longest), dtype=np.int64)
    numbers, windows, labels, count = [], [], [], 0
    for row, one in enumerate(batch):
        pieces[row, 0] = marks.first_style + one.style
        pieces[row, 1 : len(one.pieces) + 1] = one.pieces
        pieces[row, len(one.pieces) + 1] = marks.end
        here, number = np.unique(one.candidate, return_inverse=True)
        numbers.append(number + count)
        windows.append(np.full(len(here), row))
        labels.append(one.chosen[here])
        count += len(here)
    columns = {
        "pieces": pieces,
        "window": np.repeat(np.arange(len(batch)), [len(one.first) for one in batch]),
        "first": _joined([one.first for one in batch]) + 1,  # after the style
        "last": _joined([one.last for one in batch]) + 1,
        "words": _joined([one.words for one in batch]),
        "chosen_candidate": _joined(numbers),
        "chosen_window": _joined(windows),
        "chosen_label": _joined(labels).astype(np.float32),
    }
    return {name: torch.from_numpy(values) for name, values in columns.items()}


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts).astype(np.int64)


@torch.no_grad()
def occurrence_scores(learner: SpanLearner, examples: Sequence[Example]) -> Iterator[tuple[int, Array]]:
    """The scores of each window's occurrences, with the window's number; windows of like length together."""
    module = learner.module
    device = next(module.parameters()).device
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].pieces))
    module.eval()
    for start in range(0, len(order), SCORED_TOGETHER):
        numbers = order[start : start + SCORED_TOGETHER]
        batch = {
            name: values.to(device, non_blocking=True)
            for name, values in collate([examples[i] for i in numbers], learner.marks).items()
        }
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            scores = module(batch["pieces"], _spans(batch)).cpu().numpy()
        ends = np.cumsum([len(examples[i].first) for i in numbers])
        yield from zip(numbers, np.split(scores, ends[:-1]), strict=True)


def pooled(learner: SpanLearner, held: Sequence[Held]) -> dict[int, Pooled]:
    """The candidates' scores, document by document."""
    parts: dict[int, list[tuple[int, Array]]] = {}
    for number, scores in occurrence_scores(learner, [one.example for one in held]):
        parts.setdefault(held[number].document, []).append((number, scores))
    return {document: _pool(held, sorted(some, key=lambda one: one[0])) for document, some in parts.items()}


def _pool(held: Sequence[Held], windows: list[tuple[int, Array]]) -> Pooled:
    candidate = np.concatenate([held[number].example.candidate for number, _ in windows])
    return pool(candidate, np.concatenate([scores for _, scores in windows]), len(held[windows[0][0]].example.chosen))


def r_precision(learner: SpanLearner, held: Sequence[Held]) -> float:
    """Of as many candidates as there are keyphrases among them, the share that are; mean over documents."""
    marks = {one.document: one.example.chosen for one in held}
    shares = []
    for document, found in pooled(learner, held).items():
        chosen = marks[document]
        if count := int(chosen.sum()):
            shares.append(float(chosen[np.argsort(-found.best, kind="stable")[:count]].mean()))
    return float(np.mean(shares)) if shares else 0.0
