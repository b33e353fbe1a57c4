"""What a method finds in a text depends on that text alone, by whatever route the text comes, and in whose company."""

from pathlib import Path

import pytest
from pyarrow import parquet

import made_texts
import phrasemill as pm
from phrasemill import engine
from phrasemill.catalogue import METHODS
from phrasemill.engine.chunks import Plan

TEXTS = ["", *(made_texts.text(seed, sentences=1 + 2 * seed) for seed in range(10))]
# The default, and the network whose last bits once depended on the company.
NUMERIC = ["learned", "generator"]


@pytest.mark.parametrize("name", METHODS.names())
def test_a_batch_gives_what_each_text_gives_alone(name: str, specs: dict[str, str]) -> None:
    alone = [pm.extract(text, method=specs[name]) for text in TEXTS]
    assert list(pm.extract_batch(TEXTS, method=specs[name])) == alone
    assert list(pm.extract_batch(TEXTS[::-1], method=specs[name])) == alone[::-1]


@pytest.mark.parametrize("method", NUMERIC)
def test_processes_give_what_each_text_gives_alone(method: str) -> None:
    assert list(pm.extract_batch(TEXTS, method=method, jobs=2)) == [pm.extract(text, method=method) for text in TEXTS]


@pytest.mark.parametrize("method", NUMERIC)
@pytest.mark.parametrize("part", [1, 4])
def test_parts_of_any_size_hold_what_each_text_gives_alone(tmp_path: Path, method: str, part: int) -> None:
    corpus = tmp_path / "texts"
    corpus.mkdir()
    for number, text in enumerate(TEXTS):
        (corpus / f"{number:02}.txt").write_text(text, encoding="utf-8")
    engine.run(corpus, tmp_path / "out", method=method, jobs=1, part=Plan(documents=part))
    tables = [parquet.read_table(path) for path in sorted((tmp_path / "out").glob("part-*.parquet"))]
    found = [row["keyphrases"] for table in tables for row in table.to_pylist()]
    alone = [pm.extract(text, method=method) for text in TEXTS]
    assert [[(k["text"], k["score"]) for k in one] for one in found] == [[(k.text, k.score) for k in a] for a in alone]
