"""A BERT small enough for tests: real architecture and files, random weights."""

import json
import random
import string
from array import array
from pathlib import Path

from phrasemill.models import save

CONFIG = {
    "model_type": "bert",
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "max_position_embeddings": 64,
    "layer_norm_eps": 1e-12,
}


def make(folder: Path, *, seed: int = 0, positions: int = CONFIG["max_position_embeddings"]) -> Path:
    """Write config.json, tokenizer.json and model.safetensors into `folder`."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    letters = string.ascii_lowercase + string.digits + string.punctuation
    unused = [f"[unused{number}]" for number in range(6)]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *unused, *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.add_special_tokens(["[MASK]"])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps(CONFIG | {"max_position_embeddings": positions}), encoding="utf-8")
    shapes = _shapes(len(vocabulary), positions)
    source = random.Random(seed)
    buffers = {}
    for name, shape in shapes.items():
        size = shape[0] * (shape[1] if len(shape) > 1 else 1)
        centre = 1.0 if name.endswith("LayerNorm.weight") else 0.0
        buffers[name] = array("f", [centre + source.gauss(0, 0.3) for _ in range(size)])
    save(folder / "model.safetensors", buffers, {"format": "pt"}, shapes)
    return folder


def _shapes(vocabulary: int, positions: int) -> dict[str, tuple[int, ...]]:
    hidden, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (vocabulary, hidden),
        "embeddings.position_embeddings.weight": (positions, hidden),
        "embeddings.token_type_embeddings.weight": (2, hidden),
    }

    def linear(name: str, into: int, out: int) -> None:
        shapes[f"{name}.weight"] = (out, into)
        shapes[f"{name}.bias"] = (out,)

    def norm(name: str) -> None:
        shapes[f"{name}.weight"] = shapes[f"{name}.bias"] = (hidden,)

    norm("embeddings.LayerNorm")
    for layer in range(CONFIG["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        for name in ("query", "key", "value"):
            linear(f"{at}.attention.self.{name}", hidden, hidden)
        linear(f"{at}.attention.output.dense", hidden, hidden)
        norm(f"{at}.attention.output.LayerNorm")
        linear(f"{at}.intermediate.dense", hidden, inner)
        linear(f"{at}.output.dense", inner, hidden)
        norm(f"{at}.output.LayerNorm")
    return shapes
