"""The generator as ONNX graphs: one that reads a source, one that takes a step.

Large matrices are int8. The encoder rounds its inputs with one scale for the whole source (fast, and a source is
always read alone); the decoder rounds every row on its own (in blocks), because other hypotheses must not matter.
Shapes as in `transformer`; all rows share one source. R rows, N pieces that each reads, P pieces written so far.

    python -m phrasemill_lab.networks.transformer_export OLD NEW

writes the model of an int8 file again, with today's graphs.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from phrasemill.methods.generator.pieces import PieceVocabulary
from phrasemill.methods.onnx_file import Weights
from phrasemill_lab.networks.onnx_files import Graph, pack, read, write
from phrasemill_lab.networks.onnx_graph import FLOAT, INT, MICROSOFT, GraphBuilder, Shape, weights_of
from phrasemill_lab.networks.transformer import GeneratorNetwork, TransformerSizes

ENCODER, STEP, KIND = "encoder", "step", "generator model"
DISTANCES = "distances.table"  # of an encoder that knows the distances of pieces
EPSILON = 1e-12  # BERT's
BLOCK = 64  # at 128 ONNX Runtime adds up in another order for other numbers of rows
MIDDLE = 128  # the whole number that means zero in a block


def export(
    model: GeneratorNetwork,
    pieces: PieceVocabulary,
    path: Path,
    *,
    int8: bool = True,
    source: int = 384,
    target: int = 96,
) -> None:
    """Write the model as one file that `methods/generator` opens; positions beyond those in training are left out."""
    weights = weights_of(model)
    for name, most in (("positions.weight", source), ("target_positions.weight", target)):
        weights[name] = weights[name][:most]
    _write(weights, model.sizes, pieces, path, int8=int8)


def export_again(old: Path, path: Path) -> None:
    """Write the int8 model of a file with today's graphs and the same whole numbers, which were rounded once."""
    file = read(old, KIND)
    weights = file.weights
    layers = [
        len({name.split(".")[1] for name in weights if name.startswith(f"{part}.")}) for part in ("encoder", "decoder")
    ]
    sizes = TransformerSizes(len(weights["bias"]), len(weights["norm.bias"]), int(file.metadata["heads"]))
    sizes = replace(sizes, encoder_layers=layers[0], decoder_layers=layers[1])
    _write(weights, sizes, PieceVocabulary(file.vocabulary.split("\n")), path, int8=True)


def _write(weights: Weights, sizes: TransformerSizes, pieces: PieceVocabulary, path: Path, *, int8: bool) -> None:
    encoder, step = TransformerGraph(weights, sizes, int8), TransformerGraph(weights, sizes, int8)
    graphs = {ENCODER: encoder.reading(), STEP: step.stepping()}
    used = {name: values for network in (encoder, step) for name, values in network.kept.items()}
    about = {"heads": str(sizes.heads), "layers": str(sizes.decoder_layers)}
    about |= {name: str(len(weights[f"{name}.weight"])) for name in ("positions", "target_positions")}
    write(path, KIND, graphs, used, "\n".join(pieces.pieces), about, int8=int8)


@dataclass(slots=True)
class TransformerGraph:
    """The parts of the network as operators; `kept` are the weights in the form in which the graph uses them."""

    weights: Weights
    sizes: TransformerSizes
    int8: bool
    block: int = BLOCK
    reads_rows: bool = False  # whether the encoder's feed-forward networks round every row on its own
    kept: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    g: GraphBuilder = field(init=False)

    def __post_init__(self) -> None:
        self.g = GraphBuilder(self.kept)

    def keep(self, name: str, values: npt.NDArray[Any]) -> str:
        self.kept[name] = np.ascontiguousarray(values)
        return self.g.weight(name)

    def plain(self, name: str) -> str:
        return self.keep(name, self.weights[name])

    def linear(self, layer: str, values: str, *, rows: bool = False) -> str:
        """values (…, in) → (…, out); with `rows` every row is rounded on its own."""
        return self.joined(layer, [layer], values, rows=rows)

    def joined(self, name: str, layers: Sequence[str], values: str, *, rows: bool = False) -> str:
        """Apply several layers to the same values in one product: (…, in) → (…, the sum of their outs)."""
        if self.int8 and rows:
            blocks, worth = self.blocks(name, layers)
            return self.in_blocks(values, blocks, worth, self._bias(name, layers))
        bias = self._bias(name, layers)
        if self.int8:
            columns, worth = self._columns(name, layers)
            return self.g("DynamicQuantizeMatMul", values, columns, worth, "", bias, domain=MICROSOFT)
        weight = np.concatenate([self.weights[f"{layer}.weight"] for layer in layers])
        product = self.g("MatMul", values, self.keep(f"{name}.transposed", weight.T))
        return self.g("Add", product, bias) if bias else product

    def _bias(self, name: str, layers: Sequence[str]) -> str:
        if f"{name}.bias" in self.weights:
            return self.plain(f"{name}.bias")
        if not any(f"{layer}.bias" in self.weights for layer in layers):
            return ""
        found = [
            self.weights[f"{layer}.bias"]
            if f"{layer}.bias" in self.weights
            else np.zeros(len(self.weights[f"{layer}.weight"]), np.float32)
            for layer in layers
        ]
        return self.keep(f"{name}.bias", np.concatenate(found))

    def _columns(self, name: str, layers: Sequence[str]) -> tuple[str, str]:
        """Return the matrix in whole numbers (in, out), and the scale of each column."""
        if f"{name}.columns" in self.weights:
            return self.plain(f"{name}.columns"), self.plain(f"{name}.worth")
        packed, scale = pack(np.concatenate([self.weights[f"{layer}.weight"] for layer in layers]))
        return self.keep(f"{name}.columns", packed.T), self.keep(f"{name}.worth", scale)

    def blocks(self, name: str, layers: Sequence[str]) -> tuple[str, str]:
        """Return the matrix in blocks of whole numbers (out, blocks, BLOCK), and the scale of each block."""
        parts = [name] if f"{name}.blocks" in self.weights else layers
        whole, scales = zip(*[self._blocks(part) for part in parts], strict=True)
        worth = self.keep(f"{name}.block_worth", np.concatenate(scales))
        return self.keep(f"{name}.blocks", np.concatenate(whole)), worth

    def _blocks(self, layer: str) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        if f"{layer}.blocks" in self.weights:
            return self.weights[f"{layer}.blocks"], self.weights[f"{layer}.block_worth"]
        weight = self.weights[f"{layer}.weight"]
        parts = weight.reshape(len(weight), -1, min(self.block, weight.shape[1]))
        scale = np.maximum(np.abs(parts).max(axis=2), 1e-12) / np.float32(127)
        return (np.rint(parts / scale[:, :, None]) + MIDDLE).astype(np.uint8), scale.ravel()

    def in_blocks(self, values: str, blocks: str, worth: str, bias: str = "") -> str:
        out, count, size = self.kept[blocks].shape
        options = {"N": out, "K": count * size, "bits": 8, "block_size": size, "accuracy_level": 4}
        return self.g("MatMulNBits", values, blocks, worth, "", "", bias, domain=MICROSOFT, **options)

    def norm(self, layer: str, values: str) -> str:
        parts = [self.plain(f"{layer}.{part}") for part in ("weight", "bias")]
        return self.g("LayerNormalization", values, *parts, epsilon=EPSILON)

    def added(self, values: str, more: str, norm: str) -> str:
        return self.norm(norm, self.g("Add", values, more))

    def feed_forward(self, layer: str, values: str, *, rows: bool = False) -> str:
        inner = self.g("Gelu", self.linear(f"{layer}.inner", values, rows=rows), domain=MICROSOFT)
        return self.added(values, self.linear(f"{layer}.outer", inner, rows=rows), f"{layer}.norm")

    def embedded(self, pieces: str) -> str:
        """Return vectors (…, D) of pieces (…)."""
        g = self.g
        if not self.int8:
            return g("Gather", self.plain("embedding.weight"), pieces)
        blocks, worth = self.blocks("embedding", ["embedding"])
        whole = g("Sub", g("Cast", g("Gather", blocks, pieces), to=FLOAT), g.real(MIDDLE))
        count = self.kept[blocks].shape[1]
        scale = g("Gather", g("Reshape", worth, g.numbers(-1, count, 1)), pieces)
        shape = g("Concat", g("Shape", pieces), g.numbers(self.sizes.width), axis=0)
        return g("Reshape", g("Mul", whole, scale), shape)

    def distance_bias(self, length: str) -> str:
        """Return what is added to attention (1, H, T, T) for the distance of two pieces, by a table (H, distances)."""
        g, table = self.g, self.weights[DISTANCES]
        places = g("Range", g.scalar(0), g("Squeeze", length), g.scalar(1))
        apart = g("Sub", g("Unsqueeze", places, g.numbers(0)), g("Unsqueeze", places, g.numbers(1)))
        numbers = g("Add", apart, g.scalar(table.shape[1] // 2))  # the middle of the table is for the same place
        return g("Unsqueeze", g("Gather", self.plain(DISTANCES), numbers, axis=1), g.numbers(0))

    def read(self) -> str:
        """source (1, T) → states (1, T, D), by the encoder."""
        g, sizes = self.g, self.sizes
        length = g("Shape", "source", start=1, end=2)
        bias = ("", "", self.distance_bias(length)) if DISTANCES in self.weights else ()
        places = g("Slice", self.plain("positions.weight"), g.numbers(0), length, g.numbers(0))
        states = self.norm("norm", g("Add", self.embedded("source"), places))
        for layer in [f"encoder.{number}" for number in range(sizes.encoder_layers)]:
            parts = [f"{layer}.attention.{part}" for part in ("query", "key", "value")]
            projected = self.joined(f"{layer}.attention.all", parts, states)
            split = g.several(3, "Split", projected, axis=2, num_outputs=3)
            seen = g("MultiHeadAttention", *split, *bias, num_heads=sizes.heads, domain=MICROSOFT)
            states = self.added(states, self.linear(f"{layer}.attention.output", seen), f"{layer}.attention_norm")
            states = self.feed_forward(layer, states, rows=self.reads_rows)
        return states

    def reading(self) -> Graph:
        """source (1, T) → what a step needs of it: keys, values (1, layers H, T, D / H), copy (D, T), gates (T, 1).

        `copy` are the keys for copying, and `gates` how far each piece, where it is attended to, opens the gate.
        """
        g, sizes = self.g, self.sizes
        states = self.read()
        layers, size = range(sizes.decoder_layers), sizes.width // sizes.heads
        of_keys = [*[f"decoder.{number}.source.key" for number in layers], "copy_key"]
        all_keys = self.joined("source_keys", of_keys, states)
        parts = g.numbers(len(layers) * sizes.width, sizes.width)
        keys, copy = g.several(2, "Split", all_keys, parts, axis=2)
        values = self.joined("source_values", [f"decoder.{number}.source.value" for number in layers], states)
        weight = self.keep("gate.source", self._gate()[:, sizes.width :].T)

        def by_heads(projected: str) -> str:
            return g("Transpose", g("Reshape", projected, g.numbers(0, 0, -1, size)), perm=[0, 2, 1, 3])

        shape: Shape = [1, len(layers) * sizes.heads, "T", size]
        outputs: dict[str, tuple[str, int, Shape]] = {
            "keys": (by_heads(keys), FLOAT, shape),
            "values": (by_heads(values), FLOAT, shape),
            "copy": (g("Transpose", g("Squeeze", copy, g.numbers(0)), perm=[1, 0]), FLOAT, [sizes.width, "T"]),
            "gates": (g("MatMul", g("Squeeze", states, g.numbers(0)), weight), FLOAT, ["T", 1]),
        }
        return g.done(ENCODER, {"source": (INT, [1, "T"])}, outputs)

    def _gate(self) -> npt.NDArray[np.float32]:
        """(1, 2 D): for what is written, and for what is read."""
        if "gate.weight" in self.weights:
            return self.weights["gate.weight"]
        return np.concatenate([self.weights["gate.row"], self.weights["gate.source"]]).T

    def stepping(self) -> Graph:
        """One step: R rows read N pieces each; the k likeliest pieces after each of them, their probabilities, and the
        keys and values so far."""
        g, sizes = self.g, self.sizes
        heads, size = sizes.heads, sizes.width // sizes.heads
        places = g("Gather", self.plain("target_positions.weight"), "positions")  # (N, D)
        hidden = self.norm("target_norm", g("Add", self.embedded("tokens"), places))  # (R, N, D)
        outputs: dict[str, tuple[str, int, Shape]] = {}
        for number in range(sizes.decoder_layers):
            layer = f"decoder.{number}"
            seen, keys, values = self._own(layer, hidden, number)
            hidden = self.added(hidden, seen, f"{layer}.attention_norm")
            hidden = self.added(hidden, self._source(layer, hidden, number), f"{layer}.source_norm")
            hidden = self.feed_forward(layer, hidden, rows=True)
            outputs[f"new_said_key_{number}"] = (keys, FLOAT, ["R", heads, "P+N", size])
            outputs[f"new_said_value_{number}"] = (values, FLOAT, ["R", heads, "P+N", size])
        likeliest, chosen = g.several(2, "TopK", self._mixture(hidden), "k", axis=-1)
        outputs |= {"likeliest": (likeliest, FLOAT, ["R", "N", "k"]), "chosen": (chosen, INT, ["R", "N", "k"])}
        inputs: dict[str, tuple[int, Shape]] = {
            "tokens": (INT, ["R", "N"]),
            "positions": (INT, ["N"]),
            "k": (INT, [1]),
            "source": (INT, [1, "T"]),
            "copy": (FLOAT, [sizes.width, "T"]),
            "gates": (FLOAT, ["T", 1]),
        }
        for number in range(sizes.decoder_layers):
            inputs[f"key_{number}"] = (FLOAT, [1, heads, "T", size])
            inputs[f"value_{number}"] = (FLOAT, [1, heads, "T", size])
            inputs[f"said_key_{number}"] = (FLOAT, ["R", heads, "P", size])
            inputs[f"said_value_{number}"] = (FLOAT, ["R", heads, "P", size])
        return g.done(STEP, inputs, outputs)

    def _own(self, layer: str, hidden: str, number: int) -> tuple[str, str, str]:
        """Attention of each piece to itself and to those that its row wrote before."""
        g = self.g
        parts = [f"{layer}.attention.{part}" for part in ("query", "key", "value")]
        split = g.several(
            3, "Split", self.joined(f"{layer}.attention.all", parts, hidden, rows=True), axis=2, num_outputs=3
        )
        said = (f"said_key_{number}", f"said_value_{number}")
        options = {"num_heads": self.sizes.heads, "unidirectional": 1}
        seen, keys, values = g.several(3, "MultiHeadAttention", *split, "", "", "", *said, domain=MICROSOFT, **options)
        return self.linear(f"{layer}.attention.output", seen, rows=True), keys, values

    def _source(self, layer: str, hidden: str, number: int) -> str:
        """Attention of all pieces to the source, which they share."""
        g = self.g
        query = g(
            "Reshape", self.linear(f"{layer}.source.query", hidden, rows=True), g.numbers(1, -1, self.sizes.width)
        )
        held = (f"key_{number}", f"value_{number}")
        seen = g("MultiHeadAttention", query, *held, num_heads=self.sizes.heads, domain=MICROSOFT)
        return self.linear(f"{layer}.source.output", g("Reshape", seen, g("Shape", hidden)), rows=True)

    def _mixture(self, hidden: str) -> str:
        """Return the probabilities (R, N, V) of the next piece: generated or copied, added up."""
        g, sizes = self.g, self.sizes
        query = self.linear("copy_query", hidden, rows=True)
        scores = g("FusedMatMul", query, "copy", alpha=sizes.width**-0.5, domain=MICROSOFT)
        copied = g("Softmax", scores, axis=-1)  # (R, N, T)
        own = g("MatMul", hidden, self.keep("gate.row", self._gate()[:, : sizes.width].T))
        opened = g("Add", g("Add", own, g("MatMul", copied, "gates")), self.plain("gate.bias"))
        gate = g("Sigmoid", opened)  # (R, N, 1)
        if self.int8:
            logits = self.in_blocks(hidden, *self.blocks("embedding", ["embedding"]), self.plain("bias"))
        else:
            table = self.keep("embedding.transposed", self.weights["embedding.weight"].T)
            logits = g("Add", g("MatMul", hidden, table), self.plain("bias"))
        written = g("Mul", g("Softmax", logits, axis=-1), gate)
        pieces = g("Expand", "source", g("Shape", copied))
        shares = g("Mul", copied, g("Sub", g.real(1.0), gate))
        return g("ScatterElements", written, pieces, shares, axis=-1, reduction="add")


if __name__ == "__main__":
    export_again(*map(Path, sys.argv[1:]))
