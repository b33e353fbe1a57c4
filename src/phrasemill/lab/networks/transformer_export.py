"""The generator as ONNX graphs: one that reads a source, one that takes a step.

Large matrices are int8. The encoder rounds its inputs with one scale for the whole source (fast, and a source is
always read alone); the decoder rounds every row on its own (in blocks), because rows of other documents and hypotheses
must not matter. Shapes as in `transformer`; S sources, R rows in S groups of equal size, P pieces written so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from phrasemill.lab.networks.onnx_graph import FLOAT, INT, MICROSOFT, GraphBuilder, Shape
from phrasemill.lab.networks.transformer import GeneratorNetwork, TransformerSizes
from phrasemill.methods.generator.pieces import PieceVocabulary
from phrasemill.methods.onnx_file import Graph, Weights, pack, write

ENCODER, STEP, NAME = "encoder", "step", "generator"
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
    weights: dict[str, npt.NDArray[Any]] = {
        name: values.detach().float().cpu().numpy() for name, values in model.state_dict().items()
    }
    for name, most in (("positions.weight", source), ("target_positions.weight", target)):
        weights[name] = weights[name][:most]
    encoder, step = TransformerGraph(weights, model.sizes, int8), TransformerGraph(weights, model.sizes, int8)
    graphs = {ENCODER: encoder.reading(), STEP: step.stepping()}
    used = {name: values for network in (encoder, step) for name, values in network.kept.items()}
    about = {"heads": str(model.sizes.heads), "layers": str(model.sizes.decoder_layers)}
    about |= {name: str(len(weights[f"{name}.weight"])) for name in ("positions", "target_positions")}
    write(path, f"{NAME} model", graphs, used, "\n".join(pieces.pieces), about, int8=int8)


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
        g, weight = self.g, self.weights[f"{layer}.weight"]
        bias = self.plain(f"{layer}.bias") if f"{layer}.bias" in self.weights else ""
        if self.int8 and not rows:
            packed, scale = pack(weight)
            columns = self.keep(f"{layer}.columns", packed.T)
            worth = self.keep(f"{layer}.worth", scale)
            return g("DynamicQuantizeMatMul", values, columns, worth, "", bias, domain=MICROSOFT)
        if self.int8:
            product = self.in_blocks(values, *self.blocks(layer, weight), weight)
        else:
            product = g("MatMul", values, self.keep(f"{layer}.transposed", weight.T))
        return g("Add", product, bias) if bias else product

    def side_by_side(self, name: str, layers: Sequence[str], values: str) -> str:
        """Apply several layers to the same values in one product: (…, in) → (…, the sum of their outs)."""
        weights = [self.weights[f"{layer}.weight"] for layer in layers]
        biases = [
            self.weights.get(f"{layer}.bias", np.zeros(len(weight), np.float32))
            for layer, weight in zip(layers, weights, strict=True)
        ]
        joined = {f"{name}.weight": np.concatenate(weights), f"{name}.bias": np.concatenate(biases)}
        self.weights = {**self.weights, **joined}
        return self.linear(name, values)

    def blocks(self, name: str, weight: npt.NDArray[np.float32]) -> tuple[str, str]:
        """Return the matrix in blocks of whole numbers (out, blocks, BLOCK), and the scale of each block."""
        size = min(self.block, weight.shape[1])
        parts = weight.reshape(len(weight), -1, size)
        scale = np.maximum(np.abs(parts).max(axis=2), 1e-12) / np.float32(127)
        whole = (np.rint(parts / scale[:, :, None]) + MIDDLE).astype(np.uint8)
        return self.keep(f"{name}.blocks", whole), self.keep(f"{name}.block_worth", scale.ravel())

    def in_blocks(self, values: str, blocks: str, worth: str, weight: npt.NDArray[np.float32]) -> str:
        out, size = weight.shape
        options = {"N": out, "K": size, "bits": 8, "block_size": min(self.block, size), "accuracy_level": 4}
        return self.g("MatMulNBits", values, blocks, worth, domain=MICROSOFT, **options)

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
        g, table = self.g, self.weights["embedding.weight"]
        if not self.int8:
            return g("Gather", self.plain("embedding.weight"), pieces)
        blocks, worth = self.blocks("embedding", table)
        whole = g("Sub", g("Cast", g("Gather", blocks, pieces), to=FLOAT), g.real(MIDDLE))
        count = self.kept["embedding.blocks"].shape[1]
        scale = g("Gather", g("Reshape", worth, g.numbers(-1, count, 1)), pieces)
        shape = g("Concat", g("Shape", pieces), g.numbers(table.shape[1]), axis=0)
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
            projected = self.side_by_side(f"{layer}.attention.all", parts, states)
            split = g.several(3, "Split", projected, axis=2, num_outputs=3)
            seen = g("MultiHeadAttention", *split, *bias, num_heads=sizes.heads, domain=MICROSOFT)
            states = self.added(states, self.linear(f"{layer}.attention.output", seen), f"{layer}.attention_norm")
            states = self.feed_forward(layer, states, rows=self.reads_rows)
        return states

    def reading(self) -> Graph:
        """source (1, T) → states (1, T, D), keys (1, (layers + 1) D, T), values (1, layers H, T, D / H).

        The last keys are for copying. Few large arrays, because the runtime puts batches of sources together.
        """
        g, sizes = self.g, self.sizes
        states = self.read()
        layers, size = sizes.decoder_layers, sizes.width // sizes.heads
        of_keys = [*[f"decoder.{number}.source.key" for number in range(layers)], "copy_key"]
        keys = g("Transpose", self.side_by_side("source_keys", of_keys, states), perm=[0, 2, 1])
        of_values = [f"decoder.{number}.source.value" for number in range(layers)]
        split = g("Reshape", self.side_by_side("source_values", of_values, states), g.numbers(0, 0, -1, size))
        values = g("Transpose", split, perm=[0, 2, 1, 3])
        outputs: dict[str, tuple[str, int, Shape]] = {
            "states": (states, FLOAT, [1, "T", sizes.width]),
            "keys": (keys, FLOAT, [1, (layers + 1) * sizes.width, "T"]),
            "values": (values, FLOAT, [1, layers * sizes.heads, "T", size]),
        }
        return g.done(ENCODER, {"source": (INT, [1, "T"])}, outputs)

    def stepping(self) -> Graph:
        """One step of all rows: the k likeliest next pieces, their probabilities, and the keys and values so far."""
        g, sizes = self.g, self.sizes
        heads, size = sizes.heads, sizes.width // sizes.heads
        place = g("Gather", self.plain("target_positions.weight"), "position")  # (1, D)
        hidden = self.norm("target_norm", g("Add", self.embedded("tokens"), place))  # (R, D)
        outputs: dict[str, tuple[str, int, Shape]] = {}
        for number in range(sizes.decoder_layers):
            layer = f"decoder.{number}"
            seen, keys, values = self._own(layer, hidden, number)
            hidden = self.added(hidden, seen, f"{layer}.attention_norm")
            hidden = self.added(hidden, self._sources(layer, hidden, number), f"{layer}.source_norm")
            hidden = self.feed_forward(layer, hidden, rows=True)
            outputs[f"new_said_key_{number}"] = (keys, FLOAT, ["R", heads, size, "P+1"])
            outputs[f"new_said_value_{number}"] = (values, FLOAT, ["R", heads, "P+1", size])
        likeliest, chosen = g.several(2, "TopK", self._mixture(hidden), "k", axis=1)
        outputs |= {"likeliest": (likeliest, FLOAT, ["R", "k"]), "chosen": (chosen, INT, ["R", "k"])}
        inputs: dict[str, tuple[int, Shape]] = {
            "tokens": (INT, ["R"]),
            "position": (INT, [1]),
            "k": (INT, [1]),
            "source": (INT, ["S", "T"]),
            "mask": (FLOAT, ["S", 1, "T"]),
            "states": (FLOAT, ["S", "T", sizes.width]),
            "copy": (FLOAT, ["S", sizes.width, "T"]),
        }
        for number in range(sizes.decoder_layers):
            inputs[f"key_{number}"] = (FLOAT, ["S", heads, size, "T"])
            inputs[f"value_{number}"] = (FLOAT, ["S", heads, "T", size])
            inputs[f"said_key_{number}"] = (FLOAT, ["R", heads, size, "P"])
            inputs[f"said_value_{number}"] = (FLOAT, ["R", heads, "P", size])
        return g.done(STEP, inputs, outputs)

    def _own(self, layer: str, hidden: str, number: int) -> tuple[str, str, str]:
        """Attention of each row to what it wrote, this piece included."""
        g, sizes = self.g, self.sizes
        heads, size = sizes.heads, sizes.width // sizes.heads

        def part(name: str, *shape: int) -> str:
            projected = self.linear(f"{layer}.attention.{name}", hidden, rows=True)
            return g("Reshape", projected, g.numbers(-1, *shape))

        keys = g("Concat", f"said_key_{number}", part("key", heads, size, 1), axis=3)
        values = g("Concat", f"said_value_{number}", part("value", heads, 1, size), axis=2)
        query = g("Mul", part("query", heads, 1, size), g.real(size**-0.5))
        seen = g("MatMul", g("Softmax", g("MatMul", query, keys), axis=-1), values)  # (R, H, 1, D / H)
        flat = g("Reshape", seen, g.numbers(-1, sizes.width))
        return self.linear(f"{layer}.attention.output", flat, rows=True), keys, values

    def _sources(self, layer: str, hidden: str, number: int) -> str:
        """Attention of each row to its source; the rows of a source are neighbours."""
        g, sizes = self.g, self.sizes
        size = sizes.width // sizes.heads
        projected = self.linear(f"{layer}.source.query", hidden, rows=True)
        query = g("Mul", g("Reshape", projected, self._groups(sizes.heads, size)), g.real(size**-0.5))
        query = g("Transpose", query, perm=[0, 2, 1, 3])  # (S, H, rows of each, D / H)
        mask = g("Unsqueeze", "mask", g.numbers(1))
        scores = g("Add", g("MatMul", query, f"key_{number}"), mask)
        seen = g("MatMul", g("Softmax", scores, axis=-1), f"value_{number}")
        flat = g("Reshape", g("Transpose", seen, perm=[0, 2, 1, 3]), g.numbers(-1, sizes.width))
        return self.linear(f"{layer}.source.output", flat, rows=True)

    def _groups(self, *shape: int) -> str:
        """The shape (S, rows of each, …)."""
        count = self.g("Shape", "source", start=0, end=1)
        return self.g("Concat", count, self.g.numbers(-1, *shape), axis=0)

    def _mixture(self, hidden: str) -> str:
        """Return the probabilities (R, V) of the next piece: generated or copied, added up."""
        g, sizes = self.g, self.sizes
        query = g("Mul", self.linear("copy_query", hidden, rows=True), g.real(sizes.width**-0.5))
        scores = g("Add", g("MatMul", g("Reshape", query, self._groups(sizes.width)), "copy"), "mask")
        copied = g("Softmax", scores, axis=-1)  # (S, rows of each, T)
        context = g("Reshape", g("MatMul", copied, "states"), g.numbers(-1, sizes.width))
        both = g("Concat", hidden, context, axis=1)
        gate = g("Sigmoid", g("Gemm", both, self.plain("gate.weight"), self.plain("gate.bias"), transB=1))  # (R, 1)
        table = self.weights["embedding.weight"]
        if self.int8:
            logits = self.in_blocks(hidden, *self.blocks("embedding", table), table)
        else:
            logits = g("Gemm", hidden, self.plain("embedding.weight"), transB=1)
        logits = g("Add", logits, self.plain("bias"))
        written = g("Mul", g("Softmax", logits, axis=1), gate)
        length = g("Shape", "source", start=1, end=2)
        flat = g("Concat", g.numbers(-1), length, axis=0)
        pieces = g("Reshape", g("Expand", g("Unsqueeze", "source", g.numbers(1)), g("Shape", copied)), flat)
        shares = g("Mul", g("Reshape", copied, flat), g("Sub", g.real(1.0), gate))
        return g("ScatterElements", written, pieces, shares, axis=1, reduction="add")
