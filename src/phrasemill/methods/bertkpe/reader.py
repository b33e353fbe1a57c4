"""How JointKPE reads a text: words, pieces, windows; and the score of every n-gram, in ONNX Runtime.

The paper reads the first 512 pieces of a document. Here a longer text is read to its end, in windows that overlap by a
quarter, and an n-gram has the highest score of any window; `truncate=True` reads as the paper does. Each word is split
into pieces on its own, after a space. A window holds at least ten words: of a word with more pieces than a tenth of the
window, usually no natural word, only the first are read.

A model is a folder: the weights, a graph without weights, which names the pieces around a text and how many the encoder
reads at once, and the encoder's tokeniser. `phrasemill_lab.networks.jointkpe_export` writes it.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from phrasemill import models
from phrasemill.errors import MissingExtra, ModelError
from phrasemill.methods import onnx_file
from phrasemill.methods.pieces import cut
from phrasemill.types import Analysis, Candidates

WEIGHTS, GRAPH, TOKENIZER = "best.safetensors", "graph.safetensors", Path("encoder") / "tokenizer.json"
KIND, SCORES = "bertkpe graph", f"{onnx_file.GRAPH}scores"


class Window(NamedTuple):
    """The words `begin` to `end` of a text in pieces, and the first piece of each."""

    begin: int
    end: int
    pieces: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PieceReader:
    """A tokeniser, the pieces before and after a text, and how many of all are read at once."""

    tokenizer: Any  # of the library tokenizers
    before: tuple[int, ...]
    after: tuple[int, ...]
    unknown: int
    window: int
    longest: int  # words of an n-gram

    def __post_init__(self) -> None:
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        if self.most < 1:
            raise ModelError(f"a window of {self.window} pieces has no room for ten words")

    @property
    def room(self) -> int:
        return self.window - len(self.before) - len(self.after)

    @property
    def most(self) -> int:
        """The most pieces of a word that are read."""
        return self.room // (2 * self.longest)

    def pieces(self, analysis: Analysis) -> list[list[int]]:
        """Return the pieces of each word."""
        text, spans = analysis.text, zip(analysis.start, analysis.end, strict=True)
        words = [text[start:end] for start, end in spans]
        types = {word: number for number, word in enumerate(dict.fromkeys(words))}
        # Lone surrogates are no Unicode.
        spaced = [" " + word[: 16 * self.most].encode("utf-8", "replace").decode() for word in types]
        cut = self.tokenizer.encode_batch(spaced, add_special_tokens=False)
        kept = [one.ids[: self.most] or [self.unknown] for one in cut]
        return [kept[types[word]] for word in words]

    def windows(self, words: Sequence[Sequence[int]]) -> Iterator[Window]:
        """Yield overlapping windows; every n-gram of the longest length is whole in at least one of them."""
        starts, least = np.cumsum([0, *map(len, words)]), self.longest - 1
        for begin, end in cut(starts, self.room, lambda begin, end: end - max(least, (end - begin) // 4)):
            inside = [piece for word in words[begin:end] for piece in word]
            first = starts[begin:end] - starts[begin] + len(self.before)
            yield Window(begin, end, np.array([*self.before, *inside, *self.after], np.int64), first)


class JointModel(NamedTuple):
    session: Any
    reader: PieceReader


def load(path: Path, name: str) -> JointModel:
    """Open the model whose weights are at `path`."""
    folder = path.parent
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtra("tokenizers and onnxruntime", "bertkpe", purpose=name) from None
    try:
        tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # the Rust side raises plain Exception
        raise ModelError(f"{folder / TOKENIZER}: cannot be read ({error})") from None
    weights = onnx_file.weights_of(models.load(path))
    with models.reading(folder / GRAPH, KIND, {SCORES: "B"}) as file:
        about = file.metadata
        used = {one: weights[one] for one in about[SCORES].split(",")}
        session = onnx_file.session(bytes(file[SCORES]), used)
        before, after = (tuple(map(int, about[part].split())) for part in ("before", "after"))
        numbers = (file.number(part) for part in ("unknown", "window", "longest"))
        return JointModel(session, PieceReader(tokenizer, before, after, *numbers))


def scores(session: Any, reader: PieceReader, analysis: Analysis, *, truncate: bool = False) -> npt.NDArray[np.float32]:
    """Return the score of the n-gram of `size` words at each word, in row `size - 1`; -inf where it was not read."""
    found = np.full((reader.longest, len(analysis)), -np.inf, np.float32)
    for window in islice(reader.windows(reader.pieces(analysis)), 1 if truncate else None):
        (ranked,) = session.run(["scores"], {"pieces": window.pieces, "first": window.first})
        for size, row in enumerate(ranked, start=1):
            count = max(0, window.end - window.begin - size + 1)
            seen = found[size - 1, window.begin : window.begin + count]
            np.maximum(seen, row[:count], out=seen)
    return found


def best(ngrams: npt.NDArray[np.float32], candidates: Candidates) -> "array[float]":
    """Return the highest score of each candidate's occurrences, -inf if none was read; a candidate longer than the
    longest n-gram has the mean of the n-grams in it."""
    start, size = np.asarray(candidates.start), np.asarray(candidates.end) - np.asarray(candidates.start)
    longest = len(ngrams)
    found = ngrams[np.minimum(size, longest) - 1, start].astype(np.float64)
    for o in np.flatnonzero(size > longest):
        found[o] = ngrams[-1, start[o] : start[o] + size[o] - longest + 1].mean()
    return array("d", np.maximum.reduceat(found, np.asarray(candidates.first)[:-1]).tolist())
