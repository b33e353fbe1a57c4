"""Examples of JointKPE in numbers: the same n-grams, phrases and keyphrases, and a network that learns from them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import tiny_joint  # noqa: E402
from phrasemill.errors import InputError  # noqa: E402
from phrasemill_lab.models.jointkpe import JointLearner, examples_of, settings_of  # noqa: E402
from phrasemill_lab.models.jointkpe_packed import TRAIN, JointRun, pack, read  # noqa: E402
from phrasemill_lab.models.recipes import Schedule, TrainingRecipe  # noqa: E402
from phrasemill_lab.models.sources import Source  # noqa: E402

pytestmark = pytest.mark.training

THINGS = ("salt marsh", "bread oven", "bee hive", "clock tower", "river ferry", "peat bog", "paper mill", "wind pump")


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> TrainingRecipe:
    folder = tiny_joint.bert(tmp_path_factory.mktemp("encoder"), positions=128)
    sources = (Source("toy.jsonl", last=6), Source("toy.jsonl", repeat=2))
    schedule = Schedule(epochs=30, batch=8, rate=5e-3, validate=30)
    network = {"encoder": str(folder), "width": 24, "dropout": 0.0}
    return TrainingRecipe("bertkpe", 3, network, sources, (Source("toy.jsonl"),), (), schedule)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory, recipe: TrainingRecipe) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    with (folder / "toy.jsonl").open("w", encoding="utf-8") as file:
        for number, thing in enumerate(THINGS):
            text = f"We study the {thing} here, a {thing}. Nobody saw a {THINGS[(number + 3) % len(THINGS)]}."
            file.write(json.dumps({"id": str(number), "title": "", "text": text, "keyphrases": [thing]}) + "\n")
    pack(recipe, folder, folder)
    return folder


def test_what_is_read_again_is_what_the_learner_makes_of_the_texts(recipe: TrainingRecipe, packed: Path) -> None:
    learner = JointLearner.create(settings_of(recipe))
    found = read(packed / TRAIN)
    for again, (_, documents) in zip(found, recipe.documents(packed, "train"), strict=True):
        made = [learner.encode(one) for one in examples_of(documents)]
        for one, other in zip(again, made, strict=True):
            assert np.array_equal(one.part.pieces, other.part.pieces)
            assert np.array_equal(one.part.first, other.part.first)
            assert one.gold.sum() == other.gold.sum() and len(one.gold) == len(other.gold)
            numbered = [
                sorted(zip(each.start.tolist(), each.size.tolist(), each.gold[each.phrase].tolist(), strict=True))
                for each in (one, other)
            ]
            assert numbered[0] == numbered[1]


def test_a_network_learns_from_packed_examples(tmp_path: Path, recipe: TrainingRecipe, packed: Path) -> None:
    run = JointRun(recipe, packed, Path(recipe.network["encoder"]))
    assert run.counts() == [6, 16] and run.updates() == 2
    assert run.speed(2) > 0
    summary = run.train(tmp_path / "run", recipe.schedule)
    assert summary["best F1@O"] == 100, "one keyphrase per document, and it is the best phrase"
    fewer = run.train(tmp_path / "fewer", replace(recipe.schedule, epochs=1), share=0.5)
    assert fewer["updates"] == 3  # of 3 and 16 documents


def test_a_missing_file_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no packed examples"):
        read(tmp_path / TRAIN)
