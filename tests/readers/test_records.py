"""Files of many documents: lines of JSON, JSON at once, tables, Parquet. What is lost is reported, by its lines."""

import csv
import gzip
import json
import lzma
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phrasemill.errors import InputError, MissingExtra
from phrasemill.files import streams
from phrasemill.readers import holds_records, json_records, read, read_all, read_all_bytes, read_bytes
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


def documents(data: bytes, name: str = "a.jsonl", largest: int = streams.LARGEST) -> tuple[list[Document], list[str]]:
    """What is read, and what is complained about."""
    errors: list[InputError] = []
    found = list(read_all_bytes(data, name=name, report=errors.append, largest=largest))
    return found, [str(error) for error in errors]


def ids(data: str, name: str = "a.csv", largest: int = streams.LARGEST) -> tuple[list[str], list[str]]:
    found, errors = documents(data.encode(), name, largest)
    return [document.id for document in found], [error.removeprefix("a.csv, ") for error in errors]


# Lines of JSON


def test_lines_of_json() -> None:
    assert documents(LINES) == (DOCUMENTS, [])
    assert documents(b"\xef\xbb\xbf" + LINES.replace(b"\n", b"\r\n"))[0] == DOCUMENTS
    assert documents(b"") == documents(b"\n\n") == ([], [])


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_compressed_lines(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
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
    with pytest.raises(InputError, match=r"a\.jsonl, line 2: is not JSON"):
        list(read_all_bytes(data, name="a.jsonl"))


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_an_empty_list_is_a_bad_line_wherever_it_stands(name: str) -> None:
    good = b'{"text": "one"}\n', b'{"text": "two"}\n'
    for place in range(3):
        found, errors = documents(b"".join([*good[:place], b"[]\n", *good[place:]]), name)
        assert [one.text for one in found] == ["one", "two"]
        assert [error.partition(": ")[0] for error in errors] == [f"{name}, line {place + 1}"]


def test_a_line_that_is_a_list_of_records() -> None:
    found, errors = documents(b'[{"text": "one"}, {"text": "two"}]\n{"text": "three"}\n[5]\n', "a.jsonl")
    assert [(one.id, one.text) for one in found] == [
        ("a.jsonl:1:1", "one"),
        ("a.jsonl:1:2", "two"),
        ("a.jsonl:2", "three"),
    ]
    assert [error.partition(": ")[0] for error in errors] == ["a.jsonl, line 3, record 1"]


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


# JSON at once


@pytest.mark.parametrize(
    "value",
    [
        [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}],
        {"a": {"text": "one"}, "b": {"text": "two"}},
        [{"id": "a", "text": ["one"]}, {"id": "b", "text": "two", "title": None}],
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("pad", [0, 1_000])
def test_json_that_is_not_in_lines(value: object, indent: int | None, pad: int) -> None:
    found, errors = documents(b" " * pad + json.dumps(value, indent=indent).encode(), "a.json")
    assert errors == []
    assert found == [Document("a", "one"), Document("b", "two")]


def test_json_of_one_record() -> None:
    data = json.dumps({"id": "a", "text": "one" * 50_000})
    assert read_bytes(data.encode(), name="a.json").id == "a"
    assert read_bytes(data.replace(", ", ",\n").encode(), name="a.json").id == "a"
    assert documents(data.encode() + b"\n" + data.encode(), "-")[0][1].id == "a"


def test_records_under_their_ids_are_bounded_one_by_one() -> None:
    value = {key: {"text": "salt " * 100} for key in "abc"}
    assert [one.id for one in documents(json.dumps(value).encode(), "a.json", largest=600)[0]] == ["a", "b", "c"]


def test_an_id_that_stands_twice_is_not_lost() -> None:
    assert [one.text for one in documents(b'{\n"a": {"text": "one"}, "a": {"text": "two"}}', "a.json")[0]] == [
        "one",
        "two",
    ]


def test_bad_records_of_a_list_are_told_of() -> None:
    found, errors = documents(b'[{"text": "one"},\n {"id": 1},\n {"text": "three"}, 7]', "a.json")
    assert [(one.id, one.text) for one in found] == [("a.json:1:1", "one"), ("a.json:1:3", "three")]
    assert [error.partition(": ")[0] for error in errors] == ["a.json, record 2", "a.json, record 4"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'[{"text": "x"}, {"text": ', "line 1: is not JSON: Expecting value at column 26"),
        (b'[{"text": "x"}\n {"text": "y"}]', "line 2: is not JSON: Expecting ',' delimiter at column 2"),
        (b'[{"text": "x"},\n{"text": "y"}]\n{"text": "z"}', "line 3: is not JSON: Extra data at column 1"),
        (b'{\n"text": "x",\n]\n}', "line 3: is not JSON: Expecting property name enclosed in double quotes"),
        (b'[{"text": "x"},\n{"text": "\xff"}]', "line 2: is not UTF-8"),
        (b"[" * 200_000, "line 1: is JSON beyond reason"),
        (b'{"a":\n' * 200_000, "line 1: is JSON beyond reason"),
    ],
)
def test_broken_json_is_one_error_that_says_that_nothing_was_read(data: bytes, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        documents(data, "a.json")
    assert str(caught.value).startswith(f"a.json, {reason}")
    assert str(caught.value).endswith("; nothing of the file was read")


def test_json_that_is_too_large_says_how_to_convert_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_records, "LARGEST_FILE", 100)
    with pytest.raises(InputError, match=r"a\.json: larger than 100 bytes, .* jq -c '\.\[\]' FILE > FILE\.jsonl"):
        documents(b'[{"text": "x"}, "' + b"y" * 200, "a.json")


def test_lines_of_json_beyond_reason() -> None:
    found, errors = documents(b'{"a":' * 100_000 + b"\n" + b'{"text": ' + b"9" * 5_000 + b"}\n" + b'{"text": "x"}\n')
    assert [d.text for d in found] == ["x"]
    assert len(errors) == 2


# Tables


@pytest.mark.parametrize(("delimiter", "name"), [(",", "a.csv"), (";", "a.csv"), ("\t", "a.tsv")])
def test_tables(delimiter: str, name: str) -> None:
    rows = ["", "id,Title,Text", '1,Salt,"Pumps\nand ""wells"""', "", "2,,Water"]
    data = "\n".join(row.replace(",", delimiter) for row in rows).encode()
    assert documents(data, name) == ([Document("1", 'Pumps\nand "wells"', "Salt"), Document("2", "Water")], [])
    assert documents(b"", name) == ([], [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_tables_in_other_encodings(encoding: str) -> None:
    data = ("id,text\r\n" + "0,plain\r\n" * 20_000 + "1,été\r\n2,Zoë\r\n").encode(encoding)
    assert documents(data, "a.csv")[0][-2:] == [Document("1", "été"), Document("2", "Zoë")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_line_ends(end: str, encoding: str) -> None:
    data = end.join(["id,text", "1,a\u2028b", '2,"c', 'd"', ""]).encode(encoding)
    assert documents(data, "a.csv")[0] == [Document("1", "a\u2028b"), Document("2", "c\nd")]


def test_bad_rows_are_told_of() -> None:
    found, errors = ids("id,text\n1,one\n2\n3,three,more\n4,four\n")
    assert found == ["1", "4"]
    assert errors == ["line 3: 1 cell, but there are 2 columns", "line 4: 3 cells, but there are 2 columns"]
    with pytest.raises(InputError, match=r"a\.csv: no text column; its columns are alpha, beta; name one"):
        ids("alpha,beta\n1,2\n")
    with pytest.raises(InputError, match=r"a\.csv: looks like binary data, not text"):
        ids("\0" * 100)


CELLS = st.text(alphabet='ab ,;"\n', max_size=12)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=12), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_whatever_a_program_writes_is_read_as_it_was(cells: list[tuple[str, str]], quoting: int) -> None:
    buffer = StringIO()
    writer = csv.writer(buffer, quoting=quoting, lineterminator="\n")
    writer.writerow(("id", "title", "text"))
    writer.writerows((i, title, f"x{text}") for i, (title, text) in enumerate(cells))
    found, errors = documents(buffer.getvalue().encode(), "a.csv")
    expected = [(str(i), title if title.strip() else "", f"x{text}") for i, (title, text) in enumerate(cells)]
    assert [(one.id, one.title, one.text) for one in found] == [
        (id_, "" if text.startswith(f"{title}\n") else title, text) for id_, title, text in expected
    ]
    assert errors == []


def test_quotes_within_quotes_are_read_as_most_programs_do() -> None:
    found, errors = documents(b'id,text\n1,"a "quoted" word"\n2,a "quoted" word\n3,"space" after\n', "a.csv")
    assert [document.text for document in found] == ['a quoted" word"', 'a "quoted" word', "space after"]
    assert errors == []


def rows(first: int, last: int, text: str = "salt in wells") -> str:
    return "".join(f"{i},{text}\n" for i in range(first, last + 1))


def numbers(*spans: tuple[int, int]) -> list[str]:
    return [str(i) for first, last in spans for i in range(first, last + 1)]


@pytest.mark.parametrize(
    ("table", "read", "lost"),
    [
        # To the end of the file.
        (
            "id,text\n" + rows(1, 9) + '10,"open\n' + rows(11, 58),
            [(1, 9)],
            ["lines 11 to 59: the quote that opens here"],
        ),
        # To the next quote.
        (
            "id,text\n" + rows(1, 9) + '10,"open\n' + rows(11, 20) + rows(21, 29, '"quoted, and sound"'),
            [(1, 9), (22, 29)],
            ["lines 11 to 22: ',' expected after '\"'"],
        ),
        (
            '"id","text"\n"1","salt"\n"2","open\n"3","salt"\n"4","salt"\n',
            [(1, 1), (4, 4)],
            ["lines 3 to 4: ',' expected"],
        ),
        ("id,title,text\n" + rows(1, 3, "a,b") + '4,"open,b\n5,c,"d"\n', [(1, 3)], ["lines 5 to 6: ',' expected"]),
        ('id,text\n1,one\n2,"open\n3,three\n4,",x\n5,five\n', [(1, 1), (5, 5)], ["lines 3 to 5: 3 cells"]),
        ('id,text\n1,"first line\nsecond "line" of it\n2,two\n', [(2, 2)], ["lines 2 to 3: ',' expected"]),
    ],
)
def test_an_open_quote_is_an_error_that_names_the_lines_that_are_lost(
    table: str, read: list[tuple[int, int]], lost: list[str]
) -> None:
    found, errors = ids(table)
    assert found == numbers(*read)
    assert len(errors) == len(lost)
    assert all(error.startswith(start) for error, start in zip(errors, lost, strict=True)), errors


def test_a_row_is_bounded() -> None:
    found, errors = ids('id,text\n1,"open\n' + rows(2, 200), largest=500)
    assert errors[0].startswith("lines 2 to 32: larger than 500 bytes, the largest document that is read")
    assert found == numbers((32, 200))
    found, errors = ids("id,text\n1,one\n2," + "a" * 200 + "\n3,three\n", largest=100)
    assert found == ["1", "3"]
    assert errors[0].startswith("line 3: larger than 100 bytes")
    found, errors = ids('id,text\n1,one\n2,"open\n' + "a" * 200 + '"\n3,three\n', largest=100)
    assert found == ["1", "3"]
    assert errors[0].startswith("lines 3 to 4: larger than 100 bytes")


def test_a_header_of_two_lines() -> None:
    assert documents(b'id,"text\nof it",body\n1,x,one\n', "a.csv") == ([Document("1", "one")], [])
    with pytest.raises(InputError, match=r"a\.csv, lines 1 to 2: the quote that opens here is never closed"):
        ids('id,"text\n1,one\n')


# Damage


RECORDS = 3_000
DAMAGED = {
    "a.jsonl": b"".join(b'{"id": "d%d", "text": "Well %d of %d."}\n' % (i, i, i * i) for i in range(RECORDS)),
    "a.csv": b"id,text\n" + b"".join(b"d%d,Well %d of %d.\n" % (i, i, i * i) for i in range(RECORDS)),
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_records_before_the_damage_are_read_and_counted(name: str, compress: Callable[[bytes], bytes]) -> None:
    whole = compress(DAMAGED[name])
    for data, why in (
        (whole + b"trailing bytes", f"from byte {len(whole):,} on it is not"),
        (whole[: len(whole) * 3 // 4], "data breaks off"),
    ):
        found: list[str] = []
        with pytest.raises(InputError) as caught:
            found.extend(document.id for document in read_all_bytes(data, name=name))
        assert why in str(caught.value)
    found = []
    reading = read_all_bytes(whole + b"more", name=name)
    found = [next(reading).id for _ in range(RECORDS)]
    assert found == [f"d{i}" for i in range(RECORDS)]
    with pytest.raises(InputError, match="3,000 documents before that were read"):
        next(reading)


def test_a_last_line_that_is_cut_off_is_no_record() -> None:
    """Without its end the line would be a sound record of another text."""
    whole = gzip.compress(b"id,text\n1,one\n2,two and a half\n", compresslevel=0)
    reading = read_all_bytes(whole[: whole.index(b" and")], name="a.csv")
    assert next(reading).id == "1"
    with pytest.raises(InputError, match="; 1 document before that was read"):
        next(reading)


def test_a_document_that_is_damaged_is_refused() -> None:
    whole = gzip.compress(b"Salt in wells. " * 100)
    for data in (whole[:-20], whole + b"more"):
        with pytest.raises(InputError, match=r"a\.txt: (gzip data breaks off|from byte)"):
            read_bytes(data, name="a.txt")


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
    assert [d.id for d in documents(gzip.compress(data), "a.parquet.gz")[0]] == ["1", "3"]


def test_parquet_that_is_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    data = table(id=["a"], text=["some words"])
    for damaged in (data[:60], b"words"):
        with pytest.raises(InputError, match=r"a\.parquet: damaged Parquet file"):
            documents(damaged, "a.parquet")
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
