"""Models that write keyphrases, in ONNX Runtime, without PyTorch: the generator, and CopyRNN, CatSeq and CatSeqD.

`phrasemill_lab.networks` exports each as two graphs: one reads a source, one takes a step for all rows. A model is a
`search.Stepper` for one source, which all rows share; the arrays of its state have the names that the graphs give them.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from phrasemill.errors import ModelError
from phrasemill.methods.generator.hypotheses import FloatArray, IntArray
from phrasemill.methods.generator.pieces import GENERATOR_MARKS, PieceVocabulary
from phrasemill.methods.generator.search import Marks, generate
from phrasemill.methods.generator.words import SPECIALS, UNKNOWN, WordVocabulary, marks_of
from phrasemill.methods.onnx_file import open_model
from phrasemill.methods.styles import AUTHOR
from phrasemill.methods.writing import Phrases, Search

NEVER_WRITTEN = 3  # padding, unknown and begin, the first in a vocabulary of words
READ = ("keys", "values", "copy", "gates")  # what the generator's encoder makes of a source


@dataclass(frozen=True, slots=True)
class OnnxState:
    source: Mapping[str, Any]
    rows: Mapping[str, Any]  # (R, …); a step returns each as `new_…`
    position: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class OnnxModel(ABC):
    """An opened model; subclasses define what a source becomes and what a step needs besides the state."""

    least: ClassVar[float] = 0.0  # a probability below it counts as this one

    encoder: Any
    decoder: Any
    vocabulary: Any
    marks: Marks

    def start(self, sources: Sequence[Sequence[str]]) -> OnnxState:
        """Read the source that all rows share."""
        if any(source != sources[0] for source in sources):
            raise ValueError("rows of different sources: start each on its own")
        return self._read(sources[0], len(sources))

    @abstractmethod
    def _read(self, source: Sequence[str], rows: int) -> OnnxState: ...

    @abstractmethod
    def _inputs(self, state: OnnxState, tokens: IntArray, k: int) -> dict[str, Any]: ...

    def step(self, state: OnnxState, tokens: IntArray, k: int) -> tuple[OnnxState, FloatArray, IntArray]:
        given = {**state.source, **state.rows, **self._inputs(state, tokens, k)}
        outputs = ["likeliest", "chosen", *[f"new_{name}" for name in state.rows]]
        likeliest, chosen, *rows = self.decoder.run(outputs, given)
        shares = np.maximum(likeliest.astype(np.float64), self.least).reshape(len(tokens), -1)
        with np.errstate(divide="ignore") if self.least == 0 else nullcontext():
            logs = np.log(shares)
        state = OnnxState(state.source, dict(zip(state.rows, rows, strict=True)), state.position + 1)
        return state, logs, chosen.reshape(len(tokens), -1)

    def select(self, state: OnnxState, rows: IntArray) -> OnnxState:
        return replace(state, rows={name: values[rows] for name, values in state.rows.items()})

    def generate(self, source: Sequence[str], search: Search) -> Phrases:
        """Return the unique phrases of a source, best first."""
        return generate(self, [source], self.vocabulary, self.marks, search)[0]


@dataclass(frozen=True, slots=True, eq=False)
class RecurrentModel(OnnxModel):
    """CopyRNN, CatSeq or CatSeqD."""

    @classmethod
    def load(cls, path: Path, name: str) -> "RecurrentModel":
        opened = open_model(path, f"{name} model")
        words = WordVocabulary((*SPECIALS, *opened.vocabulary.split("\n")))
        return cls(opened.session("encoder"), opened.session("step"), words, marks_of(opened.about("paradigm")))

    def _read(self, source: Sequence[str], rows: int) -> OnnxState:
        numbers = self.vocabulary.numbered([source])
        given = {"numbers": self._known(numbers), "lengths": np.array([numbers.shape[1]], np.int32)}
        states, keys, first = self.encoder.run(["states", "keys", "first"], given)
        held = {"states": states, "keys": keys, "numbers": numbers, "place": first_places(numbers[0])[None]}
        state = np.repeat(first, rows, axis=0)
        covers = any(given.name == "covered" for given in self.decoder.get_inputs())
        return OnnxState(held, {"state": state} | ({"covered": np.zeros_like(state)} if covers else {}))

    def _inputs(self, state: OnnxState, tokens: IntArray, k: int) -> dict[str, Any]:
        top = min(k + NEVER_WRITTEN, len(self.vocabulary))
        most = min(k, top + state.source["numbers"].shape[1])
        return {"tokens": self._known(tokens), "top": np.array([top]), "k": np.array([most])}

    def _known(self, numbers: IntArray) -> IntArray:
        return np.where(numbers < len(self.vocabulary), numbers, UNKNOWN)


def first_places(numbers: IntArray) -> IntArray:
    """Return where the word at each place of a source occurs first."""
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    places: IntArray = first[inverse]
    return places


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorModel(OnnxModel):
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
        return cls(
            opened.session("encoder"),
            opened.session("step"),
            pieces,
            GENERATOR_MARKS,
            heads,
            layers,
            positions,
            target_positions,
        )

    def in_style(self, style: str) -> "GeneratorModel":
        return replace(self, style=style)

    def _read(self, source: Sequence[str], rows: int) -> OnnxState:
        numbers = self.vocabulary.numbered([source], self.style, self.positions)
        keys, values, copy, gates = self.encoder.run(READ, {"source": numbers})
        held = {"source": numbers, "copy": copy, "gates": gates}
        written: dict[str, Any] = {}
        empty = np.zeros((rows, self.heads, 0, keys.shape[-1]), np.float32)
        for layer in range(self.layers):
            of_layer = slice(self.heads * layer, self.heads * (layer + 1))
            held |= {f"key_{layer}": keys[:, of_layer], f"value_{layer}": values[:, of_layer]}
            written |= {f"said_key_{layer}": empty, f"said_value_{layer}": empty}
        return OnnxState(held, written)

    def _inputs(self, state: OnnxState, tokens: IntArray, k: int) -> dict[str, Any]:
        count = np.array([min(k, len(self.vocabulary))])
        return {"tokens": tokens[:, None], "positions": np.array([state.position]), "k": count}
