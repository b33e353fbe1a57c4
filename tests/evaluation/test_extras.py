"""What is said where an optional package is not installed, and that nothing heavy is loaded without need."""

import subprocess
import sys
from pathlib import Path

import pytest

import tiny_bert
from phrasemill.errors import DataError, MissingExtra
from phrasemill.evaluation import similarity
from phrasemill.evaluation.similarity import SIMILARITIES


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
    for cached in (similarity._module, similarity._rouge_scorer):
        cached.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'phrasemill\[metrics\]'"):
        SIMILARITIES[name](["a", "b"], ["a", "b", "c"])


class _Lemma:
    def __init__(self, name: str) -> None:
        self._name = name

    def name(self) -> str:
        return self._name


class _Synset:
    def lemmas(self) -> list[_Lemma]:
        return [_Lemma("car"), _Lemma("automobile")]


class _WordNet:
    """Two words that mean the same; like NLTK's, it knows plurals but no stems (`automobil`)."""

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset()] if word.removesuffix("s") in ("car", "automobile") else []


def test_meteor_matches_synonyms_of_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nltk")
    monkeypatch.setattr(similarity, "_wordnet", _WordNet)
    one, other = ["red", "cars"], ["red", "automobiles"]
    assert SIMILARITIES["meteor"](one, other) == 0.25
    # Both words are found, in one chunk: 1 - 0.5 · (1/2)³.
    assert SIMILARITIES["meteor-wordnet"](one, other) == pytest.approx(0.9375)


def test_missing_wordnet_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    nltk = pytest.importorskip("nltk")
    monkeypatch.setattr(nltk.data, "path", [])
    similarity._wordnet.cache_clear()
    with pytest.raises(DataError, match=r"python -m nltk\.downloader wordnet"):
        SIMILARITIES["meteor-wordnet"](["a"], ["b"])


def test_a_model_folder_names_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tiny_bert.make(tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtra, match=r"phrasemill\[embed\]"):
        similarity.PhraseEmbeddings(str(folder))


def test_scoring_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); from phrasemill.evaluation import evaluate;"
        "evaluate({'d': ['a']}, {'d': ['a']}); print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "scipy", "nltk", "rouge_score", "rich", "typer"} & set(loaded)
