"""A network in PyTorch as a `Stepper` of the search (`methods/generator/decode.py`), to validate during training."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor

from phrasemill.methods.generator.decode import FloatArray, IntArray

Rows = TypeVar("Rows")


class TorchStepper:
    """A network in evaluation mode that has `begin(sources)` and `step(state, tokens)`; states stay on its device, and
    only the best few tokens leave it."""

    def __init__(
        self, network: Any, numbered: Callable[[Sequence[Sequence[str]]], IntArray], device: torch.device
    ) -> None:
        self.network, self.numbered, self.device = network, numbered, device

    @torch.inference_mode()
    def start(self, sources: Sequence[Sequence[str]]) -> Any:
        return self.network.begin(torch.from_numpy(self.numbered(sources)).to(self.device))

    @torch.inference_mode()
    def step(self, state: Any, tokens: IntArray, k: int) -> tuple[Any, FloatArray, IntArray]:
        state, probabilities = self.network.step(state, torch.from_numpy(tokens).to(self.device))
        likely, numbers = probabilities.topk(min(k, probabilities.shape[1]))
        return state, likely.log().double().cpu().numpy(), numbers.cpu().numpy()

    @torch.inference_mode()
    def select(self, state: Any, rows: IntArray) -> Any:
        return select(state, torch.from_numpy(rows).to(self.device))


def select(state: Rows, rows: Tensor) -> Rows:
    """Return the rows of all tensors in (nested, named) tuples: reordered, repeated or dropped."""
    found: Any = state
    if isinstance(state, Tensor):
        found = state[rows]
    elif isinstance(state, tuple):
        parts = [select(part, rows) for part in state]
        found = type(state)(*parts) if hasattr(state, "_fields") else tuple(parts)
    return found
