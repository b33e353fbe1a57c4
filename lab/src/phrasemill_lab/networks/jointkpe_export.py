"""JointKPE as an ONNX graph without weights, which `phrasemill.methods.bertkpe` runs over the weights beside it.

    python -m phrasemill_lab.networks.jointkpe_export FOLDER

writes the graph of a model's folder again, and

    python -m phrasemill_lab.networks.jointkpe_export CHECKPOINT ENCODER FOLDER

makes such a folder of a checkpoint of the authors (github.com/thunlp/BERT-KPE) and the Transformers folder of the
encoder that it was trained from. Encoders are BERT or RoBERTa.
"""

import json
import sys
from array import array
from pathlib import Path
from typing import Any

from phrasemill import models
from phrasemill.errors import ModelError
from phrasemill.methods.bertkpe.reader import GRAPH, KIND, SCORES, WEIGHTS
from phrasemill.methods.onnx_file import Weights, weights_of
from phrasemill_lab.networks import jointkpe_files as files
from phrasemill_lab.networks.onnx_files import Graph
from phrasemill_lab.networks.onnx_graph import FLOAT, INT, MICROSOFT, GraphBuilder, Shape

LIKE_ROBERTA = ("roberta", "xlm-roberta", "camembert")
USUAL_WINDOW = 512  # pieces, as published
UNLIMITED = 1 << 20  # a tokeniser without a limit names a number far above this


def write_graph(folder: Path) -> None:
    """Write the graph of the model in a folder."""
    weights = weights_of(models.load(folder / WEIGHTS))
    config = json.loads((folder / files.ENCODER / "config.json").read_text(encoding="utf-8"))
    made = graph(weights, config)
    known = about(files.tokenizer(folder / files.ENCODER), config)
    known |= {"kind": KIND, "longest": str(longest(weights)), SCORES: ",".join(made.weights)}
    models.save(folder / GRAPH, {SCORES: array("B", made.model)}, known)


def convert(checkpoint: Path, encoder: Path, folder: Path) -> None:
    """Write the folder of a model, of a checkpoint and its encoder's folder."""
    network, words = files.load(checkpoint, encoder)
    files.save(folder, network, words, int8=False)
    (folder / files.MODEL).write_text(json.dumps({"model": files.NAME, "made of": checkpoint.name}), encoding="utf-8")
    write_graph(folder)


def about(words: Any, config: dict[str, Any]) -> dict[str, str]:
    """Return what the reader has to know of a Transformers tokeniser and its encoder."""
    bare, whole = words("a", add_special_tokens=False)["input_ids"], words("a")["input_ids"]
    at = next((i for i in range(len(whole)) if whole[i : i + len(bare)] == bare), len(whole))
    window = min(words.model_max_length, config["max_position_embeddings"] - first_position(config))
    return {
        "before": " ".join(map(str, whole[:at])),
        "after": " ".join(map(str, whole[at + len(bare) :])),
        "unknown": str(words.unk_token_id or 0),
        "window": str(window if window < UNLIMITED else USUAL_WINDOW),
    }


def first_position(config: dict[str, Any]) -> int:
    """Return the place of the first piece: RoBERTa's begin after the number of its padding."""
    kind = config["model_type"]
    if kind not in ("bert", *LIKE_ROBERTA):
        raise ModelError(f"the encoder must be BERT or RoBERTa, got {kind!r}")
    return int(config["pad_token_id"]) + 1 if kind in LIKE_ROBERTA else 0


def longest(weights: Weights) -> int:
    """Return how many words the longest n-gram has."""
    return sum(name.startswith("convolutions.") and name.endswith(".weight") for name in weights)


def graph(weights: Weights, config: dict[str, Any]) -> Graph:
    """pieces (P,), first pieces of words (W,) → scores (longest, W): of the n-gram of each length at each word.

    What is scored at the end of the words, where an n-gram would not fit, is of no use.
    """
    g = GraphBuilder(weights)
    epsilon, heads = float(config["layer_norm_eps"]), int(config["num_attention_heads"])
    one = g.numbers(0)

    def norm(layer: str, values: str) -> str:
        parts = [g.weight(f"{layer}.LayerNorm.{part}") for part in ("weight", "bias")]
        return g("LayerNormalization", values, *parts, epsilon=epsilon)

    def table(kind: str) -> str:
        return g.weight(f"encoder.embeddings.{kind}_embeddings.weight")

    begin = first_position(config)
    end = g("Add", g("Shape", "pieces"), g.numbers(begin))
    places = g("Add", g("Slice", table("position"), g.numbers(begin), end, one), g("Gather", table("token_type"), one))
    states = norm("encoder.embeddings", g("Add", g("Gather", table("word"), "pieces"), places))
    for number in range(int(config["num_hidden_layers"])):
        layer = f"encoder.encoder.layer.{number}"
        projected = [g.linear(f"{layer}.attention.self.{part}", states) for part in ("query", "key", "value")]
        batches = [g("Unsqueeze", values, one) for values in projected]
        seen = g("Squeeze", g("MultiHeadAttention", *batches, num_heads=heads, domain=MICROSOFT), one)
        attended = g.linear(f"{layer}.attention.output.dense", seen)
        states = norm(f"{layer}.attention.output", g("Add", states, attended))
        inner = g("Gelu", g.linear(f"{layer}.intermediate.dense", states), domain=MICROSOFT)
        states = norm(f"{layer}.output", g("Add", states, g.linear(f"{layer}.output.dense", inner)))
    words = g("Unsqueeze", g("Transpose", g("Gather", states, "first"), perm=[1, 0]), one)  # (1, D, W)
    rows = []
    for size in range(1, longest(weights) + 1):
        parts = [g.weight(f"convolutions.{size - 1}.{part}") for part in ("weight", "bias")]
        ngrams = g("Relu", g("Conv", words, *parts, pads=[0, size - 1]))  # (1, C, W)
        rows.append(g.linear("ranking", g("Transpose", g("Squeeze", ngrams, one), perm=[1, 0])))  # (W, 1)
    shape: Shape = [len(rows), "W"]
    scores = g("Transpose", g("Concat", *rows, axis=1), perm=[1, 0])
    inputs: dict[str, tuple[int, Shape]] = {"pieces": (INT, ["P"]), "first": (INT, ["W"])}
    return g.done("jointkpe", inputs, {"scores": (scores, FLOAT, shape)})


if __name__ == "__main__":
    given = list(map(Path, sys.argv[1:]))
    convert(*given) if len(given) == 3 else write_graph(*given)
