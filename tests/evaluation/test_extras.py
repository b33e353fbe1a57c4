"""What is said where an optional package is not installed, and that nothing heavy is loaded without need."""

import subprocess
import sys
from pathlib import Path

import pytest

import tiny_bert
from phrasemill.errors import MissingExtra
from phrasemill.evaluation import embeddings, similarity
from phrasemill.evaluation.similarity import SIMILARITIES
from phrasemill.lab.papers import meta_evaluation


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("bleu", "nltk.translate.bleu_score"),
        ("nist", "nltk.translate.nist_score"),
        ("rouge-1", "rouge_score.rouge_scorer"),
    ],
)
def test_borrowed_metrics_name_their_package(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    for cached in (similarity._nltk, similarity._rouge_scorer):
        cached.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'phrasemill\[metrics\]'"):
        SIMILARITIES[name](["a", "b"], ["a", "b", "c"])


def test_correlation_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtra, match="rank correlation needs scipy"):
        meta_evaluation.correlation([1, 2], [2, 1], "spearman")


def test_a_model_folder_names_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tiny_bert.make(tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtra, match=r"phrasemill\[embed\]"):
        embeddings.PhraseEmbeddings(str(folder))


def test_scoring_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from phrasemill.evaluation import evaluate;"
        "evaluate({'d': ['a']}, {'d': ['a']}); print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "scipy", "nltk", "rouge_score", "rich", "typer"} & set(loaded)
