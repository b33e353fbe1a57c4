"""CopyRNN, CatSeq and CatSeqD learn a toy set by heart."""

import pickle
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from phrasemill.errors import ConfigError
from phrasemill.methods.generator.search import Search
from phrasemill.methods.generator.words import BEGIN, END, PAD, SEPARATOR, UNKNOWN
from phrasemill_lab.models.generation_examples import GenerationExample
from phrasemill_lab.models.recurrent import RecurrentLearner, joined, others
from phrasemill_lab.networks.recurrent import MODELS

pytestmark = pytest.mark.training

FIELDS = {"river": "hydrology", "engine": "mechanics", "galaxy": "astronomy", "enzyme": "chemistry", "market": "trade"}
KINDS = ("model", "survey", "theory", "design", "test", "law")
FILLING = "the of a new we show that in and with for study results".split()


def toy(documents: int = 30) -> list[GenerationExample]:
    """Filling words around a phrase of two; every other one has a rare third word. The field is never said."""
    rng = random.Random(4)
    examples = []
    for number in range(documents):
        field, kind = list(FIELDS)[number % 5], KINDS[number // 5 % 6]
        phrase = (field, kind, f"alloy{number}")[: 2 + number % 2]
        words = rng.choices(FILLING, k=rng.randint(5, 9))
        at = rng.randrange(len(words))
        examples.append(
            GenerationExample(
                str(number), (*words[:at], *phrase, *words[at:]), (phrase,), ((FIELDS[field], "methods"),), ((),)
            )
        )
    return examples


def learned(name: str, steps: int, seed: int = 1, **changes: Any) -> tuple[RecurrentLearner, list[dict[str, float]]]:
    config = replace(MODELS[name], vocabulary=40, embedding=16, hidden=24, dropout=0.0, **changes)
    learner = RecurrentLearner.create(toy(), config, seed=seed)
    examples = [learner.encode(example) for example in toy()]
    adam, rng, curve = torch.optim.Adam(learner.module.parameters(), lr=0.02), np.random.default_rng(seed), []
    for _ in range(steps):
        loss, parts = learner.loss(learner.collate(examples, rng))
        adam.zero_grad()
        loss.backward()
        adam.step()
        curve.append({name: float(part) for name, part in parts.items()})
    return learner, curve


def f1(learner: RecurrentLearner, **options: Any) -> float:
    """Macro F1@O."""
    scores = []
    for example, found in zip(toy(), learner.generate([e.words for e in toy()], Search(**options)), strict=True):
        gold = {*example.present, *example.absent}
        taken = [words for words, _ in found][: len(gold)]
        scores.append(2 * len(gold & set(taken)) / (len(gold) + len(taken)) if taken else 0.0)
    return sum(scores) / len(scores)


@pytest.fixture(autouse=True)
def one_thread() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_catseq_learns_a_toy_set() -> None:
    learner, _ = learned("catseq", 100)
    assert f1(learner) == 1.0
    assert f1(learner, kind="top", width=3, length=10) == 1.0
    assert [len(found) for found in learner.generate([e.words for e in toy()], Search())] == [2] * 30


def test_catseqd_learns_a_toy_set() -> None:
    learner, curve = learned("catseqd", 160, orthogonal=0.03)
    assert f1(learner) == 1.0
    assert set(curve[0]) == {"nll", "orthogonal", "coverage"}
    assert all(curve[-1][name] < curve[0][name] for name in curve[0])


def test_copyrnn_learns_a_toy_set() -> None:
    learner, _ = learned("copyrnn", 100)
    assert f1(learner, kind="beam", width=6, length=6) == 1.0


def test_a_seed_gives_one_result() -> None:
    first, again, other = (learned("catseqd", 3, seed=seed) for seed in (1, 1, 2))
    assert first[1] == again[1]
    assert first[1] != other[1]
    for name, weights in first[0].module.state_dict().items():
        assert torch.equal(weights, again[0].module.state_dict()[name])


def test_what_is_saved_makes_the_same_model(tmp_path: Any) -> None:
    learner, _ = learned("catseqd", 5)
    learner.vocabulary.save(tmp_path / "words.txt")
    again = RecurrentLearner.restore(learner.config, type(learner.vocabulary).load(tmp_path / "words.txt"))
    again.module.load_state_dict(learner.module.state_dict())
    sources = [example.words for example in toy()]
    assert learner.generate(sources, Search()) == again.generate(sources, Search())


def example(words: str, present: str, absent: str = "") -> GenerationExample:
    several = [tuple(tuple(p.split()) for p in part.split(";") if p) for part in (present, absent)]
    return GenerationExample("", tuple(words.split()), several[0], several[1], ((),) * len(several[0]))


EXAMPLES = [
    example("salt of the sea", "salt;sea", "brine lagoon"),
    example("we mine salt", "salt"),
    example("nothing", "", "of"),
]


def small(name: str, **changes: Any) -> RecurrentLearner:
    return RecurrentLearner.create(EXAMPLES, replace(MODELS[name], vocabulary=9, embedding=4, hidden=4, **changes))


def test_a_batch_of_catseq_in_numbers() -> None:
    learner = small("catseq")
    assert learner.vocabulary.words[5:] == ("salt", "of", "sea", "brine")
    salt, of, sea, brine, size = 5, 6, 7, 8, 9
    encoded = [pickle.loads(pickle.dumps(learner.encode(one))) for one in EXAMPLES]
    assert [learner.size(one) for one in encoded] == [4, 3, 1]
    made = {name: values.tolist() for name, values in learner.collate(encoded, np.random.default_rng(0)).items()}
    assert made["source"] == [[salt, of, size, sea], [size, size + 1, salt, PAD], [size, PAD, PAD, PAD]]
    assert made["lengths"] == [4, 3, 1]
    assert made["targets"] == [
        [salt, SEPARATOR, sea, SEPARATOR, brine, UNKNOWN, END],
        [salt, END, PAD, PAD, PAD, PAD, PAD],
        [of, END, PAD, PAD, PAD, PAD, PAD],
    ]
    assert made["inputs"] == [
        [BEGIN, salt, SEPARATOR, sea, SEPARATOR, brine, UNKNOWN],
        [BEGIN, salt, PAD, PAD, PAD, PAD, PAD],
        [BEGIN, of, PAD, PAD, PAD, PAD, PAD],
    ]


def test_a_batch_of_copyrnn_in_numbers() -> None:
    learner = small("copyrnn")
    made = learner.collate([learner.encode(one) for one in EXAMPLES], np.random.default_rng(0))
    assert made["rows"].tolist() == [0, 0, 0, 1, 2]
    assert made["targets"].tolist() == [[5, 3, 0], [7, 3, 0], [8, 1, 3], [5, 3, 0], [6, 3, 0]]


def test_a_phrase_of_the_source_that_the_vocabulary_lacks_is_copied() -> None:
    learner = small("catseq")
    encoded = learner.encode(example("we mine salt", "mine"))
    assert encoded.targets.tolist() == [10, END]
    made = learner.collate([encoded], np.random.default_rng(0))
    assert made["inputs"].tolist() == [[BEGIN, UNKNOWN]]
    assert made["negatives"].shape == (1, 0)


def test_documents_without_phrases_or_words_do_no_harm() -> None:
    for name in MODELS:
        learner = small(name)
        loss, _ = learner.loss(learner.collate([learner.encode(example("", ""))], np.random.default_rng(0)))
        loss.backward()
        assert torch.isfinite(loss)


def test_phrases_are_joined_as_long_as_they_fit() -> None:
    assert joined([[7, 8], [9], [10]], 6) == [7, 8, SEPARATOR, 9, END]
    assert joined([[7] * 6, [9]], 4) == [9, END]
    assert joined([], 4) == [END]


def test_negatives_are_other_documents_and_each_once() -> None:
    found = others(20, 16, np.random.default_rng(3))
    assert found.shape == (20, 16)
    for row, numbers in enumerate(found.tolist()):
        assert row not in numbers
        assert len(set(numbers)) == 16
    assert sorted(others(3, 16, np.random.default_rng(3))[0].tolist()) == [1, 2]


def test_an_unknown_search() -> None:
    with pytest.raises(ConfigError, match="unknown search 'deep'; choose from beam, greedy, top"):
        small("catseq").search("deep")
