"""How the span scorer is trained: what a batch consists of, and how well keyphrases rank among the candidates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from phrasemill.lab.networks.span_scorer import SpanLabels, Spans, SpanScorer, best, losses
from phrasemill.lab.training.span_examples import Array, WindowExample
from phrasemill.methods.encoder.scorer import Pooled, pool
from phrasemill.methods.encoder.windows import WindowMarks
from phrasemill.methods.padding import padded
from phrasemill.methods.styles import ENCODER_PIECES, GENERAL

GENERAL_PIECE = ENCODER_PIECES.index(GENERAL)
SCORED_TOGETHER = 128


@dataclass(slots=True)
class SpanLearner:
    """The span scorer, as the training loop needs it.

    A share `general` of all windows is read in the style `general`, whoever chose their keyphrases; `lent` maps a style
    to another one that also learns from its windows, and to the share of them.
    """

    module: SpanScorer
    marks: WindowMarks
    general: float = 0.2
    lent: Mapping[str, tuple[str, float]] | None = None

    def encode(self, example: WindowExample) -> WindowExample:
        return example

    def size(self, example: WindowExample) -> int:
        return len(example.pieces)

    def collate(self, batch: Sequence[WindowExample], rng: np.random.Generator) -> dict[str, Tensor]:
        return collate([one._replace(style=self._style(one.style, rng)) for one in batch], self.marks)

    def _style(self, style: int, rng: np.random.Generator) -> int:
        chance = rng.random()
        if chance < self.general:
            return GENERAL_PIECE
        other, share = (self.lent or {}).get(ENCODER_PIECES[style], ("", 0.0))
        return ENCODER_PIECES.index(other) if chance < self.general + share else style

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        labels = SpanLabels(*[batch[f"chosen_{name}"] for name in SpanLabels._fields])
        scores = best(self.module(batch["pieces"], _spans(batch)), labels.candidate, len(labels.label))
        alone, against = losses(scores, labels, len(batch["pieces"]))
        return alone + against, {"alone": alone.detach(), "against": against.detach()}


def _spans(batch: Mapping[str, Tensor]) -> Spans:
    return Spans(*[batch[name] for name in Spans._fields])


def collate(batch: Sequence[WindowExample], marks: WindowMarks) -> dict[str, Tensor]:
    """Return a batch as tensors; candidates are numbered through the batch, separately for windows of one document."""
    sources = [np.concatenate([[marks.first_style + one.style], one.pieces, [marks.end]]) for one in batch]
    numbers, windows, labels, count = [], [], [], 0
    for row, one in enumerate(batch):
        here, number = np.unique(one.candidate, return_inverse=True)
        numbers.append(number + count)
        windows.append(np.full(len(here), row))
        labels.append(one.chosen[here])
        count += len(here)
    columns = {
        "pieces": padded(sources),
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
def occurrence_scores(learner: SpanLearner, examples: Sequence[WindowExample]) -> Iterator[tuple[int, Array]]:
    """Yield the scores of each window's occurrences, with the window's number; windows of similar length together."""
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


def pooled(learner: SpanLearner, windows: Sequence[WindowExample]) -> dict[int, Pooled]:
    """Return the candidates' scores per document."""
    scores = dict(occurrence_scores(learner, windows))
    documents: dict[int, list[int]] = {}
    for number, window in enumerate(windows):
        documents.setdefault(window.document, []).append(number)
    return {
        document: pool(
            np.concatenate([windows[number].candidate for number in numbers]),
            np.concatenate([scores[number] for number in numbers]),
            len(windows[numbers[0]].chosen),
        )
        for document, numbers in documents.items()
    }


def r_precision(learner: SpanLearner, windows: Sequence[WindowExample]) -> float:
    """Return the share of keyphrases among as many top candidates as there are keyphrases; mean over documents."""
    marks = {one.document: one.chosen for one in windows}
    shares = []
    for document, found in pooled(learner, windows).items():
        chosen = marks[document]
        if count := int(chosen.sum()):
            shares.append(float(chosen[np.argsort(-found.best, kind="stable")[:count]].mean()))
    return float(np.mean(shares)) if shares else 0.0
