"""The span scorer: a pretrained encoder reads a window of text, and every candidate in it gets a score.

The idea is JointKPE's (Sun et al., 2021): a phrase is represented by the encoder's states of its words in context, and
ranked against the other phrases of its text. A span's vector is the sum of what its first piece, its last piece, the
mean of its pieces, the whole window and its length contribute, so that thousands of spans cost less than one layer of
the encoder. The first piece of the source is the style (`styles.ENCODER_PIECES`).

Shapes: B windows, P pieces, O occurrences of candidates, C candidates, D width.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from phrasemill.lab.networks.transformer import TransformerLayer, TransformerSizes, initialise, read

LONGEST = 8  # words of a span; longer ones count as this long


class Spans(NamedTuple):
    """Where candidates occur, over all windows of a batch."""

    window: Tensor  # (O,)
    first: Tensor  # (O,) piece
    last: Tensor  # (O,) piece
    words: Tensor  # (O,)


class SpanLabels(NamedTuple):
    """Which candidates of a batch are keyphrases."""

    candidate: Tensor  # (O,) of each occurrence
    window: Tensor  # (C,)
    label: Tensor  # (C,) 1 where it is a keyphrase


class MiniLM(nn.Module):
    def __init__(self, sizes: TransformerSizes) -> None:
        super().__init__()
        self.embedding = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Embedding(sizes.positions, sizes.width)
        self.norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.layers = nn.ModuleList([TransformerLayer(sizes, reads_source=False) for _ in range(sizes.encoder_layers)])
        self.dropout = nn.Dropout(sizes.dropout)

    def forward(self, pieces: Tensor) -> Tensor:
        """pieces (B, P) → states (B, P, D)."""
        return read(pieces, self.embedding, self.positions, self.norm, self.dropout, self.layers)


class SpanScorer(nn.Module):
    def __init__(self, sizes: TransformerSizes) -> None:
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.encoder = MiniLM(sizes)
        self.first = nn.Linear(width, width)
        self.last = nn.Linear(width, width, bias=False)
        self.mean = nn.Linear(width, width, bias=False)
        self.whole = nn.Linear(width, width, bias=False)
        self.length = nn.Embedding(LONGEST + 1, width)
        self.hidden = nn.Linear(width, width)
        self.score = nn.Linear(width, 1)
        self.dropout = nn.Dropout(sizes.dropout)
        self.apply(initialise)

    def forward(self, pieces: Tensor, spans: Spans) -> Tensor:
        """Return the log-odds (O,) that each occurrence is one of a keyphrase."""
        states = self.encoder(pieces)
        count = pieces.shape[1]
        first = self.first(states).flatten(0, 1)[spans.window * count + spans.first]  # (O, D)
        last = self.last(states).flatten(0, 1)[spans.window * count + spans.last]
        sums = F.pad(self.mean(states).float().cumsum(1), (0, 0, 1, 0)).flatten(0, 1)  # (B * (P + 1), D)
        at = spans.window * (count + 1)
        inside = (sums[at + spans.last + 1] - sums[at + spans.first]) / (spans.last - spans.first + 1)[:, None]
        whole = self.whole(states[:, 0])[spans.window]
        vector = F.gelu(first + last + inside.to(first.dtype) + whole + self.length(spans.words.clamp(max=LONGEST)))
        scored: Tensor = self.score(F.gelu(self.hidden(self.dropout(vector)))).squeeze(-1).float()
        return scored


def best(scores: Tensor, candidate: Tensor, count: int) -> Tensor:
    """Return the score (C,) of each candidate: its best occurrence's."""
    empty = scores.new_full((count,), -1e4)
    return empty.scatter_reduce(0, candidate, scores, "amax", include_self=True)


def losses(scores: Tensor, labels: SpanLabels, windows: int) -> tuple[Tensor, Tensor]:
    """Return the losses of candidates' scores (C,), each alone and against those of the same window.

    Both are sums over the batch, divided by the number of keyphrases in it: dividing window by window gives windows
    with a single keyphrase a weight that makes training noisy.
    """
    alone = F.binary_cross_entropy_with_logits(scores, labels.label, reduction="sum")
    others = scores.masked_fill(labels.label > 0, -1e4)
    top = scores.new_full((windows,), -1e4).scatter_reduce(0, labels.window, others.detach(), "amax")
    weights = (others - top[labels.window]).exp() * (1 - labels.label)
    below = scores.new_zeros(windows).scatter_add(0, labels.window, weights)
    rest = (below + 1e-9).log() + top  # (B,) log of the sum over candidates that are no keyphrases
    against = ((torch.logaddexp(scores, rest[labels.window]) - scores) * labels.label).sum()
    keyphrases = labels.label.sum().clamp(min=1)
    return alone / keyphrases, against / keyphrases
