"""`dataset list`, `dataset show` and `dataset convert`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str], Path]
Command = Callable[..., tuple[int, str, str]]
INSPEC = {"id": "1", "title": "Graphs", "text": "Graph theory of 3 trees.", "keyphrases": ["graph theory", "logic"]}


@pytest.fixture
def inspec(write: Write) -> Path:
    return write("inspec_test.jsonl", json.dumps(INSPEC) + "\n")


def test_the_catalogue(command: Command) -> None:
    code, out, _ = command("list")
    assert code == 0 and "semeval2010" in out and "Hulth, 2003" in out
    entries = json.loads(command("list", "--format", "json")[1])
    assert {"published", "licence", "papers", "splits", "files"} <= set(entries[0])
    assert all(entry["published"] and entry["licence"] and entry["papers"] for entry in entries)


def test_numbers_and_what_differs_from_the_published_ones(command: Command, inspec: Path) -> None:
    code, out, err = command("show", "inspec", "--format", "json")
    assert code == 0 and "inspec test has 500 documents, here are 1" in err
    found = json.loads(out)["test"]
    assert {name: found[name] for name in ("documents", "keyphrases", "present keyphrases", "% present")} == {
        "documents": 1,
        "keyphrases": 2,
        "present keyphrases": 1,
        "% present": 50,
    }
    assert (found["words per document"], found["words per keyphrase"]) == (6, 1.5)
    assert "| documents | 1 |" in command("show", "inspec", "-r", inspec, "-f", "markdown")[1]


def test_malformed_records_are_reported_or_refused(command: Command, inspec: Path) -> None:
    with inspec.open("a") as file:
        file.write('{"id": "2"}\n')
    code, _, err = command("show", "inspec")
    assert code == 0 and "inspec_test.jsonl: line 2: no field 'text'" in err
    code, out, err = command("show", "inspec", "--on-error", "refuse")
    assert (code, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["show", "inspct"], "did you mean 'inspec'"),
        (["show", "inspec", "--root", "nowhere"], "nowhere: no such folder"),
        (["show", "inspec"], "no files of inspec; looked for train/*.abstr"),
        (["show", "inspec", "--split", "trial"], "unknown split"),
        (["show", "inspec", "--layout", "duc"], "unknown layout"),
        (["show", "inspec", "--format", "pdf"], "--format"),
        (["show", "inspec", "--on-error", "cry"], "--on-error must be one of"),
        (["convert", "nowhere.jsonl", "--to", "jsonl", "-o", "x.jsonl"], "nowhere.jsonl: no such file or folder"),
        (["convert", ".", "--to", "jsonl", "-o", "x.jsonl"], ".: its layout is not known"),
        (["convert", ".", "--from", "jsonl", "--to", "jsonl", "-o", "x.jsonl"], "layout jsonl is a file"),
        (["convert", "nowhere.jsonl", "--to", "word", "-o", "x.jsonl"], "unknown layout"),
        (["convert", ".", "--from", "text+key", "--to", "duc", "-o", "x"], "layout duc is only read"),
        (["convert", "a.jsonl", "--to", "jsonl", "-o", "a.jsonl"], "is also a source"),
        (["build", "pubmedake", "nowhere", "-o", "x"], "nowhere: no such file or folder"),
        (["build", "pubmedake", ".", "-o", "x"], "nothing to build from"),
        (["build", "stackex", ".", "-o", "x"], "nothing to build from"),
        (["build", "stackex", ".", "-o", "x", "--valid", "1.5"], "a part must be a count"),
        (["build", "mkduc01", ".", "-o", "x"], "no file of keyphrases in it"),
        (["build", "mkduc01", "nowhere", "-o", "x"], "no such file or folder"),
        (["build", "stackex", ".", "-o", "x", "--code", "shorten"], "--code must be one of keep, drop"),
        (["build", "stackex", ".", "-o", "x", "--training-tokens", "-1"], "0 or more"),
        (["build", "pubmedake", ".", "-o", "x", "--inside", "body"], "--inside must be one of"),
        (
            ["convert", ".", "--to", "jsonl", "-o", "x.jsonl", "--without", ".", "--threshold", "0"],
            "above 0 and at most 1",
        ),
        (["build", "mkpe", "nowhere", "-o", "x"], "no such file or folder"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(
    command: Command, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "") and reason in err
    assert err.startswith("phrasemill: ") and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_from_one_layout_to_the_next(command: Command, inspec: Path, tmp_path: Path) -> None:
    code, out, err = command("convert", inspec, "--to", "jsonl", "-o", "a.jsonl.gz")
    assert (code, out, err) == (0, "", "1 document written to a.jsonl.gz\n")
    preparation = ["--segment", "--lowercase", "--mask-digits", "--order", "--drop-empty"]
    _, _, err = command("convert", "a.jsonl.gz", "--to", "pairs", "-o", "b", *preparation)
    assert err == "1 document written to b_src.txt and b_trg.txt\n"
    assert Path("b_src.txt").read_text() == "graphs <eos> graph theory of <digit> trees .\n"
    assert Path("b_trg.txt").read_text() == "graph theory;<peos>;logic\n"
    command("convert", "b_src.txt", "--to", "jsonl", "-o", "c.jsonl.xz")
    command("convert", "c.jsonl.xz", "--to", "jsonl", "-o", "d.jsonl")
    assert json.loads(Path("d.jsonl").read_text())["keyphrases"] == ["graph theory", "logic"]


def test_a_failure_leaves_the_older_file(command: Command, inspec: Path, tmp_path: Path) -> None:
    inspec.write_text(inspec.read_text() + "{}\n")
    Path("out.jsonl").write_text("older")
    assert command("convert", inspec, "--from", "jsonl", "--to", "jsonl", "-o", "out.jsonl")[0] == 2
    assert Path("out.jsonl").read_text() == "older"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("title", "text", "threshold", "left_out"),
    [
        ("Graphs", "Theory of trees: a graph, 3.", "0.8", 1),
        ("Graphs", "Theory of trees: a graph, 3.", "0.9", 0),
        ("Other", "Nothing in common.", "0.1", 0),
        ("Why graphs are of some use", "Another text.", "0.7", 1),
    ],
)
def test_near_duplicates_of_a_test_set_are_left_out(
    command: Command, inspec: Path, write: Write, title: str, text: str, threshold: str, left_out: int
) -> None:
    long = INSPEC | {"id": "2", "title": "Why graphs are of some use", "text": "Quite unlike."}
    inspec.write_text(inspec.read_text() + json.dumps(long) + "\n")
    write("train.jsonl", json.dumps({"id": "x", "title": title, "text": text}) + "\n")
    options = ["--without", inspec, "--threshold", threshold]
    _, _, err = command("convert", "train.jsonl", "--to", "jsonl", "-o", "clean.jsonl", *options)
    assert f"; {left_out} near-duplicates of the test set left out" in err
    assert len(Path("clean.jsonl").read_text().splitlines()) == 1 - left_out
