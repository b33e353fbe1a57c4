"""Document frequencies add up, survive the disk, and make rare phrases weigh more."""

import math
from pathlib import Path

import pytest

from phrasemill.errors import DataError, ModelError
from phrasemill.statistics import DocumentFrequencies, load_frequencies
from phrasemill.types import Document

DOCUMENTS = [
    Document("1", "Graph theory. Graphs and graph theory."),
    Document("2", "A graph of trees.", title="Trees"),
    Document("3", "Something else."),
]


def test_counts_documents_not_occurrences() -> None:
    table = DocumentFrequencies.fit(DOCUMENTS)
    assert table.documents == 3
    assert table.counts["graph"] == 2
    assert table.counts["graph theori"] == 1
    assert table.counts["graph of tree"] == 1
    assert table.idf("graph") == pytest.approx(math.log(4 / 3))
    assert table.idf("never seen") == pytest.approx(math.log(4))


def test_parts_merge_into_the_whole() -> None:
    whole = DocumentFrequencies.fit(DOCUMENTS)
    parts = [DocumentFrequencies.fit([document]) for document in DOCUMENTS]
    left = parts[0].merge(parts[1]).merge(parts[2])
    right = parts[0].merge(parts[1].merge(parts[2]))
    assert left == right == whole


def test_saved_and_loaded(tmp_path: Path) -> None:
    table = DocumentFrequencies.fit(DOCUMENTS).prune(2)
    table.save(tmp_path / "df.safetensors")
    assert DocumentFrequencies.load(tmp_path / "df.safetensors") == table
    assert table.least == 2
    assert "graph theori" not in table.counts
    assert table.idf("graph theori") == pytest.approx(math.log(4 / 2)), "dropped forms count as one below those kept"


def test_an_empty_table(tmp_path: Path) -> None:
    table = DocumentFrequencies.fit([])
    table.save(tmp_path / "df")
    assert DocumentFrequencies.load(tmp_path / "df") == table


def test_what_cannot_be_merged() -> None:
    table = DocumentFrequencies.fit(DOCUMENTS)
    with pytest.raises(DataError, match="languages"):
        table.merge(DocumentFrequencies.fit([], language="fr"))


def test_pruned_tables_merge_within_a_bound() -> None:
    table = DocumentFrequencies.fit(DOCUMENTS)
    merged = table.prune(2).merge(table)
    assert merged.counts["graph"] == 4
    assert merged.counts["graph theori"] == 1, "one of the two was dropped"
    assert (merged.least, merged.short) == (2, 1)
    assert table.merge(table).short == 0
    assert merged.prune(3).least == 4, "what counts 2 may have been in 3"


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "df"
    for damage in (b"", b"short", b"\xff" * 100, (50).to_bytes(8, "little") + b"{not json" + b" " * 41):
        path.write_bytes(damage)
        with pytest.raises(ModelError, match="not a document frequencies file"):
            DocumentFrequencies.load(path)
    with pytest.raises(ModelError, match="no such file"):
        DocumentFrequencies.load(tmp_path / "nowhere")


def test_the_shipped_table_knows_common_words() -> None:
    table = load_frequencies()
    assert table.documents > 50_000
    assert table.idf("result") < table.idf("neural network") < table.idf("quantum chromodynam")
