"""The results do not depend on how the work was spread, nor on what happened to those who did it."""

import pickle
import signal
from pathlib import Path

import pytest

from faulty import Stumbler
from made_corpora import contents, records, rows, write_jsonl
from phrasemill import engine, isolated
from phrasemill.engine.chunks import Plan
from phrasemill.engine.inputs import Unit, Unread
from phrasemill.engine.work import ExtractionTask, joined
from phrasemill.options import checked
from phrasemill.types import Document

FORMATS = ["parquet", "jsonl"]


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


@pytest.mark.parametrize(
    ("format", "harm"), [("parquet", signal.SIGKILL), ("jsonl", signal.SIGKILL), ("jsonl", signal.SIGSTOP)]
)
def test_a_chunk_whose_worker_was_killed_or_stopped_is_the_same_part(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch, format: str, harm: int
) -> None:
    """Before, the run waited for stopped workers for ever."""
    monkeypatch.setattr(isolated, "LONGEST_STOP", 0.2)
    monkeypatch.setattr(isolated, "POLL", 0.05)
    marks = tmp_path / "marks"
    marks.mkdir()
    asked = {"method": Stumbler(str(marks), "learned", harm), "part": Plan(documents=15), "format": format}
    summary = engine.run(corpus, tmp_path / "out", **asked, jobs=2)
    assert {path.name for path in marks.iterdir()} == {"d3", "d20"}
    assert (summary.documents, summary.failed) == (25, 1)
    engine.run(corpus, tmp_path / "undisturbed", **asked, jobs=1)
    assert contents(tmp_path / "out") == contents(tmp_path / "undisturbed")


@pytest.mark.parametrize("format", FORMATS)
def test_rows_depend_neither_on_the_size_of_parts_nor_on_the_number_of_processes(
    tmp_path: Path, corpus: Path, format: str
) -> None:
    for name, size, jobs in (("a", 3, 3), ("b", 3, 1), ("c", 1000, 1)):
        engine.run(corpus, tmp_path / name, format=format, part=Plan(documents=size), jobs=jobs, method="tfidf")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert rows(tmp_path / "a") == rows(tmp_path / "c")
