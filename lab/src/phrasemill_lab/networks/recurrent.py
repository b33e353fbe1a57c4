"""CatSeq and CatSeqD (Yuan et al., 2020, "One Size Does Not Fit All") and CopyRNN (Meng et al., 2017), in PyTorch.

One network with three ways to train it. A bidirectional GRU reads the source; a GRU decoder attends to it and at each
step mixes a distribution over the vocabulary with one over the source's words (pointer softmax). CopyRNN (one2one)
learns to write one phrase; CatSeq (one2seq) all of them, between separators; CatSeqD is CatSeq with two more losses:

- semantic coverage: a second GRU, the target encoder, reads the output so far; its state is also read by the decoder.
- orthogonal regularisation: the decoder's states at separators and at the end are pushed apart.

Equation numbers are the paper's. Shapes: D documents, T words of a source, R target rows (for one2seq R = D, for
one2one one per phrase), L target tokens, H hidden units, V words of the vocabulary. Numbers from V up are source words
unknown to it. Where the paper is silent: source and target share one matrix of embeddings; the inner layers of eq. 9,
11 and 13 have H units; the nll is a mean over tokens, the other two losses are means over documents.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from phrasemill.errors import ConfigError
from phrasemill.methods.generator.words import BEGIN, END, PAD, SEPARATOR, UNKNOWN

PARADIGMS = ("one2one", "one2seq")
NEVER_WRITTEN = [PAD, UNKNOWN, BEGIN]
TINY = 1e-20  # keeps the logarithm of a probability finite


@dataclass(frozen=True, slots=True)
class RecurrentConfig:
    """Sizes as in appendix D; `orthogonal` and `coverage` are the lambdas of eq. 4, and 0 leaves the mechanism out."""

    paradigm: str = "one2seq"
    vocabulary: int = 50_000
    embedding: int = 100
    hidden: int = 150
    dropout: float = 0.1
    orthogonal: float = 0.0
    coverage: float = 0.0
    negatives: int = 16
    target: int = 60  # tokens of a target, the end included

    def __post_init__(self) -> None:
        if self.paradigm not in PARADIGMS:
            raise ConfigError(f"paradigm must be one of {', '.join(PARADIGMS)}, got {self.paradigm!r}")
        if self.paradigm == "one2one" and (self.orthogonal or self.coverage):
            raise ConfigError("orthogonal and coverage require paradigm='one2seq'")


MODELS = {
    "copyrnn": RecurrentConfig(paradigm="one2one", target=10),
    "catseq": RecurrentConfig(),
    "catseqd": RecurrentConfig(orthogonal=1.0, coverage=0.03),  # Table 7, row "Table 2"
}


class AdditiveAttention(nn.Module):
    """Additive attention, eq. 9 and 10: energy = L1(tanh(L2(<state, source state>))), with L2 as its two halves."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(2 * hidden, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)  # a bias would not change the softmax

    def forward(self, states: Tensor, keys: Tensor, padding: Tensor) -> Tensor:
        """states (R, L, H), keys (R, T, H), padding (R, T) → weights over the source (R, L, T), in float32."""
        inner = torch.tanh(self.query(states)[:, :, None, :] + keys[:, None, :, :])  # (R, L, T, H)
        energy = self.energy(inner)[..., 0].float()  # (R, L, T)
        return energy.masked_fill(padding[:, None, :], -torch.inf).softmax(dim=-1)


class Memory(NamedTuple):
    """A batch of sources, read."""

    states: Tensor  # (D, T, 2H)
    keys: Tensor  # (D, T, H): the sources' half of eq. 9, computed once
    padding: Tensor  # (D, T): True where there is no word
    numbers: Tensor  # (D, T): the words, as numbers up to V + unknown ones
    last: Tensor  # (D, 2H): last state of each direction; A in Figure 1

    def rows(self, chosen: Tensor) -> "Memory":
        return Memory(*[part[chosen] for part in self])


class RecurrentState(NamedTuple):
    """What is kept between steps; one row per hypothesis."""

    memory: Memory
    words: int  # the vocabulary's and the most that a source of the batch adds
    state: Tensor  # (R, H): the decoder's
    covered: Tensor | None  # (R, H): the target encoder's

    def rows(self, chosen: Tensor) -> "RecurrentState":
        covered = None if self.covered is None else self.covered[chosen]
        return RecurrentState(self.memory.rows(chosen), self.words, self.state[chosen], covered)


class RecurrentNetwork(nn.Module):
    """`memory` reads sources, `states` runs the decoder, `mixture` turns its states into probabilities."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        hidden, embedding = config.hidden, config.embedding
        self.embedding = nn.Embedding(config.vocabulary, embedding, padding_idx=PAD)
        self.encoder = nn.GRU(embedding, hidden, batch_first=True, bidirectional=True)  # eq. 6
        self.initial = nn.Linear(2 * hidden, hidden)  # L0
        self.target_encoder = nn.GRU(embedding, hidden, batch_first=True) if config.coverage else None
        self.bilinear = nn.Linear(hidden, 2 * hidden, bias=False) if config.coverage else None  # B of eq. 2
        self.decoder = nn.GRU(embedding + (hidden if config.coverage else 0), hidden, batch_first=True)  # eq. 7, eq. 1
        self.attention = AdditiveAttention(hidden)
        self.inner = nn.Linear(3 * hidden, hidden)  # L4
        self.output = nn.Linear(hidden, config.vocabulary)  # L3
        self.switch_context = nn.Linear(2 * hidden, hidden)  # L6
        self.switch_state = nn.Linear(hidden, hidden, bias=False)  # L7; the two biases would be one
        self.switch = nn.Linear(hidden, 1)  # L5
        self.dropout = nn.Dropout(config.dropout)

    def embed(self, numbers: Tensor) -> Tensor:
        """Embeddings; words that can only be copied are read as unknown."""
        return self.dropout(self.embedding(numbers.where(numbers < self.config.vocabulary, UNKNOWN)))

    def memory(self, source: Tensor, lengths: Tensor) -> Memory:
        """source (D, T), lengths (D,) ≥ 1 → everything that the decoder needs of it."""
        with _full_precision(source):
            packed = pack_padded_sequence(
                self.embed(source).float(), lengths.cpu(), batch_first=True, enforce_sorted=False
            )
            states, last = self.encoder(packed)  # last (2, D, H)
            states, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        states = self.dropout(states)  # (D, T, 2H)
        return Memory(states, self.attention.key(states), source == PAD, source, torch.cat((last[0], last[1]), dim=-1))

    def first(self, last: Tensor) -> Tensor:
        """The decoder's first state, eq. 8: (R, 2H) → (R, H)."""
        return torch.tanh(self.initial(last))

    def states(self, inputs: Tensor, state: Tensor, covered: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """inputs (R, L), the state before them (R, H) and the target encoder's (R, H) → states (R, L, H) of both.

        The target encoder's are detached on their way into the decoder (the dashed arrow of Figure 1): it learns from
        eq. 2 alone.
        """
        embedded = self.embed(inputs).float()  # (R, L, E)
        with _full_precision(inputs):
            coverage = None
            if self.target_encoder is not None:
                start = torch.zeros_like(state).float() if covered is None else covered.float()
                coverage, _ = self.target_encoder(embedded, start[None])  # (R, L, H)
                embedded = torch.cat((embedded, coverage.detach()), dim=-1)
            states, _ = self.decoder(embedded, state.float()[None])
        return states, coverage

    def mixture(self, states: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        """Eq. 10 to 13: states (R, L, H) → the inner layer of pa (R, L, H), px (R, L, T) and the switch s (R, L)."""
        states = self.dropout(states)
        weights = self.attention(states, memory.keys, memory.padding)  # (R, L, T)
        context = weights.to(memory.states.dtype) @ memory.states  # (R, L, 2H)
        inner = torch.tanh(self.inner(torch.cat((states.to(context.dtype), context), dim=-1)))
        switch = self.switch(torch.tanh(self.switch_context(context) + self.switch_state(states)))[..., 0]
        return inner, weights, switch.float().sigmoid()

    def begin(self, source: Tensor) -> RecurrentState:
        """source (R, T), without empty ones → the state before the first step."""
        memory = self.memory(source, (source != PAD).sum(dim=1))
        first = self.first(memory.last)
        covered = None if self.target_encoder is None else torch.zeros_like(first)
        return RecurrentState(memory, max(self.config.vocabulary, int(source.max()) + 1), first, covered)

    def step(self, state: RecurrentState, tokens: Tensor) -> tuple[RecurrentState, Tensor]:
        """Read tokens (R,); return the state after them, and eq. 12 in full: probabilities (R, words)."""
        memory = state.memory
        states, coverage = self.states(tokens[:, None], state.state, state.covered)
        inner, weights, switch = self.mixture(states, memory)
        mixed = torch.zeros(len(tokens), state.words, device=inner.device)
        mixed[:, : self.config.vocabulary] = switch * self.output(inner[:, 0]).float().softmax(dim=-1)
        mixed.scatter_add_(1, memory.numbers, (1 - switch) * weights[:, 0])
        mixed[:, NEVER_WRITTEN] = 0
        new = RecurrentState(memory, state.words, states[:, 0], None if coverage is None else coverage[:, 0])
        return new, mixed

    def log_likelihood(self, states: Tensor, memory: Memory, targets: Tensor) -> Tensor:
        """log p(y), eq. 12, of each target that is not padding: states (R, L, H), targets (R, L) → (N,)."""
        inner, weights, switch = self.mixture(states, memory)
        copied = (weights * (memory.numbers[:, None, :] == targets[:, :, None])).sum(dim=-1)  # (R, L)
        real = (targets != PAD).flatten().nonzero()[:, 0]  # (N,), found once: the device has to be waited for
        wanted, switch, copied = (values.flatten()[real] for values in (targets, switch, copied))
        logits = self.output(inner.flatten(0, 1)[real]).float()  # (N, V)
        known = wanted < self.config.vocabulary
        logit = logits.gather(1, wanted.where(known, PAD)[:, None])[:, 0]
        generated = (logit - logits.logsumexp(dim=-1)).exp() * known
        return (switch * generated + (1 - switch) * copied + TINY).log()

    def losses(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        """The three terms of eq. 4 for a batch of `collate`: nll (mean over tokens), orthogonal, coverage."""
        memory = self.memory(batch["source"], batch["lengths"])
        of_rows = memory if self.config.paradigm == "one2seq" else memory.rows(batch["rows"])
        states, coverage = self.states(batch["inputs"], self.first(of_rows.last))
        targets = batch["targets"]
        logs = self.log_likelihood(states, of_rows, targets)
        parts = {"nll": -logs.sum() / max(1, logs.numel())}
        if self.config.orthogonal:
            parts["orthogonal"] = orthogonal_loss(states, (targets == SEPARATOR) | (targets == END))
        if coverage is not None and self.bilinear is not None:
            end = (targets != PAD).sum(dim=1).clamp_min(1) - 1  # (R,)
            written = coverage[torch.arange(len(end), device=end.device), end]  # (R, H): B in Figure 1
            parts["coverage"] = coverage_loss(self.bilinear(written), memory.last.detach(), batch["negatives"])
        return parts


def orthogonal_loss(states: Tensor, marked: Tensor) -> Tensor:
    """Eq. 3: states (R, L, H), marked (R, L), True where the target is a separator or the end → mean over rows.

    The paper writes "L2 norm of each element" of H'H without its diagonal. As in the authors' program, that is the
    square of each of the n × n elements, and the loss is their mean. Rows with fewer than two marked states have no
    pair and do not count.
    """
    with torch.autocast(states.device.type, enabled=False):
        columns = states.float() * marked[..., None]  # (R, L, H); states that are not marked vanish from every product
        others = 1 - torch.eye(states.shape[1], device=states.device)  # (L, L)
        squares = (columns @ columns.transpose(1, 2) * others).square().sum(dim=(1, 2))  # (R,)
        count = marked.sum(dim=1)  # (R,)
        paired = count > 1
        return (squares / count.clamp_min(1).square()).sum() / paired.sum().clamp_min(1)


def coverage_loss(projected: Tensor, sources: Tensor, negatives: Tensor) -> Tensor:
    """Eq. 2: B h_SC (D, 2H), the sources' last states (D, 2H), N other documents for each (D, N) → mean over documents.

    A classification among N + 1 sources; the right one comes first. The sources' states come detached, as in the
    authors' program: the loss teaches the target encoder alone.
    """
    with torch.autocast(sources.device.type, enabled=False):
        projected, sources = projected.float(), sources.float()
        right = (projected * sources).sum(dim=-1, keepdim=True)  # (D, 1)
        wrong = (projected[:, None, :] * sources[negatives]).sum(dim=-1)  # (D, N)
        scores = torch.cat((right, wrong), dim=1)
        return functional.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long, device=scores.device))


def _full_precision(like: Tensor) -> Any:
    """The recurrences run in float32 under autocast as well: they are short of time steps, not of bandwidth."""
    return torch.autocast(like.device.type, enabled=False)
