"""The span scorer in ONNX Runtime, without PyTorch: what it says of each candidate of a document."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phrasemill.methods.encoder.pool import Pooled, pool
from phrasemill.methods.encoder.windows import BertPieces, occurrences, source, windows
from phrasemill.methods.onnx_file import OpenedModel, open_model
from phrasemill.types import Candidates

KIND, SCORE = "encoder model", "score"


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """A model file, opened."""

    file: OpenedModel
    pieces: BertPieces

    @classmethod
    def open(cls, path: Path, *, threads: int = 1) -> "Scorer":
        file = open_model(path, KIND, threads=threads)
        return cls(file, BertPieces(file.vocabulary.splitlines()))

    def scores(self, candidates: Candidates, style: str, *, title: int, body: int) -> Pooled:
        """Of the candidates in the tokens before `body`, window by window."""
        session = self.file.session(SCORE)
        which, found = [np.zeros(0, np.int64)], [np.zeros(0, np.float32)]
        for window in windows(candidates.analysis, self.pieces, title=title, body=body):
            here = occurrences(candidates, window)
            if len(here.first):
                read = source(window, style, self.pieces.marks)[None]
                spans = {"first": here.first + 1, "last": here.last + 1, "words": here.words}
                found += session.run(["scores"], {"source": read, **spans})
                which.append(here.candidate)
        return pool(np.concatenate(which), np.concatenate(found), len(candidates))
