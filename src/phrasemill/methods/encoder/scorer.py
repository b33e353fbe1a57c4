"""The span scorer in ONNX Runtime, without PyTorch: the scores of a document's candidates, as columns for the trees."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phrasemill.methods.encoder.windows import BertPieces, occurrences, source, windows
from phrasemill.methods.onnx_file import OpenedModel, open_model
from phrasemill.methods.styles import ENCODER_KINDS
from phrasemill.types import Candidates

KIND, SCORE = "encoder model", "score"
Floats = npt.NDArray[np.float32]
NEVER = -12.0  # the score of candidates that were not read, such as those in a list of references
SCORES = ("encoder_best", "encoder_mean", "encoder_first", "encoder_gap", "encoder_rank")
COLUMNS = (*SCORES, *[f"kind_{name}" for name in ENCODER_KINDS])


class Pooled(NamedTuple):
    """The best, the mean and the first of each candidate's scores, and the probabilities of the kinds of text."""

    best: Floats
    mean: Floats
    first: Floats
    kinds: Floats


def unread(count: int) -> Pooled:
    """Return the scores of candidates that no window contains."""
    kinds = np.full(len(ENCODER_KINDS), 1 / len(ENCODER_KINDS), np.float32)
    never = np.full(count, NEVER, np.float32)
    return Pooled(never, never, never, kinds)


def pool(candidate: npt.NDArray[Any], scores: npt.NDArray[Any], count: int, kinds: npt.NDArray[Any]) -> Pooled:
    """Pool the scores of `count` candidates; `candidate` is the number of each score's, in the order of the text;
    `kinds` are the probabilities of the kinds of text, a row per window."""
    if not len(kinds):
        return unread(count)
    best = np.full(count, NEVER, np.float32)
    np.maximum.at(best, candidate, scores)
    times = np.bincount(candidate, minlength=count)
    sums = np.bincount(candidate, weights=scores, minlength=count)
    mean = np.where(times > 0, sums / np.maximum(times, 1), NEVER).astype(np.float32)
    first = np.full(count, NEVER, np.float32)
    first[candidate[::-1]] = scores[::-1]
    return Pooled(best, mean, first, kinds.mean(axis=0).astype(np.float32))


def columns(found: Pooled) -> Floats:
    """Return a row per candidate: its scores, the distance to the document's best, its rank, and the text's kind."""
    best = found.best
    gap = best - best.max(initial=NEVER)
    place = np.empty(len(best), np.float32)
    place[np.argsort(-best, kind="stable")] = np.arange(len(best))
    kinds = np.broadcast_to(found.kinds, (len(best), len(found.kinds)))
    return np.column_stack([best, found.mean, found.first, gap, np.log1p(place), kinds]).astype(np.float32)


def softmax(values: Floats) -> Floats:
    powers = np.exp(values - values.max())
    shares: Floats = powers / powers.sum()
    return shares


@dataclass(frozen=True, slots=True, eq=False)
class SpanScorerModel:
    """An opened model file."""

    file: OpenedModel
    pieces: BertPieces

    @classmethod
    def open(cls, path: Path) -> "SpanScorerModel":
        file = open_model(path, KIND)
        return cls(file, BertPieces(file.vocabulary.splitlines()))

    def scores(self, candidates: Candidates, style: str, *, title: int, body: int) -> Pooled:
        """Score the candidates in the tokens before `body`, window by window."""
        session = self.file.session(SCORE)
        which, found, kinds = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)], []
        for window in windows(candidates.analysis, self.pieces, title=title, body=body):
            here = occurrences(candidates, window)
            if len(here.first):
                read = source(window, style, self.pieces)[None]
                spans = {"first": here.first + 1, "last": here.last + 1, "words": here.words}
                scored, kind = session.run(["scores", "kinds"], {"source": read, **spans})
                found.append(scored)
                kinds.append(softmax(kind))
                which.append(here.candidate)
        return pool(np.concatenate(which), np.concatenate(found), len(candidates), np.array(kinds))
