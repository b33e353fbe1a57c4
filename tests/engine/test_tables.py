"""Arrow in, Arrow out."""

from collections.abc import Iterator
from functools import partial

import pyarrow as pa
import pytest

import phrasemill as pm
from faulty import Faulty
from made_corpora import records
from phrasemill import engine
from phrasemill.errors import InputError, UnknownName
from phrasemill.readers import Columns


def test_a_table_has_a_row_for_each_row() -> None:
    table = pa.Table.from_pylist(records(600))
    found = engine.extract_table(table, method="tfidf", top=2)
    assert found.column_names == ["id", "keyphrases", "error"]
    assert found["id"].to_pylist() == table["id"].to_pylist()
    for row, record in zip(found.to_pylist()[:20], records(20), strict=True):
        expected = pm.extract(pm.Document("", record["text"], record["title"]), method="tfidf", top=2)
        assert [phrase["text"] for phrase in row["keyphrases"]] == [k.text for k in expected]
    assert found["error"].null_count == 600
    assert engine.extract_table(table, method="tfidf", top=2, jobs=2) == found


def test_rows_that_fail_have_an_error() -> None:
    table = pa.table({"key": [7, 8, 9], "body": ["fine", None, "ERROR"]})
    found = engine.extract_table(table, columns=Columns(id="key", text="body"), method=Faulty()).to_pylist()
    assert [row["id"] for row in found] == ["7", "8", "9"]
    assert [row["keyphrases"] is None for row in found] == [False, True, True]
    assert found[0]["error"] is None
    assert found[1]["error"].startswith("row 2: no text in it")
    assert found[2]["error"] == "ValueError: the text says so"


def test_concepts_have_columns(tmp_path) -> None:
    (tmp_path / "terms.csv").write_text("id,label\nw1,well\n", encoding="utf-8")
    table = pa.table({"text": ["Deep wells."]})
    (row,) = engine.extract_table(table, vocabulary=tmp_path / "terms.csv", method="tfidf").to_pylist()
    assert (row["id"], row["keyphrases"][0]["concept"], row["keyphrases"][0]["label"]) == ("1", "w1", "well")


def test_an_empty_table() -> None:
    table = pa.table({"text": pa.array([], pa.string())})
    assert engine.extract_table(table).num_rows == 0


def test_what_makes_no_sense() -> None:
    with pytest.raises(InputError, match=r"expected a pyarrow\.Table, got list"):
        engine.extract_table([])
    with pytest.raises(InputError, match="no text column; there are a, b"):
        engine.extract_table(pa.table({"a": [1], "b": [2]}))
    with pytest.raises(UnknownName, match="nosuch"):
        engine.extract_table(pa.table({"text": ["x"]}), method="nosuch")


def map_in_arrow(function, batches: list[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """What Spark does in each of its processes: an iterator of batches in, an iterator of batches out."""
    return list(function(iter(batches)))


def test_batches_as_spark_hands_them_out() -> None:
    batches = pa.Table.from_pylist(records(10)).to_batches(max_chunksize=4)
    found = map_in_arrow(partial(engine.extract_batches, method="tfidf", top=1), batches)
    assert [batch.num_rows for batch in found] == [4, 4, 2]
    assert [row for batch in found for row in batch["id"].to_pylist()] == [f"d{n}" for n in range(10)]


def test_batches_are_lazy() -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"text": ["Deep wells."]})
        raise AssertionError("read too far")

    assert next(engine.extract_batches(batches())).num_rows == 1


def test_the_schema_for_spark_is_that_of_the_batches() -> None:
    kind = engine.extract_table(pa.table({"text": ["Deep wells."]})).schema
    names = {"double": "double", "bool": "boolean", "int32": "int", "string": "string"}

    def spark(one: pa.DataType) -> str:
        if pa.types.is_list(one):
            return f"array<{spark(one.value_type)}>"
        if pa.types.is_struct(one):
            return f"struct<{', '.join(f'{field.name}: {spark(field.type)}' for field in one)}>"
        return names[str(one)]

    assert ", ".join(f"{field.name} {spark(field.type)}" for field in kind) == engine.SPARK_SCHEMA
