"""The command, as people meet it: a process, its output, its exit code."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import made_files
from phrasemill import cli
from phrasemill.cli import extract, methods, run
from phrasemill.cli.formats import marked_spans
from phrasemill.registry import METHODS, SET_METHODS
from phrasemill.tables import align
from phrasemill.types import Keyphrase, Span

Command = Callable[..., tuple[int, str, str]]

TEXT = (
    "Graph theory is the study of graphs. A random graph has random edges, and graph theory explains them.\n"
    "Random graphs are used in network science; “network science” is young.\n"
)
EXAMPLE = Path(__file__).parents[1] / "src" / "phrasemill" / "data" / "example.txt"
PLAIN = {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}


def phrasemill(
    *arguments: str, cwd: Path | None = None, stdin: bytes = b"", **env: str
) -> subprocess.CompletedProcess[bytes]:
    inherited = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "phrasemill", *arguments],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env=inherited | PLAIN | env,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "article.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "notes.md").write_text(
        "# Graph *theory*\n\n[Random graphs](http://x.org) and `edges`.\n", encoding="utf-8"
    )
    (tmp_path / "page.html").write_text(
        "<title>Trees</title><nav>menu</nav><p>Graph theory of trees.", encoding="utf-8"
    )
    (tmp_path / "paper.pdf").write_bytes(made_files.pdf([["Graph theory of trees."]]))
    records = b'{"id": "a", "text": "Graph theory of trees."}\n{"id": "b", "text": "Network science."}\n'
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(records))
    (tmp_path / "articles.csv").write_text(
        "key,headline,abstract,body\n7,Trees,Graph theory.,Trees and forests.\n", encoding="utf-8"
    )
    (tmp_path / "thesaurus.ttl").write_text(
        '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n<g> a skos:Concept ; skos:prefLabel "graph"@en .\n'
    )
    for name in ("articles", "new", "old", "collection/north", "collection/south"):
        (tmp_path / name).mkdir(parents=True)
        for number in range(3):
            (tmp_path / name / f"{number}.txt").write_text(f"Graph theory of {name}. Random graphs.", encoding="utf-8")
    years = [f'{{"id": "{i}", "year": {2000 + i % 2}, "text": "Graph theory of trees."}}' for i in range(4)]
    (tmp_path / "papers.jsonl").write_text("\n".join(years), encoding="utf-8")
    return tmp_path


@pytest.fixture
def at(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process, in the folder; returns exit code, output and errors."""
    monkeypatch.chdir(folder)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        output = capsys.readouterr()
        return code, output.out, output.err

    return command


# Formats


def test_json_of_one_input_is_an_object(at: Command) -> None:
    code, out, err = at("extract", "article.txt", "--format", "json", "--method", "textrank(window=5)")
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert list(result) == ["id", "method", "keyphrases"]
    assert (result["id"], result["method"]) == ("article.txt", "textrank(window=5)")
    assert result["keyphrases"]
    for keyphrase in result["keyphrases"]:
        assert list(keyphrase) == ["text", "score", "present", "spans"]
        assert keyphrase["present"] is True
        wordings = {" ".join(TEXT[start:end].split()) for start, end in keyphrase["spans"]}
        assert keyphrase["text"] in wordings


def test_json_of_many_inputs_is_a_list_and_jsonl_the_same_a_line_each(at: Command) -> None:
    files = ("article.txt", "notes.md", "page.html")
    code, out, _ = at("extract", *files, "-f", "json")
    results = json.loads(out)
    assert code == 0
    assert [result["id"] for result in results] == list(files)
    _, lines, _ = at("extract", *files, "-f", "jsonl")
    assert [json.loads(line) for line in lines.splitlines()] == results
    _, line, _ = at("extract", files[0], "-f", "jsonl")
    assert json.loads(line) == results[0]


def test_csv(at: Command) -> None:
    _, out, _ = at("extract", "article.txt", "page.html", "-f", "csv", "-n", "3")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["id", "rank", "text", "score", "present", "start", "end"]
    first = [row for row in rows if row["id"] == "article.txt"]
    assert [row["rank"] for row in first] == ["1", "2", "3"]
    for row in first:
        start, end = int(row["start"]), int(row["end"])
        assert TEXT[start:end].casefold()[:4] == row["text"].casefold()[:4]
        assert row["present"] == "true"
        float(row["score"])


def test_json_is_not_escaped_without_need() -> None:
    done = phrasemill("extract", "-", "-f", "jsonl", stdin="Žižek theory".encode())
    assert "Žižek theory" in done.stdout.decode("utf-8")


def test_text_is_one_phrase_a_line(at: Command) -> None:
    _, out, _ = at("extract", "article.txt", "-f", "text")
    _, listed, _ = at("extract", "article.txt", "-f", "json")
    assert out.splitlines() == [keyphrase["text"] for keyphrase in json.loads(listed)["keyphrases"]]


def test_a_piped_table_is_plain(at: Command) -> None:
    _, out, _ = at("extract", "article.txt", "-n", "2")
    head, *rows = out.splitlines()
    assert head.split() == ["#", "keyphrase", "score", "times"]
    assert len(rows) == 2
    assert rows[0].startswith("1  ")
    assert "\x1b" not in out
    _, out, _ = at("extract", "article.txt", "notes.md", "-n", "2")
    assert out.startswith("article.txt\n#")
    assert "\n\nnotes.md\n#" in out


def test_markdown_spans_point_into_the_file(at: Command, folder: Path) -> None:
    _, out, _ = at("extract", "notes.md", "-f", "json", "-m", "firstphrases")
    source = (folder / "notes.md").read_text(encoding="utf-8")
    found = {k["text"]: k["spans"] for k in json.loads(out)["keyphrases"]}
    for text, spans in found.items():
        for start, end in spans:
            assert re.sub(r"[*#`\[\]]", "", source[start:end]).casefold().split() == text.casefold().split()


def test_output_goes_to_a_file_whose_name_may_tell_the_format(at: Command, folder: Path) -> None:
    code, out, _ = at("extract", "article.txt", "-o", "result.json")
    assert (code, out) == (0, "")
    assert json.loads((folder / "result.json").read_text(encoding="utf-8"))["id"] == "article.txt"
    at("extract", "article.txt", "-o", "result.txt", "-f", "csv")
    assert (folder / "result.txt").read_text(encoding="utf-8").startswith("id,rank")
    code, _, err = at("extract", "missing.txt", "-o", "result.json")
    assert code == 2
    assert json.loads((folder / "result.json").read_text(encoding="utf-8"))["id"] == "article.txt"
    code, _, err = at("extract", "article.txt", "-o", "no/such/folder.json")
    assert code == 2
    assert err.startswith("phrasemill: no/such/folder.json: ")


# Options


def test_how_many(at: Command) -> None:
    def count(*options: str) -> int:
        return len(at("extract", "article.txt", "-f", "text", *options)[1].splitlines())

    everything = count("--top", "all")
    assert count("--top", "2") == 2
    assert count("-n", "1.0") == everything
    assert 1 <= count("-n", "0.2") < everything
    assert count("--threshold", "1e9") == 0


def test_phrases_that_are_not_wanted(at: Command, folder: Path) -> None:
    _, out, _ = at("extract", "article.txt", "-f", "text", "-n", "all")
    wanted = out.splitlines()
    _, out, _ = at("extract", "article.txt", "-f", "text", "-n", "all", "--exclude", wanted[0], "--exclude", wanted[1])
    assert out.splitlines() == wanted[2:]
    (folder / "not.txt").write_text(f"{wanted[0]}\n\n  {wanted[1]}  \n", encoding="utf-8")
    assert at("extract", "article.txt", "-f", "text", "-n", "all", "--exclude-file", "not.txt")[1] == out


def test_highlight_marks_in_brackets_without_colour(at: Command) -> None:
    code, out, _ = at("extract", "article.txt", "--highlight", "-n", "2", "-m", "firstphrases")
    assert code == 0
    text, _, legend = out.partition("\n\n")
    assert text.replace("[[", "").replace("]]", "") == TEXT.strip()
    assert "[[" in text
    assert legend.startswith("#  keyphrase")


def test_places_do_not_overlap() -> None:
    first = Keyphrase("b c", 2.0, (Span(2, 5),))
    longer = Keyphrase("a b c d", 1.0, (Span(0, 7), Span(10, 17)))
    inner = Keyphrase("c", 0.5, (Span(4, 5), Span(20, 21)))
    assert marked_spans([first, longer, inner]) == [(Span(0, 7), 1), (Span(10, 17), 1), (Span(20, 21), 2)]


def test_repair_maps_back_to_the_file(at: Command, folder: Path) -> None:
    source = "We have a fast algo-\nrithm. The fast algorithm is old.\n"
    (folder / "paper.txt").write_text(source, encoding="utf-8")
    _, out, _ = at("extract", "paper.txt", "--repair", "-f", "json", "-m", "firstphrases")
    spans = {k["text"]: [source[start:end] for start, end in k["spans"]] for k in json.loads(out)["keyphrases"]}
    assert spans["fast algorithm"] == ["fast algo-\nrithm", "fast algorithm"]


def test_the_built_in_example(at: Command) -> None:
    code, out, _ = at("extract", "--example", "-f", "json")
    result = json.loads(out)
    source = EXAMPLE.read_text(encoding="utf-8")
    assert code == 0
    assert result["id"] == "example"
    assert len(result["keyphrases"]) == 10
    assert "artificial reef" in [k["text"] for k in result["keyphrases"]]
    for keyphrase in result["keyphrases"]:
        for start, end in keyphrase["spans"]:
            assert source[start:end].strip() == source[start:end] != ""


def test_methods(at: Command) -> None:
    code, out, _ = at("methods")
    assert code == 0
    table, _, legend = out.partition("\n\n")
    assert [line.split()[0] for line in table.splitlines()[1:]] == METHODS.names() + SET_METHODS.names()
    for said in ("Default: learned, ", "Fastest: ", "Best: ", "For sets of documents: consensus."):
        assert said in legend
    listed = json.loads(at("methods", "--format", "json")[1])
    assert [entry["name"] for entry in listed] == METHODS.names() + SET_METHODS.names()
    facts = ["speed", "indexers", "authors", "learns", "megabytes", "install", "pace"]
    assert list(listed[0]) == ["name", "summary", "paper", "needs", *facts]


def test_columns_count_wide_characters_twice() -> None:
    assert align([("ab", "x"), ("図", "y"), ("e\u0301e", "z")]) == "ab  x\n図  y\ne\u0301e  z\n"


# What goes wrong is said in one line


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["extract", "missing.txt"], "missing.txt: no such file"),
        (["extract", "."], ".: is a directory; name the files in it"),
        (["extract", "article.txt", "-m", "textrnk"], "unknown method 'textrnk'; choose from"),
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
        (["extract", "article.txt", "-f", "xml"], "--format must be one of table, json, jsonl, csv, text; got 'xml'"),
        (["extract", "article.txt", "--redundancy", "all"], "unknown redundancy 'all'"),
        (["extract", "article.txt", "-l", "englisch"], "unknown language 'englisch'; closest are English (en)"),
        (["extract", "article.txt", "--largest", "big"], "--largest must be a size such as 64M or 1G; got 'big'"),
        (["extract", "article.txt", "--exclude-file", "no.txt"], "no.txt: no such file"),
        (["extract", "article.txt", "--example"], "--example replaces FILE"),
        (["extract", "article.txt", "--highlight", "-f", "csv"], "--highlight prints the text itself"),
        (["extract", "article.txt", "--tpo", "3"], "No such option: --tpo"),
        (["extract", "article.txt", "--top"], "Option '--top' requires an argument"),
        (["methods", "-f", "csv"], "--format must be one of table, json; got 'csv'"),
        (["distil"], "No such command 'distil'"),
    ],
)
def test_bad_calls(at: Command, arguments: list[str], complaint: str) -> None:
    code, out, err = at(*arguments)
    assert code == 2
    assert out == ""
    assert err.startswith(f"phrasemill: {complaint}")
    assert err.count("\n") == 1


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


# The process


def test_version_and_help() -> None:
    done = phrasemill("--version")
    assert re.fullmatch(rb"phrasemill \d+\.\d+\.\d+\S*\n", done.stdout)
    for arguments in ([], ["--help"], ["-h"], ["extract", "--help"], ["methods", "-h"]):
        done = phrasemill(*arguments)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"Usage: phrasemill" in done.stdout
    assert "textrank(window=5)" in phrasemill("extract", "--help").stdout.decode()


@pytest.mark.parametrize(
    "line",
    [line.strip() for text in (cli.EXAMPLES, extract.EXAMPLES, methods.EXAMPLES) for line in text.splitlines()[1:]],
)
def test_the_examples_in_the_help_work(line: str, folder: Path) -> None:
    before, _, command = line.rpartition("| ")
    arguments = [argument.strip("'") for argument in command.split()]
    assert arguments[0] == "phrasemill"
    done = phrasemill(*arguments[1:], cwd=folder, stdin=TEXT.encode() if before else b"")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout or (folder / arguments[arguments.index("--output") + 1]).read_bytes()


def test_a_closed_pipe_is_no_error(folder: Path) -> None:
    (folder / "long.txt").write_text("".join(f"Topic{i} theory. " for i in range(30_000)), encoding="utf-8")
    command = f"{sys.executable} -m phrasemill extract long.txt -n all -f text 2>errors | head -n 1"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=True, timeout=120)
    assert done.stdout.count(b"\n") == 1
    assert (folder / "errors").read_bytes() == b""


def test_output_that_the_terminal_cannot_show() -> None:
    done = phrasemill("extract", "-", stdin="Žižek theory".encode(), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?i?ek theory" in done.stdout
    done = phrasemill("extract", "-", "-f", "json", stdin="Žižek 𝔘 theory".encode(), PYTHONIOENCODING="ascii")
    assert "Žižek" in json.loads(done.stdout)["keyphrases"][0]["text"]


def test_rich_is_not_loaded_where_nothing_is_drawn() -> None:
    code = (
        "import sys; from phrasemill.cli import run; run(['extract', '--example', '--format', 'jsonl']);"
        "print([m for m in ('rich', 'pydantic', 'numpy', 'csv') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_method_names_are_completed() -> None:
    done = phrasemill(
        _PHRASEMILL_COMPLETE="complete_bash",
        COMP_WORDS="phrasemill extract --method text",
        COMP_CWORD="3",
    )
    assert b"textrank" in done.stdout


def terminal(*arguments: str, columns: int = 80, **env: str) -> str:
    """What a terminal shows."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    inherited = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "NO_COLOR")}
    settings = {"TERM": "xterm-256color", "COLUMNS": str(columns), "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-m", "phrasemill", *arguments],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=inherited | settings | env,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        shown += piece
    process.wait()
    os.close(leader)
    return shown.decode("utf-8").replace("\r\n", "\n")


def test_on_a_terminal() -> None:
    shown = terminal("extract", "--example", "-n", "3")
    assert "─" in shown
    assert "artificial reef" in shown
    assert "nothing to read: name a FILE, pipe a text in" in terminal("extract")
    for room in (60, 80, 120):
        shown = re.sub(r"\x1b\[[\d;]*m", "", terminal("methods", columns=room))
        assert all(len(line) <= room for line in shown.splitlines())
        assert "trained, 9 MB" in shown


def test_highlight_on_a_terminal() -> None:
    shown = terminal("extract", "--example", "--highlight", "-n", "3")
    assert re.search(r"\x1b\[30;103m ?artificial reefs?", shown)
    assert "\x1b[30;" not in terminal("extract", "--example", "--highlight", "-n", "3", NO_COLOR="1")
    assert "[[artificial reefs]]" in terminal("extract", "--example", "--highlight", "-n", "3", NO_COLOR="1")
