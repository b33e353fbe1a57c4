"""How the span scorer is trained: what a batch consists of, and how well keyphrases rank among the candidates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from phrasemill.methods.encoder.scorer import Pooled, pool
from phrasemill.methods.encoder.windows import BertPieces, WindowMarks
from phrasemill.methods.padding import padded
from phrasemill.methods.styles import ENCODER_PIECES, GENERAL
from phrasemill_lab.models.windows import Array, WindowExample
from phrasemill_lab.networks.span_scorer import SpanLabels, Spans, SpanScorer, best, distillation, losses

GENERAL_PIECE = ENCODER_PIECES.index(GENERAL)
SCORED_TOGETHER = 128
KINDS, RANKED = 0.1, 2.0  # the weights of two parts of the loss
UNLABELLED_GENERAL = 0.5  # the share of windows without labels that are read in `general`
MULTIPLE = 8  # attention is faster over such numbers of pieces


@dataclass(slots=True)
class SpanLearner:
    """The span scorer, as the training loop needs it.

    `general` is the share of each style's windows that are read in the style `general`, so that the network learns to
    tell the kind of a text; `lent` maps a style to another one that also learns from its windows, and to the share of
    them. Where a teacher has scored a window, its scores are a share `teacher` of the loss, and where there are no
    labels, all of it.
    """

    module: SpanScorer
    pieces: BertPieces
    general: Mapping[str, float] = field(default_factory=dict)
    lent: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    teacher: float = 0.0

    def size(self, example: WindowExample) -> int:
        return len(example.pieces)

    def collate(self, batch: Sequence[WindowExample], rng: np.random.Generator) -> dict[str, Tensor]:
        styles = [self._style(one, rng) for one in batch]
        columns = collate(
            [one._replace(style=style) for one, style in zip(batch, styles, strict=True)], self.pieces.marks
        )
        columns["kind"] = torch.tensor([one.style - 1 for one in batch])
        if self.teacher:
            taught = [taught_in(style, one) for one, style in zip(batch, styles, strict=True)]
            columns["taught"] = torch.from_numpy(np.concatenate(taught).astype(np.float32))
            columns["labelled"] = torch.tensor([float(one.labelled) for one in batch])
        return columns

    def _style(self, window: WindowExample, rng: np.random.Generator) -> int:
        chance = rng.random()
        name = ENCODER_PIECES[window.style]
        general = self.general.get(name, 0.0) if window.labelled else UNLABELLED_GENERAL
        if chance < general:
            return GENERAL_PIECE
        other, share = self.lent.get(name, ("", 0.0)) if window.labelled else ("", 0.0)
        return ENCODER_PIECES.index(other) if chance < general + share else window.style

    def loss(self, batch: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        labels = SpanLabels(*[batch[f"chosen_{name}"] for name in SpanLabels._fields])
        count, windows = len(labels.label), len(batch["pieces"])
        scored = self.module(batch["pieces"], _spans(batch))
        scores = best(scored.spans, labels.candidate, count)
        kinds = F.cross_entropy(scored.kinds, batch["kind"])
        if "taught" not in batch:
            alone, against = losses(scores, labels, windows)
            return alone + against + KINDS * kinds, {"alone": alone, "against": against, "kinds": kinds}
        taught = best(batch["taught"].nan_to_num(-1e4), labels.candidate, count)
        taught = taught.masked_fill(taught < -1e3, torch.nan)
        weight = (1 - self.teacher * taught.isfinite()) * batch["labelled"][labels.window]
        alone, against = losses(scores, labels, windows, weight)
        alike, ranked = distillation(scores, taught, labels.window, windows)
        total = alone + against + self.teacher * (alike + RANKED * ranked) + KINDS * kinds
        parts = {"alone": alone, "against": against, "alike": alike, "ranked": ranked, "kinds": kinds}
        return total, {name: value.detach() for name, value in parts.items()}


def taught_in(style: int, window: WindowExample) -> Array:
    """Return a teacher's scores of a window that is read in a style; NaN where it has not read it so."""
    if window.taught is None or style not in (window.style, GENERAL_PIECE):
        return np.full(len(window.first), np.nan, np.float32)
    scores: Array = window.taught[1 if style == GENERAL_PIECE else 0]
    return scores


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
        "pieces": padded(sources, width=-(-max(map(len, sources)) // MULTIPLE) * MULTIPLE),
        "window": np.repeat(np.arange(len(batch)), [len(one.first) for one in batch]),
        "first": _joined([one.first for one in batch]) + 1,  # after the style
        "last": _joined([one.last for one in batch]) + 1,
        "words": _joined([one.words for one in batch]),
        "chosen_candidate": _joined(numbers),
        "chosen_window": _joined(windows),
        "chosen_label": np.concatenate(labels).astype(np.float32),
    }
    return {name: torch.from_numpy(values) for name, values in columns.items()}


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts).astype(np.int64)


class WindowScores(NamedTuple):
    """What the network says of a window."""

    spans: Array  # (O,)
    kinds: Array  # (K,) probabilities


@torch.no_grad()
def window_scores(learner: SpanLearner, examples: Sequence[WindowExample]) -> Iterator[tuple[int, WindowScores]]:
    """Yield the scores of each window, with the window's number; windows of similar length together."""
    module = learner.module
    device = next(module.parameters()).device
    order = sorted(range(len(examples)), key=lambda i: len(examples[i].pieces))
    module.eval()
    for start in range(0, len(order), SCORED_TOGETHER):
        numbers = order[start : start + SCORED_TOGETHER]
        batch = {
            name: values.to(device, non_blocking=True)
            for name, values in collate([examples[i] for i in numbers], learner.pieces.marks).items()
        }
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            scored = module(batch["pieces"], _spans(batch))
        ends = np.cumsum([len(examples[i].first) for i in numbers])
        spans = np.split(scored.spans.cpu().numpy(), ends[:-1])
        yield from zip(numbers, map(WindowScores, spans, scored.kinds.softmax(-1).cpu().numpy()), strict=True)


def in_style(windows: Sequence[WindowExample], style: str) -> list[WindowExample]:
    return [one._replace(style=ENCODER_PIECES.index(style)) for one in windows]


def pooled(learner: SpanLearner, windows: Sequence[WindowExample]) -> dict[int, Pooled]:
    """Return the candidates' scores per document."""
    scores = dict(window_scores(learner, windows))
    documents: dict[int, list[int]] = {}
    for number, window in enumerate(windows):
        documents.setdefault(window.document, []).append(number)
    return {
        document: pool(
            np.concatenate([windows[number].candidate for number in numbers]),
            np.concatenate([scores[number].spans for number in numbers]),
            len(windows[numbers[0]].chosen),
            np.array([scores[number].kinds for number in numbers]),
        )
        for document, numbers in documents.items()
    }


def r_precision(learner: SpanLearner, windows: Sequence[WindowExample]) -> float:
    """Return the share of keyphrases among as many top candidates as there are keyphrases; mean over documents."""
    marks = {one.document: one.chosen > 0 for one in windows}
    shares = []
    for document, found in pooled(learner, windows).items():
        chosen = marks[document]
        if count := int(chosen.sum()):
            shares.append(float(chosen[np.argsort(-found.best, kind="stable")[:count]].mean()))
    return float(np.mean(shares)) if shares else 0.0
