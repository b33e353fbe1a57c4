"""What the span scorer is trained on: windows of pieces, where candidates occur in them, and which are keyphrases.

A file has columns of small numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill.errors import InputError
from phrasemill.methods.encoder.windows import BertPieces, occurrences, windows
from phrasemill.methods.learned.features import features, text_bounds
from phrasemill.methods.learned.model import WIDTH, LearnedModel
from phrasemill.methods.styles import ENCODER_PIECES
from phrasemill.text.analyse import analyse
from phrasemill.training.learned_examples import Labels, chosen, gold_keys, key, keys_of
from phrasemill.types import Candidates, Document
from phrasemill_lab.training.sources import Source, number_of

Array: TypeAlias = npt.NDArray[Any]
Columns: TypeAlias = dict[str, list[Array]]
LEAST, OTHER_WORDING = 0.6, 0.6
KINDS: dict[str, Any] = {
    "place": np.uint32,  # of each document: its number in the source
    "candidates": np.uint16,  # of each document
    "chosen": np.uint8,  # of each candidate: its worth in percent, 0 for no keyphrase
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
    chosen: Array  # (candidates of the document,) what it is worth as a keyphrase, 0 to 1
    taught: Array | None = None  # (2, O) a teacher's scores, read in the window's style and in `general`
    labelled: bool = True  # whether `chosen` is known


def file_of(source: Source) -> str:
    return f"{source.stem}.{source.part}"


def save_windows(
    path: Path,
    documents: Iterable[Document],
    model: LearnedModel,
    pieces: BertPieces,
    *,
    labels: Labels | None = chosen,
) -> tuple[int, int]:
    """Write the windows of numbered documents, with the candidates that `learned` proposes; return how many documents
    and windows there are. Without `labels` the gold is in order of importance (`worths`)."""
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
    columns: Columns, number: int, document: Document, model: LearnedModel, pieces: BertPieces, labels: Labels | None
) -> None:
    candidates = model.shapes.propose(analyse(document.content, language=document.language))
    columns["candidates"].append(np.array([len(candidates)]))
    columns["chosen"].append(_percent(document, candidates, model, labels))
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


def _percent(document: Document, candidates: Candidates, model: LearnedModel, labels: Labels | None) -> Array:
    """Return what each candidate is worth."""
    keys = keys_of(candidates)
    if labels is None:
        return np.rint(100 * np.array(worths(keys, document))).astype(np.uint8)
    rows = np.zeros((len(keys), WIDTH), np.float32)
    if labels is not chosen:
        found = features(candidates, model.shapes, model.background)
        rows = np.frombuffer(found, dtype=np.float32).reshape(-1, WIDTH)
    return 100 * np.array(labels(keys, rows, gold_keys(document)), dtype=np.uint8)


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


def load_windows(folder: Path, source: Source, taught: Path | None = None) -> list[WindowExample]:
    """Return the windows of a source's documents; `taught` is the folder of a teacher's scores."""
    path = folder / f"{file_of(source)}.npz"
    last = source.last if source.last is not None else 1 << 40
    try:
        with np.load(path) as file:
            every: Iterable[WindowExample] = _windows(dict(file), ENCODER_PIECES.index(source.style))
        if taught is not None:
            path = taught / f"{file_of(source)}.npy"
            every = with_taught(every, np.load(path))
        return [one for one in every if source.first <= one.document < last]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: cannot be read ({error}); delete it to prepare it again") from None


def with_taught(windows: Iterable[WindowExample], scores: Array) -> Iterator[WindowExample]:
    """Yield all windows of a file with a teacher's scores (2, all occurrences)."""
    place = 0
    for window in windows:
        yield window._replace(taught=scores[:, place : place + len(window.first)])
        place += len(window.first)
    if place != scores.shape[1]:
        raise ValueError(f"{scores.shape[1]} scores, but {place} occurrences")


def _windows(c: Mapping[str, Array], style: int) -> Iterator[WindowExample]:
    pieces, places, marks = (_offsets(c[name]) for name in ("window_pieces", "window_occurrences", "candidates"))
    last = c["first_piece"] + c["more_pieces"]
    worth = c["chosen"].astype(np.float32) / 100
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
            worth[marks[d] : marks[d + 1]],
        )


def _offsets(counts: Array) -> Array:
    return np.concatenate([[0], np.cumsum(counts.astype(np.int64))])
