"""JointKPE learns a toy set by heart; its losses beside loops that anybody can read; a recipe from data to a method."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import phrasemill as pm  # noqa: E402
import tiny_joint  # noqa: E402
from phrasemill.cli import run as command  # noqa: E402
from phrasemill.errors import ConfigError, ModelError  # noqa: E402
from phrasemill.methods.bertkpe.network import JointLabels, ranking_loss, strongest  # noqa: E402
from phrasemill_lab.models.jointkpe import JointLearner, JointSettings, check, example_of, score  # noqa: E402
from phrasemill_lab.models.loop import TrainingRun  # noqa: E402
from phrasemill_lab.models.recipes import Schedule, TrainingRecipe  # noqa: E402

pytestmark = pytest.mark.training

THINGS = ("salt marsh", "bread oven", "bee hive", "clock tower", "river ferry", "peat bog", "paper mill", "wind pump")
# What is studied is the keyphrase; what is seen beside it is not.
TEXTS = "We study the {0} here. Nobody saw a {1}.", "A {1} was seen. The study is on the {0}, not on fences."
SCHEDULE = Schedule(epochs=30, batch=8, rate=5e-3, validate=30)


def lessons() -> list[pm.Document]:
    made = []
    for number, thing in enumerate(THINGS):
        other = THINGS[(number + 3) % len(THINGS)]
        made.append(pm.Document(str(number), TEXTS[number % 2].format(thing, other), references=(thing.title(),)))
    return made


def recipe() -> TrainingRecipe:
    return TrainingRecipe("bertkpe", 3, {}, (), (), (), SCHEDULE)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_joint.bert(tmp_path_factory.mktemp("encoder"), positions=128)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def run(folder: Path, encoder: Path, schedule: Schedule = SCHEDULE, dropout: float = 0.0) -> TrainingRun:
    learner = JointLearner.create(JointSettings(str(encoder), width=24, dropout=dropout), seed=1)
    examples = [made for one in lessons() if (made := example_of(one))]
    valid = {"toy": lessons()}
    return TrainingRun(learner, schedule, [(1, examples)], valid, folder, score=score, seed=3, log=lambda line: None)


def test_a_small_model_learns_a_toy_set(tmp_path: Path, encoder: Path) -> None:
    trained = run(tmp_path, encoder)
    assert trained.fit().best == 100, "with one keyphrase a document F1@O is F1@1"
    found = [trained.learner.phrases(one)[0].lower() for one in lessons()]  # type: ignore[attr-defined]
    assert found == list(THINGS)
    points = [json.loads(line) for line in (tmp_path / "curves.jsonl").read_text().splitlines()]
    assert points[-1]["toy"] == 100


def naive_losses(ranks: list[float], chunks: list[list[float]], lesson: JointLabels) -> tuple[float, float]:
    """As the paper says them, one occurrence and one pair after the other."""
    phrase, document, gold = lesson.phrase.tolist(), lesson.document.tolist(), lesson.gold.tolist()
    best = [max(rank for rank, one in zip(ranks, phrase, strict=True) if one == q) for q in range(len(gold))]
    losses = []
    for d in sorted(set(document)):
        own = [q for q in range(len(gold)) if document[q] == d]
        pairs = [max(0.0, 1 - best[p] + best[q]) for p in own if gold[p] for q in own if not gold[q]]
        if pairs:
            losses.append(sum(pairs) / len(pairs))
    surprise = [
        -np.log(np.exp(chunk[gold[one]]) / np.exp(chunk).sum()) for chunk, one in zip(chunks, phrase, strict=True)
    ]
    return sum(losses) / len(losses) if losses else 0.0, float(np.mean(surprise))


def test_the_losses_are_those_of_naive_loops(encoder: Path) -> None:
    learner = JointLearner.create(JointSettings(str(encoder), width=24), seed=2)
    learner.module.eval()
    more = pm.Document("x", "The peat bog and the bog. A Bog! The wet bog.", references=("bog", ("wet bog", "mire")))
    encoded = [learner.encode(made) for one in (*lessons()[:3], more) if (made := example_of(one))]
    batch = learner.collate(encoded, np.random.default_rng(0))
    total, parts = learner.loss(batch)
    states = learner.module.encoder(input_ids=batch["pieces"], attention_mask=batch["mask"]).last_hidden_state
    ranks, chunks = [], []
    for row, one in enumerate(encoded):
        for start, size in zip(one.start.tolist(), one.size.tolist(), strict=True):
            words = states[row, batch["first"][row, start : start + size]]  # (size, D)
            convolution = learner.module.convolutions[size - 1]
            vector = torch.relu(torch.einsum("cdk,kd->c", convolution.weight, words) + convolution.bias)
            ranks.append(learner.module.ranking(vector).item())
            chunks.append(learner.module.chunking(vector).tolist())
    ranking, chunking = naive_losses(ranks, chunks, JointLabels(*(batch[name] for name in JointLabels._fields)))
    assert parts["ranking"].item() == pytest.approx(ranking, rel=1e-4)
    assert parts["chunking"].item() == pytest.approx(chunking, rel=1e-4)
    assert total.item() == pytest.approx(ranking + chunking, rel=1e-4)


def test_a_document_without_pairs_has_no_ranking_loss() -> None:
    scores = torch.tensor([0.5, 2.0, 1.0], requires_grad=True)
    phrase, document = torch.tensor([0, 1, 1]), torch.tensor([0, 1])
    assert strongest(scores, phrase, 2).tolist() == [0.5, 2.0]
    loss = ranking_loss(scores, JointLabels(torch.arange(3), phrase, document, torch.tensor([True, False])))
    loss.backward()
    assert loss.item() == 0 and scores.grad.tolist() == [0, 0, 0]


def test_what_a_passage_is() -> None:
    text = "Salt Marshes and the salt marsh of a Salt Marsh. Marsh, salt."
    made = example_of(pm.Document("1", text, references=(("wetland", "SALT MARSH"), "fen")))
    assert made is not None
    said = [text[made.analysis.start[a] : made.analysis.end[b - 1]] for a, b in zip(made.start, made.end, strict=True)]
    chosen = [one for one, number in zip(said, made.phrase, strict=True) if made.gold[number]]
    assert chosen == ["salt marsh", "Salt Marsh"], "lower case, but no stems"
    assert len(set(made.phrase.tolist())) == len({one.lower() for one in said})
    assert example_of(pm.Document("2", text, references=("peat bog",))) is None
    assert example_of(pm.Document("3", "", references=("peat bog",))) is None
    assert example_of(pm.Document("4", "Marsh.", references=("marsh",))) is None, "nothing to rank it above"


def test_only_the_first_window_is_learned_from(encoder: Path) -> None:
    learner = JointLearner.create(JointSettings(str(encoder), width=24, window=64))
    far = pm.Document(
        "1", "The salt marsh. " + "Old fences fell. " * 40 + "The bee hive.", references=("salt marsh", "bee hive")
    )
    made = example_of(far)
    assert made is not None and made.gold.sum() == 2
    encoded = learner.encode(made)
    assert encoded.gold.sum() == 1 and len(encoded.part.pieces) <= 64
    assert (encoded.start + encoded.size).max() <= encoded.part.end
    assert sorted(set(encoded.phrase.tolist())) == list(range(len(encoded.gold)))
    loss, _ = learner.loss(learner.collate([encoded], np.random.default_rng(0)))
    assert torch.isfinite(loss)


def test_an_interrupted_run_ends_as_if_nothing_had_happened(tmp_path: Path, encoder: Path) -> None:
    short = Schedule(epochs=2, batch=2, rate=1e-3, warmup=2, decay="linear", validate=2, checkpoint=3)
    whole = run(tmp_path / "whole", encoder, short, dropout=0.1)
    whole.fit()
    broken = run(tmp_path / "broken", encoder, short, dropout=0.1)
    original, calls = broken._update, 0

    def failing(batch: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 6:
            raise KeyboardInterrupt
        return original(batch)

    broken._update = failing  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        broken.fit()
    again = run(tmp_path / "broken", encoder, short, dropout=0.1)
    assert again.resume() and again.progress.update == 4
    again.fit()
    for name, value in whole.learner.module.state_dict().items():
        assert torch.equal(again.learner.module.state_dict()[name], value), name


def test_the_rate_rises_and_then_falls_to_nothing(tmp_path: Path, encoder: Path) -> None:
    made = run(tmp_path, encoder, Schedule(epochs=4, batch=4, rate=1.0, warmup=2, decay="linear"))
    rates = []
    for update in range(made.updates + 1):
        made.progress.update = update
        rates.append(made._rate())
    assert made.updates == 8
    assert rates == pytest.approx([0.5, 1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0])


RECIPE = """model = "bertkpe"
[data]
train = [{ files = "toy.jsonl" }]
valid = [{ files = "toy.jsonl", last = 4 }]
[network]
width = 24
dropout = 0.0
[training]
epochs = 30
batch = 8
rate = 5e-3
validate = 30
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [
        json.dumps({"id": one.id, "title": "", "text": one.text, "keyphrases": list(one.references)})
        for one in lessons()
    ]
    Path("toy.jsonl").write_text("\n".join(lines))
    Path("toy.toml").write_text(RECIPE)
    Path("article.txt").write_text(lessons()[0].text)
    return tmp_path


def test_from_a_recipe_to_keyphrases(data: Path, encoder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = ["train", f"bertkpe(encoder={str(encoder)!r})", "--recipe", "toy.toml", "--data", ".", "-o", "model"]
    assert command(train) == 0
    out = capsys.readouterr().out
    assert "8 documents" in out and "best F1@O   100.0" in out
    assert command(["extract", "article.txt", "-m", 'bertkpe(model="model")', "-n", "1", "-f", "text"]) == 0
    assert "salt marsh" in capsys.readouterr().out
    assert {one.name for one in Path("model").iterdir()} >= {"model.json", "best.safetensors", "encoder", "curves.svg"}
    assert not list(Path("model/encoder").glob("*.safetensors")), "the weights are there once"
    assert command(train) == 2
    assert "a model was trained here already" in capsys.readouterr().err
    assert command([*train, "--resume"]) == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["bertkpe"], "train bertkpe requires --recipe FILE, such as recipes/bertkpe.toml"),
        (["bertkpe", "--recipe", "toy.toml", "-d", "."], "train requires --output DIR"),
        (["bertkpe", "--recipe", "toy.toml", "-o", "m"], "train bertkpe requires --data DIR"),
        (["bertkpe", "--recipe", "toy.toml", "-d", ".", "-o", "m"], "bertkpe requires an encoder"),
        (["bertkpe(encoder='no')", "--recipe", "toy.toml", "-d", ".", "-o", "m"], "no: no such folder; an encoder is"),
        (["bertkpe(encoder='.')", "--recipe", "toy.toml", "-d", ".", "-o", "m"], ".: no encoder that Transformers can"),
        (
            ["bertkpe(widht=3)", "--recipe", "toy.toml", "-d", ".", "-o", "m"],
            "bertkpe has no parameter 'widht'; it has",
        ),
        (["bertkpe(width='a')", "--recipe", "toy.toml", "-d", ".", "-o", "m"], "width must be a whole number, got 'a'"),
        (
            ["bertkpe(dropout=1.5)", "--recipe", "toy.toml", "-d", ".", "-o", "m"],
            "dropout must be at least 0 and below",
        ),
        (["bertkpe('x')", "--recipe", "toy.toml", "-d", ".", "-o", "m"], "settings of bertkpe as name=value, got 'x'"),
        (["catseq", "--recipe", "toy.toml", "-d", ".", "-o", "m"], "toy.toml is a recipe for bertkpe, not for catseq"),
    ],
)
def test_wrong_input_gets_one_line(
    arguments: list[str], complaint: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["train", *arguments]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1
    assert not Path("m").exists()


def test_files_that_are_missing_are_named(data: Path, encoder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("toy.jsonl").unlink()
    spec = f"bertkpe(encoder={str(encoder)!r})"
    assert command(["train", spec, "--recipe", "toy.toml", "-d", ".", "-o", "m"]) == 2
    assert ".: no file toy.jsonl" in capsys.readouterr().err


def test_a_window_too_small_for_words_is_refused(encoder: Path) -> None:
    check(recipe(), "cpu")
    with pytest.raises(ModelError, match="no room for ten words"):
        JointLearner.create(JointSettings(str(encoder), window=8))
    with pytest.raises(ConfigError, match="device 'moon' is not available"):
        check(recipe(), "moon")
