"""Examples in numbers, and several runs on them at once; on the CPU, with toys."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from phrasemill.errors import InputError
from phrasemill.evaluation import read_answers
from phrasemill.methods.generator.search import Search
from phrasemill.methods.generator.words import END, SEPARATOR
from phrasemill_lab.models.generation_examples import prepare, read_prepared
from phrasemill_lab.models.generators import load
from phrasemill_lab.models.packed_examples import pack, unpack
from phrasemill_lab.models.recipes import Schedule, TrainingRecipe
from phrasemill_lab.models.recurrent import RecurrentLearner
from phrasemill_lab.models.side_by_side import CommonEnd, Decoding, PackedLearner, Place, Run, decode_all, train_all
from phrasemill_lab.models.sources import Source
from phrasemill_lab.networks.recurrent import MODELS

pytestmark = pytest.mark.training

NETWORK = {"vocabulary": 60, "embedding": 8, "hidden": 12}
RECIPE = TrainingRecipe(
    model="catseq",
    seed=1,
    network=NETWORK,
    train=(Source("toy.jsonl", repeat=2), Source("toy.jsonl", last=2)),
    valid=(Source("toy.jsonl", last=3),),
    held_out=(),
    schedule=Schedule(epochs=2, batch=4, validate=1),
)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    things = ["tidal creek", "salt marsh", "river delta", "peat bog", "wet meadow"]
    with (tmp_path / "toy.jsonl").open("w", encoding="utf-8") as file:
        for number, thing in enumerate(things):
            text = f"We study the {thing} of region {number} and its many plants."
            record = {
                "id": str(number),
                "title": thing,
                "text": text,
                "keyphrases": [thing, "plants", "coastal ecology"],
            }
            file.write(json.dumps(record) + "\n")
    prepare(RECIPE, tmp_path, tmp_path / "examples")
    pack(RECIPE, tmp_path / "examples", tmp_path / "packed")
    return tmp_path / "packed"


@pytest.mark.parametrize("model", ["catseq", "copyrnn"])
def test_packed_examples_are_what_the_learner_makes_of_the_prepared_ones(
    tmp_path: Path, packed: Path, model: str
) -> None:
    recipe = replace(RECIPE, model=model)
    pack(recipe, tmp_path / "examples", packed)
    found = unpack(recipe, packed)
    config = replace(MODELS[model], **{**NETWORK, "vocabulary": len(found.vocabulary)})
    sources = list(read_prepared(recipe, tmp_path / "examples", "train"))
    learner = RecurrentLearner.create([one for _, examples in sources for one in examples], config)
    assert found.vocabulary == learner.vocabulary
    for (source, inputs), (wanted, examples) in zip(found.train, sources, strict=True):
        assert source == wanted
        for one, example in zip(inputs, examples, strict=True):
            made = learner.encode(example)
            for name in ("source", "targets", "lengths"):
                assert np.array_equal(getattr(one, name), getattr(made, name))
                assert getattr(one, name).dtype == getattr(made, name).dtype
    assert found.valid == list(read_prepared(recipe, tmp_path / "examples", "valid"))


def test_a_folder_without_examples_is_an_error_of_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no packed examples of this recipe"):
        unpack(RECIPE, tmp_path)


def test_runs_train_and_decode_and_one_that_fails_does_not_stop_the_others(tmp_path: Path, packed: Path) -> None:
    both = replace(RECIPE, model="catseqd", network={**NETWORK, "orthogonal": 0.1, "coverage": 0.1})
    wrong = replace(RECIPE, network={**NETWORK, "hidden": -1})
    runs = [Run("catseq-1", RECIPE), Run("catseqd-2", replace(both, seed=2)), Run("wrong", wrong)]
    found = dict(train_all(runs, packed, tmp_path / "runs", Place(), until=math.inf))
    assert isinstance(found.pop("wrong"), Exception)
    assert {name: summary["updates"] for name, summary in found.items()} == {"catseq-1": 6, "catseqd-2": 6}
    assert load(tmp_path / "runs/catseqd-2").module.config.coverage == 0.1
    folders = {name: tmp_path / "runs" / name for name in found}
    wanted = [Decoding("greedy.toy", {"a": ("the", "salt", "marsh"), "b": ("peat",)}, Search())]
    done = dict(decode_all(folders, dict.fromkeys(folders, wanted), Place()))
    assert done == {"catseq-1": ["greedy.toy"], "catseqd-2": ["greedy.toy"]}
    for folder in folders.values():
        assert list(read_answers(folder / "greedy.toy.jsonl.xz").phrases) == ["a", "b"]


def test_when_the_time_is_over_all_runs_end_after_the_last_epoch_that_one_had_begun(tmp_path: Path) -> None:
    first, second, third = (CommonEnd(tmp_path, name, until=math.inf) for name in "abc")
    assert not any([first(1), first(2), second(1)]), "there is time"
    late = [replace(one, until=0.0) for one in (first, second, third)]
    assert not late[1](2), "the first is in its third epoch"
    assert not late[2](1)
    assert late[0](3) and late[1](3)
    assert not late[2](2) and late[2](3)


def test_a_run_ends_with_the_epoch_in_which_its_time_is_over(tmp_path: Path, packed: Path) -> None:
    ((_, found),) = train_all([Run("late", RECIPE)], packed, tmp_path / "runs", Place(), until=0.0)
    assert found["updates"] == 3
    assert load(tmp_path / "runs/late")


def test_one_phrase_at_a_time_is_learned_from_the_same_examples(packed: Path) -> None:
    examples = unpack(RECIPE, packed)
    config = {"vocabulary": len(examples.vocabulary), "embedding": 8, "hidden": 12, "paradigm": "one2one", "target": 10}
    learner = PackedLearner.restore(config, examples.vocabulary)
    for one in examples.train[0][1]:
        made = learner.encode(one)
        phrases = np.split(made.targets, np.cumsum(made.lengths)[:-1])
        assert all(phrase[-1] == END for phrase in phrases)
        joined = [number for phrase in phrases for number in [*phrase[:-1], SEPARATOR]]
        assert [*joined[:-1], END] == one.targets.tolist()
