"""JointKPE (Sun et al., "Capturing Global Informativeness in Open Domain Keyphrase Extraction", NLPCC 2021).

A pretrained encoder reads the text; a word is its first piece. A convolution for each length turns every run of up to
five words into a vector, and two heads read it. Ranking: a number for each occurrence; a phrase has the highest of its
occurrences, and a keyphrase shall stand a margin of 1 above every other phrase of the document. Chunking: whether the
run is a keyphrase here, by cross-entropy over two classes. The two losses are added; in the end ranking alone counts.

Our reading, since we had descriptions of the paper and not its full text: a ReLU follows each convolution; losses are
means (over the pairs of a document, then over documents; over all runs), so that long documents do not weigh more.

Shapes: B windows or documents, P pieces, W words, D the encoder's width, C the convolutions', N runs of words (all of
one word, then all of two …), O occurrences, Q phrases.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

LONGEST = 5  # words of a phrase
WIDTH = 512  # of the convolutions
MARGIN = 1.0
CLASSES = 2


class Window(NamedTuple):
    """What the encoder reads."""

    pieces: Tensor  # (B, P)
    mask: Tensor  # (B, P), 1 where there is a piece
    first: (
        Tensor  # (B, W), the piece with which each word begins; at least as many columns as the longest run has words
    )


class Lesson(NamedTuple):
    """What the heads are taught: occurrences of phrases, phrases of documents."""

    place: Tensor  # (O,), which of the B * N runs
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

    def runs(self, window: Window) -> Tensor:
        """A vector for every run of words (B, N, C); `offsets` says where those of each length begin."""
        read = self.encoder(input_ids=window.pieces, attention_mask=window.mask).last_hidden_state  # (B, P, D)
        at = window.first[:, :, None].expand(-1, -1, read.shape[2])  # (B, W, D)
        words = self.dropout(read.gather(1, at)).transpose(1, 2)  # (B, D, W)
        lengths = [F.relu(convolution(words)) for convolution in self.convolutions]  # (B, C, W - size + 1) each
        return self.dropout(torch.cat(lengths, 2).transpose(1, 2))

    def rank(self, window: Window) -> Tensor:
        """How informative each run is (B, N)."""
        scores: Tensor = self.ranking(self.runs(window)).squeeze(2)
        return scores.float()

    def loss(self, window: Window, lesson: Lesson) -> tuple[Tensor, dict[str, Tensor]]:
        runs = self.runs(window).flatten(0, 1)[lesson.place]  # (O, C)
        ranking = ranking_loss(self.ranking(runs).squeeze(1).float(), lesson)
        chunking = F.cross_entropy(self.chunking(runs).float(), lesson.gold[lesson.phrase].long())
        return ranking + chunking, {"ranking": ranking.detach(), "chunking": chunking.detach()}


def ranking_loss(scores: Tensor, lesson: Lesson) -> Tensor:
    """The hinge over all pairs of a keyphrase and another phrase of its document; scores (O,)."""
    best = strongest(scores, lesson.phrase, len(lesson.document))  # (Q,)
    losses = []
    for document in sorted(set(lesson.document.tolist())):
        own = lesson.document == document
        good, other = best[own & lesson.gold], best[own & ~lesson.gold]
        if len(good) and len(other):
            losses.append(F.relu(MARGIN - good[:, None] + other[None, :]).mean())
    return torch.stack(losses).mean() if losses else scores.sum() * 0


def strongest(scores: Tensor, phrase: Tensor, phrases: int) -> Tensor:
    """The highest score (Q,) that each phrase has anywhere, of those of its occurrences (O,)."""
    return scores.new_full((phrases,), -torch.inf).scatter_reduce(0, phrase, scores, "amax")


def offsets(words: int, longest: int) -> list[int]:
    """Where the runs of each length begin, in what `runs` gives for so many words; their number comes last."""
    found = [0]
    for size in range(1, longest + 1):
        found.append(found[-1] + words - size + 1)
    return found
