"""`bench --retrieval`: queries from titles and gold keyphrases, recall by BM25, and how many phrases pay."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from phrasemill.errors import DataError
from phrasemill.types import Document
from phrasemill_lab.bench import retrieval

pytest.importorskip("bm25s")

DOCUMENTS = [
    Document("1", "Wells turn brackish near the sea.", "Coastal aquifers", references=("salt water", "wells")),
    Document("2", "A network has layers.", "Deep learning", references=(("neural network", "network"), "Wells")),
    Document("3", "Rivers carry sand.", ""),
]


def test_queries_are_titles_and_keyphrases_whatever_their_case() -> None:
    assert retrieval.title_queries(DOCUMENTS) == {"Coastal aquifers": {0}, "Deep learning": {1}}
    assert retrieval.keyphrase_queries(DOCUMENTS) == {"salt water": {0}, "wells": {0, 1}, "neural network": {1}}


def test_recall_and_reciprocal_rank_of_each_query() -> None:
    contents = ["wells and wells", "wells and rivers", "sand"]
    queries = {
        "well": frozenset({0, 1}),
        "river sand": frozenset({2}),
        "glacier": frozenset({0}),
        "the": frozenset({0}),
    }
    recalls, ranks = retrieval.searched(contents, queries)
    assert recalls.tolist() == [1.0, 1.0, 0.0, 0.0]
    assert ranks[0] == 1.0
    assert ranks[1] in (0.5, 1.0)


def test_phrases_that_the_text_lacks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that adds exactly the missing words of each query makes every query succeed."""

    @dataclass(frozen=True)
    class Found:
        text: str

    def titles(documents: list[Document], **_: object) -> list[list[Found]]:
        return [[Found("coastal aquifers")], [Found("deep learning")], []]

    monkeypatch.setattr(retrieval, "extract_batch", titles)
    rows = [row for row in retrieval.measure("made", DOCUMENTS, "learned") if row.queries == "titles"]
    assert [(row.added, row.recall) for row in rows] == [(0, 0.0), (3, 1.0), (5, 1.0), (10, 1.0), (20, 1.0)]
    assert (rows[1].gain, rows[1].low, rows[1].high) == (1.0, 1.0, 1.0)
    assert retrieval.paying(rows) == 3
    [table] = retrieval.tables(rows)
    assert table.rows[1] == ("3", "100.0", "+100.0", "+100.0 to +100.0", "100.0")
    assert table.notes[0].startswith("3 keyphrases per document pay")


def test_the_interval_of_a_gain_holds_its_mean() -> None:
    gains = np.array([0.0] * 90 + [1.0] * 10)
    low, high = retrieval.interval(gains)
    assert low < 0.1 < high
    assert retrieval.interval(np.zeros(5)) == (0.0, 0.0)


def test_documents_without_titles_and_keyphrases_are_refused() -> None:
    with pytest.raises(DataError, match="needs titles or keyphrases"):
        retrieval.measure("made", DOCUMENTS[2:], "learned")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from phrasemill.cli import run

    file = tmp_path / "papers.jsonl"
    file.write_text('{"id": "1", "title": "Wells", "text": "Salt water.", "keyphrases": ["salt"]}\n', encoding="utf-8")
    assert run(["bench", "--datasets", str(file), "--retrieval", "--format", "json"]) == 0
    assert '"queries": "titles"' in capsys.readouterr().out
    assert run(["bench", "--retrieval"]) == 2
    assert "--retrieval needs --datasets" in capsys.readouterr().err
