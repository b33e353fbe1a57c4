"""The generator step by step, on whatever device it is (see `decode.Stepper`)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from phrasemill.lab.networks.transformer import Generator, State, begin, select, step
from phrasemill.methods.generator import pieces as p
from phrasemill.methods.generator.pieces import Pieces

Array = np.ndarray[Any, np.dtype[Any]]


class TransformerStepper:
    def __init__(self, model: Generator, pieces: Pieces, *, style: str, device: torch.device) -> None:
        self.model, self.pieces, self.style, self.device = model, pieces, style, device

    def start(self, sources: Sequence[Sequence[str]]) -> State:
        return begin(self.model, torch.from_numpy(p.padded(self.pieces, sources, self.style)).to(self.device))

    def step(self, state: State, tokens: Array, k: int) -> tuple[State, Array, Array]:
        state, probabilities = step(self.model, state, torch.as_tensor(tokens, device=self.device))
        best, ids = probabilities.topk(min(k, probabilities.shape[1]))
        return state, best.clamp_min(1e-30).log().cpu().numpy(), ids.cpu().numpy()

    def select(self, state: State, rows: Array) -> State:
        return select(state, torch.as_tensor(rows, device=self.device))
