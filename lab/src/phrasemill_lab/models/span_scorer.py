"""What the span scorer is trained on, windows of pieces and the candidates in them, and how well keyphrases rank."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from phrasemill.methods.encoder.scorer import Pooled, pool
from phrasemill.methods.encoder.windows import BertPieces, occurrences, windows
from phrasemill.methods.learned.background import WIDTH
from phrasemill.methods.learned.model import LearnedModel
from phrasemill.methods.pieces import padded
from phrasemill.methods.styles import ENCODER_PIECES, GENERAL
from phrasemill.text.analyse import analyse
from phrasemill.training.learned import gold_keys, key, keys_of
from phrasemill.types import Candidates, Document
from phrasemill_lab.models.sources import number_of
from phrasemill_lab.models.tree_examples import Labels, chosen
from phrasemill_lab.networks.span_scorer import SpanLabels, Spans, SpanScorer, best, distillation, losses

GENERAL_PIECE = ENCODER_PIECES.index(GENERAL)
SCORED_TOGETHER = 128
KINDS, RANKED = 0.1, 2.0  # the weights of two parts of the loss
UNLABELLED_GENERAL = 0.5  # the share of windows without labels that are read in `general`
MULTIPLE = 8  # attention is faster over such numbers of pieces
Array: TypeAlias = npt.NDArray[Any]
LEAST, OTHER_WORDING = 0.6, 0.6


class WindowExample(NamedTuple):
    """A window to learn from."""

    document: int  # its number in the source
    style: int
    pieces: Array  # (P,)
    first: Array  # (O,) the first piece of each occurrence of a candidate …
    last: Array  # (O,) … and its last
    words: Array  # (O,)
    candidate: Array  # (O,) its number in the document
    chosen: Array  # (candidates of the document,) what it is worth as a keyphrase, 0 to 1
    taught: Any = None  # (2, O) a teacher's scores, read in the window's style and in `general`
    labelled: bool = True  # whether `chosen` is known


def windows_of(
    document: Document, style: str, model: LearnedModel, pieces: BertPieces, labels: Labels | None
) -> list[WindowExample]:
    """Return the windows of a numbered document, with the candidates that `learned` proposes. Without `labels` the gold
    is in order of importance."""
    candidates = model.shapes.propose(analyse(document.content, language=document.language))
    worth = _worth(document, candidates, model, labels)
    title, body = candidates.analysis.view.bounds
    place, in_style = number_of(document), ENCODER_PIECES.index(style)
    found = []
    for window in windows(candidates.analysis, pieces, title=title, body=body):
        here = occurrences(candidates, window)
        order = np.lexsort((here.last, here.first))
        first, last, words, number = (
            one[order].astype(np.uint16) for one in (here.first, here.last, here.words, here.candidate)
        )
        read = window.pieces.astype(np.uint16)
        found.append(WindowExample(place, in_style, read, first, last, words, number, worth))
    return found


def _worth(document: Document, candidates: Candidates, model: LearnedModel, labels: Labels | None) -> Array:
    """Return what each candidate is worth. Where keyphrases are in order of importance, it is 1 for the first, LEAST
    for the last, and a part of that for another wording than the preferred one."""
    keys = keys_of(candidates)
    if labels is not None:
        rows = np.zeros((len(keys), WIDTH), np.float32)
        if labels is not chosen:
            found = model.background.rows(candidates, model.shapes).some(0, len(keys))
            rows = np.frombuffer(found, dtype=np.float32).reshape(-1, WIDTH)
        return np.array(labels(keys, rows, gold_keys(document)), np.float32)
    worth: dict[str, float] = {}
    last = max(1, len(document.references) - 1)
    for place, reference in enumerate(document.references):
        value = 1 - (1 - LEAST) * place / last
        for number, one in enumerate((reference,) if isinstance(reference, str) else reference):
            wording = key(one)
            worth[wording] = max(worth.get(wording, 0.0), value if number == 0 else value * OTHER_WORDING)
    return np.array([worth.get(one, 0.0) for one in keys], np.float32)


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
        columns = collate([one._replace(style=style) for one, style in zip(batch, styles, strict=True)], self.pieces)
        taught = []  # NaN where a teacher has not read a window in this style
        for one, style in zip(batch, styles, strict=True):
            known = one.taught is not None and style in (one.style, GENERAL_PIECE)
            taught.append(one.taught[int(style == GENERAL_PIECE)] if known else np.full(len(one.first), np.nan))
        columns["taught"] = torch.from_numpy(np.concatenate(taught).astype(np.float32))
        columns["labelled"] = torch.tensor([float(one.labelled) for one in batch])
        columns["kind"] = torch.tensor([one.style - 1 for one in batch])
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
        count, rows = len(labels.label), len(batch["pieces"])
        scored = self.module(batch["pieces"], _spans(batch))
        scores = best(scored.spans, labels.candidate, count)
        kinds = F.cross_entropy(scored.kinds, batch["kind"])
        taught = best(batch["taught"].nan_to_num(-1e4), labels.candidate, count)
        taught = taught.masked_fill(taught < -1e3, torch.nan)
        weight = (1 - self.teacher * taught.isfinite()) * batch["labelled"][labels.window]
        alone, against = losses(scores, labels, rows, weight)
        alike, ranked = distillation(scores, taught, labels.window, rows)
        total = alone + against + self.teacher * (alike + RANKED * ranked) + KINDS * kinds
        return total, {"alone": alone, "against": against, "alike": alike, "ranked": ranked, "kinds": kinds}


def _spans(batch: Mapping[str, Tensor]) -> Spans:
    return Spans(*[batch[name] for name in Spans._fields])


def collate(batch: Sequence[WindowExample], pieces: BertPieces) -> dict[str, Tensor]:
    """Return a batch as tensors; candidates are numbered through the batch, separately for windows of one document."""
    sources = [np.concatenate([[pieces.first_style + one.style], one.pieces, [pieces.end]]) for one in batch]
    numbers, places, labels, count = [], [], [], 0
    for row, one in enumerate(batch):
        here, number = np.unique(one.candidate, return_inverse=True)
        numbers.append(number + count)
        places.append(np.full(len(here), row))
        labels.append(one.chosen[here])
        count += len(here)
    columns = {
        "pieces": padded(sources, width=-(-max(map(len, sources)) // MULTIPLE) * MULTIPLE),
        "window": np.repeat(np.arange(len(batch)), [len(one.first) for one in batch]),
        "first": _joined([one.first for one in batch]) + 1,  # after the style
        "last": _joined([one.last for one in batch]) + 1,
        "words": _joined([one.words for one in batch]),
        "chosen_candidate": _joined(numbers),
        "chosen_window": _joined(places),
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
            for name, values in collate([examples[i] for i in numbers], learner.pieces).items()
        }
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            scored = module(batch["pieces"], _spans(batch))
        ends = np.cumsum([len(examples[i].first) for i in numbers])
        spans = np.split(scored.spans.cpu().numpy(), ends[:-1])
        yield from zip(numbers, map(WindowScores, spans, scored.kinds.softmax(-1).cpu().numpy()), strict=True)


def in_style(examples: Sequence[WindowExample], style: str) -> list[WindowExample]:
    return [one._replace(style=ENCODER_PIECES.index(style)) for one in examples]


def pooled(learner: SpanLearner, examples: Sequence[WindowExample]) -> dict[int, Pooled]:
    """Return the candidates' scores per document."""
    scores = dict(window_scores(learner, examples))
    documents: dict[int, list[int]] = {}
    for number, one in enumerate(examples):
        documents.setdefault(one.document, []).append(number)
    return {
        document: pool(
            np.concatenate([examples[number].candidate for number in numbers]),
            np.concatenate([scores[number].spans for number in numbers]),
            len(examples[numbers[0]].chosen),
            np.array([scores[number].kinds for number in numbers]),
        )
        for document, numbers in documents.items()
    }


def r_precision(learner: SpanLearner, examples: Sequence[WindowExample]) -> float:
    """Return the share of keyphrases among as many top candidates as there are keyphrases; mean over documents."""
    marks = {one.document: one.chosen > 0 for one in examples}
    shares = []
    for document, found in pooled(learner, examples).items():
        right = marks[document]
        if count := int(right.sum()):
            shares.append(float(right[np.argsort(-found.best, kind="stable")[:count]].mean()))
    return float(np.mean(shares)) if shares else 0.0
