"""`phrasemill extract` over files of many documents, and over files of each format."""

import json
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import made_files
from phrasemill.cli import run

Command = Callable[..., tuple[int, str, list[str]]]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, list[str]]:
        code = run(["extract", *arguments, "--method", "firstphrases"])
        shown = capsys.readouterr()
        return code, shown.out, shown.err.splitlines()

    return call


def test_bad_records_do_not_stop_the_rest(command: Command) -> None:
    Path("a.jsonl").write_bytes(b'{"id": "x", "text": "Salt water."}\nbad\n{"id": "y", "body": "Old pumps."}\n')
    code, out, errors = command("a.jsonl", "--format", "jsonl")
    assert code == 1
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["x", "y"]
    assert errors == ["phrasemill: a.jsonl, line 2: is not JSON: Expecting value at column 1"]


def test_a_file_of_records_is_a_list_even_of_one(command: Command) -> None:
    Path("a.jsonl").write_bytes(b'{"id": "x", "text": "Salt water."}\n')
    assert [one["id"] for one in json.loads(command("a.jsonl", "-f", "json")[1])] == ["x"]
    Path("a.jsonl").write_bytes(b"")
    assert command("a.jsonl", "-f", "json") == (0, "[]\n", [])


def test_many_complaints_are_counted(command: Command) -> None:
    Path("a.jsonl").write_bytes(b'{"text": "Salt water."}\n' + b"bad\n" * 1_025)
    code, _, errors = command("a.jsonl")
    assert code == 1
    assert len(errors) == 21
    assert errors[-1] == "phrasemill: 1,005 more could not be read"


def test_columns(command: Command) -> None:
    Path("a.csv").write_bytes(b"key,words\nx,Salt water.\n")
    code, out, _ = command("a.csv", "--columns", "id=key,text=words", "-f", "csv")
    assert code == 0
    assert "x,1,Salt water," in out
    assert command("a.csv", "--columns", "words")[0] == 2
    assert command("a.csv")[2] == [
        "phrasemill: a.csv: no text column; its columns are key, words: name one, as in --columns text=NAME"
    ]


def test_records_from_standard_input(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for data, more in ((b'{"text": "Salt water."}\n', ()), (b"id,text\nx,Salt water.\n", ("--input-format", "csv"))):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data)))
        assert command("-", "-f", "text", *more) == (0, "Salt water\n", [])


def test_files_of_several_formats(command: Command) -> None:
    Path("a.pdf").write_bytes(made_files.pdf([["Salt water."]]))
    Path("b.docx").write_bytes(made_files.docx("<w:p><w:r><w:t>Salt water.</w:t></w:r></w:p>"))
    Path("c.nxml").write_text("<article><body><p>Salt water.</p></body></article>", encoding="utf-8")
    Path("d.jsonl").write_text('{"text": "Salt water."}', encoding="utf-8")
    code, out, errors = command("a.pdf", "b.docx", "c.nxml", "d.jsonl", "-f", "text")
    assert (code, out, errors) == (0, "Salt water\n" * 4, [])


def test_one_file_that_cannot_be_read_is_an_error(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.pdf").write_bytes(made_files.pdf([made_files.PICTURE]))
    assert command("a.pdf")[0] == 2
    assert command("missing.jsonl") == (2, "", ["phrasemill: missing.jsonl: no such file"])
    assert command("a.pdf", "--input-format", "odt")[0] == 2
    Path("b.txt").write_text("Salt water.", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    code, out, errors = command("a.pdf", "b.txt", "-f", "text")
    assert (code, out) == (1, "Salt water\n")
    assert errors == ["phrasemill: reading PDF files needs pypdfium2: pip install 'phrasemill[pdf]'"]
