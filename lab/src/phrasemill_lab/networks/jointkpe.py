"""JointKPE (Sun et al., "Capturing Global Informativeness in Open Domain Keyphrase Extraction", NLPCC 2021).

A pretrained encoder reads the text; a word is represented by its first piece. A convolution per length turns every
n-gram of up to five words into a vector, which two heads read. Ranking: a score per occurrence; a phrase has the
highest of its occurrences, and a keyphrase should score at least 1 more than every other phrase of the document.
Chunking: whether the n-gram is a keyphrase here, by cross-entropy over two classes. The two losses are added; after
training only the ranking is used.

Our reading, since we had descriptions of the paper and not its full text: a ReLU follows each convolution; losses are
means (over the pairs of a document, then over documents; over all n-grams), so that long documents do not weigh more.

Shapes: B windows or documents, P pieces, W words, D the encoder's width, C the convolutions', N n-grams (all of one
word, then all of two …), O occurrences, Q phrases.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

LONGEST = 5  # words of a phrase
WIDTH = 512  # of the convolutions
MARGIN = 1.0
CLASSES = 2


class JointInput(NamedTuple):
    """What the encoder reads."""

    pieces: Tensor  # (B, P)
    mask: Tensor  # (B, P), 1 where there is a piece
    first: Tensor  # (B, W), the first piece of each word; at least as many columns as the longest n-gram has words


class JointLabels(NamedTuple):
    """What the heads are trained on: occurrences of phrases, phrases of documents."""

    place: Tensor  # (O,), which of the B * N n-grams
    phrase: Tensor  # (O,), which of the Q phrases
    document: Tensor  # (Q,), which of the B documents
    gold: Tensor  # (Q,), true for keyphrases


class JointKPE(nn.Module):
    def __init__(
        self, encoder: Any, *, width: int = WIDTH, longest: int = LONGEST, classes: int = CLASSES, dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.encoder = encoder  # a Transformers model
        hidden = encoder.config.hidden_size
        self.convolutions = nn.ModuleList([nn.Conv1d(hidden, width, size) for size in range(1, longest + 1)])
        self.ranking = nn.Linear(width, 1)
        self.chunking = nn.Linear(width, classes)
        self.dropout = nn.Dropout(dropout)

    @property
    def longest(self) -> int:
        return len(self.convolutions)

    def ngrams(self, window: JointInput) -> Tensor:
        """Return a vector for every n-gram (B, N, C); `offsets` returns where those of each length begin."""
        read = self.encoder(input_ids=window.pieces, attention_mask=window.mask).last_hidden_state  # (B, P, D)
        at = window.first[:, :, None].expand(-1, -1, read.shape[2])  # (B, W, D)
        words = self.dropout(read.gather(1, at)).transpose(1, 2)  # (B, D, W)
        lengths = [F.relu(convolution(words)) for convolution in self.convolutions]  # (B, C, W - size + 1) each
        return self.dropout(torch.cat(lengths, 2).transpose(1, 2))

    def rank(self, window: JointInput) -> Tensor:
        """Return how informative each n-gram is (B, N)."""
        scores: Tensor = self.ranking(self.ngrams(window)).squeeze(2)
        return scores.float()

    def loss(self, window: JointInput, labels: JointLabels) -> tuple[Tensor, dict[str, Tensor]]:
        ngrams = self.ngrams(window).flatten(0, 1)[labels.place]  # (O, C)
        ranking = ranking_loss(self.ranking(ngrams).squeeze(1).float(), labels)
        chunking = F.cross_entropy(self.chunking(ngrams).float(), labels.gold[labels.phrase].long())
        return ranking + chunking, {"ranking": ranking.detach(), "chunking": chunking.detach()}


def ranking_loss(scores: Tensor, labels: JointLabels) -> Tensor:
    """Return the hinge loss over all pairs of a keyphrase and another phrase of its document; scores (O,)."""
    best = strongest(scores, labels.phrase, len(labels.document))  # (Q,)
    good = labels.gold.nonzero()[:, 0]  # (G,)
    others = (labels.document[good, None] == labels.document[None, :]) & ~labels.gold[None, :]  # (G, Q)
    hinge = F.relu(MARGIN - best[good, None] + best[None, :]).where(others, 0.0)  # (G, Q)
    pairs = others.sum(1)  # (G,): as many for every keyphrase of a document
    count = int(labels.document.max()) + 1
    zeros = hinge.new_zeros(count)
    losses = zeros.index_add(0, labels.document[good], hinge.sum(1))  # (documents,)
    sizes = zeros.index_add(0, labels.document[good], pairs.to(hinge.dtype))
    return (losses / sizes.clamp_min(1)).sum() / (sizes > 0).sum().clamp_min(1)


def strongest(scores: Tensor, phrase: Tensor, phrases: int) -> Tensor:
    """Return the highest score (Q,) of each phrase, given those of its occurrences (O,)."""
    return scores.new_full((phrases,), -torch.inf).scatter_reduce(0, phrase, scores, "amax")


def offsets(words: int, longest: int) -> list[int]:
    """Return where the n-grams of each length begin in the result of `ngrams`; their number comes last."""
    found = [0]
    for size in range(1, longest + 1):
        found.append(found[-1] + words - size + 1)
    return found
