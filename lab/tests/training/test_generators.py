"""Training of generators, from documents to a model that a method reads; on the CPU, with toys."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import tiny_generator  # noqa: E402
from phrasemill.errors import ConfigError, InputError  # noqa: E402
from phrasemill.methods.generator.pieces import ABSENT, PRESENT, SEQUENCE  # noqa: E402
from phrasemill_lab.models import checkpoints, generators, jointkpe  # noqa: E402
from phrasemill_lab.models.generation import score  # noqa: E402
from phrasemill_lab.models.generation_examples import prepare, read_prepared  # noqa: E402
from phrasemill_lab.models.loop import TrainingRun  # noqa: E402
from phrasemill_lab.models.recipes import Schedule, TrainingRecipe, load_encoder_recipe, load_recipe  # noqa: E402
from phrasemill_lab.models.sources import Source  # noqa: E402
from phrasemill_lab.models.transformer import TransformerLearner  # noqa: E402

pytestmark = pytest.mark.training

RECIPES = Path(__file__).parents[2] / "recipes"
SCHEDULE = Schedule(epochs=60, batch=12, rate=5e-3, warmup=10, validate=60)


def run(folder: Path, schedule: Schedule = SCHEDULE) -> TrainingRun:
    torch.manual_seed(1)
    settings = {**tiny_generator.SIZES, "dropped_from": 0.0, "dropout": 0.0}
    learner = TransformerLearner.create(settings, tiny_generator.pieces())
    lessons = tiny_generator.lessons()
    return TrainingRun(
        learner, schedule, [(1, lessons)], {"toy": lessons}, folder, score=score, seed=3, log=lambda line: None
    )


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_a_small_generator_learns_a_toy_set(tmp_path: Path) -> None:
    trained = run(tmp_path)
    progress = trained.fit()
    assert progress.best == 100
    lessons = tiny_generator.lessons()
    assert score(trained.learner, lessons, metric="F1@M") == 1
    assert score(trained.learner, lessons, search="beam", metric="R@10") == 1  # the absent ones
    points = [json.loads(line) for line in (tmp_path / "curves.jsonl").read_text().splitlines()]
    assert points[0]["loss"] > points[-2]["loss"] and points[-1]["toy"] == 100


def test_an_interrupted_run_ends_as_if_nothing_had_happened(tmp_path: Path) -> None:
    short = Schedule(epochs=2, batch=3, rate=1e-3, decay="cosine", validate=2, checkpoint=4)
    whole = run(tmp_path / "whole", short)
    whole.fit()
    broken = run(tmp_path / "broken", short)
    original, calls = broken._update, 0

    def failing(batch):
        nonlocal calls
        calls += 1
        if calls == 7:
            raise KeyboardInterrupt
        return original(batch)

    broken._update = failing
    with pytest.raises(KeyboardInterrupt):
        broken.fit()
    again = run(tmp_path / "broken", short)
    assert again.resume()
    assert again.progress.update == 4
    again.fit()
    for name, value in whole.learner.module.state_dict().items():
        torch.testing.assert_close(again.learner.module.state_dict()[name], value, rtol=0, atol=0)


def test_pieces_are_the_same_every_time_and_write_any_word() -> None:
    pieces = tiny_generator.pieces()
    assert pieces.pieces == tiny_generator.pieces().pieces
    assert pieces.words(pieces.of("dales")) == ("dales",)
    assert pieces.words(pieces.of("ﷺ")) == ()


def test_what_a_row_is_taught() -> None:
    learner = TransformerLearner.create({**tiny_generator.SIZES, "dropped_from": 0.0}, tiny_generator.pieces())
    example = tiny_generator.lessons()[0]
    batch = learner.collate([learner.encode(example)], rng())
    said = [learner.vocabulary.pieces[i] for i in batch["outputs"][0].tolist()]
    assert " ".join(said[:5]).replace(" ##", "") == "tidal creek <sep> coastal ecology"
    begins = [token for token, place in zip(batch["inputs"][0], batch["position"][0], strict=True) if place == 0]
    assert begins[0] == SEQUENCE and sorted(begins[1:]) == [PRESENT, ABSENT]


def test_a_dropped_keyphrase_is_absent_and_gone_from_the_source() -> None:
    settings = {**tiny_generator.SIZES, "dropped_from": 1.0, "dropped": 1.0}
    learner = TransformerLearner.create(settings, tiny_generator.pieces())
    example = tiny_generator.lessons()[0]
    batch = learner.collate([learner.encode(example)], rng())
    source = learner.vocabulary.words(batch["source"][0].tolist()[1:-1])
    assert source == tuple("we study the of the north".split())
    assert PRESENT not in batch["inputs"]


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_recipes_are_complete(path: Path) -> None:
    if path.stem.startswith("encoder"):  # their recipes have parts of their own
        assert load_encoder_recipe(path).then
        return
    plan = load_recipe(path)
    (jointkpe if plan.model == "bertkpe" else generators).check(plan, "cpu")
    assert plan.train and plan.valid and plan.held_out
    files = {source.file for source in plan.train}
    assert not any("test" in file for file in files), "test splits are not for training"
    tests = {"kp20k_small_test.jsonl.gz", "inspec_test.jsonl.gz", "semeval2010_test.jsonl.gz"}
    if path.stem.endswith("-stackex"):  # questions, and nothing else
        tests = {"stackexchange_takg_test.jsonl.gz"}
    assert set(plan.held_out) >= tests


def documents(folder: Path) -> None:
    lines = [
        {
            "id": one.id,
            "title": "",
            "text": " ".join(one.words),
            "keyphrases": [" ".join(one.present[0])],
            "kind": "toy",
        }
        for one in tiny_generator.lessons()
    ]
    (folder / "toy.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "test.jsonl").write_text(json.dumps({**lines[0], "title": "we study the tidal creek"}) + "\n")


def test_preparation_leaves_held_out_titles_out(tmp_path: Path) -> None:
    documents(tmp_path)
    with (tmp_path / "toy.jsonl").open("a") as file:
        file.write(
            json.dumps(
                {"id": "x", "title": "We study the tidal creek!", "text": "a", "keyphrases": ["a"], "kind": "toy"}
            )
            + "\n"
        )
    source = Source("toy*.jsonl", where={"kind": "toy"}, last=30)
    plan = TrainingRecipe("catseq", 1, {}, (source,), (source,), ("test.jsonl",), Schedule())
    prepare(plan, tmp_path, tmp_path / "prepared")
    ((_, found),) = read_prepared(plan, tmp_path / "prepared", "train")
    ((_, valid),) = read_prepared(plan, tmp_path / "prepared", "valid")
    assert "x" not in {one.id for one in found} and len(valid) == len(found) + 1


def test_wrong_recipes_are_refused_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    for text, complaint in (
        ("model = 3 =", "not a recipe"),
        ('model = "catseq"', "not a recipe"),
        ('model = "catseq"\n[data]\ntrain = [{file = "x"}]\nvalid = []', "unknown setting 'file'"),
    ):
        path.write_text(text)
        with pytest.raises(ConfigError, match=complaint):
            load_recipe(path)
    with pytest.raises(InputError, match="No such file"):
        load_recipe(tmp_path / "none.toml")


def test_a_setting_that_no_network_has_is_refused_before_the_work_begins() -> None:
    for model in ("generator", "catseq"):
        with pytest.raises(ConfigError, match="no setting 'widht'"):
            generators.check(TrainingRecipe(model, 1, {"widht": 3}, (), (), (), Schedule()), "cpu")


def test_without_validation_the_last_weights_are_kept(tmp_path: Path) -> None:
    trained = run(tmp_path, Schedule(epochs=1, batch=12))
    trained.valid = {}
    trained.fit()
    other = TransformerLearner.create(tiny_generator.SIZES, tiny_generator.pieces())
    checkpoints.load_weights(tmp_path / "best.safetensors", other.module)
    assert torch.equal(other.module.bias, trained.learner.module.bias)


def test_weights_come_back(tmp_path: Path) -> None:
    learner = tiny_generator.untrained()
    checkpoints.save_weights(tmp_path / "w", learner.module)
    other = TransformerLearner.create(tiny_generator.SIZES, learner.vocabulary)
    checkpoints.load_weights(tmp_path / "w", other.module)
    for name, value in learner.module.state_dict().items():
        assert torch.equal(other.module.state_dict()[name], value)


def test_a_recipe_adds_to_its_base_section_by_section() -> None:
    base, own = load_recipe(RECIPES / "catseq.toml"), load_recipe(RECIPES / "catseqd.toml")
    added = {"orthogonal": 1.0, "coverage": 0.03}
    assert own == replace(base, model="catseqd", network={**base.network, **added})
