"""Scores worked out by hand."""

import math

import pytest

import phrasemill as pm
from phrasemill.errors import ConfigError
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Document


def scores(text: str, method: str) -> dict[str, float]:
    return {phrase.text: phrase.score for phrase in pm.extract(text, method=method, top=None)}


def test_textrank_on_a_path_of_three_words() -> None:
    # Nodes oak - tree - house. With damping d = 0.85 the middle m and an end e satisfy
    #   e = 0.05 + 0.85 m / 2,  m = 0.05 + 0.85 * 2 e   =>   m = 0.135 / 0.2775, e = (1 - m) / 2.
    middle = 0.135 / 0.2775
    end = (1 - middle) / 2
    text = "The oak tree house."
    assert scores(text, "textrank") == pytest.approx({"tree": middle}, abs=1e-4), "the best third is one word"
    assert scores(text, "textrank(keep=0.5)") == pytest.approx({"oak tree": middle + end}, abs=1e-4)
    assert scores(text, "textrank(keep=1)") == pytest.approx({"oak tree house": 1}, abs=1e-4)


def test_textrank_window_decides_who_is_a_neighbour() -> None:
    # "house of stone": two words apart, so a window of 2 joins nobody and each is alone.
    apart = scores("The house of stone.", "textrank(window=2, keep=1)")
    assert apart == pytest.approx({"house": 0.5, "stone": 0.5})
    # In a path oak - tree, stone alone: e = (0.15 + 0.85 s) / 3 + 0.85 e, s = (0.15 + 0.85 s) / 3.
    alone = 0.05 / (1 - 0.85 / 3)
    mixed = scores("The oak tree of stone.", "textrank(window=2, keep=1)")
    assert mixed == pytest.approx({"oak tree": 1 - alone, "stone": alone}, abs=1e-4)


def test_textrank_joins_inflections_and_keeps_the_wording() -> None:
    found = scores("We like Neural networks. A neural network is large.", "textrank(keep=0.5)")
    assert list(found) == ["Neural networks"]


def test_tfidf_by_hand(tmp_path) -> None:
    path = tmp_path / "df.safetensors"
    texts = ["Graph theory.", "Graph drawing.", "Tree drawing."]
    DocumentFrequencies.fit([Document(str(i), text) for i, text in enumerate(texts)]).save(path)
    found = scores("Graph theory and graph drawing. Novelty.", f"tfidf(longest=1, frequencies={str(path)!r})")
    assert found == pytest.approx(
        {
            "Graph": 2 * math.log(4 / 3),
            "theory": math.log(4 / 2),
            "drawing": math.log(4 / 3),
            "Novelty": math.log(4 / 1),
        }
    )


def test_firstphrases_counts_from_the_start() -> None:
    # Eight tokens; "Old wells" is the first, "salt" the sixth.
    found = scores("Old wells may fill with salt water.", "firstphrases")
    assert found == pytest.approx({"Old wells": 1.0, "salt water": 1 - 5 / 8})


def test_tfidf_takes_a_tag_pattern() -> None:
    found = scores("Old deep wells may fill with salt water.", "tfidf(candidates='(NN.*)+')")
    assert set(found) == {"wells", "salt water"}
    with pytest.raises(ConfigError, match="candidates must be auto, ngrams, noun_phrases or a tag pattern"):
        scores("x", "tfidf(candidates='ngram')")
