"""Models that write keyphrases, in ONNX Runtime, without PyTorch: the generator, and CopyRNN, CatSeq and CatSeqD.

`phrasemill_lab.networks` exports each as two graphs: one reads sources, one takes a step for all rows. A model is a
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
READ = ("keys", "values", "copy", "gates")  # what the generator's encoder makes of a source


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

    def generate(self, sources: Sequence[Sequence[str]], search: Search) -> list[Phrases]:
        """Return the unique phrases of each source, best first; sources are searched alone, so none affects another."""
        return [generate(self, [source], self.vocabulary, self.marks, search)[0] for source in sources]

    def start(self, sources: Sequence[Sequence[str]]) -> OnnxState:
        """Read a source, which all rows share."""
        if any(source != sources[0] for source in sources):
            raise ValueError("rows of different sources: start each on its own")
        numbers = p.encoder_input(self.vocabulary, sources[:1], self.style, self.positions)
        keys, values, copy, gates = self.encoder.run(READ, {"source": numbers})
        heads, count, size = self.heads, len(sources), keys.shape[-1]
        held = {"source": numbers, "copy": copy, "gates": gates}
        written: dict[str, Floats] = {}
        for layer in range(self.layers):
            of_layer = slice(heads * layer, heads * (layer + 1))
            held |= {f"key_{layer}": keys[:, of_layer], f"value_{layer}": values[:, of_layer]}
            empty = np.zeros((count, heads, 0, size), np.float32)
            written |= {f"said_key_{layer}": empty, f"said_value_{layer}": empty}
        return OnnxState(held, written)

    def step(self, state: OnnxState, tokens: IntArray, k: int) -> tuple[OnnxState, FloatArray, IntArray]:
        state, logs, chosen = OnnxModel.step(self, state, tokens[:, None], k)
        return state, logs[:, 0], chosen[:, 0]

    def select(self, state: OnnxState, rows: IntArray) -> OnnxState:
        return replace(state, rows={name: values[rows] for name, values in state.rows.items()})

    def _inputs(self, state: OnnxState, tokens: IntArray, k: int) -> dict[str, Any]:
        positions = np.arange(state.position, state.position + tokens.shape[1])
        return {"tokens": tokens, "positions": positions, "k": np.array([min(k, len(self.vocabulary))])}
