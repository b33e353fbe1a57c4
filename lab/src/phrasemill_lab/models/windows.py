"""What the span scorer is trained on: windows of pieces, where candidates occur in them, and which are keyphrases."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill.methods.encoder.windows import BertPieces, occurrences, windows
from phrasemill.methods.learned.features import features, text_bounds
from phrasemill.methods.learned.model import WIDTH, LearnedModel
from phrasemill.methods.styles import ENCODER_PIECES
from phrasemill.text.analyse import analyse
from phrasemill.training.learned_examples import Labels, chosen, gold_keys, key, keys_of
from phrasemill.types import Candidates, Document
from phrasemill_lab.models.sources import number_of

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
    taught: Array | None = None  # (2, O) a teacher's scores, read in the window's style and in `general`
    labelled: bool = True  # whether `chosen` is known


def windows_of(
    document: Document, style: str, model: LearnedModel, pieces: BertPieces, labels: Labels | None
) -> list[WindowExample]:
    """Return the windows of a numbered document, with the candidates that `learned` proposes. Without `labels` the gold
    is in order of importance (`worths`)."""
    candidates = model.shapes.propose(analyse(document.content, language=document.language))
    worth = _worth(document, candidates, model, labels)
    title, body = text_bounds(candidates.analysis)
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
    """Return what each candidate is worth."""
    keys = keys_of(candidates)
    if labels is None:
        return np.array(worths(keys, document), np.float32)
    rows = np.zeros((len(keys), WIDTH), np.float32)
    if labels is not chosen:
        found = features(candidates, model.shapes, model.background)
        rows = np.frombuffer(found, dtype=np.float32).reshape(-1, WIDTH)
    return np.array(labels(keys, rows, gold_keys(document)), np.float32)


def worths(keys: list[str], document: Document) -> list[float]:
    """Return the worth of candidates, from 0 to 1, where keyphrases are in order of importance: 1 for the first, LEAST
    for the last, and a part of it for another wording than the preferred one."""
    worth: dict[str, float] = {}
    last = max(1, len(document.references) - 1)
    for place, reference in enumerate(document.references):
        value = 1 - (1 - LEAST) * place / last
        for number, one in enumerate((reference,) if isinstance(reference, str) else reference):
            found = key(one)
            worth[found] = max(worth.get(found, 0.0), value if number == 0 else value * OTHER_WORDING)
    return [worth.get(one, 0.0) for one in keys]
