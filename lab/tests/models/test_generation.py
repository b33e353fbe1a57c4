"""What the generator learns from: documents as examples, and rows of a batch, which vary from epoch to epoch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import tiny_generator  # noqa: E402
from phrasemill.methods.generator.pieces import ABSENT, PRESENT, SEQUENCE  # noqa: E402
from phrasemill.types import Document  # noqa: E402
from phrasemill_lab.models.generation import example_of  # noqa: E402
from phrasemill_lab.models.generator import TransformerLearner  # noqa: E402
from phrasemill_lab.models.loop import Schedule  # noqa: E402

pytestmark = pytest.mark.training

DOCUMENT = Document(
    "d",
    "Neural networks read 20 texts; a neural network (NN) writes.",
    "Reading networks",
    references=(
        "neural network",
        "Reading-networks",
        "deep learning (DL)",
        ("text", "document"),
        "neural networks",
        "20 texts",
    ),
)


def test_present_phrases_come_in_the_words_and_the_order_of_the_text() -> None:
    example = example_of(DOCUMENT, style="indexer")
    assert example is not None
    assert example.present == (("reading", "networks"), ("neural", "networks"), ("20", "texts"), ("texts",))
    assert example.absent == (("deep", "learning"),)
    assert example.places[1] == ((2, 4), (8, 10))
    assert ("<digit>", "texts") in example.masked().present and "<digit>" in example.masked().words
    cut = example_of(DOCUMENT, words=2)
    assert cut is not None and ("neural", "network") in cut.absent, "what lies beyond the limit is absent"
    assert example_of(Document("d", "text without gold")) is None
    assert example_of(Document("d", "", references=("a",))) is None


def batch(**varied: float) -> tuple[TransformerLearner, dict[str, torch.Tensor]]:
    learner = TransformerLearner.create({**tiny_generator.SIZES, **varied}, tiny_generator.pieces())
    return learner, learner.collate([learner.encode(tiny_generator.lessons()[0])], np.random.default_rng(0))


def test_a_row_has_the_sequence_and_each_phrase_on_its_own() -> None:
    learner, made = batch(dropped_from=0.0)
    said = [learner.vocabulary.pieces[i] for i in made["outputs"][0].tolist()]
    assert " ".join(said[:5]).replace(" ##", "") == "tidal creek <sep> coastal ecology"
    begins = [token for token, place in zip(made["inputs"][0], made["position"][0], strict=True) if place == 0]
    assert begins[0] == SEQUENCE and sorted(begins[1:]) == [PRESENT, ABSENT]


def test_a_dropped_keyphrase_is_absent_and_gone_from_the_source() -> None:
    learner, made = batch(dropped_from=1.0, dropped=1.0)
    assert learner.vocabulary.words(made["source"][0].tolist()[1:-1]) == tuple("we study the of the north".split())
    assert PRESENT not in made["inputs"]


@torch.no_grad()
def test_what_is_taught_at_once_is_what_is_said_step_by_step() -> None:
    learner = tiny_generator.untrained()
    lessons = tiny_generator.lessons()[:3]
    made = learner.collate([learner.encode(one) for one in lessons], np.random.default_rng(1))
    losses = iter(learner.module.loss(made["source"], learner.targets(made))[0].tolist())
    names = ("source", "inputs", "outputs", "position")
    for source, *columns in zip(*[made[name] for name in names], strict=True):
        state = learner.module.begin(source[None])
        for token, wanted, position in zip(*[one.tolist() for one in columns], strict=True):
            if wanted:
                state = learner.module.begin(source[None]) if position == 0 else state
                state, shares = learner.module.step(state, torch.tensor([token]))
                assert -shares[0, wanted].log().item() == pytest.approx(next(losses), abs=1e-3)
                assert shares.sum().item() == pytest.approx(1, abs=1e-4)


def test_the_rate_rises_and_then_falls() -> None:
    linear, cosine = (Schedule(rate=1.0, warmup=2, decay=decay) for decay in ("linear", "cosine"))
    rates = [linear.rate_at(update, 8) for update in range(9)]
    assert rates == pytest.approx([0.5, 1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0])
    assert [cosine.rate_at(update, 8) for update in (0, 4, 8)] == pytest.approx([0.5, 0.5, 0])
