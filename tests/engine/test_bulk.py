"""The bulk lines of search engines, from `extract` and from `run`."""

import json
from pathlib import Path

import pytest

from phrasemill.cli import run
from phrasemill.engine.bulk import bulk_lines
from phrasemill.types import Document, Keyphrase

LINES = '{"id": "a", "text": "Salt water in wells."}\n{"id": "b\\n", "text": "Neural networks."}\n'


def test_an_update_that_keeps_other_fields() -> None:
    found = [Keyphrase("Salt water", 0.9), Keyphrase("salt water", 0.8), Keyphrase("größe", 0.1)]
    action, source = map(json.loads, bulk_lines(Document("x\ny", "", language="de"), found).splitlines())
    assert action == {"update": {"_id": "x\ny"}}
    assert source == {"doc": {"keyphrases": ["Salt water", "größe"], "language": "de"}, "doc_as_upsert": True}


def test_extract_and_run_write_the_same_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "corpus.jsonl").write_text(LINES, encoding="utf-8")
    corpus = str(tmp_path / "corpus.jsonl")
    assert run(["extract", corpus, "--format", "bulk", "--top", "2"]) == 0
    printed = capsys.readouterr().out
    assert run(["run", corpus, "-o", str(tmp_path / "out"), "--format", "bulk", "--top", "2", "--jobs", "1"]) == 0
    [part] = (tmp_path / "out").glob("part-*.bulk")
    assert part.read_text(encoding="utf-8") == printed
    assert json.loads(printed.splitlines()[0]) == {"update": {"_id": "a"}}
    assert printed.endswith("\n")
