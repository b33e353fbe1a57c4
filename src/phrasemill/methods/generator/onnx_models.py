"""Models that write keyphrases, in ONNX Runtime, without PyTorch: the generator, and CopyRNN, CatSeq and CatSeqD.

`lab/networks` exports each as two graphs: one reads sources, one takes a step for all rows. A model is a
`decode.Stepper`; the arrays of its state have the names that the graphs give them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from phrasemill.errors import ModelError
from phrasemill.methods.generator import pieces as p
from phrasemill.methods.generator.decode import FloatArray, IntArray
from phrasemill.methods.generator.pieces import PieceVocabulary
from phrasemill.methods.generator.search import Marks, Search, generate
from phrasemill.methods.generator.words import SPECIALS, UNKNOWN, WordVocabulary, marks_of, numbered
from phrasemill.methods.onnx_file import open_model
from phrasemill.methods.styles import AUTHOR
from phrasemill.methods.writing import Phrases

Floats = npt.NDArray[np.float32]
VocabularyT = TypeVar("VocabularyT", PieceVocabulary, WordVocabulary)
NEVER_WRITTEN = 3  # padding, unknown and begin, the first in a vocabulary of words
MASKED = np.float32(-1e9)
READ = ("states", "keys", "values")  # what the generator's encoder makes of a source


@dataclass(frozen=True, slots=True)
class OnnxState:
    """Rows are grouped: the same number of neighbours share a source, whose arrays are held once."""

    sources: Mapping[str, Any]  # (S, …)
    rows: Mapping[str, Any]  # (R, …); a step returns each as `new_…`
    position: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class OnnxModel(ABC, Generic[VocabularyT]):
    """An opened model; subclasses define what a source becomes and what a step needs besides the state."""

    least: ClassVar[float] = 0.0  # a probability below it counts as this one

    encoder: Any
    decoder: Any
    vocabulary: VocabularyT
    marks: Marks

    @abstractmethod
    def start(self, sources: Sequence[Sequence[str]]) -> OnnxState: ...

    @abstractmethod
    def _inputs(self, state: OnnxState, tokens: IntArray, k: int) -> dict[str, Any]: ...

    def step(self, state: OnnxState, tokens: IntArray, k: int) -> tuple[OnnxState, FloatArray, IntArray]:
        given = {**state.sources, **state.rows, **self._inputs(state, tokens, k)}
        outputs = ["likeliest", "chosen", *[f"new_{name}" for name in state.rows]]
        likeliest, chosen, *rows = self.decoder.run(outputs, given)
        shares = np.maximum(likeliest.astype(np.float64), self.least)
        with np.errstate(divide="ignore") if self.least == 0 else nullcontext():
            logs = np.log(shares)
        return OnnxState(state.sources, dict(zip(state.rows, rows, strict=True)), state.position + 1), logs, chosen

    def select(self, state: OnnxState, rows: IntArray) -> OnnxState:
        count, row_count = _length(state.sources), _length(state.rows)
        sources, held = shared(rows // (row_count // count)), state.sources
        if not np.array_equal(sources, np.arange(count)):
            held = {name: values[sources] for name, values in held.items()}
        return OnnxState(held, {name: values[rows] for name, values in state.rows.items()}, state.position)

    def generate(self, sources: Sequence[Sequence[str]], search: Search) -> list[Phrases]:
        """Return the unique phrases of each source, best first."""
        return generate(self, sources, self.vocabulary, self.marks, search)


def _length(arrays: Mapping[str, Any]) -> int:
    return len(next(iter(arrays.values())))


def shared(sources: IntArray) -> IntArray:
    """Return the sources without the repetitions of neighbours if all are repeated equally often, or else unchanged."""
    starts = np.flatnonzero(np.diff(sources, prepend=-1))
    lengths = np.diff(starts, append=len(sources))
    return sources[starts] if len(set(lengths.tolist())) == 1 else sources


@dataclass(frozen=True, slots=True, eq=False)
class RecurrentModel(OnnxModel[WordVocabulary]):
    """CopyRNN, CatSeq or CatSeqD."""

    @classmethod
    def load(cls, path: Path, name: str) -> "RecurrentModel":
        opened = open_model(path, f"{name} model")
        words = WordVocabulary((*SPECIALS, *opened.vocabulary.split("\n")))
        return cls(opened.session("encoder"), opened.session("step"), words, marks_of(opened.about("paradigm")))

    def start(self, sources: Sequence[Sequence[str]]) -> OnnxState:
        numbers, lengths = numbered(sources, self.vocabulary)
        given = {"numbers": self._known(numbers), "lengths": lengths.astype(np.int32)}
        states, keys, first = self.encoder.run(["states", "keys", "first"], given)
        held = {"states": states, "keys": keys, "numbers": numbers, "place": first_places(numbers)}
        covers = any(given.name == "covered" for given in self.decoder.get_inputs())
        return OnnxState(held, {"state": first} | ({"covered": np.zeros_like(first)} if covers else {}))

    def _inputs(self, state: OnnxState, tokens: IntArray, k: int) -> dict[str, Any]:
        top = min(k + NEVER_WRITTEN, len(self.vocabulary))
        most = min(k, top + state.sources["numbers"].shape[1])
        return {"tokens": self._known(tokens), "top": np.array([top]), "k": np.array([most])}

    def _known(self, numbers: IntArray) -> IntArray:
        return np.where(numbers < len(self.vocabulary), numbers, UNKNOWN)


def first_places(numbers: IntArray) -> IntArray:
    """Return (S, T): where the word at each place of a source occurs first."""
    places = np.empty_like(numbers)
    for source, row in enumerate(numbers):
        _, first, inverse = np.unique(row, return_index=True, return_inverse=True)
        places[source] = first[inverse]
    return places


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorModel(OnnxModel[PieceVocabulary]):
    """The generator, which writes in the style of one kind of people."""

    least: ClassVar[float] = 1e-30

    heads: int
    layers: int
    positions: int
    target_positions: int
    style: str = AUTHOR

    @classmethod
    def load(cls, path: Path, name: str = "generator") -> "GeneratorModel":
        opened = open_model(path, f"{name} model")
        if not {one.name for one in opened.session("encoder").get_outputs()} >= set(READ):
            raise ModelError(f"{path}: made by another version; export it again")
        names = ("heads", "layers", "positions", "target_positions")
        heads, layers, positions, target_positions = (int(opened.about(name)) for name in names)
        pieces = PieceVocabulary(opened.vocabulary.split("\n"))
        sessions = (opened.session("encoder"), opened.session("step"))
        return cls(*sessions, pieces, p.GENERATOR_MARKS, heads, layers, positions, target_positions)

    def in_style(self, style: str) -> "GeneratorModel":
        return replace(self, style=style)

    def start(self, sources: Sequence[Sequence[str]]) -> OnnxState:
        """Read sources one by one: on a CPU a batch would gain nothing, and so no source affects another."""
        numbers = p.encoder_input(self.vocabulary, sources, self.style, self.positions)
        held = self._read(numbers)
        count, size = len(numbers), held["states"].shape[2] // self.heads
        empty = {"key": (count, self.heads, size, 0), "value": (count, self.heads, 0, size)}
        written = {
            f"said_{part}_{layer}": np.zeros(shape, np.float32)
            for part, shape in empty.items()
            for layer in range(self.layers)
        }
        return OnnxState(held, written)

    def _read(self, numbers: IntArray) -> dict[str, Any]:
        """Return the step's inputs of all sources, arrays of (S, …) with zeros where there is no piece."""
        count, size = numbers.shape
        layers, heads = self.layers, self.heads
        read: dict[bytes, list[Floats]] = {}
        for row, source in enumerate(numbers):
            pieces = source[source != p.PAD]
            name = pieces.tobytes()
            if name not in read:
                read[name] = self.encoder.run(READ, {"source": pieces[None]})
            found, length = read[name], len(pieces)
            width = found[0].shape[2]
            if row == 0:
                states = np.zeros((count, size, width), np.float32)
                keys = np.zeros((layers + 1, count, width, size), np.float32)
                values = np.zeros((layers, count, heads, size, width // heads), np.float32)
            states[row, :length] = found[0][0]
            keys[:, row, :, :length] = found[1].reshape(layers + 1, width, length)
            values[:, row, :, :length] = found[2].reshape(layers, heads, length, -1)
        held = {"source": numbers, "mask": np.where(numbers == p.PAD, MASKED, np.float32(0))[:, None, :]}
        held |= {"states": states, "copy": keys[layers]}
        held |= {f"key_{i}": keys[i].reshape(count, heads, -1, size) for i in range(layers)}
        return held | {f"value_{i}": values[i] for i in range(layers)}

    def _inputs(self, state: OnnxState, tokens: IntArray, k: int) -> dict[str, Any]:
        most = min(k, len(self.vocabulary))
        return {"tokens": tokens, "position": np.array([state.position]), "k": np.array([most])}
