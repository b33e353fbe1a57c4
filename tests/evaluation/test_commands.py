"""`evaluate` as a user types it."""

import csv
import gzip
import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from phrasemill.cli import app
from phrasemill.errors import ConfigError, InputError, PhrasemillError

Run = Callable[..., str]
BOTH = ("evaluate", "good.json", "bad.json", "-g", "gold.jsonl")
GOOD = ("evaluate", "good.json", "-g", "gold.jsonl")


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


def test_scores_and_signatures(run: Run) -> None:
    out = run(*GOOD, "--metric", "F1@5", "--metric", "F1@O")
    assert out.splitlines()[:2] == ["metric   good", "F1@5    95.83"]
    assert "F1@5 F1@O|match:stem(porter)|avg:macro|empty:skip|den:predicted|dedupe:stem|docs:8|gold:" in out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-m", "F1@5", "--resamples", "200"], "95.83 [87.50, 100.0]"),
        (["-m", "P@1", "--gold-top", "1"], "P@1     87.50"),
        (["-m", "P@1", "--per-document", "-f", "csv"], "document,P@1\nd0,100.0\n"),
        (["-p", "semeval2010", "--set", "denominator=predicted"], "|avg:micro|empty:zero|den:predicted|dedupe:match|"),
        (["-m", "F1@5", "-f", "markdown"], "| metric | good |\n|---|---:|\n| F1@5 | 95.83 |"),
        (["-m", "F1@5", "-f", "latex"], "\\begin{tabular}"),
        (["-m", "F1@5", "-f", "text"], "good: F1@5|match:stem(porter)|"),
    ],
)
def test_options_and_formats(run: Run, arguments: list[str], expected: str) -> None:
    assert expected in run(*GOOD, *arguments)


def test_json_has_shares_and_signatures(run: Run) -> None:
    record = json.loads(run(*GOOD, "-m", "R@10(present='absent')", "-f", "json"))
    assert record["scores"] == {"R@10(present='absent')": 1.0}
    assert "|present:absent[stem(porter)]|" in record["signatures"]["R@10(present='absent')"]
    assert record == json.loads(run(*GOOD, "-m", "R@10(present='absent')", "-f", "jsonl"))


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
        "phrasemill: bad: 2 gold documents have no answer: d6, d7",
        "phrasemill: bad: 2 answers are to no document of the gold: x1, x2",
    ]


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_several_systems_are_compared(run: Run, test: str) -> None:
    out = run(*BOTH, "-m", "F1@5", "--test", test)
    assert "p (Holm)" in out
    assert f"paired {test}, two-sided" in out
    assert re.search(r"Where they differ most, F1@5\n.*\n(d\d .*\n){5}$", out)
    assert len(re.findall(r"\nd\d", run(*BOTH, "-m", "F1@5", "--test", test, "--differing", "1"))) == 1
    assert "Holm" not in run(*BOTH, "-m", "F1@5", "--resamples", "0")


def test_differences_are_in_json_and_csv(run: Run) -> None:
    record = json.loads(run(*BOTH, "-m", "F1@5", "-f", "json"))
    assert [one["system"] for one in record["systems"]] == ["good", "bad"]
    assert record["differences"][0]["difference"] < 0
    rows = list(csv.DictReader(StringIO(run(*BOTH, "-m", "F1@5", "-f", "csv"))))
    assert [(row["system"], row["against"]) for row in rows] == [("good", ""), ("bad", ""), ("bad", "good")]
    assert [float(row["value"]) for row in rows] == [0.9583, 0.375, record["differences"][0]["difference"]]


def test_the_page_goes_to_a_file(run: Run, files: Path) -> None:
    assert run(*BOTH, "-o", "report.html", "--resamples", "50") == ""
    page = (files / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Where they differ most" in page


def test_lists_everything(run: Run) -> None:
    out = run("evaluate", "--list")
    for name in ("F1@k", "nDCG@k", "mkduc01-published", "zeroshot", "empty_gold='skip'"):
        assert name in out
    assert {"metrics", "presets", "choices", "defaults"} == set(json.loads(run("evaluate", "--list", "-f", "json")))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["evaluate", "good.json"], ConfigError, "needs files of predictions, and the gold with --gold"),
        (["evaluate", "-g", "gold.jsonl"], ConfigError, "needs files of predictions"),
        (["evaluate", "none.json", "-g", "gold.jsonl"], InputError, "none.json: no such file"),
        (["evaluate", "good.json", "-g", "none.jsonl"], InputError, "none.jsonl: no such file"),
        ([*GOOD, "-m", "F9"], ConfigError, "unknown metric 'F9'"),
        ([*GOOD, "-m", "f1@5"], ConfigError, "unknown metric 'f1@5' (did you mean 'F1@5'?)"),
        ([*GOOD, "-p", "x"], ConfigError, "unknown preset 'x'"),
        ([*GOOD, "-f", "pdf"], ConfigError, "--format must be one of table"),
        ([*GOOD, "--set", "x"], ConfigError, "--set takes CHOICE=VALUE"),
        ([*GOOD, "--set", "threshold=x"], ConfigError, "must be a number"),
        ([*GOOD, "--set", "threshold=0.4"], ConfigError, "match='semantic'"),
        ([*GOOD, "-m", "F1@5(threshold=0.4)"], ConfigError, "match='semantic'"),
        ([*GOOD, "--match", "stem(0.8)"], ConfigError, "--match takes a name, or semantic"),
        ([*GOOD, "--match", "semantic(0.8, 'minilm', 3)"], ConfigError, "--match takes a name, or semantic"),
        ([*GOOD, "--match", "semantic(limit=1)"], ConfigError, "--match takes a name, or semantic"),
        (["evaluate", "good.json", *GOOD[1:]], ConfigError, "these predictions are given twice"),
        ([*GOOD, "--gold-field", "x"], InputError, "no field 'x'"),
        ([*GOOD, "--test", "bootstrap"], ConfigError, "--test and --differing need two or more files"),
        ([*GOOD, "--differing", "3"], ConfigError, "--test and --differing need two or more files"),
        ([*BOTH, "--test", "t"], ConfigError, "--test must be one of bootstrap, randomisation; got 't'"),
        ([*BOTH, "--test", "bootstrap", "--resamples", "0"], ConfigError, "--test and --differing need two or more"),
        ([*BOTH, "--differing", "3", "--per-document"], ConfigError, "--test and --differing need two or more"),
        ([*GOOD, "--per-document", "-f", "text"], ConfigError, "unknown format 'text'"),
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
    for arguments in ([*BOTH, "--resamples", "20"], ["evaluate", "--list"]):
        lines = re.sub("\x1b\\[[0-9;]*m", "", run(*arguments)).splitlines()
        assert max(len(line) for line in lines if "|match:" not in line) <= int(width)


def test_matching_by_meaning(run: Run, files: Path) -> None:
    (files / "vectors.txt").write_text("tree 1 0\nroot 0.9 0.4\nleaf 0 1\n", encoding="utf-8")
    match = "semantic(0.9, embeddings='vectors.txt')"
    scored = json.loads(run(*GOOD, "-m", "R@2", "--match", match, "-f", "json"))
    assert "|match:semantic(vectors.txt,0.9)|" in scored["signatures"]["R@2"]
    plain = run("evaluate", "bad.json", "-g", "gold.jsonl", "-m", "P@1", "--match", "stem")
    near = run("evaluate", "bad.json", "-g", "gold.jsonl", "-m", "P@1", "--match", match)
    assert " 0.00" in plain and " 75.00" in near, "roots are trees here, and two of eight have no answer"


def test_records_without_ids_are_scored_as_the_zero_shot_literature_does(run: Run, files: Path) -> None:
    """Its files have `doc` and `label`, and no ids: what is extracted from a line answers that line."""
    texts = ["A heat-pump warms water. Heat pumps need power.", "Salt water moves inland."]
    labels = [["heat pump", "Heat-pump", "power"], ["salt-water", "tide"]]
    lines = [
        json.dumps({"doc": text, "label": one, "stemmed_label": one}) for text, one in zip(texts, labels, strict=True)
    ]
    (files / "set.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    run("extract", "set.jsonl.gz", "--columns", "text=doc", "-m", "firstphrases", "-f", "jsonl", "-o", "run.jsonl")
    found = [json.loads(line) for line in (files / "run.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [one["id"] for one in found] == ["set.jsonl.gz:1", "set.jsonl.gz:2"]
    phrases = ["heat-pump", "Heat pumps", "heat pump", "water"]
    found[0]["keyphrases"], found[1]["keyphrases"] = phrases, ["salt water"]
    (files / "run.jsonl").write_text("\n".join(map(json.dumps, found)), encoding="utf-8")
    gold = ("-g", "set.jsonl.gz", "--gold-field", "label", "-p", "zeroshot", "-m", "P@5", "-m", "R@5")
    record = json.loads(run("evaluate", "run.jsonl", *gold, "-f", "json"))
    # `heat pump` counts once, as hyphens are spaces; `Heat pumps` is spelt otherwise and earns, too: 3 of 4 are right.
    # As many of the 5 labels, repeats included, count as found.
    assert record["scores"] == {"P@5": 0.75, "R@5": 0.6}
    with pytest.raises(InputError, match="no field 'keyphrases'; fields with lists: label, stemmed_label"):
        run("evaluate", "run.jsonl", "-g", "set.jsonl.gz")
