"""Our own generator: a small Transformer that reads a text once and writes its keyphrases in three ways.

The encoder is MiniLM's (Wang et al., 2020), so that it starts from pretrained weights; the decoder has the same layers
with attention to the source added, and starts from the encoder's upper ones (Rothe et al., 2020). A token is generated
or copied from the source (pointer-generator; See et al., 2017). What the decoder writes depends on its first token:
`<sequence>` all keyphrases, one after another, and then the end; `<present>` one keyphrase that occurs in the text;
`<absent>` one that does not. The first token of the source is the style: whose keyphrases to write.

Shapes: B documents, S source pieces, T target pieces, D width, H heads, V vocabulary.
"""

from dataclasses import dataclass
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from phrasemill.methods.generator.pieces import PAD


@dataclass(frozen=True, slots=True)
class TransformerSizes:
    """The network's sizes; the defaults are MiniLM's."""

    vocabulary: int = 20_000
    width: int = 384
    heads: int = 12
    inner: int = 1536
    encoder_layers: int = 6
    decoder_layers: int = 4
    positions: int = 512  # of the source
    target_positions: int = 128
    dropout: float = 0.1


class MultiHeadAttention(nn.Module):
    """Multi-head attention (Vaswani et al., 2017)."""

    def __init__(self, sizes: TransformerSizes) -> None:
        super().__init__()
        self.heads, self.dropout = sizes.heads, sizes.dropout
        self.query = nn.Linear(sizes.width, sizes.width)
        self.key = nn.Linear(sizes.width, sizes.width)
        self.value = nn.Linear(sizes.width, sizes.width)
        self.output = nn.Linear(sizes.width, sizes.width)

    def forward(self, states: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        """states (B, T, D), memory as `remember` gives it, mask (B, 1, T or 1, S), true where one may look."""
        query = self.split(self.query(states))  # (B, H, T, D / H)
        dropout = self.dropout if self.training else 0.0
        seen = F.scaled_dot_product_attention(query, *memory, attn_mask=mask, dropout_p=dropout)
        return self.output(seen.transpose(1, 2).flatten(2))  # (B, T, D)

    def remember(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values (B, H, S, D / H) of states (B, S, D)."""
        return self.split(self.key(states)), self.split(self.value(states))

    def split(self, states: Tensor) -> Tensor:
        return states.view(*states.shape[:2], self.heads, -1).transpose(1, 2)


class TransformerLayer(nn.Module):
    """Attention among the states, attention to the source (in the decoder), and a feed-forward network, each added to
    what it read and normalised afterwards, as in BERT."""

    def __init__(self, sizes: TransformerSizes, *, reads_source: bool) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(sizes)
        self.attention_norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.source = MultiHeadAttention(sizes) if reads_source else None
        self.source_norm = nn.LayerNorm(sizes.width, eps=1e-12) if reads_source else None
        self.inner = nn.Linear(sizes.width, sizes.inner)
        self.outer = nn.Linear(sizes.inner, sizes.width)
        self.norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.dropout = nn.Dropout(sizes.dropout)

    def forward(
        self,
        states: Tensor,
        memory: tuple[Tensor, Tensor],
        mask: Tensor,
        source: tuple[Tensor, Tensor] | None = None,
        source_mask: Tensor | None = None,
    ) -> Tensor:
        states = self.attention_norm(states + self.dropout(self.attention(states, memory, mask)))
        if self.source is not None and self.source_norm is not None:
            assert source is not None and source_mask is not None
            states = self.source_norm(states + self.dropout(self.source(states, source, source_mask)))
        return self.norm(states + self.dropout(self.outer(F.gelu(self.inner(states)))))


def layers(stack: nn.ModuleList) -> list[TransformerLayer]:
    return cast(list[TransformerLayer], list(stack))


class Targets(NamedTuple):
    """What the decoder is trained on, several sequences per row, numbered by `segment`; `position` is within one."""

    inputs: Tensor  # (B, T)
    outputs: Tensor  # (B, T)
    position: Tensor  # (B, T)
    segment: Tensor  # (B, T)
    taught: Tensor  # (N,), the places, row after row, that are no padding: found beforehand, because finding them on a
    # GPU would make it wait


class GeneratorState(NamedTuple):
    """The source, and what has been written; one row per hypothesis."""

    source: Tensor  # (R, S)
    states: Tensor  # (R, S, D)
    written: Tensor  # (R, T)

    def rows(self, chosen: Tensor) -> "GeneratorState":
        return GeneratorState(*[part[chosen] for part in self])


class GeneratorNetwork(nn.Module):
    def __init__(self, sizes: TransformerSizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.embedding = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Embedding(sizes.positions, sizes.width)
        self.norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.encoder = nn.ModuleList([TransformerLayer(sizes, reads_source=False) for _ in range(sizes.encoder_layers)])
        self.target_positions = nn.Embedding(sizes.target_positions, sizes.width)
        self.target_norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.decoder = nn.ModuleList([TransformerLayer(sizes, reads_source=True) for _ in range(sizes.decoder_layers)])
        self.bias = nn.Parameter(torch.zeros(sizes.vocabulary))  # the output's weights are the embedding's
        self.copy_query = nn.Linear(sizes.width, sizes.width)
        self.copy_key = nn.Linear(sizes.width, sizes.width, bias=False)
        self.gate = nn.Linear(2 * sizes.width, 1)
        self.dropout = nn.Dropout(sizes.dropout)
        self.apply(initialise)

    def encode(self, source: Tensor) -> Tensor:
        """source (B, S) → states (B, S, D)."""
        mask = (source != PAD)[:, None, None, :]  # (B, 1, 1, S)
        places = torch.arange(source.shape[1], device=source.device)
        states: Tensor = self.dropout(self.norm(self.embedding(source) + self.positions(places)))
        for layer in layers(self.encoder):
            states = layer(states, layer.attention.remember(states), mask)
        return states

    def loss(self, source: Tensor, targets: Targets) -> tuple[Tensor, Tensor]:
        """Return the negative log-likelihood of every target piece (N,), and the sequence that each belongs to."""
        states = self.encode(source)
        source_mask = (source != PAD)[:, None, None, :]
        hidden = self._decode(targets, states, source_mask)
        wanted = targets.outputs.flatten()[targets.taught]  # (N,)
        copied = self._copying(hidden, states, source_mask)  # (B, T, S), log-probabilities
        same = targets.outputs[:, :, None] == source[:, None, :]
        copy = copied.masked_fill(~same, -1e4).logsumexp(-1).flatten()[targets.taught]  # (N,)
        gate = self._gate(hidden, states, copied).flatten()[targets.taught]
        logits = self._logits(hidden.flatten(0, 1)[targets.taught]).float()  # (N, V)
        written = -F.cross_entropy(logits, wanted, reduction="none")
        both = torch.logaddexp(F.logsigmoid(gate) + written, F.logsigmoid(-gate) + copy)
        return -both, targets.segment.flatten()[targets.taught]

    def _decode(self, targets: Targets, states: Tensor, source_mask: Tensor) -> Tensor:
        hidden = self.target_norm(self.embedding(targets.inputs) + self.target_positions(targets.position))
        hidden = self.dropout(hidden)  # (B, T, D)
        length = targets.inputs.shape[1]
        earlier = torch.ones(length, length, dtype=torch.bool, device=hidden.device).tril()
        mask = (earlier & (targets.segment[:, :, None] == targets.segment[:, None, :]))[:, None]  # (B, 1, T, T)
        for layer in layers(self.decoder):
            assert layer.source is not None
            memory = layer.attention.remember(hidden)
            hidden = layer(hidden, memory, mask, layer.source.remember(states), source_mask)
        return hidden

    def _logits(self, hidden: Tensor) -> Tensor:
        return hidden @ self.embedding.weight.T + self.bias

    def _copying(self, hidden: Tensor, states: Tensor, source_mask: Tensor) -> Tensor:
        """Return the log-probability (B, T, S) of each source piece, given that one is copied."""
        scores = self.copy_query(hidden) @ self.copy_key(states).transpose(1, 2) / self.sizes.width**0.5
        return scores.float().masked_fill(~source_mask[:, 0], -1e9).log_softmax(-1)

    def _gate(self, hidden: Tensor, states: Tensor, copied: Tensor) -> Tensor:
        """Return the log-odds (B, T) of writing against copying."""
        context = copied.exp().to(states.dtype) @ states  # (B, T, D)
        return self.gate(torch.cat([hidden, context], -1)).squeeze(-1).float()

    def begin(self, source: Tensor) -> GeneratorState:
        return GeneratorState(source, self.encode(source), source[:, :0])

    def step(self, state: GeneratorState, tokens: Tensor) -> tuple[GeneratorState, Tensor]:
        """Read tokens (R,); return the state after them, and the probabilities (R, V) of the next ones. All that was
        written is read again: this serves validation, which takes a small part of the time of training."""
        written = torch.cat([state.written, tokens[:, None]], 1)
        position = torch.arange(written.shape[1], device=tokens.device).expand_as(written)
        source_mask = (state.source != PAD)[:, None, None, :]
        targets = Targets(written, written, position, torch.zeros_like(written), written)
        hidden = self._decode(targets, state.states, source_mask)[:, -1:]
        copied = self._copying(hidden, state.states, source_mask)
        gate = self._gate(hidden, state.states, copied).sigmoid()  # (R, 1)
        generated = gate * self._logits(hidden[:, 0]).float().softmax(-1)
        result = generated.scatter_add(1, state.source, (1 - gate) * copied[:, 0].exp())
        return state._replace(written=written), result


def initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=0.02)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    elif isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
