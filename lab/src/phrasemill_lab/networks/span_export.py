"""The span scorer as an ONNX graph, in int8: from one window and the spans in it to the scores of these spans.

The feed-forward networks of an MPNet get a few values that are far larger than the others. With one scale for a whole
window, R-precision of the large encoder on everyday/en_dev falls from 66.3 to 61.8. With one for every row it is 66.0,
in 1.4 times the time.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch

from phrasemill.methods.encoder.scorer import KIND, SCORE
from phrasemill.methods.encoder.windows import WINDOW
from phrasemill.methods.onnx_file import Weights
from phrasemill_lab.networks.onnx_files import Graph, write
from phrasemill_lab.networks.onnx_graph import FLOAT, INT, MICROSOFT, Shape, weights_of
from phrasemill_lab.networks.span_scorer import LONGEST, SpanScorer, buckets_of
from phrasemill_lab.networks.transformer_export import DISTANCES, TransformerGraph

PARTS = ("first", "last", "mean")
MPNET_BLOCK = 256
LARGEST = 45_000_000  # bytes of a file; larger models are several


def export(
    model: SpanScorer,
    pieces: str,
    path: Path,
    *,
    metadata: Mapping[str, str] | None = None,
    others: Weights | None = None,
    int8: bool = True,
) -> None:
    """Write the model as `methods/encoder` opens it; `others` are the columns of its trees, which `metadata`
    describes. Positions beyond a window are left out."""
    weights = {_generators_name(name): values for name, values in weights_of(model).items()}
    weights["positions.weight"] = weights["positions.weight"][: WINDOW + 2]
    if model.encoder.distances is not None:
        weights[DISTANCES] = distance_table(model.encoder.distances, len(weights["positions.weight"]))
        network = TransformerGraph(weights, model.sizes, int8, block=MPNET_BLOCK, reads_rows=True)
    else:
        network = TransformerGraph(weights, model.sizes, int8, block=model.sizes.width)
    graph = scoring(network)
    every = {**network.kept, **(others or {})}
    write(path, KIND, {SCORE: graph}, every, pieces, metadata or {}, int8=int8, largest=LARGEST)


def distance_table(distances: torch.nn.Embedding, pieces: int) -> npt.NDArray[Any]:
    """Return what each head adds to attention for every distance in a window: (H, 2 * pieces - 1)."""
    numbers = buckets_of(torch.arange(1 - pieces, pieces), distances.num_embeddings)
    table: npt.NDArray[Any] = distances.weight.detach().float().cpu()[numbers].T.contiguous().numpy()
    return table


def _generators_name(name: str) -> str:
    """Return the name that the generator gives to a part of the encoder, which `TransformerGraph` expects."""
    return name.removeprefix("encoder.").replace("layers.", "encoder.") if name.startswith("encoder.") else name


def scoring(network: TransformerGraph) -> Graph:
    """source (1, T); first, last (O,) pieces and words (O,) of each span → scores (O,), kinds (K,)."""
    g, width = network.g, network.sizes.width
    states = g("Reshape", network.read(), g.numbers(-1, width))  # (T, D)
    first, last, mean = [network.linear(part, states) for part in PARTS]
    sums = g("Concat", g("ConstantOfShape", g.numbers(1, width)), g("CumSum", mean, g.scalar(0)), axis=0)  # (T + 1, D)
    after = g("Add", "last", g.scalar(1))
    count = g("Cast", g("Unsqueeze", g("Sub", after, "first"), g.numbers(1)), to=FLOAT)
    inside = g("Div", g("Sub", g("Gather", sums, after), g("Gather", sums, "first")), count)
    front = g("Gather", states, g.numbers(0))  # (1, D)
    whole = network.linear("whole", front)
    length = g("Gather", network.plain("length.weight"), g("Min", "words", g.scalar(LONGEST)))
    vector = g("Add", g("Add", g("Gather", first, "first"), g("Gather", last, "last")), g("Add", inside, length))
    vector = g("Gelu", g("Add", vector, whole), domain=MICROSOFT)
    hidden = g("Gelu", network.linear("hidden", vector), domain=MICROSOFT)
    scores = g("Gemm", hidden, network.plain("score.weight"), network.plain("score.bias"), transB=1)
    kinds = g("Gemm", front, network.plain("kind.weight"), network.plain("kind.bias"), transB=1)
    inputs: dict[str, tuple[int, Shape]] = {"source": (INT, [1, "T"])}
    inputs |= {name: (INT, ["O"]) for name in ("first", "last", "words")}
    outputs: dict[str, tuple[str, int, Shape]] = {
        "scores": (g("Reshape", scores, g.numbers(-1)), FLOAT, ["O"]),
        "kinds": (g("Reshape", kinds, g.numbers(-1)), FLOAT, ["K"]),
    }
    return g.done(SCORE, inputs, outputs)
