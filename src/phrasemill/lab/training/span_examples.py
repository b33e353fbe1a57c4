"""Documents as the span scorer is taught: windows of pieces, where candidates stand in them, and which are chosen.

Columns of small numbers, a corpus in one file: 200,000 abstracts take 100 MB when they are compressed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill.errors import InputError
from phrasemill.lab.training.learned_examples import Labels, chosen, gold_keys, keys_of
from phrasemill.methods.encoder.windows import BertPieces, occurrences, windows
from phrasemill.methods.learned.features import features, text_bounds
from phrasemill.methods.learned.model import WIDTH, LearnedModel
from phrasemill.text.analyse import analyse
from phrasemill.types import Document

Array: TypeAlias = npt.NDArray[Any]


class Example(NamedTuple):
    """A window to learn from."""

    style: int
    pieces: Array  # (P,)
    first: Array  # (O,) the first piece of each occurrence of a candidate …
    last: Array  # (O,) … and its last
    words: Array  # (O,)
    candidate: Array  # (O,) its number in the document
    chosen: Array  # (candidates of the document,) whether it is a keyphrase


@dataclass(frozen=True, slots=True)
class Corpus:
    """The windows of some documents, as columns."""

    columns: Mapping[str, Array]

    @property
    def documents(self) -> int:
        return len(self.columns["candidates"])

    def examples(self, style: int) -> Iterator[tuple[int, Example]]:
        """Each window, with the number of its document."""
        c = self.columns
        pieces, places, marks = (_offsets(c[name]) for name in ("window_pieces", "window_occurrences", "candidates"))
        first, candidate = _summed(c["first"], places), _summed(c["candidate"], places)
        last = first + c["pieces_in"]
        for w, d in enumerate(c["document"].tolist()):
            here = slice(places[w], places[w + 1])
            yield (
                d,
                Example(
                    style,
                    c["pieces"][pieces[w] : pieces[w + 1]],
                    first[here],
                    last[here],
                    c["words"][here],
                    candidate[here],
                    c["chosen"][marks[d] : marks[d + 1]],
                ),
            )

    def save(self, path: Path) -> None:
        np.savez(path, **dict[str, Any](self.columns))

    @classmethod
    def load(cls, path: Path) -> "Corpus":
        try:
            with np.load(path) as file:
                return cls(dict(file))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be read ({error})") from None


def _offsets(counts: Array) -> Array:
    return np.concatenate([[0], np.cumsum(counts.astype(np.int64))])


def _summed(steps: Array, places: Array) -> Array:
    """Numbers that are kept as steps from one occurrence to the next, anew in each window."""
    total = np.cumsum(steps.astype(np.int64))
    before = np.concatenate([[0], total])[places[:-1]]
    return (total - np.repeat(before, np.diff(places))).astype(np.uint16)


def corpus(
    documents: Iterable[Document], model: LearnedModel, pieces: BertPieces, *, labels: Labels = chosen
) -> Corpus:
    """The documents with the candidates that `learned` proposes; ids end in their place in the file."""
    columns: dict[str, list[Array]] = {name: [] for name in KINDS}
    for number, document in enumerate(documents):
        columns["place"].append(np.array([place_of(document)]))
        _add(columns, number, document, model, pieces, labels)
    return Corpus(
        {
            name: np.concatenate(parts).astype(KINDS[name]) if parts else np.zeros(0, KINDS[name])
            for name, parts in columns.items()
        }
    )


def place_of(document: Document) -> int:
    return int(document.id.rpartition(":")[2])


KINDS: dict[str, Any] = {
    "place": np.uint32,  # of each document in its file
    "candidates": np.uint16,  # of each document
    "chosen": np.uint8,  # of each candidate
    "document": np.uint32,  # of each window
    "window_pieces": np.uint16,
    "window_occurrences": np.uint16,
    "pieces": np.uint16,
    "first": np.int16,  # of each occurrence, as steps
    "pieces_in": np.uint8,  # less one
    "words": np.uint8,
    "candidate": np.int16,  # as steps
}


def _add(
    columns: dict[str, list[Array]],
    number: int,
    document: Document,
    model: LearnedModel,
    pieces: BertPieces,
    labels: Labels,
) -> None:
    candidates = model.shapes.propose(analyse(document.content, language=document.language))
    rows = np.zeros((len(candidates), WIDTH), np.float32)
    if labels is not chosen:
        found = features(candidates, model.shapes, model.background)
        rows = np.frombuffer(found, dtype=np.float32).reshape(-1, WIDTH)
    marks = np.array(labels(keys_of(candidates), rows, gold_keys(document)), dtype=np.uint8)
    columns["candidates"].append(np.array([len(candidates)]))
    columns["chosen"].append(marks)
    title, body = text_bounds(candidates.analysis)
    for window in windows(candidates.analysis, pieces, title=title, body=body):
        here = occurrences(candidates, window)
        order = np.lexsort((here.last, here.first))
        first, candidate = here.first[order], here.candidate[order]
        columns["document"].append(np.array([number]))
        columns["window_pieces"].append(np.array([len(window.pieces)]))
        columns["window_occurrences"].append(np.array([len(order)]))
        columns["pieces"].append(window.pieces)
        columns["first"].append(np.diff(first, prepend=0))
        columns["pieces_in"].append(np.minimum(here.last[order] - first, 255))
        columns["words"].append(here.words[order])
        columns["candidate"].append(np.diff(candidate, prepend=0))
