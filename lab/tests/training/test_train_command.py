"""`phrasemill train` as a user sees it."""

import json
from pathlib import Path

import pytest

import tiny_models
from phrasemill.cli import run
from phrasemill.training.trainer import TRAINERS

pytestmark = pytest.mark.training


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = []
    for document in tiny_models.documents():
        keyphrases = [one if isinstance(one, str) else list(one) for one in document.references]
        record = {"id": document.id, "title": document.title, "text": document.text, "keyphrases": keyphrases}
        lines.append(json.dumps(record))
    Path("train.jsonl").write_text("\n".join(lines[:9]))
    Path("dev.jsonl").write_text("\n".join(lines[9:]))
    Path("article.txt").write_text(tiny_models.documents()[0].text)
    return tmp_path


@pytest.mark.parametrize("trainer", ["kea", "kea(keyphraseness=True)", "maui(leaf=5)", "maxent", "naivebayes"])
def test_from_data_to_keyphrases(trainer: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", trainer, "--data", "train.jsonl", "--dev", "dev.jsonl", "-o", "my.model"]) == 0
    out = capsys.readouterr().out
    assert "documents              9\n" in out
    assert "my.model, " in out and "F1@5 " in out
    spec = out.splitlines()[-1].partition("--method ")[2].strip('"')
    assert run(["extract", "article.txt", "-m", spec, "-n", "3", "-f", "text"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_there_is_a_trainer_for_every_small_model() -> None:
    assert set(tiny_models.NAMES) <= set(TRAINERS)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nix", "-d", "train.jsonl", "-o", "m"], "unknown trainer 'nix'; choose from kea"),
        (["kea", "-o", "m"], "train requires --data FILE"),
        (["kea", "-d", "train.jsonl"], "train requires --output MODEL"),
        (["kea", "-d", "nowhere.jsonl", "-o", "m"], "nowhere.jsonl: no such file"),
        (["kea", "-d", "train.jsonl", "-o", "no/where/m"], "there is no such folder"),
        (["kea", "-d", "train.jsonl", "-o", "."], ".: is a folder"),
        (["kea(size=3)", "-d", "train.jsonl", "-o", "m"], "trainer kea has no parameter 'size'; it has keyphraseness"),
        (["kea(keyphraseness=3)", "-d", "train.jsonl", "-o", "m"], "keyphraseness must be True or False"),
        (["maui(vocabulary='no.ttl')", "-d", "train.jsonl", "-o", "m"], "no.ttl: no such file"),
    ],
)
def test_wrong_input_gets_one_line(
    arguments: list[str], complaint: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["train", *arguments]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1
    assert not Path("m").exists()


def test_its_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "--help"]) == 0
    assert "phrasemill train kea --data papers.jsonl -o kea.model" in capsys.readouterr().out
