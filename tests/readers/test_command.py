"""`phrasemill extract` over files of many documents, and over files of each format."""

import csv
import gzip
import json
import os
import sys
import zlib
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
    assert errors[-1] == "phrasemill: and 1,005 more like these"


def test_columns(command: Command) -> None:
    Path("a.csv").write_bytes(b"key,words\nx,Salt water.\n")
    code, out, _ = command("a.csv", "--columns", "id=key,text=words", "-f", "csv")
    assert code == 0
    assert "x,1,Salt water," in out
    assert command("a.csv", "--columns", "words")[0] == 2
    assert command("a.csv")[2] == [
        "phrasemill: a.csv: no text column; its columns are key, words; name one with --columns text=NAME"
    ]


MESSAGES = (
    "My invoice has the wrong date on it, and nobody answers the phone.",
    "The pump in the basement draws salt water since the storm of last week.",
)
GUESSED = "text ← message (the only one that reads like a text; --columns text=NAME names another)"


def test_the_only_column_that_reads_like_a_text_is_used_and_named(command: Command) -> None:
    rows = [("ticket", "category", "created", "message")]
    rows += [(str(n), "Billing and payments", "Mon, 05 Jan 2026 10:33", text) for n, text in enumerate(MESSAGES)]
    with Path("a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    records = [dict(zip(rows[0], row, strict=True)) | {"tags": ["a b c d e f"]} for row in rows[1:]]
    Path("a.json").write_text(json.dumps(records), encoding="utf-8")
    Path("a.jsonl").write_text("[]\n" + "".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.Table.from_pylist(records), "a.parquet")
    for name in ("a.csv", "a.json", "a.jsonl", "a.parquet"):
        code, out, errors = command(name, "-f", "text", "--top", "1")
        assert code == int(name == "a.jsonl")
        assert out.splitlines() == ["invoice", "pump"]
        assert errors[-1] == f"phrasemill: columns: id ← file and line, {GUESSED}"
    assert command("--set", "a.csv")[2] == [errors[-1]]


@pytest.mark.parametrize(
    "rows",
    [
        [("1", "Wells", "Salt water", "short")],
        [("1", MESSAGES[0], MESSAGES[1], "two texts")],
        [("1", "https://example.org/a-long-address-of-a-page", "2026-01-05 10:33:21 of", "addresses and times")],
        [("1", "Wells", "Salt water", MESSAGES[0])],
        [("1", MESSAGES[0], "", "once"), *[(str(n), "", "", "") for n in range(5)]],
    ],
)
def test_columns_that_do_not_tell_which_is_the_text_are_named(command: Command, rows: list[tuple[str, ...]]) -> None:
    with Path("a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("key", "a", "b", "title"), *rows])
    assert command("a.csv")[2] == [
        "phrasemill: a.csv: no text column; its columns are key, a, b, title; name one with --columns text=NAME"
    ]


def test_what_comes_before_a_break_is_read_though_it_was_looked_at_first(command: Command) -> None:
    lines = "".join(json.dumps({"message": f"{text} {i}"}) + "\n" for i, text in enumerate(MESSAGES * 40))
    Path("a.jsonl.gz").write_bytes(gzip.compress(lines.encode())[:-2])
    code, out, errors = command("a.jsonl.gz", "-f", "text", "--top", "1")
    assert (code, out.splitlines()) == (1, ["invoice", "pump"] * 40)
    assert "breaks off" in errors[-1]
    assert errors[-1].endswith("; 80 documents before that were read")


def test_a_json_list_that_is_broken_is_one_error_that_says_so(command: Command) -> None:
    Path("a.json").write_text(json.dumps([{"message": text} for text in MESSAGES])[:-1] + ', {"mess', encoding="utf-8")
    code, _, errors = command("a.json", "-f", "text", "--top", "1")
    assert code == 2
    assert errors[0].startswith("phrasemill: a.json, line 1: is not JSON: Unterminated string starting at")
    assert errors[0].endswith("; nothing of the file was read")


def test_records_with_a_usual_name_beside_others_are_not_guessed_at(command: Command) -> None:
    Path("a.jsonl").write_text(
        json.dumps({"text": "Old pumps."}) + "\n" + json.dumps({"message": MESSAGES[0]}), "utf-8"
    )
    code, out, errors = command("a.jsonl", "-f", "text")
    assert (code, out) == (1, "Old pumps\n")
    assert errors == ["phrasemill: a.jsonl, line 2: no text field; it has message; name one with --columns text=NAME"]


def test_a_text_without_spaces_reads_like_one(command: Command) -> None:
    Path("a.jsonl").write_text('{"店": "东京", "评论": "这家餐厅的海水鱼很新鲜,服务也非常好。"}\n', encoding="utf-8")
    code, out, errors = command("a.jsonl", "-f", "text")
    assert code == 0
    assert out
    assert "text ← 评论" in errors[0]


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
    assert command("a.pdf", "--input-format", "abc")[0] == 2
    Path("b.txt").write_text("Salt water.", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    code, out, errors = command("a.pdf", "b.txt", "-f", "text")
    assert (code, out) == (1, "Salt water\n")
    assert errors == ["phrasemill: reading PDF files needs pypdfium2: pip install 'phrasemill[pdf]'"]


# Damage, and what comes before it


def test_a_damaged_file_gives_what_can_be_read(command: Command) -> None:
    lines = b"".join(b'{"id": %d, "text": "Salt water of well %d."}\n' % (i, i * i) for i in range(2_000))
    whole = gzip.compress(lines)
    for name, data, count in (
        ("after.jsonl.gz", whole + b"trailing", 2_000),
        ("cut.jsonl.gz", whole[:-2_000], zlib.decompressobj(31).decompress(whole[:-2_000]).count(b"\n")),
    ):
        Path(name).write_bytes(data)
        code, out, errors = command(name, "-f", "jsonl")
        assert code == 1
        assert [json.loads(line)["id"] for line in out.splitlines()] == [str(i) for i in range(count)]
        assert len(errors) == 1
        assert errors[0].startswith(f"phrasemill: {name}: ")


def test_json_stays_json_when_the_file_is_damaged(command: Command) -> None:
    Path("a.jsonl.gz").write_bytes(gzip.compress(b'{"id": "x", "text": "Salt water."}\n') + b"trailing")
    code, out, _ = command("a.jsonl.gz", "-f", "json")
    assert code == 1
    assert [one["id"] for one in json.loads(out)] == ["x"]


def test_a_file_of_which_nothing_can_be_read(command: Command) -> None:
    whole = gzip.compress(b'{"text": "Salt water."}\n')
    Path("a.jsonl.gz").write_bytes(whole[:12])
    assert command("a.jsonl.gz") == (
        2,
        "",
        ["phrasemill: a.jsonl.gz: gzip data breaks off; the file was not copied or downloaded whole"],
    )
    Path("b.jsonl").write_bytes(b"bad\n")
    Path("old.json").write_bytes(b"old")
    code, out, errors = command("b.jsonl", "-o", "old.json")
    assert (code, out, errors[-1]) == (2, "", "phrasemill: nothing could be read")
    assert Path("old.json").read_bytes() == b"old"


def test_titles_alone_are_no_corpus(command: Command) -> None:
    Path("a.jsonl").write_bytes(b'{"id": 1, "headline": "Salt water", "storyline": "Old pumps."}\n' * 3)
    code, out, errors = command("a.jsonl", "-f", "jsonl")
    assert (code, out) == (2, "")
    assert errors[0] == (
        "phrasemill: a.jsonl, line 1: no text field; it has id, headline, storyline; name one with --columns text=NAME"
    )


# Bounds, pipes, languages


def test_the_largest_document(command: Command) -> None:
    Path("a.txt").write_bytes(b"Salt water. " * 100)
    assert command("a.txt", "--largest", "1k")[2] == [
        "phrasemill: a.txt: larger than 1,024 bytes, the largest document that is read; --largest sets another bound"
    ]
    assert command("a.txt", "--largest", "1.5 KiB", "-f", "text")[0] == 0
    Path("b.jsonl").write_bytes(b'{"id": 1, "text": "Salt water."}\n{"id": 2, "text": "%s"}\n' % (b"well " * 300))
    code, out, errors = command("b.jsonl", "--largest", "1k", "-f", "jsonl")
    assert (code, len(out.splitlines()), len(errors)) == (1, 1, 1)


def test_the_text_of_a_pdf_or_a_word_document_is_bounded_too(command: Command) -> None:
    Path("a.pdf").write_bytes(made_files.pdf([["Salt water."] * 50]))
    Path("b.docx").write_bytes(made_files.docx("<w:p><w:r><w:t>Salt water.</w:t></w:r></w:p>" * 50))
    for name in ("a.pdf", "b.docx"):
        assert command(name, "--largest", "500", "-f", "text")[2] == [
            f"phrasemill: {name}: larger than 500 bytes, the largest document that is read; "
            "--largest sets another bound"
        ]
        assert command(name, "--largest", "1k", "-f", "text")[0] == 0


def test_standard_input_without_end_is_not_read_for_ever(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(BytesIO):
        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    monkeypatch.setattr(sys, "stdin", TextIOWrapper(Endless()))
    assert command("-", "--largest", "100k", "--input-format", "plain")[2] == [
        "phrasemill: standard input: larger than 102,400 bytes, the largest document that is read; "
        "--largest sets another bound"
    ]
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(Endless()))
    code, _, errors = command("-", "--largest", "100k", "--input-format", "jsonl")
    assert code == 2
    assert errors[0].endswith("longer than 1 MiB; the rest of the file was not read")


def test_standard_input_is_read_once(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"Salt water.")))
    code, _, errors = command("-", "-", "-f", "text")
    assert code == 2
    assert errors == ["phrasemill: - is named twice, but can be read only once"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_pipes_of_a_shell_are_read_and_others_refused(command: Command) -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"id": "x", "text": "Salt water."}\n{"id": "y", "text": "Old pumps."}\n')
    os.close(writing)
    try:
        code, out, errors = command(f"/dev/fd/{reading}", "-f", "jsonl")
    finally:
        os.close(reading)
    assert (code, errors) == (0, [])
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["x", "y"]
    os.mkfifo("pipe.txt")
    for name, kind in (("pipe.txt", "a named pipe"), ("/dev/zero", "a device")):
        assert command(name) == (
            2,
            "",
            [f"phrasemill: {name}: is {kind}, not a file; to read from it, pipe it in and name - instead"],
        )


@pytest.mark.parametrize("language", ["Deutsch", "ger", "de-AT", "de_DE.UTF-8"])
def test_languages_by_any_name(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Das Wasser und die Pumpe. Der Brunnen.", encoding="utf-8")
    shown = []
    for name in ("de", language):
        assert run(["extract", str(path), "-l", name, "-m", "rake", "-f", "text"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != ""


def test_a_language_that_is_none(command: Command) -> None:
    Path("a.txt").write_text("Salt water.", encoding="utf-8")
    for more in ((), ("--set",)):
        code, out, errors = command("a.txt", "-l", "klingon", *more)
        assert (code, out) == (2, "")
        assert errors[0].startswith("phrasemill: unknown language 'klingon'; choose from af, ar, ")
