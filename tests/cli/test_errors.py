"""What goes wrong is one line; odd input is no error."""

import json
from pathlib import Path

import pytest

from cli_process import Command, phrasemill


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["extract", "missing.txt"], "missing.txt: no such file"),
        (
            ["extract", "article.txt", "-m", "textrnk"],
            "unknown method 'textrnk' (did you mean 'textrank'?); choose from",
        ),
        (["extract", "article.txt", "-m", "textrank(window=0)"], "window must be at least 2, got 0"),
        (["extract", "article.txt", "-m", "textrank(windw=3)"], "method textrank has no parameter 'windw'"),
        (["extract", "article.txt", "-m", "textrank("], "cannot read 'textrank('"),
        (
            ["extract", "article.txt", "-n", "ten"],
            "--top must be a count, a fraction such as 0.2, auto or all; got 'ten'",
        ),
        (["extract", "article.txt", "-n", "0"], "top must be at least 1, got 0"),
        (["extract", "article.txt", "-n", "1.5"], "top as a fraction must be above 0"),
        (["extract", "article.txt", "--threshold", "x"], "--threshold must be a number; got 'x'"),
        (
            ["extract", "article.txt", "-f", "xml"],
            "--format must be one of table, text, json, jsonl, csv, markdown, bulk; got",
        ),
        (["extract", "article.txt", "--redundancy", "all"], "unknown redundancy rule 'all'"),
        (["extract", "article.txt", "--redundancy", "none(3)"], "redundancy none takes no parameters; got none(3)"),
        (
            ["extract", "article.txt", "--redundancy", "similarity(x=1)"],
            "redundancy similarity takes one number",
        ),
        (["extract", "article.txt", "--threshold", "nan"], "--threshold must be a number; got 'nan'"),
        (["extract", "article.txt", "-l", "englisch"], "unknown language 'englisch'; closest are English (en)"),
        (["extract", "article.txt", "--largest", "big"], "--largest must be a size such as 64M or 1G; got 'big'"),
        (["extract", "article.txt", "--exclude-file", "no.txt"], "no.txt: no such file"),
        (["extract", "article.txt", "--exclude", ""], "exclude takes phrases, got ''"),
        (["extract", "article.txt", "--boost", "=3"], "boost takes phrases, got ''"),
        (["extract", "article.txt", "--example"], "--example replaces FILE"),
        (["extract", "article.txt", "--highlight", "-f", "csv"], "--highlight prints the text itself"),
        (["extract", "article.txt", "--tpo", "3"], "No such option: --tpo"),
        (["extract", "article.txt", "--top"], "Option '--top' requires an argument"),
        (["methods", "-f", "csv"], "--format must be one of table, json; got 'csv'"),
        (["distil"], "unknown command 'distil'; choose from"),
        (["extrct"], "unknown command 'extrct' (did you mean 'extract'?)"),
    ],
)
def test_bad_calls(at: Command, arguments: list[str], complaint: str) -> None:
    code, out, err = at(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith(f"phrasemill: {complaint}")
    assert err.count("\n") == 1


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
