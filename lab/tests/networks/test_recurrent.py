"""The recurrent network against the paper's equations, written out here as loops over single numbers and vectors."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from phrasemill.methods.generator.words import BEGIN, END, PAD, SEPARATOR, SPECIALS, UNKNOWN, WordVocabulary  # noqa: E402
from phrasemill_lab.networks.recurrent import (  # noqa: E402
    RecurrentConfig,
    RecurrentNetwork,
    coverage_loss,
    orthogonal_loss,
)

VOCABULARY = WordVocabulary((*SPECIALS, *"abcdefg"))
SIZE = len(VOCABULARY)
SMALL = RecurrentConfig(vocabulary=SIZE, embedding=5, hidden=4, dropout=0.0, orthogonal=1.0, coverage=0.03)
SOURCES = ["a b c x a y", "d e", "x g f f"]
TARGETS = [["a", "b", "<sep>", "x"], ["c"], ["g", "<sep>", "q", "<sep>", "f", "f"]]


def network(config: RecurrentConfig = SMALL) -> RecurrentNetwork:
    torch.manual_seed(3)
    return RecurrentNetwork(config).double().eval()


def batch() -> dict[str, torch.Tensor]:
    """What `collate` makes of SOURCES and TARGETS, by hand."""
    source, inputs, targets = [], [], []
    for text, said in zip(SOURCES, TARGETS, strict=True):
        numbers, unknown = VOCABULARY.source(text.split())
        goal = [SEPARATOR if word == "<sep>" else VOCABULARY.target([word], unknown)[0] for word in said]
        source.append(numbers + [PAD] * (6 - len(numbers)))
        inputs.append([BEGIN, *(n if n < SIZE else UNKNOWN for n in goal)] + [PAD] * (6 - len(goal)))
        targets.append([*goal, END] + [PAD] * (6 - len(goal)))
    values: dict[str, Any] = {"source": source, "inputs": inputs, "targets": targets, "lengths": [6, 2, 4]}
    values |= {"rows": [0, 1, 2], "negatives": [[1, 2], [0, 2], [1, 0]]}
    return {name: torch.tensor(value) for name, value in values.items()}


def plain(tensor: torch.Tensor) -> float:
    return float(tensor.detach())


def array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()


def cell(gru: torch.nn.GRU, x: np.ndarray, h: np.ndarray, suffix: str = "l0") -> np.ndarray:
    """One step of a gated recurrent unit (Cho et al., 2014), in torch's order of gates."""
    inner = array(getattr(gru, f"weight_ih_{suffix}")) @ x + array(getattr(gru, f"bias_ih_{suffix}"))
    outer = array(getattr(gru, f"weight_hh_{suffix}")) @ h + array(getattr(gru, f"bias_hh_{suffix}"))
    n = len(h)
    reset, update = (1 / (1 + np.exp(-(inner[k * n : k * n + n] + outer[k * n : k * n + n]))) for k in (0, 1))
    fresh = np.tanh(inner[2 * n :] + reset * outer[2 * n :])
    return (1 - update) * fresh + update * h


def linear(layer: torch.nn.Linear, x: np.ndarray) -> np.ndarray:
    bias = 0 if layer.bias is None else array(layer.bias)
    return array(layer.weight) @ x + bias


class Naive:
    """Appendix A for one source, a word at a time."""

    def __init__(self, model: RecurrentNetwork, source: list[int]) -> None:
        self.model, self.source = model, source
        self.table = array(model.embedding.weight)
        hidden = model.config.hidden
        forward, backward, h, b = [], [], np.zeros(hidden), np.zeros(hidden)
        for number in source:
            forward.append(h := cell(model.encoder, self.embed(number), h))
        for number in reversed(source):
            backward.append(b := cell(model.encoder, self.embed(number), b, "l0_reverse"))
        self.memory = [np.concatenate(pair) for pair in zip(forward, reversed(backward), strict=True)]
        self.last = np.concatenate((h, b))
        self.state = np.tanh(linear(model.initial, self.last))
        self.covered = np.zeros(hidden)

    def embed(self, number: int) -> np.ndarray:
        return self.table[number if number < SIZE else UNKNOWN]

    def read(self, number: int) -> None:
        x = self.embed(number)
        if self.model.target_encoder is not None:
            self.covered = cell(self.model.target_encoder, x, self.covered)
            x = np.concatenate((x, self.covered))
        self.state = cell(self.model.decoder, x, self.state)

    def probability(self, number: int) -> float:
        model, attention = self.model, self.model.attention
        energies = []
        for h in self.memory:
            energies.append(
                float(
                    linear(attention.energy, np.tanh(linear(attention.query, self.state) + linear(attention.key, h)))[0]
                )
            )
        weights = [math.exp(e) / sum(map(math.exp, energies)) for e in energies]
        context = sum(weight * h for weight, h in zip(weights, self.memory, strict=True))
        logits = linear(model.output, np.tanh(linear(model.inner, np.concatenate((self.state, context)))))
        abstract = np.exp(logits) / np.exp(logits).sum()
        inner = np.tanh(linear(model.switch_context, context) + linear(model.switch_state, self.state))
        switch = 1 / (1 + math.exp(-linear(model.switch, inner)[0]))
        copied = sum(weight for weight, word in zip(weights, self.source, strict=True) if word == number)
        return switch * (abstract[number] if number < SIZE else 0.0) + (1 - switch) * copied


@pytest.mark.parametrize("config", [SMALL, replace(SMALL, orthogonal=0.0, coverage=0.0)])
def test_likelihood_attention_and_pointer_follow_the_appendix(config: RecurrentConfig) -> None:
    model, made = network(config), batch()
    logs = []
    for source, inputs, targets in zip(*(made[name].tolist() for name in ("source", "inputs", "targets")), strict=True):
        naive = Naive(model, [number for number in source if number != PAD])
        for number, target in zip(inputs, targets, strict=True):
            if target != PAD:
                naive.read(number)
                logs.append(math.log(naive.probability(target)))
    parts = model.float().losses(made)
    assert plain(parts["nll"]) == pytest.approx(-sum(logs) / len(logs), rel=1e-5)


def test_orthogonal_loss_is_the_mean_square_of_products_between_different_states() -> None:
    rng = np.random.default_rng(1)
    states = rng.normal(size=(3, 4, 5))
    marked = np.array([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 0]], bool)
    means = []
    for row, marks in zip(states, marked, strict=True):
        picked = [h for h, mark in zip(row, marks, strict=True) if mark]
        squares = [(a @ b) ** 2 for i, a in enumerate(picked) for j, b in enumerate(picked) if i != j]
        if squares:  # the mean is over all n × n elements, those of the diagonal being 0
            means.append(sum(squares) / len(picked) ** 2)
    found = orthogonal_loss(torch.tensor(states, requires_grad=True), torch.tensor(marked))
    assert plain(found) == pytest.approx(sum(means) / 2, rel=1e-5)


def test_coverage_loss_is_a_classification_among_sources() -> None:
    rng = np.random.default_rng(2)
    projected, sources = rng.normal(size=(4, 6)), rng.normal(size=(4, 6))
    negatives = [[1, 3], [0, 2], [3, 1], [0, 1]]
    losses = []
    for row, wrong in enumerate(negatives):
        g = [math.exp(sources[i] @ projected[row]) for i in (row, *wrong)]
        losses.append(-math.log(g[0] / sum(g)))
    found = coverage_loss(*(torch.tensor(value) for value in (projected, sources, negatives)))
    assert plain(found) == pytest.approx(sum(losses) / 4, rel=1e-5)


def gradients(part: str) -> dict[str, float]:
    model = network().float().train()
    model.losses(batch())[part].backward()
    return {name: 0.0 if p.grad is None else float(p.grad.abs().sum()) for name, p in model.named_parameters()}


def test_detached_paths_carry_no_gradient() -> None:
    nll, coverage = gradients("nll"), gradients("coverage")
    of = lambda found, part: sum(value for name, value in found.items() if name.startswith(part))  # noqa: E731
    assert of(nll, "target_encoder") == 0
    assert of(nll, "bilinear") == 0
    assert of(nll, "encoder") > 0
    assert of(coverage, "target_encoder") > 0
    assert of(coverage, "bilinear") > 0
    assert of(coverage, "encoder") == 0
    assert of(coverage, "decoder") == 0
