"""The generator in ONNX Runtime, without PyTorch: a `Stepper` over the graphs of `transformer_export`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from phrasemill.neural import pieces as p
from phrasemill.neural.decode import FloatArray, IntArray
from phrasemill.neural.model_file import open_model
from phrasemill.neural.pieces import Pieces
from phrasemill.neural.sources import shared

Floats = npt.NDArray[np.float32]
MASKED = np.float32(-1e9)


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
        read: dict[tuple[str, ...], tuple[IntArray, dict[str, Floats]]] = {}
        for words in map(tuple, sources):
            if words not in read:
                numbers = p.padded(model.pieces, [words], self.style, model.positions)
                read[words] = (
                    numbers,
                    dict(zip(model.outputs, model.encoder.run(model.outputs, {"source": numbers}), strict=True)),
                )
        found = [read[tuple(words)] for words in sources]
        size = max(numbers.shape[1] for numbers, _ in found)
        held: dict[str, Any] = {"source": _stacked([numbers for numbers, _ in found], 1, size)}
        held["mask"] = np.where(held["source"] == p.PAD, MASKED, np.float32(0))[:, None, :]
        for name in model.outputs:
            axis = 1 if name == "states" else 2 if name.startswith("value") or name == "copy" else 3
            held[name] = _stacked([arrays[name] for _, arrays in found], axis, size)
        heads, width = model.heads, held["states"].shape[2]
        empty = {"key": (len(found), heads, width // heads, 0), "value": (len(found), heads, 0, width // heads)}
        said = {
            f"said_{part}_{layer}": np.zeros(shape, np.float32)
            for part, shape in empty.items()
            for layer in range(model.layers)
        }
        return State(held, said, len(found), 0)

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
        numbers = [int(opened.metadata[name]) for name in ("heads", "layers", "positions", "target_positions")]
        pieces = Pieces(opened.vocabulary.split("\n"))
        return cls(opened.sessions["encoder"], opened.sessions["step"], pieces, *numbers)

    @property
    def outputs(self) -> list[str]:
        layers = [f"{part}_{number}" for number in range(self.layers) for part in ("key", "value")]
        return ["states", "copy", *layers]

    def stepper(self, style: str) -> TransformerStepper:
        return TransformerStepper(self, style)


def _stacked(arrays: Sequence[npt.NDArray[Any]], axis: int, size: int) -> npt.NDArray[Any]:
    """Arrays (1, …) of different lengths along an axis as one array, zeros where there is nothing."""
    shape = list(arrays[0].shape)
    shape[0], shape[axis] = len(arrays), size
    result = np.zeros(shape, arrays[0].dtype)
    for row, one in enumerate(arrays):
        filled = (slice(None),) * (axis - 1) + (slice(one.shape[axis]),)
        result[row][filled] = one[0]
    return result
