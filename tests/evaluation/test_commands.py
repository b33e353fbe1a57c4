"""The commands as a user types them."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from phrasemill.cli import app
from phrasemill.errors import ConfigError, InputError, PhrasemillError

Run = Callable[..., str]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    gold = [{"id": f"d{i}", "title": "", "text": "trees and roots", "keyphrases": ["tree", "leaf"]} for i in range(8)]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)), encoding="utf-8")
    good = {f"d{i}": ["tree", "leaf"] if i else ["leaf"] for i in range(8)}
    bad = {f"d{i}": ["root", "tree"] for i in range(6)} | {"x1": ["a"], "x2": ["b"]}
    for name, answers in (("good", good), ("bad", bad)):
        (tmp_path / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in the folder of the files; what it prints on standard error is in `run.errors`."""
    monkeypatch.chdir(files)
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def call(*arguments: str) -> str:
        assert app(list(arguments), standalone_mode=False) == 0
        printed = capsys.readouterr()
        call.errors = printed.err  # type: ignore[attr-defined]
        return printed.out

    return call


def test_evaluate_prints_scores_and_signatures(run: Run) -> None:
    out = run("evaluate", "good.json", "--gold", "gold.jsonl", "--metric", "F1@5", "--metric", "F1@O")
    assert out.splitlines()[:2] == ["metric   good", "F1@5    95.83"]
    assert "F1@5 F1@O|match:stem(porter)|avg:macro|empty:skip|den:predicted|dedupe:stem|docs:8|gold:" in out


def test_the_only_list_of_strings_is_the_gold_and_is_named(run: Run, files: Path) -> None:
    lines = [
        {"id": f"d{i}", "year": 2020, "pages": [1, 2], "editors": [], "subjects": ["tree"], "text": "Trees."}
        for i in range(8)
    ]
    (files / "other.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    out = run("evaluate", "good.json", "--gold", "other.jsonl", "--metric", "R@5")
    assert run.errors == (  # type: ignore[attr-defined]
        "phrasemill: other.jsonl: keyphrases ← subjects (the only field with lists of strings)\n"
    )
    assert run("evaluate", "good.json", "-g", "other.jsonl", "--gold-field", "subjects", "-m", "R@5") == out
    assert run.errors == ""  # type: ignore[attr-defined]


def test_missing_and_surplus_ids_are_named_and_counted(run: Run) -> None:
    run("evaluate", "bad.json", "--gold", "gold.jsonl")
    assert run.errors.splitlines() == [  # type: ignore[attr-defined]
        "phrasemill: bad: 2 of 8 gold documents have no answer: d6, d7",
        "phrasemill: bad: 2 answers are to no document of the gold: x1, x2",
    ]


def test_evaluate_as_json(run: Run) -> None:
    record = json.loads(run("evaluate", "good.json", "-g", "gold.jsonl", "-m", "R@10(present='absent')", "-f", "json"))
    assert record["scores"] == {"R@10(present='absent')": 1.0}
    assert "|present:absent[stem(porter)]|" in record["signatures"]["R@10(present='absent')"]


@pytest.mark.parametrize(
    ("format", "start"), [("csv", "system,metric"), ("markdown", "| metric"), ("latex", "\\begin")]
)
def test_evaluate_in_other_formats(run: Run, format: str, start: str) -> None:
    assert run("evaluate", "good.json", "bad.json", "-g", "gold.jsonl", "-f", format).startswith(start)


def test_presets_and_choices(run: Run) -> None:
    out = run("evaluate", "good.json", "-g", "gold.jsonl", "-p", "semeval2010", "--set", "denominator=predicted")
    assert "|avg:micro|empty:zero|den:predicted|dedupe:match|" in out


def test_per_document(run: Run) -> None:
    out = run("evaluate", "good.json", "-g", "gold.jsonl", "-m", "P@1", "--per-document", "-f", "csv")
    assert out.splitlines()[:2] == ["document,P@1", "d0,100.0"]


def test_the_page_goes_to_a_file(run: Run, files: Path) -> None:
    assert run("evaluate", "good.json", "bad.json", "-g", "gold.jsonl", "-f", "html", "-o", "report.html") == ""
    assert (files / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_intervals(run: Run) -> None:
    assert "95.83 [87.50, 100.0]" in run(
        "evaluate", "good.json", "-g", "gold.jsonl", "-m", "F1@5", "--resamples", "200"
    )


def test_gold_can_be_cut(run: Run) -> None:
    assert "P@1     87.50" in run("evaluate", "good.json", "-g", "gold.jsonl", "-m", "P@1", "--gold-top", "1")


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_compare(run: Run, test: str) -> None:
    out = run("compare", "good.json", "bad.json", "--gold", "gold.jsonl", "-m", "F1@5", "--test", test)
    assert "p (Holm)" in out
    assert f"paired {test}, two-sided" in out
    assert "Where they differ most, F1@5" in out
    record = json.loads(run("compare", "good.json", "bad.json", "-g", "gold.jsonl", "-m", "F1@5", "-f", "json"))
    assert record["differences"][0]["difference"] < 0


def test_compare_as_a_page(run: Run, files: Path) -> None:
    run("compare", "good.json", "bad.json", "-g", "gold.jsonl", "-f", "html", "-o", "report.html", "--resamples", "50")
    assert "Where they differ most" in (files / "report.html").read_text(encoding="utf-8")


def test_metrics_lists_everything(run: Run) -> None:
    out = run("metrics")
    for name in ("F1@k", "nDCG@k", "mkduc01-published", "empty_gold='skip'"):
        assert name in out
    assert {"metrics", "presets", "choices", "defaults"} == set(json.loads(run("metrics", "--format", "json")))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["evaluate", "none.json", "-g", "gold.jsonl"], InputError, "none.json: no such file"),
        (["evaluate", "good.json", "-g", "none.jsonl"], InputError, "none.jsonl: no such file"),
        (["evaluate", "good.json", "-g", "gold.jsonl", "-m", "F9"], ConfigError, "unknown metric 'F9'"),
        (["evaluate", "good.json", "-g", "gold.jsonl", "-p", "x"], ConfigError, "unknown preset 'x'"),
        (["evaluate", "good.json", "-g", "gold.jsonl", "--set", "x"], ConfigError, "--set takes CHOICE=VALUE"),
        (["evaluate", "good.json", "-g", "gold.jsonl", "--set", "threshold=x"], ConfigError, "must be a number"),
        (["evaluate", "good.json", "-g", "gold.jsonl", "--set", "threshold=0.4"], ConfigError, "match='semantic'"),
        (["evaluate", "good.json", "-g", "gold.jsonl", "-m", "F1@5(threshold=0.4)"], ConfigError, "match='semantic'"),
        (
            ["evaluate", "good.json", "good.json", "-g", "gold.jsonl"],
            ConfigError,
            "these predictions are given twice",
        ),
        (["evaluate", "good.json", "-g", "gold.jsonl", "--gold-field", "x"], InputError, "no field 'x'"),
        (["compare", "good.json", "-g", "gold.jsonl"], ConfigError, "at least two files"),
        (["compare", "good.json", "bad.json", "-g", "gold.jsonl", "--test", "t"], ConfigError, "unknown test 't'"),
    ],
)
def test_what_is_wrong_is_told(run: Run, arguments: list[str], error: type[PhrasemillError], message: str) -> None:
    with pytest.raises(error) as raised:
        run(*arguments)
    assert message in str(raised.value)


@pytest.mark.parametrize("width", ["80", "120"])
def test_tables_fit_the_terminal(run: Run, width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", width)
    for arguments in (["evaluate", "good.json", "bad.json", "-g", "gold.jsonl", "--resamples", "20"], ["metrics"]):
        shown = re.sub("\x1b\\[[0-9;]*m", "", run(*arguments))
        assert max(map(len, shown.splitlines())) <= int(width)


def test_matching_by_meaning(run: Run, files: Path) -> None:
    (files / "vectors.txt").write_text("tree 1 0\nroot 0.9 0.4\nleaf 0 1\n", encoding="utf-8")
    match = "semantic(0.9, embeddings='vectors.txt')"
    scored = json.loads(run("evaluate", "good.json", "-g", "gold.jsonl", "-m", "R@2", "--match", match, "-f", "json"))
    assert "|match:semantic(vectors.txt,0.9)|" in scored["signatures"]["R@2"]
    plain = run("evaluate", "bad.json", "-g", "gold.jsonl", "-m", "P@1", "--match", "stem")
    near = run("evaluate", "bad.json", "-g", "gold.jsonl", "-m", "P@1", "--match", match)
    assert " 0.00" in plain and " 75.00" in near, "roots are trees here, and two of eight have no answer"


@pytest.mark.parametrize("match", ["stem(0.8)", "semantic(0.8, 'minilm', 3)", "semantic(limit=1)"])
def test_a_match_that_makes_no_sense(run: Run, match: str) -> None:
    with pytest.raises(ConfigError, match="--match takes a name, or semantic"):
        run("evaluate", "good.json", "-g", "gold.jsonl", "--match", match)
