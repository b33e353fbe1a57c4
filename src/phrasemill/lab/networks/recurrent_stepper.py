"""The recurrent network as a `Stepper`. States stay on the model's device; only the best few tokens leave it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from phrasemill.lab.networks.recurrent import Memory, Recurrent
from phrasemill.methods.generator.decode import FloatArray, IntArray
from phrasemill.methods.generator.sources import SOURCE_LIMIT, Sources, shared
from phrasemill.methods.generator.words import BEGIN, PAD, UNKNOWN, Words

NEVER_SAID = [PAD, UNKNOWN, BEGIN]


@dataclass(frozen=True, slots=True)
class State:
    """Rows are grouped: the same number of neighbours share a source, which is held once."""

    memory: Memory  # of S sources
    words: int  # the vocabulary's and the most that a source of the batch adds
    state: Tensor  # (rows, H): the decoder's
    covered: Tensor | None  # (rows, H): the target encoder's


class TorchStepper:
    """Give it a model in evaluation mode."""

    def __init__(self, model: Recurrent, vocabulary: Words, *, limit: int = SOURCE_LIMIT) -> None:
        self.model, self.vocabulary, self.limit = model, vocabulary, limit

    @torch.inference_mode()
    def start(self, sources: Sequence[Sequence[str]]) -> State:
        read = Sources.read(sources, self.vocabulary, self.limit)
        numbers = torch.from_numpy(read.numbers).to(self.model.embedding.weight.device)
        memory = self.model.memory(numbers, torch.from_numpy(read.lengths))
        first = self.model.first(memory.last)
        covered = None if self.model.target_encoder is None else torch.zeros_like(first)
        return State(memory, read.words, first, covered)

    @torch.inference_mode()
    def step(self, state: State, tokens: IntArray, k: int) -> tuple[State, FloatArray, IntArray]:
        inputs = torch.from_numpy(tokens)[:, None].to(state.state.device)  # (rows, 1)
        states, coverage = self.model.states(inputs, state.state, state.covered)
        state = State(state.memory, state.words, states[:, 0], None if coverage is None else coverage[:, 0])
        likely, numbers = self.probabilities(state).topk(min(k, state.words), dim=-1)
        return state, likely.log().double().cpu().numpy(), numbers.cpu().numpy()

    @torch.inference_mode()
    def probabilities(self, state: State) -> Tensor:
        """Eq. 12 in full: (rows, words)."""
        rows, hidden = state.state.shape
        numbers = state.memory.numbers  # (S, T)
        grouped = state.state.view(len(numbers), -1, hidden)  # (S, rows of each, H)
        inner, weights, switch = self.model.mixture(grouped, state.memory)
        mixed = torch.zeros(*grouped.shape[:2], state.words, device=inner.device)
        mixed[..., : len(self.vocabulary)] = switch[..., None] * self.model.output(inner).float().softmax(dim=-1)
        copied = (1 - switch[..., None]) * weights
        mixed.scatter_add_(2, numbers[:, None, :].expand_as(copied), copied)
        mixed[..., NEVER_SAID] = 0
        return mixed.view(rows, -1)

    @torch.inference_mode()
    def select(self, state: State, rows: IntArray) -> State:
        sources = shared(rows // (len(state.state) // len(state.memory.numbers)))
        device = state.state.device
        index, memory = torch.from_numpy(rows).to(device), state.memory
        if not np.array_equal(sources, np.arange(len(memory.numbers))):
            memory = memory.rows(torch.from_numpy(sources).to(device))
        covered = None if state.covered is None else state.covered[index]
        return State(memory, state.words, state.state[index], covered)
