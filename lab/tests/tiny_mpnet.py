"""An MPNet small enough for tests, over the vocabulary of `tiny_bert`: real names of weights, random values."""

import json
import random
from array import array
from collections.abc import Sequence
from pathlib import Path

from phrasemill import models

CONFIG = {
    "model_type": "mpnet",
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_attention_heads": 2,
    "num_hidden_layers": 1,
    "max_position_embeddings": 514,
    "relative_attention_num_buckets": 32,
}
MARKS, MASK = ("<s>", "<pad>", "</s>", "<unk>"), "<mask>"  # MPNet's own, around BERT's vocabulary


def make(folder: Path, pieces: Sequence[str]) -> Path:
    """Write config.json, vocab.txt and model.safetensors into `folder`; `pieces` is BERT's vocabulary."""
    vocabulary = [*MARKS, *pieces, MASK]
    width, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(vocabulary), width),
        "embeddings.position_embeddings.weight": (CONFIG["max_position_embeddings"], width),
        "encoder.relative_attention_bias.weight": (32, CONFIG["num_attention_heads"]),
    }
    layer = "encoder.layer.0."
    sizes = {f"{layer}attention.attn.{name}": (width, width) for name in "qkvo"}
    sizes |= {f"{layer}intermediate.dense": (inner, width), f"{layer}output.dense": (width, inner)}
    for name, (out, into) in sizes.items():
        shapes |= {f"{name}.weight": (out, into), f"{name}.bias": (out,)}
    for name in ("embeddings.LayerNorm", f"{layer}attention.LayerNorm", f"{layer}output.LayerNorm"):
        shapes |= {f"{name}.weight": (width,), f"{name}.bias": (width,)}
    source = random.Random(1)
    buffers = {
        name: array("f", [source.gauss(0, 0.3) for _ in range(shape[0] * (shape[1] if len(shape) > 1 else 1))])
        for name, shape in shapes.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    models.save(folder / "model.safetensors", buffers, {"format": "pt"}, shapes)
    return folder
