"""The span scorer: a pretrained encoder reads a window of text, and every candidate in it gets a score.

The idea is JointKPE's (Sun et al., 2021): a phrase is represented by the encoder's states of its words in context, and
ranked against the other phrases of its text. A span's vector is the sum of what its first piece, its last piece, the
mean of its pieces, the whole window and its length contribute, so that thousands of spans cost less than one layer of
the encoder. The first piece of the source is the style (`styles.ENCODER_PIECES`). From the state of this piece the
network also says which kind of text it reads, that is, whose choice of keyphrases its text resembles.

A large scorer can teach a small one (Hinton et al., 2015): the small one learns the large one's scores besides labels.

Shapes: B windows, P pieces, O occurrences of candidates, C candidates, D width, H heads, K kinds of text.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from phrasemill.methods.encoder.windows import PAD
from phrasemill.methods.styles import ENCODER_KINDS
from phrasemill_lab.networks.transformer import TransformerLayer, TransformerSizes, initialise, layers

LONGEST = 8  # words of a span; longer ones count as this long
FARTHEST = 128  # pieces; MPNet does not tell larger distances apart


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
    label: Tensor  # (C,) what it is worth: 0 where it is no keyphrase, otherwise up to 1


class Scored(NamedTuple):
    """What the network says of a batch, as log-odds and logits."""

    spans: Tensor  # (O,) whether each occurrence is one of a keyphrase
    kinds: Tensor  # (B, K) of each window


class TextEncoder(nn.Module):
    """The encoder of BERT, or with `buckets` of MPNet (Song et al., 2020), which also knows the distances of pieces."""

    def __init__(self, sizes: TransformerSizes, *, buckets: int = 0) -> None:
        super().__init__()
        self.heads = sizes.heads
        self.embedding = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Embedding(sizes.positions, sizes.width)
        self.norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.layers = nn.ModuleList([TransformerLayer(sizes, reads_source=False) for _ in range(sizes.encoder_layers)])
        self.dropout = nn.Dropout(sizes.dropout)
        self.distances = nn.Embedding(buckets, sizes.heads) if buckets else None

    def forward(self, pieces: Tensor) -> Tensor:
        """pieces (B, P) → states (B, P, D)."""
        places = torch.arange(pieces.shape[1], device=pieces.device)
        states: Tensor = self.dropout(self.norm(self.embedding(pieces) + self.positions(places)))
        mask = (pieces != PAD)[:, None, None, :]  # (B, 1, 1, P)
        for layer in layers(self.layers):
            memory = layer.attention.remember(states)
            if self.distances is not None and mask.dtype == torch.bool:
                mask = self._biased(mask, places).to(memory[0].dtype)
            states = layer(states, memory, mask)
        return states

    def _biased(self, mask: Tensor, places: Tensor) -> Tensor:
        """Return what is added to attention (B, H, P, P): by distance, and where one must not look."""
        assert self.distances is not None
        bias = self.distances(buckets_of(places[None] - places[:, None], self.distances.num_embeddings))  # (P, P, H)
        return bias.permute(2, 0, 1)[None].masked_fill(~mask, -1e4)


def buckets_of(distance: Tensor, count: int) -> Tensor:
    """Return the number of each distance's bucket: half of them for pieces before; small distances have their own,
    larger ones share one by their logarithm (Raffel et al., 2020)."""
    half = count // 2
    exact = half // 2
    size = distance.abs()
    far = (size.clamp(min=1).float() / exact).log() / math.log(FARTHEST / exact) * (half - exact)
    within = torch.where(size < exact, size, (exact + far.long()).clamp(max=half - 1))
    return within + half * (distance > 0)


class SpanScorer(nn.Module):
    def __init__(self, sizes: TransformerSizes, *, buckets: int = 0) -> None:
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.encoder = TextEncoder(sizes, buckets=buckets)
        self.first = nn.Linear(width, width)
        self.last = nn.Linear(width, width, bias=False)
        self.mean = nn.Linear(width, width, bias=False)
        self.whole = nn.Linear(width, width, bias=False)
        self.length = nn.Embedding(LONGEST + 1, width)
        self.hidden = nn.Linear(width, width)
        self.score = nn.Linear(width, 1)
        self.kind = nn.Linear(width, len(ENCODER_KINDS))
        self.dropout = nn.Dropout(sizes.dropout)
        self.apply(initialise)

    def forward(self, pieces: Tensor, spans: Spans) -> Scored:
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
        return Scored(scored, self.kind(states[:, 0]).float())


def best(scores: Tensor, candidate: Tensor, count: int) -> Tensor:
    """Return the score (C,) of each candidate: its best occurrence's."""
    empty = scores.new_full((count,), -1e4)
    return empty.scatter_reduce(0, candidate, scores, "amax", include_self=True)


def losses(scores: Tensor, labels: SpanLabels, windows: int, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Return the losses of candidates' scores (C,), each alone and against those of the same window; `weight` (C,).

    Both are sums over the batch, divided by the number of keyphrases in it: dividing window by window gives windows
    with a single keyphrase a weight that makes training noisy.
    """
    alone = F.binary_cross_entropy_with_logits(scores, labels.label, weight, reduction="sum")
    others = scores.masked_fill(labels.label > 0, -1e4)
    top = scores.new_full((windows,), -1e4).scatter_reduce(0, labels.window, others.detach(), "amax")
    weights = (others - top[labels.window]).exp() * (labels.label == 0)
    below = scores.new_zeros(windows).scatter_add(0, labels.window, weights)
    rest = (below + 1e-9).log() + top  # (B,) log of the sum over candidates that are no keyphrases
    against = ((torch.logaddexp(scores, rest[labels.window]) - scores) * labels.label * weight).sum()
    keyphrases = labels.label.sum().clamp(min=1)
    return alone / keyphrases, against / keyphrases


def distillation(scores: Tensor, taught: Tensor, window: Tensor, windows: int) -> tuple[Tensor, Tensor]:
    """Return the losses of candidates' scores (C,) against those of a teacher, each alone, and as the distributions
    over the candidates of each window; `window` (C,) is the candidate's. NaN where nothing is taught."""
    known = taught.isfinite()
    taught = taught.masked_fill(~known, -1e4)
    wanted = taught.sigmoid()
    alone = F.binary_cross_entropy_with_logits(scores, wanted, known.to(scores.dtype), reduction="sum")
    least = (F.binary_cross_entropy_with_logits(taught.clamp(-50, 50), wanted, reduction="none") * known).sum()
    ours, theirs = (_log_shares(one.masked_fill(~known, -1e4), window, windows) for one in (scores, taught))
    ranked = (theirs.exp() * (theirs - ours) * known).sum()
    count = scores.new_zeros(windows).scatter_reduce(0, window, known.to(scores.dtype), "amax").sum().clamp(min=1)
    return (alone - least) / (wanted * known).sum().clamp(min=1), ranked / count


def _log_shares(scores: Tensor, window: Tensor, windows: int) -> Tensor:
    """Return the logarithm of the softmax over the candidates of each window."""
    top = scores.new_full((windows,), -1e4).scatter_reduce(0, window, scores.detach(), "amax")
    shifted = scores - top[window]
    return shifted - scores.new_zeros(windows).scatter_add(0, window, shifted.exp()).clamp(min=1e-9).log()[window]
