"""Which fields of records are read as what, and what becomes of values of any type."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from phrasemill.errors import InputError
from phrasemill.readers import Columns, Fields, parse_columns, read_all_bytes
from phrasemill.readers.failures import EarlyFailures
from phrasemill.readers.values import as_text
from phrasemill.types import Document


def read(data: bytes, name: str = "a.jsonl", columns: str = "") -> tuple[list[Document], list[str], list[Fields]]:
    errors: list[InputError] = []
    mapped: list[Fields] = []
    chosen = parse_columns(columns) if columns else Columns()
    found = list(read_all_bytes(data, name=name, columns=chosen, report=errors.append, mapped=mapped.append))
    return found, [str(error) for error in errors], mapped


def lines(*records: dict[str, object]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def table(**columns: object) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    sink = pyarrow.BufferOutputStream()
    write_table(pyarrow.table(columns), sink)
    return bytes(sink.getvalue())


# No text field


@pytest.mark.parametrize("field", ["storyline", "words"])
def test_a_record_with_a_title_and_no_text_field_is_an_error_that_names_its_fields(field: str) -> None:
    found, errors, mapped = read(lines({"id": 1, "headline": "Salt in wells", field: "Pumps draw groundwater."}))
    assert (found, mapped) == ([], [])
    assert errors == [
        f"a.jsonl, line 1: no text field; it has id, headline, {field}; name one with --columns text=NAME"
    ]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_table_without_a_text_column_is_one_error(name: str) -> None:
    data = b"id,headline,words\n1,Salt,Wells\n" if name == "a.csv" else table(id=[1], headline=["Salt"], words=["W"])
    with pytest.raises(InputError) as raised:
        read(data, name)
    assert str(raised.value) == (
        f"{name}: no text column; its columns are id, headline, words; name one with --columns text=NAME"
    )


def test_titles_alone_are_read_where_they_are_asked_for() -> None:
    data = lines({"id": 1, "title": "Salt in wells"})
    assert read(data)[1] == ["a.jsonl, line 1: no text field; it has id, title; name one with --columns text=NAME"]
    found, errors, mapped = read(data, columns="text=title")
    assert found == [Document("1", "Salt in wells")]
    assert errors == []
    assert [str(one) for one in mapped] == ["id ← id, text ← title"]


@pytest.mark.parametrize("text", ["", None, [], float("nan")])
def test_an_empty_text_beside_a_title_is_a_document(text: object) -> None:
    assert read(lines({"title": "Salt", "text": text}))[0] == [Document("a.jsonl:1", "", "Salt")]
    _, errors, _ = read(lines({"title": "", "text": text}))
    assert errors == ["a.jsonl, line 1: no text in it: 'text' is empty"]


@pytest.mark.parametrize("field", ["contents", "article", "Full_Text", "body_text"])
def test_what_people_call_the_text(field: str) -> None:
    assert read(lines({"headline": "Salt", field: "Wells."}))[0] == [Document("a.jsonl:1", "Wells.", "Salt")]


def test_the_whole_text_is_better_than_its_summary_and_a_number_is_no_text() -> None:
    assert read(lines({"article": "Whole.", "abstract": "Short."}))[0][0].text == "Whole."
    assert read(lines({"article": 17, "abstract": "Short."}))[0][0].text == "Short."
    assert read(lines({"article": 17}))[1] == ["a.jsonl, line 1: 'article' must be a text, got int"]


@pytest.mark.parametrize(
    ("columns", "part"), [("text=words", "text=words"), ("title=name,text=body", "title=name"), ("id=key", "id=key")]
)
def test_a_column_that_was_named_must_be_in_the_table(columns: str, part: str) -> None:
    with pytest.raises(InputError) as raised:
        read(b"id,headline,body\n1,Salt,Wells\n", "a.csv", columns)
    missing = part.partition("=")[2]
    assert str(raised.value) == f"a.csv: no column '{missing}' for --columns {part}; its columns are id, headline, body"


def test_two_columns_of_one_name_are_refused_if_they_are_read() -> None:
    with pytest.raises(InputError, match="2 columns are called 'text'; rename all but one"):
        read(b"id,text,text\n1,a,b\n", "a.csv")
    assert read(b"id,text,x,x\n1,a,b,c\n", "a.csv")[0] == [Document("1", "a")]


def test_many_fields_are_not_all_named() -> None:
    _, errors, _ = read(lines({f"f{i}": i for i in range(100)}))
    assert errors[0].endswith("f11 and 88 more; name one with --columns text=NAME")


# The mapping


@pytest.mark.parametrize(
    ("names", "columns", "line"),
    [
        ("id title text", "", "id ← id, title ← title, text ← text"),
        ("key headline abstract", "id=key", "id ← key, title ← headline, text ← abstract"),
        ("body abstract lang", "", "id ← file and line, text ← body (else abstract), language ← lang"),
        ("doi id Abstract Body", "text=abstract+body", "id ← id (else doi), text ← Abstract + Body"),
        ("a+b", "text=a+b", "id ← file and line, text ← a+b"),
    ],
)
def test_the_mapping_as_a_line(names: str, columns: str, line: str) -> None:
    chosen = parse_columns(columns) if columns else Columns()
    assert str(chosen.mapping(names.split())) == line


def test_the_mapping_is_told_once_for_each_combination_of_fields() -> None:
    records = [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}, {"body": "c"}, {"x": 1}, {"id": 3, "text": "d"}]
    _, errors, mapped = read(lines(*records))
    assert [str(one) for one in mapped] == ["id ← id, text ← text", "id ← file and line, text ← body"]
    assert len(errors) == 1
    for data, name in ((b"key,text\n1,a\n2,b\n", "a.csv"), (table(key=[1, 2], text=["a", "b"]), "a.parquet")):
        assert read(data, name, "id=key")[2] == [Columns(id="key").mapping(["key", "text"])]


def test_records_of_absurdly_many_fields() -> None:
    wide = {f"field {i}": i for i in range(5_000)} | {"text": "a"}
    assert [document.text for document in read(lines(wide, wide))[0]] == ["a", "a"]


# Ids and other values as text

VALUES = [
    ("a", "a"),
    (7, "7"),
    (2.5, "2.5"),
    (12.0, "12.0"),
    (True, "true"),
    (Decimal("1.10"), "1.10"),
    (date(2020, 1, 2), "2020-01-02"),
    (datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC), "2020-01-02T03:04:05+00:00"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (b"PMC1", "PMC1"),
    (b"\xff\x00", "ff00"),
    (["a"], "a"),
    ([7], "7"),
    (["a", "b"], '["a", "b"]'),
    ({"$oid": "5f"}, '{"$oid": "5f"}'),
    ("[a]", "[a]"),
    ("a.jsonl:1", "a.jsonl:1"),
]


@pytest.mark.parametrize(("value", "text"), VALUES)
def test_values_as_text(value: object, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize("value", [None, "", " \n", float("nan"), Decimal("NaN"), [], {}, [None]])
def test_nothing_as_text(value: object) -> None:
    assert as_text(value) == ""


@pytest.mark.parametrize("value", [2.5, 12.0, True, ["a"], [7], ["a", "b"], {"$oid": "5f"}, "[a]", 0])
def test_ids_are_kept_as_text(value: object) -> None:
    (document,), _, _ = read(lines({"id": value, "text": "a"}))
    assert document.id == as_text(value)


@pytest.mark.parametrize("value", [None, "", " ", float("nan")])
def test_a_record_without_an_id_has_its_place_and_another_id_is_looked_for(value: object) -> None:
    found, _, _ = read(lines({"id": value, "text": "a"}, {"id": value, "doi": "10.1/x", "text": "b"}))
    assert [document.id for document in found] == ["a.jsonl:1", "10.1/x"]


def test_ids_of_parquet_columns_of_any_type() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    columns = {
        "1.5": pyarrow.array([1.5]),
        "1.50": pyarrow.array([Decimal("1.50")]),
        "1970-01-02": pyarrow.array([1], pyarrow.date32()),
        "1970-01-01 00:00:00.000001": pyarrow.array([1], pyarrow.timestamp("us")),
        "1970-01-01 00:00:00.000000001": pyarrow.array([1], pyarrow.timestamp("ns")),
        "PMC1": pyarrow.array([b"PMC1"]),
        "x": pyarrow.array([["x"]]),
        "true": pyarrow.array([True]),
    }
    for expected, column in columns.items():
        (document,), errors, _ = read(table(id=column, text=["a"]), "a.parquet")
        assert document.id == expected
        assert errors == []


def test_times_that_python_cannot_hold_are_read() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    column = pyarrow.array([0, 2**62, 5], pyarrow.timestamp("us"))
    found, errors, _ = read(table(id=column, text=["a", "b", "c"]), "a.parquet")
    assert [document.text for document in found] == ["a", "b", "c"]
    assert errors == []


def test_a_damaged_group_of_rows_does_not_lose_the_others() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import ParquetFile, write_table

    texts = [f"{i} salt in wells {i * i}" for i in range(30)]
    sink = pyarrow.BufferOutputStream()
    write_table(pyarrow.table({"text": texts}), sink, row_group_size=10, use_dictionary=False, compression="gzip")
    data = bytearray(sink.getvalue())
    chunk = ParquetFile(pyarrow.BufferReader(bytes(data))).metadata.row_group(1).column(0)
    start = chunk.data_page_offset
    data[start + 30 : start + chunk.total_compressed_size] = b"\xff" * (chunk.total_compressed_size - 30)
    found, errors, _ = read(bytes(data), "a.parquet")
    assert [document.text for document in found] == texts[:10] + texts[20:]
    assert [error.partition(": ")[0] for error in errors] == ["a.parquet, rows 11 to 20"]


def test_titles_that_are_numbers_and_texts_that_are_bytes() -> None:
    assert read(lines({"title": 1984, "text": "A novel."}))[0][0].title == "1984"
    assert read(table(text=[b"Wells."]), "a.parquet")[0][0].text == "Wells."


# Failures of all


def test_early_failures_stop_when_all_have_one_reason() -> None:
    early = EarlyFailures(3)
    early.failed("a.jsonl, line 1: no text field; it has id")
    early.failed("b.jsonl, line 7: no text field; it has id")
    with pytest.raises(InputError) as raised:
        early.failed("b.jsonl, line 8: no text field; it has id")
    assert str(raised.value) == (
        "the first 3 records all failed for the same reason; the last one: b.jsonl, line 8: no text field; it has id"
    )


def test_failures_that_differ_or_come_later_do_not_stop() -> None:
    early = EarlyFailures(2)
    early.failed("a, line 1: is not JSON")
    early.failed("a, line 2: no text field")
    early.failed("a, line 3: no text field")
    early = EarlyFailures(2)
    early.read()
    for _ in range(3):
        early.failed("a, line 1: is not JSON")
