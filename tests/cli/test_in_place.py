"""`extract --add` and `--write`: keyphrases in people's own tables and notes, which stay what they were otherwise."""

import csv
import io
import json
from pathlib import Path

import pytest

from cli_process import Command

TABLE = (
    "\ufeffticket_id;message;n\r\n"
    '1;"Salt water moves inland; wells fail.";007\r\n'
    "\r\n"
    '2;"Pumps draw ""groundwater"" from\nthe aquifer.";1.50\r\n'
)
NOTE = "---\ntitle: A  # keep\ntags: [water]\n---\n\n# Wells\n\nSalt water moves inland when pumps fail.\n"
ADD = ("--columns", "text=message", "--add", "keyphrases", "-m", "firstphrases")


def test_a_table_comes_back_with_one_more_column(at: Command, folder: Path) -> None:
    (folder / "t.csv").write_text(TABLE, encoding="utf-8", newline="")
    assert at("extract", "t.csv", *ADD, "-o", "out.csv") == (0, "", "")
    written = (folder / "out.csv").read_bytes().decode()
    rows = list(csv.reader(io.StringIO(written, newline=""), delimiter=";"))
    assert [row[:3] for row in rows] == list(csv.reader(io.StringIO(TABLE, newline=""), delimiter=";"))
    assert [row[3:] for row in rows] == [["keyphrases"], ["Salt water; wells"], [], ["Pumps; groundwater; aquifer"]]
    without = written.replace(';"Salt water; wells"', "").replace(';"Pumps; groundwater; aquifer"', "")
    assert without.replace(";keyphrases", "") == TABLE, "to the last quote, zero and line end"


def test_rows_without_a_text_stay_and_are_named(at: Command, folder: Path) -> None:
    (folder / "t.csv").write_text('id,message\n1,\n2,a,b\n3,"Salt, water"', encoding="utf-8")
    code, out, err = at("extract", "t.csv", *ADD)
    assert (code, out) == (1, 'id,message,keyphrases\n1,,\n2,a,b\n3,"Salt, water",Salt; water')
    assert err.splitlines() == [
        "phrasemill: t.csv, line 2: no text in it: 'message' is empty",
        "phrasemill: t.csv, line 3: 3 cells, but there are 2 columns",
    ]


def test_the_first_column_has_its_name_without_the_mark_of_the_encoding(at: Command, folder: Path) -> None:
    (folder / "t.csv").write_bytes(b"\xef\xbb\xbfmessage,n\nSalt water.,1\n")
    assert at("extract", "t.csv", *ADD)[1] == "\ufeffmessage,n,keyphrases\nSalt water.,1,Salt water\n"


def test_a_cell_is_no_formula(at: Command, folder: Path) -> None:
    (folder / "t.csv").write_text("id,message\n1,Salt.\n", encoding="utf-8")
    (folder / "list.csv").write_text("id,label,synonyms\nx,=1+1,salt\n", encoding="utf-8")
    assert at("extract", "t.csv", *ADD, "--vocabulary", "list.csv")[1] == "id,message,keyphrases\n1,Salt.,'=1+1\n"


def test_empty_lines_and_empty_records_stay_what_they_are(at: Command, folder: Path) -> None:
    (folder / "t.csv").write_text("\nid,message\n1,Pumps.\n", encoding="utf-8")
    assert at("extract", "t.csv", *ADD)[1] == "\nid,message,keyphrases\n1,Pumps.,Pumps\n"
    (folder / "t.jsonl").write_text('{}\n{"text": "Pumps."}\n', encoding="utf-8")
    assert at("extract", "t.jsonl", "--add", "k", "-m", "firstphrases")[:2] == (
        1,
        '{"k": []}\n{"text": "Pumps.", "k": ["Pumps"]}\n',
    )


def test_lines_of_json_get_a_field(at: Command, folder: Path) -> None:
    lines = '{"id": 1, "text": "Salt water moves inland.", "x": 1.50}\n\n{"text":"Pumps fail."  }'
    (folder / "t.jsonl").write_text(lines, encoding="utf-8")
    assert at("extract", "t.jsonl", "--add", "found", "-m", "firstphrases") == (
        0,
        '{"id": 1, "text": "Salt water moves inland.", "x": 1.50, "found": ["Salt water"]}\n\n'
        '{"text":"Pumps fail.", "found": ["Pumps"]}',
        "",
    )


def test_a_parquet_table_gets_a_column_of_lists(at: Command, folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    import pyarrow

    table = pyarrow.table({"n": pyarrow.array([7, 8], "int8"), "message": ["Salt water moves inland.", "Pumps fail."]})
    parquet.write_table(table, folder / "t.parquet")
    assert at("extract", "t.parquet", *ADD, "-o", "out.parquet") == (0, "", "")
    found = parquet.read_table(folder / "out.parquet")
    assert found.drop(["keyphrases"]).equals(table)
    assert found["keyphrases"].to_pylist() == [["Salt water"], ["Pumps"]]
    assert "needs --output FILE" in at("extract", "t.parquet", *ADD)[2]


def test_notes_get_tags_after_a_diff_and_undo_restores_them(at: Command, folder: Path) -> None:
    (folder / "shelf").mkdir()
    (folder / "shelf/a.md").write_text(NOTE, encoding="utf-8")
    (folder / "shelf/b.md").write_bytes(b"Pumps fail.\r\n")
    (folder / "shelf/c.txt").write_text("Pumps fail.", encoding="utf-8")
    code, out, err = at("extract", "shelf", "--write", "-m", "firstphrases", "-n", "2")
    assert (code, err) == (
        1,
        "phrasemill: shelf/c.txt: only Markdown files have a place for tags, so it is left alone\n",
    )
    assert "-tags: [water]\n+tags: [water, Wells, Salt water]\n" in out
    assert f"tags written to 2 files of 2; phrasemill tags undo {folder}/shelf restores them\n" in out
    assert (folder / "shelf/a.md").read_text() == NOTE.replace("[water]", "[water, Wells, Salt water]")
    assert (folder / "shelf/b.md").read_bytes() == b"---\r\ntags: [Pumps]\r\n---\r\n\r\nPumps fail.\r\n"
    assert (folder / "shelf/c.txt").read_text() == "Pumps fail."
    again = at("extract", "shelf/a.md", "--write", "-m", "firstphrases", "-n", "2")
    assert again == (0, "tags written to 0 files of 1\n", "")
    assert at("tags", "undo", "shelf")[0] == 0
    assert (folder / "shelf/a.md").read_text() == NOTE
    assert (folder / "shelf/b.md").read_bytes() == b"Pumps fail.\r\n"


def test_a_note_that_cannot_be_read_is_left(at: Command, folder: Path) -> None:
    (folder / "bad.md").write_bytes(b"---\ntags: [a\n---\nPumps fail.\n")
    (folder / "good.md").write_text("Pumps fail.\n")
    code, out, err = at("extract", "bad.md", "good.md", "none.md", "--write", "-m", "firstphrases")
    assert code == 1 and "tags written to 1 file of 2" in out
    assert "bad.md, line" in err and "none.md: no such file" in err
    assert (folder / "bad.md").read_bytes() == b"---\ntags: [a\n---\nPumps fail.\n"


def test_standard_input_is_a_table_too(at: Command, folder: Path) -> None:
    from cli_process import phrasemill

    done = phrasemill("extract", "-", "--add", "k", "-m", "firstphrases", stdin=b'{"text": "Salt water."}\n')
    assert json.loads(done.stdout) == {"text": "Salt water.", "k": ["Salt water"]}
