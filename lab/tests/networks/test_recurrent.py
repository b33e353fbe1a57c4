"""The recurrent networks: losses written out as loops, and what they learn at once against what they say step by step.

Steps are those of the exported graphs, which are written by hand after the same equations (test_recurrent_export.py).
"""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import tiny_recurrent  # noqa: E402
from phrasemill.methods.generator.words import END, PAD, SPECIALS, UNKNOWN, WordVocabulary  # noqa: E402
from phrasemill_lab.models.generation import GenerationExample  # noqa: E402
from phrasemill_lab.models.recurrent import (  # noqa: E402
    RecurrentLearner,
    counted,
    target,
)
from phrasemill_lab.networks.recurrent import MODELS, coverage_loss, orthogonal_loss  # noqa: E402

pytestmark = pytest.mark.training

EXAMPLES = [
    GenerationExample("1", ("salt", "water", "salt", "brine"), (("salt", "water"), ("brine",)), (("ecology",),)),
    GenerationExample("2", ("wells", "recharge"), (("wells",),), ()),
]


def batch(learner: RecurrentLearner) -> dict[str, torch.Tensor]:
    return learner.collate([learner.encode(one) for one in EXAMPLES], np.random.default_rng(1))


@pytest.mark.parametrize("name", MODELS)
def test_the_likelihood_is_that_of_the_steps(name: str) -> None:
    learner = tiny_recurrent.untrained(name)
    made, logs = batch(learner), []
    for row, inputs, targets in zip(*[made[part].tolist() for part in ("rows", "inputs", "targets")], strict=True):
        with torch.inference_mode():
            state = learner.module.begin(made["source"][row : row + 1, : made["lengths"][row]])
            for token, target in zip(inputs, targets, strict=True):
                if target != PAD:
                    state, shares = learner.module.step(state, torch.tensor([token]))
                    logs.append(shares[0, target].log().item())
    assert targets[len(targets) - targets.count(PAD) - 1] == END
    assert learner.module.losses(made)["nll"].item() == pytest.approx(-sum(logs) / len(logs), rel=1e-5)


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
    found = orthogonal_loss(torch.tensor(states), torch.tensor(marked))
    assert found.item() == pytest.approx(sum(means) / 2, rel=1e-5)


def test_coverage_loss_is_a_classification_among_sources() -> None:
    rng = np.random.default_rng(2)
    projected, sources = rng.normal(size=(4, 6)), rng.normal(size=(4, 6))
    negatives = [[1, 3], [0, 2], [3, 1], [0, 1]]
    losses = []
    for row, wrong in enumerate(negatives):
        g = [math.exp(sources[i] @ projected[row]) for i in (row, *wrong)]
        losses.append(-math.log(g[0] / sum(g)))
    found = coverage_loss(*(torch.tensor(value) for value in (projected, sources, negatives)))
    assert found.item() == pytest.approx(sum(losses) / 4, rel=1e-5)


def test_the_coverage_loss_teaches_the_target_encoder_alone_and_the_likelihood_all_but_it() -> None:
    moved = {}
    for part in ("nll", "coverage"):
        learner = tiny_recurrent.untrained("catseqd")
        learner.module.losses(batch(learner))[part].backward()
        named = learner.module.named_parameters()
        moved[part] = {name.split(".")[0] for name, p in named if p.grad is not None and p.grad.abs().sum() > 0}
    assert moved["coverage"] == {"embedding", "target_encoder", "bilinear"}
    assert {"encoder", "decoder", "attention", "output"} <= moved["nll"]
    assert not moved["nll"] & {"target_encoder", "bilinear"}


def test_the_most_frequent_words_are_kept_and_equals_go_by_alphabet() -> None:
    texts = [["b", "a", "c", "c"], ["d", "<sep>", "<sep>", "<sep>"]]
    assert counted(texts, size=8).words == (*SPECIALS, "c", "a", "b")
    assert counted(reversed(texts), size=8) == counted(texts, size=8)


def test_words_of_a_target_are_known_copied_or_unknown() -> None:
    words = WordVocabulary((*SPECIALS, "of", "salt", "water"))
    assert target(words, ["lagoon", "water", "reef"], ("brine", "lagoon")) == [9, 7, UNKNOWN]
