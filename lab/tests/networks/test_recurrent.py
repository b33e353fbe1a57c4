"""The recurrent network against the paper's equations, written out here as loops over single numbers and vectors."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from phrasemill.errors import ConfigError
from phrasemill.methods.generator.decode import RepetitionRule, beam, greedy
from phrasemill.methods.generator.words import BEGIN, END, PAD, SEPARATOR, SPECIALS, UNKNOWN, WordVocabulary, numbered
from phrasemill_lab.networks.recurrent import (
    MODELS,
    RecurrentConfig,
    RecurrentNetwork,
    coverage_loss,
    orthogonal_loss,
    separated_states,
)
from phrasemill_lab.networks.stepper import TorchStepper

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


def test_the_mixture_is_a_distribution_over_vocabulary_and_source() -> None:
    model = network()
    naive = Naive(model, [5, 6, SIZE, 5, SIZE + 1])
    naive.read(BEGIN)
    assert sum(naive.probability(number) for number in range(SIZE + 2)) == pytest.approx(1.0)
    model = model.float()
    with torch.inference_mode():
        state = model.begin(torch.tensor([[5, 6, SIZE, 5, SIZE + 1]]))
        [found] = model.step(state, torch.tensor([BEGIN]))[1]
    wanted = [0.0 if n in (PAD, UNKNOWN, BEGIN) else naive.probability(n) for n in range(SIZE + 2)]
    assert found.tolist() == pytest.approx(wanted, rel=1e-4)


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


def test_the_gradient_of_the_orthogonal_loss_vanishes_with_the_states() -> None:
    states = torch.full((1, 2, 3), 1e-3, requires_grad=True)
    torch.autograd.backward(orthogonal_loss(states, torch.ones(1, 2, dtype=torch.bool)))
    assert states.grad is not None
    assert float(states.grad.abs().max()) < 1e-8  # a norm instead of squares would have 1e-3


def test_a_single_marked_state_costs_nothing_and_has_a_finite_gradient() -> None:
    states = torch.randn(2, 3, 4, requires_grad=True)
    loss = orthogonal_loss(states, torch.tensor([[True, False, False], [False, False, True]]))
    loss.backward()
    assert plain(loss) == 0
    assert states.grad is not None and torch.isfinite(states.grad).all()


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


def test_the_coverage_term_is_bilinear_in_the_last_states() -> None:
    model, made = network(), batch()
    bilinear = array(model.bilinear.weight)  # type: ignore[union-attr]
    said, last = [], []
    for source, inputs, targets in zip(*(made[name].tolist() for name in ("source", "inputs", "targets")), strict=True):
        naive = Naive(model, [number for number in source if number != PAD])
        for number, target in zip(inputs, targets, strict=True):
            if target != PAD:
                naive.read(number)
        said.append(naive.covered)
        last.append(naive.last)
    losses = []
    for row, wrong in enumerate(made["negatives"].tolist()):
        g = [math.exp(last[i] @ bilinear @ said[row]) for i in (row, *wrong)]
        losses.append(-math.log(g[0] / sum(g)))
    assert plain(model.float().losses(made)["coverage"]) == pytest.approx(sum(losses) / 3, rel=1e-5)


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


def test_the_total_weighs_the_parts_as_equation_4() -> None:
    model = network(replace(SMALL, orthogonal=0.5, coverage=0.1)).float()
    parts = model.losses(batch())
    wanted = parts["nll"] + 0.5 * parts["orthogonal"] + 0.1 * parts["coverage"]
    assert plain(model.total(parts)) == pytest.approx(plain(wanted))


def test_autocast_leaves_the_loss_finite() -> None:
    model = network().float().train()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = model.total(model.losses(batch()))
    loss.backward()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(p.grad).all() for p in model.parameters() if p.grad is not None)


def test_one2one_reads_a_document_once_for_all_its_phrases() -> None:
    model, made = network(replace(SMALL, paradigm="one2one", orthogonal=0.0, coverage=0.0)).float(), batch()
    twice = made | {"inputs": made["inputs"][[0, 0, 1, 2]], "targets": made["targets"][[0, 0, 1, 2]]}
    twice |= {"rows": torch.tensor([0, 0, 1, 2])}
    seq = replace(SMALL, orthogonal=0.0, coverage=0.0)
    alone = network(seq).float()
    alone.load_state_dict(model.state_dict())
    apart = made | {name: made[name][[0, 0, 1, 2]] for name in ("source", "lengths", "inputs", "targets")}
    assert plain(model.losses(twice)["nll"]) == pytest.approx(plain(alone.losses(apart)["nll"]))


def stepper_of(model: RecurrentNetwork) -> TorchStepper:
    return TorchStepper(model, lambda sources: numbered(sources, VOCABULARY)[0], torch.device("cpu"))


def test_decoding_agrees_with_the_likelihood() -> None:
    model = network().float()
    stepper = stepper_of(model)
    words = [text.split() for text in SOURCES]
    options: dict[str, Any] = {"begin": BEGIN, "rule": RepetitionRule(END), "length": 6}
    hypotheses = beam(stepper, words, width=7, **options)
    assert [found[0].tokens for found in beam(stepper, words, width=1, **options)] == [
        found.tokens for found in greedy(stepper, words, **options)
    ]
    for text, found in zip(words, hypotheses, strict=True):
        assert found == pytest_approx(beam(stepper, [text], width=7, **options)[0])
        for hypothesis in found:
            naive = Naive(model, VOCABULARY.source(text)[0])
            goal = (*hypothesis.tokens, END)[: len(hypothesis.steps)]
            for before, number, log in zip((BEGIN, *goal), goal, hypothesis.steps, strict=False):
                naive.read(before)
                assert log == pytest.approx(math.log(naive.probability(number)), rel=1e-3)


class pytest_approx(list):  # noqa: N801 - reads as pytest.approx, for hypotheses
    def __eq__(self, other: object) -> bool:
        assert isinstance(other, list)
        return [h.tokens for h in self] == [h.tokens for h in other] and all(
            a.score == pytest.approx(b.score, rel=1e-4) for a, b in zip(self, other, strict=True)
        )


def test_rows_may_be_reordered_in_any_way() -> None:
    model = network().float()
    stepper = stepper_of(model)
    state = stepper.start([text.split() for text in SOURCES])
    state, logs, _ = stepper.step(state, np.full(3, BEGIN), 4)
    for rows in ([2, 0, 0, 1], [1], [0, 0, 2, 2], [2, 1, 0]):
        chosen = stepper.select(state, np.array(rows))
        _, again, _ = stepper.step(chosen, np.full(len(rows), SEPARATOR), 4)
        _, each, _ = stepper.step(state, np.full(3, SEPARATOR), 4)
        assert again == pytest.approx(each[rows], rel=1e-4)
    assert logs.shape == (3, 4)


def test_a_source_without_words_is_read() -> None:
    assert len(greedy(stepper_of(network().float()), [[], ["a"]], begin=BEGIN, rule=RepetitionRule(END))) == 2


def test_states_after_a_separator_are_counted_from_it() -> None:
    states, steps = separated_states(network().float(), batch())
    assert steps.tolist() == [1, 2, 1, 2, 1, 2, 3]
    assert states.shape == (7, SMALL.hidden)


def test_the_paper_s_sizes() -> None:
    assert MODELS["catseqd"] == RecurrentConfig(orthogonal=1.0, coverage=0.03)
    default = RecurrentConfig()
    assert (default.embedding, default.hidden, default.vocabulary, default.dropout) == (100, 150, 50_000, 0.1)
    assert (default.negatives, default.orthogonal, default.coverage) == (16, 0.0, 0.0)


@pytest.mark.parametrize("options", [{"paradigm": "one2two"}, {"paradigm": "one2one", "coverage": 0.1}])
def test_settings_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        RecurrentConfig(**options)
