"""What the span scorer is trained on: windows of pieces, where candidates occur in them, and which are keyphrases.

A file has columns of small numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill.errors import InputError
from phrasemill.lab.training.learned_examples import Labels, chosen, gold_keys, keys_of
from phrasemill.lab.training.sources import Source, number_of
from phrasemill.methods.encoder.windows import BertPieces, occurrences, windows
from phrasemill.methods.learned.features import features, text_bounds
from phrasemill.methods.learned.model import WIDTH, LearnedModel
from phrasemill.methods.styles import ENCODER_PIECES
from phrasemill.text.analyse import analyse
from phrasemill.types import Document

Array: TypeAlias = npt.NDArray[Any]
Columns: TypeAlias = dict[str, list[Array]]
KINDS: dict[str, Any] = {
    "place": np.uint32,  # of each document: its number in the source
    "candidates": np.uint16,  # of each document
    "chosen": np.uint8,  # of each candidate
    "document": np.uint32,  # of each window
    "window_pieces": np.uint16,
    "window_occurrences": np.uint16,
    "pieces": np.uint16,
    "first_piece": np.uint16,  # of each occurrence
    "more_pieces": np.uint8,
    "words": np.uint8,
    "candidate_number": np.uint16,
}


class WindowExample(NamedTuple):
    """A window to learn from."""

    document: int  # its number in the source
    style: int
    pieces: Array  # (P,)
    first: Array  # (O,) the first piece of each occurrence of a candidate …
    last: Array  # (O,) … and its last
    words: Array  # (O,)
    candidate: Array  # (O,) its number in the document
    chosen: Array  # (candidates of the document,) whether it is a keyphrase


def file_of(source: Source) -> str:
    return f"{source.stem}.{source.part}"


def save_windows(
    path: Path, documents: Iterable[Document], model: LearnedModel, pieces: BertPieces, *, labels: Labels = chosen
) -> tuple[int, int]:
    """Write the windows of numbered documents, with the candidates that `learned` proposes; return how many documents
    and windows there are."""
    columns: Columns = {name: [] for name in KINDS}
    for number, document in enumerate(documents):
        columns["place"].append(np.array([number_of(document)]))
        _add(columns, number, document, model, pieces, labels)
    joined: dict[str, Any] = {
        name: np.concatenate(parts).astype(KINDS[name]) if parts else np.zeros(0, KINDS[name])
        for name, parts in columns.items()
    }
    np.savez(path, **joined)
    return len(joined["place"]), len(joined["document"])


def _add(
    columns: Columns, number: int, document: Document, model: LearnedModel, pieces: BertPieces, labels: Labels
) -> None:
    candidates = model.shapes.propose(analyse(document.content, language=document.language))
    rows = np.zeros((len(candidates), WIDTH), np.float32)
    if labels is not chosen:
        found = features(candidates, model.shapes, model.background)
        rows = np.frombuffer(found, dtype=np.float32).reshape(-1, WIDTH)
    columns["candidates"].append(np.array([len(candidates)]))
    columns["chosen"].append(np.array(labels(keys_of(candidates), rows, gold_keys(document)), dtype=np.uint8))
    title, body = text_bounds(candidates.analysis)
    for window in windows(candidates.analysis, pieces, title=title, body=body):
        here = occurrences(candidates, window)
        order = np.lexsort((here.last, here.first))
        added = {
            "document": np.array([number]),
            "window_pieces": np.array([len(window.pieces)]),
            "window_occurrences": np.array([len(order)]),
            "pieces": window.pieces,
            "first_piece": here.first[order],
            "more_pieces": np.minimum(here.last[order] - here.first[order], 255),
            "words": here.words[order],
            "candidate_number": here.candidate[order],
        }
        for name, values in added.items():
            columns[name].append(values)


def load_windows(folder: Path, source: Source) -> list[WindowExample]:
    """Return the windows of a source's documents."""
    path = folder / f"{file_of(source)}.npz"
    last = source.last if source.last is not None else 1 << 40
    try:
        with np.load(path) as file:
            every = _windows(dict(file), ENCODER_PIECES.index(source.style))
            return [one for one in every if source.first <= one.document < last]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: cannot be read ({error}); delete it to prepare it again") from None


def _windows(c: Mapping[str, Array], style: int) -> Iterator[WindowExample]:
    pieces, places, marks = (_offsets(c[name]) for name in ("window_pieces", "window_occurrences", "candidates"))
    last = c["first_piece"] + c["more_pieces"]
    for w, d in enumerate(c["document"].tolist()):
        here = slice(places[w], places[w + 1])
        yield WindowExample(
            int(c["place"][d]),
            style,
            c["pieces"][pieces[w] : pieces[w + 1]],
            c["first_piece"][here],
            last[here],
            c["words"][here],
            c["candidate_number"][here],
            c["chosen"][marks[d] : marks[d + 1]],
        )


def _offsets(counts: Array) -> Array:
    return np.concatenate([[0], np.cumsum(counts.astype(np.int64))])
