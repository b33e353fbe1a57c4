"""The results do not depend on how the work was spread, nor on what happened to those who did it."""

import json
import pickle
import signal
from pathlib import Path

import pytest
from pyarrow import parquet

from faulty import Stillborn, Stumbler
from made_corpora import contents, records, write_jsonl
from phrasemill import engine, isolated
from phrasemill.engine.chunks import Plan
from phrasemill.engine.inputs import Unit, Unread
from phrasemill.engine.work import ExtractionTask, joined
from phrasemill.options import checked
from phrasemill.types import Document

FORMATS = ["parquet", "jsonl"]


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    (tmp_path / "marks").mkdir()
    return tmp_path / "marks"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two chunks with a document in each that ends its process once, and one that cannot be read."""
    data = records(24)
    for number in (3, 20):
        data[number]["text"] += " STUMBLE"
    path = write_jsonl(tmp_path / "corpus.jsonl", data)
    with path.open("a", encoding="utf-8") as file:
        file.write("no json\n")
    return path


def documents(folder: Path) -> list[object]:
    """The rows of all parts, in order."""
    found: list[object] = []
    for path in sorted(folder.glob("part-*")):
        if path.suffix == ".parquet":
            found += parquet.read_table(path).to_pylist()
        else:
            found += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return found


@pytest.mark.parametrize("format", FORMATS)
def test_a_chunk_that_was_taken_apart_is_the_same_part(tmp_path: Path, corpus: Path, marks: Path, format: str) -> None:
    asked = {"method": Stumbler(str(marks), "learned"), "part": Plan(documents=15), "format": format}
    engine.run(corpus, tmp_path / "out", **asked, jobs=1)
    assert {path.name for path in marks.iterdir()} == {"d3", "d20"}
    engine.run(corpus, tmp_path / "undisturbed", **asked, jobs=2)
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("concepts", [False, True])
def test_results_of_single_documents_are_put_together_to_the_byte(tmp_path: Path, format: str, concepts: bool) -> None:
    """With columns for concepts, and with documents that have no keyphrases."""
    (tmp_path / "terms.csv").write_text("id,label\nw1,pumps\nw2,sea level\n", encoding="utf-8")
    options = {"vocabulary": str(tmp_path / "terms.csv")} if concepts else {}
    task = ExtractionTask(checked({"method": "tfidf", **options}), format)
    made = [Document(one["id"], one["text"] if number % 3 else "") for number, one in enumerate(records(9))]
    items = [*made, Unread("f:10", "no JSON"), Unit("note.txt", b"Salt water in wells.")]
    work = task.prepare()
    apart = [work((pickle.dumps([item]), False)) for item in items]
    assert joined([one for one in apart if one is not None]) == work((pickle.dumps(items), True))


def test_a_worker_that_is_stopped_in_mid_chunk_costs_nothing(
    tmp_path: Path, corpus: Path, marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, the run waited for it for ever."""
    monkeypatch.setattr(isolated, "LONGEST_STOP", 0.2)
    monkeypatch.setattr(isolated, "POLL", 0.05)
    asked = {"method": Stumbler(str(marks), harm=signal.SIGSTOP), "part": Plan(documents=15), "format": "jsonl"}
    summary = engine.run(corpus, tmp_path / "out", **asked, jobs=2)
    assert {path.name for path in marks.iterdir()} == {"d3", "d20"}
    assert (summary.documents, summary.failed) == (25, 1)
    engine.run(corpus, tmp_path / "undisturbed", **asked, jobs=1)
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")


def test_workers_that_are_killed_while_they_start_cost_nothing(tmp_path: Path, corpus: Path, marks: Path) -> None:
    asked = {"method": Stillborn(str(marks), 2), "part": Plan(documents=15), "format": "jsonl"}
    engine.run(corpus, tmp_path / "out", **asked, jobs=2)
    assert len(list(marks.iterdir())) == 2
    engine.run(corpus, tmp_path / "undisturbed", **asked, jobs=2)
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")


@pytest.mark.parametrize("format", FORMATS)
def test_the_rows_do_not_depend_on_the_size_of_parts(tmp_path: Path, corpus: Path, format: str) -> None:
    for size in (3, 1000):
        part = Plan(documents=size)
        engine.run(corpus, tmp_path / str(size), format=format, part=part, jobs=2)
    assert documents(tmp_path / "3") == documents(tmp_path / "1000")
