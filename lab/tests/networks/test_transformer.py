"""The generator's network: what it learns is what it says, and rows of a batch do not touch each other."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from phrasemill.methods.generator import pieces as p  # noqa: E402
from phrasemill_lab.networks.stepper import select  # noqa: E402
from phrasemill_lab.networks.transformer import GeneratorNetwork, Targets, TransformerSizes  # noqa: E402

SIZES = TransformerSizes(
    vocabulary=40, width=16, heads=2, inner=24, encoder_layers=2, decoder_layers=2, positions=32, target_positions=16
)


@pytest.fixture
def model() -> GeneratorNetwork:
    torch.manual_seed(3)
    made = GeneratorNetwork(SIZES)
    for parameter in made.parameters():  # larger than at the start of training, so that errors show
        torch.nn.init.normal_(parameter, std=0.3)
    return made.eval()


SOURCES = [[9, 20, 21, 22, 20, 8], [9, 30, 31, 8]]
SAID = [(p.SEQUENCE, [20, 21, p.SEP, 33, p.EOS]), (p.PRESENT, [30, p.EOS]), (p.ABSENT, [33, 34, 35, p.EOS])]


def padded(rows: list[list[int]]) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([row + [p.PAD] * (width - len(row)) for row in rows])


def targets(rows: int) -> Targets:
    """All of `SAID` in each row, as segments."""
    inputs = [token for kind, tokens in SAID for token in (kind, *tokens[:-1])]
    outputs = [token for _, tokens in SAID for token in tokens]
    position = [i for _, tokens in SAID for i in range(len(tokens))]
    segment = [number for number, (_, tokens) in enumerate(SAID) for _ in tokens]
    columns = [torch.tensor([column] * rows) for column in (inputs, outputs, position, segment)]
    return Targets(*columns, torch.arange(columns[1].numel()))


@torch.no_grad()
def stepwise(model: GeneratorNetwork, source: list[int], kind: int, tokens: list[int]) -> list[float]:
    """The log-probability of each token, one step at a time."""
    state, last, logs = model.begin(torch.tensor([source])), kind, []
    for token in tokens:
        state, probabilities = model.step(state, torch.tensor([last]))
        assert probabilities.sum().item() == pytest.approx(1, abs=1e-4)
        logs.append(probabilities[0, token].log().item())
        last = token
    return logs


def test_what_is_taught_at_once_is_what_is_said_step_by_step(model: GeneratorNetwork) -> None:
    losses, segment = model.loss(padded(SOURCES), targets(len(SOURCES)))
    expected = [-log for source in SOURCES for kind, tokens in SAID for log in stepwise(model, source, kind, tokens)]
    np.testing.assert_allclose(losses.detach().numpy(), expected, rtol=1e-4, atol=1e-4)
    assert segment.tolist() == [0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2] * 2


def test_a_token_that_only_copying_can_say(model: GeneratorNetwork) -> None:
    with torch.no_grad():
        model.bias[20] = -1e4  # never written
    assert stepwise(model, SOURCES[0], p.PRESENT, [20])[0] > -10
    assert stepwise(model, SOURCES[1], p.PRESENT, [20])[0] < -20


@torch.no_grad()
def test_rows_of_a_state_can_be_reordered(model: GeneratorNetwork) -> None:
    state, _ = model.step(model.begin(padded(SOURCES)), torch.tensor([p.PRESENT, p.ABSENT]))
    _, there = model.step(state, torch.tensor([30, 33]))
    _, back = model.step(select(state, torch.tensor([1, 0, 1])), torch.tensor([33, 30, 33]))
    np.testing.assert_allclose(back.numpy(), there[[1, 0, 1]].numpy(), rtol=1e-5, atol=1e-7)
