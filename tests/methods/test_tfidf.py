"""TF-IDF with the n-grams of a toolkit whose figures several papers print."""

from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Document

TEXT = "The spill reached the coast. The coast guard watched the coast, and the spill."


@pytest.fixture
def frequencies(tmp_path: Path) -> Path:
    others = [
        Document(str(n), text) for n, text in enumerate(("The guard watched.", "The sea.", "A road and the bridge."))
    ]
    path = tmp_path / "frequencies"
    DocumentFrequencies.fit(others, function_words=True).save(path)
    return path


def test_function_words_count_with_their_own_frequencies(frequencies: Path) -> None:
    found = pm.extract(TEXT, method=f"tfidf(function_words=True, frequencies={str(frequencies)!r})", top=None)
    scores = {phrase.text.lower(): phrase.score for phrase in found}
    assert scores["the coast"] == scores["coast"] > scores["the spill"], "three times in no other document, then twice"
    assert scores["the"] == 0, "it is in every document"
    assert scores["guard"] < scores["coast guard"]


@pytest.mark.parametrize("spec", ["tfidf(function_words=True)", "tfidf('noun_phrases', function_words=True)"])
def test_function_words_need_frequencies_that_count_them(spec: str) -> None:
    with pytest.raises(ConfigError, match="function_words requires"):
        METHODS.build(spec)


def test_phrases_of_a_set_may_begin_with_function_words(frequencies: Path) -> None:
    method = f"tfidf(function_words=True, frequencies={str(frequencies)!r})"
    for mode in ("merge", "concat"):
        found = pm.extract_set([TEXT, "The coast is near."], method=f"{mode}({method})", top=None)
        assert any(phrase.text.lower().startswith("the ") for phrase in found)
