"""`phrasemill extract --set` as people meet it, and the page it writes."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable
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


Extract = Callable[..., tuple[str, str]]


@pytest.fixture
def extract(shelf: Path, capsys: pytest.CaptureFixture[str]) -> Extract:
    """Runs `extract` in the folder of the files; gives what it prints."""

    def call(*arguments: str, status: int = 0) -> tuple[str, str]:
        assert run(["extract", *arguments]) == status
        return tuple(capsys.readouterr())

    return call


def test_a_folder_is_a_set(extract: Extract) -> None:
    out, _ = extract("--set", "flood", *METHOD, "--top", "5")
    assert out.startswith("flood (3 documents)\n")
    assert "3/3" in out and "Secret" not in out


def test_json_has_all_that_supports_a_phrase(extract: Extract) -> None:
    record = json.loads(extract("--set", "flood", *METHOD, "--format", "json")[0])
    assert record["id"] == "flood" and record["documents"] == 3
    for phrase in record["keyphrases"]:
        for mention in phrase["mentions"]:
            text = Path(mention["document"]).read_text(encoding="utf-8")
            assert all(" ".join(text[start:end].split()) in phrase["variants"] for start, end in mention["spans"])


def test_a_style_is_that_of_the_default_method_for_sets(extract: Extract) -> None:
    styled = extract("--set", "flood", "--style", "news", "--format", "json")
    assert styled == extract("--set", "flood", "--method", "consensus(style='news')", "--format", "json")


def test_folders_and_fields_make_many_sets(extract: Extract, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ids(*arguments: str) -> list[str]:
        out, _ = extract("--by", *arguments, *METHOD, "--format", "jsonl")
        return [json.loads(line)["id"] for line in out.splitlines()]

    assert {*ids("folder", ".", "flood", "chess")} >= {"flood", "chess"}
    assert ids("topic", "all.jsonl") == ["water", "games"]
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO((shelf / "all.jsonl").read_bytes())))
    assert ids("topic", "-") == ["water", "games"]


@pytest.mark.parametrize("lacking", [{}, {"kind": None}, {"kind": ""}])
def test_sets_are_by_values_of_any_type(extract: Extract, shelf: Path, lacking: dict[str, object]) -> None:
    values: list[object] = [1999.5, 7, True, ["a"], "all.jsonl:3", "records.jsonl:1", "2020-01-01"]
    records = [{"id": i, "text": "Salt in old wells.", "kind": one} for i, one in enumerate(values)]
    command = ("--by", "kind", "records.jsonl", *METHOD, "--format", "jsonl")
    expected = ["1999.5", "7", "true", "a", "all.jsonl:3", "records.jsonl:1", "2020-01-01"]
    left_out = "phrasemill: records.jsonl: left out 1 record without a value in the field 'kind'\n"
    for more, error in (([], ""), ([{"id": "none", "text": "Salt.", **lacking}], left_out)):
        (shelf / "records.jsonl").write_text("\n".join(map(json.dumps, [*records, *more])), encoding="utf-8")
        shown = extract(*command, status=1 if more else 0)
        assert [json.loads(line)["id"] for line in shown[0].splitlines()] == expected
        assert shown[1] == error


def test_csv_and_text(extract: Extract) -> None:
    rows = list(csv.DictReader(io.StringIO(extract("--set", "flood", *METHOD, "--top", "3", "--format", "csv")[0])))
    assert len(rows) == 3 and rows[0]["set"] == "flood" and rows[0]["total"] == "3"
    lines = extract("--set", "flood", *METHOD, "--top", "3", "--format", "text")[0].splitlines()
    assert lines == [row["text"] for row in rows]
    assert extract("--set", "flood", *METHOD, "--threshold", "1e9", "--format", "text")[0] == ""


def test_one_set_against_another(extract: Extract) -> None:
    against = ("--set", "flood", "--against", "chess", *METHOD)
    rows = list(csv.DictReader(io.StringIO(extract(*against, "--format", "csv")[0])))
    assert rows and all(float(row["effect"]) > 0 and float(row["p"]) <= float(row["q"]) for row in rows)
    title, note, _, header, first, *_ = extract(*against)[0].splitlines()
    assert title == "flood (3 documents)"
    assert note.startswith("none of these differences is significant: with 3 and 2 documents")
    assert "other set" in header and "as common" in header
    assert float(first.split("3/3")[0].split()[-1]) > 0 and "0/2" in first and " x " in first


def test_a_list_that_is_empty_says_why(extract: Extract, shelf: Path) -> None:
    why = "no phrase is more common than in the other set, which has the same documents"
    same = ("--set", "flood", "--against", "flood", *METHOD)
    assert extract(*same)[0].splitlines() == ["flood (3 documents)", why, "", "no keyphrases"]
    assert json.loads(extract(*same, "--format", "json")[0])["notes"] == [why]
    for format in ("text", "csv"):
        out, err = extract(*same, "--format", format)
        assert err == f"phrasemill: flood: {why}\n" and why not in out
    extract(*same, "--output", "none.html")
    assert why in (shelf / "none.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--set", "nowhere"], "nowhere: no such file"),
        (["--set", "flood", "--method", "nonsense"], "unknown method for sets 'nonsense'"),
        (["--set", "flood", "--format", "pdf"], "--format must be one of"),
        (["--set", "flood", "--highlight"], "--highlight"),
        (["--set", "flood", "--style", "tags"], "choose from general, news"),
        (
            ["--set", "flood", "--redundancy", "none", "--boost", "salt", "--explain"],
            "--redundancy, --boost, --explain are for single documents; leave out --set",
        ),
        (["--by", "topic", "flood"], "--by topic needs JSON lines"),
        (["--by", "folder", "flood", "--against", "chess"], "--by makes several sets"),
        (["--by", "colour", "all.jsonl"], "nothing to read"),
        (["--set", "empty"], "empty: there is no readable file in it"),
    ],
)
def test_slips(extract: Extract, shelf: Path, arguments: list[str], complaint: str) -> None:
    (shelf / "empty").mkdir()
    assert complaint in " ".join(extract(*arguments, status=2)[1].split())


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
