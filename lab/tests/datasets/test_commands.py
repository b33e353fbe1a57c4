"""`dataset list`, `dataset show` and `dataset convert`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from phrasemill.cli import run

Write = Callable[[str, str], Path]
Output = tuple[int, str, str]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., Output]:
    def call(*arguments: object) -> Output:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def inspec(write: Write, tmp_path: Path) -> Path:
    record = {"id": "1", "title": "Graphs", "text": "Graph theory of trees.", "keyphrases": ["graph theory", "logic"]}
    write("inspec_test.jsonl", json.dumps(record) + "\n")
    return tmp_path


def test_the_catalog(command: Callable[..., Output]) -> None:
    code, out, _ = command("dataset", "list")
    assert code == 0
    assert "semeval2010" in out and "Hulth, 2003" in out
    entries = json.loads(command("dataset", "list", "--format", "json")[1])
    assert {"published", "licence", "papers", "splits", "files"} <= set(entries[0])
    assert command("dataset", "list", "--format", "xml")[0] == 2


def test_show(command: Callable[..., Output], inspec: Path) -> None:
    code, out, err = command("dataset", "show", "inspec", "--root", inspec)
    assert code == 0
    assert "% present" in out and "50.0" in out and "#PreDoc" in out
    assert "inspec test has 500 documents, here are 1" in err
    made = json.loads(command("dataset", "show", "inspec", "-r", inspec, "-f", "json")[1])
    assert made["test"]["keyphrases"] == 2
    assert "| documents | 1 |" in command("dataset", "show", "inspec", "-r", inspec, "-f", "markdown")[1]


def test_show_reports_malformed_records_and_goes_on(command: Callable[..., Output], inspec: Path) -> None:
    with (inspec / "inspec_test.jsonl").open("a") as file:
        file.write('{"id": "2"}\n')
    code, out, err = command("dataset", "show", "inspec", "-r", inspec)
    assert code == 0
    assert "inspec_test.jsonl: line 2: no field 'text'" in err
    code, out, err = command("dataset", "show", "inspec", "-r", inspec, "--on-error", "refuse")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "inspct"],
        ["show", "inspec", "--root", "nowhere"],
        ["show", "inspec", "--split", "trial"],
        ["show", "inspec", "--format", "pdf"],
        ["show", "inspec", "--on-error", "cry"],
        ["convert", "nowhere.jsonl", "--to", "jsonl", "-o", "x.jsonl"],
        ["convert", "nowhere.jsonl", "--to", "word", "-o", "x.jsonl"],
        ["convert", "nowhere.jsonl", "--to", "jsonl"],
        ["convert", "nowhere.jsonl", "--to", "jsonl", "-o", "x", "--threshold", "much"],
        ["convert", "nowhere.jsonl", "--to", "jsonl", "-o", "x", "--on-error", "cry"],
        ["convert", "a.jsonl", "--to", "jsonl", "-o", "a.jsonl"],
    ],
)
def test_mistakes_are_one_line(command: Callable[..., Output], tmp_path: Path, arguments: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        code, out, err = command("dataset", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("phrasemill: ") and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_convert_between_layouts(command: Callable[..., Output], inspec: Path, tmp_path: Path) -> None:
    source = inspec / "inspec_test.jsonl"
    code, out, err = command("dataset", "convert", source, "--to", "json", "-o", tmp_path / "a.json")
    assert (code, out) == (0, "")
    assert err == f"1 document written to {tmp_path / 'a.json'}\n"
    assert json.loads((tmp_path / "a.json").read_text())["keywords"] == ["graph theory", "logic"]
    options = ["--segment", "--lowercase", "--mask-digits", "--drop-empty"]
    _, _, err = command(
        "dataset", "convert", tmp_path / "a.json", "--from", "json", "--to", "pairs", "-o", tmp_path / "b", *options
    )
    assert err == f"1 document written to {tmp_path / 'b_src.txt'} and {tmp_path / 'b_trg.txt'}\n"
    assert (tmp_path / "b_src.txt").read_text() == "graphs <eos> graph theory of trees .\n"
    assert (tmp_path / "b_trg.txt").read_text() == "graph theory;<peos>;logic\n"
    command("dataset", "convert", tmp_path / "b_src.txt", "--to", "jsonl", "-o", tmp_path / "c.jsonl")
    assert json.loads((tmp_path / "c.jsonl").read_text())["keyphrases"] == ["graph theory", "logic"]


def test_convert_leaves_out_what_is_in_a_test_set(command: Callable[..., Output], inspec: Path, tmp_path: Path) -> None:
    source, target = inspec / "inspec_test.jsonl", tmp_path / "clean.jsonl"
    code, _, err = command("dataset", "convert", source, "--to", "jsonl", "-o", target, "--without", source)
    assert code == 0
    assert "0 documents written" in err and "1 near-duplicates" in err
    assert target.read_text() == ""


def test_help_has_examples(command: Callable[..., Output]) -> None:
    for arguments in (["dataset", "list"], ["dataset", "show"], ["dataset", "convert"]):
        code, out, _ = command(*arguments, "--help")
        assert code == 0
        assert "Examples" in out
