"""`phrasemill extract --set` as people meet it, and the page it writes."""

import csv
import io
import json
import re
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from document_sets import CHESS, FLOOD
from phrasemill.cli import run
from phrasemill.sets import Mention, SetKeyphrase, SetKeyphrases
from phrasemill.sets.report import SetResult, report
from phrasemill.types import Span

METHOD = ("--method", "positionrank")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder, documents in (("flood", FLOOD), ("chess", CHESS)):
        (tmp_path / folder).mkdir()
        for document in documents:
            (tmp_path / folder / f"{document.id}.txt").write_text(document.content, encoding="utf-8")
    (tmp_path / "flood" / ".hidden.txt").write_text("Secret plans.", encoding="utf-8")
    (tmp_path / "flood" / "picture.png").write_bytes(b"\x89PNG")
    lines = [
        json.dumps({"id": d.id, "title": d.title, "text": d.text, "topic": topic})
        for topic, documents in (("water", FLOOD), ("games", CHESS))
        for d in documents
    ]
    (tmp_path / "all.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_is_a_set(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--set", "flood", *METHOD, "--top", "5"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("flood (3 documents)\n")
    assert "3/3" in out and "Secret" not in out


def test_json_has_all_that_supports_a_phrase(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--set", "flood", *METHOD, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["id"] == "flood" and record["documents"] == 3
    for phrase in record["keyphrases"]:
        for mention in phrase["mentions"]:
            text = Path(mention["document"]).read_text(encoding="utf-8")
            assert all(" ".join(text[start:end].split()) in phrase["variants"] for start, end in mention["spans"])


def test_a_style_is_that_of_the_default_method_for_sets(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--set", "flood", "--style", "news", "--format", "json"]) == 0
    styled = json.loads(capsys.readouterr().out)
    assert run(["extract", "--set", "flood", "--method", "consensus(style='news')", "--format", "json"]) == 0
    assert styled == json.loads(capsys.readouterr().out)
    assert run(["extract", "--set", "flood", "--style", "tags"]) == 2
    assert "choose from general, news" in capsys.readouterr().err


def test_options_of_sets(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--set", "flood", *METHOD, "--threshold", "1e9", "--format", "text"]) == 0
    assert not capsys.readouterr().out
    assert run(["extract", "--set", "flood", "--redundancy", "none", "--boost", "salt", "--explain"]) == 2
    told = "--redundancy, --boost, --explain are for single documents; leave out --set"
    assert told in " ".join(capsys.readouterr().err.split())


def test_folders_and_fields_make_many_sets(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--by", "folder", ".", "flood", "chess", *METHOD, "--format", "jsonl"]) == 0
    assert {json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()} >= {"flood", "chess"}
    assert run(["extract", "--by", "topic", "all.jsonl", *METHOD, "--format", "json"]) == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)] == ["water", "games"]


def test_sets_by_values_of_any_type(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values: list[object] = [1999.5, 7, True, ["a"], "all.jsonl:3", "records.jsonl:1", "2020-01-01"]
    lines = [json.dumps({"id": i, "text": "Salt in old wells.", "kind": one}) for i, one in enumerate(values)]
    (shelf / "records.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert run(["extract", "--by", "kind", "records.jsonl", *METHOD, "--format", "jsonl"]) == 0
    shown = capsys.readouterr()
    expected = ["1999.5", "7", "true", "a", "all.jsonl:3", "records.jsonl:1", "2020-01-01"]
    assert [json.loads(line)["id"] for line in shown.out.splitlines()] == expected
    assert shown.err == ""


@pytest.mark.parametrize("lacking", [{}, {"kind": None}, {"kind": ""}])
def test_records_without_a_value_are_left_out(
    shelf: Path, capsys: pytest.CaptureFixture[str], lacking: dict[str, object]
) -> None:
    records = [{"id": 1, "text": "Salt in old wells.", "kind": 2.5}, {"id": 2, "text": "Salt.", **lacking}]
    (shelf / "records.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    assert run(["extract", "--by", "kind", "records.jsonl", *METHOD, "--format", "jsonl"]) == 1
    shown = capsys.readouterr()
    assert [json.loads(line)["id"] for line in shown.out.splitlines()] == ["2.5"]
    assert shown.err == "phrasemill: records.jsonl: left out 1 record without a value in the field 'kind'\n"


def test_sets_of_records_from_standard_input(
    shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO((shelf / "all.jsonl").read_bytes())))
    assert run(["extract", "--by", "topic", "-", *METHOD, "--format", "jsonl"]) == 0
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == ["water", "games"]


def test_csv_and_text(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--set", "flood", *METHOD, "--top", "3", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 3 and rows[0]["set"] == "flood" and rows[0]["total"] == "3"
    assert run(["extract", "--set", "flood", *METHOD, "--top", "3", "--format", "text"]) == 0
    assert capsys.readouterr().out.splitlines() == [row["text"] for row in rows]


def test_one_set_against_another(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--set", "flood", "--against", "chess", *METHOD, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows and all(float(row["effect"]) > 0 and float(row["p"]) <= float(row["q"]) for row in rows)
    assert run(["extract", "--set", "flood", "--against", "chess", *METHOD]) == 0
    title, note, _, header, first, *_ = capsys.readouterr().out.splitlines()
    assert title == "flood (3 documents)"
    assert note.startswith("none of these differences is significant: with 3 and 2 documents")
    assert "other set" in header and "as common" in header
    assert float(first.split("3/3")[0].split()[-1]) > 0 and "0/2" in first and " x " in first


def test_a_list_that_is_empty_says_why(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    why = "no phrase is more common than in the other set, which has the same documents"
    assert run(["extract", "--set", "flood", "--against", "flood", *METHOD]) == 0
    assert capsys.readouterr().out.splitlines() == ["flood (3 documents)", why, "", "no keyphrases"]
    assert run(["extract", "--set", "flood", "--against", "flood", *METHOD, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == [why]
    for format in ("text", "csv"):
        assert run(["extract", "--set", "flood", "--against", "flood", *METHOD, "--format", format]) == 0
        shown = capsys.readouterr()
        assert shown.err == f"phrasemill: flood: {why}\n" and why not in shown.out
    assert run(["extract", "--set", "flood", "--against", "flood", *METHOD, "--output", "none.html"]) == 0
    assert why in (shelf / "none.html").read_text(encoding="utf-8")


def test_documents_with_little_in_common_are_told_of(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extract", "--set", "flood/flood-1.txt", "chess/chess-2.txt"]) == 0
    note = capsys.readouterr().out.splitlines()[1]
    assert note == "the documents have little in common: no phrase here is in more than 1 of 2"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--set", "nowhere"], "nowhere: no such file"),
        (["--set", "flood", "--method", "nonsense"], "unknown method for sets 'nonsense'"),
        (["--set", "flood", "--format", "pdf"], "--format must be one of"),
        (["--set", "flood", "--highlight"], "--highlight"),
        (["--by", "topic", "flood"], "--by topic needs JSON lines"),
        (["--by", "folder", "flood", "--against", "chess"], "--by makes several sets"),
        (["--by", "colour", "all.jsonl"], "nothing to read"),
    ],
)
def test_slips(shelf: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str) -> None:
    assert run(["extract", *arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_an_empty_folder(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (shelf / "empty").mkdir()
    assert run(["extract", "--set", "empty"]) == 2
    assert "empty: there is no readable file in it" in capsys.readouterr().err


def test_the_report_shows_places_and_loads_nothing(shelf: Path) -> None:
    assert run(["extract", "--by", "folder", "flood", "chess", *METHOD, "--output", "phrases.html"]) == 0
    html = (shelf / "phrases.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script|img|link|iframe)|(src|href)=\"(?!#)", html) and "default-src 'none'" in html
    assert "<mark>Emergency relief</mark>" in html and "flood (3 documents)" in html and "chess (2 documents)" in html


def test_whatever_a_text_says_is_shown_as_text() -> None:
    evil = '<script>alert("x")</script>'
    phrase = SetKeyphrase(evil, 1.0, (evil, "<b>"), (Mention('"><img src=x>', (Span(4, 4 + len(evil)),)),), 1)
    found = SetKeyphrases([phrase], notes=["<i>"])
    html = report([SetResult("<i>", "<u>", found, {'"><img src=x>': f"See {evil} & more"})])
    assert not re.search(r"<(script|img|i|b|u)\b", html)
    assert "<mark>&lt;script&gt;" in html


def test_quotes_do_not_overlap() -> None:
    text = "one salt two salt three " + "word " * 60 + "salt end"
    spans = tuple(Span(m.start(), m.end()) for m in re.finditer("salt", text))
    phrase = SetKeyphrase("salt", 1.0, ("salt",), (Mention("d", spans),), 1)
    html = report([SetResult("set", "merge", SetKeyphrases([phrase]), {"d": text})])
    assert html.count("<blockquote>") == 2 and html.count("<mark>") == 3 and "… word" in html and "word …" in html
