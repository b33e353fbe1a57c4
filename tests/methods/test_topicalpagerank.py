"""Topical PageRank: the model that ships, and files that are no model."""

from array import array
from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill import models
from phrasemill.candidates import nouns_and_adjectives
from phrasemill.errors import ConfigError, ModelError
from phrasemill.kernels import graph
from phrasemill.methods.topicalpagerank import TopicalPageRank
from phrasemill.statistics import DocumentFrequencies
from phrasemill.statistics.topic_model import KIND, LOWEST, PROBABILITY, load_topics
from phrasemill.text.analyse import analyse

TEXT = "Graph theory and graph algorithms. The weather was fine. A graph has vertices and edges; graphs are coloured."


def test_the_shipped_model_is_one_of_probabilities() -> None:
    model = load_topics()
    assert (PROBABILITY[0], PROBABILITY[-1]) == (pytest.approx(LOWEST), 1)
    assert len(model.index) == len(model.levels) // model.topics
    # P(word | topic) sums to about 1 over the vocabulary; a byte a logarithm leaves some per cent.
    totals = [0.0] * model.topics
    for at, level in enumerate(model.levels):
        totals[at % model.topics] += PROBABILITY[level]
    assert totals == pytest.approx([1.0] * model.topics, rel=0.1)


def test_words_of_the_main_topic_matter_more() -> None:
    analysis = analyse(TEXT)
    words = graph.Words(analysis.view, nouns_and_adjectives(analysis))
    fit = TopicalPageRank().importance(words, analysis)
    at = {analysis.stems[stem]: fit[node] for stem, node in zip(analysis.stem, words.node, strict=True) if node >= 0}
    assert all(0 <= one <= 1 + 1e-9 for one in fit)
    assert at["graph"] > at["weather"]


def test_parameters_are_checked() -> None:
    with pytest.raises(ConfigError, match="window must be at least 2"):
        pm.extract(TEXT, method="topicalpagerank(window=1)")


def saved(path: Path, metadata: dict[str, str], levels: int) -> Path:
    buffers = {"words": array("B", b"graph\ntheori"), "levels": array("B", bytes(levels))}
    models.save(path, buffers, {"kind": KIND, **metadata})
    return path


def test_a_file_that_is_no_model_is_a_model_error(tmp_path: Path) -> None:
    table = tmp_path / "table.safetensors"
    DocumentFrequencies(1, {"graph": 1}).save(table)
    unfit = saved(tmp_path / "unfit.safetensors", {"topics": "2"}, levels=3)
    silent = saved(tmp_path / "silent.safetensors", {}, levels=4)
    for path in (tmp_path / "missing.safetensors", table, unfit, silent):
        with pytest.raises(ModelError, match=path.name):
            pm.extract(TEXT, method=f"topicalpagerank(model={str(path)!r})")
