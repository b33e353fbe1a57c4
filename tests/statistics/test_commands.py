"""`statistics fit` and `merge`, and the methods that use what they make."""

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.cli import run
from phrasemill.statistics import DocumentFrequencies

SUBJECTS = ("salt marsh", "river delta", "deep aquifer", "tidal pump", "coastal well")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    lines = [
        {"id": str(i), "text": f"The {SUBJECTS[i % 5]} of region {i} feeds the {SUBJECTS[i % 3]}. Water is scarce."}
        for i in range(40)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_fit_merge_and_use(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = corpus.read_text().splitlines(keepends=True)
    for name, some in (("a", lines[:15]), ("b", lines[15:])):
        (tmp_path / f"{name}.jsonl").write_text("".join(some))
        assert run(["statistics", "fit", str(tmp_path / f"{name}.jsonl"), "-o", str(tmp_path / f"{name}.df")]) == 0
    assert "documents  15" in capsys.readouterr().out
    whole, merged = tmp_path / "whole.df", tmp_path / "merged.df"
    assert run(["statistics", "fit", str(corpus), "-o", str(whole), "--jobs", "1"]) == 0
    capsys.readouterr()
    assert run(["statistics", "merge", str(tmp_path / "a.df"), str(tmp_path / "b.df"), "-o", str(merged)]) == 0
    assert "documents  40" in capsys.readouterr().out
    assert merged.read_bytes() == whole.read_bytes()
    text = "A salt marsh holds water. The salt marsh and the glacier."
    mine = pm.extract(text, method=f"tfidf(frequencies={str(merged)!r})")
    assert mine[0].text == "glacier" or mine[0].score > 0
    assert [k.score for k in mine] != [k.score for k in pm.extract(text, method="tfidf")]


def test_minimum_and_longest(corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "df.safetensors"
    assert run(["statistics", "fit", str(corpus), "-o", str(target), "--minimum", "5", "--longest", "1"]) == 0
    table = DocumentFrequencies.load(target)
    assert (table.least, table.longest) == (5, 1)
    assert min(table.counts.values()) >= 5
    assert not any(" " in form for form in table.counts)


def test_topics(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sklearn")
    target = tmp_path / "topics.safetensors"
    wanted = ["statistics", "fit", str(corpus), "-o", str(target), "--kind", "topics", "--topics", "3", "--passes", "2"]
    assert run([*wanted, "--jobs", "1"]) == 0
    first = target.read_bytes()
    assert "topics     3" in capsys.readouterr().out
    assert run([*wanted, "--jobs", "2"]) == 0
    assert target.read_bytes() == first, "neither processes nor repetition show"
    text = "The salt marsh feeds the deep aquifer, and the salt marsh feeds the coastal well."
    assert pm.extract(text, method=f"topicalpagerank(model={str(target)!r})")[0].spans
    assert run(["statistics", "merge", str(target), str(target), "-o", str(tmp_path / "x")]) == 2
    assert "not a document frequencies file" in capsys.readouterr().err


def test_training_takes_a_table(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "df.safetensors"
    assert run(["statistics", "fit", str(corpus), "-o", str(table)]) == 0
    papers, lines = tmp_path / "papers.jsonl", corpus.read_text().splitlines()
    records = [json.loads(line) | {"keyphrases": [SUBJECTS[i % 5]]} for i, line in enumerate(lines)]
    papers.write_text("".join(json.dumps(record) + "\n" for record in records[:10]))
    for method in ("kea", "maxent", "naivebayes", "maui"):
        if method == "maui":
            pytest.importorskip("sklearn")
        model = tmp_path / f"{method}.model"
        spec = f"{method}(frequencies={str(table)!r})"
        assert run(["train", spec, "--data", str(papers), "-o", str(model)]) == 0
        assert pm.extract("The salt marsh and the river delta.", method=f"{method}(model={str(model)!r})")
    capsys.readouterr()
    short = tmp_path / "short"
    assert run(["statistics", "fit", str(corpus), "-o", str(short), "--longest", "2"]) == 0
    assert run(["train", f"kea(frequencies={str(short)!r})", "--data", str(papers), "-o", str(tmp_path / "m")]) == 2
    assert "up to 2 words; training needs 3" in capsys.readouterr().err


def test_other_languages_and_bad_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus, target = tmp_path / "c.jsonl", tmp_path / "df"
    corpus.write_text('{"text": "Salt.", "language": "eng"}\nbroken\n{"text": "Le marais.", "language": "French"}\n')
    assert run(["statistics", "fit", str(corpus), "-o", str(target)]) == 1
    captured = capsys.readouterr()
    assert "line 2" in captured.err
    assert "1 in other languages" in captured.out
    assert DocumentFrequencies.load(target).documents == 1
    assert run(["statistics", "fit", str(corpus), "-o", str(target), "--language", "français"]) == 1
    table = DocumentFrequencies.load(target)
    assert (table.language, table.documents) == ("fr", 2)


def test_the_columns_that_are_read_are_shown_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text('{"key": 1, "headline": "Salt", "abstract": "Salt marsh."}\n' * 2)
    (tmp_path / "c.csv").write_text("key,body\n1,Salt marsh.\n")
    assert run(["statistics", "fit", str(tmp_path), "-o", str(tmp_path / "df"), "--columns", "id=key"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "phrasemill: columns: id ← key, title ← headline, text ← abstract",
        "phrasemill: columns: id ← key, text ← body",
    ]


@pytest.mark.parametrize(
    ("records", "last"),
    [
        (
            '{"id": 1, "headline": "Salt", "storyline": "Salt marsh."}\n' * 20_000,
            "phrasemill: the first 100 records all failed for the same reason; the last one: c.jsonl, line 100: no "
            "text field; it has id, headline, storyline; name one with --columns text=NAME",
        ),
        ("bad\n", "phrasemill: nothing could be read"),
    ],
)
def test_a_corpus_that_cannot_be_read_stops_with_the_reason(
    records: str, last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("c.jsonl").write_text(records)
    assert run(["statistics", "fit", "c.jsonl", "-o", "df"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == last
    assert not Path("df").exists()


def test_failures_after_the_first_document_do_not_stop_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"text": "Salt marsh."}\n' + "bad\n" * 120)
    assert run(["statistics", "fit", str(tmp_path / "c.jsonl"), "-o", str(tmp_path / "df")]) == 1
    assert DocumentFrequencies.load(tmp_path / "df").documents == 1


def test_standard_input_beside_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, target = tmp_path / "c.jsonl", tmp_path / "df"
    corpus.write_text('{"text": "Salt marsh."}\n')
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b'{"text": "Salt water."}\n' * 2)))
    assert run(["statistics", "fit", "-", str(corpus), "-o", str(target)]) == 0
    assert DocumentFrequencies.load(target).documents == 3


def test_the_largest_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Salt marsh. " * 100)
    (tmp_path / "b.txt").write_text("Salt marsh.")
    assert run(["statistics", "fit", str(tmp_path), "-o", str(tmp_path / "df"), "--largest", "1k"]) == 1
    assert "a.txt: larger than 1,024 bytes" in capsys.readouterr().err
    assert DocumentFrequencies.load(tmp_path / "df").documents == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fit", "corpus.jsonl", "-o", "df", "--language", "klingon"], "unknown language 'klingon'"),
        (["fit", "-o", "df"], "needs a CORPUS"),
        (["fit", "corpus.jsonl"], "needs --output"),
        (["fit", "corpus.jsonl", "-o", "nowhere/df"], "there is no such folder"),
        (["fit", "nowhere.jsonl", "-o", "df"], "nowhere.jsonl"),
        (["fit", "corpus.jsonl", "-o", "df", "--kind", "words"], "frequencies, topics"),
        (["fit", "corpus.jsonl", "-o", "df", "--minimum", "0"], "--minimum must be a whole number, 1 or more"),
        (["fit", "corpus.jsonl", "-o", "df", "--longest", "x"], "--longest must be a whole number"),
        (["fit", "corpus.jsonl", "-o", "df", "--jobs", "none"], "--jobs must be a whole number"),
        (["fit", "corpus.jsonl", "-o", "df", "--topics", "5"], "add --kind topics"),
        (["fit", "corpus.jsonl", "-o", "df", "--kind", "topics", "--minimum", "2"], "leave it out"),
        (["fit", "corpus.jsonl", "-o", "t.npz", "--kind", "topics"], "safetensors"),
        (["fit", "corpus.jsonl", "-o", "df.npz"], "safetensors"),
        (["fit", "corpus.jsonl", "-o", "df", "--kind", "topics", "--language", "fr"], "English only"),
        (["merge", "-o", "df"], "needs tables"),
        (["merge", "corpus.jsonl", "-o", "df"], "not a document frequencies file"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    arguments: list[str],
    said: str,
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(corpus.parent)
    assert run(["statistics", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
