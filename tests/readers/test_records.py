"""Files of many documents: lines of JSON, CSV, Parquet; plain or compressed; with bad records among the good."""

import gzip
import json
import lzma
import sys
from pathlib import Path

import pytest

from phrasemill.errors import ConfigError, InputError, MissingExtra
from phrasemill.files import decompression, streams
from phrasemill.readers import (
    Columns,
    holds_records,
    json_records,
    parse_columns,
    read,
    read_all,
    read_all_bytes,
    read_bytes,
)
from phrasemill.readers import parquet as parquet_reader
from phrasemill.types import Document

LINES = b"""{"id": "d1", "title": "Salt", "text": "Pumps draw groundwater."}

{"id": 7, "abstract": "Salt water moves inland."}
{"text": "No id."}
"""
DOCUMENTS = [
    Document("d1", "Pumps draw groundwater.", "Salt"),
    Document("7", "Salt water moves inland."),
    Document("a.jsonl:4", "No id."),
]


def documents(
    data: bytes, name: str = "a.jsonl", columns: Columns | None = None, largest: int = streams.LARGEST
) -> tuple[list[Document], list[str]]:
    """What is read, and what is complained about."""
    errors: list[InputError] = []
    found = list(read_all_bytes(data, name=name, columns=columns or Columns(), report=errors.append, largest=largest))
    return found, [str(error) for error in errors]


def test_lines_of_json() -> None:
    assert documents(LINES) == (DOCUMENTS, [])
    assert documents(b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n"))[0] == DOCUMENTS
    assert documents(b"") == ([], [])
    assert documents(b"\n\n") == ([], [])


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_compressed_lines(compress, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "a.jsonl.packed"
    path.write_bytes(compress(LINES))
    assert [d.text for d in read_all(path)] == [d.text for d in DOCUMENTS]
    assert documents(compress(LINES), "a.jsonl.gz")[0][:2] == DOCUMENTS[:2]
    assert read_bytes(compress(b"some words"), name="a.txt.gz").text == "some words"


def test_bad_records_are_told_of_and_the_rest_goes_on() -> None:
    data = b'{"text": "good"}\n{"text": \n17\n{"id": 3}\n{"text": 5}\n\xff\n{"a": 1}\n{"text": "also good"}\n'
    found, errors = documents(data)
    assert [d.text for d in found] == ["good", "also good"]
    assert [error.partition(": ")[0] for error in errors] == [f"a.jsonl, line {n}" for n in range(2, 8)]
    assert "is not JSON: Expecting value at" in errors[0]
    assert "a record is written" in errors[1]
    assert errors[2].endswith("no text field; it has id; name one with --columns text=NAME")
    assert errors[3].endswith("'text' must be a text, got int")
    assert errors[4].endswith("is not UTF-8 (byte 1)")


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_an_empty_list_is_a_bad_line_wherever_it_stands(name: str) -> None:
    good = b'{"text": "one"}\n', b'{"text": "two"}\n'
    for place in range(3):
        lines = [*good[:place], b"[]\n", *good[place:]]
        found, errors = documents(b"".join(lines), name)
        assert [one.text for one in found] == ["one", "two"]
        assert [error.partition(": ")[0] for error in errors] == [f"{name}, line {place + 1}"]
        assert "a record is written" in errors[0]


def test_a_first_line_that_is_a_list_of_records_is_a_line_among_others() -> None:
    found, errors = documents(b'[{"text": "one"}, {"text": "two"}]\n{"text": "three"}\n[5]\n', "a.jsonl")
    assert [(one.id, one.text) for one in found] == [
        ("a.jsonl:1:1", "one"),
        ("a.jsonl:1:2", "two"),
        ("a.jsonl:2", "three"),
    ]
    assert [error.partition(": ")[0] for error in errors] == ["a.jsonl, line 3, record 1"]


def test_without_a_report_the_first_bad_record_is_raised() -> None:
    with pytest.raises(InputError, match=r"a\.jsonl, line 2: is not JSON"):
        list(read_all_bytes(b'{"text": "good"}\nbad\n', name="a.jsonl"))


@pytest.mark.parametrize(
    "value",
    [
        [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}],
        {"a": {"text": "one"}, "b": {"text": "two"}},
        [{"id": "a", "text": ["one"]}, {"id": "b", "text": "two", "title": None}],
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_that_is_not_in_lines(value: object, indent: int | None) -> None:
    found, errors = documents(json.dumps(value, indent=indent).encode(), "a.json")
    assert errors == []
    assert found == [Document("a", "one"), Document("b", "two")]


def test_json_of_one_record_over_several_lines() -> None:
    data = json.dumps({"id": "a", "text": "one"}, indent=1).encode()
    assert read_bytes(data, name="a.json") == Document("a", "one")
    with pytest.raises(InputError, match=r"a\.json, line 3: breaks off, or is not JSON: Expecting value"):
        documents(b'{\n"text": "x",\n]\n}', "a.json")


def test_json_beyond_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    found, errors = documents(b'{"a":' * 100_000 + b"\n" + b'{"text": ' + b"9" * 5_000 + b"}\n" + b'{"text": "x"}\n')
    assert [d.text for d in found] == ["x"]
    assert len(errors) == 2
    for data in (b'[{"text": "x"}, "' + b"y" * 200, b'{"text": "x", "y": 1, "z": "' + b"y" * 200):
        monkeypatch.setattr(json_records, "LONGEST", 100)
        with pytest.raises(InputError, match=r"a\.json, line 1: a record longer than 100 bytes, or not JSON"):
            documents(data, "a.json")


def test_halves_of_characters_and_nuls() -> None:
    (document,), _ = documents(rb'{"text": "a\ud800b\u0000c"}')
    assert document.text == "a?b c"


def test_a_line_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    long = b'{"text": "' + b"a" * 350 + b'"}\n'
    found, errors = documents(b'{"text": "one"}\n' + long + b'{"text": "two"}\n', largest=100)
    assert [d.text for d in found] == ["one", "two"]
    assert errors == [
        "a.jsonl, line 2: larger than 100 bytes, the largest document that is read; --largest sets another bound"
    ]
    monkeypatch.setattr(streams, "MOST_SKIPPED", 2)
    with pytest.raises(InputError, match="line 1: longer than 200 bytes; the rest of the file was not read"):
        documents(long, largest=100)


def test_compressed_files_that_are_damaged_or_bombs(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(LINES)
    with pytest.raises(InputError, match=r"a\.jsonl\.gz: gzip data breaks off"):
        documents(packed[:-12], "a.jsonl.gz")
    with pytest.raises(InputError, match="damaged gzip data"):
        documents(packed[:30] + b"\xff" * 20 + packed[50:], "a.jsonl.gz")
    with pytest.raises(InputError, match="damaged xz data"):
        documents(lzma.compress(LINES)[:20] + b"\xff" * 60, "a.jsonl.xz")
    monkeypatch.setattr(decompression, "DECOMPRESSED_FREELY", 1_000)
    for compress in (gzip.compress, lzma.compress):
        with pytest.raises(InputError, match="it looks like a bomb"):
            documents(compress(b"\n" * 10_000_000), "a.jsonl")


def test_fields_by_other_names() -> None:
    data = b'{"Key": "k", "Name": "Salt", "Abstract": "One.", "Body": "Two."}'
    found, _ = documents(data, columns=parse_columns("text=abstract+body, title=name, id=key"))
    assert found == [Document("k", "One.\nTwo.", "Salt")]
    assert documents(data)[0] == [Document("a.jsonl:1", "Two.")]
    _, errors = documents(data, columns=Columns(text="words"))
    assert errors == [
        "a.jsonl, line 1: no field 'words'; it has Key, Name, Abstract, Body; name one with --columns text=NAME"
    ]


def test_fields_that_are_kept() -> None:
    found, errors = documents(b'{"text": "a", "Year": 1990}\n{"text": "b"}\n', columns=Columns(keep=("year",)))
    assert [d.metadata for d in found] == [{"year": 1990}, {}]
    assert errors == []
    data = table(text=["a"], year=[1990], other=["x"])
    assert documents(data, "a.parquet", Columns(keep=("year",)))[0][0].metadata == {"year": 1990}


@pytest.mark.parametrize("text", ["", "text", "text=", "words=text", "text=a,text=b", "=a"])
def test_columns_that_make_no_sense(text: str) -> None:
    with pytest.raises(ConfigError, match="columns"):
        parse_columns(text)


def test_the_language_of_a_record() -> None:
    data = b'{"text": "a", "language": "fr-FR"}\n{"text": "b", "lang": "english"}\n{"text": "c", "lang": null}\n'
    assert [d.language for d in documents(data)[0]] == ["fr", "en", ""]


@pytest.mark.parametrize("language", ["klingon", "Icelandic", "is", "und", "unknown", 7])
def test_a_language_of_a_record_that_cannot_be_used_is_not_taken_for_english(language: object) -> None:
    found, errors = documents(json.dumps({"text": "a", "language": language}).encode())
    assert [d.language for d in found] == ["und"]
    assert errors == []


# CSV


@pytest.mark.parametrize(("delimiter", "name"), [(",", "a.csv"), (";", "a.csv"), ("\t", "a.tsv")])
def test_tables(delimiter: str, name: str) -> None:
    rows = ["id,Title,Text", '1,Salt,"Pumps\nand ""wells"""', "", "2,,Water"]
    data = "\n".join(row.replace(",", delimiter) for row in rows).encode()
    assert documents(data, name) == ([Document("1", 'Pumps\nand "wells"', "Salt"), Document("2", "Water")], [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_tables_in_other_encodings(encoding: str) -> None:
    data = "id,text\r\n1,été\r\n2,Zoë\r\n".encode(encoding)
    assert documents(data, "a.csv")[0] == [Document("1", "été"), Document("2", "Zoë")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_line_ends(end: str, encoding: str) -> None:
    data = end.join(["id,text", "1,a\u2028b", '2,"c', 'd"', ""]).encode(encoding)
    assert documents(data, "a.csv")[0] == [Document("1", "a\u2028b"), Document("2", "c\nd")]


def test_bad_rows_are_told_of() -> None:
    found, errors = documents(b"id,text\n1,one\n2\n3,three,more\n4,four\n", "a.csv")
    assert [d.id for d in found] == ["1", "4"]
    assert errors == [
        "a.csv, line 3: 1 cell, but there are 2 columns",
        "a.csv, line 4: 3 cells, but there are 2 columns",
    ]
    with pytest.raises(InputError, match=r"a\.csv: no text column; its columns are alpha, beta; name one"):
        documents(b"alpha,beta\n1,2\n", "a.csv")
    assert documents(b"", "a.csv") == ([], [])


# Parquet


def table(**columns: list[object]) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    sink = pyarrow.BufferOutputStream()
    write_table(pyarrow.table(columns), sink)
    return bytes(sink.getvalue())


def test_parquet(tmp_path: Path) -> None:
    data = table(id=[1, 2, 3], abstract=["one", None, "three"], title=["a", None, None], other=[1.5, 2.5, 3.5])
    path = tmp_path / "a.parquet"
    path.write_bytes(data)
    errors: list[InputError] = []
    found = list(read_all(path, report=errors.append))
    assert found == [Document("1", "one", "a"), Document("3", "three")]
    assert [str(error) for error in errors] == [f"{path}, row 2: no text in it: 'abstract' is empty"]
    assert [d.id for d in documents(data, "unnamed")[0]] == ["1", "3"]


def test_parquet_that_is_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    data = table(id=["a"], text=["some words"])
    with pytest.raises(InputError, match=r"a\.parquet: damaged Parquet file"):
        documents(data[:60], "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: damaged Parquet file"):
        documents(b"words", "a.parquet")
    with pytest.raises(InputError, match="no text column; its columns are x; name one"):
        documents(table(x=[1]), "a.parquet")
    monkeypatch.setattr(parquet_reader, "LARGEST_GROUP", 1)
    with pytest.raises(InputError, match="row group 1 decompresses to 0 GiB; more than 0 GiB are not read"):
        documents(data, "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'phrasemill\[parquet\]'"):
        documents(data, "a.parquet")


# All of them


def test_read_takes_a_file_of_one_record(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "only", "text": "one"}\n')
    assert read(path) == Document("only", "one")
    path.write_bytes(LINES)
    with pytest.raises(InputError, match="holds several documents; read_all gives them all"):
        read(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="no document in it"):
        read(path)


def test_read_all_takes_any_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"some words")
    assert list(read_all(path)) == [Document(str(path), "some words")]


def test_the_content_tells_lines_of_json() -> None:
    assert holds_records("-", data=LINES)
    assert holds_records("unnamed", data=gzip.compress(LINES))
    assert holds_records("-", data=b'{"text": "' + b"a" * 200_000)
    for data in (b"", b"{a set}", b"{", b'["a"]', b"words", b'{"a"}', b"\x1f\x8bnot gzip", b"{\n  padded: css }"):
        assert not holds_records("-", data=data)
    assert not holds_records("a.txt", data=LINES)
    assert holds_records("a.txt", data=LINES, format="jsonl")
    assert not holds_records("missing.jsonl")


def test_standard_input_is_called_by_its_name() -> None:
    found, errors = documents(b'{"text": "one"}\nbad\n', "-")
    assert [d.id for d in found] == ["-:1"]
    assert errors == ["standard input, line 2: is not JSON: Expecting value at column 1"]
    with pytest.raises(InputError, match="standard input: damaged PDF"):
        documents(b"%PDF-1.4", "-")
