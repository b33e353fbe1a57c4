"""Which fields of records are read as what, and what becomes of values of any type."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import pytest

from phrasemill.errors import ConfigError, InputError
from phrasemill.readers import Columns, Fields, parse_columns, read_all_bytes
from phrasemill.readers.failures import EarlyFailures
from phrasemill.readers.values import as_text
from phrasemill.types import Document

HOW = "name one with --columns text=NAME"


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


@pytest.mark.parametrize(
    ("record", "columns", "document"),
    [
        ({"headline": "Salt", "contents": "Wells."}, "", Document("a.jsonl:1", "Wells.", "Salt")),
        ({"Full_Text": "Wells."}, "", Document("a.jsonl:1", "Wells.")),
        ({"article": "Whole.", "abstract": "Short."}, "", Document("a.jsonl:1", "Whole.")),
        ({"article": 17, "abstract": "Short."}, "", Document("a.jsonl:1", "Short.")),
        ({"article": "", "abstract": "Short."}, "", Document("a.jsonl:1", "Short.")),
        ({"title": "Salt", "text": None}, "", Document("a.jsonl:1", "", "Salt")),
        ({"title": 1984, "text": ["A", "novel."]}, "", Document("a.jsonl:1", "A\nnovel.", "1984")),
        ({"id": 1, "title": "Salt in wells"}, "text=title", Document("1", "Salt in wells")),
        (
            {"Key": "k", "Name": "Salt", "Abstract": "One.", "Body": "Two."},
            "text=abstract+body, title=name, id=key",
            Document("k", "One.\nTwo.", "Salt"),
        ),
        ({"a, b": "Wells."}, "text=a, b", Document("a.jsonl:1", "Wells.")),
        ({"text": "a", "language": "fr-FR"}, "", Document("a.jsonl:1", "a", language="fr")),
        ({"text": "a", "lang": "english"}, "", Document("a.jsonl:1", "a", language="en")),
        ({"text": "a", "lang": None}, "", Document("a.jsonl:1", "a")),
        *(
            ({"text": "a", "lang": lang}, "", Document("a.jsonl:1", "a", language="und"))
            for lang in ("klingon", "is", 7)
        ),
        ({f"field {i}": i for i in range(5_000)} | {"text": "a"}, "", Document("a.jsonl:1", "a")),
    ],
)
def test_what_is_read_of_a_record(record: dict[str, object], columns: str, document: Document) -> None:
    found, errors, _ = read(lines(record), columns=columns)
    assert (found, errors) == ([document], [])


@pytest.mark.parametrize(
    ("record", "columns", "error"),
    [
        ({"id": 1, "headline": "Salt", "words": "Pumps."}, "", f"no text field; it has id, headline, words; {HOW}"),
        ({"title": "Salt in wells"}, "", f"no text field; it has title; {HOW}"),
        ({"text": "a"}, "text=words", f"no field 'words'; it has text; {HOW}"),
        ({"title": "", "text": float("nan")}, "", "no text in it: 'text' is empty"),
        ({"article": 17}, "", "'article' must be a text, got int"),
        ({f"f{i}": i for i in range(100)}, "", None),
    ],
)
def test_what_is_wrong_with_a_record(record: dict[str, object], columns: str, error: str | None) -> None:
    found, errors, mapped = read(lines(record), columns=columns)
    assert (found, mapped) == ([], [])
    assert errors[0] == f"a.jsonl, line 1: {error}" if error else errors[0].endswith(f"f11 and 88 more; {HOW}")


@pytest.mark.parametrize(
    ("data", "columns", "error"),
    [
        (b"id,headline,words\n1,Salt,Wells\n", "", f"no text column; its columns are id, headline, words; {HOW}"),
        (b"id,body\n1,W\n", "text=words", "no column 'words' for --columns text=words; its columns are id, body"),
        (b"id,body\n1,W\n", "title=name", "no column 'name' for --columns title=name; its columns are id, body"),
        (b"id,text,text\n1,a,b\n", "", "2 columns are called 'text'; rename all but one"),
    ],
)
def test_a_table_without_its_columns_is_one_error(data: bytes, columns: str, error: str) -> None:
    with pytest.raises(InputError) as raised:
        read(data, "a.csv", columns)
    assert str(raised.value) == f"a.csv: {error}"
    assert read(b"id,text,x,x\n1,a,b,c\n", "a.csv")[0] == [Document("1", "a")]


def test_fields_that_are_kept() -> None:
    columns = Columns(keep=("year",))
    found = list(read_all_bytes(b'{"text": "a", "Year": 1990}\n{"text": "b"}\n', name="a.jsonl", columns=columns))
    assert [one.metadata for one in found] == [{"year": 1990}, {}]
    data = table(text=["a"], year=[1990], other=["x"])
    assert [one.metadata for one in read_all_bytes(data, name="a.parquet", columns=columns)] == [{"year": 1990}]


@pytest.mark.parametrize("text", ["", "text", "text=", "words=text", "text=a,text=b", "=a"])
def test_columns_that_make_no_sense(text: str) -> None:
    with pytest.raises(ConfigError, match="columns"):
        parse_columns(text)


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


VALUES: list[tuple[object, str]] = [
    *[("a", "a"), (7, "7"), (2.5, "2.5"), (12.0, "12.0"), (True, "true"), (0, "0"), (Decimal("1.10"), "1.10")],
    *[(["a"], "a"), ([7], "7"), (["a", "b"], '["a", "b"]'), ({"$oid": "5f"}, '{"$oid": "5f"}'), ("[a]", "[a]")],
    *[(b"PMC1", "PMC1"), (b"\xff\x00", "ff00"), (date(2020, 1, 2), "2020-01-02")],
    (datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC), "2020-01-02T03:04:05+00:00"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    *[(value, "") for value in (None, "", " \n", float("nan"), Decimal("NaN"), [], {}, [None])],
]


@pytest.mark.parametrize(("value", "text"), VALUES)
def test_values_and_ids_as_text(value: object, text: str) -> None:
    assert as_text(value) == text
    if isinstance(value, str | int | float | list | dict | None):
        found, _, _ = read(lines({"id": value, "text": "a"}, {"id": value, "doi": "10.1/x", "text": "b"}))
        assert [one.id for one in found] == ([text, text] if text else ["a.jsonl:1", "10.1/x"])


TYPES: dict[str, Callable[..., object]] = {
    "1.50": lambda pa: pa.array([Decimal("1.50")]),
    "1970-01-02": lambda pa: pa.array([1], pa.date32()),
    "1970-01-01 00:00:00.000001": lambda pa: pa.array([1], pa.timestamp("us")),
    "1970-01-01 00:00:00.000000001": lambda pa: pa.array([1], pa.timestamp("ns")),
    "<value out of range: 4611686018427387904>": lambda pa: pa.array(
        [2**62], pa.timestamp("us")
    ),  # which Python cannot hold
    "PMC1": lambda pa: pa.array([b"PMC1"]),
    "x": lambda pa: pa.array([["x"]]),
    "true": lambda pa: pa.array([True]),
}


@pytest.mark.parametrize("expected", TYPES)
def test_ids_of_parquet_columns_of_any_type(expected: str) -> None:
    column = TYPES[expected](pytest.importorskip("pyarrow"))
    (document,), errors, _ = read(table(id=column, text=[b"Wells."]), "a.parquet")
    assert (document.id, document.text, errors) == (expected, "Wells.", [])


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


def test_early_failures_stop_when_all_have_one_reason() -> None:
    early = EarlyFailures(3)
    early.failed("a.jsonl, line 1: no text field; it has id")
    early.failed("b.jsonl, line 7: no text field; it has id")
    with pytest.raises(InputError) as raised:
        early.failed("b.jsonl, line 8: no text field; it has id")
    assert str(raised.value) == (
        "the first 3 records all failed for the same reason; the last one: b.jsonl, line 8: no text field; it has id"
    )
    others, later = EarlyFailures(2), EarlyFailures(2)
    for reason in ("is not JSON", "no text field", "no text field"):
        others.failed(f"a, line 1: {reason}")
    later.read()
    for _ in range(3):
        later.failed("a, line 1: is not JSON")
