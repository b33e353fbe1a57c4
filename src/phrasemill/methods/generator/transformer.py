"""The generator in ONNX Runtime, without PyTorch: a `Stepper` over the graphs of `transformer_export`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from phrasemill.errors import ModelError
from phrasemill.methods.generator import pieces as p
from phrasemill.methods.generator.decode import FloatArray, IntArray
from phrasemill.methods.generator.pieces import Pieces
from phrasemill.methods.generator.sources import shared
from phrasemill.methods.onnx_file import open_model

Floats = npt.NDArray[np.float32]
MASKED = np.float32(-1e9)
READ = ("states", "keys", "values")  # what the encoder makes of a source


@dataclass(frozen=True, slots=True)
class State:
    """Rows are grouped: the same number of neighbours share a source, which is held once."""

    sources: Mapping[str, Any]  # arrays of (S, …), as the graph names them
    said: Mapping[str, Floats]  # keys and values (R, …) for each layer
    rows: int
    position: int


class TransformerStepper:
    def __init__(self, model: "GeneratorModel", style: str) -> None:
        self.model, self.style = model, style

    def start(self, sources: Sequence[Sequence[str]]) -> State:
        """Sources are read one by one: on a CPU a batch would gain nothing, and here no source can touch another."""
        model = self.model
        numbers = p.padded(model.pieces, sources, self.style, model.positions)
        held = self._read(numbers)
        count, heads, width = len(numbers), model.heads, held["states"].shape[2]
        empty = {"key": (count, heads, width // heads, 0), "value": (count, heads, 0, width // heads)}
        said = {
            f"said_{part}_{layer}": np.zeros(shape, np.float32)
            for part, shape in empty.items()
            for layer in range(model.layers)
        }
        return State(held, said, count, 0)

    def _read(self, numbers: IntArray) -> dict[str, Any]:
        """What the step wants to know of each source, arrays of (S, …) with zeros where there is no piece."""
        model, (count, size) = self.model, numbers.shape
        layers, heads = model.layers, model.heads
        read: dict[bytes, list[Floats]] = {}
        for row, source in enumerate(numbers):
            pieces = source[source != p.PAD]
            name = pieces.tobytes()
            if name not in read:
                read[name] = model.encoder.run(READ, {"source": pieces[None]})
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

    def step(self, state: State, tokens: IntArray, k: int) -> tuple[State, FloatArray, IntArray]:
        model = self.model
        given = {**state.sources, **state.said, "tokens": tokens, "position": np.array([state.position])}
        given["k"] = np.array([min(k, len(model.pieces))])
        likeliest, chosen, *said = model.decoder.run(
            ["likeliest", "chosen", *[f"new_{one}" for one in state.said]], given
        )
        new = State(state.sources, dict(zip(state.said, said, strict=True)), state.rows, state.position + 1)
        return new, np.log(np.maximum(likeliest.astype(np.float64), 1e-30)), chosen

    def select(self, state: State, rows: IntArray) -> State:
        count = len(state.sources["source"])
        sources, held = shared(rows // (state.rows // count)), state.sources
        if not np.array_equal(sources, np.arange(count)):
            held = {name: values[sources] for name, values in held.items()}
        return State(held, {name: values[rows] for name, values in state.said.items()}, len(rows), state.position)


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorModel:
    """A generator that was opened."""

    encoder: Any
    decoder: Any
    pieces: Pieces
    heads: int
    layers: int
    positions: int
    target_positions: int

    @classmethod
    def load(cls, path: Path, *, threads: int = 1) -> "GeneratorModel":
        opened = open_model(path, "generator model", threads=threads)
        if not {one.name for one in opened.sessions["encoder"].get_outputs()} >= set(READ):
            raise ModelError(f"{path}: made by another version; export it again")
        numbers = [int(opened.metadata[name]) for name in ("heads", "layers", "positions", "target_positions")]
        pieces = Pieces(opened.vocabulary.split("\n"))
        return cls(opened.sessions["encoder"], opened.sessions["step"], pieces, *numbers)

    def stepper(self, style: str) -> TransformerStepper:
        return TransformerStepper(self, style)
