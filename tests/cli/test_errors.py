"""Odd input is no error, a warning is one line, and a bad file among others stops nothing."""

import json
from pathlib import Path

import pytest

from cli_process import Command, phrasemill


def test_a_warning_is_one_line(tmp_path: Path) -> None:
    german = "Salzwasser dringt in die Brunnen ein, weil die Pumpen der Stadt zu viel Wasser fördern, Tag und Nacht."
    told = "phrasemill: read as English (en), as requested, but the text is in German (de)\n"
    (tmp_path / "german.txt").write_text(german, encoding="utf-8")
    lines = [json.dumps({"id": number, "text": f"{german} {number}"}) for number in range(12)]
    (tmp_path / "german.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for arguments in (
        ["extract", "german.txt"],
        ["extract", "german.jsonl", "-f", "jsonl"],
        ["extract", "--set", "german.jsonl"],
        ["run", "german.jsonl", "-o", "out", "--jobs", "2"],
    ):
        done = phrasemill(*arguments, "--language", "en", cwd=tmp_path)
        err = done.stderr.decode()
        assert (done.returncode, err.count(told), err.count("as requested")) == (0, 1, 1), err
    done = phrasemill("extract", "german.txt", "--style", "news", cwd=tmp_path)
    told = "phrasemill: learned has the style 'news' for English; texts in German (de) are ranked by general\n"
    assert (done.returncode, done.stderr.decode()) == (0, told)


NOTHING: list[str] = []


@pytest.mark.parametrize(
    ("data", "phrases"),
    [
        (b"", NOTHING),
        (b" \n\t \r\n", NOTHING),
        (b"the and of with", NOTHING),
        (b"graphs", ["graphs"]),
        (b"a" * 100_000, NOTHING),
        ("😀 🎉".encode(), NOTHING),
        (b"graph\0 theory", ["graph theory"]),
        (b"caf\xe9 society", ["café society"]),
        (b"\xff\xfe" + "graph theory".encode("utf-16-le"), ["graph theory"]),
        (b"<!doctype html><html><body><p>graph <b>theory</b></body>", ["graph theory"]),
        (b"x\x1b[2J\x07", None),
        ("תורת הגרפים היא ענף".encode(), None),
        (b"\xe2\x80\xae evil right-to-left override", None),
    ],
    ids=lambda value: None if isinstance(value, bytes) else "",
)
def test_odd_input_on_standard_input(data: bytes, phrases: list[str] | None) -> None:
    done = phrasemill("extract", "-", "--format", "text", stdin=data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    if phrases is not None:
        assert done.stdout.decode("utf-8").splitlines()[: len(phrases) or None] == phrases


def test_binary_input_is_refused() -> None:
    done = phrasemill("extract", stdin=bytes(range(256)))
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "phrasemill: standard input: looks like binary data, not text; convert it to UTF-8 text first\n"
    )


def test_an_empty_file_is_an_empty_result(at: Command, folder: Path) -> None:
    (folder / "empty.txt").touch()
    assert at("extract", "empty.txt") == (0, "no keyphrases\n", "")
    assert json.loads(at("extract", "empty.txt", "-f", "json")[1])["keyphrases"] == []
    assert at("extract", "empty.txt", "-f", "csv")[1] == "id,rank,text,score,present,start,end\n"


def test_a_bad_file_among_others_does_not_stop_them(at: Command, folder: Path) -> None:
    (folder / "paper.pdf").write_bytes(b"%PDF-1.4\n")
    code, out, err = at("extract", "missing.txt", "article.txt", "paper.pdf", "-f", "json")
    assert code == 1
    assert [result["id"] for result in json.loads(out)] == ["article.txt"]
    first, second = err.splitlines()
    assert first == "phrasemill: missing.txt: no such file"
    assert second.startswith("phrasemill: paper.pdf: damaged PDF")


def test_several_files_of_which_none_can_be_read_are_an_error(at: Command) -> None:
    code, out, err = at("extract", "missing.txt", "gone.txt", "-f", "json")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "phrasemill: missing.txt: no such file",
        "phrasemill: gone.txt: no such file",
        "phrasemill: nothing could be read",
    ]
