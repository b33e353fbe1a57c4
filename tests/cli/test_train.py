"""`phrasemill train` as a user sees it."""

import json
import sys
from pathlib import Path

import pytest

import tiny_models
from phrasemill.cli import run

NOTHING = "nothing to learn from: "


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = []
    for document in tiny_models.documents():
        keyphrases = [one if isinstance(one, str) else list(one) for one in document.references]
        record = {"id": document.id, "title": document.title, "text": document.text, "keyphrases": keyphrases}
        lines.append(json.dumps(record))
    Path("train.jsonl").write_text("\n".join(lines[:9]))
    Path("dev.jsonl").write_text("\n".join(lines[9:]))
    Path("article.txt").write_text(tiny_models.documents()[0].text)
    Path("none.jsonl").write_text('{"id": "1", "text": "Salt water moves."}')
    Path("absent.jsonl").write_text('{"id": "1", "text": "Salt water moves.", "keyphrases": ["iron gate"]}')
    Path("empty.jsonl").write_text('{"id": "1", "text": "Salt water moves.", "keyphrases": []}')
    mixed = [{"id": code, "language": code, "text": "A pump.", "keyphrases": ["pump"]} for code in ("en", "de")]
    Path("mixed.jsonl").write_text("\n".join(map(json.dumps, mixed)))


@pytest.mark.parametrize(
    "trainer", ["kea", "kea(keyphraseness=True)", "learned(trees=9)", "maui(leaf=5)", "maxent", "naivebayes"]
)
def test_from_data_to_keyphrases(trainer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", trainer, "--data", "train.jsonl", "--dev", "dev.jsonl", "-o", "my.model"]) == 0
    out = capsys.readouterr().out
    assert "trees added" in out if "learned" in trainer else "documents              9\n" in out
    assert "my.model, " in out and "F1@5 " in out
    spec = out.splitlines()[-1].partition("--method ")[2].strip('"')
    assert run(["extract", "article.txt", "-m", spec, "-n", "3", "-f", "text"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nix", "-d", "train.jsonl", "-o", "m"], "unknown trainer 'nix'; choose from kea"),
        (["generator", "-d", "train.jsonl", "-o", "m"], "trained by phrasemill make, in the package phrasemill-lab"),
        (["kea", "-o", "m"], "train requires --data FILE"),
        (["kea", "-d", "train.jsonl"], "train requires --output MODEL"),
        (["kea", "-d", "nowhere.jsonl", "-o", "m"], "nowhere.jsonl: no such file"),
        (["learned", "-d", ".", "-o", "m"], ".: is a directory"),
        (["learned", "-d", "article.txt", "-o", "m"], "article.txt, line 1: neither JSON nor"),
        (["kea", "-d", "none.jsonl", "-o", "m"], "none.jsonl, line 1: no field 'keyphrases'"),
        (["kea", "-d", "empty.jsonl", "-o", "m"], f"{NOTHING}no document has keyphrases"),
        (["maxent", "-d", "absent.jsonl", "-o", "m"], f"{NOTHING}no keyphrase occurs in its text"),
        (["learned", "-d", "absent.jsonl", "-o", "m"], f"{NOTHING}no keyphrase of the documents occurs in their texts"),
        (["kea", "-d", "mixed.jsonl", "-o", "m"], "in several languages (de, en); train on one"),
        (["learned", "-d", "train.jsonl", "--dev", "mixed.jsonl", "-o", "m"], "in several languages (de, en)"),
        (["kea", "-d", "train.jsonl", "-o", "no/where/m"], "there is no such folder"),
        (["learned(rate=2.0)", "-d", "train.jsonl", "-o", "m"], "rate above 0 and at most 1"),
        (["maui(vocabulary='no.ttl')", "-d", "train.jsonl", "-o", "m"], "no.ttl: no such file"),
        (["maui(trees=0)", "-d", "train.jsonl", "-o", "m"], "trees must be at least 1, got 0"),
        (["maxent(features='tfidf,length')", "-d", "train.jsonl", "-o", "m"], "unknown feature 'length'"),
    ],
)
def test_wrong_input_gets_one_line(arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", *arguments]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1
    assert not Path("m").exists()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for method, module, package in (("learned", "lightgbm", "lightgbm"), ("maui", "sklearn.tree", "scikit-learn")):
        monkeypatch.setitem(sys.modules, module, None)
        assert run(["train", method, "-d", "train.jsonl", "-o", "m"]) == 2
        wanted = f"phrasemill: training {method} needs {package}: pip install 'phrasemill[train]'\n"
        assert capsys.readouterr().err == wanted
