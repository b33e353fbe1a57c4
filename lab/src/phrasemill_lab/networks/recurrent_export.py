"""CopyRNN, CatSeq and CatSeqD as ONNX graphs: one that reads sources, one that takes a step.

The graphs are built operator by operator, so that they contain nothing but the network, and no weights: those are given
by name when a graph is opened (`methods/onnx_file.py`). The step does not spread the copied words' probabilities over
the vocabulary: each of the k likeliest is among the likeliest of the vocabulary or a word of the source, so only these
are joined. Shapes as in `recurrent`; S sources, and rows in S groups of equal size.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto

from phrasemill.methods.generator.words import PAD, SPECIALS, WordVocabulary
from phrasemill.methods.onnx_file import Weights
from phrasemill_lab.networks.onnx_files import Graph, pack, write
from phrasemill_lab.networks.onnx_graph import FLOAT, INT, MICROSOFT, GraphBuilder, Shape, weights_of
from phrasemill_lab.networks.recurrent import RecurrentNetwork

ENCODER, STEP = "encoder", "step"
MARKS = 3  # padding, unknown and begin come first in a vocabulary, and are never written


def export(model: RecurrentNetwork, vocabulary: WordVocabulary, path: Path, *, name: str, int8: bool = True) -> None:
    """Write the model as one file that `methods/catseq.py` opens; `name` is its method's, such as `catseqd`."""
    weights = onnx_weights(model)
    if int8:  # the output layer, the largest, in whole numbers; its input is between -1 and 1
        packed, weights["output.worth"] = pack(weights.pop("output.weight"))
        weights["output.columns"] = np.ascontiguousarray(packed.T)
    graphs = {ENCODER: encoder_graph(weights), STEP: step_graph(weights)}
    words = "\n".join(vocabulary.words[len(SPECIALS) :])
    about = {"paradigm": model.config.paradigm, "hidden": str(model.config.hidden)}
    write(path, f"{name} model", graphs, weights, words, about, int8=int8)


def onnx_weights(model: RecurrentNetwork) -> dict[str, npt.NDArray[Any]]:
    """Return the network's weights under their own names, those of GRUs as ONNX orders them."""
    found = weights_of(model)
    weights = {name: values for name, values in found.items() if "_l0" not in name}
    for gru in ("encoder", "decoder", "target_encoder"):
        if f"{gru}.weight_ih_l0" in found:
            ends = ("l0", "l0_reverse") if f"{gru}.weight_ih_l0_reverse" in found else ("l0",)
            for new, old in (("W", "weight_ih"), ("R", "weight_hh")):
                weights[f"{gru}.{new}"] = np.stack([_gates(found[f"{gru}.{old}_{end}"]) for end in ends])
            biases = [[_gates(found[f"{gru}.{old}_{end}"]) for old in ("bias_ih", "bias_hh")] for end in ends]
            weights[f"{gru}.B"] = np.stack([np.concatenate(pair) for pair in biases])
    weights.pop("bilinear.weight", None)  # needed by the loss alone
    return weights


def _gates(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Reset, update, new → update, reset, new."""
    reset, update, new = np.split(values, 3)
    return np.concatenate((update, reset, new))


def encoder_graph(weights: Weights) -> Graph:
    """numbers (S, T), all of the vocabulary, and lengths (S,) → states (S, T, 2H), keys (S, T, H), first (S, H)."""
    g = GraphBuilder(weights)
    embedded = g("Gather", g.weight("embedding.weight"), "numbers")
    every, last = g.gru("encoder", g("Transpose", embedded, perm=[1, 0, 2]), "lengths", directions="bidirectional")
    states = g("Reshape", g("Transpose", every, perm=[2, 0, 1, 3]), g.numbers(0, 0, -1))
    keys = g("MatMul", states, g("Transpose", g.weight("attention.key.weight"), perm=[1, 0]))
    both = g("Reshape", g("Transpose", last, perm=[1, 0, 2]), g.numbers(0, -1))
    first = g("Tanh", g.linear("initial", both))
    hidden = weights["initial.bias"].shape[0]
    return g.done(
        ENCODER,
        {"numbers": (INT, ["S", "T"]), "lengths": (TensorProto.INT32, ["S"])},
        {
            "states": (states, FLOAT, ["S", "T", 2 * hidden]),
            "keys": (keys, FLOAT, ["S", "T", hidden]),
            "first": (first, FLOAT, ["S", hidden]),
        },
    )


def step_graph(weights: Weights) -> Graph:
    """One step of all rows: the decoder's new state, and the `likeliest` probabilities and numbers of the next word.

    `tokens` (rows,) are all of the vocabulary; `numbers` (S, T) are the sources' words, `place` (S, T) is where each of
    them occurs first; `top` is how many words of the vocabulary are considered, `k` how many are returned.
    """
    g = GraphBuilder(weights)
    hidden, vocabulary = weights["initial.bias"].shape[0], weights["output.bias"].shape[0]
    state, covered = _decoder(g)
    inner, attention, switch = _mixture(g, state, hidden)
    abstract = g("Softmax", _output(g, inner), axis=1)  # pa: (rows, V)

    # The words of the sources: (S, T) → (rows, T)
    spread = g("Shape", attention)
    time = g("Shape", "numbers", start=1, end=2)
    flat = g("Concat", g.numbers(-1), time, axis=0)
    words, place = (
        g("Reshape", g("Expand", g("Unsqueeze", one, g.numbers(1)), spread), flat) for one in ("numbers", "place")
    )
    weights_ = g("Reshape", attention, flat)
    known = g("Less", words, g.numbers(vocabulary))
    written = g("GatherElements", abstract, g("Where", known, words, g.numbers(PAD)), axis=1)
    nothing = g("Mul", weights_, g.real(0.0))
    gathered = g("ScatterElements", nothing, place, weights_, axis=1, reduction="add")
    copied = g("Mul", gathered, g("Sub", g.real(1.0), switch))
    either = g("Add", copied, g("Where", known, g("Mul", written, switch), g.real(0.0)))
    first = g("Equal", place, g("Range", g.scalar(0), g("Squeeze", time), g.scalar(1)))
    counts = g("And", first, g("GreaterOrEqual", words, g.numbers(MARKS)))
    in_source = g("Where", counts, either, g.real(0.0))  # (rows, T)

    # The likeliest of the vocabulary that are none of them: (rows, top)
    best, best_words = g.several(2, "TopK", abstract, "top", axis=1)
    same = g("Equal", g("Unsqueeze", best_words, g.numbers(2)), g("Unsqueeze", words, g.numbers(1)))  # (rows, top, T)
    there = g("ReduceMax", g("Cast", same, to=FLOAT), g.numbers(2), keepdims=0)
    never = g("Or", g("Cast", there, to=TensorProto.BOOL), g("Less", best_words, g.numbers(MARKS)))
    elsewhere = g("Where", never, g.real(0.0), g("Mul", best, switch))

    every = g("Concat", elsewhere, in_source, axis=1)
    likeliest, where = g.several(2, "TopK", every, "k", axis=1)
    chosen = g("GatherElements", g("Concat", best_words, words, axis=1), where, axis=1)
    inputs: dict[str, tuple[int, Shape]] = {
        "tokens": (INT, ["rows"]),
        "state": (FLOAT, ["rows", hidden]),
        "states": (FLOAT, ["S", "T", 2 * hidden]),
        "keys": (FLOAT, ["S", "T", hidden]),
        "numbers": (INT, ["S", "T"]),
        "place": (INT, ["S", "T"]),
        "top": (INT, [1]),
        "k": (INT, [1]),
    }
    outputs: dict[str, tuple[str, int, Shape]] = {
        "new_state": (state, FLOAT, ["rows", hidden]),
        "likeliest": (likeliest, FLOAT, ["rows", "k"]),
        "chosen": (chosen, INT, ["rows", "k"]),
    }
    if covered is not None:
        inputs["covered"] = (FLOAT, ["rows", hidden])
        outputs["new_covered"] = (covered, FLOAT, ["rows", hidden])
    return g.done(STEP, inputs, outputs)


def _output(g: GraphBuilder, inner: str) -> str:
    """L3: (rows, H) → (rows, V); in whole numbers every row is rounded by itself, whatever the others are."""
    if "output.columns" not in g.weights:
        return g.linear("output", inner)
    worth, middle = g.constant(FLOAT, [], 1 / 127), g.constant(TensorProto.UINT8, [], 128)
    whole = g("QuantizeLinear", inner, worth, middle)
    columns, scale, bias = (g.weight(f"output.{part}") for part in ("columns", "worth", "bias"))
    return g("MatMulIntegerToFloat", whole, columns, worth, scale, middle, "", bias, domain=MICROSOFT)


def _decoder(g: GraphBuilder) -> tuple[str, str | None]:
    """Eq. 7 or eq. 1: the new state (rows, H), and that of the target encoder if there is one."""
    axis = g.numbers(0)
    x = g("Unsqueeze", g("Gather", g.weight("embedding.weight"), "tokens"), axis)  # (1, rows, E)
    covered = None
    if "target_encoder.W" in g.weights:
        _, last = g.gru("target_encoder", x, "", g("Unsqueeze", "covered", axis))
        x = g("Concat", x, last, axis=2)
        covered = g("Squeeze", last, axis)
    _, last = g.gru("decoder", x, "", g("Unsqueeze", "state", axis))
    return g("Squeeze", last, axis), covered


def _mixture(g: GraphBuilder, state: str, hidden: int) -> tuple[str, str, str]:
    """Eq. 9 to 11 and 13: the inner layer of pa (rows, H), attention (S, rows of each, T) and the switch (rows, 1)."""
    count = g("Shape", "numbers", start=0, end=1)
    shape = g("Concat", count, g.numbers(-1, 1, hidden), axis=0)
    query = g("Reshape", g.linear("attention.query", state), shape)  # (S, rows of each, 1, H)
    both = g("Tanh", g("Add", query, g("Unsqueeze", "keys", g.numbers(1))))  # (S, rows of each, T, H)
    column = g("Transpose", g.weight("attention.energy.weight"), perm=[1, 0])  # (H, 1)
    energy = g("Squeeze", g("MatMul", both, column), g.numbers(3))
    padding = g("Unsqueeze", g("Equal", "numbers", g.numbers(PAD)), g.numbers(1))
    attention = g("Softmax", g("Where", padding, g.real(float("-inf")), energy), axis=-1)
    context = g("Reshape", g("MatMul", attention, "states"), g.numbers(-1, 2 * hidden))  # (rows, 2H)
    inner = g("Tanh", g.linear("inner", g("Concat", state, context, axis=1)))
    switched = g("Add", g.linear("switch_context", context), g.linear("switch_state", state))
    switch = g("Sigmoid", g.linear("switch", g("Tanh", switched)))
    return inner, attention, switch
