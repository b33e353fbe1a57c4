"""What the scripts in benchmarks/ share: texts, made-up corpora, tables, clocks and fresh processes."""

import gzip
import json
import lzma
from pathlib import Path

import pytest

from phrasemill.readers import read_all
from phrasemill_lab.bench import corpora
from phrasemill_lab.bench.scripts import MarkdownRows, best_of, f1_cell, fresh, numbers, parser, usage

RECORDS = [
    {"title": "Salt", "text": "Salt water moves inland. Wells turn salty. Farmers drill.", "keyphrases": ["wells"]},
    {"title": "Dams", "text": "Dams hold rivers back. Sand settles behind them.", "keyphrases": ["dams", "sand"]},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = "".join(json.dumps(one) + "\n" for one in RECORDS)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "keywords").mkdir()
    (tmp_path / "keywords" / "train-00.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    return tmp_path


def test_texts_come_from_files_or_from_the_example(data: Path) -> None:
    both = [f"{one['title']}\n{one['text']}" for one in RECORDS]
    assert corpora.texts(data, "*.jsonl*", 3) == [*both, both[0]]
    assert len(set(corpora.texts(None, "", 5))) == 1
    with pytest.raises(SystemExit, match=r"no file in .* fits nothing"):
        corpora.texts(data, "nothing", 1)


def test_documents_have_their_keyphrases(data: Path) -> None:
    documents = corpora.documents(data / "b.jsonl.gz")
    assert [one.references for one in documents] == [("wells",), ("dams", "sand")]
    assert len(f1_cell(documents, "firstphrases").split(" / ")) == 2


@pytest.mark.parametrize("write", [corpora.write_recombined, corpora.write_halves])
def test_made_up_corpora_are_the_same_every_time(data: Path, tmp_path: Path, write: object) -> None:
    assert callable(write)
    for name in ("one.jsonl", "other.jsonl"):
        write(data, tmp_path / name, 20)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "other.jsonl").read_bytes()
    assert [one.id for one in read_all(tmp_path / "one.jsonl")] == [f"s{i}" for i in range(20)]


def test_tables_clocks_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    MarkdownRows("what", "ms").add("x", 3)
    assert capsys.readouterr().out == "| what | ms |\n|---|---|\n| x | 3 |\n"
    ticks = iter([0.0, 5.0, 10.0, 12.0])
    assert best_of(lambda: None, rounds=2, clock=lambda: next(ticks)) == 2
    given = parser("", data=False, pattern="*.gz", documents=7).parse_args(["--data", "x"])
    assert (given.data, given.pattern, given.documents) == (Path("x"), "*.gz", 7)
    assert numbers("1,20") == [1, 20]


def test_a_fresh_process_answers_in_json(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import json, sys; print('noise'); print(json.dumps(sys.argv[1:]))")
    assert fresh(str(script), "a", 1) == ["a", "1"]
    script.write_text("raise SystemExit('it failed')")
    with pytest.raises(SystemExit, match="it failed"):
        fresh(str(script))
    assert usage().own_megabytes > 1
