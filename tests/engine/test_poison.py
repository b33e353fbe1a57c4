"""Documents that hang or crash a worker: found, recorded, passed over; the rest comes out."""

import pickle
from concurrent.futures import Future
from pathlib import Path
from typing import cast

import pytest
from pyarrow import parquet

import in_process
from faulty import Broken, Faulty
from made_corpora import harmful, rows, write_jsonl
from phrasemill import engine
from phrasemill.engine.chunks import Plan
from phrasemill.engine.inputs import Unread
from phrasemill.engine.local import Isolation
from phrasemill.engine.work import ExtractionTask
from phrasemill.errors import PhrasemillError
from phrasemill.isolated import Lost, Pool


def results(folder: Path) -> tuple[list[str], dict[str, str]]:
    found = rows(folder)
    return [row["id"] for row in found if row["error"] is None], {
        row["id"]: row["error"] for row in found if row["error"]
    }


def test_documents_that_do_harm_are_passed_over(tmp_path: Path) -> None:
    texts = ["a", "CRASH", "b", "ERROR", "c", "EXIT", "d", "MEMORY", "e", "QUIT", "f", "HANG"]
    corpus = harmful(tmp_path / "corpus.jsonl", texts)
    summary = engine.run(corpus, tmp_path / "out", method=Faulty(), jobs=2, part=Plan(documents=4), timeout=1.0)
    good, failed = results(tmp_path / "out")
    assert good == ["0", "2", "4", "6", "8", "10"]
    assert failed == {
        "1": "its process crashed (SIGSEGV)",
        "3": "ValueError: the text says so",
        "5": "its process exited with code 3",
        "7": "ran out of memory",
        "9": "SystemExit: 4",
        "11": "took longer than the time limit",
    }
    assert (summary.documents, summary.failed) == (12, 6)


def test_a_part_of_nothing_but_failures_is_a_part(tmp_path: Path) -> None:
    corpus = harmful(tmp_path / "corpus.jsonl", ["fine", "fine", "CRASH", "CRASH"])
    engine.run(corpus, tmp_path / "out", method=Faulty(), jobs=1, part=Plan(documents=2))
    good, failed = results(tmp_path / "out")
    assert good == ["0", "1"]
    assert sorted(failed) == ["2", "3"]
    failed_part = parquet.read_table(tmp_path / "out" / "part-000001.parquet")
    assert failed_part.schema.equals(parquet.read_schema(tmp_path / "out" / "part-000000.parquet"), check_metadata=True)


@pytest.mark.parametrize("format", ["parquet", "jsonl", "bulk"])
def test_ids_of_failures_are_no_duplicates_when_a_run_resumes_either(tmp_path: Path, format: str) -> None:
    data = [{"id": "x", "text": "fine"}, {"id": "x", "text": "ERROR"}, {"id": "y", "text": "fine"}]
    corpus = write_jsonl(tmp_path / "corpus.jsonl", [*data, data[0]])
    asked = {"method": Faulty(), "format": format, "part": Plan(documents=2), "engine": in_process.Executor}
    for _ in range(2):
        summary = engine.run(corpus, tmp_path / "out", **asked, timeout=0)
        assert (summary.failed, summary.duplicates, summary.duplicate_ids) == (1, 1, ("x",))
        (tmp_path / "out" / f"part-000001.{format}").unlink()


def test_where_nothing_works_a_run_gives_up(tmp_path: Path) -> None:
    corpus = harmful(tmp_path / "corpus.jsonl", ["a"] * 30)
    with pytest.raises(PhrasemillError, match=r"gave up: 20 workers ended and no document succeeded; .* code 9"):
        engine.run(corpus, tmp_path / "out", method=Broken(), jobs=2)


def test_records_that_could_not_be_read_are_rows_though_their_worker_ends(tmp_path: Path) -> None:
    isolation = Isolation(ExtractionTask(format="jsonl"), cast(Pool, KilledOnce()))
    result = isolation.result(pickle.dumps([Unread("corpus.jsonl:1", "not JSON")]))
    assert (result.ids, result.errors) == (("corpus.jsonl:1",), ("not JSON",))


class KilledOnce:
    """A pool whose worker ends on the first piece, whatever that is."""

    def __init__(self) -> None:
        self.work, self.given = ExtractionTask(format="jsonl").prepare(), 0

    def submit(self, piece: tuple[bytes, bool]) -> Future[object]:
        call: Future[object] = Future()
        self.given += 1
        if self.given == 1:
            call.set_exception(Lost("its process was killed"))
        else:
            call.set_result(self.work(piece))
        return call
